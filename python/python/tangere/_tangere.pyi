import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal, NoReturn, SupportsFloat, SupportsIndex, TypeAlias, final, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._dump import DumpFrame
from ._grid import GridField
from ._records import (
    Contact,
    Counts,
    FaceReport,
    Feature,
    GasCounts,
    Impact,
    ImpactCounts,
    LinContact,
    MeshReport,
    Motion,
    Overlap,
    PairAnswer,
    Repair,
    Source,
    SurfaceDistance,
)

__all__ = [
    "Bodies",
    "Body",
    "BodyShape",
    "Box",
    "Capsule",
    "Compound",
    "ConvexCache",
    "ConvexPairs",
    "ConvexPolyhedron",
    "DumpFrames",
    "FaceMesh",
    "Gas",
    "HalfSpace",
    "Hierarchy",
    "ImpactEngine",
    "Inside",
    "Mesh",
    "Packing",
    "PairFinder",
    "Periodic",
    "Scene",
    "Simulation",
    "Sphere",
    "Tree",
    "Wall",
    "__version__",
    "_checked_feature",
    "_columns",
    "_words",
    "_restored_body",
    "_restored_body_shape",
    "_restored_mesh",
    "_restored_packing",
    "_restored_pair_finder",
    "_restored_scene",
    "box",
    "box_pairs",
    "box_pairs_between",
    "chazelle",
    "closest",
    "crystal",
    "edge_edge",
    "edge_vertex",
    "exact_overlap",
    "first_meetings",
    "foam",
    "hierarchy",
    "hull",
    "inside",
    "intersections",
    "intersects",
    "knot",
    "load",
    "load_faces",
    "load_particles",
    "next_collisions",
    "overlap",
    "pack",
    "pairs",
    "pairs_between",
    "particles",
    "plate",
    "read_dump",
    "save",
    "save_particles",
    "self_intersections",
    "sphere",
    "sponge",
    "vertex_face",
    "vertex_vertex",
]

__version__: str

_Float: TypeAlias = SupportsFloat | SupportsIndex
_Cell: TypeAlias = ArrayLike | Periodic
_Pairs: TypeAlias = NDArray[np.uint32]
_Surface: TypeAlias = (
    Mesh
    | FaceMesh
    | BodyShape
    | ConvexPolyhedron
    | tuple[ArrayLike, ArrayLike]
    | list[ArrayLike]
    | Mapping[str, Any]
)
_SceneShape: TypeAlias = (
    Sphere | Box | Capsule | HalfSpace | ConvexPolyhedron | Mesh | Wall | Compound
)
_Rotation: TypeAlias = ArrayLike | str
_BodyName: TypeAlias = SupportsIndex | str
_Construction: TypeAlias = Literal["top-down", "bottom-up", "online"]
_Volume: TypeAlias = Literal["box", "ball"]
_Refinement: TypeAlias = Literal["none", "aabb", "14-dop", "18-dop", "26-dop", "obb"]

