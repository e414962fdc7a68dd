//! Event-driven molecular dynamics of hard spheres.

use std::sync::Arc;

use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tangere::impact::gas::{self, Domain, End, GasSettings};
use tangere_front::answer::Table;
use tangere_front::answers::impact::{GAS_COUNTS, collision};
use tangere_front::inputs::gas as inputs;

use crate::arguments::{self, Argument, Given, flag, integer, number, optional};
use crate::arrays::{
    Points, from_numbers, from_points, numbers, numbers_for, points_2_or_3, small,
};
use crate::errors::{What, named, of_arrays, refused};
use crate::options::Options;
use crate::pickling::unpicklable;
use crate::record::{record, structured};
use crate::report::counted;
use crate::run::{push, run, run_on};
use crate::shared_state::SharedState;

/// A gas, and the reason why its last run ended.
#[derive(Clone)]
struct State {
    gas: gas::Gas,
    end: Option<End>,
}

/// Event-driven molecular dynamics of hard spheres, which move freely between collisions.
///
/// A gas advances from collision to collision, with no time step, and nothing tunnels. Collisions
/// of spheres conserve momentum, and at restitution 1 energy, up to rounding.
///
/// Parameters
/// ----------
/// centers : array_like, shape (N, 3) or (N, 2)
///     The centres; with two columns the gas is two-dimensional.
/// velocities : array_like, of the same shape
///     The velocities.
/// radii : array_like, shape (N,), or float
///     The radii, 0 or more. Spheres may touch, but not overlap.
/// masses : array_like, shape (N,), or float, optional
///     The masses, above 0; the cubes of the radii if None.
/// periodic : array_like, shape (3,) or (2,), optional
///     The edge lengths of a periodic box, 0 along axes that are not periodic.
/// origin : array_like, shape (3,) or (2,), optional
///     The lower corner of the periodic box; the origin if None.
/// walls : array_like, shape (2, 3) or (2, 2), optional
///     The lower and the upper corner of a box with hard walls, infinite where there is no wall.
///     Only axes that are not periodic may have walls.
/// gravity : array_like, shape (3,) or (2,), optional
///     The acceleration of all spheres.
/// restitution : float, default 1.0
///     Coefficient of restitution of two spheres: speed of separation over speed of approach,
///     above 0 and at most 1.
/// wall_restitution : float, default 1.0
///     The same for a sphere and a wall.
/// contact_time : float, optional
///     TC model: a collision of a sphere that had another one less than this time before loses no
///     energy, which avoids inelastic collapse (infinitely many collisions in finite time). A
///     short time that follows from sizes and speeds if None.
/// time : float, default 0.0
///     The initial time.
/// threads : int, optional
///     The number of threads; all cores if None. Collisions do not depend on it, bit for bit.
///
/// Raises
/// ------
/// ValueError
///     If shapes do not fit, a number is not finite or out of its range, or spheres overlap each
///     other or stick out of the walls.
///
/// Notes
/// -----
/// Deterministic: the same bits on every machine, in one run or in many. Several threads may use
/// the object; they wait for each other.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> gas = tangere.Gas([[0, 0, 0], [5, 0, 0]], [[1, 0, 0], [0, 0, 0]], [1, 1], walls=[[-9] * 3, [9] * 3])
/// >>> found = gas.run(until=15)
/// >>> found["time"].round(9).tolist(), found["b"].tolist()
/// ([3.0, 6.0, 9.0], [1, -2, 1])
/// >>> float(gas.velocities[0, 0].round(9)), round(gas.energy, 9)
/// (-1.0, 0.5)
/// >>> gas.time, gas.collisions, gas.end, gas.counts.walls, gas.centers.round(9)[0].tolist()
/// (15.0, 3, 'until', 1, [-3.0, 0.0, 0.0])
/// >>> gas.radii.tolist(), gas.masses.tolist(), gas.momentum.round(9).tolist(), gas.pressure > 0
/// ([1.0, 1.0], [1.0, 1.0], [-1.0, 0.0, 0.0], True)
/// >>> tangere.Gas([[0, 0]], [[1, 0]], [1], restitution=0.5).contact_time
/// 0.0001
#[pyclass(frozen, weakref, module = "tangere")]
pub struct Gas {
    spheres: usize,
    dimensions: usize,
    threads: usize,
    shared: Arc<SharedState<State>>,
}

/// Reads vectors of two or three columns as vectors in space (z = 0 for two); also returns the
/// number of columns.
fn in_space(value: &Bound<'_, PyAny>, name: &str) -> PyResult<(Vec<[f64; 3]>, usize)> {
    Ok(match points_2_or_3(value, name)? {
        Points::Plane(points) => (points.into_iter().map(|[x, y]| [x, y, 0.0]).collect(), 2),
        Points::Space(points) => (points, 3),
    })
}

