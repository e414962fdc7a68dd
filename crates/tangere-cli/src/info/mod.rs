//! `tangere info`: properties and defects of a surface, number and sizes of particles.

mod dump;

use crate::console::Console;
use crate::failure::Failure;
use crate::files;
use crate::output;
use crate::times::Times;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use tangere::geometry::Aabb;
use tangere::shape::{MeshReport, Spheres};
use tangere::tree::Tree;
use tangere_front::answer::{Summary, object};
use tangere_front::answers::report::MASS_PROPERTIES;
use tangere_front::report::{TREE, TreeReport, mesh_columns, problems};
use tangere_front::text;
use tangere_io::{LoadedMesh, LoadedParticles, LoadedPoints, Particles, Shape, ShapeFormat};

const EXAMPLES: &str = "\
Examples:
  tangere info part.stl
  tangere info part.ply --json | jq .genus
  tangere info particles.npy
  tangere info run.dump
  curl -s https://example.org/part.stl | tangere info - --format stl

Vertices that the file repeats at equal coordinates count as one. Nothing is repaired; see \
`tangere convert --weld` and `--orient`. --self-intersections counts pairs of triangles that have \
a common point but no common vertex; `tangere intersect --self` lists them. The inertia tensor of a \
closed surface is that of a solid of density 1 about its centroid. Volume elements (MSH, \
MESH, INP, VTK, VTU) are read as their boundary; curved faces are cut at their nodes.

Particles are rows of centre and radius: 3 columns for discs, 4 for spheres, or columns with \
the names x, y, z, radius (or r, or diameter) in any order. Points of .vtp and .vtu with the \
field radius and without polygons are particles as well, without the field points. Of a LAMMPS dump, whatever its name, \
the frames, atoms, columns and box are reported.";

/// Report properties and defects of a surface, or number and sizes of particles
///
/// Of a surface: whether it is closed, consistently oriented and manifold, its components,
/// genus, volume, centroid, inertia and area, and counts of defective edges, vertices and triangles.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Info {
    /// The surface (STL, OBJ, PLY, OFF, VTK, VTP, VTU, MSH, MESH or INP) or the particles (NPY,
    /// CSV, VTP, VTU or a LAMMPS dump); - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The format of standard input
    #[arg(long, value_parser = files::format_parser())]
    format: Option<ShapeFormat>,
    /// Build a bounding volume hierarchy (BVH) over the triangles and report it as well
    #[arg(long)]
    tree: bool,
    /// Search for triangles that cross or touch others than their neighbours
    #[arg(long)]
    self_intersections: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Reads the file, checks its content and prints the report.
pub fn run(options: &Info, console: &Console) -> Result<(), Failure> {
    files::check_format(options.format, &[&options.file])?;
    if tangere_io::is_dump(&options.file) {
        check_no_surface_options(options)?;
        return dump::report(&options.file, options.json, console);
    }
    let mut times = Times::default();
    let shape = files::read(&options.file, options.format, &mut times, console)?;
    let read = times.read;
    match shape {
        Shape::Surface(loaded) => surface(options, &loaded, read, console),
        Shape::Points(loaded) => {
            check_no_surface_options(options)?;
            points(options, &loaded, read, console)
        }
        Shape::Particles(loaded) => {
            check_no_surface_options(options)?;
            match &loaded.particles {
                Particles::Discs(discs) => particles(options, &loaded, discs, read, console),
                Particles::Spheres(spheres) => particles(options, &loaded, spheres, read, console),
            }
        }
    }
}

/// Returns an error if an option is given that needs a surface.
fn check_no_surface_options(options: &Info) -> Result<(), Failure> {
    let option = match (options.tree, options.self_intersections) {
        (true, _) => "--tree",
        (_, true) => "--self-intersections",
        _ => return Ok(()),
    };
    Err(Failure::Input(format!(
        "{}: found particles, expected a surface for {option}",
        files::input_name(&options.file)
    )))
}

fn surface(
    options: &Info,
    loaded: &LoadedMesh,
    read: f64,
    console: &Console,
) -> Result<(), Failure> {
    let (report, reported) = console.timed("checking all triangles", || {
        match options.self_intersections {
            true => loaded.mesh.report_with_self_intersections(),
            false => loaded.mesh.report(),
        }
    });
    let name = files::input_name(&options.file);
    let format = loaded.format;
    let mut summary = Summary::default();
    summary
        .member("file", &*name)
        .member("format", format.name())
        .member("kind", "surface")
        .row(&mesh_columns(&report), &report);
    match loaded.mesh.mass_properties() {
        Some(mass) => summary.row(MASS_PROPERTIES, &mass),
        None => summary.member("centroid", ()).member("inertia", ()),
    };
    summary
        .member("welded_vertices", loaded.welded)
        .member("polygons", loaded.polygons)
        .member("curved_faces", loaded.curved)
        .member("seconds", json!({ "read": read, "report": reported }));
    if loaded.polygons != report.triangles {
        summary.line("polygons in the file", text::count(loaded.polygons as u64));
    }
    if loaded.welded > 0 {
        summary.line("welded vertices", text::count(loaded.welded as u64));
    }
    summary.below(&defects(&report));
    if options.tree {
        let (tree, seconds) = console.timed("building a tree", || Tree::of_mesh(&loaded.mesh));
        let tree = TreeReport::new(&tree, seconds);
        let lines = Summary::default().row(TREE, &tree).text();
        summary.member("tree", object(TREE, &tree));
        summary.below(&format!("tree over its triangles:\n{lines}"));
    }
    let head = format!("{name} ({format})");
    output::report(&summary, &head, options.json, None, console)
}

