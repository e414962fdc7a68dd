//! File input and output of Tangere: meshes, tables, arrays and scenes.
//!
//! The file extension selects the format. Invalid content is an [`Error`] that
//! names the file, the line or byte, the value found and what was expected there.
//! Memory is never allocated for a count in a file before the bytes are known to
//! be there. Files are written atomically: complete or not at all.
//!
//! | | read | written |
//! |---|---|---|
//! | meshes ([`read_mesh`], [`write_mesh`]) | STL, OBJ, PLY, OFF, VTK, VTP, VTU; of finite elements the boundary: MSH, MEDIT, INP, VTK, VTU | STL, OBJ, PLY, OFF, VTP, VTU |
//! | finite element faces, curved ones too ([`read_faces`], [`write_faces`]) | the formats of meshes | VTU |
//! | the same with fields on vertices and faces ([`write_mesh_with`], [`write_faces_with`]) | | VTP, VTU |
//! | a mesh or particles ([`read_shape`]) | the formats of meshes, tables and arrays | |
//! | tables and arrays ([`read_table`], [`read_array`], [`write_table`], [`write_npy`], [`write_npy_through`]) | CSV, NPY, points of VTP and VTU | CSV, NPY, VTP, VTU |
//! | points: rows of a table or array, or vertices of a mesh ([`read_points`], [`read_planar_points`]) | the formats of meshes, tables and arrays | |
//! | sphere packings, with the volume and the unfilled space of their bodies ([`read_packing`], [`write_packing`]) | NPY, VTP, VTU, CSV | NPY, VTP |
//! | a packing or a mesh ([`read_solid`]) | the formats of packings and meshes | |
//! | poses of a motion ([`read_poses`]) | CSV, NPY | |
//! | moving balls: velocities and accelerations ([`read_balls`]) | CSV, NPY | |
//! | queries of continuous collision detection between vertices, edges and faces, with the truth where it is known ([`read_queries`]) | CSV, NPY | |
//! | particles over time, frame by frame ([`read_dump`]) | text dumps of LAMMPS | |
//! | fields and time series for ParaView ([`vtk`]) | | VTP, VTU, VTI, PVD |
//! | scenes: moving bodies ([`read_scene`], [`scene`]) | TOML | |
//! | anything else ([`write_text`], [`write_atomically`]) | | text |
//!
//! ```
//! use tangere::shape::TriMesh;
//! use tangere_io::{read_mesh, write_mesh};
//!
//! let vertices = vec![[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]];
//! let faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
//! let mesh = TriMesh::new(vertices, faces)?;
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("tetrahedron.stl");
//! write_mesh(&path, &mesh)?;
//!
//! // STL has three vertices for each triangle; 4 of the 12 are distinct.
//! let loaded = read_mesh(&path)?;
//! assert_eq!(loaded.welded, 8);
//! assert_eq!(loaded.mesh.vertices().len(), 4);
//!
//! std::fs::write(&path, "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 zero\n")?;
//! let error = read_mesh(&path).unwrap_err().to_string();
//! assert!(error.ends_with("line 4: found \"zero\", expected a finite number"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod abaqus;
mod atomic;
mod balls;
mod body_poses;
mod contact_queries;
mod csv;
mod ear_blockers;
mod elements;
mod error;
mod f32_rounding;
mod faces;
mod field_files;
mod format;
mod lammps;
mod line_reader;
mod medit;
mod mesh;
mod mesh_fields;
mod msh;
mod node_numbers;
mod npy;
mod obj;
mod off;
mod packing;
#[cfg(doctest)]
mod pages;
mod particle_fields;
mod particles;
mod ply;
mod point_table;
mod points;
mod polygons;
mod poses;
mod read_bytes;
pub mod scene;
mod shape;
mod stl;
mod table;
mod text;
mod triangulate;
pub mod vtk;

pub use atomic::{
    check_target, remove_unfinished_then, try_remove_unfinished_then, write_atomically,
    write_bytes, write_text, write_together,
};
pub use balls::{LoadedBalls, balls_from_bytes, load_balls, read_balls};
pub use body_poses::{PoseStep, read_body_poses};
pub use contact_queries::{ContactQueries, queries_from_bytes, read_queries};
pub use csv::parse_csv;
pub use elements::{ElementList, ElementPlace, ElementSurface, Elements, NamedFace, NamedSurface};
pub use error::{Cause, Error, Fault, Place, Result};
pub use faces::{LoadedFaces, parse_elements, read_faces, read_named_faces, write_faces};
pub use field_files::{write_columns, write_field_npy};
pub use format::{MeshFormat, TableFormat};
pub use lammps::{DumpBox, DumpColumn, DumpFrame, DumpFrames, is_dump, parse_dump, read_dump};
pub use mesh::{
    Encoding, LoadedMesh, MeshContent, parse_mesh, read_mesh, write_mesh, write_mesh_as,
};
pub use mesh_fields::{MeshFields, write_faces_with, write_mesh_with};
pub use npy::{NpyData, NpyFile, parse_npy};
pub use packing::{
    Solid, check_packing_target, packing_from_bytes, read_packing, read_solid, write_packing,
};
pub use particle_fields::{
    cloud_as_csv, kept_fields, particles_as_csv, write_cloud, write_particles_with,
};
pub use particles::{Particles, particle_table, read_particles, write_particles};
pub use points::{planar_points_from_bytes, points_from_bytes, read_planar_points, read_points};
pub use polygons::Polygons;
pub use poses::{poses_from_bytes, read_poses};
pub use read_bytes::read_bytes;
pub use scene::{SceneFile, read_scene};
pub use shape::{LoadedParticles, LoadedPoints, Shape, ShapeFormat, read_shape, shape_from_bytes};
pub use table::{
    Array, Table, line_of_row, listed_names, read_array, read_table, read_table_with_fields,
    write_npy, write_npy_through, write_table,
};
