//! Instruction counts by Callgrind, of one kernel for each kind of query: `cargo xtask bench
//! instructions`.
//!
//! Counts do not depend on the load of the machine, so that they show small regressions which times
//! do not. Each kernel runs in its own process, on one thread; set-up is not counted. Counts are
//! compared with those in `instructions.txt`, which `--bless` rewrites. They depend on the compiler
//! and on the SIMD width of the processor, which the file records.

use crate::{Options, Outcome};
use std::error::Error;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tangere::closest::{MeshSurface, Tracker};
use tangere::generate::{self, ParticleBox};
use tangere::geometry::Pose;
use tangere::impact::gas::{Domain, Gas, GasSettings, thermal_velocities};
use tangere::impact::{Body, EngineSettings, ImpactEngine, RigidMotion};
use tangere::inside::{self, InsideSettings, InsideTest};
use tangere::overlap::pack::{PackSettings, pack_mesh};
use tangere::overlap::{OverlapQuery, OverlapSettings};
use tangere::pairs::{Cells, PairFinder, PairSettings};
use tangere::shape::ConvexPolyhedron;
use test_support::Random;

/// The command line argument that precedes the name of a kernel: the process under Callgrind runs
/// only that kernel.
pub const KERNEL: &str = "kernel";

/// The largest relative difference from a recorded count that is not an error.
const TOLERANCE: f64 = 0.02;

/// The work of a kernel whose instructions are counted; its set-up is already done.
type Work = Box<dyn FnMut() -> tangere::Result<()> + Send>;

