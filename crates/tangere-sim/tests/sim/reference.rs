//! A simulation of a few spheres as plainly as it can be written: all pairs and all their images in every
//! step, velocity Verlet, one history for each pair and image and for each face of a wall. It is the
//! oracle of what is faster.

use std::collections::BTreeMap;
use std::f64::consts::TAU;
use tangere::simd::One;
use tangere_sim::deck::{Changes, Clock, Contact, Engine, Observer, Problem};
use tangere_sim::laws::{Clock as Pace, Law, Touch};
use tangere_sim::region::{SurfacePoint, SurfacePoints};
use tangere_sim::setup::{Cell, Effect, Exclusion, Motion, Remap, Setup, Spheres, Wall};

pub type Vector = [f64; 3];

fn plus(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|k| a[k] + b[k])
}

fn minus(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|k| a[k] - b[k])
}

fn times(a: Vector, s: f64) -> Vector {
    a.map(|x| s * x)
}

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Vector, b: Vector) -> Vector {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// Whether bodies with this overlap are in contact; cohesion holds on to those that were.
fn touches(law: &Law, overlap: f64, radius: f64, was_touching: bool) -> bool {
    match was_touching {
        true => overlap > 0.0 - law.normal.pull_off_gap(radius),
        false => overlap > 0.0,
    }
}

/// What a contact keeps: shear, contact radius, roll, twist.
type Kept = [f64; 8];

/// Two bodies in contact, in plain numbers.
struct Meeting {
    overlap: f64,
    radius: f64,
    mass: f64,
    inertia: f64,
    way: Vector,
    velocity: Vector,
    surface_spin: Vector,
    relative_spin: Vector,
    arms: [f64; 2],
}

/// The force on `b`, and the torques on `a` and `b`.
fn react(law: &Law, meeting: &Meeting, clock: &Pace, kept: &mut Kept) -> (Vector, [Vector; 2]) {
    let unit = |way: Vector| times(way, 1.0 / length(way)).map(One);
    let normal = unit(meeting.way);
    let half_way = times(meeting.velocity, 0.5 * clock.step);
    let half_normal = match clock.is_synchronized {
        true => unit(minus(meeting.way, half_way)),
        false => normal,
    };
    let touch = Touch {
        overlap: One(meeting.overlap),
        radius: One(meeting.radius),
        mass: One(meeting.mass),
        inertia: One(meeting.inertia),
        normal,
        half_normal,
        velocity: meeting.velocity.map(One),
        surface_spin: meeting.surface_spin.map(One),
        relative_spin: meeting.relative_spin.map(One),
    };
    let [sx, sy, sz, radius, rx, ry, rz, twist] = kept.map(One);
    let mut history = tangere_sim::laws::History {
        shear: [sx, sy, sz],
        contact_radius: radius,
        roll: [rx, ry, rz],
        twist,
    };
    let reaction = law.react(&touch, clock, &mut history);
    let ([sx, sy, sz], [rx, ry, rz]) = (history.shear, history.roll);
    let radius = history.contact_radius;
    *kept = [sx, sy, sz, radius, rx, ry, rz, history.twist].map(|x| x.0);
    let plain = |v: [One; 3]| v.map(|x| x.0);
    let (turning, resistance) = (plain(reaction.turning), plain(reaction.resistance));
    let torques = [
        minus(times(turning, meeting.arms[0]), resistance),
        plus(times(turning, meeting.arms[1]), resistance),
    ];
    (plain(reaction.force), torques)
}

/// Two ids, and the image of the second, counted from where both were before they left the cell: it
/// stays the same when one of them is taken back into the cell.
type PairKey = (u64, u64, [i32; 3]);

/// Histories of contacts by ids, and of walls by name, face and id.
#[derive(Default)]
pub struct Reference {
    pub is_synchronized: bool,
    pairs: BTreeMap<PairKey, Kept>,
    walls: BTreeMap<(String, u32, u64), Kept>,
    contacts: Vec<Contact>,
}

impl Engine for Reference {
    fn run(
        &mut self,
        setup: &mut Setup,
        spheres: &mut Spheres,
        clock: &mut Clock,
        steps: u64,
        observer: &mut dyn Observer,
    ) -> Result<(), Problem> {
        let start = *clock;
        let mut next = Some(clock.step);
        wrap(&setup.cell, spheres);
        for step in 0..=steps {
            if step > 0 {
                self.kick(setup, spheres);
                clock.step += 1;
                clock.time = start.time + step as f64 * setup.step;
                self.drift(setup, spheres, clock.time);
            }
            if observer.changes() != Changes::Never {
                observer.before_forces(*clock, setup, spheres)?;
            }
            let pace = Pace {
                step: setup.step,
                advances: step > 0,
                is_synchronized: self.is_synchronized,
            };
            self.find_forces(setup, spheres, clock.time, &pace);
            if step > 0 {
                self.kick(setup, spheres);
                deform(setup, spheres, *clock);
            }
            if next == Some(clock.step) {
                observer.observe(*clock, setup, spheres, &self.contacts)?;
                next = observer.next_step(clock.step);
            }
        }
        Ok(())
    }
}

impl Reference {
    /// Half a step of velocities and spins.
    fn kick(&self, setup: &Setup, spheres: &mut Spheres) {
        let half = 0.5 * setup.step;
        for i in 0..spheres.ids.len() {
            let (m, r) = (spheres.masses[i], spheres.radii[i]);
            let kick = times(spheres.forces[i], half / m);
            match mover(setup, spheres.groups[i]) {
                Some(Effect::Integrate { inertia }) => {
                    spheres.velocities[i] = plus(spheres.velocities[i], kick);
                    let turn = times(spheres.torques[i], half / (inertia * m * r * r));
                    spheres.spins[i] = plus(spheres.spins[i], turn);
                }
                Some(Effect::Move(motion)) => {
                    for k in (0..3).filter(|&k| is_free(motion, k)) {
                        spheres.velocities[i][k] += kick[k];
                    }
                }
                _ => {}
            }
        }
    }

    fn drift(&self, setup: &Setup, spheres: &mut Spheres, time: f64) {
        let step = setup.step;
        for action in &setup.actions {
            for i in 0..spheres.ids.len() {
                let is_mover = mover(setup, spheres.groups[i]) == Some(&action.effect);
                if spheres.groups[i] & action.group == 0 || !is_mover {
                    continue;
                }
                match &action.effect {
                    Effect::Integrate { .. } => {
                        let way = times(spheres.velocities[i], step);
                        spheres.positions[i] = plus(spheres.positions[i], way);
                    }
                    Effect::Move(motion) => {
                        moved(motion, spheres, i, time - action.since, step);
                    }
                    _ => {}
                }
            }
        }
        wrap(&setup.cell, spheres);
    }

    fn find_forces(&mut self, setup: &Setup, spheres: &mut Spheres, time: f64, pace: &Pace) {
        spheres.forces.fill([0.0; 3]);
        spheres.torques.fill([0.0; 3]);
        self.find_pairs(setup, spheres, pace);
        for action in &setup.actions {
            for i in 0..spheres.ids.len() {
                if spheres.groups[i] & action.group == 0 {
                    continue;
                }
                let force = &mut spheres.forces[i];
                match &action.effect {
                    Effect::Gravity(g) => *force = plus(*force, times(*g, spheres.masses[i])),
                    Effect::AddForce(f) => *force = plus(*force, *f),
                    Effect::SetForce(f) => {
                        for k in 0..3 {
                            force[k] = f[k].unwrap_or(force[k]);
                        }
                    }
                    Effect::Viscous(drags) => {
                        let drag = drags[spheres.kinds[i] as usize];
                        *force = minus(*force, times(spheres.velocities[i], drag));
                    }
                    Effect::Wall(wall) => {
                        let time = time - action.since;
                        self.find_wall(&action.name, wall, spheres, i, time, pace);
                    }
                    Effect::Drag {
                        density,
                        viscosity,
                        velocity,
                    } => {
                        let wind = minus(*velocity, spheres.velocities[i]);
                        let d = 2.0 * spheres.radii[i];
                        let reynolds = density * length(wind) * d / viscosity;
                        // Schiller and Naumann 1933.
                        let coefficient = match reynolds <= 1000.0 {
                            true => 24.0 / reynolds * (1.0 + 0.15 * reynolds.powf(0.687)),
                            false => 0.44,
                        };
                        let area = TAU / 8.0 * d * d;
                        let drag = 0.5 * density * coefficient * area * length(wind);
                        *force = plus(*force, times(wind, drag));
                    }
                    Effect::Freeze => {
                        *force = [0.0; 3];
                        spheres.torques[i] = [0.0; 3];
                    }
                    Effect::Flat => {
                        (force[2], spheres.velocities[i][2]) = (0.0, 0.0);
                        [spheres.torques[i][0], spheres.torques[i][1]] = [0.0; 2];
                        [spheres.spins[i][0], spheres.spins[i][1]] = [0.0; 2];
                    }
                    _ => {}
                }
            }
        }
    }

    fn find_pairs(&mut self, setup: &Setup, spheres: &mut Spheres, pace: &Pace) {
        self.contacts.clear();
        let before = std::mem::take(&mut self.pairs);
        let order = {
            let mut order: Vec<usize> = (0..spheres.ids.len()).collect();
            order.sort_by_key(|&i| spheres.ids[i]);
            order
        };
        let fractions: Vec<Vector> = spheres
            .positions
            .iter()
            .map(|&x| fractions(&setup.cell, x))
            .collect();
        let heights = heights(&setup.cell);
        for (number, &a) in order.iter().enumerate() {
            for &b in &order[number..] {
                let groups = [spheres.groups[a], spheres.groups[b]];
                let frozen = groups.map(|group| is_frozen(setup, group));
                let kinds = [spheres.kinds[a], spheres.kinds[b]];
                let is_excluded = setup.excluded.iter().any(|excluded| match *excluded {
                    Exclusion::Groups(f, g) => {
                        (groups[0] & f != 0 && groups[1] & g != 0)
                            || (groups[0] & g != 0 && groups[1] & f != 0)
                    }
                    Exclusion::Kinds(f, g) => kinds == [f, g] || kinds == [g, f],
                });
                let at = kinds[0] as usize * setup.laws.kinds + kinds[1] as usize;
                let is_left_out = is_excluded || frozen == [true; 2];
                let law = setup.laws.table.get(at).copied().flatten();
                let Some(law) = law.filter(|_| !is_left_out) else {
                    continue;
                };
                let law = &setup.laws.laws[law as usize];
                let [r, s] = [spheres.radii[a], spheres.radii[b]];
                let radius = r * s / (r + s);
                let reach = r + s + law.normal.pull_off_gap(radius);
                // Of images along an edge, those whose layer is within reach.
                let range = |k: usize| {
                    let (at, reach) = (fractions[b][k] - fractions[a][k], reach / heights[k]);
                    match setup.cell.periodic[k] {
                        true => (0.0 - at - reach).ceil() as i32..=(reach - at).floor() as i32,
                        false => 0..=0,
                    }
                };
                for i in range(0) {
                    for j in range(1) {
                        for k in range(2) {
                            let image = [i, j, k];
                            // Of a sphere and its own images each pair once.
                            if a == b && image <= [0; 3] {
                                continue;
                            }
                            let key = key(spheres, a, b, image);
                            let old = before.get(&key).copied();
                            let pair = ([a, b], image, frozen);
                            if let Some(kept) = self.meet(setup, law, spheres, pair, old, pace) {
                                self.pairs.insert(key, kept);
                            }
                        }
                    }
                }
            }
        }
    }

    /// Two spheres that touch: adds force and torques, and returns what the contact keeps.
    fn meet(
        &mut self,
        setup: &Setup,
        law: &Law,
        spheres: &mut Spheres,
        ([a, b], image, frozen): ([usize; 2], [i32; 3], [bool; 2]),
        before: Option<Kept>,
        pace: &Pace,
    ) -> Option<Kept> {
        let mut way = minus(spheres.positions[b], spheres.positions[a]);
        for k in 0..3 {
            way = plus(way, times(setup.cell.edges[k], f64::from(image[k])));
        }
        let [r, s] = [spheres.radii[a], spheres.radii[b]];
        let distance = length(way);
        let overlap = r + s - distance;
        let radius = r * s / (r + s);
        if !touches(law, overlap, radius, before.is_some()) {
            return None;
        }
        let shift = match setup.laws.is_classic {
            true => 0.0,
            false => 0.5 * overlap,
        };
        // A frozen sphere counts as infinitely heavy.
        let inverse = |i: usize, side: usize, scale: f64| match frozen[side] {
            true => 0.0,
            false => 1.0 / (scale * spheres.masses[i]),
        };
        let meeting = Meeting {
            overlap,
            radius,
            mass: 1.0 / (inverse(a, 0, 1.0) + inverse(b, 1, 1.0)),
            inertia: 1.0 / (inverse(a, 0, 1.4 * r * r) + inverse(b, 1, 1.4 * s * s)),
            way,
            velocity: minus(spheres.velocities[b], spheres.velocities[a]),
            surface_spin: plus(times(spheres.spins[a], r), times(spheres.spins[b], s)),
            relative_spin: minus(spheres.spins[b], spheres.spins[a]),
            arms: [r - shift, s - shift],
        };
        let mut kept = before.unwrap_or_default();
        let (force, torques) = react(law, &meeting, pace, &mut kept);
        spheres.forces[a] = minus(spheres.forces[a], force);
        spheres.forces[b] = plus(spheres.forces[b], force);
        spheres.torques[a] = plus(spheres.torques[a], torques[0]);
        spheres.torques[b] = plus(spheres.torques[b], torques[1]);
        let normal = times(way, 1.0 / distance);
        let along = times(normal, dot(force, normal));
        self.contacts.push(Contact {
            spheres: [a, b],
            way,
            force,
            friction: minus(force, along),
        });
        Some(kept)
    }

    fn find_wall(
        &mut self,
        name: &str,
        wall: &Wall,
        spheres: &mut Spheres,
        i: usize,
        time: f64,
        pace: &Pace,
    ) {
        let (id, r) = (spheres.ids[i], spheres.radii[i]);
        let mut points = SurfacePoints::new();
        let center = in_frame_of(wall, spheres.positions[i], time);
        let reach = r + wall.law.normal.pull_off_gap(r);
        wall.surface
            .surface_points(center, reach * 1.000001, &mut points);
        let mut touched = Vec::new();
        for point in points.iter() {
            let SurfacePoint {
                distance,
                curvature_radius,
                face,
                ..
            } = *point;
            let way = turned_with(wall, point.way, time);
            let place = minus(spheres.positions[i], way);
            let velocity = plus(
                turned_with(wall, point.velocity, time),
                wall_velocity(wall, place, time),
            );
            let key = (name.to_string(), face, id);
            let radius = 1.0 / (1.0 / r + 1.0 / curvature_radius);
            let overlap = r - distance;
            let was_touching = self.walls.contains_key(&key);
            if !touches(&wall.law, overlap, radius, was_touching) {
                continue;
            }
            let mass = spheres.masses[i];
            let meeting = Meeting {
                overlap,
                radius,
                mass,
                inertia: 1.4 * mass * r * r,
                way,
                velocity: minus(spheres.velocities[i], velocity),
                surface_spin: times(spheres.spins[i], r),
                relative_spin: spheres.spins[i],
                arms: [0.0, r],
            };
            let history = self.walls.entry(key.clone()).or_default();
            let (force, torques) = react(&wall.law, &meeting, pace, history);
            spheres.forces[i] = plus(spheres.forces[i], force);
            spheres.torques[i] = plus(spheres.torques[i], torques[1]);
            touched.push(key);
        }
        self.walls
            .retain(|key, _| key.0 != name || key.2 != id || touched.contains(key));
    }
}

/// The action that moves spheres of these groups: the last one counts.
fn mover(setup: &Setup, groups: u32) -> Option<&Effect> {
    let own = setup.actions.iter().filter(|a| groups & a.group != 0);
    own.map(|action| &action.effect)
        .rfind(|effect| matches!(effect, Effect::Integrate { .. } | Effect::Move(_)))
}

fn is_frozen(setup: &Setup, groups: u32) -> bool {
    let mut own = setup.actions.iter().filter(|a| groups & a.group != 0);
    own.any(|action| action.effect == Effect::Freeze)
}

/// Whether forces move a sphere along an axis, of those that a motion prescribes.
fn is_free(motion: &Motion, axis: usize) -> bool {
    match motion {
        Motion::Linear(velocity) => velocity[axis].is_none(),
        Motion::Wiggle { amplitude, .. } => amplitude[axis].is_none(),
        _ => false,
    }
}

fn key(spheres: &Spheres, a: usize, b: usize, image: [i32; 3]) -> PairKey {
    let left = |i: usize, k: usize| spheres.images[i][k];
    let image = std::array::from_fn(|k| image[k] + left(a, k) - left(b, k));
    (spheres.ids[a], spheres.ids[b], image)
}

/// A position in parts of the edges: the third edge alone has a z, the second and third alone a y.
fn fractions(cell: &Cell, position: Vector) -> Vector {
    let mut rest = minus(position, cell.origin);
    let mut parts = [0.0; 3];
    for k in [2, 1, 0] {
        parts[k] = rest[k] / cell.edges[k][k];
        rest = minus(rest, times(cell.edges[k], parts[k]));
    }
    parts
}

/// The distances of opposite faces of the cell.
fn heights(cell: &Cell) -> Vector {
    std::array::from_fn(|k| {
        let area = cross(cell.edges[(k + 1) % 3], cell.edges[(k + 2) % 3]);
        dot(cell.edges[k], area).abs() / length(area)
    })
}

/// Takes spheres back into the cell.
fn wrap(cell: &Cell, spheres: &mut Spheres) {
    for i in 0..spheres.ids.len() {
        for k in [2, 1, 0] {
            let cells = fractions(cell, spheres.positions[i])[k].floor();
            if cell.periodic[k] && cells != 0.0 {
                let shift = times(cell.edges[k], cells);
                spheres.positions[i] = minus(spheres.positions[i], shift);
                spheres.images[i][k] += cells as i32;
            }
        }
    }
}

/// Changes the cell at the end of a step.
fn deform(setup: &mut Setup, spheres: &mut Spheres, clock: Clock) {
    for action in setup.actions.clone() {
        let Effect::Deform(deform) = &action.effect else {
            continue;
        };
        if deform.every > 0 && !clock.step.is_multiple_of(deform.every) {
            continue;
        }
        let (old, new) = (setup.cell, deform.cell_at(clock.time));
        (setup.cell.origin, setup.cell.edges) = (new.origin, new.edges);
        for i in 0..spheres.ids.len() {
            if deform.remap == Remap::Positions && spheres.groups[i] & action.group != 0 {
                let parts = fractions(&old, spheres.positions[i]);
                let ways = (0..3).map(|k| times(new.edges[k], parts[k]));
                spheres.positions[i] = ways.fold(new.origin, plus);
            }
        }
    }
}

/// Angle and unit axis of a wall that turns.
fn turn_of(wall: &Wall, time: f64) -> Option<(f64, Vector, Vector)> {
    match &wall.motion {
        Some(Motion::Rotate {
            point,
            axis,
            period,
        }) => Some((
            TAU * time / period,
            times(*axis, 1.0 / length(*axis)),
            *point,
        )),
        _ => None,
    }
}

/// A vector turned about a unit axis.
fn turned(vector: Vector, axis: Vector, angle: f64) -> Vector {
    let along = times(axis, dot(vector, axis));
    let aside = minus(vector, along);
    let across = times(cross(axis, aside), angle.sin());
    plus(along, plus(times(aside, angle.cos()), across))
}

/// A vector of a wall that did not move, in space.
fn turned_with(wall: &Wall, vector: Vector, time: f64) -> Vector {
    match turn_of(wall, time) {
        Some((angle, axis, _)) => turned(vector, axis, angle),
        None => vector,
    }
}

/// Where a place in space is for a wall that did not move.
fn in_frame_of(wall: &Wall, at: Vector, time: f64) -> Vector {
    match &wall.motion {
        Some(Motion::Linear(velocity)) => {
            minus(at, times(velocity.map(Option::unwrap_or_default), time))
        }
        Some(Motion::Wiggle { amplitude, period }) => {
            let size = 1.0 - (TAU * time / period).cos();
            minus(at, times(amplitude.map(Option::unwrap_or_default), size))
        }
        Some(Motion::Rotate { .. }) => match turn_of(wall, time) {
            Some((angle, axis, point)) => plus(point, turned(minus(at, point), axis, 0.0 - angle)),
            None => at,
        },
        _ => at,
    }
}

/// The velocity of the surface of a wall at a place.
fn wall_velocity(wall: &Wall, at: Vector, time: f64) -> Vector {
    match &wall.motion {
        Some(Motion::Linear(velocity)) => velocity.map(Option::unwrap_or_default),
        Some(Motion::Wiggle { amplitude, period }) => {
            let speed = TAU / period * (TAU * time / period).sin();
            times(amplitude.map(Option::unwrap_or_default), speed)
        }
        Some(Motion::Shear(velocity)) => *velocity,
        Some(Motion::Rotate {
            point,
            axis,
            period,
        }) => {
            let spin = times(*axis, TAU / period / length(*axis));
            cross(spin, minus(at, *point))
        }
        None => [0.0; 3],
    }
}

/// Moves a sphere as prescribed; forces have kicked the components that are free.
fn moved(motion: &Motion, spheres: &mut Spheres, i: usize, time: f64, step: f64) {
    match motion {
        Motion::Linear(velocity) => {
            for k in 0..3 {
                spheres.velocities[i][k] = velocity[k].unwrap_or(spheres.velocities[i][k]);
                spheres.positions[i][k] += spheres.velocities[i][k] * step;
            }
        }
        Motion::Wiggle { amplitude, period } => {
            let turn = |time: f64| TAU * time / period;
            for k in 0..3 {
                let Some(a) = amplitude[k] else {
                    spheres.positions[i][k] += spheres.velocities[i][k] * step;
                    continue;
                };
                let way = turn(time).sin() - turn(time - step).sin();
                spheres.positions[i][k] += a * way;
                spheres.velocities[i][k] = a * TAU / period * turn(time).cos();
            }
        }
        Motion::Rotate {
            point,
            axis,
            period,
        } => {
            let axis = times(*axis, 1.0 / length(*axis));
            let from = minus(spheres.positions[i], *point);
            let arm = turned(from, axis, TAU * step / period);
            spheres.positions[i] = plus(*point, arm);
            spheres.spins[i] = times(axis, TAU / period);
            spheres.velocities[i] = cross(spheres.spins[i], arm);
        }
        Motion::Shear(_) => {}
    }
}
