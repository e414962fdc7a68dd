//! `tangere info`: what is right and wrong with a surface, or what particles are like.

use crate::console::Console;
use crate::failure::Failure;
use crate::files;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use tangere::geometry::Aabb;
use tangere::shape::{MeshReport, Spheres};
use tangere::tree::Tree;
pub use tangere_front::report::extend;
use tangere_front::report::{TreeReport, problems, report_json};
use tangere_front::text;
use tangere_io::{LoadedMesh, LoadedParticles, Particles, Shape, ShapeFormat};

const EXAMPLES: &str = "\
Examples:
  tangere info part.stl
  tangere info part.ply --json | jq .genus
  tangere info particles.npy
  curl -s https://example.org/part.stl | tangere info - --format stl

Of a surface, vertices at equal coordinates count as one, as far as the file repeats them.
Nothing is repaired; see `tangere convert --weld` and `--orient`. Self-intersections are looked
for with --self-intersections: pairs of triangles that have a common point although they name no
common vertex; `tangere intersect --self` tells which they are. Volume elements (MSH, MESH, INP, VTK, VTU) are read as their boundary; curved faces
are cut at their nodes.

Particles are rows of centre and radius: 3 columns for discs, 4 for spheres, or columns with
the names x, y, z, radius (or r, or diameter) in any order. Points of .vtp and .vtu with the
field radius and without polygons are particles as well.";

/// Tell what is right and wrong with a surface, or how many and large particles are
///
/// Of a surface: whether it is closed, consistently oriented and manifold, its components,
/// genus, volume and area, and how many edges, vertices and triangles are not as they should be.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Info {
    /// The surface (STL, OBJ, PLY, OFF, VTK, VTP, VTU, MSH, MESH or INP) or the particles (NPY,
    /// CSV, VTP or VTU); - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The format of standard input
    #[arg(long, value_parser = files::format_parser())]
    format: Option<ShapeFormat>,
    /// Build a bounding-volume tree over the triangles and tell about it as well
    #[arg(long)]
    tree: bool,
    /// Look for triangles that go through or touch others than their neighbours
    #[arg(long)]
    self_intersections: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Reads, looks and prints.
pub fn run(options: &Info, console: &Console) -> Result<(), Failure> {
    files::check_format(options.format, &[&options.file])?;
    let (shape, read) = files::read(&options.file, options.format, console)?;
    match shape {
        Shape::Surface(loaded) => surface(options, &loaded, read, console),
        Shape::Particles(_) if options.tree || options.self_intersections => {
            let option = if options.tree {
                "--tree"
            } else {
                "--self-intersections"
            };
            Err(Failure::Input(format!(
                "{}: found particles, expected a surface for {option}",
                files::input_name(&options.file)
            )))
        }
        Shape::Particles(loaded) => match &loaded.particles {
            Particles::Discs(discs) => particles(options, &loaded, discs, read, console),
            Particles::Spheres(spheres) => particles(options, &loaded, spheres, read, console),
        },
    }
}

fn surface(
    options: &Info,
    loaded: &LoadedMesh,
    read: f64,
    console: &Console,
) -> Result<(), Failure> {
    let (report, reported) = console.timed("looking at all triangles", || {
        match options.self_intersections {
            true => loaded.mesh.report_with_self_intersections(),
            false => loaded.mesh.report(),
        }
    });
    let tree = options.tree.then(|| {
        let (tree, seconds) = console.timed("building a tree", || Tree::of_mesh(&loaded.mesh));
        TreeReport::new(&tree, seconds)
    });
    let name = files::input_name(&options.file);
    if options.json {
        let mut object = json!({
            "file": name,
            "format": loaded.format.name(),
            "kind": "surface",
        });
        extend(&mut object, report_json(&report));
        extend(
            &mut object,
            json!({
                "welded_vertices": loaded.welded,
                "polygons": loaded.polygons,
                "curved_faces": loaded.curved,
                "seconds": { "read": read, "report": reported },
            }),
        );
        if let Some(tree) = tree {
            extend(&mut object, json!({ "tree": tree.json() }));
        }
        return console.print_json(&object);
    }
    let head = format!("{name} ({})\n", loaded.format);
    let mut text = head + &readable(loaded, &report);
    if let Some(tree) = tree {
        text += "tree over its triangles:\n";
        text += &text::two_columns(&[
            ("nodes", text::count(tree.nodes as u64)),
            ("height", text::count(tree.height as u64)),
            ("cost", text::number(tree.cost)),
            ("time", text::seconds(tree.seconds)),
        ]);
    }
    console.print(text)
}

