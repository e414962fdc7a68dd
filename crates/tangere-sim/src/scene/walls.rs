//! Walls of a scene.

use super::{FREE, group_of, unit};
use crate::laws::Law;
use crate::region::{Region, Shape, Solid};
use crate::setup::{Effect, Motion, Wall};
use crate::vector::Vector;
use tangere_io::scene::{SceneWall, WallMotion, WallSurface};

/// A plane; spheres are where its normal points.
pub(super) fn plane(point: Vector, normal: Vector) -> Region {
    Region::Solid(Solid {
        shape: Shape::Plane {
            point,
            normal: unit(normal),
        },
        is_outside: false,
        open: [false; 6],
    })
}

/// The surface of a wall.
pub(super) fn surface(wall: &SceneWall) -> Region {
    let shape = match wall.surface {
        WallSurface::Plane { point, normal } => return plane(point, normal),
        WallSurface::Box { low, high } => Shape::Block { low, high },
        WallSurface::Cone {
            axis,
            center,
            radii,
            ends,
        } if radii[0] == radii[1] => Shape::Cylinder {
            axis,
            center,
            radius: radii[0],
            ends,
        },
        WallSurface::Cone {
            axis,
            center,
            radii,
            ends,
        } => Shape::Cone {
            axis,
            center,
            radii,
            ends,
        },
        WallSurface::Sphere { center, radius } => Shape::Sphere { center, radius },
    };
    Region::Solid(Solid {
        shape,
        is_outside: wall.is_outside,
        open: wall.open,
    })
}

/// The motion of a wall.
pub(super) fn motion(wall: &SceneWall) -> Option<Motion> {
    Some(match *wall.motion.as_ref()? {
        WallMotion::Velocity(velocity) => Motion::Linear(velocity.map(Some)),
        WallMotion::Shear(velocity) => Motion::Shear(velocity),
        WallMotion::Vibrate { amplitude, period } => Motion::Wiggle {
            amplitude: amplitude.map(Some),
            period,
        },
        WallMotion::Rotate {
            point,
            axis,
            period,
        } => Motion::Rotate {
            point,
            axis: unit(axis),
            period,
        },
    })
}

/// Adds a wall with its law for each kind of spheres: one action if all laws are the same.
pub(super) fn add(
    act: &mut impl FnMut(&str, u32, Effect),
    name: &str,
    surface: &Region,
    motion: Option<Motion>,
    laws: &[(u32, Law)],
) {
    let wall = |law: &Law| {
        Effect::Wall(Box::new(Wall {
            surface: surface.clone(),
            law: *law,
            motion: motion.clone(),
        }))
    };
    match laws {
        [] => {}
        [(_, first), rest @ ..] if rest.iter().all(|(_, law)| law == first) => {
            act(name, FREE, wall(first));
        }
        _ => {
            for (kind, law) in laws {
                act(&format!("{name}/{kind}"), group_of(*kind), wall(law));
            }
        }
    }
}