/// The names of the keyword arguments of `Gas`.
const KEYWORDS: &str = "periodic origin walls gravity restitution wall_restitution contact_time \
                        time threads";

/// Reads the numbers of a keyword argument, an array of the given shape; `None` if it is missing.
fn vector_of(
    options: Options<'_, '_>,
    name: &'static str,
    shape: &[usize],
) -> PyResult<Option<Vec<f64>>> {
    options.read(name, |value, name| small(value, name, &[shape]))
}

/// Returns the boundary along each axis: periodic, walls or open.
fn domain(options: Options<'_, '_>, dimensions: usize) -> PyResult<Domain> {
    let origin = vector_of(options, "origin", &[dimensions])?;
    let walls = vector_of(options, "walls", &[2, dimensions])?;
    let periodic = vector_of(options, "periodic", &[dimensions])?;
    if origin.is_some() && periodic.is_none() {
        return Err(refused("origin", "one without periodic", "None, or both"));
    }
    let [periodic, origin, walls] = [&periodic, &origin, &walls].map(|given| given.as_deref());
    inputs::domain(periodic, origin, walls, dimensions).map_err(|error| {
        named(error, |what, _| match what {
            What::AxisPeriod => "periodic".to_owned(),
            _ => "walls".to_owned(),
        })
    })
}

/// Names for error messages: for each item or argument of the library the Python argument that
/// contains it.
const NAMES: [(What, &str); 7] = [
    (What::Centre, "centers"),
    (What::Sphere, "centers"),
    (What::Velocity, "velocities"),
    (What::Radius, "radii"),
    (What::Mass, "masses"),
    (What::WallRestitution, "wall_restitution"),
    (What::ContactTime, "contact_time"),
];

fn of_gas(error: tangere::Error) -> PyErr {
    of_arrays(error, &NAMES)
}

