//! Simulations of granular matter.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::{PyException, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping};
use tangere::stop::is_requested;
use tangere_front::answer::Table;
use tangere_front::answers::simulation::{CLUMP, CONTACT};
use tangere_io::scene::SceneFile;
use tangere_sim::deck::{Deck, Options as DeckOptions};
use tangere_sim::scene::Source;
use tangere_sim::setup::Spheres;
use tangere_sim::{Checkpoint, Domain, Error, critical_step};

use crate::arguments::{Argument, Given, flag, integer, path};
use crate::arrays::{from_numbers, from_points, points};
use crate::errors::file_error;
use crate::impact::scene_values::Objects;
use crate::pickling::unpicklable;
use crate::record::structured;
use crate::run::{run_on, threads_of};
use crate::shared_state::{Inside, SharedState};

/// A simulation of spheres: granular matter that touches, slides, rolls and sticks.
///
/// Velocity Verlet with the contact laws of LAMMPS' granular styles (docs/laws.md). Results are the
/// same bit for bit for any number of threads, and after any number of restarts.
///
/// Parameters
/// ----------
/// scene_or_deck : str, os.PathLike or dict
///     A scene (docs/scenes.md): the path of a TOML file, its text, a dictionary of its keys, or the
///     name of a bundled scene (``"hopper"``). Or a LAMMPS deck (docs/lammps.md): the path of one, or
///     its text. Its commands are executed up to the first ``run``, whose steps are left to
///     :meth:`step`. No output is written: `tangere simulate` runs whole scenes and decks.
/// variables : dict of str to str, optional
///     Variables that are set before the first command of a deck.
/// ignore : sequence of str, optional
///     Commands of a deck to skip.
/// synchronized : bool, default False
///     Whether springs of friction advance in the tangent plane of half a step ago (Vyas et al.
///     2025), not as in LAMMPS. Of decks only: scenes have a key ``synchronized``, by default true.
/// ledger : bool, default False
///     Whether energy is accounted for, see :attr:`energy`. A scene may ask for it, too.
/// threads : int, optional
///     The number of threads; all cores if None.
///
/// Raises
/// ------
/// ValueError
///     If a key or command is unknown or wrong; the message names file, line and key or command.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> deck = '''
/// ... atom_style sphere
/// ... boundary f f f
/// ... region box block -5 5 -5 5 -5 5
/// ... create_box 1 box
/// ... create_atoms 1 single -0.6 0 0
/// ... create_atoms 1 single 0.6 0 0
/// ... set group all diameter 1 density 1
/// ... velocity all set 0 0 0
/// ... set atom 1 vx 1.0
/// ... pair_style granular
/// ... pair_coeff * * hooke 1000 0 tangential linear_nohistory 0 0 damping velocity
/// ... fix 1 all nve/sphere
/// ... timestep 0.001
/// ... run 0
/// ... '''
/// >>> sim = tangere.Simulation(deck)
/// >>> sim.step(500)
/// >>> len(sim), sim.steps, sim.ids.tolist(), abs(sim.velocities.round(3))[:, 0].tolist()
/// (2, 500, [1, 2], [0.0, 1.0])
/// >>> sim.positions.shape, sim.spins.shape, sim.forces.shape, len(sim.contacts()), len(sim.hash())
/// ((2, 3), (2, 3), (2, 3), 0, 16)
/// >>> round(sim.time, 9), sim.radii.tolist(), sim.masses.round(4).tolist(), sim.torques.shape
/// (0.5, [0.5, 0.5], [0.5236, 0.5236], (2, 3))
/// >>> tuple(round(x, 4) for x in sim.kinetic_energy), sim.energy is None
/// ((0.2619, 0.0), True)
/// >>> sim.bodies.tolist(), round(sim.critical_step, 4)
/// ([1, 2], 0.0324)
#[pyclass(frozen, weakref, module = "tangere")]
pub struct Simulation {
    count: usize,
    threads: usize,
    shared: Arc<SharedState<tangere_sim::Simulation>>,
}

/// Steps after which signals are checked.
const PAUSE: u64 = 16;

