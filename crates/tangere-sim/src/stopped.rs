//! What is kept of a simulation that makes no sense any more: the sphere at which it stopped and those
//! that touch it, as a table, and the deepest contact as a file for `tangere replay`.

use crate::contact_row::ContactRow;
use crate::error::Error;
use crate::simulation::Simulation;
use crate::vector::{length, minus, plus, times};
use std::fmt::Write as _;
use std::path::Path;
use tangere::geometry::Pose;
use tangere::scene::{Body, Scene, SceneSettings, Shape};

/// The table of a sphere and those that touch it.
const TABLE: &str = "stopped.csv";
/// The deepest contact of the sphere.
const PAIR: &str = "stopped.bin";

impl Simulation {
    /// Writes what is around the sphere at which a simulation stopped to a folder, and names the files in the
    /// error. Other errors stay as they are.
    pub(crate) fn write_stopped(&self, folder: &Path, error: Error) -> Error {
        let Error::Stopped { step, id, cause } = error else {
            return error;
        };
        let mut files = Vec::new();
        for (name, bytes) in self.stopped_at(id) {
            let path = folder.join(name);
            if std::fs::write(&path, bytes).is_ok() {
                files.push(path.display().to_string());
            }
        }
        let cause = match files.is_empty() {
            true => cause,
            false => format!("{cause}; see {}", files.join(" and ")),
        };
        Error::Stopped { step, id, cause }
    }

    /// Files about a sphere, by name: itself and the spheres that touch it as a table, and its deepest
    /// contact for `tangere replay`.
    pub fn stopped_at(&self, id: u64) -> Vec<(&'static str, Vec<u8>)> {
        let contacts = self.contacts();
        let own: Vec<_> = contacts
            .iter()
            .filter(|row| row.a == id || row.b == id)
            .collect();
        let mut spheres = self.spheres();
        // Where they were when they touched.
        if self.has_drifted_on {
            let step = self.setup().step;
            for (position, velocity) in spheres.positions.iter_mut().zip(&spheres.velocities) {
                *position = minus(*position, times(*velocity, step));
            }
        }
        let row_of = |id: u64| spheres.ids.iter().position(|&other| other == id);
        let mut ids = vec![id];
        ids.extend(
            own.iter()
                .map(|row| if row.a == id { row.b } else { row.a }),
        );
        let mut table = "id,radius,mass,x,y,z,vx,vy,vz,wx,wy,wz,fx,fy,fz\n".to_owned();
        for row in ids.into_iter().filter_map(row_of) {
            let _ = write!(table, "{}", spheres.ids[row]);
            let _ = write!(table, ",{:?},{:?}", spheres.radii[row], spheres.masses[row]);
            let columns = [
                spheres.positions[row],
                spheres.velocities[row],
                spheres.spins[row],
                spheres.forces[row],
            ];
            for x in columns.as_flattened() {
                let _ = write!(table, ",{x:?}");
            }
            table.push('\n');
        }
        let mut files = vec![(TABLE, table.into_bytes())];
        let gap = |row: &ContactRow| {
            let [a, b] = [row_of(row.a), row_of(row.b)].map(Option::unwrap_or_default);
            let image = self.setup().cell.shift(row.image);
            let way = minus(plus(spheres.positions[b], image), spheres.positions[a]);
            length(way) - spheres.radii[a] - spheres.radii[b]
        };
        let deepest = own.iter().min_by(|x, y| gap(x).total_cmp(&gap(y)));
        let pair = deepest.and_then(|row| {
            let [a, b] = [row_of(row.a)?, row_of(row.b)?];
            let mut scene = Scene::new(SceneSettings::default()).ok()?;
            let shift = self.setup().cell.shift(row.image);
            for (sphere, shift) in [(a, [0.0; 3]), (b, shift)] {
                let place = plus(spheres.positions[sphere], shift);
                let mut body = Body::new(Shape::sphere(spheres.radii[sphere]).ok()?)
                    .at(Pose::from_translation(place).ok()?);
                body.id = Some(spheres.ids[sphere]);
                scene.add(body).ok()?;
            }
            scene.replay([row.a, row.b]).ok()
        });
        files.extend(pair.map(|bytes| (PAIR, bytes)));
        files
    }
}
