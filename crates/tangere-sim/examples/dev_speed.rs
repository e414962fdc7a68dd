//! Speed of the engine on data files of LAMMPS, while it is made.
#![allow(missing_docs, clippy::unwrap_used)]
use std::time::Instant;
use tangere_sim::Simulation;
use tangere_sim::laws::*;
use tangere_sim::region::Region;
use tangere_sim::setup::*;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&args[1]).unwrap();
    let law = &args[2];
    let steps: u64 = args[3].parse().unwrap();
    let chute = args[1].contains("chute");
    let poly = args[1].contains("poly");
    let mut s = Spheres::default();
    let (mut low, mut high) = ([0.0; 3], [0.0; 3]);
    let mut section = "";
    let mut vel = std::collections::HashMap::new();
    for line in text.lines() {
        let w: Vec<&str> = line.split('#').next().unwrap().split_whitespace().collect();
        if w.is_empty() {
            continue;
        }
        if let Some(k) = ["xlo", "ylo", "zlo"]
            .iter()
            .position(|x| w.get(2) == Some(x))
        {
            low[k] = w[0].parse().unwrap();
            high[k] = w[1].parse().unwrap();
            continue;
        }
        if w[0] == "Atoms" {
            section = "A";
            continue;
        }
        if w[0] == "Velocities" {
            section = "V";
            continue;
        }
        if w[0].parse::<f64>().is_err() {
            section = "";
            continue;
        }
        let n: Vec<f64> = w.iter().map(|x| x.parse().unwrap_or(0.0)).collect();
        match section {
            "A" => {
                s.ids.push(n[0] as u64);
                s.kinds.push(n[1] as u32 - 1);
                s.radii.push(n[2] / 2.0);
                let r: f64 = n[2] / 2.0;
                s.masses
                    .push(4.0 / 3.0 * std::f64::consts::PI * r * r * r * n[3]);
                s.positions.push([n[4], n[5], n[6]]);
            }
            "V" => {
                vel.insert(n[0] as u64, ([n[1], n[2], n[3]], [n[4], n[5], n[6]]));
            }
            _ => {}
        }
    }
    let count = s.ids.len();
    let copies: usize = args.get(5).map_or(1, |x| x.parse().unwrap());
    for i in 0..count {
        let (v, w) = vel[&s.ids[i]];
        s.velocities.push(v);
        s.spins.push(w);
    }
    let base = s.clone();
    for c in 1..copies {
        for i in 0..count {
            s.ids.push(base.ids[i] + (c * 10_000_000) as u64);
            s.kinds.push(base.kinds[i]);
            s.radii.push(base.radii[i]);
            s.masses.push(base.masses[i]);
            let mut p = base.positions[i];
            p[0] += c as f64 * (high[0] - low[0]);
            s.positions.push(p);
            s.velocities.push(base.velocities[i]);
            s.spins.push(base.spins[i]);
        }
    }
    let count = s.ids.len();
    s.groups = s
        .kinds
        .iter()
        .map(|&k| if chute && k == 1 { 3 } else { 5 })
        .collect();
    s.images = vec![[0; 3]; count];
    s.forces = vec![[0.0; 3]; count];
    s.torques = vec![[0.0; 3]; count];
    let spring = |k: f64, scales, kept| {
        Tangential::Spring(Spring {
            stiffness: k,
            damping: 0.0,
            friction: 0.5,
            scales,
            kept,
            rescales: false,
        })
    };
    let pair = match law.as_str() {
        "hooke" => Law::new(
            Normal::Hooke { stiffness: 2e5 },
            Damping::MassVelocity(50.0),
            spring(2e5 * 2.0 / 7.0, false, Kept::ProjectedDisplacement),
        ),
        "hertz" => Law::new(
            Normal::Hertz { stiffness: 2e5 },
            Damping::Viscoelastic(50.0),
            spring(2e5 * 2.0 / 7.0, true, Kept::ProjectedDisplacement),
        ),
        _ => {
            let mut l = Law::new(
                Normal::hertz_material(2e5, 0.3),
                Damping::Viscoelastic(50.0),
                spring(8.0 * 2e5 / (4.0 * 1.7 * 1.3), true, Kept::Displacement),
            );
            if law == "roll" {
                l.rolling = Rolling::Sds {
                    stiffness: 1e4,
                    damping: 10.0,
                    friction: 0.1,
                };
                l.twisting = Twisting::Marshall;
            }
            l
        }
    };
    let mut setup = Setup {
        cell: Cell::open(low, high),
        is_flat: false,
        step: if chute { 1e-4 } else { 5e-4 },
        skin: if poly { 0.2 } else { 0.1 },
        laws: PairLaws {
            kinds: 4,
            laws: vec![pair],
            table: vec![Some(0); 16],
            is_classic: law == "hooke" || law == "hertz",
        },
        excluded: if chute {
            vec![Exclusion::Groups(2, 2)]
        } else {
            vec![]
        },
        actions: vec![],
    };
    setup.cell.periodic = [true, true, false];
    setup.cell.edges[0][0] *= copies as f64;
    let act = |group, effect| Action {
        name: String::new(),
        group,
        since: 0.0,
        effect,
    };
    if chute {
        let a = 26.0_f64.to_radians();
        setup
            .actions
            .push(act(1, Effect::Gravity([a.sin(), 0.0, -a.cos()])));
        setup.actions.push(act(2, Effect::Freeze));
        setup
            .actions
            .push(act(4, Effect::Integrate { inertia: 0.4 }));
    } else {
        setup
            .actions
            .push(act(1, Effect::Integrate { inertia: 0.4 }));
        setup.actions.push(act(
            1,
            Effect::Gravity([0.0, 0.0, if poly { -5.0 } else { -1.0 }]),
        ));
        setup.actions.push(act(
            1,
            Effect::Wall(Box::new(Wall {
                surface: Region::Planes {
                    axis: 2,
                    low: Some(low[2]),
                    high: Some(high[2]),
                },
                law: pair,
                motion: None,
            })),
        ));
    }
    let threads: usize = args.get(4).map_or(1, |x| x.parse().unwrap());
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap();
    pool.install(|| {
        let mut sim = Simulation::new(setup, &s).unwrap();
        println!("start {:?}", sim.kinetic_energy());
        if !chute { sim.advance(steps).unwrap(); }
        for _ in 0..3 {
            let (before, lists) = (sim.seconds(), sim.lists());
            let t = Instant::now();
            sim.advance(steps).unwrap();
            let sec = t.elapsed().as_secs_f64();
            let now = sim.seconds();
            let per = |a: f64| a / (steps as f64 * count as f64) * 1e9;
            println!("{:.2} M/s; ns: neighbours {:.1} contacts {:.1} integrate {:.1}; lists {} candidates {:.2} contacts {:.2} hash {:016x} energy {:?}", steps as f64 * count as f64 / sec / 1e6,
                per(now.neighbours - before.neighbours), per(now.contacts - before.contacts), per(now.integrate - before.integrate), sim.lists() - lists,
                sim.candidates() as f64 / count as f64, sim.contact_count() as f64 / count as f64, sim.hash(), sim.kinetic_energy());
        }
    });
}
