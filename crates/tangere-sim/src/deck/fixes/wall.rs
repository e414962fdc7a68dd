//! Walls: `fix wall/gran` and `fix wall/gran/region`.

use super::super::args::Args;
use super::super::error::Problem;
use super::super::models::{Model, classic};
use super::super::now::Now;
use super::Kind;
use crate::laws::Law;
use crate::region::{Region, SurfacePoints};
use crate::setup::{Effect, Motion, Wall};
use std::f64::consts::TAU;

const SURFACES: [&str; 5] = ["xplane", "yplane", "zplane", "zcylinder", "region"];

/// The law of a wall.
fn law(args: &mut Args) -> Result<Law, Problem> {
    match args.word("a law")? {
        "granular" => Model::parse(args, &SURFACES)?.law(),
        name => classic(name, args),
    }
}

/// Checks the law of a wall, before anything is known.
pub(in super::super) fn check(args: &mut Args) -> Result<(), Problem> {
    law(args).map(|_| ())
}

/// `fix wall/gran`: planes and a cylinder.
pub(super) fn planes(args: &mut Args, now: &Now) -> Result<Effect, Problem> {
    let law = law(args)?;
    let surface = match args.word("the surface of the wall")? {
        word @ ("xplane" | "yplane" | "zplane") => {
            let axis = usize::from(word.as_bytes()[0] - b'x');
            if now.setup.cell.periodic[axis] && now.book.first_cell.is_some() {
                return Err(Problem::new(
                    word,
                    "a wall across an axis that is not periodic",
                ));
            }
            let low = args.number_or_null("the lower plane or NULL")?;
            let high = args.number_or_null("the upper plane or NULL")?;
            if low.is_none() && high.is_none() {
                return Err(Problem::new("NULL NULL", "at least one plane"));
            }
            Region::Planes { axis, low, high }
        }
        "zcylinder" => {
            let radius = args.number("the radius")?;
            if radius <= 0.0 {
                return Err(Problem::new(radius.to_string(), "a radius above 0"));
            }
            Region::Tube { axis: 2, radius }
        }
        other => {
            return Err(Problem::unknown(
                other,
                "the surface of the wall",
                &SURFACES[..4],
            ));
        }
    };
    let mut motion = None;
    while let Some(word) = args.next() {
        let mut axis = || match args.word("x, y or z")? {
            "x" => Ok(0),
            "y" => Ok(1),
            "z" => Ok(2),
            other => Err(Problem::new(other, "x, y or z")),
        };
        match word {
            "wiggle" => {
                let axis = axis()?;
                let mut amplitude = [Some(0.0); 3];
                amplitude[axis] = Some(args.number("an amplitude")?);
                motion = Some(Motion::Wiggle {
                    amplitude,
                    period: super::period(args)?,
                });
            }
            "shear" => {
                let axis = axis()?;
                let speed = args.number("a speed")?;
                motion = match surface {
                    // A cylinder turns about its axis, clockwise seen from above.
                    Region::Tube { radius, .. } if axis != 2 => {
                        let sense = if speed < 0.0 { 1.0 } else { -1.0 };
                        (speed != 0.0).then_some(Motion::Rotate {
                            point: [0.0; 3],
                            axis: [0.0, 0.0, sense],
                            period: TAU * radius / speed.abs(),
                        })
                    }
                    _ => {
                        let mut velocity = [0.0; 3];
                        velocity[axis] = speed;
                        Some(Motion::Shear(velocity))
                    }
                };
            }
            other => {
                let known = ["wiggle", "shear"];
                return Err(Problem::unknown(
                    other,
                    "a keyword of fix wall/gran",
                    &known,
                ));
            }
        }
    }
    Ok(Effect::Wall(Box::new(Wall {
        surface,
        law,
        motion,
    })))
}

/// `fix wall/gran/region`.
pub(super) fn region(args: &mut Args, now: &Now) -> Result<Kind, Problem> {
    let law = law(args)?;
    match args.word("region")? {
        "region" => {}
        other => return Err(Problem::new(other, "region and its ID")),
    }
    let id = args.word("the ID of a region")?;
    let faces = now.region(id)?.face_count() as usize;
    if faces > SurfacePoints::CAPACITY {
        return Err(Problem::new(
            format!("region {id} with {faces} faces"),
            format!("at most {} faces in one wall", SurfacePoints::CAPACITY),
        ));
    }
    Ok(Kind::RegionWall {
        region: id.to_string(),
        law,
    })
}
