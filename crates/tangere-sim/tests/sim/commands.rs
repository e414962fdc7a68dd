//! Commands that make and change spheres, and what fixes do to them.

use super::support::{BOX, run, run_in};
use std::f64::consts::PI;

#[test]
fn spheres_as_lammps_makes_them() {
    let (deck, log) = run(&format!(
        "{BOX}create_atoms 2 single 1 2 3\ncreate_atoms 1 single 9 0 0\n"
    ));
    let spheres = deck.spheres();
    assert_eq!(spheres.ids, [1]);
    assert_eq!((spheres.kinds[0], spheres.radii[0]), (1, 0.5));
    assert!((spheres.masses[0] - PI / 6.0).abs() < 1e-15);
    assert_eq!(log, "Created 1 atoms\nCreated 0 atoms\n");
}

#[test]
fn lattices() {
    for (lattice, count) in [
        ("sc 1.0", 1000),
        ("bcc 2.0", 2000),
        ("fcc 4.0", 4000),
        ("diamond 8.0", 8000),
        ("sc 0.125", 125),
    ] {
        let text = format!(
            "units lj\nboundary p p p\nlattice {lattice}\nregion box block 0 10 0 10 0 10 units box\n\
            create_box 1 box\ncreate_atoms 1 box\n"
        );
        let (deck, _) = run(&text);
        assert_eq!(deck.spheres().ids.len(), count, "{lattice}");
    }
    let (deck, _) = run("units si\ndimension 2\nlattice hex 2.0\n\
        region box block 0 3 0 2 -0.5 0.5\ncreate_box 1 box\ncreate_atoms 1 box\n");
    let edges = deck.setup().cell.edges;
    assert!((edges[0][0] - 6.0).abs() < 1e-12);
    assert!((edges[1][1] - 4.0 * 3.0_f64.sqrt()).abs() < 1e-12);
    assert_eq!(deck.spheres().ids.len(), 12);
    let (deck, _) = run("units si\nlattice sc 0.5 origin 0.5 0.5 0.5\n\
        region box block -2 2 -2 2 -2 2\nregion half block INF 0 INF INF INF INF\n\
        create_box 1 box\ncreate_atoms 1 region half\n");
    assert_eq!(deck.spheres().ids.len(), 32);
    assert_eq!(deck.spheres().positions[0], [-0.75; 3]);
}

#[test]
fn random_places_are_in_the_region_and_apart() {
    let text = format!(
        "{BOX}region ball sphere 0 0 0 4\ncreate_atoms 1 random 100 4711 ball overlap 1.0 maxtry 500\n"
    );
    let (deck, _) = run(&text);
    let places = &deck.spheres().positions;
    assert!(places.len() > 60, "{}", places.len());
    let distance = |a: [f64; 3], b: [f64; 3]| {
        let squares = (0..3).map(|k| (a[k] - b[k]).powi(2));
        squares.sum::<f64>().sqrt()
    };
    for (i, a) in places.iter().enumerate() {
        assert!(distance(*a, [0.0; 3]) <= 4.0);
        assert!(places[..i].iter().all(|b| distance(*a, *b) >= 1.0));
    }
    assert_eq!(places, &run(&text).0.spheres().positions);
}

#[test]
fn data_files_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "{BOX}create_atoms 1 single 1 2 3\ncreate_atoms 2 single -1 0.1 0.3\n\
        set atom 1 diameter 0.3 density 2.5 image 1 -2 0\nset atom 2 omega 1 2 3 vx 0.1\n\
        velocity all set 0.25 NULL -1e-7 sum yes\nwrite_data a.data\n"
    );
    let (first, _) = run_in(folder.path(), &text).unwrap();
    let again =
        "units lj\natom_style sphere\nboundary f f f\nread_data a.data\nwrite_data b.data\n";
    let (second, log) = run_in(folder.path(), again).unwrap();
    assert_eq!(log, "Read 2 atoms\n");
    let (a, b) = (first.spheres(), second.spheres());
    assert_eq!((&a.ids, &a.kinds, &a.images), (&b.ids, &b.kinds, &b.images));
    assert_eq!((&a.positions, &a.velocities), (&b.positions, &b.velocities));
    assert_eq!((&a.spins, &a.radii), (&b.spins, &b.radii));
    for (a, b) in a.masses.iter().zip(&b.masses) {
        assert!((a / b - 1.0).abs() < 1e-15);
    }
    assert_eq!(first.setup().cell, second.setup().cell);
    let [a, b] =
        ["a.data", "b.data"].map(|name| std::fs::read_to_string(folder.path().join(name)).unwrap());
    assert_eq!(a, b);
    assert!(a.starts_with("LAMMPS data file via Tangere, timestep = 0, units = lj\n\n2 atoms\n"));
}

