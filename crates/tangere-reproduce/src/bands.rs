//! Plot of the checks of a finding: for each check its accepted range as a band, and in it the measured
//! interval and the published number, where the text prints one.

use crate::check::{Check, Outcome};
use std::fmt::Write;
use tangere_render::html::escaped;

/// The width of the plot, and the height of the row of a check, in pixels.
const WIDTH: f64 = 840.0;
const ROW: f64 = 68.0;
/// The ends of the bands.
const LEFT: f64 = 14.0;
const RIGHT: f64 = WIDTH - 14.0;
/// From the top of a row down: the text, the ends of the band, and the labels of its scale.
const TEXT: f64 = 16.0;
const BAND: [f64; 2] = [24.0, 40.0];
const LABEL: f64 = 54.0;
/// The width of a letter.
const LETTER: f64 = 6.6;
/// The quotient of the largest and the smallest number from which on a scale is logarithmic.
const LOGARITHMIC: f64 = 30.0;

/// The scale of a row: maps numbers to places from [`LEFT`] to [`RIGHT`].
struct Scale {
    low: f64,
    high: f64,
    is_logarithmic: bool,
}

impl Scale {
    /// Returns the scale that shows all finite numbers of a check, with room where the accepted range
    /// has no end.
    fn new(check: &Check) -> Self {
        let all = [check.accepted, check.measured, check.value];
        let finite = all.into_iter().flatten().filter(|x| x.is_finite());
        let (least, most) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), x| {
            (least.min(x), most.max(x))
        });
        let (least, most) = if least > most {
            (0.0, 1.0)
        } else {
            (least, most)
        };
        let is_logarithmic = least > 0.0 && most / least > LOGARITHMIC;
        let of = |x: f64| if is_logarithmic { x.log10() } else { x };
        let (low, high) = (of(least), of(most));
        let span = match high - low {
            span if span > 0.0 => span,
            _ if high != 0.0 => 0.5 * high.abs(),
            _ => 1.0,
        };
        let margin = |end: f64| if end.is_finite() { 0.12 } else { 0.3 };
        Self {
            low: low - margin(check.accepted[0]) * span,
            high: high + margin(check.accepted[1]) * span,
            is_logarithmic,
        }
    }

    /// Returns the place of a number; an infinite one is at the end of the scale.
    fn place(&self, x: f64) -> f64 {
        let x = match self.is_logarithmic {
            true => x.max(f64::MIN_POSITIVE).log10(),
            false => x,
        };
        let share = (x - self.low) / (self.high - self.low);
        LEFT + share.clamp(0.0, 1.0) * (RIGHT - LEFT)
    }

    /// Returns round numbers on the scale, at most about seven.
    fn ticks(&self) -> Vec<f64> {
        let span = self.high - self.low;
        if self.is_logarithmic {
            let step = (span / 6.0).ceil().max(1.0) as usize;
            let (first, last) = (self.low.ceil() as i32, self.high.floor() as i32);
            return (first..=last)
                .step_by(step)
                .map(|e| 10f64.powi(e))
                .collect();
        }
        let power = 10f64.powf((span / 6.0).log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power);
        let step = steps.into_iter().find(|step| span / step <= 7.0);
        let step = step.unwrap_or(span);
        let (first, last) = ((self.low / step).ceil(), (self.high / step).floor());
        (first as i64..=last as i64)
            .map(|i| i as f64 * step)
            .collect()
    }
}

/// Formats the number of a tick without trailing zeros.
fn tick(check: &Check, x: f64) -> String {
    let text = (check.shown)(x);
    let (number, rest) = match text.find(['e', '%', ' ']) {
        Some(at) => text.split_at(at),
        None => (&text[..], ""),
    };
    let number = match number.contains('.') {
        true => number.trim_end_matches('0').trim_end_matches('.'),
        false => number,
    };
    format!("{number}{rest}")
}

/// The colour of an outcome.
fn color(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Agrees => "var(--yes)",
        Outcome::Fails => "var(--no)",
        Outcome::Undecided => "var(--quiet)",
    }
}