@final
class Mesh:
    def __new__(cls, vertices: ArrayLike, faces: ArrayLike) -> Mesh: ...
    @property
    def vertices(self) -> NDArray[np.float64]: ...
    @property
    def faces(self) -> NDArray[np.uint32]: ...
    @property
    def report(self) -> MeshReport: ...
    def report_with_self_intersections(
        self, *, threads: SupportsIndex | None = None
    ) -> MeshReport: ...
    @property
    def bounds(self) -> NDArray[np.float64]: ...
    @property
    def source(self) -> Source | None: ...
    @property
    def repair(self) -> Repair | None: ...
    def transformed(
        self,
        *,
        scale: _Float = 1.0,
        rotate: str | ArrayLike | None = None,
        translate: ArrayLike | None = None,
        pose: ArrayLike | None = None,
        threads: SupportsIndex | None = None,
    ) -> Mesh: ...
    def welded(
        self, tolerance: _Float, *, threads: SupportsIndex | None = None
    ) -> Mesh: ...
    def reoriented(self, *, threads: SupportsIndex | None = None) -> Mesh: ...
    @property
    def centroid(self) -> NDArray[np.float64] | None: ...
    def mass(self, density: _Float = 1.0) -> float | None: ...
    def inertia(self, density: _Float = 1.0) -> NDArray[np.float64] | None: ...
    def signed_distance(
        self, points: ArrayLike, *, threads: SupportsIndex | None = None
    ) -> NDArray[np.float64]: ...
    def distance_grid(
        self,
        n: SupportsIndex | Iterable[SupportsIndex] | None = None,
        *,
        spacing: _Float | None = None,
        bounds: ArrayLike | None = None,
        margin: SupportsIndex = 0,
        threads: SupportsIndex | None = None,
    ) -> GridField: ...
    def fill_holes(
        self, max_edges: SupportsIndex = 200, *, threads: SupportsIndex | None = None
    ) -> Mesh: ...
    def closest(
        self, points: ArrayLike, *, threads: SupportsIndex | None = None
    ) -> NDArray[np.void]: ...
    def within(
        self,
        points: ArrayLike,
        h: _Float,
        *,
        max_pairs: SupportsIndex | None = None,
        threads: SupportsIndex | None = None,
    ) -> tuple[NDArray[np.int64], NDArray[np.uint32]]: ...
    def __len__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __copy__(self) -> Mesh: ...
    def __deepcopy__(self, _memo: dict[int, Any]) -> Mesh: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class FaceMesh:
    def __new__(
        cls,
        nodes: ArrayLike,
        faces: ArrayLike | list[ArrayLike],
        kind: str | list[str],
        *,
        threads: SupportsIndex | None = None,
    ) -> FaceMesh: ...
    @property
    def nodes(self) -> NDArray[np.float64]: ...
    @property
    def faces(self) -> NDArray[np.uint32] | list[NDArray[np.uint32]]: ...
    @property
    def kinds(self) -> list[str]: ...
    @property
    def bounds(self) -> NDArray[np.float64]: ...
    @property
    def folded(self) -> NDArray[np.uint32]: ...
    @property
    def report(self) -> FaceReport: ...
    def project(
        self,
        points: ArrayLike,
        *,
        method: Literal["auto", "bfgs-sqp"] = "auto",
        threads: SupportsIndex | None = None,
    ) -> NDArray[np.void]: ...
    def closest(
        self, points: ArrayLike, *, threads: SupportsIndex | None = None
    ) -> NDArray[np.void]: ...
    def within(
        self,
        points: ArrayLike,
        h: _Float,
        *,
        max_pairs: SupportsIndex | None = None,
        threads: SupportsIndex | None = None,
    ) -> tuple[NDArray[np.int64], NDArray[np.uint32]]: ...
    def __len__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __getnewargs__(self) -> tuple[Any, ...]: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class ConvexPolyhedron:
    def __new__(cls, points: ArrayLike, *, threads: SupportsIndex | None = None) -> ConvexPolyhedron: ...
    @staticmethod
    def from_mesh(mesh: Mesh, *, threads: SupportsIndex | None = None) -> ConvexPolyhedron: ...
    @property
    def dimension(self) -> int: ...
    @property
    def vertices(self) -> NDArray[np.float64]: ...
    @property
    def sources(self) -> NDArray[np.uint32]: ...
    @property
    def edges(self) -> NDArray[np.uint32]: ...
    @property
    def faces(self) -> list[NDArray[np.uint32]]: ...
    @property
    def normals(self) -> NDArray[np.float64]: ...
    @property
    def offsets(self) -> NDArray[np.float64]: ...
    @property
    def volume(self) -> float: ...
    @property
    def centroid(self) -> NDArray[np.float64]: ...
    @property
    def inertia(self) -> NDArray[np.float64]: ...
    @property
    def bounds(self) -> NDArray[np.float64]: ...
    def mesh(self) -> Mesh: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __getnewargs__(self) -> tuple[NDArray[np.float64]]: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class ConvexCache:
    def __new__(cls) -> ConvexCache: ...
    @property
    def counts(self) -> Counts: ...
    def reset_counts(self) -> None: ...
    def __getnewargs__(self) -> tuple[()]: ...

@overload
def closest(
    a: ConvexPolyhedron | ArrayLike,
    b: ConvexPolyhedron | ArrayLike,
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
    cache: ConvexCache | None = None,
    *,
    convex: Literal[True] | None = None,
    verify: bool = False,
    method: Literal["auto"] = "auto",
    threads: SupportsIndex | None = None,
) -> Contact | NDArray[np.void]: ...
@overload
def closest(
    a: ConvexPolyhedron | Mesh | ArrayLike,
    b: ConvexPolyhedron | Mesh | ArrayLike,
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
    cache: ConvexCache | None = None,
    *,
    convex: Literal[True],
    verify: bool = False,
    method: Literal["auto"] = "auto",
    threads: SupportsIndex | None = None,
) -> Contact | NDArray[np.void]: ...
@overload
def closest(
    a: ConvexPolyhedron | Mesh | ArrayLike,
    b: ConvexPolyhedron | Mesh | ArrayLike,
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
    cache: None = None,
    *,
    convex: Literal[True] | None = None,
    verify: bool = False,
    method: Literal["lin"],
    threads: SupportsIndex | None = None,
) -> LinContact | NDArray[np.void]: ...
@overload
def closest(
    a: Mesh,
    b: Mesh,
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
    cache: None = None,
    *,
    convex: Literal[False] | None = None,
    verify: Literal[False] = False,
    method: Literal["auto"] = "auto",
    threads: SupportsIndex | None = None,
) -> SurfaceDistance | NDArray[np.void]: ...