#[pymethods]
impl Gas {
    #[new]
    #[pyo3(signature = (centers, velocities, radii, masses=None, **options))]
    #[pyo3(
        text_signature = "(centers, velocities, radii, masses=None, *, periodic=None, origin=None, walls=None, gravity=None, restitution=1.0, wall_restitution=1.0, contact_time=None, time=0.0, threads=None)"
    )]
    fn new(
        centers: &Bound<'_, PyAny>,
        velocities: &Bound<'_, PyAny>,
        radii: &Bound<'_, PyAny>,
        masses: Argument<'_, '_>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let options = Options::new("Gas", options, KEYWORDS)?;
        let py = centers.py();
        let (centers, dimensions) = in_space(centers, "centers")?;
        let (velocities, found) = in_space(velocities, "velocities")?;
        if found != dimensions {
            let expected = format!("{dimensions}, as centers have");
            return Err(refused("velocities", format!("{found} columns"), expected));
        }
        let radii = numbers_for(radii, "radii", centers.len())?;
        let masses = optional(masses, "masses", |masses, name| {
            numbers_for(masses, name, centers.len())
        })?;
        let mut settings = GasSettings {
            domain: domain(options, dimensions)?,
            restitution: options.or(1.0, "restitution", number)?,
            wall_restitution: options.or(1.0, "wall_restitution", number)?,
            time: options.or(0.0, "time", number)?,
            contact_time: options.read("contact_time", number)?,
            ..GasSettings::default()
        };
        if let Some(gravity) = vector_of(options, "gravity", &[dimensions])? {
            settings.gravity = inputs::in_space(&gravity);
        }
        let (spheres, threads) = (centers.len(), options.threads()?);
        let gas = run_on(py, threads, move || {
            gas::Gas::new(&centers, &velocities, &radii, masses.as_deref(), &settings)
        })?;
        Ok(Self {
            spheres,
            dimensions,
            threads,
            shared: SharedState::new(State {
                gas: gas.map_err(of_gas)?,
                end: None,
            }),
        })
    }

    /// Random velocities from the Maxwell-Boltzmann distribution of a temperature.
    ///
    /// The total momentum is 0, and the kinetic energy is half the temperature for each sphere and
    /// dimension. The same numbers on every machine.
    ///
    /// Parameters
    /// ----------
    /// masses : array_like, shape (N,)
    ///     The masses, above 0.
    /// temperature : float
    ///     In units of mass times speed squared, 0 or more.
    /// dim : {3, 2}, optional
    ///     In space or in the plane.
    /// seed : int, default 0
    ///     The seed of the random numbers.
    ///
    /// Returns
    /// -------
    /// numpy.ndarray, float64, shape (N, dim)
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If a number is out of its range.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> velocities = tangere.Gas.thermal_velocities([1, 2, 3], 4.0, seed=1)
    /// >>> energy = (velocities**2).sum(axis=1) @ [1, 2, 3] / 2
    /// >>> velocities.shape, round(float(energy), 12)
    /// ((3, 3), 18.0)
    #[staticmethod]
    #[pyo3(signature = (masses, temperature, *, dim=Given::default(), seed=Given::default()),
           text_signature = "(masses, temperature, *, dim=3, seed=0)")]
    fn thermal_velocities<'py>(
        masses: &Bound<'py, PyAny>,
        temperature: &Bound<'py, PyAny>,
        dim: Given<'py>,
        seed: Given<'py>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let py = masses.py();
        let masses = numbers(masses, "masses")?;
        let temperature = number(temperature, "temperature")?;
        let dimensions = dim.or(3, "dim", arguments::dimension)?;
        let seed = seed.or(0, "seed", arguments::seed)?;
        let drawn = run(py, None, move || {
            gas::thermal_velocities(&masses, temperature, dimensions, seed)
        })?;
        vectors(py, drawn.map_err(of_gas)?, dimensions)
    }

    /// Advances from collision to collision, up to a number of them or to a time.
    ///
    /// Ctrl-C stops it; the gas is then at the time it has reached, and can be run on.
    ///
    /// Parameters
    /// ----------
    /// events : int, optional
    ///     Stop after this number of collisions.
    /// until : float, optional
    ///     Stop at this time, not before the current one. At least one of ``events`` and
    ///     ``until`` must be given.
    /// record : bool, default True
    ///     Whether collisions are returned.
    ///
    /// Returns
    /// -------
    /// structured ndarray
    ///     A row for each collision: ``time``; ``a`` and ``b``, the two spheres, the lower number
    ///     first, ``b`` below 0 for a wall (-1 and -2 the lower and the upper one along x, -3 and
    ///     -4 along y, -5 and -6 along z); ``point``, the contact point; ``normal`` from a to b;
    ///     ``impulse``, that on b along the normal. Empty if nothing is recorded.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If both are missing, or the time is before the current one or NaN.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> gas = tangere.Gas([[0, 0], [2, 0], [5, 0]], [[0, 0], [1, 0], [0, 0]], [0.5] * 3)
    /// >>> found = gas.run(events=10)
    /// >>> found[["a", "b"]].tolist(), found["time"].round(9).tolist(), gas.end
    /// ([(1, 2)], [2.0], 'over')
    #[pyo3(signature = (events=None, until=None, *, record=Given::default()),
           text_signature = "($self, events=None, until=None, *, record=True)")]
    fn run<'py>(
        &self,
        py: Python<'py>,
        events: Argument<'_, 'py>,
        until: Argument<'_, 'py>,
        record: Given<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if events.is_none() && until.is_none() {
            let expected = "at least one of events and until";
            return Err(refused("events", "None, as until is", expected));
        }
        let events = events.map_or(Ok(u64::MAX), |n| integer(n, "events", 0..=u64::MAX))?;
        let until = until.map_or(Ok(f64::INFINITY), |t| number(t, "until"))?;
        let record = record.or(true, "record", flag)?;
        let rows = self.shared.work(py, self.threads, move |state| {
            let mut found = Vec::new();
            let done = state.gas.run(events, until, |collision| {
                if record {
                    push(&mut found, *collision);
                }
            })?;
            state.end = Some(done.end);
            Table::new(&collision(3), &found).packed()
        })?;
        structured(py, rows.map_err(of_gas)?)
    }

    /// Restarts from the current centres and velocities.
    ///
    /// The gas then continues exactly as a new gas made from its centres, velocities, radii, masses
    /// and time: with the same collisions, bit for bit.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> gas = tangere.Gas([[0, 0], [2, 0]], [[1, 0.1], [0, 0]], [0.5] * 2, periodic=[5, 5])
    /// >>> _ = gas.run(events=3)
    /// >>> gas.synchronize()
    /// >>> again = tangere.Gas(gas.centers, gas.velocities, gas.radii, gas.masses,
    /// ...                     periodic=[5, 5], time=gas.time)
    /// >>> bool((again.run(events=5) == gas.run(events=5)).all())
    /// True
    fn synchronize(&self, py: Python<'_>) -> PyResult<()> {
        (self.shared).work(py, self.threads, |state| state.gas.synchronize())
    }

    /// A copy, which continues to the same collisions.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> gas = tangere.Gas([[0, 0], [2, 0]], [[1, 0], [0, 0]], [0.5] * 2)
    /// >>> other = gas.copy()
    /// >>> len(other.run(events=1)), gas.time
    /// (1, 0.0)
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        let state = self.shared.read(py, |state| state.clone())?;
        Ok(Self {
            shared: SharedState::new(state),
            ..*self
        })
    }

    /// The current time: that of the last collision, or the time that the gas was run to.
    #[getter]
    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        self.shared.read(py, |state| state.gas.time())
    }

    /// The current centres, wrapped into the periodic box.
    #[getter]
    fn centers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let mut centers = Vec::new();
        self.shared
            .read(py, |state| state.gas.centers(&mut centers))?;
        vectors(py, centers, self.dimensions)
    }

    /// The current velocities.
    #[getter]
    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let mut velocities = Vec::new();
        self.shared
            .read(py, |state| state.gas.velocities(&mut velocities))?;
        vectors(py, velocities, self.dimensions)
    }

    /// The radii.
    #[getter]
    fn radii<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let radii = self.shared.read(py, |state| state.gas.radii().collect())?;
        Ok(from_numbers(py, radii))
    }

    /// The masses.
    #[getter]
    fn masses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let masses = self.shared.read(py, |state| state.gas.masses().to_vec())?;
        Ok(from_numbers(py, masses))
    }

    /// The sum of kinetic and potential energy.
    #[getter]
    fn energy(&self, py: Python<'_>) -> PyResult<f64> {
        self.shared.read(py, |state| state.gas.energy())
    }

    /// The total momentum.
    #[getter]
    fn momentum<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let momentum = self.shared.read(py, |state| state.gas.momentum())?;
        Ok(from_numbers(py, momentum[..self.dimensions].to_vec()))
    }

    /// The pressure, averaged from the start until now; None at the start, or in open space.
    ///
    /// By the virial theorem in a periodic box, else from impulses on walls. In two dimensions it
    /// is a force per length.
    #[getter]
    fn pressure(&self, py: Python<'_>) -> PyResult<Option<f64>> {
        self.shared.read(py, |state| state.gas.pressure())
    }

    /// The number of collisions, with spheres and walls.
    #[getter]
    fn collisions(&self, py: Python<'_>) -> PyResult<u64> {
        self.shared.read(py, |state| state.gas.collisions())
    }

    /// Event counts so far, a `GasCounts`.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let counts = self.shared.read(py, |state| state.gas.counts())?;
        record(py, "GasCounts", GAS_COUNTS, &counts)
    }

    /// The contact time: the given one, or the one that follows from sizes and speeds.
    #[getter]
    fn contact_time(&self, py: Python<'_>) -> PyResult<f64> {
        let time = self
            .shared
            .read(py, |state| state.gas.settings().contact_time)?;
        Ok(time.unwrap_or(0.0))
    }

    /// The reason why the last run ended; None before the first run.
    ///
    /// ``'events'`` and ``'until'``: that limit is reached. ``'over'``: there are no more
    /// collisions. ``'stalled'``: no progress in time, as with inelastic collapse without a contact
    /// time; it can be run on.
    #[getter]
    fn end(&self, py: Python<'_>) -> PyResult<Option<&'static str>> {
        self.shared.read(py, |state| state.end.map(End::name))
    }

    /// Returns an independent copy, which runs on with the same collisions.
    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        let state = self.shared.read(py, |state| state.clone())?;
        Ok(Self {
            shared: SharedState::new(state),
            ..*self
        })
    }

    /// Returns an independent copy, which runs on with the same collisions.
    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyDict>) -> PyResult<Self> {
        self.__copy__(py)
    }

    fn __reduce__(&self) -> PyResult<()> {
        unpicklable(
            "Gas",
            "its queue of events has no form outside memory; copy.deepcopy copies it, and after \
             synchronize() a new Gas of its centers, velocities, radii, masses and time runs on alike",
        )
    }

    fn __len__(&self) -> usize {
        self.spheres
    }

    fn __repr__(&self) -> String {
        format!(
            "<tangere.Gas of {}>",
            counted(self.spheres, "sphere", "spheres")
        )
    }
}

/// Returns vectors as an array of `dimensions` columns.
fn vectors<'py>(
    py: Python<'py>,
    vectors: Vec<[f64; 3]>,
    dimensions: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    match dimensions {
        2 => from_points(py, vectors.into_iter().map(|[x, y, _]| [x, y]).collect()),
        _ => from_points(py, vectors),
    }
}
