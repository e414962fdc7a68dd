//! Output of a simulation, frame by frame: totals, spheres and contacts as VTP files and LAMMPS dumps.

use crate::contact_row::ContactRow;
use crate::error::{Error, Result};
use crate::run_folder::cut;
use crate::setup::Spheres;
use crate::simulation::Simulation;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use tangere_io::scene::SceneOutput;
use tangere_io::vtk::{Field, PolyData, write_pvd, write_vtp};

/// The totals, one row for each frame.
pub(super) const TOTALS: &str = "totals.csv";
/// The spheres, one snapshot for each frame.
const DUMP: &str = "spheres.dump";

/// Writes frames to a folder and to the screen.
#[derive(Debug)]
pub(super) struct Frames {
    folder: Option<PathBuf>,
    /// The number of steps between frames.
    every: Option<u64>,
    totals: Option<Growing>,
    dump: Option<Growing>,
    has_contacts: bool,
    has_heading: bool,
    /// The steps of frames in the series.
    written: Vec<u64>,
}

/// A file that grows.
#[derive(Debug)]
struct Growing {
    name: &'static str,
    path: PathBuf,
    file: File,
    length: u64,
}

impl Growing {
    /// Opens a file, from its length at a checkpoint if there is one.
    fn open(folder: &Path, name: &'static str, lengths: Option<&[(String, u64)]>) -> Result<Self> {
        let path = folder.join(name);
        let length = match lengths {
            Some(lengths) => {
                let length = lengths.iter().find(|(file, _)| file == name);
                length.map_or(0, |(_, length)| *length)
            }
            None => 0,
        };
        if length > 0 {
            // A file that lost what was written before the checkpoint cannot be gone on with.
            let found = std::fs::metadata(&path).map_or(0, |data| data.len());
            if found < length {
                let found = format!("{found} bytes");
                let expected = format!("at least the {length} of the checkpoint");
                return Err(Error::invalid(path.display().to_string(), found, expected));
            }
        }
        let file = match lengths.is_some() && path.exists() {
            true => cut(&path, length),
            false => File::create(&path),
        };
        let file = file.map_err(|error| of_file(&path, &error))?;
        Ok(Self {
            name,
            path,
            file,
            length,
        })
    }

    fn append(&mut self, text: &str) -> Result<()> {
        let written = self.file.write_all(text.as_bytes());
        written.map_err(|error| of_file(&self.path, &error))?;
        self.length += text.len() as u64;
        Ok(())
    }
}

fn of_file(path: &Path, error: &std::io::Error) -> Error {
    Error::File {
        path: path.display().to_string(),
        message: error.to_string(),
    }
}

fn of_io(error: tangere_io::Error) -> Error {
    match error {
        tangere_io::Error::File { path, source } => of_file(&path, &source),
        other => Error::File {
            path: "output".into(),
            message: other.to_string(),
        },
    }
}

impl Frames {
    pub fn open(
        folder: Option<&Path>,
        output: &SceneOutput,
        every: Option<u64>,
        lengths: Option<Vec<(String, u64)>>,
    ) -> Result<Self> {
        let mut frames = Self {
            folder: folder.map(Path::to_owned),
            every,
            totals: None,
            dump: None,
            has_contacts: output.contacts,
            has_heading: false,
            written: Vec::new(),
        };
        let Some(folder) = folder else {
            return Ok(frames);
        };
        let lengths = lengths.as_deref();
        frames.totals = Some(Growing::open(folder, TOTALS, lengths)?);
        if output.dump {
            frames.dump = Some(Growing::open(folder, DUMP, lengths)?);
        }
        let mut folders = vec!["spheres"];
        folders.extend(output.contacts.then_some("contacts"));
        for name in folders {
            let path = folder.join(name);
            std::fs::create_dir_all(&path).map_err(|error| of_file(&path, &error))?;
        }
        Ok(frames)
    }

    /// The lengths of files that grow, for a checkpoint.
    pub fn note(&self) -> String {
        let files = [&self.totals, &self.dump].into_iter().flatten();
        files.fold(String::new(), |mut note, file| {
            let _ = writeln!(note, "{} {}", file.name, file.length);
            note
        })
    }

