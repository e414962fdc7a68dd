//! Shadow mapping: the light that reaches each sample.
//!
//! Light comes from many directions: a sky, uniform over the upper hemisphere, and a sun, a narrow
//! cone. Each direction has a shadow map. Each sample evaluates one direction in nine, so that the
//! nine samples of a pixel together evaluate all of them. The sum over a pixel is thus free of
//! noise at a ninth of the cost.

use super::projection::Projection;
use super::raster::{LIT, NOTHING, Surface, heights};
use super::{OVERSAMPLING, Scene, Vec3};
use rayon::prelude::*;
use std::f32::consts::PI;

/// The number of samples of a pixel, among which the directions of light are divided.
const SHARES: usize = OVERSAMPLING * OVERSAMPLING;

/// The number of directions from which the sky shines; a multiple of [`SHARES`].
const SKY: usize = 6 * SHARES;
/// The number of directions from which the sun shines; a multiple of [`SHARES`].
const SUN: usize = 2 * SHARES;

/// The direction to the centre of the sun, by its components to the right, upward and toward the
/// viewer; not normalised.
const SUN_DIRECTION: [f32; 3] = [-0.5, 0.85, 0.85];
/// The radius, at distance 1, of the cone about the direction to the sun in which the directions of
/// sunlight lie.
const SUN_RADIUS: f32 = 0.09;

/// The number of entries along an edge of a shadow map of the sky. It is coarser than one of the
/// sun, because shadows from the sky are soft.
const SKY_MAP: usize = 320;
/// The number of entries along an edge of a shadow map of the sun.
const SUN_MAP: usize = 512;

/// Light casts no shadow on the ground if the unit vector toward it has a z-component of at most
/// this.
const LOWEST: f32 = 0.3;

/// The light that the ground reflects onto a face that points straight down, as a share of full
/// light.
const BOUNCE: f32 = 0.22;

/// The light that each sample receives from the sky and from the sun; 1 is full light at normal
/// incidence. For a sample of the background it is the light that shadows take from the ground.
pub(super) struct Lit {
    pub(super) light: Vec<[f32; 2]>,
}

impl Lit {
    /// Renders a shadow map for each direction of light, and sums the light that reaches each
    /// sample.
    pub(super) fn new(
        scene: &Scene,
        projection: &Projection,
        surface: &Surface,
        ground: bool,
    ) -> Self {
        let width = projection.size[0];
        let floor = scene
            .extent()
            .map(|(p, r)| p.z - r)
            .fold(f32::INFINITY, f32::min);
        let ground = (ground && floor.is_finite()).then_some(floor);
        let sky = (0..SKY).map(sky_direction);
        let sun = (0..SUN).map(|k| sun_direction(projection, k));
        let sky = ShadowMaps::new(scene, sky.collect(), SKY_MAP);
        let sun = ShadowMaps::new(scene, sun.collect(), SUN_MAP);
        let mut light = vec![[0.0f32; 2]; surface.samples.len()];
        let rows = light.par_chunks_mut(width.max(1)).enumerate();
        rows.for_each(|(y, row)| {
            for (x, light) in row.iter_mut().enumerate() {
                let sample = &surface.samples[y * width + x];
                let at = Vec3::new(x as f32 + 0.5, y as f32 + 0.5, sample.height);
                let share = y % OVERSAMPLING * OVERSAMPLING + x % OVERSAMPLING;
                match (sample.surface, ground) {
                    (NOTHING, Some(floor)) => {
                        let p = on_floor(projection, at, floor);
                        let lacks = |map: &ShadowMap, p| {
                            // Low light casts long, faint streaks, which only distract.
                            let strength = (map.toward.z - LOWEST).max(0.0);
                            strength * (1.0 - map.visibility(p))
                        };
                        let normal = Vec3::z();
                        light[0] = 2.0 * sky.average(share, p, normal, lacks);
                        light[1] = sun.average(share, p, normal, lacks);
                    }
                    (LIT, _) => {
                        let normal = sample.normal();
                        let p = projection.invert(at);
                        let arrives = |map: &ShadowMap, p| {
                            let cosine = normal.dot(&map.toward);
                            if cosine > 0.0 {
                                cosine * map.visibility(p)
                            } else {
                                0.0
                            }
                        };
                        // The mean of the cosine over a hemisphere is 1/2.
                        light[0] = 2.0 * sky.average(share, p, normal, arrives)
                            + BOUNCE * (0.5 - 0.5 * normal.z);
                        light[1] = sun.average(share, p, normal, arrives);
                    }
                    _ => {}
                }
            }
        });
        Self { light }
    }
}

