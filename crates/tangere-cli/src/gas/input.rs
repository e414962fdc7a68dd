//! Construction of a gas and its settings from the options of `tangere gas`.

use super::Gas;
use crate::arguments::List;
use crate::failure::Failure;
use std::path::Path;
use tangere::impact::gas::{Gas as HardSpheres, GasSettings};
use tangere_front::inputs::gas::{Spheres, domain, in_space};

/// Returns a gas of hard spheres from the spheres that were read from the file `path`.
pub fn made(
    spheres: &Spheres,
    path: &Path,
    settings: &GasSettings,
) -> Result<HardSpheres, Failure> {
    let name = path.display();
    let Some(velocities) = &spheres.velocities else {
        return Err(Failure::Input(format!(
            "{name}: found no velocities, expected columns vx, vy, vz, or --temperature"
        )));
    };
    let (centers, radii) = (&spheres.centers, &spheres.radii);
    let made = HardSpheres::new(
        centers,
        velocities,
        radii,
        spheres.masses.as_deref(),
        settings,
    );
    made.map_err(|error| match &error {
        // In a text file a line is easier to find than the number of a sphere.
        tangere::Error::Item {
            what,
            index,
            found,
            expected,
        } => match spheres.line(path, *index) {
            Some(line) => Failure::Input(format!(
                "{name}: line {line}: found the {what} {index} with {found}, expected {expected}"
            )),
            None => Failure::Input(format!("{name}: {error}")),
        },
        _ => Failure::option(error),
    })
}

/// Returns the settings of the gas that the options request: domain, gravity, restitution and
/// times.
pub fn settings(options: &Gas, dimensions: usize) -> Result<GasSettings, Failure> {
    let take = |list: &Option<List>, option: &str, each: usize| -> Result<_, Failure> {
        let numbers = list
            .as_ref()
            .map(|list| list.take(option, each, dimensions));
        Ok(numbers.transpose()?.map(<[f64]>::to_vec))
    };
    let walls = take(&options.walls, "--walls", 2)?;
    let periodic = take(&options.periodic, "--periodic", 1)?;
    let origin = take(&options.origin, "--origin", 1)?;
    let gravity = take(&options.gravity, "--gravity", 1)?;
    let [periodic, origin, walls] = [&periodic, &origin, &walls].map(|list| list.as_deref());
    let domain = domain(periodic, origin, walls, dimensions);
    Ok(GasSettings {
        domain: domain.map_err(Failure::option)?,
        gravity: in_space(&gravity.unwrap_or_default()),
        restitution: options.restitution,
        wall_restitution: options.wall_restitution,
        contact_time: options.contact_time,
        time: options.time,
    })
}
