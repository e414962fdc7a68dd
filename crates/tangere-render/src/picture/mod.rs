//! Software renderer for pictures of shapes.
//!
//! The projection is orthographic; a z-buffer with 3 x 3 samples per pixel decides visibility.
//! Light comes from many directions with a shadow map each, which gives soft shadows and ambient
//! occlusion. Time is linear in triangles and in samples; a picture of a hundred thousand triangles
//! takes about half a second.
//!
//! Deterministic for any number of threads: bands of rows are distributed, and each
//! row is drawn in the order of the scene.

mod light;
mod projection;
mod raster;

use crate::Error;
use light::Lit;
use nalgebra::Vector3;
use projection::Projection;
use raster::{Sample, Surface};
use rayon::prelude::*;
use tangere::shape::TriMesh;

type Vec3 = Vector3<f32>;

/// The number of samples per pixel along each axis.
const OVERSAMPLING: usize = 3;

/// Crease threshold: the cosine of 50 degrees. An edge is sharp if the normals of its faces differ
/// by more than this angle.
const CREASE: f32 = 0.643;

/// An sRGB colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color(pub [u8; 3]);

impl Color {
    /// Returns the colour between `self` (`t` = 0) and `other` (`t` = 1).
    pub fn mix(self, other: Color, t: f32) -> Color {
        let t = t.clamp(0.0, 1.0);
        Color(std::array::from_fn(|k| {
            (f32::from(self.0[k]) * (1.0 - t) + f32::from(other.0[k]) * t).round() as u8
        }))
    }

    fn linear(self) -> [f32; 3] {
        self.0.map(|c| {
            let c = f32::from(c) / 255.0;
            if c <= 0.04045 {
                c / 12.92
            } else {
                ((c + 0.055) / 1.055).powf(2.4)
            }
        })
    }
}

fn srgb(c: f32) -> u8 {
    let c = c.clamp(0.0, 1.0);
    let c = if c <= 0.0031308 {
        12.92 * c
    } else {
        1.055 * c.powf(1.0 / 2.4) - 0.055
    };
    (255.0 * c).round() as u8
}

/// Shapes to be rendered. The z-axis points up.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    points: Vec<Vec3>,
    faces: Vec<[u32; 3]>,
    /// A normal for each corner of each face, for shading. Edges between faces whose normals differ
    /// by more than 50 degrees (see [`CREASE`]) stay sharp, others are smoothed.
    normals: Vec<[Vec3; 3]>,
    colors: Vec<Color>,
    balls: Vec<(Vec3, f32, Color)>,
    lines: Vec<([Vec3; 2], Color)>,
}

impl Scene {
    /// Adds a mesh with vertices transformed by `placed` and faces coloured by `color`.
    pub fn add_mesh(
        &mut self,
        mesh: &TriMesh,
        placed: impl Fn([f64; 3]) -> [f64; 3],
        color: impl Fn(usize) -> Color,
    ) {
        let base = self.points.len() as u32;
        let vertices = mesh.vertices().iter();
        self.points.extend(vertices.map(|&p| single(placed(p))));
        let faces: Vec<[u32; 3]> = mesh.faces().iter().map(|f| f.map(|v| v + base)).collect();
        self.normals
            .extend(corner_normals(&self.points, base, &faces));
        self.colors.extend((0..faces.len()).map(color));
        self.faces.extend(faces);
    }

    /// Adds a ball.
    pub fn add_ball(&mut self, center: [f64; 3], radius: f64, color: Color) {
        self.balls.push((single(center), radius as f32, color));
    }

    /// Adds a thin line.
    pub fn add_line(&mut self, ends: [[f64; 3]; 2], color: Color) {
        self.lines.push((ends.map(single), color));
    }

    /// Adds the twelve edges of a box.
    pub fn add_box(&mut self, min: [f64; 3], max: [f64; 3], color: Color) {
        let corner =
            |c: usize| std::array::from_fn(|k| if c >> k & 1 == 0 { min[k] } else { max[k] });
        for a in 0..8 {
            for k in (0..3).filter(|k| a >> k & 1 == 0) {
                self.add_line([corner(a), corner(a | 1 << k)], color);
            }
        }
    }

