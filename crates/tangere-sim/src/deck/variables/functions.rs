//! Functions of numbers in formulas.

use super::super::computes::Value;
use super::super::error::Problem;
use super::super::now::Now;
use super::super::random::Random;
use super::formula::Operand;
use std::f64::consts::TAU;
use std::rc::Rc;

/// The names of all functions, for messages.
const NAMES: [&str; 34] = [
    "sqrt",
    "exp",
    "ln",
    "log",
    "abs",
    "sign",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "ceil",
    "floor",
    "round",
    "ternary",
    "ramp",
    "vdisplace",
    "swiggle",
    "cwiggle",
    "stride",
    "stagger",
    "logfreq",
    "random",
    "normal",
    "sum",
    "min",
    "max",
    "ave",
    "gmask",
    "rmask",
    "grmask",
    "count",
];

/// The value of a function.
pub(super) fn call(now: &Now, name: &str, args: &[&str]) -> Result<Operand, Problem> {
    let expects = |count: usize| match args.len() == count {
        true => Ok(()),
        false => Err(Problem::new(
            format!("{name} with {} arguments", args.len()),
            format!("{count}"),
        )),
    };
    let value = |i: usize| now.formula(args.get(i).copied().unwrap_or_default());
    let number = |i: usize| now.number_formula(args.get(i).copied().unwrap_or_default());
    let simple: Option<fn(f64) -> f64> = match name {
        "sqrt" => Some(libm::sqrt),
        "exp" => Some(libm::exp),
        "ln" => Some(libm::log),
        "log" => Some(libm::log10),
        "abs" => Some(f64::abs),
        "sign" => Some(|x| if x >= 0.0 { 1.0 } else { -1.0 }),
        "sin" => Some(libm::sin),
        "cos" => Some(libm::cos),
        "tan" => Some(libm::tan),
        "asin" => Some(libm::asin),
        "acos" => Some(libm::acos),
        "atan" => Some(libm::atan),
        "ceil" => Some(f64::ceil),
        "floor" => Some(f64::floor),
        "round" => Some(f64::round),
        _ => None,
    };
    if let Some(f) = simple {
        expects(1)?;
        return Ok(value(0)?.map(f));
    }
    let elapsed = now.clock.step.saturating_sub(now.book.span[0]);
    let time = elapsed as f64 * now.setup.step;
    match name {
        "atan2" => {
            expects(2)?;
            Ok(value(0)?.zip(value(1)?, libm::atan2))
        }
        "ternary" => {
            expects(3)?;
            let (test, yes, no) = (value(0)?, value(1)?, value(2)?);
            let yes = test.clone().zip(yes, |t, x| if t != 0.0 { x } else { 0.0 });
            let no = test.zip(no, |t, x| if t == 0.0 { x } else { 0.0 });
            Ok(yes.zip(no, |x, y| x + y))
        }
        "ramp" => {
            expects(2)?;
            let [first, last] = now.book.span;
            let part = match last > first {
                true => elapsed as f64 / (last - first) as f64,
                false => 0.0,
            };
            Ok(value(0)?.zip(value(1)?, |x, y| x + part * (y - x)))
        }
        "vdisplace" => {
            expects(2)?;
            Ok(value(0)?.zip(value(1)?, |x, v| x + v * time))
        }
        "swiggle" | "cwiggle" => {
            expects(3)?;
            let turn = value(2)?.map(|period| TAU * time / period);
            let part = match name {
                "swiggle" => turn.map(libm::sin),
                _ => turn.map(|turn| 1.0 - libm::cos(turn)),
            };
            let more = value(1)?.zip(part, |amplitude, part| amplitude * part);
            Ok(value(0)?.zip(more, |x, more| x + more))
        }
        "stride" => {
            expects(3)?;
            let [low, high, by] = [number(0)?, number(1)?, number(2)?];
            Ok(Operand::Number(next_stride(now.clock.step, low, high, by)))
        }
        "stagger" => {
            expects(2)?;
            let [long, short] = [number(0)?, number(1)?];
            let (step, whole) = (
                now.clock.step as f64,
                (now.clock.step as f64 / long).floor(),
            );
            let next = match step - whole * long < short {
                true => whole * long + short,
                false => (whole + 1.0) * long,
            };
            Ok(Operand::Number(next))
        }
        "logfreq" => {
            expects(3)?;
            let [first, count, base] = [number(0)?, number(1)?, number(2)?];
            let step = now.clock.step as f64;
            let mut decade = first;
            while decade > 0.0 && decade * base <= step && base > 1.0 {
                decade *= base;
            }
            let next = match step < decade {
                true => first,
                false => match (step / decade).floor() + 1.0 {
                    multiple if multiple <= count => multiple * decade,
                    _ => decade * base,
                },
            };
            Ok(Operand::Number(next))
        }
        "random" | "normal" => {
            expects(3)?;
            let [a, b, seed] = [number(0)?, number(1)?, number(2)?];
            let kept = now.book.variables.random.lock();
            let mut kept = kept.unwrap_or_else(std::sync::PoisonError::into_inner);
            let random = match &mut *kept {
                Some(random) => random,
                none => none.insert(Random::new(seed as i64)?),
            };
            let mut draw = || match name {
                "random" => a + (b - a) * random.uniform(),
                _ => a + b * random.normal(),
            };
            Ok(match now.is_atom_formula.get() {
                true => Operand::Column(now.spheres.ids.iter().map(|_| draw()).collect()),
                false => Operand::Number(draw()),
            })
        }
        "sum" | "min" | "max" | "ave" => {
            expects(1)?;
            let numbers = numbers(now, args[0])?;
            let count = numbers.len() as f64;
            let sum: f64 = numbers.iter().sum();
            Ok(Operand::Number(match name {
                "sum" => sum,
                "ave" if count > 0.0 => sum / count,
                "ave" => 0.0,
                "min" => numbers.into_iter().fold(f64::INFINITY, f64::min),
                _ => numbers.into_iter().fold(f64::NEG_INFINITY, f64::max),
            }))
        }
        "gmask" => {
            expects(1)?;
            let group = now.book.group(args[0])?;
            let masks = now.spheres.groups.iter();
            Ok(Operand::Column(
                masks
                    .map(|own| f64::from(u8::from(own & group != 0)))
                    .collect(),
            ))
        }
        "rmask" => {
            expects(1)?;
            let region = now.region(args[0])?;
            let places = now.spheres.positions.iter();
            Ok(Operand::Column(
                places
                    .map(|x| f64::from(u8::from(region.contains(*x))))
                    .collect(),
            ))
        }
        "grmask" => {
            expects(2)?;
            let group = call(now, "gmask", &args[..1])?;
            Ok(group.zip(call(now, "rmask", &args[1..])?, |x, y| x * y))
        }
        other => Err(Problem::unknown(other, "a function", &NAMES)),
    }
}

/// The numbers of a vector, a column or a formula.
fn numbers(now: &Now, text: &str) -> Result<Vec<f64>, Problem> {
    let vector = match text.split_at_checked(2) {
        Some(("c_", id)) if now.book.compute(id).is_ok() => Some(now.compute(id)?),
        Some(("f_", id)) if now.book.fix(id).is_ok() => {
            Some(Rc::new(now.book.fix(id)?.value(now.clock)?))
        }
        _ => None,
    };
    if let Some(Value::Vector(numbers)) = vector.as_deref() {
        return Ok(numbers.clone());
    }
    Ok(match now.formula(text)? {
        Operand::Column(numbers) => numbers,
        Operand::Number(x) => vec![x],
    })
}

/// The next step of `low, low + by, ...` up to `high`.
fn next_stride(step: u64, low: f64, high: f64, by: f64) -> f64 {
    let step = step as f64;
    if step < low || by <= 0.0 {
        return low;
    }
    let next = low + ((step - low) / by).floor() * by + by;
    // Beyond the last step LAMMPS returns a step that never comes.
    if next <= high { next } else { 9e15 }
}