@overload
def intersections(
    a: Mesh,
    b: Mesh,
    pose_b: ArrayLike | None = None,
    *,
    pose_a: ArrayLike | None = None,
    return_kinds: Literal[False] = False,
    threads: SupportsIndex | None = None,
) -> NDArray[np.uint32]: ...
@overload
def intersections(
    a: Mesh,
    b: Mesh,
    pose_b: ArrayLike | None = None,
    *,
    pose_a: ArrayLike | None = None,
    return_kinds: Literal[True],
    threads: SupportsIndex | None = None,
) -> tuple[NDArray[np.uint32], NDArray[np.uint8]]: ...
@overload
def intersects(
    a: Mesh,
    b: Mesh,
    pose_b: ArrayLike | None = None,
    *,
    pose_a: ArrayLike | None = None,
    return_status: Literal[False] = False,
    threads: SupportsIndex | None = None,
) -> bool | NDArray[np.bool_]: ...
@overload
def intersects(
    a: Mesh,
    b: Mesh,
    pose_b: ArrayLike | None = None,
    *,
    pose_a: ArrayLike | None = None,
    return_status: Literal[True],
    threads: SupportsIndex | None = None,
) -> str | NDArray[np.str_]: ...
@overload
def self_intersections(
    mesh: Mesh,
    *,
    return_kinds: Literal[False] = False,
    threads: SupportsIndex | None = None,
) -> NDArray[np.uint32]: ...
@overload
def self_intersections(
    mesh: Mesh,
    *,
    return_kinds: Literal[True],
    threads: SupportsIndex | None = None,
) -> tuple[NDArray[np.uint32], NDArray[np.uint8]]: ...

@final
class ConvexPairs:
    def __new__(
        cls,
        shapes: Iterable[ConvexPolyhedron | Mesh | ArrayLike],
        *,
        threads: SupportsIndex | None = None,
    ) -> ConvexPairs: ...
    def contacts(
        self, poses: ArrayLike, pairs: ArrayLike, *, verify: bool = False
    ) -> NDArray[np.void]: ...
    @property
    def counts(self) -> Counts: ...
    def reset_counts(self) -> None: ...
    def __len__(self) -> int: ...
    def __getnewargs_ex__(self) -> tuple[tuple[list[ConvexPolyhedron]], dict[str, Any]]: ...

@final
class Gas:
    def __new__(
        cls,
        centers: ArrayLike,
        velocities: ArrayLike,
        radii: ArrayLike,
        masses: ArrayLike | None = None,
        *,
        periodic: ArrayLike | None = None,
        origin: ArrayLike | None = None,
        walls: ArrayLike | None = None,
        gravity: ArrayLike | None = None,
        restitution: _Float = 1.0,
        wall_restitution: _Float = 1.0,
        contact_time: _Float | None = None,
        time: _Float = 0.0,
        threads: SupportsIndex | None = None,
    ) -> Gas: ...
    def run(
        self, events: SupportsIndex | None = None, until: _Float | None = None, *, record: bool = True
    ) -> NDArray[np.void]: ...
    @staticmethod
    def thermal_velocities(
        masses: ArrayLike, temperature: _Float, *, dim: Literal[2, 3] = 3, seed: SupportsIndex = 0
    ) -> NDArray[np.float64]: ...
    def synchronize(self) -> None: ...
    def copy(self) -> Gas: ...
    @property
    def time(self) -> float: ...
    @property
    def centers(self) -> NDArray[np.float64]: ...
    @property
    def velocities(self) -> NDArray[np.float64]: ...
    @property
    def radii(self) -> NDArray[np.float64]: ...
    @property
    def masses(self) -> NDArray[np.float64]: ...
    @property
    def energy(self) -> float: ...
    @property
    def momentum(self) -> NDArray[np.float64]: ...
    @property
    def pressure(self) -> float | None: ...
    @property
    def collisions(self) -> int: ...
    @property
    def counts(self) -> GasCounts: ...
    @property
    def contact_time(self) -> float: ...
    @property
    def end(self) -> Literal["events", "until", "over", "stalled"] | None: ...
    def __len__(self) -> int: ...
    def __copy__(self) -> Gas: ...
    def __deepcopy__(self, _memo: dict[int, Any]) -> Gas: ...
    def __reduce__(self) -> NoReturn: ...

@final
class Simulation:
    def __new__(
        cls,
        scene_or_deck: str | os.PathLike[str] | Mapping[str, Any],
        *,
        variables: dict[str, str] | None = None,
        ignore: Sequence[str] | None = None,
        synchronized: bool = False,
        ledger: bool = False,
        threads: SupportsIndex | None = None,
    ) -> Simulation: ...
    def step(
        self,
        n: SupportsIndex = 1,
        *,
        forces: Callable[[NDArray[np.float64], NDArray[np.float64], float], ArrayLike] | None = None,
    ) -> None: ...
    def contacts(self) -> NDArray[np.void]: ...
    def clumps(self) -> NDArray[np.void]: ...
    def checkpoint(self, path: str | os.PathLike[str]) -> None: ...
    @staticmethod
    def resume(path: str | os.PathLike[str], *, threads: SupportsIndex | None = None) -> Simulation: ...
    def hash(self) -> str: ...
    @property
    def ids(self) -> NDArray[np.uint64]: ...
    @property
    def positions(self) -> NDArray[np.float64]: ...
    @property
    def velocities(self) -> NDArray[np.float64]: ...
    @property
    def spins(self) -> NDArray[np.float64]: ...
    @property
    def forces(self) -> NDArray[np.float64]: ...
    @property
    def torques(self) -> NDArray[np.float64]: ...
    @property
    def radii(self) -> NDArray[np.float64]: ...
    @property
    def masses(self) -> NDArray[np.float64]: ...
    @property
    def kinetic_energy(self) -> tuple[float, float]: ...
    @property
    def energy(self) -> dict[str, float] | None: ...
    @property
    def critical_step(self) -> float | None: ...
    @property
    def bodies(self) -> NDArray[np.uint64]: ...
    @property
    def time(self) -> float: ...
    @property
    def steps(self) -> int: ...
    def __len__(self) -> int: ...
    def __reduce__(self) -> NoReturn: ...

