//! Random scenes that are hard for the broad phase: ties, duplicates, points, sizes of all
//! magnitudes, far offsets, flat and clustered positions, periodic cells, and motion from frame to
//! frame.

use tangere::pairs::{Items, PairSettings, Periodic};
use test_support::Random;

/// Random numbers of a seed, uncorrelated with those of neighbouring seeds. The hashes of films
/// depend on these numbers.
pub fn numbers_of(seed: u64) -> Random {
    Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
}

/// The items of one frame, with their memory.
#[derive(Clone, Debug)]
pub enum Frame<const D: usize> {
    Spheres(Vec<[f64; D]>, Vec<f64>),
    Boxes(Vec<[f64; D]>, Vec<[f64; D]>),
}

impl<const D: usize> Frame<D> {
    pub fn items(&self) -> Items<'_, D> {
        match self {
            Frame::Spheres(centers, radii) => Items::Spheres { centers, radii },
            Frame::Boxes(lower, upper) => Items::Boxes { lower, upper },
        }
    }

    pub fn len(&self) -> usize {
        self.items().len()
    }
}

/// A film: a moving scene, its settings and query items.
#[derive(Clone, Debug)]
pub struct Film<const D: usize> {
    pub settings: PairSettings<D>,
    pub frames: Vec<Frame<D>>,
    /// The query items of every frame.
    pub others: Frame<D>,
    /// Whether the periodic cell is certainly wide enough for every pair of items.
    pub fits: bool,
}

/// Positions of items, in units of the lattice.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// Positions at random multiples of a step.
    Lattice(f64),
    /// Positions at consecutive integers, so that there are no duplicates.
    Rows,
    Uniform,
    /// A few positions, each shared by many items.
    Few(usize),
    /// Positions in a number of clusters at a given distance.
    Clusters(usize, f64),
}

/// Sizes of items, in units of the lattice.
#[derive(Clone, Copy, Debug)]
enum Sizes {
    Equal(f64),
    /// Sizes of half-integers, from 0 on.
    Halves(usize),
    Uniform(f64),
    /// Log-uniform sizes, from a thousandth up to this one.
    Decades(f64),
    /// Equal sizes, except for the first item, which is huge.
    Huge(f64, f64),
    /// Sizes of which every other one is 0.
    Points(f64),
}

/// The parameters with which items are generated.
#[derive(Clone, Copy, Debug)]
struct Recipe<const D: usize> {
    place: Place,
    sizes: Sizes,
    side: f64,
    /// Axes along which all items have the same coordinate.
    flat: [bool; D],
    scale: f64,
    offset: [f64; D],
    /// Widths of boxes relative to their radius.
    aspect: [f64; D],
    boxes: bool,
    /// Whether some zeros are negative.
    signed: bool,
}

/// The centres and sizes of items, in units of the lattice.
#[derive(Clone, Debug, Default)]
struct Cloud<const D: usize> {
    middles: Vec<[f64; D]>,
    sizes: Vec<f64>,
    /// The periodic image in which each item is given.
    images: Vec<[i32; D]>,
}

