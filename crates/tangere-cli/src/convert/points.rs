//! Conversion of points without radii, of VTP and VTU files.

use super::{Convert, check_no_repairs, motion, note_unkept, particles};
use crate::console::Console;
use crate::failure::Failure;
use crate::files::{self, Output};
use serde_json::json;
use tangere::Argument;
use tangere::geometry::check_points;
use tangere_front::answer::Summary;
use tangere_front::text::counted;
use tangere_io::LoadedPoints;

/// Transforms points, writes them to `output` and reports their number and the time.
pub fn convert(
    options: &Convert,
    loaded: LoadedPoints,
    output: &Output,
    read: f64,
    console: &Console,
) -> Result<(), Failure> {
    let format = output.table_format()?;
    let input = files::input_name(&options.input);
    check_no_repairs(options)?;
    let mut cloud = loaded.cloud;
    let dimension = if cloud.planar { 2 } else { 3 };
    if let Some(motion) = motion(options, dimension)? {
        for point in &mut cloud.points {
            *point = motion.apply(*point);
        }
        check_points(Argument::Point, &cloud.points)
            .map_err(|error| Failure::of_file(&input, &error))?;
    }
    let names: Vec<String> = cloud.fields.iter().map(|f| f.name.clone()).collect();
    cloud.fields = particles::kept(options, std::mem::take(&mut cloud.fields), format);
    let is_kept = |name: &String| cloud.fields.iter().any(|field| field.name == *name);
    let unkept: Vec<String> = names.into_iter().filter(|name| !is_kept(name)).collect();
    let written = output.write_cloud(&cloud, console)?;
    note_unkept(&unkept, console);
    let count = cloud.points.len();
    let mut summary = Summary::default();
    summary
        .member("kind", "points")
        .member("dimension", dimension)
        .member("points", count)
        .member(
            "input",
            json!({ "file": input, "format": loaded.format.name(), "not_kept": unkept }),
        )
        .member(
            "output",
            json!({ "file": output.name(), "format": format.name() }),
        )
        .member("rounding", 0.0)
        .member("seconds", json!({ "read": read, "write": written }));
    let what = counted(count, "point", "points");
    output.report(&summary, &what, read + written, options.json, console)
}
