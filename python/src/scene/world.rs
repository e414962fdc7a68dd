//! The scene: bodies in motion, and the contacts between them.

use std::collections::BTreeMap;
use std::sync::Arc;

use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple};
use tangere::geometry::Pose;
use tangere::pairs::{Mask, Periodic};
use tangere::scene::{
    self, Accelerations, Body, BodyId, BodyLists, Motion, Patches, SceneSettings,
};
use tangere::tree::Ray;
use tangere_front::answer::{Packed, Table};
use tangere_front::answers::scene::{
    CONTACT, CORNER, NEAREST, NamedContact, PAIR_ANSWER, PAIR_SLEEP, RAY_HIT,
};
use tangere_front::inputs::Cell;

use super::shape_argument::{OpenMesh, shape_argument};
use crate::arguments::{Argument, Given, flag, integer, number, optional, type_error, word};
use crate::arrays::{
    Ends, any_points, boxes, from_numbers, from_points, numbers_for, rows_of, unsigned, wrong_shape,
};
use crate::errors::{What, of_arrays, refused, value_error};
use crate::periodic;
use crate::pickling::native;
use crate::poses::pose_rows;
use crate::record::{record, structured};
use crate::report::counted;
use crate::run::threads_of;
use crate::shared_state::SharedState;

/// The largest number of vectors of history of a contact.
const HISTORY_MAX: u64 = 1 << 16;

/// Names of errors of the library in arguments that are about one body.
const ONE: [(What, &str); 4] = [
    (What::Body, "id"),
    (What::Id, "id"),
    (What::Shape, "shape"),
    (What::PeriodicCell, "periodic"),
];

/// Names of errors of the library in arguments that are about two bodies.
const PAIR: [(What, &str); 2] = [(What::Body, "a, b"), (What::PeriodicCell, "periodic")];

/// Bodies of any shape, and the contacts between them with an identity that lasts.
///
/// A contact is a pair of bodies with a gap up to the margin. `update` finds all contacts in the
/// present poses, `contacts` lists them: a sphere, box, capsule or polyhedron has one contact with
/// another or with a half-space, and one for each facet, edge or vertex of a mesh that is locally
/// nearest. A contact that was there before keeps its ``id`` and its `history`.
///
/// Parameters
/// ----------
/// margin : float, optional
///     The largest gap of a contact.
/// periodic : array_like, shape (3,), or Periodic, optional
///     The edge lengths of a periodic cell, 0 along open axes, or a `Periodic` cell, which may
///     be tilted.
#[doc = include_str!("../threads.txt")]
/// history : int, optional
///     The number of vectors that travel with each contact; see `history`.
///
/// Raises
/// ------
/// ValueError
///     If the margin or a length is negative or not finite.
///
/// Notes
/// -----
/// ``len(scene)`` is the number of bodies. Contacts are the same bits for any number of threads
/// and any order in which bodies were added under the same ids. Several threads may use a scene;
/// they wait for each other. A scene can be pickled and copied, by its snapshot.
///
/// Examples
/// --------
/// >>> import tangere
/// >>> scene = tangere.Scene(margin=0.01)
/// >>> floor = scene.add(tangere.HalfSpace([0, 0, 1]), fixed=True, name="floor")
/// >>> die = scene.add(tangere.Box(1), [0, 0, 0.25])
/// >>> scene
/// <tangere.Scene of 2 bodies, 0 contacts>
/// >>> scene.update()
/// >>> contact = scene.contacts()[0]
/// >>> int(contact["a"]) == floor, int(contact["b"]) == die, contact["gap"], contact["normal"]
/// (True, True, np.float64(-0.25), array([0., 0., 1.]))
/// >>> tangere.ContactEvent(contact["event"]).word, tangere.ContactStatus(contact["status"]).word
/// ('began', 'penetrating')
/// >>> scene.ids, scene.names
/// (array([0, 1], dtype=uint64), {0: 'floor'})
/// >>> scene.poses[1].tolist()
/// [0.0, 0.0, 0.25, 1.0, 0.0, 0.0, 0.0]
#[pyclass(frozen, weakref, module = "tangere")]
pub struct Scene {
    threads: usize,
    shared: Arc<SharedState<State>>,
}

/// What a scene consists of.
struct State {
    scene: scene::Scene,
    /// The names of bodies that have one.
    names: BTreeMap<BodyId, String>,
}

/// A list of bodies for each query: where it begins, and the ids of all lists.
type Lists<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<u64>>);

impl Scene {
    fn of(scene: scene::Scene, names: BTreeMap<BodyId, String>, threads: usize) -> Self {
        Self {
            threads,
            shared: SharedState::new(State { scene, names }),
        }
    }

    /// Returns rows that `make` packs, without the GIL.
    fn rows<'py>(
        &self,
        py: Python<'py>,
        make: impl FnOnce(&mut State) -> tangere::Result<Packed> + Send + 'static,
        names: &[(What, &str)],
    ) -> PyResult<Bound<'py, PyAny>> {
        let packed = self.shared.work(py, self.threads, make)?;
        structured(py, packed.map_err(|e| of_arrays(e, names))?)
    }

    /// Returns the lists of bodies that `find` finds, without the GIL.
    fn lists<'py>(
        &self,
        py: Python<'py>,
        find: impl FnOnce(&scene::Scene) -> tangere::Result<BodyLists> + Send + 'static,
        names: &[(What, &str)],
    ) -> PyResult<Lists<'py>> {
        let found = self
            .shared
            .work(py, self.threads, |state| find(&state.scene))?;
        let found = found.map_err(|e| of_arrays(e, names))?;
        let offsets = found.offsets.into_iter().map(|end| end as i64).collect();
        Ok((from_numbers(py, offsets), from_numbers(py, found.ids)))
    }
}