fn of_simulation(py: Python<'_>, error: Error) -> PyErr {
    match error {
        Error::Input(error) => file_error(py, error),
        Error::Stopped { .. } => PyRuntimeError::new_err(error.to_string()),
        Error::File { .. } | Error::Damaged { .. } => PyOSError::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}

/// What a simulation is made from.
enum Origin {
    Deck(PathBuf),
    DeckText(String),
    Scene(Box<SceneFile>),
}

impl Origin {
    fn of(given: &Bound<'_, PyAny>, threads: usize) -> PyResult<Self> {
        let py = given.py();
        if let Ok(scene) = given.cast::<PyMapping>() {
            let table = Objects::new(threads).scene(scene)?;
            let file = SceneFile::from_table(&table, PathBuf::new());
            let file = file.map_err(|fault| PyValueError::new_err(fault.to_string()))?;
            return Ok(Self::Scene(Box::new(file)));
        }
        let text = given.extract::<String>().ok();
        let found = match text.filter(|text| text.contains('\n')) {
            Some(text) if !Source::is_scene(&text) => return Ok(Self::DeckText(text)),
            Some(text) => Source::of_text(&text, Path::new(""), None),
            None => {
                let path = path(given)?;
                run_on(py, threads, move || Source::find(&path))?
            }
        };
        match found.map_err(|error| of_simulation(py, error))? {
            Source::Deck(path) => Ok(Self::Deck(path)),
            Source::Scene(file, _) => Ok(Self::Scene(file)),
        }
    }
}

/// Why a simulation cannot be made.
enum Failure {
    Deck(tangere_sim::deck::Error),
    Simulation(Error),
}

impl From<tangere_sim::deck::Error> for Failure {
    fn from(error: tangere_sim::deck::Error) -> Self {
        Self::Deck(error)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Simulation(error)
    }
}

/// Calls a Python function for forces between drift and contacts.
struct Callback {
    function: Py<PyAny>,
    /// What it raised.
    raised: Option<PyErr>,
}

impl Domain for Callback {
    fn exchange(&mut self, simulation: &mut tangere_sim::Simulation) -> tangere_sim::Result<()> {
        let spheres = simulation.spheres();
        let time = simulation.time();
        let _inside = Inside::new();
        let forces = Python::attach(|py| -> PyResult<Vec<[f64; 3]>> {
            let positions = from_points(py, spheres.positions)?;
            let velocities = from_points(py, spheres.velocities)?;
            let returned = self.function.call1(py, (positions, velocities, time))?;
            points::<3>(returned.bind(py), "the array that forces returns")
        });
        let forces = forces.map_err(|error| {
            let cause = format!("forces: {error}");
            self.raised = Some(error);
            // Only what was raised is shown.
            Error::Stopped {
                step: simulation.step_number(),
                id: 0,
                cause,
            }
        })?;
        simulation.set_own_forces(&forces)
    }
}

/// Advances with pauses, in which Ctrl-C ends the work.
fn advance(
    simulation: &mut tangere_sim::Simulation,
    steps: u64,
    forces: Option<&mut Callback>,
) -> tangere_sim::Result<()> {
    let mut forces = forces;
    let mut left = steps;
    while left > 0 && !is_requested() {
        let now = left.min(PAUSE);
        match &mut forces {
            Some(forces) => simulation.advance_in(now, *forces)?,
            None => simulation.advance(now)?,
        }
        left -= now;
    }
    Ok(())
}

impl Simulation {
    fn made(simulation: tangere_sim::Simulation, threads: usize) -> Self {
        Self {
            count: simulation.len(),
            threads,
            shared: SharedState::new(simulation),
        }
    }

    fn spheres(&self, py: Python<'_>) -> PyResult<Spheres> {
        self.shared.read(py, |simulation| simulation.spheres())
    }
}

#[pymethods]
impl Simulation {
    #[new]
    #[pyo3(signature = (scene_or_deck, *, variables=None, ignore=None, synchronized=Given::default(),
           ledger=Given::default(), threads=None),
           text_signature = "(scene_or_deck, *, variables=None, ignore=None, synchronized=False, ledger=False, threads=None)")]
    fn new(
        scene_or_deck: &Bound<'_, PyAny>,
        variables: Option<std::collections::HashMap<String, String>>,
        ignore: Option<Vec<String>>,
        synchronized: Given<'_>,
        ledger: Given<'_>,
        threads: Argument<'_, '_>,
    ) -> PyResult<Self> {
        let py = scene_or_deck.py();
        let threads = threads_of(threads)?;
        let is_synchronized = synchronized.or(false, "synchronized", flag)?;
        let has_ledger = ledger.or(false, "ledger", flag)?;
        let origin = Origin::of(scene_or_deck, threads)?;
        let is_of_deck = is_synchronized || variables.is_some() || ignore.is_some();
        if is_of_deck && !matches!(origin, Origin::Deck(_) | Origin::DeckText(_)) {
            return Err(PyValueError::new_err(
                "variables, ignore, synchronized: found a scene, expected a deck, of which these are \
                 arguments",
            ));
        }
        let mut variables: Vec<(String, String)> =
            variables.unwrap_or_default().into_iter().collect();
        variables.sort_unstable();
        let options = DeckOptions {
            ignore: ignore.unwrap_or_default(),
            variables: variables
                .into_iter()
                .map(|(name, value)| (name, value.split_whitespace().map(str::to_owned).collect()))
                .collect(),
            // Output of the deck is not written.
            outputs: Arc::new(tangere_sim::deck::Outputs::resumed(Default::default())),
            ..DeckOptions::default()
        };
        let made = run_on(py, threads, move || {
            let of_deck = |deck: Result<Deck, tangere_sim::deck::Error>| -> Result<_, Failure> {
                let mut made = tangere_sim::Simulation::from_deck(&mut deck?)?;
                made.set_synchronized(is_synchronized);
                Ok((made, has_ledger))
            };
            let (mut made, has_ledger) = match origin {
                Origin::DeckText(text) => {
                    of_deck(Deck::from_text("deck", &text, Path::new(""), options))?
                }
                Origin::Deck(path) => of_deck(Deck::open(&path, options))?,
                Origin::Scene(file) => (
                    tangere_sim::Simulation::from_scene(&file)?,
                    has_ledger || file.simulation.ledger,
                ),
            };
            if has_ledger {
                made.open_ledger()?;
            }
            Ok::<_, Failure>(made)
        })?;
        match made {
            Ok(made) => Ok(Self::made(made, threads)),
            Err(Failure::Deck(error)) => Err(PyValueError::new_err(error.to_string())),
            Err(Failure::Simulation(error)) => Err(of_simulation(py, error)),
        }
    }

    /// Makes steps. Ctrl-C stops between two of them; the simulation can be run on.
    ///
    /// Parameters
    /// ----------
    /// n : int, default 1
    ///     The number of steps.
    /// forces : callable, optional
    ///     ``forces(positions, velocities, time)`` returns forces of your own, an array of shape
    ///     (N, 3) in the order of ids. It is called in every step, with positions at its end and
    ///     velocities at its middle, and once before the first step that has it. What it raises is
    ///     the cause of a RuntimeError.
    ///
    /// Raises
    /// ------
    /// RuntimeError
    ///     If a sphere is lost, two overlap by more than half a radius, or a number is not finite:
    ///     the message names the step and the sphere.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> deck = "atom_style sphere\nregion b block 0 9 0 9 0 9\ncreate_box 1 b\n"
    /// >>> deck += "create_atoms 1 single 4 4 4\nset group all diameter 1 mass 2\n"
    /// >>> deck += "fix 1 all nve/sphere\ntimestep 0.01\nrun 0\n"
    /// >>> sim = tangere.Simulation(deck)
    /// >>> sim.step(100, forces=lambda x, v, t: x * 0 + [2, 0, 0])
    /// >>> sim.velocities.round(2).tolist()
    /// [[1.0, 0.0, 0.0]]
    #[pyo3(signature = (n=Given::default(), *, forces=None), text_signature = "($self, n=1, *, forces=None)")]
    fn step(&self, py: Python<'_>, n: Given<'_>, forces: Option<Py<PyAny>>) -> PyResult<()> {
        let steps = n.or(1, "n", |n, name| integer(n, name, 0..=u64::MAX))?;
        let forces = forces.map(|function| Callback {
            function,
            raised: None,
        });
        let done = self.shared.work(py, self.threads, move |simulation| {
            let Some(mut callback) = forces else {
                let done = simulation.set_own_forces(&[]);
                return done
                    .and_then(|()| advance(simulation, steps, None))
                    .map_err(|error| Box::new((error, None)));
            };
            // The first forces, of the state as it is; those of the last step go on.
            let begun = match simulation.has_own_forces() {
                true => Ok(()),
                false => callback
                    .exchange(simulation)
                    .and_then(|()| simulation.find_forces()),
            };
            let done = begun.and_then(|()| advance(simulation, steps, Some(&mut callback)));
            if done.is_err() {
                // Those of the step that failed must not go on.
                let _ = simulation.set_own_forces(&[]);
            }
            done.map_err(|error| Box::new((error, callback.raised)))
        })?;
        done.map_err(|failed| match *failed {
            // Ctrl-C and sys.exit are no failures of the simulation.
            (_, Some(raised)) if !raised.is_instance_of::<PyException>(py) => raised,
            (error, Some(raised)) => {
                let step = match error {
                    Error::Stopped { step, .. } => step,
                    _ => 0,
                };
                let error = PyRuntimeError::new_err(format!("step {step}: forces: {raised}"));
                error.set_cause(py, Some(raised));
                error
            }
            (error, None) => of_simulation(py, error),
        })
    }

    /// The contacts of spheres, sorted by ids.
    ///
    /// Returns
    /// -------
    /// structured ndarray
    ///     A row for each contact: ``a`` and ``b``, the ids, the lower one first; ``image``, the
    ///     periodic image of b; ``point``; ``normal`` from a to b; ``gap``, negative where they
    ///     overlap; ``force`` on b; ``shear``, the spring of friction.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> deck = "atom_style sphere\nregion b block 0 9 0 9 0 9\ncreate_box 1 b\n"
    /// >>> deck += "create_atoms 1 single 4 4 4\ncreate_atoms 1 single 4.9 4 4\n"
    /// >>> deck += "set group all diameter 1 density 1\npair_coeff * *\nfix 1 all nve/sphere\nrun 0\n"
    /// >>> deck = deck.replace("pair_coeff", "pair_style gran/hooke 1000 NULL 1 NULL 0.5 0\npair_coeff")
    /// >>> sim = tangere.Simulation(deck)
    /// >>> sim.step(1)
    /// >>> row = sim.contacts()[0]
    /// >>> int(row["a"]), int(row["b"]), round(float(row["gap"]), 2), row["normal"].round(9).tolist()
    /// (1, 2, -0.1, [1.0, 0.0, 0.0])
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let rows = self.shared.read(py, |simulation| {
            let contacts = simulation.contacts();
            Table::new(CONTACT, &contacts).packed()
        })?;
        structured(
            py,
            rows.map_err(|error| PyValueError::new_err(error.to_string()))?,
        )
    }

    /// The clumps of a scene: bodies of several spheres that move as one, sorted by ids.
    ///
    /// Returns
    /// -------
    /// structured ndarray
    ///     A row for each clump: ``id``; ``position`` of the centre of mass, within the periodic cell,
    ///     and ``image``, how many cells it has left behind; ``velocity``; ``orientation`` of the
    ///     principal axes, a quaternion w, x, y, z; ``spin``, the angular velocity; ``mass``;
    ///     ``inertia``, the principal moments; ``spheres``, how many it has.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> ball = {"ball": {"radius": 0.5}}
    /// >>> pair = [{"shape": ball}, {"shape": ball, "position": [1, 0, 0]}]
    /// >>> sim = tangere.Simulation({
    /// ...     "step": 1e-3,
    /// ...     "material": [{"name": "m", "density": 1, "stiffness": 1e3}],
    /// ...     "body": [{"shape": {"compound": pair}, "spin": [0, 0, 1]}],
    /// ... })
    /// >>> sim.step(500)
    /// >>> row = sim.clumps()[0]
    /// >>> row["position"].round(3).tolist(), round(float(row["mass"]), 4), int(row["spheres"])
    /// ([0.5, 0.25, 0.0], 1.0472, 2)
    /// >>> sim.bodies.tolist(), sim.ids.tolist()
    /// ([0, 0], [0, 1])
    fn clumps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let rows = self.shared.read(py, |simulation| {
            Table::new(CLUMP, simulation.clumps()).packed()
        })?;
        structured(
            py,
            rows.map_err(|error| PyValueError::new_err(error.to_string()))?,
        )
    }

    /// Writes a checkpoint, whole or not at all.
    ///
    /// Parameters
    /// ----------
    /// path : str or os.PathLike
    ///     The file.
    ///
    /// Raises
    /// ------
    /// OSError
    ///     If it cannot be written; a file that was there stays as it was.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> deck = "atom_style sphere\nregion b block 0 9 0 9 0 9\ncreate_box 1 b\n"
    /// >>> deck += "create_atoms 1 single 4 4 4\ncreate_atoms 1 single 4.9 4 4\n"
    /// >>> deck += "set group all diameter 1 density 1\npair_coeff * *\nfix 1 all nve/sphere\nrun 0\n"
    /// >>> deck = deck.replace("pair_coeff", "pair_style gran/hooke 1000 NULL 1 NULL 0.5 0\npair_coeff")
    /// >>> sim = tangere.Simulation(deck)
    /// >>> import pathlib, tempfile
    /// >>> path = pathlib.Path(tempfile.mkdtemp()) / "state.bin"
    /// >>> sim.checkpoint(path)
    /// >>> tangere.Simulation.resume(path).hash() == sim.hash()
    /// True
    #[pyo3(signature = (path), text_signature = "($self, path)")]
    fn checkpoint(&self, py: Python<'_>, path: &Bound<'_, PyAny>) -> PyResult<()> {
        let path = crate::arguments::path(path)?;
        let written = self.shared.work(py, self.threads, move |simulation| {
            let checkpoint = Checkpoint {
                state: simulation.state(),
                note: String::new(),
            };
            checkpoint.write(&path)
        })?;
        written.map_err(|error| of_simulation(py, error))
    }

    /// Goes on from a checkpoint, with the same bits as if it had not ended.
    ///
    /// Parameters
    /// ----------
    /// path : str or os.PathLike
    ///     A file of `checkpoint`, or ``checkpoint.bin`` in a folder of `tangere simulate`.
    /// threads : int, optional
    ///     The number of threads; all cores if None.
    ///
    /// Returns
    /// -------
    /// Simulation
    ///
    /// Raises
    /// ------
    /// OSError
    ///     If the file cannot be read, is no checkpoint, or is damaged.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> deck = "atom_style sphere\nregion b block 0 9 0 9 0 9\ncreate_box 1 b\n"
    /// >>> deck += "create_atoms 1 single 4 4 4\ncreate_atoms 1 single 4.9 4 4\n"
    /// >>> deck += "set group all diameter 1 density 1\npair_coeff * *\nfix 1 all nve/sphere\nrun 0\n"
    /// >>> deck = deck.replace("pair_coeff", "pair_style gran/hooke 1000 NULL 1 NULL 0.5 0\npair_coeff")
    /// >>> sim = tangere.Simulation(deck)
    /// >>> import pathlib, tempfile
    /// >>> path = pathlib.Path(tempfile.mkdtemp()) / "state.bin"
    /// >>> sim.step(10)
    /// >>> sim.checkpoint(path)
    /// >>> tangere.Simulation.resume(path).steps
    /// 10
    #[staticmethod]
    #[pyo3(signature = (path, *, threads=None), text_signature = "(path, *, threads=None)")]
    fn resume(path: &Bound<'_, PyAny>, threads: Argument<'_, '_>) -> PyResult<Self> {
        let py = path.py();
        let path = crate::arguments::path(path)?;
        let threads = threads_of(threads)?;
        let made = run_on(py, threads, move || {
            let checkpoint = Checkpoint::read(&path)?;
            tangere_sim::Simulation::from_state(checkpoint.state)
        })?;
        Ok(Self::made(
            made.map_err(|error| of_simulation(py, error))?,
            threads,
        ))
    }

    /// The hash of the state by ids, 16 hexadecimal digits: the same for any number of threads, order
    /// of storage and restarts.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> deck = "atom_style sphere\nregion b block 0 9 0 9 0 9\ncreate_box 1 b\n"
    /// >>> deck += "create_atoms 1 single 4 4 4\ncreate_atoms 1 single 4.9 4 4\n"
    /// >>> deck += "set group all diameter 1 density 1\npair_coeff * *\nfix 1 all nve/sphere\nrun 0\n"
    /// >>> deck = deck.replace("pair_coeff", "pair_style gran/hooke 1000 NULL 1 NULL 0.5 0\npair_coeff")
    /// >>> sim = tangere.Simulation(deck)
    /// >>> sim.hash() == tangere.Simulation(deck, threads=1).hash()
    /// True
    fn hash(&self, py: Python<'_>) -> PyResult<String> {
        let hash = self.shared.read(py, |simulation| simulation.hash())?;
        Ok(format!("{hash:016x}"))
    }

    /// The ids, ascending; all other columns are in their order.
    #[getter]
    fn ids<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        Ok(from_numbers(py, self.spheres(py)?.ids))
    }

    /// The centres, within the periodic cell.
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        from_points(py, self.spheres(py)?.positions)
    }

    /// The velocities.
    #[getter]
    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        from_points(py, self.spheres(py)?.velocities)
    }

    /// The angular velocities.
    #[getter]
    fn spins<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        from_points(py, self.spheres(py)?.spins)
    }

    /// The forces of the last step.
    #[getter]
    fn forces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        from_points(py, self.spheres(py)?.forces)
    }

    /// The torques of the last step.
    #[getter]
    fn torques<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        from_points(py, self.spheres(py)?.torques)
    }

    /// The radii.
    #[getter]
    fn radii<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(from_numbers(py, self.spheres(py)?.radii))
    }

    /// The masses.
    #[getter]
    fn masses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(from_numbers(py, self.spheres(py)?.masses))
    }

    /// Kinetic energy of translation and of rotation.
    #[getter]
    fn kinetic_energy(&self, py: Python<'_>) -> PyResult<(f64, f64)> {
        let [kinetic, rotational] = self.shared.read(py, |sim| sim.kinetic_energy())?;
        Ok((kinetic, rotational))
    }

    /// The energy and what became of it since the ledger was opened: a dictionary of its terms by name
    /// (docs/simulate.md); None without a ledger.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> sim = tangere.Simulation("gas", ledger=True)
    /// >>> before = sim.energy["kinetic"]
    /// >>> sim.step(5000)
    /// >>> bool(0 < sim.energy["kinetic"] < before), abs(sim.energy["residual"]) < 1e-4 * before
    /// (True, True)
    #[getter]
    fn energy<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(energy) = self.shared.read(py, |simulation| simulation.energy())? else {
            return Ok(None);
        };
        let terms = PyDict::new(py);
        for (name, value) in energy.terms() {
            terms.set_item(name, value)?;
        }
        Ok(Some(terms))
    }

    /// The largest time step at which contacts are stable, by Rayleigh's waves and by springs
    /// (docs/simulate.md); None where nothing limits it.
    #[getter]
    fn critical_step(&self, py: Python<'_>) -> PyResult<Option<f64>> {
        self.shared.read(py, |simulation| {
            let limit = critical_step(simulation.setup(), &simulation.spheres());
            limit.map(|limit| limit.step())
        })
    }

    /// The id of the body of each sphere: that of its clump, or its own.
    #[getter]
    fn bodies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let bodies = self.shared.read(py, |simulation| simulation.bodies())?;
        Ok(from_numbers(py, bodies))
    }

    /// The time.
    #[getter]
    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        self.shared.read(py, |simulation| simulation.time())
    }

    /// The number of steps so far.
    #[getter]
    fn steps(&self, py: Python<'_>) -> PyResult<u64> {
        self.shared.read(py, |simulation| simulation.step_number())
    }

    fn __len__(&self) -> usize {
        self.count
    }

    fn __reduce__(&self) -> PyResult<()> {
        unpicklable("Simulation", "checkpoint writes its state to a file")
    }
}