@final
class Packing:
    def __new__(
        cls, centers: ArrayLike, radii: ArrayLike, *, threads: SupportsIndex | None = None
    ) -> Packing: ...
    @staticmethod
    def in_mesh(
        mesh: Mesh, centers: ArrayLike, radii: ArrayLike, *, threads: SupportsIndex | None = None
    ) -> Packing: ...
    @staticmethod
    def load(path: str | os.PathLike[str], *, threads: SupportsIndex | None = None) -> Packing: ...
    def updated(
        self,
        centers: ArrayLike,
        radii: ArrayLike | None = None,
        *,
        threads: SupportsIndex | None = None,
    ) -> Packing: ...
    def save(self, path: str | os.PathLike[str]) -> None: ...
    @property
    def centers(self) -> NDArray[np.float64]: ...
    @property
    def radii(self) -> NDArray[np.float64]: ...
    @property
    def filling(self) -> float: ...
    @property
    def volume(self) -> float: ...
    @property
    def bounds(self) -> NDArray[np.float64]: ...
    def __len__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __copy__(self) -> Packing: ...
    def __deepcopy__(self, memo: dict[int, Any], /) -> Packing: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

def pack(
    mesh: Mesh | ConvexPolyhedron | Callable[[NDArray[np.float64]], ArrayLike],
    *,
    spheres: SupportsIndex | None = None,
    filling: _Float | None = None,
    smallest: _Float | None = None,
    bounds: ArrayLike | None = None,
    volume: _Float | None = None,
    threads: SupportsIndex | None = None,
) -> Packing: ...

@overload
def overlap(
    a: Packing | Mesh,
    b: Packing | Mesh,
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
    *,
    method: str = "auto",
    about: ArrayLike | None = None,
    budget_us: _Float | None = None,
    budget_work: SupportsIndex | None = None,
    return_pairs: Literal[False] = False,
    threads: SupportsIndex | None = None,
) -> Any: ...
@overload
def overlap(
    a: Packing | Mesh,
    b: Packing | Mesh,
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
    *,
    method: str = "auto",
    about: ArrayLike | None = None,
    budget_us: _Float | None = None,
    budget_work: SupportsIndex | None = None,
    return_pairs: Literal[True],
    threads: SupportsIndex | None = None,
) -> tuple[Overlap, NDArray[np.uint32]]: ...

def exact_overlap(
    a: Mesh,
    b: Mesh,
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
    *,
    threads: SupportsIndex | None = None,
) -> Any: ...