#[test]
fn data_files_of_lammps() {
    let folder = tempfile::tempdir().unwrap();
    let data = "title\n\n 2 atoms\n1 atom types\n0 4 xlo xhi\n0 4 ylo yhi\n0 4 zlo zhi\n1 0 0 xy xz yz\n\n\
        Atoms # sphere\n\n7 1 1.0 2.0 1 1 1\n3 1 0.5 1.0 6.5 1 1 # c\n\nVelocities\n\n3 1 2 3 4 5 6\n7 0 0 0 0 0 0\n";
    let path = folder.path().join("x.data");
    std::fs::write(&path, data).unwrap();
    let deck = "units si\nboundary p p p\nread_data x.data group g\n";
    let (deck, _) = run_in(folder.path(), deck).unwrap();
    let spheres = deck.spheres();
    assert_eq!(spheres.ids, [7, 3]);
    assert_eq!(spheres.velocities[1], [1.0, 2.0, 3.0]);
    assert_eq!(spheres.spins[1], [4.0, 5.0, 6.0]);
    assert!((spheres.masses[0] - PI / 3.0).abs() < 1e-15);
    assert_eq!(
        (spheres.positions[1], spheres.images[1]),
        ([2.5, 1.0, 1.0], [1, 0, 0])
    );
    assert_eq!(deck.setup().cell.edges[1], [1.0, 4.0, 0.0]);
    assert_eq!(spheres.groups, [3, 3]);
    for (from, to, found) in [
        ("2 atoms", "3 atoms", "x.data"),
        ("7 1 1.0", "7 2 1.0", "in line 12 of x.data"),
        ("7 1 1.0", "7 1 0.0", "diameter 0.0"),
        ("7 1 1.0", "3 1 1.0", "atom 3 twice"),
        ("7 1 1.0 2.0 1 1 1", "7 1 1.0 2.0 1 1", "6 values"),
        ("3 1 2 3 4 5 6", "4 1 2 3 4 5 6", "ID 4"),
        ("Velocities", "Bonds", "Bonds in line"),
        ("0 4 xlo xhi", "4 0 xlo xhi", "x from 4 to 0"),
        ("title\n\n 2 atoms", "title\n\n 2 atms", "2 atms"),
        ("# sphere", "# atomic", "atomic"),
    ] {
        std::fs::write(&path, data.replace(from, to)).unwrap();
        let deck = "units si\nboundary p p p\nread_data x.data\n";
        let error = run_in(folder.path(), deck).unwrap_err();
        assert!(error.problem.found.contains(found), "{to}: {error}");
    }
}

#[test]
fn groups() {
    let text = format!(
        "{BOX}lattice sc 1.0\nregion line block 0 3.5 0 0.5 0 0.5\ncreate_atoms 1 region line\n\
        set atom 3* type 2\ngroup two type 2\ngroup odd id 1:9:2\ngroup low id <= 2\n\
        group both union two low\ngroup rest subtract all odd\ngroup cut intersect two odd\n\
        region right block 1.5 INF INF INF INF INF\ngroup right region right\n"
    );
    let (deck, _) = run(&text);
    for (name, count) in [
        ("all", 4.0),
        ("two", 2.0),
        ("odd", 2.0),
        ("low", 2.0),
        ("both", 4.0),
        ("rest", 2.0),
        ("cut", 1.0),
        ("right", 2.0),
    ] {
        assert_eq!(deck.number(&format!("count({name})")), Ok(count), "{name}");
    }
    assert!(deck.group("cut").is_some() && deck.group("none").is_none());
}

#[test]
fn copies_and_deletions() {
    let text = "units lj\nboundary p p p\nlattice sc 1.0\nregion box block 0 2 0 2 0 2\n\
        create_box 1 box\ncreate_atoms 1 box\nreplicate 2 1 3\n";
    let (deck, _) = run(text);
    let spheres = deck.spheres();
    assert_eq!(spheres.ids.len(), 48);
    let mut ids = spheres.ids.clone();
    ids.sort_unstable();
    assert!((1..=48).eq(ids));
    let edges = deck.setup().cell.edges;
    assert_eq!([edges[0][0], edges[1][1], edges[2][2]], [4.0, 2.0, 6.0]);
    let text = format!(
        "{text}region low block INF INF INF INF 0 2.5\ngroup g region low\ndelete_atoms group g\n"
    );
    let (deck, log) = run(&text);
    assert_eq!(deck.spheres().ids.len(), 24);
    assert!(log.ends_with("Deleted 24 atoms, new total = 24\n"), "{log}");
    let near = "units lj\nboundary p p p\nregion box block 0 4 0 4 0 4\ncreate_box 1 box\n\
        create_atoms 1 single 0.1 1 1\ncreate_atoms 1 single 3.9 1 1\ncreate_atoms 1 single 2 1 1\n\
        delete_atoms overlap 0.5 all all\n";
    assert_eq!(run(near).0.spheres().ids, [1, 3]);
}

