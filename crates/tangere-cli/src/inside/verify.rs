//! Comparison of the sides of points (inside, on the surface or outside) with brute force over all
//! triangles: exact ray crossings, or sums of solid angles.

use tangere::inside::exact::windings;
use tangere::inside::{InsideSettings, InsideTest, Layer, Method, RayTree, Side};
use tangere::shape::TriMesh;
use tangere_front::text::first_of;

/// Maximum number of wrongly classified points that an error lists.
const NAMED: usize = 5;

/// Compares the sides of points (inside, on the surface or outside) with brute force. It counts ray
/// crossings, or sums solid angles if exact methods refuse the surface because it is open or
/// inconsistently oriented. Returns the name of the brute-force method. The error names points
/// whose side differs.
pub fn sides(
    mesh: &TriMesh,
    points: &[[f64; 3]],
    sides: &[Side],
    settings: &InsideSettings,
) -> Result<&'static str, String> {
    let message = |error: tangere::Error| error.to_string();
    // Settings of the method that is compared are not those of brute force.
    let settings = &settings
        .with_multipole(None)
        .with_panels(None)
        .with_method(Method::Auto);
    let strict = settings.with_insist(false);
    let is_sound = RayTree::new(strict).map_err(message)?.update(mesh).is_ok();
    let by_crossings = is_sound || settings.insist;
    let standard = match by_crossings {
        true => "exact crossings of every triangle",
        false => "the solid angles of every triangle",
    };
    let expected: Vec<Side> = match by_crossings {
        true => {
            let side = |w: Option<i64>| w.map_or(Side::OnSurface, |w| settings.rule.side(w));
            windings(points, mesh).into_iter().map(side).collect()
        }
        false => {
            let mut layer = Layer::new(*settings).map_err(message)?;
            let mut sides = Vec::new();
            layer.update(mesh).map_err(message)?;
            layer.classify(points, &mut sides).map_err(message)?;
            sides
        }
    };
    difference(points, sides, &expected, standard)?;
    Ok(standard)
}

fn difference(
    points: &[[f64; 3]],
    sides: &[Side],
    expected: &[Side],
    standard: &str,
) -> Result<(), String> {
    let differs = |&i: &usize| sides[i] != expected[i];
    let wrong: Vec<usize> = (0..points.len()).filter(differs).collect();
    if wrong.is_empty() {
        return Ok(());
    }
    let named = wrong.iter().map(|&i| {
        let [x, y, z] = points[i];
        format!("{i} ({x}, {y}, {z}) is {}, not {}", expected[i], sides[i])
    });
    Err(format!(
        "{} of {} points differ from {standard}: {}",
        wrong.len(),
        points.len(),
        first_of(named, NAMED)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_named() {
        use Side::{Inside, OnSurface, Outside};
        let points = [[0.0; 3], [1.0; 3], [2.0; 3]];
        let sides = [Inside, OnSurface, Outside];
        assert_eq!(difference(&points, &sides, &sides, "rays"), Ok(()));
        let message = difference(&points, &sides, &[Inside, Inside, Outside], "rays");
        assert_eq!(
            message.unwrap_err(),
            "1 of 3 points differ from rays: 1 (1, 1, 1) is inside, not on the surface"
        );
    }
}