    /// Writes the frame of the present state.
    pub fn write(&mut self, simulation: &Simulation, screen: &mut dyn Write) -> Result<()> {
        let totals = Totals::of(simulation);
        let failed = |error: std::io::Error| Error::File {
            path: "standard output".into(),
            message: error.to_string(),
        };
        if !std::mem::replace(&mut self.has_heading, true) {
            writeln!(screen, "{}", Totals::heading()).map_err(failed)?;
        }
        writeln!(screen, "{}", totals.line()).map_err(failed)?;
        let Some(folder) = self.folder.clone() else {
            return Ok(());
        };
        if let Some(file) = &mut self.totals {
            if file.length == 0 {
                file.append(&totals.columns())?;
            }
            file.append(&totals.row())?;
        }
        let spheres = simulation.spheres();
        if let Some(file) = &mut self.dump {
            file.append(&snapshot(simulation, &spheres))?;
        }
        let step = simulation.step_number();
        write_vtp(
            folder.join(frame_name("spheres", step)),
            &points(simulation, spheres),
        )
        .map_err(of_io)?;
        let mut series = vec!["spheres"];
        if self.has_contacts {
            let data = contact_points(&simulation.contacts());
            write_vtp(folder.join(frame_name("contacts", step)), &data).map_err(of_io)?;
            series.push("contacts");
        }
        // After a restart the frames before it are known by their steps.
        if self.written.is_empty() && step > 0 {
            let every = self.every.unwrap_or(step);
            self.written
                .extend((0..step.div_ceil(every)).map(|k| k * every));
        }
        self.written.push(step);
        let length = simulation.setup().step;
        for name in series {
            let steps = self.written.iter();
            let steps: Vec<(f64, String)> = steps
                .map(|&step| (step as f64 * length, frame_name(name, step)))
                .collect();
            write_pvd(folder.join(format!("{name}.pvd")), &steps).map_err(of_io)?;
        }
        Ok(())
    }

    /// Writes what is around the sphere at which a simulation stopped, and names the file.
    pub fn stopped(&self, simulation: &Simulation, error: Error) -> Error {
        match &self.folder {
            Some(folder) => simulation.write_stopped(folder, error),
            None => error,
        }
    }
}

/// The path of a frame, relative to the folder.
fn frame_name(kind: &str, step: u64) -> String {
    format!("{kind}/{step:010}.vtp")
}

/// Totals of a state.
struct Totals {
    step: u64,
    time: f64,
    spheres: usize,
    contacts: usize,
    /// Named sums.
    sums: Vec<(&'static str, f64)>,
}

impl Totals {
    fn of(simulation: &Simulation) -> Self {
        let [kinetic, rotational] = simulation.kinetic_energy();
        let mut sums = vec![("kinetic", kinetic), ("rotational", rotational)];
        if let Some(energy) = simulation.energy() {
            sums.extend(energy.terms().into_iter().skip(2));
        }
        Self {
            step: simulation.step_number(),
            time: simulation.time(),
            spheres: simulation.len(),
            contacts: simulation.contact_count(),
            sums,
        }
    }

    fn heading() -> String {
        format!(
            "{:>10} {:>12} {:>9} {:>9} {:>14} {:>14}",
            "step", "time", "spheres", "contacts", "kinetic", "rotational"
        )
    }

    fn line(&self) -> String {
        let mut line = format!(
            "{:>10} {:>12.6} {:>9} {:>9}",
            self.step, self.time, self.spheres, self.contacts
        );
        for (_, value) in &self.sums[..2] {
            let _ = write!(line, " {value:>14.6e}");
        }
        line
    }

    /// The heads of the columns of the table.
    fn columns(&self) -> String {
        let names = self.sums.iter().map(|(name, _)| format!(",{name}"));
        format!("step,time,spheres,contacts{}\n", names.collect::<String>())
    }