impl<const D: usize> Recipe<D> {
    fn new(numbers: &mut Random, count: usize, far: bool) -> Self {
        let place = match numbers.below(9) {
            0 | 1 => Place::Lattice(1.0),
            2 => Place::Lattice(0.5),
            3 => Place::Rows,
            4 | 5 => Place::Uniform,
            6 => Place::Few(1 + numbers.below(12)),
            7 => Place::Clusters(1 + numbers.below(6), numbers.pick(&[10.0, 1e3, 1e5])),
            _ => Place::Uniform,
        };
        let sizes = match numbers.below(10) {
            0 => Sizes::Equal(0.0),
            1 | 2 => Sizes::Equal(0.5),
            3 | 4 => Sizes::Halves(1 + numbers.below(4)),
            5 | 6 => Sizes::Uniform(numbers.pick(&[0.3, 0.7, 1.5])),
            7 => Sizes::Decades(numbers.pick(&[0.5, 3.0])),
            8 => Sizes::Huge(
                numbers.pick(&[0.0, 0.3, 0.5]),
                numbers.pick(&[5.0, 50.0, 1e3]),
            ),
            _ => Sizes::Points(0.5),
        };
        let mut flat = [false; D];
        if numbers.chance(1, 5) {
            // A plane, a line or a point.
            flat = std::array::from_fn(|_| numbers.chance(1, 2));
        }
        // From sparse to crowded, whatever the number of axes.
        let axes = flat.iter().filter(|&&f| !f).count().max(1);
        let crowd = numbers.pick(&[0.3, 1.0, 1.0, 4.0]);
        let side = (count as f64 / crowd)
            .powf(1.0 / axes as f64)
            .max(1.0)
            .ceil();
        let offset = match far {
            true => numbers.pick(&[1e9, -1e9, 1e15, -7e4]),
            false => 0.0,
        };
        let alone = far && numbers.chance(1, 3);
        Recipe {
            place,
            sizes,
            side,
            flat,
            scale: numbers.pick(&[1.0, 1.0, 0.1, 1e-3, 1e20]),
            offset: std::array::from_fn(|k| if alone && k > 0 { 0.0 } else { offset }),
            aspect: match numbers.below(5) {
                0 => [0.0; D],
                1 => std::array::from_fn(|k| if k == 0 { 0.0 } else { 1.0 }),
                2 => std::array::from_fn(|_| numbers.unit()),
                _ => [1.0; D],
            },
            boxes: numbers.chance(1, 2),
            signed: numbers.chance(1, 4),
        }
    }

    fn middle(&self, numbers: &mut Random, i: usize) -> [f64; D] {
        let side = self.side as usize;
        let mut p: [f64; D] = match self.place {
            Place::Lattice(step) => std::array::from_fn(|_| step * numbers.below(side) as f64),
            Place::Rows => {
                let mut rest = i;
                std::array::from_fn(|k| {
                    if self.flat[k] {
                        return 0.0;
                    }
                    let at = rest % side;
                    rest /= side;
                    at as f64
                })
            }
            Place::Uniform => std::array::from_fn(|_| self.side * numbers.unit()),
            Place::Few(places) => {
                let mut own = numbers_of(numbers.below(places) as u64);
                std::array::from_fn(|_| own.below(side) as f64)
            }
            Place::Clusters(clusters, apart) => {
                let mut own = numbers_of(numbers.below(clusters) as u64);
                std::array::from_fn(|_| apart * own.below(9) as f64 + 2.0 * numbers.unit())
            }
        };
        for k in (0..D).filter(|&k| self.flat[k]) {
            p[k] = 1.0;
        }
        p
    }

    fn size(&self, numbers: &mut Random, i: usize) -> f64 {
        match self.sizes {
            Sizes::Equal(r) => r,
            Sizes::Halves(most) => 0.5 * numbers.below(most + 1) as f64,
            Sizes::Uniform(r) => r * numbers.unit(),
            Sizes::Decades(r) => r * 1e-3f64.powf(numbers.unit()),
            Sizes::Huge(r, huge) => {
                if i == 0 {
                    huge
                } else {
                    r
                }
            }
            Sizes::Points(r) => r * (i % 2) as f64,
        }
    }

    /// Appends items until there are `count`, or drops some.
    fn fill(&self, numbers: &mut Random, cloud: &mut Cloud<D>, count: usize) {
        cloud.middles.truncate(count);
        cloud.sizes.truncate(count);
        for i in cloud.middles.len()..count {
            cloud.middles.push(self.middle(numbers, i));
            cloud.sizes.push(self.size(numbers, i));
        }
    }

    /// The items as given to finders, moved out of the periodic cell by their images.
    fn frame(&self, cloud: &Cloud<D>, boxes: bool, cell: Option<&Periodic<D>>) -> Frame<D> {
        let radii = cloud.sizes.iter().map(|r| r * self.scale);
        let centers = cloud.middles.iter().enumerate().map(|(i, p)| {
            let image = cloud.images.get(i).copied().unwrap_or([0; D]);
            let shift = cell.map_or([0.0; D], |cell| cell.shift(image));
            std::array::from_fn(|k| (p[k] * self.scale + self.offset[k]) + shift[k])
        });
        let zeros = |(i, p): (usize, [f64; D])| match self.signed && i % 2 == 1 {
            true => p.map(|x| if x == 0.0 { -0.0 } else { x }),
            false => p,
        };
        if !boxes {
            return Frame::Spheres(centers.enumerate().map(zeros).collect(), radii.collect());
        }
        let side = |sign: f64| {
            let corner = |(p, r): ([f64; D], f64)| -> [f64; D] {
                std::array::from_fn(|k| p[k] + sign * r * self.aspect[k])
            };
            let corners = centers.clone().zip(radii.clone()).map(corner);
            corners.enumerate().map(zeros).collect()
        };
        Frame::Boxes(side(-1.0), side(1.0))
    }
}

