//! Running out of memory for faces within a distance is an error, and a limit bounds memory.

use tangere::closest::{FaceSurface, MeshSurface};
use tangere::error::Count;
use tangere::generate;
use tangere::parallel::Rows;
use tangere::shape::FaceKind;
use tangere::{Argument, Error};
use test_support::allocations::with_at_most;
use test_support::alone;

const POINTS: usize = 3000;
const MEGABYTES: usize = 8;

#[test]
fn memory_is_bounded_and_running_out_is_an_error() {
    alone!();
    let triangles = MeshSurface::new(&generate::sphere(4).unwrap());
    let faces = FaceSurface::new(&generate::face_sphere(FaceKind::Quad4, 4).unwrap());
    let points: Vec<[f64; 3]> = (0..POINTS).map(|i| [0.0, 0.0, i as f64 / 1e4]).collect();
    // Threads are there before memory is counted.
    let mut rows = Rows::default();
    triangles
        .within_all(&points[..600], 1.2, &mut rows)
        .unwrap();
    let whole = 4 * POINTS * faces.len().min(2048);
    assert!(whole > 2 * (MEGABYTES << 20), "{whole}");

    let mut near = Rows::default();
    triangles.within_all(&points, 0.75, &mut near).unwrap();
    let count = near.values().len();
    assert!(count > 100 && 8 * count < MEGABYTES << 19, "{count}");
    for most in [0, 10, count - 1, count, usize::MAX] {
        let mut rows = Rows::default();
        let found = triangles.within_at_most(&points, 0.75, most, &mut rows);
        match most < count {
            true => assert_eq!(
                found.unwrap_err().to_string(),
                format!(
                    "pairs: found at least {}, expected at most {most}",
                    most + 1
                )
            ),
            false => assert_eq!(found, Ok(())),
        }
        let expected = if most < count { 0 } else { count };
        assert_eq!(rows.values().len(), expected);
    }
    for distance in [9.0, 1e300] {
        let (mut rows, mut more) = (Rows::default(), Rows::default());
        let answers = with_at_most(MEGABYTES << 20, || {
            [
                triangles.within_all(&points, distance, &mut rows),
                faces.within_all(&points, distance, &mut rows),
                triangles.within_at_most(&points, distance, 1000, &mut more),
                faces.within_at_most(&points, distance, 1000, &mut more),
            ]
        });
        let [all, other, few, fewer] = answers.map(|answer| answer.unwrap_err());
        for error in [all, other] {
            let is_memory = matches!(
                error,
                Error::Memory {
                    what: Argument::Pairs,
                    count: Count::AtLeast(_),
                    ..
                }
            );
            assert!(is_memory, "{error}");
        }
        let expected = Error::TooMany {
            what: Argument::Pairs,
            found: Count::AtLeast(1001),
            most: 1000,
        };
        assert_eq!(few, expected);
        assert_eq!(few, fewer);
        assert!(rows.is_empty() && more.is_empty());
    }
    // All is well afterwards.
    triangles.within_all(&points[..2], 9.0, &mut rows).unwrap();
    assert_eq!(rows.row(1).len(), 2048);
}