/// Returns the row of a check whose top is at `top`.
fn row(check: &Check, top: f64) -> String {
    let mut out = String::new();
    let mut add = |piece: std::fmt::Arguments<'_>| {
        // Writing to a String cannot fail.
        let _ = out.write_fmt(piece);
    };
    let outcome = check.outcome();
    add(format_args!(
        "<text class=\"axis\" x=\"{LEFT}\" y=\"{:.1}\"><tspan style=\"fill:{}\">{}</tspan> {}</text>\n",
        top + TEXT,
        color(outcome),
        outcome.name(),
        escaped(&check.what),
    ));
    let (upper, height, middle) = (
        top + BAND[0],
        BAND[1] - BAND[0],
        top + 0.5 * (BAND[0] + BAND[1]),
    );
    add(format_args!(
        "<rect x=\"{LEFT}\" y=\"{upper:.1}\" width=\"{:.1}\" height=\"{height}\" style=\"fill:none;stroke:var(--line)\"/>\n",
        RIGHT - LEFT,
    ));
    let scale = Scale::new(check);
    let band = match check.is_fact {
        true => [0.5 * (LEFT + RIGHT), RIGHT],
        false => check.accepted.map(|x| scale.place(x)),
    };
    // A range of one number is a line.
    let width = (band[1] - band[0]).max(3.0);
    add(format_args!(
        "<rect x=\"{:.1}\" y=\"{upper:.1}\" width=\"{width:.1}\" height=\"{height}\" style=\"fill:var(--yes);fill-opacity:0.25\">\
         <title>accepted: {}</title></rect>\n",
        band[0].min(RIGHT - width),
        escaped(&check.accepted_text()),
    ));
    let mut label = |at: f64, text: &str| {
        add(format_args!(
            "<text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n",
            top + LABEL,
            escaped(text)
        ));
    };
    if check.is_fact {
        let half = 0.25 * (RIGHT - LEFT);
        label(LEFT + half, "no");
        label(RIGHT - half, "yes");
        let at = match check.measured[0] == 1.0 {
            true => RIGHT - half,
            false => LEFT + half,
        };
        add(format_args!(
            "<circle class=\"c1\" cx=\"{at:.1}\" cy=\"{middle:.1}\" r=\"4.5\"/>\n"
        ));
        return out;
    }
    let mut free = 0.0;
    for x in scale.ticks() {
        let (at, text) = (scale.place(x), tick(check, x));
        let half = 0.5 * LETTER * text.chars().count() as f64;
        if at - half > free && at + half < WIDTH {
            label(at, &text);
            free = at + half + 2.0 * LETTER;
        }
    }
    let measured = check.measured_text();
    if check.measured.iter().any(|x| x.is_nan()) {
        add(format_args!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">not measured</text>\n",
            0.5 * (LEFT + RIGHT),
            middle + 4.0
        ));
    } else {
        let [from, to] = check.measured.map(|x| scale.place(x));
        let title = format!("<title>measured: {}</title>", escaped(&measured));
        add(format_args!(
            "<line class=\"c1\" x1=\"{from:.1}\" y1=\"{middle:.1}\" x2=\"{to:.1}\" y2=\"{middle:.1}\" style=\"stroke-width:4\">\
             {title}</line>\n"
        ));
        if to - from < 9.0 {
            let at = 0.5 * (from + to);
            add(format_args!(
                "<circle class=\"c1\" cx=\"{at:.1}\" cy=\"{middle:.1}\" r=\"4.5\">{title}</circle>\n"
            ));
        }
    }
    if check.value.iter().all(|x| x.is_finite()) {
        let places = check.value.map(|x| scale.place(x));
        let ends = match places[1] - places[0] < 1.0 {
            true => &places[..1],
            false => &places[..],
        };
        for at in ends {
            add(format_args!(
                "<path d=\"{}\" style=\"fill:var(--c0)\"><title>published: {}</title></path>\n",
                diamond(*at, middle),
                escaped(&check.published),
            ));
        }
    }
    out
}

/// Returns the path of the mark of a published number.
fn diamond(x: f64, y: f64) -> String {
    format!("M{:.1},{y:.1} l6,-8 l6,8 l-6,8 z", x - 6.0)
}