    /// Returns balls, as centre and radius, whose convex hull contains the scene.
    fn extent(&self) -> impl Iterator<Item = (Vec3, f32)> + Clone + '_ {
        let points = self.points.iter().map(|&p| (p, 0.0));
        let lines = self
            .lines
            .iter()
            .flat_map(|(ends, _)| ends.map(|p| (p, 0.0)));
        let balls = self.balls.iter().map(|&(p, r, _)| (p, r));
        points.chain(balls).chain(lines)
    }
}

fn single(p: [f64; 3]) -> Vec3 {
    Vec3::new(p[0] as f32, p[1] as f32, p[2] as f32)
}

fn corner_normals(points: &[Vec3], base: u32, faces: &[[u32; 3]]) -> Vec<[Vec3; 3]> {
    let unit = |v: Vec3| v.try_normalize(f32::MIN_POSITIVE).unwrap_or_else(Vec3::z);
    // Normals are weighted by area: the length of the cross product is twice the area.
    let weighted: Vec<Vec3> = faces
        .iter()
        .map(|f| {
            let [a, b, c] = f.map(|v| points[v as usize]);
            (b - a).cross(&(c - a))
        })
        .collect();
    let mut around = vec![Vec::new(); points.len() - base as usize];
    for (face, corners) in faces.iter().enumerate() {
        for &v in corners {
            around[(v - base) as usize].push(face);
        }
    }
    let corner = |face: usize, v: u32| {
        let own = unit(weighted[face]);
        let neighbours = around[(v - base) as usize].iter();
        let near = neighbours.filter(|&&f| unit(weighted[f]).dot(&own) > CREASE);
        unit(near.fold(Vec3::zeros(), |sum, &f| sum + weighted[f]))
    };
    (0..faces.len())
        .into_par_iter()
        .map(|face| faces[face].map(|v| corner(face, v)))
        .collect()
}

/// The background of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Background {
    /// Transparent: the page shows through.
    Transparent,
    /// A gradient from the first colour at the top to the second at the bottom.
    Gradient(Color, Color),
}

/// View: direction, size and background.
#[derive(Clone, Debug)]
pub struct View {
    /// The direction from the shapes to the viewer.
    pub toward: [f64; 3],
    /// Width and height in pixels.
    pub size: [usize; 2],
    /// The margin at each side of the picture, as a fraction of the width (left and right) and of
    /// the height (top and bottom).
    pub margin: f32,
    /// Whether shadows fall on a ground under the shapes.
    pub ground: bool,
    /// The background.
    pub background: Background,
}

/// An image with 8 bits for each of red, green, blue and opacity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Width and height in pixels.
    pub size: [usize; 2],
    /// The pixels, row by row from top to bottom, each with red, green, blue and opacity.
    pub pixels: Vec<[u8; 4]>,
}

impl Picture {
    /// Renders a scene.
    pub fn of(scene: &Scene, view: &View) -> Picture {
        let [width, height] = view.size;
        let samples_wide = width * OVERSAMPLING;
        let projection = Projection::fitted(
            single(view.toward),
            scene.extent(),
            [samples_wide, height * OVERSAMPLING],
            view.margin,
        );
        let surface = Surface::visible(scene, &projection);
        let lit = Lit::new(scene, &projection, &surface, view.ground);
        let mut pixels = vec![[0; 4]; width * height];
        pixels
            .par_chunks_mut(width.max(1))
            .enumerate()
            .for_each(|(y, row)| {
                for (x, pixel) in row.iter_mut().enumerate() {
                    let inside = |k: usize| {
                        let (i, j) = (k % OVERSAMPLING, k / OVERSAMPLING);
                        (y * OVERSAMPLING + j) * samples_wide + x * OVERSAMPLING + i
                    };
                    let fade = distance_to_border([x, y], view.size);
                    let samples = (0..OVERSAMPLING * OVERSAMPLING).map(|k| {
                        let at = inside(k);
                        shade(&surface.samples[at], lit.light[at], fade)
                    });
                    let down = (y as f32 + 0.5) / height as f32;
                    *pixel = blend(samples, view.background, down);
                }
            });
        Picture {
            size: view.size,
            pixels,
        }
    }

