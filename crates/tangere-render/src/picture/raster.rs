//! Rasterization with a z-buffer: the visible surface of each sample.

use super::projection::Projection;
use super::{Color, Scene, Vec3};
use rayon::prelude::*;

/// The number of rows of samples per parallel task.
const BAND: usize = 32;

/// The width of a line in samples.
const LINE_WIDTH: f32 = 3.6;

/// Value of [`Sample::surface`] for the background.
pub(super) const NOTHING: u8 = 0;
/// Value of [`Sample::surface`] for a shape that is lit and shaded.
pub(super) const LIT: u8 = 1;
/// Value of [`Sample::surface`] for a line, which is drawn in its plain colour.
pub(super) const UNLIT: u8 = 2;

/// The visible surface at a sample.
#[derive(Clone, Copy)]
pub(super) struct Sample {
    /// The height of the surface: its coordinate along the direction to the viewer, in the unit of
    /// length of the scene.
    pub(super) height: f32,
    normal: [i16; 3],
    pub(super) color: Color,
    pub(super) surface: u8,
}

impl Sample {
    const EMPTY: Sample = Sample {
        height: f32::NEG_INFINITY,
        normal: [0; 3],
        color: Color([0; 3]),
        surface: NOTHING,
    };

    fn new(height: f32, normal: Vec3, color: Color, surface: u8) -> Self {
        Self {
            height,
            normal: [normal.x, normal.y, normal.z].map(|x| (x * 32767.0) as i16),
            color,
            surface,
        }
    }

    /// Returns the unit normal.
    pub(super) fn normal(&self) -> Vec3 {
        let [x, y, z] = self.normal.map(|x| f32::from(x) / 32767.0);
        Vec3::new(x, y, z)
    }
}

/// All samples of a picture, row by row.
pub(super) struct Surface {
    pub(super) samples: Vec<Sample>,
}

impl Surface {
    /// Renders the visible surfaces of a scene.
    pub(super) fn visible(scene: &Scene, projection: &Projection) -> Self {
        let [width, height] = projection.size;
        let toward = projection.toward();
        let points = projected(scene, projection);
        let mut samples = vec![Sample::EMPTY; width * height];
        bands(&mut samples, width, |rows, band| {
            let mut put = |x: usize, y: usize, z: f32, sample: &dyn Fn() -> Sample| {
                let at = &mut band[(y - rows.0) * width + x];
                if z > at.height {
                    *at = sample();
                }
            };
            for (face, corners) in scene.faces.iter().enumerate() {
                let corners = corners.map(|v| points[v as usize]);
                triangle(corners, width, rows, |x, y, z, weights| {
                    put(x, y, z, &|| {
                        let [a, b, c] = scene.normals[face];
                        let n = (a * weights[0] + b * weights[1] + c * weights[2])
                            .try_normalize(f32::MIN_POSITIVE)
                            .unwrap_or(a);
                        // Normals are turned toward the viewer, because both sides of a surface are
                        // drawn.
                        let n = if n.dot(&toward) < 0.0 { -n } else { n };
                        Sample::new(z, n, scene.colors[face], LIT)
                    });
                });
            }
            for &(center, radius, color) in &scene.balls {
                ball(projection, center, radius, rows, |x, y, z, n| {
                    put(x, y, z, &|| {
                        Sample::new(z, projection.direction(n), color, LIT)
                    });
                });
            }
            for &(ends, color) in &scene.lines {
                line(projection, ends, rows, |x, y, z| {
                    put(x, y, z, &|| Sample::new(z, toward, color, UNLIT));
                });
            }
        });
        Self { samples }
    }
}

/// Returns the height toward the light of the shadow casters (faces and balls) at each sample, row
/// by row; negative infinity where there are none.
pub(super) fn heights(scene: &Scene, projection: &Projection) -> Vec<f32> {
    let [width, height] = projection.size;
    let points = projected(scene, projection);
    let mut heights = vec![f32::NEG_INFINITY; width * height];
    let mut put = |x: usize, y: usize, z: f32| {
        let at = &mut heights[y * width + x];
        *at = at.max(z);
    };
    for corners in &scene.faces {
        let corners = corners.map(|v| points[v as usize]);
        triangle(corners, width, (0, height), |x, y, z, _| put(x, y, z));
    }
    for &(center, radius, _) in &scene.balls {
        ball(projection, center, radius, (0, height), |x, y, z, _| {
            put(x, y, z)
        });
    }
    heights
}

fn projected(scene: &Scene, projection: &Projection) -> Vec<Vec3> {
    scene.points.iter().map(|&p| projection.apply(p)).collect()
}