/// Returns the plot of checks as an SVG element. Each row has a scale of its own, logarithmic where
/// its numbers differ much.
pub fn svg(checks: &[Check]) -> String {
    let rows: String = (checks.iter().enumerate())
        .map(|(i, check)| row(check, ROW * i as f64))
        .collect();
    let bottom = ROW * checks.len() as f64 + 12.0;
    let mut legend = format!(
        "<rect x=\"{LEFT}\" y=\"{:.1}\" width=\"18\" height=\"12\" style=\"fill:var(--yes);fill-opacity:0.25\"/>\
         <text x=\"{:.1}\" y=\"{:.1}\">accepted</text>\n\
         <line class=\"c1\" x1=\"110\" y1=\"{bottom:.1}\" x2=\"128\" y2=\"{bottom:.1}\" style=\"stroke-width:4\"/>\
         <text x=\"133\" y=\"{:.1}\">measured</text>\n",
        bottom - 6.0,
        LEFT + 23.0,
        bottom + 4.0,
        bottom + 4.0,
    );
    let is_published = |check: &Check| check.value.iter().all(|x| x.is_finite());
    if checks.iter().any(is_published) {
        legend += &format!(
            "<path d=\"{}\" style=\"fill:var(--c0)\"/><text x=\"229\" y=\"{:.1}\">published</text>\n",
            diamond(216.0, bottom),
            bottom + 4.0,
        );
    }
    format!(
        "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {:.1}\" role=\"img\" aria-label=\"Accepted, measured and published numbers\">\n\
         {rows}{legend}</svg>\n",
        bottom + 16.0
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{at_least, at_most};

    /// Returns the numbers of an attribute.
    fn numbers(svg: &str, name: &str) -> Vec<f64> {
        let start = format!(" {name}=\"");
        let parts = svg.split(&start).skip(1);
        let values = parts.map(|part| part.split('"').next().unwrap().parse().unwrap());
        values.collect()
    }

    #[test]
    fn every_mark_is_within_the_frame() {
        let checks = [
            Check::interval("a < b", [1.05, 1.16], at_most(1.1)).printed_number("0.7", [0.7; 2]),
            Check::number("tiny", 1e-16, at_most(1e-12)),
            Check::number("exactly", 2.0, [2.0; 2]),
            Check::number("none", 0.0, at_most(0.0)),
            Check::number("missing", f64::NAN, at_least(1.0)),
            Check::interval("anything", [f64::NEG_INFINITY, f64::INFINITY], [0.9, 1.1]),
            Check::number("share", 0.42, at_least(0.85))
                .percent()
                .printed_number("about 85 - 95%", [0.85, 0.95]),
            Check::fact("so", true),
        ];
        let svg = svg(&checks);
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        for name in ["x", "x1", "x2", "cx"] {
            for x in numbers(&svg, name) {
                assert!((0.0..=WIDTH).contains(&x), "{name} {x}");
            }
        }
        assert!(svg.contains("a &lt; b") && svg.contains("accepted: at most 1.10"));
        assert!(svg.contains("published: 0.7") && svg.contains(">not measured<"));
        // One number, two ends, and the legend.
        assert_eq!(svg.matches("<path").count(), 1 + 2 + 1);
        assert_eq!(svg.matches("accepted: ").count(), checks.len());
    }

    #[test]
    fn bands_end_where_the_accepted_range_does() {
        let check = Check::number("", 3.0, at_most(2.0));
        let scale = Scale::new(&check);
        assert_eq!(scale.place(f64::NEG_INFINITY), LEFT);
        assert!(scale.place(2.0) > LEFT && scale.place(3.0) < RIGHT);
        assert!(scale.place(2.0) < scale.place(3.0));
        let ticks = scale.ticks();
        assert!((2..=7).contains(&ticks.len()), "{ticks:?}");
        let wide = Scale::new(&Check::number("", 1e-15, at_most(1.0)));
        assert!(wide.is_logarithmic && wide.ticks().len() <= 7);
    }
}