    /// Encodes the image as PNG; without the opacity channel if every pixel is opaque.
    pub fn png(&self) -> Result<Vec<u8>, Error> {
        let opaque = self.pixels.iter().all(|p| p[3] == 255);
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.size[0] as u32, self.size[1] as u32);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::High);
        encoder.set_color(if opaque {
            png::ColorType::Rgb
        } else {
            png::ColorType::Rgba
        });
        let channels = if opaque { 3 } else { 4 };
        let bytes: Vec<u8> = self
            .pixels
            .iter()
            .flat_map(|p| p.iter().copied().take(channels))
            .collect();
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&bytes)?;
        writer.finish()?;
        Ok(file)
    }
}

/// Colour of the light of the sky, slightly blue: factors of red, green and blue.
const SKY: [f32; 3] = [0.90, 0.96, 1.06];
/// Colour of the light of the sun, slightly yellow: factors of red, green and blue.
const SUN: [f32; 3] = [1.06, 1.0, 0.92];

/// Returns the factor by which shadows on the ground fade out near the border of the picture: 0 at
/// the border, 1 in the interior.
fn distance_to_border(pixel: [usize; 2], size: [usize; 2]) -> f32 {
    let far = 0.12 * size[0].min(size[1]) as f32;
    let near = |k: usize| pixel[k].min(size[k] - 1 - pixel[k]) as f32 / far;
    let t = near(0).min(near(1)).min(1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Returns the colour of a sample in linear RGB, premultiplied by its opacity, and the opacity.
/// `light` is what the sample receives from the sky and from the sun. On the ground, `fade` is the
/// factor by which the opacity of the shadow is multiplied.
fn shade(sample: &Sample, light: [f32; 2], fade: f32) -> [f32; 4] {
    match sample.surface {
        raster::NOTHING => {
            // On the ground, missing light is a shadow.
            let shadow = (1.1 * light[0] + 0.5 * light[1]).clamp(0.0, 0.85);
            [0.0, 0.0, 0.0, shadow * fade]
        }
        raster::UNLIT => {
            let c = sample.color.linear();
            [c[0], c[1], c[2], 1.0]
        }
        _ => {
            let c = sample.color.linear();
            let at = |k: usize| {
                let x = c[k] * (0.62 * light[0] * SKY[k] + 0.62 * light[1] * SUN[k]);
                // Bright colours approach white instead of being cut off.
                if x < 0.7 {
                    x
                } else {
                    1.0 - 0.3 * (-(x - 0.7) / 0.3).exp()
                }
            };
            [at(0), at(1), at(2), 1.0]
        }
    }
}

fn blend(samples: impl Iterator<Item = [f32; 4]>, background: Background, down: f32) -> [u8; 4] {
    let count = (OVERSAMPLING * OVERSAMPLING) as f32;
    let sum = samples.fold([0.0f32; 4], |sum, s| std::array::from_fn(|k| sum[k] + s[k]));
    let [r, g, b, opacity] = sum.map(|c| c / count);
    match background {
        Background::Transparent if opacity <= 0.0 => [0; 4],
        Background::Transparent => {
            let [r, g, b] = [r, g, b].map(|c| srgb(c / opacity));
            [r, g, b, (255.0 * opacity).round() as u8]
        }
        Background::Gradient(top, bottom) => {
            let behind = top.mix(bottom, down).linear();
            let [r, g, b] =
                [(r, 0), (g, 1), (b, 2)].map(|(c, k)| srgb(c + (1.0 - opacity) * behind[k]));
            [r, g, b, 255]
        }
    }
}

#[cfg(test)]
mod tests;