type Kernel = (&'static str, fn() -> tangere::Result<Work>);

const KERNELS: [Kernel; 9] = [
    ("pairs", pairs),
    ("inside-setup", inside_setup),
    ("inside", inside),
    ("closest-convex", closest_convex),
    ("closest-surface-setup", closest_surface_setup),
    ("closest-surface", closest_surface),
    ("overlap", overlap),
    ("impact", impact),
    ("gas", gas),
];

/// Returns the kernel of the broad phase: linked cells over 20,000 spheres, in a finder that has
/// run before.
fn pairs() -> tangere::Result<Work> {
    let spheres = generate::particles::<3>(&ParticleBox::test_a(3, 20_000, 0))?;
    let mut finder = Cells::<3>::new(PairSettings::default())?;
    let mut found = Vec::new();
    let mut work = move || {
        finder.update((spheres.centers(), spheres.radii()).into())?;
        finder.pairs(&mut found)?;
        black_box(&found);
        Ok(())
    };
    work()?;
    Ok(Box::new(work))
}

/// Returns random points in a cube about the origin, from `-reach` to `reach` in each coordinate.
fn points(count: usize, reach: f64) -> Vec<[f64; 3]> {
    // The seed of the recorded counts.
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    (0..count).map(|_| random.vector(reach)).collect()
}

/// Returns the kernel of the set-up of point containment: `auto` for a sphere of 8192 triangles.
fn inside_setup() -> tangere::Result<Work> {
    let sphere = generate::sphere(5)?;
    let mut test = inside::Auto::new(InsideSettings::default())?;
    Ok(Box::new(move || {
        test.update(&sphere)?;
        black_box(&test);
        Ok(())
    }))
}

/// Returns the kernel of point containment: the sides (inside, outside) of 20,000 points.
fn inside() -> tangere::Result<Work> {
    let points = points(20_000, 1.25);
    let mut test = inside::Auto::new(InsideSettings::default())?;
    test.update(&generate::sphere(5)?)?;
    let mut sides = Vec::with_capacity(points.len());
    Ok(Box::new(move || {
        test.classify(&points, &mut sides)?;
        black_box(&sides);
        Ok(())
    }))
}

/// Returns the kernel of convex contact: a tracked pair of rotating convex bodies, from separated
/// to deep penetration in 2000 poses.
fn closest_convex() -> tangere::Result<Work> {
    let grain = ConvexPolyhedron::from_mesh(&generate::hull(920, 1)?)?;
    let poses: tangere::Result<Vec<Pose>> = (0..2000)
        .map(|step| {
            let s = f64::from(step) / 2000.0;
            let half = 0.5 * s;
            let length = (1.0 + half * half).sqrt();
            let (w, z) = (1.0 / length, half / length);
            Pose::from_numbers(&[2.5 - s, 0.25 * s, 0.0, w, 0.0, 0.0, z])
        })
        .collect();
    let (poses, mut tracker) = (poses?, Tracker::new());
    Ok(Box::new(move || {
        for pose in &poses {
            black_box(tracker.contact(&grain, &Pose::identity(), &grain, pose));
        }
        Ok(())
    }))
}

/// Returns the kernel of the set-up of closest points: a knot of 20,000 triangles, and its first
/// query, which prepares the sign of distances.
fn closest_surface_setup() -> tangere::Result<Work> {
    let knot = generate::knot(20_000)?;
    Ok(Box::new(move || {
        black_box(MeshSurface::new(&knot).closest([0.5, 0.5, 0.5])?);
        Ok(())
    }))
}

/// Returns the kernel of closest points: those of a knot of 20,000 triangles to 10,000 points, after
/// a first query.
fn closest_surface() -> tangere::Result<Work> {
    let surface = MeshSurface::new(&generate::knot(20_000)?);
    let points = points(10_000, 4.0);
    let mut found = Vec::with_capacity(points.len());
    surface.closest(points[0])?;
    Ok(Box::new(move || {
        surface.closest_all(&points, &mut found)?;
        black_box(&found);
        Ok(())
    }))
}

/// Returns the kernel of penetration volume: two packings of 500 spheres at 100 poses.
fn overlap() -> tangere::Result<Work> {
    let packing = pack_mesh(&generate::knot(2000)?, &PackSettings::spheres(500))?;
    let poses: tangere::Result<Vec<Pose>> = (0..100)
        .map(|step| Pose::from_translation([0.02 * f64::from(step), 0.1, 0.2]))
        .collect();
    let (poses, mut query) = (poses?, OverlapQuery::new(OverlapSettings::default())?);
    Ok(Box::new(move || {
        for pose in &poses {
            black_box(query.overlap(&packing, &Pose::identity(), &packing, pose));
        }
        Ok(())
    }))
}

/// Returns the kernel of the time of impact: a body that tumbles against a wall.
fn impact() -> tangere::Result<Work> {
    let tumbling = RigidMotion::new(
        Pose::identity(),
        [33.0, 0.0, 0.0],
        [1.0, 2.0, 0.5],
        [0.0, 0.0, -9.81],
    )?;
    // A quarter turn about y.
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let there = Pose::from_numbers(&[20.0, 0.25, 1.5, half, 0.0, half, 0.0])?;
    let bodies = vec![
        Body::rigid(generate::knot(4000)?, tumbling)?,
        Body::rigid(
            generate::plate([12.0, 12.0], [12, 12])?,
            RigidMotion::at_rest(there),
        )?,
    ];
    let mut engine = ImpactEngine::with_bodies(bodies, &EngineSettings::default())?;
    Ok(Box::new(move || {
        black_box(engine.next_contact(4.0)?);
        Ok(())
    }))
}

/// Returns the kernel of hard spheres: 2000 collisions of a gas of 2000 spheres that fills 30% of
/// its box.
fn gas() -> tangere::Result<Work> {
    const SPHERES: usize = 2000;
    let spheres = generate::crystal::<3>(SPHERES, 0.3)?;
    let velocities = thermal_velocities(&[1.0; SPHERES], 1.0, 3, 0)?;
    let settings = GasSettings {
        domain: Domain::periodic([1.0; 3])?,
        ..GasSettings::default()
    };
    let mut gas = Gas::new(
        spheres.centers(),
        &velocities,
        spheres.radii(),
        Some(&[1.0; SPHERES]),
        &settings,
    )?;
    Ok(Box::new(move || {
        black_box(gas.run(2000, f64::INFINITY, |_| ())?);
        Ok(())
    }))
}

/// Callgrind counts the instructions of this function, which it finds by name.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
#[inline(never)]
fn tangere_bench_counted(work: &mut Work) -> tangere::Result<()> {
    work()
}

/// Runs one kernel; called in the process under Callgrind.
pub fn run_kernel(name: &str) -> Outcome {
    let (_, prepare) = (KERNELS.iter())
        .find(|(kernel, _)| *kernel == name)
        .ok_or_else(|| format!("unknown kernel {name:?}"))?;
    let mut work = prepare()?;
    Ok(tangere_bench_counted(&mut work)?)
}

/// Returns the path of the file of the recorded instruction counts.
fn records() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("instructions.txt")
}