fn particles<const D: usize>(
    options: &Info,
    loaded: &LoadedParticles,
    particles: &Spheres<D>,
    read: f64,
    console: &Console,
) -> Result<(), Failure> {
    let name = files::input_name(&options.file);
    let radii = particles.radii();
    // Of no particles there is neither a smallest nor a mean.
    let some = |x: f64| (!radii.is_empty()).then_some(x);
    let least = some(radii.iter().copied().fold(f64::INFINITY, f64::min));
    let most = some(radii.iter().copied().fold(0.0, f64::max));
    let mean = some(radii.iter().sum::<f64>() / radii.len() as f64);
    let bounds = Aabb::of_points(particles.centers().iter().copied());
    let corner = |p: [f64; D]| (!radii.is_empty()).then(|| p.to_vec());
    let (min, max) = (corner(bounds.min), corner(bounds.max));
    if options.json {
        return console.print_json(&json!({
            "file": name,
            "format": loaded.format.name(),
            "kind": "particles",
            "dimension": D,
            "particles": particles.len(),
            "radius": { "min": least, "max": most, "mean": mean },
            "bounds_of_centers": { "min": min, "max": max },
            "seconds": { "read": read },
        }));
    }
    let number = |x: Option<f64>| x.map_or("undefined".into(), text::number);
    let point = |p: Option<Vec<f64>>| {
        let numbers = |p: Vec<f64>| p.into_iter().map(text::number).collect::<Vec<_>>();
        p.map_or("undefined".into(), |p| numbers(p).join(", "))
    };
    let rows = [
        (
            if D == 2 { "discs" } else { "spheres" },
            text::count(particles.len() as u64),
        ),
        ("radius, min", number(least)),
        ("radius, max", number(most)),
        ("radius, mean", number(mean)),
        ("centres, min", point(min)),
        ("centres, max", point(max)),
    ];
    let head = format!("{name} ({}), particles in {D}D\n", loaded.format);
    console.print(head + &text::two_columns(&rows))
}

fn readable(loaded: &LoadedMesh, report: &MeshReport) -> String {
    let count = |n: usize| text::count(n as u64);
    let yes = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
    let point = |p: [f64; 3]| p.map(text::number).join(", ");
    let mut rows = vec![
        ("vertices", count(report.vertices)),
        ("triangles", count(report.triangles)),
        ("edges", count(report.edges)),
        ("closed", yes(report.closed)),
        ("oriented", yes(report.oriented)),
        ("manifold", yes(report.manifold)),
        ("components", count(report.components)),
        ("shells", count(report.shells)),
        (
            "Euler characteristic",
            report.euler_characteristic.to_string(),
        ),
        (
            "genus",
            report.genus.map_or("undefined".into(), text::count),
        ),
        (
            "volume",
            report.volume.map_or("undefined".into(), text::number),
        ),
        ("area", text::number(report.area)),
        ("bounds, min", point(report.bounds.min)),
        ("bounds, max", point(report.bounds.max)),
    ];
    if loaded.polygons != report.triangles {
        rows.push(("polygons in the file", count(loaded.polygons)));
    }
    if loaded.welded > 0 {
        rows.push(("welded vertices", count(loaded.welded)));
    }
    let problems = problems(report);
    if problems.is_empty() {
        let left_out = match report.self_intersections {
            Some(_) => "",
            None => " (self-intersections are not looked for)",
        };
        return text::two_columns(&rows) + &format!("no defects found{left_out}\n");
    }
    let problems: Vec<_> = problems
        .into_iter()
        .map(|(name, n)| (name, count(n)))
        .collect();
    text::two_columns(&rows) + "wrong with it:\n" + &text::two_columns(&problems)
}
