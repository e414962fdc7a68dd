//! A law of your own: liquid bridges pull spheres together across gaps, beside the contact law of the
//! scene. `F = 2 pi R gamma cos(theta) / (1 + gap / 2d)` up to the gap of rupture (Rabinovich et al. 2005).

use std::f64::consts::PI;
use tangere::pairs::{Auto, PairFinder, PairSettings};
use tangere_io::scene::SceneFile;
use tangere_sim::{Domain, Error, Result, Simulation};

const SCENE: &str = r#"
step = 1e-5
gravity = [0, 0, -9.81]
[[material]]
name = "glass"
density = 2500
young = 1e7
restitution = 0.6
friction = 0.4
[[wall]]
name = "floor"
plane = { normal = [0, 0, 1] }
[[body]]
name = "bead"
shape = { ball = { radius = 1e-3 } }
position = [0, 0, 2e-3]
repeat = { count = [6, 6, 6], step = [2.1e-3, 2.1e-3, 2.1e-3], jitter = 4e-5, seed = 1 }
"#;

/// Bridges of a surface tension between wetted spheres that are at most `rupture` apart.
struct Bridges {
    tension: f64,
    rupture: f64,
    finder: Auto<3>,
    pairs: Vec<[u32; 2]>,
}

impl Domain for Bridges {
    fn exchange(&mut self, simulation: &mut Simulation) -> Result<()> {
        let spheres = simulation.spheres();
        let reach: Vec<f64> = spheres
            .radii
            .iter()
            .map(|r| r + 0.5 * self.rupture)
            .collect();
        self.finder
            .update((&spheres.positions[..], &reach[..]).into())?;
        self.finder.pairs(&mut self.pairs)?;
        let mut forces = vec![[0.0; 3]; spheres.ids.len()];
        for &[a, b] in &self.pairs {
            let [a, b] = [a as usize, b as usize];
            let way: [f64; 3] =
                std::array::from_fn(|k| spheres.positions[b][k] - spheres.positions[a][k]);
            let distance = way.iter().map(|x| x * x).sum::<f64>().sqrt();
            let (r, s) = (spheres.radii[a], spheres.radii[b]);
            let gap = (distance - r - s).max(0.0);
            let effective = 2.0 * r * s / (r + s);
            let pull = 2.0 * PI * effective * self.tension / (1.0 + 2.0 * gap / self.rupture);
            for k in 0..3 {
                forces[a][k] += pull * way[k] / distance;
                forces[b][k] -= pull * way[k] / distance;
            }
        }
        simulation.set_own_forces(&forces)
    }
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let file = SceneFile::parse(SCENE.as_bytes(), "")?;
    for tension in [0.0, 0.07] {
        let mut simulation = Simulation::from_scene(&file)?;
        let finder = Auto::new(PairSettings::default()).map_err(Error::from)?;
        let mut bridges = Bridges {
            tension,
            rupture: 1e-4,
            finder,
            pairs: Vec::new(),
        };
        simulation.advance_in(5_000, &mut bridges)?;
        let heights = simulation.spheres().positions.into_iter().map(|x| x[2]);
        let (count, [kinetic, _]) = (simulation.len() as f64, simulation.kinetic_energy());
        println!(
            "tension {tension} N/m: mean height {:.2} mm, {} contacts, kinetic energy {kinetic:.2e} J, hash {:016x}",
            1e3 * heights.sum::<f64>() / count,
            simulation.contact_count(),
            simulation.hash()
        );
    }
    Ok(())
}