@final
class Tree:
    def __new__(
        cls, lower: ArrayLike, upper: ArrayLike, *, threads: SupportsIndex | None = None
    ) -> Tree: ...
    @staticmethod
    def of_mesh(mesh: Mesh, *, threads: SupportsIndex | None = None) -> Tree: ...
    @staticmethod
    def of_spheres(
        centers: ArrayLike, radii: ArrayLike, *, threads: SupportsIndex | None = None
    ) -> Tree: ...
    @property
    def dimension(self) -> Literal[2, 3]: ...
    @property
    def nodes(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def cost(self) -> float: ...
    @property
    def bytes(self) -> int: ...
    def overlapping(
        self, lower: ArrayLike, upper: ArrayLike, *, threads: SupportsIndex | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.uint32]]: ...
    def pairs(self, *, threads: SupportsIndex | None = None) -> NDArray[np.uint32]: ...
    def refit(
        self, lower: ArrayLike, upper: ArrayLike, *, threads: SupportsIndex | None = None
    ) -> None: ...
    def __len__(self) -> int: ...
    def __getnewargs__(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...

@final
class Periodic:
    def __new__(
        cls, lengths: ArrayLike, *, tilt: ArrayLike | None = None, origin: ArrayLike | None = None
    ) -> Periodic: ...
    def __getnewargs_ex__(self) -> tuple[tuple[list[float]], dict[str, Any]]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class PairFinder:
    def __new__(
        cls,
        *,
        method: str = "auto",
        periodic: _Cell | None = None,
        margin: _Float = 0.0,
        skin: _Float = 0.0,
        every_image: bool = False,
        max_pairs: SupportsIndex | None = None,
        occupancy: _Float | None = None,
        origin: ArrayLike | None = None,
        threads: SupportsIndex | None = None,
    ) -> PairFinder: ...
    @property
    def builds(self) -> int: ...
    @property
    def reuses(self) -> int: ...
    @property
    def method(self) -> str: ...
    @property
    def reason(self) -> str: ...
    def chunks(self) -> Iterator[_Pairs]: ...
    def update(
        self,
        centers: ArrayLike,
        radii: ArrayLike,
        *,
        groups: ArrayLike | None = None,
        masks: ArrayLike | None = None,
        periodic: _Cell | None = None,
    ) -> None: ...
    def update_boxes(
        self,
        lower: ArrayLike,
        upper: ArrayLike,
        *,
        groups: ArrayLike | None = None,
        masks: ArrayLike | None = None,
        periodic: _Cell | None = None,
    ) -> None: ...
    def pairs(self) -> _Pairs: ...
    def query(self, centers: ArrayLike, radii: ArrayLike) -> _Pairs: ...
    def query_boxes(self, lower: ArrayLike, upper: ArrayLike) -> _Pairs: ...
    def contacts(
        self,
    ) -> tuple[_Pairs, NDArray[np.int32], NDArray[np.float64], NDArray[np.float64]]: ...
    def neighbors(self) -> tuple[NDArray[np.int64], NDArray[np.uint32]]: ...
    def __len__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Bodies:
    def __new__(
        cls,
        meshes: Iterable[Mesh],
        *,
        method: str = "auto",
        rule: str = "nonzero",
        accuracy: _Float = 1e-06,
        insist: bool = False,
        degree: SupportsIndex | None = None,
        separation: _Float | None = None,
        depth: str | SupportsIndex | None = None,
        threads: SupportsIndex | None = None,
    ) -> Bodies: ...
    def intrusions(
        self, poses: ArrayLike | Iterable[ArrayLike]
    ) -> tuple[NDArray[np.uint32], NDArray[np.int8]]: ...
    @property
    def confidence(self) -> float: ...
    @property
    def reasons(self) -> list[str]: ...
    def __len__(self) -> int: ...
    def __getnewargs_ex__(self) -> tuple[tuple[tuple[Mesh, ...]], dict[str, Any]]: ...

@final
class Inside:
    def __new__(
        cls,
        mesh: Mesh,
        *,
        method: str = "auto",
        rule: str = "nonzero",
        accuracy: _Float = 1e-06,
        insist: bool = False,
        degree: SupportsIndex | None = None,
        separation: _Float | None = None,
        depth: str | SupportsIndex | None = None,
        threads: SupportsIndex | None = None,
    ) -> Inside: ...
    @property
    def bound(self) -> float: ...
    @property
    def confidence(self) -> float: ...
    @property
    def method(self) -> str: ...
    @property
    def reason(self) -> str: ...
    def classify(self, points: ArrayLike, pose: ArrayLike | None = None) -> NDArray[np.int8]: ...
    def classify_grid(
        self,
        n: SupportsIndex | Iterable[SupportsIndex] | None = None,
        *,
        spacing: _Float | None = None,
        bounds: ArrayLike | None = None,
        margin: SupportsIndex = 0,
        threads: SupportsIndex | None = None,
    ) -> GridField: ...
    def winding(self, points: ArrayLike, pose: ArrayLike | None = None) -> NDArray[np.float64]: ...
    def confidences(self, points: ArrayLike, pose: ArrayLike | None = None) -> NDArray[np.float64]: ...
    def __getnewargs_ex__(self) -> tuple[tuple[Mesh], dict[str, Any]]: ...

def load(path: str | os.PathLike[str], *, threads: SupportsIndex | None = None) -> Mesh: ...
def load_faces(
    path: str | os.PathLike[str], *, surface: str | None = None, threads: SupportsIndex | None = None
) -> FaceMesh: ...
def save(
    mesh: Mesh | FaceMesh | GridField | NDArray[np.void],
    path: str | os.PathLike[str],
    *,
    point_data: Mapping[str, ArrayLike] | None = None,
    cell_data: Mapping[str, ArrayLike] | None = None,
    points: ArrayLike | None = None,
    threads: SupportsIndex | None = None,
) -> None: ...
def load_particles(
    path: str | os.PathLike[str], *, threads: SupportsIndex | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
@final
class DumpFrames:
    def __iter__(self) -> DumpFrames: ...
    def __next__(self) -> DumpFrame: ...
    def __reduce__(self) -> NoReturn: ...

def read_dump(path: str | os.PathLike[str]) -> DumpFrames: ...
def save_particles(
    centers: ArrayLike,
    radii: ArrayLike,
    path: str | os.PathLike[str],
    *,
    data: Mapping[str, ArrayLike] | None = None,
) -> None: ...
def pairs(
    centers: ArrayLike,
    radii: ArrayLike,
    *,
    method: str = "auto",
    periodic: _Cell | None = None,
    margin: _Float = 0.0,
    groups: ArrayLike | None = None,
    masks: ArrayLike | None = None,
    every_image: bool = False,
    max_pairs: SupportsIndex | None = None,
    occupancy: _Float | None = None,
    origin: ArrayLike | None = None,
    threads: SupportsIndex | None = None,
) -> _Pairs: ...
def box_pairs(
    lower: ArrayLike,
    upper: ArrayLike,
    *,
    method: str = "auto",
    periodic: _Cell | None = None,
    margin: _Float = 0.0,
    groups: ArrayLike | None = None,
    masks: ArrayLike | None = None,
    every_image: bool = False,
    max_pairs: SupportsIndex | None = None,
    occupancy: _Float | None = None,
    origin: ArrayLike | None = None,
    threads: SupportsIndex | None = None,
) -> _Pairs: ...
def pairs_between(
    centers: ArrayLike,
    radii: ArrayLike,
    other_centers: ArrayLike,
    other_radii: ArrayLike,
    *,
    method: str = "auto",
    periodic: _Cell | None = None,
    margin: _Float = 0.0,
    groups: ArrayLike | None = None,
    masks: ArrayLike | None = None,
    every_image: bool = False,
    max_pairs: SupportsIndex | None = None,
    occupancy: _Float | None = None,
    origin: ArrayLike | None = None,
    threads: SupportsIndex | None = None,
) -> _Pairs: ...
def box_pairs_between(
    lower: ArrayLike,
    upper: ArrayLike,
    other_lower: ArrayLike,
    other_upper: ArrayLike,
    *,
    method: str = "auto",
    periodic: _Cell | None = None,
    margin: _Float = 0.0,
    groups: ArrayLike | None = None,
    masks: ArrayLike | None = None,
    every_image: bool = False,
    max_pairs: SupportsIndex | None = None,
    occupancy: _Float | None = None,
    origin: ArrayLike | None = None,
    threads: SupportsIndex | None = None,
) -> _Pairs: ...
def inside(
    mesh: Mesh,
    points: ArrayLike,
    *,
    method: str = "auto",
    rule: str = "nonzero",
    accuracy: _Float = 1e-06,
    insist: bool = False,
    degree: SupportsIndex | None = None,
    separation: _Float | None = None,
    depth: str | SupportsIndex | None = None,
    threads: SupportsIndex | None = None,
) -> NDArray[np.int8]: ...
def first_meetings(
    centers: ArrayLike,
    radii: ArrayLike,
    velocities: ArrayLike | None = None,
    accelerations: ArrayLike | None = None,
    *,
    pairs: ArrayLike | None = None,
    horizon: _Float | None = None,
    threads: SupportsIndex | None = None,
) -> NDArray[np.void]: ...
def next_collisions(
    centers: ArrayLike,
    radii: ArrayLike,
    velocities: ArrayLike,
    *,
    pairs: ArrayLike | None = None,
    threads: SupportsIndex | None = None,
) -> NDArray[np.void]: ...
def vertex_face(
    start: ArrayLike,
    end: ArrayLike,
    *,
    separation: _Float = 0.0,
    threads: SupportsIndex | None = None,
) -> NDArray[np.void]: ...
def edge_edge(
    start: ArrayLike,
    end: ArrayLike,
    *,
    separation: _Float = 0.0,
    threads: SupportsIndex | None = None,
) -> NDArray[np.void]: ...
def edge_vertex(
    start: ArrayLike,
    end: ArrayLike,
    *,
    separation: _Float = 0.0,
    threads: SupportsIndex | None = None,
) -> NDArray[np.void]: ...
def vertex_vertex(
    start: ArrayLike,
    end: ArrayLike,
    *,
    separation: _Float = 0.0,
    threads: SupportsIndex | None = None,
) -> NDArray[np.void]: ...
def sphere(level: SupportsIndex, *, threads: SupportsIndex | None = None) -> Mesh: ...
def foam(triangles: SupportsIndex, *, seed: SupportsIndex = 0, threads: SupportsIndex | None = None) -> Mesh: ...
def sponge(level: SupportsIndex, *, threads: SupportsIndex | None = None) -> Mesh: ...
def chazelle(size: SupportsIndex, *, threads: SupportsIndex | None = None) -> Mesh: ...
def crystal(
    count: SupportsIndex,
    filled: _Float = 0.3,
    *,
    dim: Literal[2, 3] = 3,
    threads: SupportsIndex | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
def hull(faces: SupportsIndex, *, seed: SupportsIndex = 0, threads: SupportsIndex | None = None) -> Mesh: ...
def box(
    size: ArrayLike, *, divisions: SupportsIndex | ArrayLike = 1, threads: SupportsIndex | None = None
) -> Mesh: ...
def plate(
    size: ArrayLike, *, divisions: SupportsIndex | ArrayLike = 1, threads: SupportsIndex | None = None
) -> Mesh: ...
def knot(triangles: SupportsIndex, *, threads: SupportsIndex | None = None) -> Mesh: ...
def particles(
    count: SupportsIndex,
    *,
    dim: Literal[2, 3] = 3,
    diameters: ArrayLike = (0.05, 0.1),
    density: _Float | None = None,
    seed: SupportsIndex = 0,
    sizes: Literal["uniform", "log", "volume"] = "uniform",
    huge: _Float | None = None,
    contacts: _Float | None = None,
    threads: SupportsIndex | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
def _restored_mesh(
    vertices: ArrayLike, faces: ArrayLike, source: Source | None, repair: Repair | None
) -> Mesh: ...
def _restored_packing(centers: ArrayLike, radii: ArrayLike, record: ArrayLike) -> Packing: ...
def _restored_pair_finder(keywords: dict[str, Any], update: tuple[Any, ...] | None) -> PairFinder: ...
def _checked_feature(kind: Any, index: Any) -> tuple[str, int]: ...
def _columns(name: str) -> list[tuple[str, str, int, str, bool]]: ...
def _words() -> list[tuple[str, list[str]]]: ...

@final
class Hierarchy:
    @property
    def lower(self) -> NDArray[np.float64]: ...
    @property
    def upper(self) -> NDArray[np.float64]: ...
    @property
    def centers(self) -> NDArray[np.float64]: ...
    @property
    def radii(self) -> NDArray[np.float64]: ...
    @property
    def first(self) -> NDArray[np.uint32]: ...
    @property
    def count(self) -> NDArray[np.uint32]: ...
    @property
    def construction(self) -> _Construction: ...
    @property
    def volume(self) -> _Volume: ...
    @property
    def branching(self) -> int: ...
    @property
    def report(self) -> dict[str, Any]: ...
    def __len__(self) -> int: ...
    def __reduce__(self) -> NoReturn: ...

def hierarchy(
    mesh: _Surface,
    construction: _Construction = "bottom-up",
    volume: _Volume = "ball",
    branching: SupportsIndex = 8,
    *,
    threads: SupportsIndex | None = None,
) -> Hierarchy: ...

@final
class BodyShape:
    def __new__(
        cls,
        shape: _Surface,
        *,
        construction: _Construction = "top-down",
        volume: _Volume = "box",
        branching: SupportsIndex = 8,
        threads: SupportsIndex | None = None,
    ) -> BodyShape: ...
    @staticmethod
    def ball(radius: _Float) -> BodyShape: ...
    @property
    def vertices(self) -> NDArray[np.float64]: ...
    @property
    def faces(self) -> NDArray[np.uint32]: ...
    @property
    def face_mesh(self) -> FaceMesh | None: ...
    @property
    def radius(self) -> float: ...
    @property
    def hierarchy(self) -> Hierarchy: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Body:
    def __new__(
        cls,
        shape: _Surface,
        position: ArrayLike | None = None,
        rotation: _Rotation | None = None,
        velocity: ArrayLike | None = None,
        spin: ArrayLike | None = None,
        acceleration: ArrayLike | None = None,
        center: ArrayLike | None = None,
        name: str | None = None,
        *,
        threads: SupportsIndex | None = None,
    ) -> Body: ...
    @staticmethod
    def ball(
        radius: _Float,
        position: ArrayLike | None = None,
        rotation: _Rotation | None = None,
        velocity: ArrayLike | None = None,
        spin: ArrayLike | None = None,
        acceleration: ArrayLike | None = None,
        center: ArrayLike | None = None,
        name: str | None = None,
    ) -> Body: ...
    @staticmethod
    def deforming(
        shape: _Surface,
        velocities: ArrayLike | None = None,
        ends: ArrayLike | None = None,
        duration: _Float | None = None,
        position: ArrayLike | None = None,
        rotation: _Rotation | None = None,
        name: str | None = None,
        *,
        threads: SupportsIndex | None = None,
    ) -> Body: ...
    @property
    def name(self) -> str | None: ...
    @property
    def shape(self) -> BodyShape: ...
    @property
    def motion(self) -> Motion: ...
    @property
    def deforms(self) -> bool: ...
    @property
    def duration(self) -> float: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class ImpactEngine:
    def __new__(
        cls,
        bodies: Iterable[Body | Mapping[str, Any] | Mesh | BodyShape | ConvexPolyhedron] | Mapping[str, Any],
        *,
        separation: _Float = 0.0,
        volume: _Volume = "box",
        refinement: _Refinement = "obb",
        self_contact: bool = True,
        work: SupportsIndex | None = None,
        threads: SupportsIndex | None = None,
    ) -> ImpactEngine: ...
    @staticmethod
    def from_scene(
        path: str | os.PathLike[str],
        *,
        follow_links: bool = False,
        separation: _Float = 0.0,
        volume: _Volume = "box",
        refinement: _Refinement = "obb",
        self_contact: bool = True,
        work: SupportsIndex | None = None,
        threads: SupportsIndex | None = None,
    ) -> ImpactEngine: ...
    def next_contact(self, horizon: _Float | None = None) -> Impact | None: ...
    def first_contacts(self, until: _Float | None = None) -> NDArray[np.void]: ...
    def advance(self, t: _Float) -> None: ...
    @property
    def time(self) -> float: ...
    @property
    def next_time(self) -> float: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def until(self) -> float | None: ...
    @property
    def step(self) -> float | None: ...
    @property
    def counts(self) -> ImpactCounts: ...
    def motion(self, body: _BodyName) -> Motion: ...
    def set_motion(
        self,
        body: _BodyName,
        position: ArrayLike | None = None,
        rotation: _Rotation | None = None,
        velocity: ArrayLike | None = None,
        spin: ArrayLike | None = None,
        acceleration: ArrayLike | None = None,
        center: ArrayLike | None = None,
    ) -> None: ...
    def nodes(self, body: _BodyName) -> NDArray[np.float64]: ...
    def set_nodes(
        self,
        body: _BodyName,
        points: ArrayLike,
        ends: ArrayLike | None = None,
        velocities: ArrayLike | None = None,
        duration: _Float | None = None,
    ) -> None: ...
    def observe(
        self,
        body: _BodyName,
        position: ArrayLike,
        rotation: _Rotation | None = None,
        *,
        tolerance: _Float,
    ) -> Literal["as predicted", "changed"]: ...
    def ignore(self, a: _BodyName, b: _BodyName) -> None: ...
    def watch(self, a: _BodyName, b: _BodyName) -> None: ...
    def __len__(self) -> int: ...
    def __copy__(self) -> ImpactEngine: ...
    def __deepcopy__(self, _memo: dict[int, Any]) -> ImpactEngine: ...
    def __reduce__(self) -> NoReturn: ...

def _restored_body(
    shape: BodyShape,
    name: str | None,
    pose: Any,
    vectors: Any,
    nodes: tuple[NDArray[np.float64], bool, float | None] | None,
) -> Body: ...
def _restored_body_shape(shape: Any, *settings: Any) -> BodyShape: ...

@final
class Sphere:
    def __new__(cls, radius: _Float) -> Sphere: ...
    @property
    def radius(self) -> float: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __getnewargs__(self) -> tuple[float]: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Box:
    def __new__(cls, size: ArrayLike) -> Box: ...
    @property
    def size(self) -> NDArray[np.float64]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __getnewargs__(self) -> tuple[list[float]]: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Capsule:
    def __new__(cls, radius: _Float, length: _Float) -> Capsule: ...
    @property
    def radius(self) -> float: ...
    @property
    def length(self) -> float: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __getnewargs__(self) -> tuple[float, float]: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class HalfSpace:
    def __new__(cls, normal: ArrayLike) -> HalfSpace: ...
    @property
    def normal(self) -> NDArray[np.float64]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __getnewargs__(self) -> tuple[list[float]]: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Wall:
    def __new__(cls, mesh: Mesh) -> Wall: ...
    @property
    def mesh(self) -> Mesh: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __getnewargs__(self) -> tuple[Mesh]: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Compound:
    def __new__(
        cls, parts: Iterable[tuple[_SceneShape, ArrayLike | None]]
    ) -> Compound: ...
    @property
    def parts(self) -> list[tuple[_SceneShape, NDArray[np.float64]]]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __getnewargs__(self) -> tuple[list[tuple[_SceneShape, NDArray[np.float64]]]]: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Scene:
    def __new__(
        cls,
        margin: _Float = 0.0,
        periodic: _Cell | None = None,
        threads: SupportsIndex | None = None,
        history: SupportsIndex = 0,
    ) -> Scene: ...
    def add(
        self,
        shape: _SceneShape,
        pose: ArrayLike | None = None,
        *,
        id: SupportsIndex | None = None,
        fixed: bool = False,
        group: SupportsIndex = 0,
        mask: ArrayLike | None = None,
        name: str | None = None,
    ) -> int: ...
    def add_many(
        self,
        shapes: _SceneShape | list[Any] | tuple[Any, ...],
        poses: ArrayLike,
    ) -> NDArray[np.uint64]: ...
    def remove(self, id: SupportsIndex) -> None: ...
    @property
    def ids(self) -> NDArray[np.uint64]: ...
    @property
    def names(self) -> dict[int, str]: ...
    @property
    def poses(self) -> NDArray[np.float64]: ...
    def set_poses(self, poses: ArrayLike, ids: ArrayLike | None = None) -> None: ...
    def set_positions(self, positions: ArrayLike, ids: ArrayLike | None = None) -> None: ...
    def update(self) -> None: ...
    def contacts(self) -> NDArray[np.void]: ...
    def ended(self) -> NDArray[np.void]: ...
    def contacts_of(self, id: SupportsIndex) -> NDArray[np.void]: ...
    def verify(self) -> list[str]: ...
    def set_velocities(
        self,
        velocities: ArrayLike,
        spins: ArrayLike | None = None,
        ids: ArrayLike | None = None,
    ) -> None: ...
    @property
    def velocities(self) -> NDArray[np.float64]: ...
    def sleep_until(
        self,
        horizon: _Float,
        acceleration: _Float = 0.0,
        spin_acceleration: _Float = 0.0,
    ) -> NDArray[np.void]: ...
    def batches(
        self,
    ) -> dict[str, tuple[NDArray[np.uint64], NDArray[np.int32]]]: ...
    def pair_answers(
        self, a: SupportsIndex, b: SupportsIndex
    ) -> list[PairAnswer]: ...
    def replay(self, a: SupportsIndex, b: SupportsIndex) -> bytes: ...
    def snapshot(self) -> bytes: ...
    @staticmethod
    def restore(snapshot: bytes, *, threads: SupportsIndex | None = None) -> Scene: ...
    def state_hash(self) -> int: ...
    def patches(self) -> tuple[NDArray[np.int64], NDArray[np.void]]: ...
    @property
    def history(self) -> NDArray[np.float64]: ...
    @history.setter
    def history(self, value: ArrayLike) -> None: ...
    def rays(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        t_max: ArrayLike = ...,
    ) -> NDArray[np.void]: ...
    def nearest(self, points: ArrayLike) -> NDArray[np.void]: ...
    def containing(
        self, points: ArrayLike
    ) -> tuple[NDArray[np.int64], NDArray[np.uint64]]: ...
    def in_boxes(
        self, lower: ArrayLike, upper: ArrayLike
    ) -> tuple[NDArray[np.int64], NDArray[np.uint64]]: ...
    def __len__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def _restored_scene(
    snapshot: bytes, names: dict[int, str], threads: SupportsIndex | None
) -> Scene: ...