#[test]
fn boxes_change() {
    let text = "units lj\nboundary p p p\nregion box block 0 2 0 2 0 2\ncreate_box 1 box\n\
        create_atoms 1 single 1.5 1 1\nchange_box all x final 0 4 y scale 0.5 remap\n\
        change_box all triclinic xy final 0.5\n";
    let (deck, _) = run(text);
    let cell = deck.setup().cell;
    assert_eq!(
        cell.edges,
        [[4.0, 0.0, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 2.0]]
    );
    assert_eq!(deck.spheres().positions[0], [3.0, 1.0, 1.0]);
}

#[test]
fn velocities() {
    let text = format!(
        "{BOX}lattice sc 1.0\nregion cube block 0 3.5 0 3.5 0 3.5\ncreate_atoms 1 region cube\n\
        set atom 1 mass 3\nvelocity all create 2.5 4711 dist gaussian rot yes\n"
    );
    let (deck, _) = run(&text);
    assert!((deck.number("temp").unwrap() - 2.5).abs() < 1e-12);
    for axis in ["x", "y", "z"] {
        assert!(deck.number(&format!("vcm(all,{axis})")).unwrap().abs() < 1e-12);
        assert!(deck.number(&format!("angmom(all,{axis})")).unwrap().abs() < 1e-10);
    }
    let (deck, _) = run(&format!("{text}velocity all scale 0.5\n"));
    assert!((deck.number("temp").unwrap() - 0.5).abs() < 1e-12);
    let (deck, _) = run(&format!("{text}velocity all ramp vx 0 3 y 0 3\n"));
    let spheres = deck.spheres();
    for (place, velocity) in spheres.positions.iter().zip(&spheres.velocities) {
        assert!((place[1] - velocity[0]).abs() < 1e-12);
    }
}

/// A sphere under forces, against closed forms.
#[test]
fn forces() {
    let made =
        format!("{BOX}create_atoms 1 single 0 0 0\nset atom 1 mass 2\nfix n all nve/sphere\n");
    let run = |more: &str| run(&format!("{made}{more}\nrun 1000\n")).0;
    let at = |more: &str| run(more).spheres().positions[0];
    let close = |a: [f64; 3], b: [f64; 3]| (0..3).all(|k| (a[k] - b[k]).abs() < 1e-10);
    assert!(close(
        at("fix g all gravity 2 vector 0 0 -1"),
        [0.0, 0.0, -1.0]
    ));
    let (sine, cosine) = (26.0_f64.to_radians().sin(), 26.0_f64.to_radians().cos());
    assert!(close(
        at("fix g all gravity 2 chute 26"),
        [sine, 0.0, -cosine]
    ));
    assert!(close(
        at("fix g all gravity 2 spherical 90 90"),
        [0.0, 1.0, 0.0]
    ));
    assert!(close(at("fix f all addforce 4 0 0"), [1.0, 0.0, 0.0]));
    assert!(close(
        at("fix f all addforce 4 2 0\nfix s all setforce NULL 0 NULL"),
        [1.0, 0.0, 0.0]
    ));
    assert!(close(
        at("velocity all set 1 1 1\nfix f all freeze"),
        [1.0; 3]
    ));
    // A force that grows with time: 6 t / m has the way t^3 / 2.
    let way = at("variable f equal 6*step*dt\nfix f all addforce v_f 0 0")[0];
    assert!((way - 0.5).abs() < 1e-5, "{way}");
    let way = at("variable f equal 4*(x[1]<0.5)\nfix f all addforce v_f 0 0")[0];
    assert!(way < 0.95 && way > 0.85, "{way}");
    let slowed = run("velocity all set 1 0 0\nfix v all viscous 2");
    assert!((slowed.spheres().velocities[0][0] - (-1.0_f64).exp()).abs() < 1e-3);
}