/// A random number of items: mostly few, some hundred now and then.
fn count(numbers: &mut Random) -> usize {
    match numbers.below(200) {
        0..=59 => numbers.below(8),
        60..=149 => 8 + numbers.below(22),
        150..=189 => 30 + numbers.below(40),
        190..=198 => 70 + numbers.below(80),
        _ => 150 + numbers.below(250),
    }
}

/// A periodic cell around clouds, and whether it is wide enough for their items.
fn cell<const D: usize>(
    numbers: &mut Random,
    recipe: &Recipe<D>,
    largest: f64,
    margin: f64,
) -> (Periodic<D>, bool) {
    let narrow = numbers.chance(1, 40);
    let tilted = numbers.chance(1, 3);
    let mut open: [bool; D] = [false; D];
    if numbers.chance(1, 2) {
        open = std::array::from_fn(|_| numbers.chance(1, 2));
    }
    if open == [true; D] {
        open[numbers.below(D)] = false;
    }
    // Just enough, so that pairs half a cell apart touch on both sides; tilts
    // make a cell narrower than its edges are long.
    let needed = 2.0 * (2.0 * largest + margin);
    let room = needed.max(1.0)
        * if narrow {
            0.7
        } else if tilted {
            4.0
        } else {
            1.0
        };
    let exact = numbers.chance(1, 3);
    let mut lengths: [f64; D] = std::array::from_fn(|_| {
        let wide = recipe.side.max(room);
        if exact {
            wide
        } else {
            wide * numbers.between(1.0, 3.0)
        }
    });
    for k in 0..D {
        lengths[k] *= recipe.scale;
    }
    let mut tilts = vec![0.0; D * (D - 1) / 2];
    if tilted {
        for (tilt, (edge, along)) in tilts.iter_mut().zip([(1, 0), (2, 0), (2, 1)]) {
            if !open[edge] && !open[along] {
                *tilt = lengths[along]
                    * match exact {
                        true => numbers.pick(&[-0.5, -0.25, 0.0, 0.25, 0.5, 1.0]),
                        false => numbers.between(-0.8, 0.8),
                    };
            }
        }
    }
    for k in (0..D).filter(|&k| open[k]) {
        lengths[k] = 0.0;
    }
    let origin =
        std::array::from_fn(|k| recipe.offset[k] + recipe.scale * numbers.pick(&[0.0, 0.5, -3.3]));
    let cell = Periodic::tilted(lengths, &tilts).expect("valid lengths and tilts");
    let narrowest = cell.widths().into_iter().fold(f64::INFINITY, f64::min);
    let fits = narrowest >= needed * recipe.scale * (1.0 + 1e-6);
    (cell.at(origin).expect("a finite origin"), fits)
}