/// Returns the point at which the line of sight through a sample meets the ground.
fn on_floor(projection: &Projection, at: Vec3, floor: f32) -> Vec3 {
    let p = projection.invert(Vec3::new(at.x, at.y, 0.0));
    let toward = projection.toward();
    // In a horizontal view the ground is far away, without shadows.
    let t = (floor - p.z) / toward.z.max(1e-3);
    p + toward * t
}

/// Returns the unit vector toward point `k` of the sky. The [`SKY`] points lie on a spiral over the
/// upper hemisphere, each for an equal area.
fn sky_direction(k: usize) -> Vec3 {
    let z = (k as f32 + 0.5) / SKY as f32;
    around(z, k)
}

/// Returns the point of the unit sphere at height `z`, rotated about the z-axis by `k` times the
/// golden angle.
fn around(z: f32, k: usize) -> Vec3 {
    let golden = PI * (3.0 - 5f32.sqrt());
    let (sin, cos) = (k as f32 * golden).sin_cos();
    let r = (1.0 - z * z).max(0.0).sqrt();
    Vec3::new(r * cos, r * sin, z)
}

fn sun_direction(projection: &Projection, k: usize) -> Vec3 {
    let spread = SUN_RADIUS * ((k as f32 + 0.5) / SUN as f32).sqrt();
    let golden = PI * (3.0 - 5f32.sqrt());
    let (sin, cos) = (k as f32 * golden).sin_cos();
    let [x, y, z] = SUN_DIRECTION;
    let middle = projection.direction(Vec3::new(x, y, z));
    let direction = middle.normalize() + projection.direction(Vec3::new(cos, sin, 0.0)) * spread;
    direction.normalize()
}

/// Shadow maps of one resolution: those of all directions of the sky, or of all directions of the
/// sun.
struct ShadowMaps {
    maps: Vec<ShadowMap>,
    /// Shadow bias against self-shadowing: the distance by which surface points are moved along
    /// their normals before they are compared with the maps. It is larger than the edge length of
    /// an entry of any map.
    offset: f32,
}

impl ShadowMaps {
    fn new(scene: &Scene, directions: Vec<Vec3>, size: usize) -> Self {
        let maps: Vec<ShadowMap> = directions
            .into_par_iter()
            .map(|direction| ShadowMap::new(scene, direction, size))
            .collect();
        let offset = 1.5 * maps.iter().map(|map| map.grain).fold(0.0, f32::max);
        Self { maps, offset }
    }

    /// Returns the average of `value` at a surface point over the shadow maps of one share: every
    /// ninth map, beginning with map `share`.
    fn average(
        &self,
        share: usize,
        p: Vec3,
        normal: Vec3,
        value: impl Fn(&ShadowMap, Vec3) -> f32,
    ) -> f32 {
        let p = p + normal * self.offset;
        let own = self.maps[share..].iter().step_by(SHARES);
        let sum: f32 = own.map(|map| value(map, p)).sum();
        sum * SHARES as f32 / self.maps.len() as f32
    }
}

/// Shadow map of one direction of light: a grid perpendicular to the light. Each entry is the
/// largest coordinate of the scene there along the direction to the light.
struct ShadowMap {
    projection: Projection,
    heights: Vec<f32>,
    /// The direction to the light.
    toward: Vec3,
    /// The edge length of an entry of the shadow map, in the unit of length of the scene.
    grain: f32,
}

impl ShadowMap {
    fn new(scene: &Scene, direction: Vec3, size: usize) -> Self {
        let projection = Projection::fitted(direction, scene.extent(), [size; 2], 0.01);
        Self {
            heights: heights(scene, &projection),
            toward: projection.toward(),
            grain: 1.0 / projection.scale(),
            projection,
        }
    }

    /// Returns the share of the light that reaches a point, interpolated over the four entries
    /// around it.
    fn visibility(&self, p: Vec3) -> f32 {
        let q = self.projection.apply(p);
        let (x, y) = (q.x - 0.5, q.y - 0.5);
        let size = self.projection.size[0];
        let within = |v: f32| v >= 0.0 && v < (size - 1) as f32;
        // Outside the map, whose border is empty, nothing casts shadows.
        if !within(x) || !within(y) {
            return 1.0;
        }
        let (x0, y0) = (x as usize, y as usize);
        let (fx, fy) = (x - x0 as f32, y - y0 as f32);
        let height = q.z + self.grain;
        let corner = y0 * size + x0;
        let free = |at: usize| f32::from(u8::from(self.heights[at] <= height));
        let top = free(corner) * (1.0 - fx) + free(corner + 1) * fx;
        let bottom = free(corner + size) * (1.0 - fx) + free(corner + size + 1) * fx;
        top * (1.0 - fy) + bottom * fy
    }
}
