//! Functions of groups in formulas: `mass(group)`, `xcm(group, x)`, ..., with a region as an optional last
//! argument.

use super::super::book::unwrapped;
use super::super::error::Problem;
use super::super::now::Now;
use crate::vector::{Vector, cross, dot, minus};

/// The value of a function of a group; none if there is no such function.
pub(super) fn call(now: &Now, name: &str, args: &[&str]) -> Option<Result<f64, Problem>> {
    let own = match name {
        "count" | "mass" | "ke" | "gyration" => 1,
        "xcm" | "vcm" | "fcm" | "bound" | "angmom" | "torque" | "omega" => 2,
        _ => return None,
    };
    Some(value(now, name, own, args))
}

fn value(now: &Now, name: &str, own: usize, args: &[&str]) -> Result<f64, Problem> {
    if args.len() != own && args.len() != own + 1 {
        return Err(Problem::new(
            format!("{name} with {} arguments", args.len()),
            format!("{own}, or {} with a region", own + 1),
        ));
    }
    let group = now.book.group(args[0])?;
    let region = match args.get(own) {
        Some(id) => Some(now.region(id)?),
        None => None,
    };
    let spheres = now.spheres;
    let rows: Vec<usize> = (0..spheres.ids.len())
        .filter(|&i| spheres.groups[i] & group != 0)
        .filter(|&i| {
            let region = region.as_ref();
            region.is_none_or(|region| region.contains(spheres.positions[i]))
        })
        .collect();
    let place = |i: usize| unwrapped(&now.setup.cell, spheres.positions[i], spheres.images[i]);
    let total: f64 = rows.iter().map(|&i| spheres.masses[i]).sum();
    let mean = |of: &dyn Fn(usize) -> Vector| -> Vector {
        let mut sum = [0.0; 3];
        for &i in &rows {
            let x = of(i);
            for k in 0..3 {
                sum[k] += spheres.masses[i] * x[k];
            }
        }
        match total > 0.0 {
            true => sum.map(|x| x / total),
            false => [0.0; 3],
        }
    };
    let center = || mean(&place);
    let sum = |of: &dyn Fn(usize) -> Vector| -> Vector {
        let mut sum = [0.0; 3];
        for &i in &rows {
            let x = of(i);
            for k in 0..3 {
                sum[k] += x[k];
            }
        }
        sum
    };
    let momentum = |i: usize| spheres.velocities[i].map(|v| spheres.masses[i] * v);
    let vector = match name {
        "count" => return Ok(rows.len() as f64),
        "mass" => return Ok(total),
        "ke" => {
            let energies = rows.iter().map(|&i| {
                let v = spheres.velocities[i];
                0.5 * spheres.masses[i] * dot(v, v)
            });
            return Ok(energies.sum());
        }
        "gyration" => {
            let middle = center();
            let squares = rows.iter().map(|&i| {
                let from = minus(place(i), middle);
                spheres.masses[i] * dot(from, from)
            });
            let squares: f64 = squares.sum();
            return Ok(match total > 0.0 {
                true => (squares / total).sqrt(),
                false => 0.0,
            });
        }
        "bound" => {
            let (axis, is_lower) = match args[1].split_at_checked(1) {
                Some((axis, "min")) => (axis, true),
                Some((axis, "max")) => (axis, false),
                _ => {
                    return Err(Problem::new(
                        args[1],
                        "xmin, xmax, ymin, ymax, zmin or zmax",
                    ));
                }
            };
            let k = axis_of(axis)?;
            let own = rows.iter().map(|&i| spheres.positions[i][k]);
            return Ok(match is_lower {
                true => own.fold(1e20, f64::min),
                false => own.fold(-1e20, f64::max),
            });
        }
        "xcm" => center(),
        "vcm" => mean(&|i| spheres.velocities[i]),
        "fcm" => sum(&|i| spheres.forces[i]),
        "torque" => {
            let middle = center();
            sum(&|i| cross(minus(place(i), middle), spheres.forces[i]))
        }
        "angmom" => {
            let middle = center();
            sum(&|i| cross(minus(place(i), middle), momentum(i)))
        }
        _ => {
            let middle = center();
            let spin = sum(&|i| cross(minus(place(i), middle), momentum(i)));
            let mut inertia = [[0.0; 3]; 3];
            for &i in &rows {
                let from = minus(place(i), middle);
                for j in 0..3 {
                    inertia[j][j] += spheres.masses[i] * dot(from, from);
                    for k in 0..3 {
                        inertia[j][k] -= spheres.masses[i] * from[j] * from[k];
                    }
                }
            }
            solved(inertia, spin)
        }
    };
    Ok(vector[axis_of(args[1])?])
}

fn axis_of(word: &str) -> Result<usize, Problem> {
    match word {
        "x" => Ok(0),
        "y" => Ok(1),
        "z" => Ok(2),
        _ => Err(Problem::new(word, "x, y or z")),
    }
}

/// The solution of three linear equations by Cramer's rule; 0 if they are singular.
pub(in super::super) fn solved(m: [[f64; 3]; 3], right: Vector) -> Vector {
    let determinant = dot(m[0], cross(m[1], m[2]));
    if determinant == 0.0 {
        return [0.0; 3];
    }
    // Rows of the matrix; its transpose has the columns that Cramer's rule replaces.
    let columns: [Vector; 3] = std::array::from_fn(|k| [m[0][k], m[1][k], m[2][k]]);
    std::array::from_fn(|k| {
        let mut changed = columns;
        changed[k] = right;
        dot(changed[0], cross(changed[1], changed[2])) / determinant
    })
}