/// Describes the defects of a surface in words.
fn defects(report: &MeshReport) -> String {
    let problems = problems(report).into_iter();
    let problems: Vec<_> = problems.map(|(name, n)| (name, text::count(n))).collect();
    match (problems.is_empty(), report.self_intersections) {
        (true, Some(_)) => "no defects found\n".into(),
        (true, None) => "no defects found (self-intersections are not looked for)\n".into(),
        (false, _) => format!("defects:\n{}", text::two_columns(&problems)),
    }
}

/// Reports points without radii.
fn points(
    options: &Info,
    loaded: &LoadedPoints,
    read: f64,
    console: &Console,
) -> Result<(), Failure> {
    let name = files::input_name(&options.file);
    let cloud = &loaded.cloud;
    let dimension = if cloud.planar { 2 } else { 3 };
    let bounds = Aabb::of_points(cloud.points.iter().copied());
    let corner = |p: [f64; 3]| p[..dimension].to_vec();
    let (min, max) = (corner(bounds.min), corner(bounds.max));
    let shown = |p: &[f64]| {
        p.iter()
            .copied()
            .map(text::number)
            .collect::<Vec<_>>()
            .join(", ")
    };
    let fields: Vec<&str> = cloud.fields.iter().map(|f| f.name.as_str()).collect();
    let mut summary = Summary::default();
    summary
        .member("file", &*name)
        .member("format", loaded.format.name())
        .member("kind", "points")
        .member("dimension", dimension)
        .count("points", cloud.points.len())
        .line("points, min", shown(&min))
        .line("points, max", shown(&max))
        .member("bounds", json!({ "min": min, "max": max }))
        .member("fields", json!(fields))
        .member("seconds", json!({ "read": read }));
    if !fields.is_empty() {
        summary.line("fields", fields.join(", "));
    }
    let head = format!(
        "{name} ({}), points in {dimension}D, without radii",
        loaded.format
    );
    output::report(&summary, &head, options.json, None, console)
}

fn particles<const D: usize>(
    options: &Info,
    loaded: &LoadedParticles,
    particles: &Spheres<D>,
    read: f64,
    console: &Console,
) -> Result<(), Failure> {
    let name = files::input_name(&options.file);
    let format = loaded.format;
    let radii = particles.radii();
    // Without particles there is neither a smallest nor a mean radius.
    let some = |x: f64| (!radii.is_empty()).then_some(x);
    let least = some(radii.iter().copied().fold(f64::INFINITY, f64::min));
    let most = some(radii.iter().copied().fold(0.0, f64::max));
    let mean = some(radii.iter().sum::<f64>() / radii.len() as f64);
    let bounds = Aabb::of_points(particles.centers().iter().copied());
    let corner = |p: [f64; D]| (!radii.is_empty()).then(|| p.to_vec());
    let (min, max) = (corner(bounds.min), corner(bounds.max));
    let number = |x: Option<f64>| x.map_or("undefined".into(), text::number);
    let point = |p: &Option<Vec<f64>>| {
        let numbers = |p: &Vec<f64>| p.iter().copied().map(text::number).collect::<Vec<_>>();
        p.as_ref()
            .map_or("undefined".into(), |p| numbers(p).join(", "))
    };
    let mut summary = Summary::default();
    summary
        .member("file", &*name)
        .member("format", format.name())
        .member("kind", "particles")
        .member("dimension", D)
        .labelled_count("particles", ["discs", "spheres"][D - 2], particles.len())
        .line("radius, min", number(least))
        .line("radius, max", number(most))
        .line("radius, mean", number(mean))
        .member("radius", json!({ "min": least, "max": most, "mean": mean }))
        .line("centres, min", point(&min))
        .line("centres, max", point(&max))
        .member("bounds_of_centers", json!({ "min": min, "max": max }))
        .member("seconds", json!({ "read": read }));
    let head = format!("{name} ({format}), particles in {D}D");
    output::report(&summary, &head, options.json, None, console)
}