/// Returns contacts as rows.
fn packed<'a>(
    scene: &scene::Scene,
    contacts: impl Iterator<Item = &'a scene::SceneContact>,
) -> tangere::Result<Packed> {
    let contacts: Vec<scene::SceneContact> = contacts.copied().collect();
    let row = |i: usize| NamedContact::new(scene, contacts[i]);
    Table::made(CONTACT, contacts.len(), &row).packed()
}

/// Reads the id of a body.
fn id_argument(value: &Bound<'_, PyAny>, name: &str) -> PyResult<BodyId> {
    integer(value, name, 0..=u64::MAX - 1)
}

/// Reads a mask: bits of the kinds that a body is, and of the kinds that it collides with.
fn mask_argument(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Mask> {
    let [[member], [meets]]: [[u32; 1]; 2] = match unsigned::<1>(value, name, 2)?.try_into() {
        Ok(two) => two,
        Err(_) => return Err(refused(name, "another number", "2 integers")),
    };
    Ok(Mask { member, meets })
}

/// Reads a periodic cell of space.
fn cell_argument(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Periodic<3>> {
    match periodic::cell(value)? {
        Cell::Space(cell) => Ok(cell),
        Cell::Plane(_) => Err(refused(name, "a cell of the plane", "one of space")),
    }
}

#[pymethods]
impl Scene {
    #[new]
    #[pyo3(signature = (margin=Given(None), periodic=None, threads=None, history=Given(None)))]
    #[pyo3(text_signature = "(margin=0.0, periodic=None, threads=None, history=0)")]
    fn new(
        margin: Given<'_>,
        periodic: Argument<'_, '_>,
        threads: Argument<'_, '_>,
        history: Given<'_>,
    ) -> PyResult<Self> {
        let settings = SceneSettings {
            margin: margin.or(0.0, "margin", number)?,
            periodic: optional(periodic, "periodic", cell_argument)?,
            history: history.or(0, "history", |value, name| {
                integer(value, name, 0..=HISTORY_MAX).map(|n| n as usize)
            })?,
        };
        let scene = scene::Scene::new(settings).map_err(value_error)?;
        Ok(Self::of(scene, BTreeMap::new(), threads_of(threads)?))
    }

    /// Adds a body.
    ///
    /// It has contacts from the next `update` on. If this raises, nothing is added.
    ///
    /// Parameters
    /// ----------
    /// shape : Sphere, Box, Capsule, HalfSpace, ConvexPolyhedron, Mesh, Wall or Compound
    ///     A closed `Mesh` is a solid; an open one is a wall if the body is fixed, and an error
    ///     otherwise. Bodies that share a shape share its memory.
    /// pose : array_like, shape (3,), (7,) or (4, 4), optional
    ///     The pose: (tx, ty, tz), or (tx, ty, tz, qw, qx, qy, qz), or a matrix.
    /// id : int, optional
    ///     The id, from 0 to 2**64 - 2, that no body has or had; one more than the largest so far
    ///     if None.
    /// fixed : bool, optional
    ///     Whether the body never moves. Two fixed bodies have no contacts.
    /// group : int, optional
    ///     Bodies of the same group, other than 0, do not touch each other.
    /// mask : (int, int), optional
    ///     Bits of the kinds that the body is, and of the kinds that it collides with. Two may
    ///     touch if each collides with a kind of the other; None for all.
    /// name : str, optional
    ///     A name that no other body has.
    ///
    /// Returns
    /// -------
    /// int
    ///     The id.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the id or the name is in use, the mesh is open and not fixed, or the body could touch
    ///     another in a pair of shapes whose contacts are not supported yet (two meshes, a mesh
    ///     and a half-space).
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> scene = tangere.Scene()
    /// >>> scene.add(tangere.Sphere(1), id=7), scene.add(tangere.Sphere(1), [5, 0, 0])
    /// (7, 8)
    /// >>> scene.add(tangere.generate.plate([9, 9]), [0, 0, -1], fixed=True)
    /// 9
    /// >>> scene.update()
    /// >>> scene.contacts()["a"].tolist(), scene.contacts()["b"].tolist()
    /// ([7], [9])
    #[pyo3(signature = (shape, pose=None, *, id=None, fixed=Given(None), group=Given(None),
                        mask=None, name=None))]
    #[pyo3(
        text_signature = "($self, shape, pose=None, *, id=None, fixed=False, group=0, mask=None, name=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "the arguments of a body")]
    fn add(
        &self,
        shape: &Bound<'_, PyAny>,
        pose: Argument<'_, '_>,
        id: Argument<'_, '_>,
        fixed: Given<'_>,
        group: Given<'_>,
        mask: Argument<'_, '_>,
        name: Argument<'_, '_>,
    ) -> PyResult<BodyId> {
        let py = shape.py();
        let fixed = fixed.or(false, "fixed", flag)?;
        let (motion, open) = match fixed {
            true => (Motion::Fixed, OpenMesh::Wall),
            false => (Motion::Free, OpenMesh::Refused),
        };
        let group = group.or(0, "group", |value, name| {
            integer(value, name, 0..=u64::from(u32::MAX))
        })?;
        let body = Body {
            pose: optional(pose, "pose", crate::poses::pose)?.unwrap_or_default(),
            id: optional(id, "id", id_argument)?,
            motion,
            group: group as u32,
            mask: optional(mask, "mask", mask_argument)?.unwrap_or_default(),
            shape: shape_argument(shape, "shape", open)?,
        };
        let name = optional(name, "name", word)?;
        self.shared.read(py, |state| {
            if let Some(name) = &name
                && let Some((id, _)) = state.names.iter().find(|(_, other)| *other == name)
            {
                let found = format!("'{name}', which body {id} has");
                return Err(refused("name", found, "a name that no body has"));
            }
            let id = state.scene.add(body).map_err(|e| of_arrays(e, &ONE))?;
            if let Some(name) = name {
                state.names.insert(id, name);
            }
            Ok(id)
        })?
    }

    /// Adds bodies that move, one for each pose.
    ///
    /// If this raises, nothing is added.
    ///
    /// Parameters
    /// ----------
    /// shapes : shape or sequence of shapes
    ///     A shape for each, as for `add`, or one for all.
    /// poses : array_like, shape (N, 3), (N, 7) or (N, 4, 4)
    ///     The poses.
    ///
    /// Returns
    /// -------
    /// ndarray of uint64, shape (N,)
    ///     The ids.
    ///
    /// Raises
    /// ------
    /// TypeError, ValueError
    ///     As `add` does, or if there is not one shape for each pose.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> scene = tangere.Scene()
    /// >>> scene.add_many(tangere.Sphere(0.5), [[0, 0, 0], [1, 0, 0], [2, 0, 0]])
    /// array([0, 1, 2], dtype=uint64)
    /// >>> scene.add_many([tangere.Sphere(0.5), tangere.Box(1)], [[0, 2, 0], [2, 2, 0]])
    /// array([3, 4], dtype=uint64)
    fn add_many<'py>(
        &self,
        shapes: &Bound<'py, PyAny>,
        poses: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let py = shapes.py();
        let poses = pose_rows(poses, "poses")?;
        let is_list = shapes.is_instance_of::<PyList>() || shapes.is_instance_of::<PyTuple>();
        let shapes = match is_list {
            false => {
                let one = shape_argument(shapes, "shapes", OpenMesh::Refused)?;
                vec![one; poses.len()]
            }
            true => {
                let mut all = Vec::with_capacity(shapes.len()?);
                for (i, shape) in shapes.try_iter()?.enumerate() {
                    let name = format!("shapes[{i}]");
                    all.push(shape_argument(&shape?, &name, OpenMesh::Refused)?);
                }
                all
            }
        };
        if shapes.len() != poses.len() {
            let expected = format!("{}, one for each pose, or one shape", poses.len());
            return Err(refused(
                "shapes",
                format!("{} shapes", shapes.len()),
                expected,
            ));
        }
        let bodies = shapes.into_iter().zip(poses);
        let bodies: Vec<Body> = bodies.map(|(s, pose)| Body::new(s).at(pose)).collect();
        let ids = self
            .shared
            .read(py, |state| state.scene.add_all(bodies))?
            .map_err(|e| of_arrays(e, &[(What::Shape, "shapes")]))?;
        Ok(from_numbers(py, ids))
    }

    /// Removes a body; its contacts end at the next `update`.
    ///
    /// Its id is never used again.
    ///
    /// Parameters
    /// ----------
    /// id : int
    ///     The id of a body.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If there is no body with this id.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> scene = tangere.Scene()
    /// >>> scene.remove(scene.add(tangere.Sphere(1)))
    /// >>> scene.add(tangere.Sphere(1))
    /// 1
    fn remove(&self, id: &Bound<'_, PyAny>) -> PyResult<()> {
        let (py, id) = (id.py(), id_argument(id, "id")?);
        let removed = self.shared.read(py, |state| {
            state.scene.remove(id)?;
            state.names.remove(&id);
            Ok(())
        })?;
        removed.map_err(|e| of_arrays(e, &ONE))
    }

    /// The ids of all bodies, ascending: uint64 of shape (N,).
    #[getter]
    fn ids<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let ids = self.shared.read(py, |state| state.scene.ids())?;
        Ok(from_numbers(py, ids))
    }

    /// The names of bodies that have one, by id.
    #[getter]
    fn names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let names = self.shared.read(py, |state| state.names.clone())?;
        names_dict(py, &names)
    }

    /// The poses of all bodies, in the order of `ids`: float64 of shape (N, 7), rows
    /// (tx, ty, tz, qw, qx, qy, qz).
    #[getter]
    fn poses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let poses = self.shared.read(py, |state| {
            let ids = state.scene.ids().into_iter();
            let poses = ids.map(|id| Ok(state.scene.pose(id)?.to_numbers()));
            poses.collect::<tangere::Result<Vec<[f64; 7]>>>()
        })?;
        from_points(py, poses.map_err(value_error)?)
    }

    /// Sets the poses of bodies.
    ///
    /// Contacts change at the next `update`. If this raises, no pose changes.
    ///
    /// Parameters
    /// ----------
    /// poses : array_like, shape (N, 3), (N, 7) or (N, 4, 4)
    ///     A pose for each body.
    /// ids : array_like of int, shape (N,), optional
    ///     The ids of the bodies; all, in the order of `ids`, if None.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If an id is unknown or twice in the list, a pose is invalid, or there is not one for each body.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> scene = tangere.Scene()
    /// >>> ids = scene.add_many(tangere.Sphere(0.5), [[0, 0, 0], [3, 0, 0]])
    /// >>> scene.set_poses([[0, 0, 0], [1, 0, 0]])
    /// >>> scene.update()
    /// >>> len(scene.contacts())
    /// 1
    /// >>> scene.set_poses([[5, 0, 0]], ids=[1])
    /// >>> scene.poses[:, 0].tolist()
    /// [0.0, 5.0]
    #[pyo3(signature = (poses, ids=None))]
    fn set_poses(&self, poses: &Bound<'_, PyAny>, ids: Argument<'_, '_>) -> PyResult<()> {
        let py = poses.py();
        let poses: Vec<Pose> = pose_rows(poses, "poses")?;
        let ids = optional(ids, "ids", crate::arrays::ids)?;
        let set = self.shared.read(py, |state| {
            let ids = ids.unwrap_or_else(|| state.scene.ids());
            state.scene.set_poses(&ids, &poses)
        })?;
        set.map_err(|e| of_arrays(e, &[(What::Body, "ids"), (What::Poses, "poses")]))
    }

    /// Sets the positions of bodies, the origins of their frames; they keep their rotations.
    ///
    /// Contacts change at the next `update`. If this raises, no body moves. For spheres this is faster
    /// than `set_poses`.
    ///
    /// Parameters
    /// ----------
    /// positions : array_like, shape (N, 3)
    ///     A position for each body.
    /// ids : array_like of int, shape (N,), optional
    ///     The ids of the bodies; all, in the order of `ids`, if None.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If an id is unknown or twice in the list, a position is invalid, or there is not one for each
    ///     body.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> scene = tangere.Scene()
    /// >>> scene.add(tangere.Sphere(0.5), [0, 0, 0, 0, 1, 0, 0])
    /// 0
    /// >>> scene.set_positions([[2, 0, 0]])
    /// >>> scene.poses.tolist()
    /// [[2.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]]
    #[pyo3(signature = (positions, ids=None))]
    fn set_positions(&self, positions: &Bound<'_, PyAny>, ids: Argument<'_, '_>) -> PyResult<()> {
        let py = positions.py();
        let positions = any_points::<3>(positions, "positions")?;
        let ids = optional(ids, "ids", crate::arrays::ids)?;
        let set = self.shared.read(py, |state| {
            let ids = ids.unwrap_or_else(|| state.scene.ids());
            state.scene.set_positions(&ids, &positions)
        })?;
        let names = [
            (What::Body, "ids"),
            (What::Position, "positions"),
            (What::Positions, "positions"),
        ];
        set.map_err(|e| of_arrays(e, &names))
    }

    /// Declares velocities of bodies, for `sleep_until`; contacts do not depend on them.
    ///
    /// Parameters
    /// ----------
    /// velocities : array_like, shape (N, 3)
    ///     The velocity of the origin of each body's frame.
    /// spins : array_like, shape (N, 3), optional
    ///     The velocities of rotation about these origins, in radians per unit of time; 0 if None.
    /// ids : array_like of int, shape (N,), optional
    ///     The ids of the bodies; all, in the order of `ids`, if None.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If an id is unknown or twice in the list, a number is not finite, or there is not one vector for
    ///     each body.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> scene = tangere.Scene()
    /// >>> ids = scene.add_many(tangere.Sphere(0.5), [[0, 0, 0], [3, 0, 0]])
    /// >>> scene.set_velocities([[1, 0, 0], [-1, 0, 0]])
    /// >>> scene.velocities[:, 0].tolist()
    /// [1.0, -1.0]
    #[pyo3(signature = (velocities, spins=None, ids=None))]
    fn set_velocities(
        &self,
        velocities: &Bound<'_, PyAny>,
        spins: Argument<'_, '_>,
        ids: Argument<'_, '_>,
    ) -> PyResult<()> {
        let py = velocities.py();
        let velocities = any_points::<3>(velocities, "velocities")?;
        let spins = optional(spins, "spins", any_points::<3>)?;
        let spins = spins.unwrap_or_else(|| vec![[0.0; 3]; velocities.len()]);
        let ids = optional(ids, "ids", crate::arrays::ids)?;
        let set = self.shared.read(py, |state| {
            let ids = ids.unwrap_or_else(|| state.scene.ids());
            state.scene.set_velocities(&ids, &velocities, &spins)
        })?;
        let names = [
            (What::Body, "ids"),
            (What::Velocities, "velocities"),
            (What::Spin, "spins"),
        ];
        set.map_err(|e| of_arrays(e, &names))
    }

    /// The declared velocities of all bodies, in the order of `ids`: float64 of shape (N, 3).
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> scene = tangere.Scene()
    /// >>> scene.add(tangere.Sphere(1))
    /// 0
    /// >>> scene.velocities
    /// array([[0., 0., 0.]])
    #[getter]
    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let velocities = self.shared.read(py, |state| {
            let ids = state.scene.ids().into_iter();
            let own = ids.map(|id| Ok(state.scene.velocities(id)?[0]));
            own.collect::<tangere::Result<Vec<[f64; 3]>>>()
        })?;
        from_points(py, velocities.map_err(value_error)?)
    }

    /// Until when bodies that are apart cannot touch, by their declared velocities.
    ///
    /// Parameters
    /// ----------
    /// horizon : float
    ///     The time from now up to which pairs are searched.
    /// acceleration, spin_acceleration : float, optional
    ///     Bounds of the magnitudes of all accelerations, and of all accelerations of rotation,
    ///     until then.
    ///
    /// Returns
    /// -------
    /// structured ndarray
    ///     A row for each pair that is apart by more than the margin and may come within it before
    ///     the horizon, by time: ``a``, ``b``, ``image`` and ``until``. Before ``until[0]``, or the
    ///     horizon if there are none, no new contact begins.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If a number is negative or not finite.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> scene = tangere.Scene()
    /// >>> ids = scene.add_many(tangere.Sphere(0.5), [[0, 0, 0], [3, 0, 0], [9, 0, 0]])
    /// >>> scene.set_velocities([[1, 0, 0], [-1, 0, 0], [0, 0, 0]])
    /// >>> rows = scene.sleep_until(2)
    /// >>> rows["b"].tolist(), round(float(rows["until"][0]), 9)
    /// ([1], 1.0)
    #[pyo3(signature = (horizon, acceleration=Given(None), spin_acceleration=Given(None)))]
    #[pyo3(text_signature = "($self, horizon, acceleration=0.0, spin_acceleration=0.0)")]
    fn sleep_until<'py>(
        &self,
        horizon: &Bound<'py, PyAny>,
        acceleration: Given<'py>,
        spin_acceleration: Given<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, horizon) = (horizon.py(), number(horizon, "horizon")?);
        let accelerations = Accelerations {
            linear: acceleration.or(0.0, "acceleration", number)?,
            angular: spin_acceleration.or(0.0, "spin_acceleration", number)?,
        };
        let rows = move |state: &mut State| {
            let found = state.scene.sleep_until(horizon, accelerations)?;
            Table::new(PAIR_SLEEP, &found).packed()
        };
        self.rows(py, rows, &[(What::PeriodicCell, "periodic")])
    }

    /// The candidate pairs of the last update, by kind.
    ///
    /// They contain every pair of bodies within the margin, for those who compute contacts and
    /// forces themselves.
    ///
    /// Returns
    /// -------
    /// dict
    ///     For each kind of pair (``'sphere-sphere'``, ``'sphere-half-space'``,
    ///     ``'rounded-rounded'``, ``'rounded-half-space'``, ``'many'``) the ids of both bodies,
    ///     uint64 of shape (M, 2), the lower first, and the image of the second, int32 of shape
    ///     (M, 3).
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> scene = tangere.Scene()
    /// >>> ids = scene.add_many(tangere.Sphere(0.5), [[0, 0, 0], [0.9, 0, 0], [9, 0, 0]])
    /// >>> scene.update()
    /// >>> scene.batches()["sphere-sphere"][0]
    /// array([[0, 1]], dtype=uint64)
    #[pyo3(signature = ())]
    fn batches<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let batches = self.shared.work(py, self.threads, |state| {
            let ids = state.scene.columns().ids.to_vec();
            let batches = state.scene.batches().map(|batch| {
                let pairs = batch.pairs.iter();
                let pairs = pairs.map(|pair| pair.slots.map(|slot| ids[slot as usize]));
                let images = batch.pairs.iter().map(|pair| pair.image);
                let (pairs, images): (Vec<[u64; 2]>, Vec<[i32; 3]>) =
                    (pairs.collect(), images.collect());
                (batch.kind.name(), pairs, images)
            });
            batches.collect::<Vec<_>>()
        })?;
        let dict = PyDict::new(py);
        for (kind, pairs, images) in batches {
            dict.set_item(kind, (from_points(py, pairs)?, from_points(py, images)?))?;
        }
        Ok(dict)
    }

    /// Finds the contacts of all bodies in their present poses, without the GIL.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the periodic cell is too small for a body, or has an edge that a half-space is not
    ///     parallel to. The contacts stay those of the last update then.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> scene = tangere.Scene(periodic=[4, 0, 0])
    /// >>> ids = scene.add_many(tangere.Sphere(0.5), [[0.25, 0, 0], [3.5, 0, 0]])
    /// >>> scene.update()
    /// >>> scene.contacts()["image"].tolist(), scene.contacts()["gap"].tolist()
    /// ([[-1, 0, 0]], [-0.25])
    #[pyo3(signature = ())]
    fn update(&self, py: Python<'_>) -> PyResult<()> {
        let updated = self
            .shared
            .work(py, self.threads, |state| state.scene.update())?;
        updated.map_err(|e| of_arrays(e, &ONE))
    }

    /// The contacts of the last update.
    ///
    /// Returns
    /// -------
    /// structured ndarray
    ///     A row for each contact, sorted by bodies, image and slot: ``id`` (the same while the
    ///     contact lasts), the ids of the bodies ``a`` and ``b`` with a < b, ``feature_a`` and
    ///     ``feature_b`` (kind and index, see `FeatureKind`), ``point_a``, ``point_b``, ``normal``
    ///     (from a to b), ``gap`` (negative where they penetrate) with its bounds ``lower`` and
    ///     ``upper``, ``volume`` (of two spheres, or of a sphere and a half-space; else NaN), ``status`` (see `ContactStatus`),
    ///     ``event`` (see `ContactEvent`), ``image`` (the periodic image of b), ``slot`` (the
    ///     number of the contact in its pair) and ``parts`` (of compounds).
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> scene = tangere.Scene(margin=1)
    /// >>> ids = scene.add_many(tangere.Sphere(1), [[0, 0, 0], [2.5, 0, 0]])
    /// >>> scene.update()
    /// >>> row = scene.contacts()[0]
    /// >>> row["gap"], row["point_b"].tolist(), row["status"] == tangere.ContactStatus.SEPARATED
    /// (np.float64(0.5), [1.5, 0.0, 0.0], np.True_)
    #[pyo3(signature = ())]
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let rows = |state: &mut State| packed(&state.scene, state.scene.contacts().iter());
        self.rows(py, rows, &[])
    }

    /// The contacts that ended in the last update, as they were before it.
    ///
    /// A contact that began in the same update may have the ``id`` of one of them: what is kept by
    /// ``id`` must be dropped when a contact ended or began.
    ///
    /// Returns
    /// -------
    /// structured ndarray
    ///     Rows as of `contacts`, with the event 'ended'.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> scene = tangere.Scene()
    /// >>> ids = scene.add_many(tangere.Sphere(1), [[0, 0, 0], [2, 0, 0]])
    /// >>> scene.update()
    /// >>> scene.set_poses([[3, 0, 0]], ids=[1])
    /// >>> scene.update()
    /// >>> len(scene.contacts()), [tangere.ContactEvent(e).word for e in scene.ended()["event"]]
    /// (0, ['ended'])
    #[pyo3(signature = ())]
    fn ended<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let rows = |state: &mut State| packed(&state.scene, state.scene.ended().iter());
        self.rows(py, rows, &[])
    }

    /// The contacts of one body in the last update.
    ///
    /// Parameters
    /// ----------
    /// id : int
    ///     The id of a body.
    ///
    /// Returns
    /// -------
    /// structured ndarray
    ///     Rows as of `contacts`.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If there is no body with this id.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> scene = tangere.Scene()
    /// >>> ids = scene.add_many(tangere.Sphere(1), [[0, 0, 0], [2, 0, 0], [4, 0, 0]])
    /// >>> scene.update()
    /// >>> len(scene.contacts_of(1)), len(scene.contacts_of(2))
    /// (2, 1)
    fn contacts_of<'py>(&self, id: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, id) = (id.py(), id_argument(id, "id")?);
        let rows = move |state: &mut State| {
            state.scene.pose(id)?;
            packed(&state.scene, state.scene.contacts_of(id))
        };
        self.rows(py, rows, &ONE)
    }

    /// Finds all contacts of the present poses anew by brute force, and compares them with those of the
    /// last update.
    ///
    /// It belongs after `update`: of bodies that moved since then it lists what the next update will change.
    /// Every pair of bodies, every image and every triangle is tested; contacts of convex bodies
    /// are checked by a certificate, too. It takes the square of the number of bodies.
    ///
    /// Returns
    /// -------
    /// list of str
    ///     What differs; empty if all is right.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> scene = tangere.Scene()
    /// >>> ids = scene.add_many(tangere.Box(1), [[0, 0, 0], [0.5, 0.5, 0.5]])
    /// >>> scene.update()
    /// >>> scene.verify()
    /// []
    #[pyo3(signature = ())]
    fn verify(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let found = self
            .shared
            .work(py, self.threads, |state| state.scene.verify())?;
        let found = found.map_err(value_error)?;
        Ok(found.iter().map(ToString::to_string).collect())
    }

    /// What each method answers for a pair of bodies in their present poses.
    ///
    /// Methods are the narrow phase of the scene, the same with the bodies exchanged, brute force
    /// over all images and triangles and, for two convex solids, all pairs of features and Lin's
    /// walk as published.
    ///
    /// Parameters
    /// ----------
    /// a, b : int
    ///     The ids of two bodies.
    ///
    /// Returns
    /// -------
    /// list of PairAnswer
    ///     Contacts, method by method; ``agrees`` is False where one differs from the scene.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If there are no two bodies with these ids.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> scene = tangere.Scene()
    /// >>> ids = scene.add_many(tangere.Box(1), [[0, 0, 0], [0.75, 0.125, 0]])
    /// >>> for answer in scene.pair_answers(0, 1):
    /// ...     print(answer.method, answer.gap, answer.agrees)
    /// scene -0.25 True
    /// mirrored -0.25 True
    /// brute-force -0.25 True
    /// exhaustive -0.25 True
    /// lin -0.25 True
    fn pair_answers<'py>(
        &self,
        a: &Bound<'py, PyAny>,
        b: &Bound<'py, PyAny>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let (py, pair) = (a.py(), [id_argument(a, "a")?, id_argument(b, "b")?]);
        let work = move |state: &mut State| state.scene.pair_answers(pair);
        let answers = self.shared.work(py, self.threads, work)?;
        let answers = answers.map_err(|e| of_arrays(e, &PAIR))?;
        let answer = |answer| record(py, "PairAnswer", PAIR_ANSWER, answer);
        answers.iter().map(answer).collect()
    }

    /// The query of a pair of bodies as bytes.
    ///
    /// They are the snapshot of a scene of these two alone: ``tangere replay FILE`` and
    /// `restore` read them.
    ///
    /// Parameters
    /// ----------
    /// a, b : int
    ///     The ids of two bodies.
    ///
    /// Returns
    /// -------
    /// bytes
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If there are no two bodies with these ids.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> scene = tangere.Scene()
    /// >>> ids = scene.add_many(tangere.Sphere(1), [[0, 0, 0], [1, 0, 0], [2, 0, 0]])
    /// >>> tangere.Scene.restore(scene.replay(0, 2))
    /// <tangere.Scene of 2 bodies, 0 contacts>
    fn replay<'py>(
        &self,
        a: &Bound<'py, PyAny>,
        b: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (py, pair) = (a.py(), [id_argument(a, "a")?, id_argument(b, "b")?]);
        let work = move |state: &mut State| state.scene.replay(pair);
        let bytes = self.shared.work(py, self.threads, work)?;
        Ok(PyBytes::new(py, &bytes.map_err(|e| of_arrays(e, &PAIR))?))
    }

    /// The state as bytes: bodies, contacts and histories, without names.
    ///
    /// Returns
    /// -------
    /// bytes
    ///     `restore` makes a scene of them that goes on with the same bits.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> scene = tangere.Scene()
    /// >>> ids = scene.add_many(tangere.Box(1), [[0, 0, 0], [0.5, 0.5, 0.5]])
    /// >>> scene.update()
    /// >>> tangere.Scene.restore(scene.snapshot()).state_hash() == scene.state_hash()
    /// True
    #[pyo3(signature = ())]
    fn snapshot<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self
            .shared
            .work(py, self.threads, |state| state.scene.snapshot())?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// A scene from the bytes of a snapshot.
    ///
    /// Parameters
    /// ----------
    /// snapshot : bytes
    ///     What `snapshot` returned.
    #[doc = include_str!("../threads.txt")]
    /// Returns
    /// -------
    /// Scene
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the bytes are not a snapshot, are cut off or damaged.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> scene = tangere.Scene()
    /// >>> scene.add(tangere.Sphere(1))
    /// 0
    /// >>> tangere.Scene.restore(scene.snapshot())
    /// <tangere.Scene of 1 body, 0 contacts>
    #[staticmethod]
    #[pyo3(signature = (snapshot, *, threads=None))]
    fn restore(snapshot: &Bound<'_, PyAny>, threads: Argument<'_, '_>) -> PyResult<Self> {
        let Ok(bytes) = snapshot.cast::<PyBytes>() else {
            return Err(type_error(snapshot, "snapshot", "bytes"));
        };
        let (py, threads) = (snapshot.py(), threads_of(threads)?);
        let bytes = bytes.as_bytes().to_vec();
        let scene = crate::run::run_on(py, threads, move || scene::Scene::restore(&bytes))?;
        Ok(Self::of(
            scene.map_err(value_error)?,
            BTreeMap::new(),
            threads,
        ))
    }

    /// A hash of bodies and contacts.
    ///
    /// It is equal for equal content, in whatever order bodies were added and on any number of
    /// threads.
    ///
    /// Returns
    /// -------
    /// int
    ///     From 0 to 2**64 - 1.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> one, other = tangere.Scene(threads=1), tangere.Scene()
    /// >>> for scene, order in [(one, [1, 2]), (other, [2, 1])]:
    /// ...     for i in order:
    /// ...         scene.add(tangere.Sphere(1), [i, 0, 0], id=i) and None
    /// ...     scene.update()
    /// >>> one.state_hash() == other.state_hash()
    /// True
    #[pyo3(signature = ())]
    fn state_hash(&self, py: Python<'_>) -> PyResult<u64> {
        self.shared
            .work(py, self.threads, |state| state.scene.state_hash())
    }

    /// The corners of the contact patches of the last update.
    ///
    /// The patch of two boxes, capsules or polyhedra is their contact area; a sphere has one
    /// corner, and so has a contact with a mesh. Poses must not have changed since the update.
    ///
    /// Returns
    /// -------
    /// offsets : ndarray of int64, shape (M + 1,)
    ///     The start of the corners of each contact, and the end of the last.
    /// points : structured ndarray
    ///     ``points[offsets[i]:offsets[i + 1]]`` are the corners of contact i: ``point_a``,
    ///     ``point_b``, ``gap``, ``feature_a`` and ``feature_b``.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> scene = tangere.Scene()
    /// >>> floor = scene.add(tangere.HalfSpace([0, 0, 1]), fixed=True)
    /// >>> die = scene.add(tangere.Box(1), [0, 0, 0.5])
    /// >>> scene.update()
    /// >>> offsets, points = scene.patches()
    /// >>> offsets, points["point_b"][:, 2].tolist()
    /// (array([0, 4]), [0.0, 0.0, 0.0, 0.0])
    #[pyo3(signature = ())]
    fn patches<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyArray1<i64>>, Bound<'py, PyAny>)> {
        let (offsets, points) = self.shared.work(py, self.threads, |state| {
            let mut patches = Patches::default();
            state.scene.patches(&mut patches);
            let offsets = patches.offsets().iter().map(|&end| end as i64);
            let offsets: Vec<i64> = offsets.collect();
            (offsets, Table::new(CORNER, patches.points()).packed())
        })?;
        let points = points.map_err(value_error)?;
        Ok((from_numbers(py, offsets), structured(py, points)?))
    }

    /// Vectors that travel with contacts: float64 of shape (M, K, 3), K vectors for each row of
    /// `contacts`, in the axes of the world.
    ///
    /// They are 0 when a contact begins, turn with its normal, are shared where a contact splits
    /// and added where two merge. Assign an array of the same shape to change them.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> scene = tangere.Scene(history=1)
    /// >>> ids = scene.add_many(tangere.Sphere(1), [[0, 0, 0], [1.5, 0, 0]])
    /// >>> scene.update()
    /// >>> scene.history.shape
    /// (1, 1, 3)
    /// >>> scene.history = [[[0, 0.5, 0]]]
    /// >>> scene.set_poses([[0, 0, 0], [1.75, 0, 0]])
    /// >>> scene.update()
    /// >>> scene.history
    /// array([[[0. , 0.5, 0. ]]])
    #[getter]
    fn history<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let (values, shape) = self.shared.read(py, |state| {
            let each = state.scene.settings().history;
            let shape = [state.scene.contacts().len(), each, 3];
            (state.scene.history().to_vec(), shape)
        })?;
        from_numbers(py, values.into_flattened()).reshape(shape)
    }

    #[setter]
    fn set_history(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = value.py();
        let each = self
            .shared
            .read(py, |state| state.scene.settings().history)?;
        let (numbers, _) = rows_of(value, "history", &[&[each, 3]])?;
        if let Some(i) = numbers.iter().position(|x| !x.is_finite()) {
            let name = format!("history[{}]", i / (3 * each.max(1)));
            return Err(refused(
                &name,
                format!("{:?}", numbers[i]),
                "finite numbers",
            ));
        }
        let (vectors, _) = numbers.as_chunks::<3>();
        self.shared.read(py, |state| {
            let count = state.scene.contacts().len();
            let history = state.scene.history_mut();
            if history.len() != vectors.len() {
                let rows = vectors.len() / each.max(1);
                let expected = format!("({count}, {each}, 3), as there are {count} contacts");
                return Err(wrong_shape("history", &[rows, each, 3], expected));
            }
            history.copy_from_slice(vectors);
            Ok(())
        })?
    }

    /// The first body that each ray hits.
    ///
    /// A ray that begins inside a solid hits it at once. Queries see the present poses, without an
    /// `update`, and change nothing.
    ///
    /// Parameters
    /// ----------
    /// origins : array_like, shape (N, 3)
    ///     Where the rays begin.
    /// directions : array_like, shape (N, 3)
    ///     Their directions, of any length above 0.
    /// t_max : array_like, shape (N,), or float, optional
    ///     Where the rays end, in lengths of their directions.
    ///
    /// Returns
    /// -------
    /// structured ndarray, shape (N,)
    ///     ``body`` (its id; 2**64 - 1 where nothing is hit), ``t`` (infinite then) and
    ///     ``normal``, towards the side the ray comes from; 0 where it begins inside.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If a ray is invalid, or the scene is periodic.
    ///
    /// Examples
    /// --------
    /// >>> import numpy as np, tangere
    /// >>> scene = tangere.Scene()
    /// >>> scene.add(tangere.Sphere(1))
    /// 0
    /// >>> hits = scene.rays([[-5, 0, 0], [-5, 2, 0]], [[1, 0, 0], [1, 0, 0]])
    /// >>> hits["t"].tolist(), np.isfinite(hits["t"]).tolist()
    /// ([4.0, inf], [True, False])
    #[pyo3(signature = (origins, directions, t_max=Given(None)))]
    #[pyo3(text_signature = "($self, origins, directions, t_max=1e999)")]
    fn rays<'py>(
        &self,
        origins: &Bound<'py, PyAny>,
        directions: &Bound<'py, PyAny>,
        t_max: Given<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = origins.py();
        let origins = any_points::<3>(origins, "origins")?;
        let directions = any_points::<3>(directions, "directions")?;
        let count = origins.len();
        let ends = t_max.or(vec![f64::INFINITY; count], "t_max", |value, name| {
            numbers_for(value, name, count)
        })?;
        for (name, found) in [("directions", directions.len()), ("t_max", ends.len())] {
            if found != count {
                let expected = format!("{count}, one for each origin");
                return Err(refused(name, found, expected));
            }
        }
        let rays = origins.into_iter().zip(directions).zip(ends);
        let rays: Vec<Ray<3>> = rays
            .map(|((origin, direction), t_max)| Ray {
                origin,
                direction,
                t_max,
            })
            .collect();
        let rows = move |state: &mut State| {
            let hits = state.scene.queries()?.rays(&rays)?;
            Table::new(RAY_HIT, &hits).packed()
        };
        self.rows(py, rows, &ONE)
    }

    /// The body nearest to each point.
    ///
    /// Parameters
    /// ----------
    /// points : array_like, shape (N, 3)
    ///
    /// Returns
    /// -------
    /// structured ndarray, shape (N,)
    ///     ``body`` (its id; 2**64 - 1 in an empty scene), ``gap`` (the distance, negative inside a
    ///     solid) and ``point`` (the nearest point of the body).
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If a coordinate is not finite.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> scene = tangere.Scene()
    /// >>> ids = scene.add_many([tangere.Sphere(1), tangere.Box(2)], [[0, 0, 0], [9, 0, 0]])
    /// >>> near = scene.nearest([[3, 0, 0], [8.5, 0, 0]])
    /// >>> near["body"].tolist(), near["gap"].tolist(), near["point"][1].tolist()
    /// ([0, 1], [2.0, -0.5], [8.0, 0.0, 0.0])
    fn nearest<'py>(&self, points: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, points) = (points.py(), any_points::<3>(points, "points")?);
        let rows = move |state: &mut State| {
            let found = state.scene.queries()?.nearest(&points)?;
            Table::new(NEAREST, &found).packed()
        };
        self.rows(py, rows, &[(What::Point, "points")])
    }

    /// The bodies that contain each point, inside or on their surface. Walls contain nothing.
    ///
    /// Parameters
    /// ----------
    /// points : array_like, shape (N, 3)
    ///
    /// Returns
    /// -------
    /// offsets : ndarray of int64, shape (N + 1,)
    ///     The start of the bodies of each point, and the end of the last.
    /// ids : ndarray of uint64
    ///     ``ids[offsets[i]:offsets[i + 1]]`` contain point i, ascending.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If a coordinate is not finite.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> scene = tangere.Scene()
    /// >>> ids = scene.add_many(tangere.Sphere(1), [[0, 0, 0], [1, 0, 0]])
    /// >>> offsets, ids = scene.containing([[0.5, 0, 0], [1.5, 0, 0], [9, 0, 0]])
    /// >>> offsets.tolist(), ids.tolist()
    /// ([0, 2, 3, 3], [0, 1, 1])
    fn containing<'py>(&self, points: &Bound<'py, PyAny>) -> PyResult<Lists<'py>> {
        let (py, points) = (points.py(), any_points::<3>(points, "points")?);
        let find = move |scene: &scene::Scene| scene.queries()?.containing(&points);
        self.lists(py, find, &[(What::Point, "points")])
    }

    /// The bodies that have a point in common with each axis-aligned box.
    ///
    /// Parameters
    /// ----------
    /// lower : array_like, shape (N, 3)
    ///     The lower corners of the boxes, finite.
    /// upper : array_like, of the same shape
    ///     Their upper corners, nowhere below the lower ones.
    ///
    /// Returns
    /// -------
    /// offsets : ndarray of int64, shape (N + 1,)
    ///     The start of the bodies of each box, and the end of the last.
    /// ids : ndarray of uint64
    ///     ``ids[offsets[i]:offsets[i + 1]]`` reach into box i, ascending.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If a corner is not finite, or boxes are turned over.
    ///
    /// Examples
    /// --------
    /// >>> import tangere
    /// >>> scene = tangere.Scene()
    /// >>> ids = scene.add_many(tangere.Sphere(1), [[0, 0, 0], [5, 0, 0]])
    /// >>> offsets, ids = scene.in_boxes([[0.5, 0, 0]], [[4.5, 1, 1]])
    /// >>> offsets.tolist(), ids.tolist()
    /// ([0, 2], [0, 1])
    fn in_boxes<'py>(
        &self,
        lower: &Bound<'py, PyAny>,
        upper: &Bound<'py, PyAny>,
    ) -> PyResult<Lists<'py>> {
        let (py, boxes) = (lower.py(), boxes::<3>(lower, upper, Ends::Finite)?);
        let find = move |scene: &scene::Scene| scene.queries()?.in_boxes(&boxes);
        self.lists(py, find, &[(What::Box, "lower")])
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.shared.read(py, |state| state.scene.len())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let (bytes, names) = self.shared.work(py, self.threads, |state| {
            (state.scene.snapshot(), state.names.clone())
        })?;
        let threads = (self.threads > 0).then_some(self.threads);
        let parts = (PyBytes::new(py, &bytes), names_dict(py, &names)?, threads);
        (native(py, "_restored_scene")?, parts).into_pyobject(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (bodies, contacts) = self.shared.read(py, |state| {
            (state.scene.len(), state.scene.contacts().len())
        })?;
        let bodies = counted(bodies, "body", "bodies");
        let contacts = counted(contacts, "contact", "contacts");
        Ok(format!("<tangere.Scene of {bodies}, {contacts}>"))
    }
}

fn names_dict<'py>(
    py: Python<'py>,
    names: &BTreeMap<BodyId, String>,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (id, name) in names {
        dict.set_item(id, PyString::new(py, name))?;
    }
    Ok(dict)
}

/// Restores a pickled scene.
#[pyfunction(name = "_restored_scene")]
#[pyo3(signature = (snapshot, names, threads))]
pub fn restored_scene(
    snapshot: &Bound<'_, PyAny>,
    names: BTreeMap<BodyId, String>,
    threads: Argument<'_, '_>,
) -> PyResult<Scene> {
    let scene = Scene::restore(snapshot, threads)?;
    scene
        .shared
        .read(snapshot.py(), |state| state.names = names)?;
    Ok(scene)
}