    fn row(&self) -> String {
        let mut row = format!(
            "{},{:?},{},{}",
            self.step, self.time, self.spheres, self.contacts
        );
        for (_, value) in &self.sums {
            let _ = write!(row, ",{value:?}");
        }
        row.push('\n');
        row
    }
}

/// Spheres as points with fields.
fn points(simulation: &Simulation, spheres: Spheres) -> PolyData {
    PolyData::from_points(spheres.positions)
        .with_point_data(Field::scalar("id", spheres.ids))
        .with_point_data(Field::scalar("body", simulation.bodies()))
        .with_point_data(Field::scalar("radius", spheres.radii))
        .with_point_data(Field::scalar("material", spheres.kinds))
        .with_point_data(Field::scalar("mass", spheres.masses))
        .with_point_data(Field::vector("velocity", spheres.velocities))
        .with_point_data(Field::vector("spin", spheres.spins))
        .with_point_data(Field::vector("force", spheres.forces))
        .with_point_data(Field::vector("torque", spheres.torques))
}

/// Contacts as points with fields.
fn contact_points(contacts: &[ContactRow]) -> PolyData {
    fn column<T>(contacts: &[ContactRow], of: impl Fn(&ContactRow) -> T) -> Vec<T> {
        contacts.iter().map(of).collect()
    }
    PolyData::from_points(column(contacts, |row| row.point))
        .with_point_data(Field::scalar("a", column(contacts, |row| row.a)))
        .with_point_data(Field::scalar("b", column(contacts, |row| row.b)))
        .with_point_data(Field::scalar("gap", column(contacts, |row| row.gap)))
        .with_point_data(Field::vector("normal", column(contacts, |row| row.normal)))
        .with_point_data(Field::vector(
            "image",
            column(contacts, |row| row.image.map(f64::from)),
        ))
        .with_point_data(Field::vector("force", column(contacts, |row| row.force)))
        .with_point_data(Field::vector("shear", column(contacts, |row| row.shear)))
}

/// A snapshot of a LAMMPS dump.
fn snapshot(simulation: &Simulation, spheres: &Spheres) -> String {
    let cell = simulation.setup().cell;
    let mut text = format!(
        "ITEM: TIMESTEP\n{}\nITEM: NUMBER OF ATOMS\n{}\n",
        simulation.step_number(),
        spheres.ids.len()
    );
    let borders = cell
        .periodic
        .map(|is_periodic| if is_periodic { "pp" } else { "ss" });
    let (mut low, mut high) = ([0.0; 3], [0.0; 3]);
    for k in 0..3 {
        (low[k], high[k]) = (cell.origin[k], cell.origin[k] + cell.edges[k][k]);
        if !cell.periodic[k] {
            let at = || spheres.positions.iter().map(|position| position[k]);
            low[k] = at().fold(f64::INFINITY, f64::min);
            high[k] = at().fold(f64::NEG_INFINITY, f64::max);
        }
    }
    match cell.is_tilted() {
        true => {
            let [_, [xy, ..], [xz, yz, _]] = cell.edges;
            // LAMMPS has the bounding box of a tilted cell here.
            let least = |a: f64, b: f64| 0.0_f64.min(a).min(b).min(a + b);
            let most = |a: f64, b: f64| 0.0_f64.max(a).max(b).max(a + b);
            let rows = [
                (low[0] + least(xy, xz), high[0] + most(xy, xz), xy),
                (low[1] + yz.min(0.0), high[1] + yz.max(0.0), xz),
                (low[2], high[2], yz),
            ];
            let _ = writeln!(text, "ITEM: BOX BOUNDS xy xz yz {}", borders.join(" "));
            for (low, high, tilt) in rows {
                let _ = writeln!(text, "{low:e} {high:e} {tilt:e}");
            }
        }
        false => {
            let _ = writeln!(text, "ITEM: BOX BOUNDS {}", borders.join(" "));
            for k in 0..3 {
                let _ = writeln!(text, "{:e} {:e}", low[k], high[k]);
            }
        }
    }
    text.push_str("ITEM: ATOMS id type radius x y z vx vy vz omegax omegay omegaz fx fy fz\n");
    for i in 0..spheres.ids.len() {
        let _ = write!(text, "{} {}", spheres.ids[i], spheres.kinds[i] + 1);
        let _ = write!(text, " {}", spheres.radii[i]);
        let columns = [
            spheres.positions[i],
            spheres.velocities[i],
            spheres.spins[i],
            spheres.forces[i],
        ];
        for x in columns.as_flattened() {
            let _ = write!(text, " {x}");
        }
        text.push('\n');
    }
    text
}