#[test]
fn prescribed_motion() {
    let made = format!("{BOX}create_atoms 1 single 1 0 0\n");
    let at = |more: &str| {
        let (deck, _) = run(&format!("{made}{more}\nrun 250\n"));
        deck.spheres().positions[0]
    };
    let close = |a: [f64; 3], b: [f64; 3]| (0..3).all(|k| (a[k] - b[k]).abs() < 1e-9);
    assert!(close(
        at("fix m all move linear 1 NULL 2"),
        [1.25, 0.0, 0.5]
    ));
    assert!(close(
        at("fix m all move wiggle 0 0 2 1.0"),
        [1.0, 0.0, 2.0]
    ));
    assert!(close(
        at("fix m all move rotate 0 0 0 0 0 1 1.0"),
        [0.0, 1.0, 0.0]
    ));
}

/// A sphere that rests on the floor of a region that moves, and one in a drum that turns.
#[test]
fn moving_regions() {
    let text = format!(
        "{BOX}create_atoms 1 single 0 0 0.5\nfix n all nve/sphere\nfix g all gravity 1 vector 0 0 -1\n\
        variable z equal 0.1*(1-cos(3*time))\nregion c block -2 2 -2 2 0 4 move NULL NULL v_z\n\
        fix w all wall/gran/region granular hooke 1e4 50 damping velocity tangential linear_nohistory 1 0.5 region c\n\
        run 1000\n"
    );
    let (deck, _) = run(&text);
    let expected = 0.5 + 0.1 * (1.0 - 3.0_f64.cos());
    let z = deck.spheres().positions[0][2];
    assert!((z - expected).abs() < 2e-3, "{z} {expected}");
    let text = format!(
        "{BOX}create_atoms 1 single 0 0 -1.5\nfix n all nve/sphere\nfix g all gravity 1 vector 0 0 -1\n\
        variable t equal time\nregion d cylinder y 0 0 2 -3 3 rotate v_t 0 0 0 0 1 0\n\
        fix w all wall/gran/region granular hooke 1e4 50 tangential linear_history 3e3 1 0.5 region d\n\
        run 2000\n"
    );
    let (deck, _) = run(&text);
    // The floor moves along -x at first: it turns from z to x.
    let (v, w) = (deck.spheres().velocities[0], deck.spheres().spins[0]);
    assert!(v[0] < -0.05 || w[1].abs() > 0.05, "{v:?} {w:?}");
}

#[test]
fn moving_walls() {
    let text = format!(
        "{BOX}create_atoms 1 single 0 0 0.5\nfix n all nve/sphere\nfix g all gravity 1 vector 0 0 -1\n\
        fix w all wall/gran hooke/history 1e4 NULL 50 NULL 0.5 1 zplane 0 NULL shear x 0.3\nrun 4000\n"
    );
    let (deck, _) = run(&text);
    let (v, w) = (deck.spheres().velocities[0], deck.spheres().spins[0]);
    // At the end the surface of the sphere moves with the wall.
    assert!((v[0] - 0.5 * w[1] - 0.3).abs() < 1e-3, "{v:?} {w:?}");
    let text = text
        .replace("shear x 0.3", "wiggle z 0.1 4.0")
        .replace("run 4000", "run 2000");
    let (deck, _) = run(&text);
    assert!((deck.spheres().positions[0][2] - 0.7).abs() < 2e-3);
}

#[test]
fn deformation() {
    let text = "units lj\nboundary p p p\nregion box prism 0 2 0 2 0 2 0 0 0\ncreate_box 1 box\n\
        create_atoms 1 single 1 1 1\ntimestep 0.01\nfix d all deform 1 x erate 0.5 xy delta 1 z trate 0.1 remap x\n\
        run 100\n";
    let (deck, _) = run(text);
    let tangere_sim::setup::Effect::Deform(deform) = &deck.setup().actions[0].effect else {
        panic!("no deform");
    };
    let cell = deform.cell_at(1.0);
    let expected = [
        [3.0, 0.0, 0.0],
        [1.0, 2.0, 0.0],
        [0.0, 0.0, 2.0 * 0.1_f64.exp()],
    ];
    for (edge, expected) in cell.edges.iter().flatten().zip(expected.iter().flatten()) {
        assert!((edge - expected).abs() < 1e-12, "{cell:?}");
    }
    assert!((cell.origin[0] + 0.5).abs() < 1e-12);
    // The simulation ends with the same cell, whose middle has the sphere.
    let own = deck.setup().cell.edges;
    for (edge, expected) in own.iter().flatten().zip(expected.iter().flatten()) {
        assert!((edge - expected).abs() < 1e-12, "{own:?}");
    }
    let middle: [f64; 3] = [1.5, 1.0, expected[2][2] / 2.0];
    let [x, y, z] = deck.spheres().positions[0];
    let off = (x - middle[0]).abs() + (y - middle[1]).abs();
    assert!(off < 1e-9, "{x} {y} {z}");
}
