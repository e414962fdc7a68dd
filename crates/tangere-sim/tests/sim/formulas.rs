//! Variables and formulas against values computed by hand.

use super::support::{BOX, run};
use std::f64::consts::{E, PI};

/// Two spheres, at (1, 2, 3) and (-1, 0, 0), that move along x with 3 and -1 and have mass 2 and 6.
fn pair() -> String {
    format!(
        "{BOX}create_atoms 1 single 1 2 3\n\
        create_atoms 2 single -1 0 0\n\
        set type 1 mass 2\n\
        set type 2 mass 6\n\
        group one type 1\n\
        velocity one set 3 0 0\n\
        set type 2 vx -1\n\
        variable a equal 4\n\
        variable b equal v_a*v_a\n\
        variable s string 7\n\
        variable m atom mass*vx\n\
        compute k all ke\n\
        compute r all reduce sum vx x\n\
        compute p all property/atom x vx\n\
        thermo_modify norm no\n"
    )
}

#[test]
fn values() {
    let (deck, _) = run(&pair());
    for (formula, expected) in [
        ("1+2*3", 7.0),
        ("(1+2)*3", 9.0),
        ("2^3^2", 64.0),
        ("-2^2", 4.0),
        ("2^-1", 0.5),
        ("2^0.5", 2.0_f64.sqrt()),
        ("7%4", 3.0),
        ("10/4", 2.5),
        ("1.5e1 + .5", 15.5),
        ("1e-3*1E+3", 1.0),
        ("1 < 2", 1.0),
        ("2 <= 1 || 3 != 4", 1.0),
        ("1 && 0", 0.0),
        ("1 |^ 1", 0.0),
        ("!0 + 1", 2.0),
        ("5 - 3 - 1", 1.0),
        ("-(3-5)", 2.0),
        ("PI", PI),
        ("sqrt(16)+abs(-2)", 6.0),
        ("exp(1)", E),
        ("ln(exp(2))", 2.0),
        ("log(1000)", 3.0),
        ("sin(PI/2)+cos(0)", 2.0),
        ("atan2(1,1)", PI / 4.0),
        ("floor(-1.5)+ceil(1.2)+round(2.5)", 3.0),
        ("ternary(2>1, 10, 20)", 10.0),
        ("v_a + v_b", 20.0),
        ("v_s*2", 14.0),
        ("v_b^0.5", 4.0),
        ("count(all) + count(one)", 3.0),
        ("mass(all)", 8.0),
        ("xcm(all,x)", -0.5),
        ("vcm(all,x)", 0.0),
        ("ke(one)", 9.0),
        ("bound(all,ymax)", 2.0),
        ("c_k", 12.0),
        ("c_r[1]", 2.0),
        ("c_r[2]", 0.0),
        ("c_p[1][2]", 3.0),
        ("c_p[2][1]", -1.0),
        ("x[1]+z[1]", 4.0),
        ("v_m[2]", -6.0),
        ("sum(v_m)", 0.0),
        ("max(c_p[1])", 1.0),
        ("sum(c_r)", 2.0),
        ("atoms", 2.0),
        ("ke", 12.0),
        ("lx*ly*lz", 1000.0),
        ("vol", 1000.0),
        ("density", 0.008),
        ("sum(gmask(one))", 1.0),
        ("sum(rmask(box))", 2.0),
        ("step", 0.0),
        ("dt", 0.001),
    ] {
        let value = deck.number(formula).unwrap_or_else(|e| panic!("{e}"));
        assert!((value - expected).abs() < 1e-14, "{formula}: {value}");
    }
}

#[test]
fn values_in_time() {
    let deck = format!(
        "{}fix 1 all nve/sphere\nvariable r equal ramp(1,3)\n\
        variable w equal swiggle(0,2,0.4)\nvariable d equal vdisplace(1,10)\n\
        thermo 50\nthermo_style custom step elapsed time v_r v_w v_d\n\
        run 100\nrun 100\n",
        pair()
    );
    let (_, log) = run(&deck);
    let rows: Vec<Vec<f64>> = log
        .lines()
        .map(|line| {
            let words = line.split_whitespace();
            words.map_while(|word| word.parse().ok()).collect()
        })
        .filter(|row: &Vec<f64>| row.len() == 6)
        .collect();
    let expected = [
        [0.0, 0.0, 0.0, 1.0, 0.0, 1.0],
        [50.0, 50.0, 0.05, 2.0, 2.0 * (PI / 4.0).sin(), 1.5],
        [100.0, 100.0, 0.1, 3.0, 2.0, 2.0],
        [100.0, 0.0, 0.1, 1.0, 0.0, 1.0],
        [150.0, 50.0, 0.15, 2.0, 2.0 * (PI / 4.0).sin(), 1.5],
        [200.0, 100.0, 0.2, 3.0, 2.0, 2.0],
    ];
    assert_eq!(rows.len(), expected.len(), "{log}");
    for (row, expected) in rows.iter().zip(expected) {
        for (value, expected) in row.iter().zip(expected) {
            assert!((value - expected).abs() < 1e-7, "{row:?}");
        }
    }
}

#[test]
fn text_of_variables() {
    let (_, log) = run("variable x equal 1/3\n\
        variable i index one two\n\
        variable n loop 3 10 pad\n\
        variable s string \"a b\"\n\
        print \"${x} $x ${i} ${n} ${s} $(2+v_x:%.3f) $(v_x)\"\n\
        next i\n\
        print '${i}'\n\
        variable i index three\n\
        print \"$i\"\n\
        variable x delete\n\
        variable y internal 2.5\n\
        print ${y}\n");
    let expected = [
        "0.333333333333333 0.333333333333333 one 03 a b 2.333 0.33333333333333331483",
        "two",
        "two",
        "2.5",
    ];
    assert_eq!(log.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn what_is_no_formula() {
    let (deck, _) = run(&pair());
    for formula in [
        "",
        "1+",
        "(1",
        "1)",
        "foo",
        "foo(1)",
        "sqrt(1,2)",
        "sqrt()",
        "v_none",
        "c_none",
        "c_r",
        "c_r[3]",
        "c_r[0]",
        "c_k[1]",
        "f_none",
        "x",
        "v_m",
        "x[9]",
        "1..2",
        "1e",
        "xcm(all)",
        "xcm(all,q)",
        "xcm(none,x)",
        "rmask(none)",
        "1 & 2",
        "$",
        "${none}",
        "c_p[1][2",
        "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1))",
    ] {
        assert!(deck.number(formula).is_err(), "{formula}");
    }
    let (deck, _) = run("variable a equal v_b\nvariable b equal v_a\n");
    assert!(
        deck.number("v_a")
            .unwrap_err()
            .expected
            .contains("circular")
    );
}
