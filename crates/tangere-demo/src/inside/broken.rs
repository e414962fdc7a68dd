//! Demo of point containment in a surface with a hole, by winding number and with its confidence.

use super::{DEEP, Figure, HIGH, part, view};
use crate::Error;
use crate::scene::Body;
use serde_json::{Value, json};
use tangere::inside::{Auto, Grid, InsideSettings, InsideTest, Side};
use tangere_render::picture::{Picture, Scene};

/// Number of points along the x and the z axis of the slice of points that is shown.
const SHOWN: usize = 40;

/// Draws a body without its top, cut open. Shows a slice of points that are inside by winding
/// number, coloured by confidence.
pub fn figure(body: &Body, width: usize) -> Result<(Figure, Value), Error> {
    let mesh = &body.mesh;
    let bounds = mesh.bounds();
    let top = bounds.max[2] - 0.06 * bounds.extent()[2];
    let broken = part(mesh, |triangle| triangle.iter().any(|p| p[2] < top))?;

    let mut test = Auto::new(InsideSettings::default())?;
    test.update(&broken)?;
    let points = Grid::over(&bounds, [SHOWN, 1, SHOWN])?.points();
    let (mut sides, mut sure) = (Vec::new(), Vec::new());
    test.classify(&points, &mut sides)?;
    test.confidences(&points, &mut sure)?;
    let mut sound = Auto::new(InsideSettings::default())?;
    let mut expected = Vec::new();
    sound.update(mesh)?;
    sound.classify(&points, &mut expected)?;
    let differs = |(found, expected): &(&Side, &Side)| found != expected;
    let wrong = sides.iter().zip(&expected).filter(differs).count();

    let mut scene = Scene::default();
    let radius = 0.42 * bounds.extent()[0] / SHOWN as f64;
    for ((point, side), &sure) in points.iter().zip(&sides).zip(&sure) {
        if *side == Side::Inside {
            scene.add_ball(*point, radius, HIGH.mix(DEEP, sure as f32));
        }
    }
    // Only the surface behind the slice is drawn.
    let middle = bounds.center()[1];
    let half = part(&broken, |triangle| triangle.iter().all(|p| p[1] > middle))?;
    scene.add_mesh(&half, |p| p, |_| body.color);
    let figure = Figure {
        picture: Picture::of(&scene, &view([width / 2, width * 9 / 20])),
        caption: format!(
            "The {} without its top, cut open: points inside by the winding number, blue where the \
             confidence is high. {wrong} of {} points are classified differently than in the closed body",
            body.name,
            points.len(),
        ),
    };
    let object = json!({
        "points": points.len(),
        "inside": sides.iter().filter(|&&side| side == Side::Inside).count(),
        "wrong": wrong,
        "method": test.method(),
        "reason": test.reason(),
        "confidence": test.confidence(),
    });
    Ok((figure, object))
}