impl<const D: usize> Film<D> {
    /// The film of a seed. If `size` is given, it has one frame with that many items.
    pub fn new(seed: u64, periodic: bool, size: Option<usize>) -> Self {
        let mut numbers = numbers_of(seed);
        let numbers = &mut numbers;
        let first = size.unwrap_or_else(|| count(numbers));
        let far = numbers.chance(1, 3);
        let mut recipe = Recipe::<D>::new(numbers, first, far);
        if size.is_some() {
            // Many items at few places would make billions of pairs.
            if matches!(recipe.place, Place::Few(_) | Place::Clusters(..)) {
                recipe.place = Place::Uniform;
            }
            recipe.flat = [false; D];
            recipe.side = (first as f64).powf(1.0 / D as f64).ceil();
            recipe.scale = 1.0;
            recipe.offset = recipe.offset.map(|x| if x.abs() > 1e9 { 1e9 } else { x });
        }
        let margin = match numbers.below(5) {
            0 => 0.5,
            1 => numbers.unit(),
            _ => 0.0,
        };

        let length = match (size, numbers.chance(1, 2)) {
            (None, true) => 2 + numbers.below(5),
            _ => 1,
        };
        let mut clouds = vec![Cloud::default(); length];
        recipe.fill(numbers, &mut clouds[0], first);
        // Sudden motion comes after quiet motion in most films.
        let quiet = numbers.pick(&[0.0, 1e-4, 1e-2, 0.1]);
        for n in 1..length {
            let (before, after) = clouds.split_at_mut(n);
            after[0] = before[n - 1].clone();
            recipe.advance(numbers, &mut after[0], quiet);
        }
        let mut others = Cloud::default();
        let few = if size.is_some() {
            20
        } else {
            count(numbers).min(60)
        };
        recipe.fill(numbers, &mut others, few);

        let mut fits = true;
        let mut space = None;
        if periodic {
            let sizes = clouds.iter().chain([&others]).flat_map(|c| &c.sizes);
            let largest = sizes.copied().fold(0.0, f64::max);
            let (cell, room) = cell(numbers, &recipe, largest, margin);
            (space, fits) = (Some(cell), room);
            // Far images must work as near ones do.
            let most = numbers.pick(&[0, 2, 2, 2, 900_000]);
            let items = clouds.iter().map(|c| c.middles.len()).max().unwrap_or(0);
            let images: Vec<[i32; D]> = (0..items.max(few))
                .map(|_| {
                    std::array::from_fn(|k| match cell.repeats(k) {
                        true => numbers.below(2 * most + 1) as i32 - most as i32,
                        false => 0,
                    })
                })
                .collect();
            for cloud in clouds.iter_mut().chain([&mut others]) {
                cloud.images.clone_from(&images);
            }
        }
        // Beside the last cells of a million a clustered item is out of range; far
        // from the origin the corners of boxes are rounded apart.
        fits &= !matches!(recipe.place, Place::Clusters(..)) && !far;
        let frames = clouds
            .iter()
            .map(|cloud| {
                let other = length > 1 && numbers.chance(1, 10);
                recipe.frame(cloud, recipe.boxes != other, space.as_ref())
            })
            .collect();
        let other = numbers.chance(1, 40);
        let others = recipe.frame(&others, recipe.boxes != other, space.as_ref());
        let most = if numbers.chance(1, 30) {
            numbers.below(50)
        } else {
            usize::MAX
        };
        let settings = PairSettings {
            margin: margin * recipe.scale,
            periodic: space,
            most,
            ..PairSettings::default()
        };
        Film {
            settings,
            frames,
            others,
            fits,
        }
    }
}

impl<const D: usize> Recipe<D> {
    /// Moves the items by one step.
    fn advance(&self, numbers: &mut Random, cloud: &mut Cloud<D>, quiet: f64) {
        let len = cloud.middles.len();
        match numbers.below(12) {
            // A jump.
            0 => {
                cloud.middles.clear();
                cloud.sizes.clear();
                self.fill(numbers, cloud, len);
            }
            // Another number of items.
            1 => {
                let count = numbers.below(2 * len + 2);
                self.fill(numbers, cloud, count);
            }
            2 => self.fill(numbers, cloud, 0),
            // Along the lattice, so that ties stay.
            3 | 4 => {
                for p in &mut cloud.middles {
                    let k = numbers.below(D);
                    p[k] += numbers.pick(&[-1.0, -0.5, 0.0, 0.5, 1.0]);
                }
            }
            // Growth.
            5 => cloud
                .sizes
                .iter_mut()
                .for_each(|r| *r *= numbers.pick(&[0.5, 1.0, 1.0])),
            6 => {}
            _ => {
                for p in &mut cloud.middles {
                    *p = p.map(|x| x + quiet * (numbers.unit() - 0.5));
                }
            }
        }
        if cloud.middles.is_empty() && numbers.chance(1, 2) {
            let count = count(numbers);
            self.fill(numbers, cloud, count);
        }
    }
}