/// Calls `draw` in parallel for each band of [`BAND`] rows of samples. `items` has one item for
/// each sample, row by row. `draw` gets the index of the first row of the band, the index after its
/// last row, and the items of the band.
fn bands<T: Send>(
    items: &mut [T],
    width: usize,
    draw: impl Fn((usize, usize), &mut [T]) + Sync + Send,
) {
    items
        .par_chunks_mut((BAND * width).max(1))
        .enumerate()
        .for_each(|(k, band)| {
            let first = k * BAND;
            draw((first, first + band.len() / width.max(1)), band);
        });
}

/// Returns the indices of the samples along an axis whose centres may lie in `low..=high`. Only
/// indices from `limit.0` to below `limit.1` are returned.
fn span(low: f32, high: f32, limit: (usize, usize)) -> std::ops::Range<usize> {
    // Casts truncate towards 0 and saturate. The first sample may be one too early, which is
    // cheaper than rounding up.
    let first = ((low - 0.5) as usize).max(limit.0);
    let end = ((high + 0.5) as usize).min(limit.1);
    first..end.max(first)
}

fn triangle(
    [a, b, c]: [Vec3; 3],
    width: usize,
    rows: (usize, usize),
    mut put: impl FnMut(usize, usize, f32, [f32; 3]),
) {
    let ys = span(a.y.min(b.y).min(c.y), a.y.max(b.y).max(c.y), rows);
    let xs = span(a.x.min(b.x).min(c.x), a.x.max(b.x).max(c.x), (0, width));
    if xs.is_empty() || ys.is_empty() {
        return;
    }
    let area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    if area == 0.0 {
        return;
    }
    let inverse = 1.0 / area;
    // Barycentric coordinates are linear: their slopes along x ...
    let slope_v = (c.y - a.y) * inverse;
    let slope_w = (a.y - b.y) * inverse;
    let slope_u = -slope_v - slope_w;
    for y in ys {
        let py = y as f32 + 0.5;
        // ... and values in the row at x = 0.
        let v0 = (-a.x * (c.y - a.y) - (py - a.y) * (c.x - a.x)) * inverse;
        let w0 = ((b.x - a.x) * (py - a.y) + (b.y - a.y) * a.x) * inverse;
        let u0 = 1.0 - v0 - w0;
        // The span in which all are positive; thin triangles fill little of their box.
        let (mut low, mut high) = (xs.start as f32, xs.end as f32);
        for (value, slope) in [(u0, slope_u), (v0, slope_v), (w0, slope_w)] {
            let zero = -value / slope;
            if slope > 0.0 {
                low = low.max(zero - 1.0);
            } else if slope < 0.0 {
                high = high.min(zero + 1.0);
            }
        }
        for x in (low as usize).max(xs.start)..(high as usize).min(xs.end) {
            let px = x as f32 + 0.5;
            let (v, w) = (v0 + slope_v * px, w0 + slope_w * px);
            let u = 1.0 - v - w;
            if u >= 0.0 && v >= 0.0 && w >= 0.0 {
                put(x, y, u * a.z + v * b.z + w * c.z, [u, v, w]);
            }
        }
    }
}

fn ball(
    projection: &Projection,
    center: Vec3,
    radius: f32,
    rows: (usize, usize),
    mut put: impl FnMut(usize, usize, f32, Vec3),
) {
    let q = projection.apply(center);
    let reach = radius * projection.scale();
    for y in span(q.y - reach, q.y + reach, rows) {
        for x in span(q.x - reach, q.x + reach, (0, projection.size[0])) {
            let dx = (x as f32 + 0.5 - q.x) / reach;
            let dy = (q.y - (y as f32 + 0.5)) / reach;
            let rest = 1.0 - dx * dx - dy * dy;
            if rest >= 0.0 {
                let dz = rest.sqrt();
                put(x, y, q.z + radius * dz, Vec3::new(dx, dy, dz));
            }
        }
    }
}

fn line(
    projection: &Projection,
    ends: [Vec3; 2],
    rows: (usize, usize),
    mut put: impl FnMut(usize, usize, f32),
) {
    let [a, b] = ends.map(|p| projection.apply(p));
    let reach = 0.5 * LINE_WIDTH;
    // Lines are lifted, so that a line on a surface is visible.
    let lift = LINE_WIDTH / projection.scale();
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let length2 = (dx * dx + dy * dy).max(f32::MIN_POSITIVE);
    for y in span(a.y.min(b.y) - reach, a.y.max(b.y) + reach, rows) {
        let xs = span(
            a.x.min(b.x) - reach,
            a.x.max(b.x) + reach,
            (0, projection.size[0]),
        );
        for x in xs {
            let (px, py) = (x as f32 + 0.5 - a.x, y as f32 + 0.5 - a.y);
            let t = ((px * dx + py * dy) / length2).clamp(0.0, 1.0);
            let (ex, ey) = (px - t * dx, py - t * dy);
            if ex * ex + ey * ey <= reach * reach {
                put(x, y, a.z + t * (b.z - a.z) + lift);
            }
        }
    }
}