/// Counts the instructions of a kernel in a process under Callgrind, whose output goes to `folder`.
fn count(name: &str, folder: &Path) -> Result<u64, Box<dyn Error>> {
    let out = folder.join(name);
    let mut command = Command::new("valgrind");
    command
        .args(["--tool=callgrind", "--toggle-collect=tangere_bench_counted"])
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(std::env::current_exe()?)
        .args([KERNEL, name]);
    let output = command.output()?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{name}: {}", errors.trim_end()).into());
    }
    let text = std::fs::read_to_string(&out)?;
    let total = text.lines().find_map(|line| line.strip_prefix("totals: "));
    let total = total.ok_or_else(|| format!("{name}: found no totals of Callgrind"))?;
    match total.trim().parse()? {
        0 => Err(format!("{name}: found no instructions, expected some").into()),
        count => Ok(count),
    }
}

/// Returns the recorded instruction count of a kernel; none if it is not recorded. `text` has a
/// line of name and count for each kernel.
fn recorded(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| {
        let (kernel, count) = line.split_once(' ')?;
        (kernel == name).then(|| count.trim().parse().ok())?
    })
}

/// Returns a text that names the compiler and the SIMD width of the processor, on which instruction
/// counts depend.
fn machine() -> String {
    let compiler = Command::new("rustc").arg("--version").output();
    let compiler = compiler.map_or("an unknown compiler".into(), |output| {
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    });
    let vectors = match widest() {
        true => "with AVX2",
        false => "without AVX2",
    };
    format!("{} {vectors}, {compiler}", std::env::consts::ARCH)
}

#[cfg(target_arch = "x86_64")]
fn widest() -> bool {
    is_x86_feature_detected!("avx2")
}

#[cfg(not(target_arch = "x86_64"))]
fn widest() -> bool {
    false
}

/// Counts the instructions of all kernels and compares them with the recorded counts; an error
/// names the kernels that differ.
pub fn run(options: &Options) -> Outcome {
    let found = Command::new("valgrind")
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    if !found.is_ok_and(|status| status.success()) {
        println!("instructions: skipped: valgrind is not installed");
        return Ok(());
    }
    let before = std::fs::read_to_string(records()).unwrap_or_default();
    let folder = tempfile::tempdir()?;
    let mut lines = format!("# Instructions of kernels, on {}.\n", machine());
    let mut differing = Vec::new();
    println!("instructions\n  kernel                   counted        recorded  ratio");
    for (name, _) in KERNELS.iter().filter(|(name, _)| options.selects(name)) {
        let counted = count(name, folder.path())?;
        lines += &format!("{name} {counted}\n");
        let Some(recorded) = recorded(&before, name) else {
            println!("  {name:16}{counted:16}            none");
            differing.push(*name);
            continue;
        };
        let ratio = counted as f64 / recorded as f64;
        println!("  {name:16}{counted:16}{recorded:16}  {ratio:.4}");
        if (ratio - 1.0).abs() > TOLERANCE {
            differing.push(*name);
        }
    }
    if options.bless && options.only.is_none() {
        std::fs::write(records(), lines)?;
        return Ok(());
    }
    match differing.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "instructions of {} differ by more than {}% from {}; recorded on: {}; \
             `cargo xtask bench instructions --bless` accepts them",
            differing.join(", "),
            100.0 * TOLERANCE,
            records().display(),
            before.lines().next().unwrap_or("nothing yet"),
        )
        .into()),
    }
}
