//! Log-log plots as SVG within a page.
//!
//! Colours are classes of the page's style sheet, so that plots follow a dark
//! theme; every point shows its values as a tooltip, without a script.

use crate::html::escaped;
use std::fmt::Write;
use tangere_front::text::{count, duration, three_digits};

/// A plot of several curves.
pub struct Plot {
    /// The title.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// Whether y is a ratio: then y = 1 is within the plot and marked.
    pub even: bool,
    /// The curves, in the order of the legend.
    pub curves: Vec<Curve>,
}

/// An axis of a plot.
#[derive(Clone, Copy)]
pub struct Axis {
    /// The name of the quantity.
    pub name: &'static str,
    /// The format of the numbers at the ticks of the axis and in tooltips.
    pub unit: Unit,
}

/// Number format of an axis.
#[derive(Clone, Copy)]
pub enum Unit {
    /// Integers with separated thousands.
    Count,
    /// Numbers with three significant digits.
    Number,
    /// Times with three significant digits, in a suitable unit.
    Seconds,
}

/// A curve: points joined by a line. Logarithmic axes cannot show points that are not positive, so
/// these are left out.
pub struct Curve {
    /// The name in the legend.
    pub name: String,
    /// The points, x and y each.
    pub points: Vec<[f64; 2]>,
    /// Whether the line is dashed, for secondary curves.
    pub dashed: bool,
}

impl Unit {
    fn shown(self, x: f64) -> String {
        match self {
            Unit::Count if x >= 1.0 => count(x.round() as u64),
            Unit::Count | Unit::Number => three_digits(x),
            Unit::Seconds => duration(x),
        }
    }

    /// Formats the number of a tick without trailing zeros.
    fn tick(self, x: f64) -> String {
        let text = self.shown(x);
        let (number, unit) = match text.split_once(' ') {
            Some((number, unit)) if !unit.starts_with(char::is_numeric) => (number, unit),
            _ => (&text[..], ""),
        };
        let number = match number.contains('.') && !number.contains('e') {
            true => number.trim_end_matches('0').trim_end_matches('.'),
            false => number,
        };
        format!("{number} {unit}").trim_end().to_owned()
    }
}

const LEFT: f64 = 58.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 30.0;
/// The width of a small plot and the height of its plotting area (without title, axis labels and
/// legend), in pixels.
pub const SMALL: [f64; 2] = [400.0, 210.0];
/// The width of a plot that fills the page and the height of its plotting area (without title, axis
/// labels and legend), in pixels.
pub const LARGE: [f64; 2] = [840.0, 330.0];
/// The distance from the horizontal axis down to the legend, in pixels.
const BELOW: f64 = 50.0;
const LEGEND_LINE: f64 = 18.0;
/// The number of colours of curves in the style sheet; further curves repeat them.
const COLORS: usize = 6;

/// Scale of a logarithmic axis: maps numbers to positions between `from` and `to`, in pixels.
struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    fn new(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for x in values {
            low = low.min(x.log10());
            high = high.max(x.log10());
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        // A margin is left between curves and frame, also around a single value.
        let margin = 0.04 * (high - low) + if high - low < 0.3 { 0.2 } else { 0.0 };
        Scale {
            low: low - margin,
            high: high + margin,
            from,
            to,
        }
    }

    fn place(&self, x: f64) -> f64 {
        let share = (x.log10() - self.low) / (self.high - self.low);
        self.from + share * (self.to - self.from)
    }

    /// Returns the ticks of the axis: round numbers in its range, at most about eight.
    fn ticks(&self) -> Vec<f64> {
        let decades = self.high - self.low;
        let digits: &[f64] = match decades {
            d if d < 0.9 => &[1.0, 2.0, 3.0, 5.0, 7.0],
            d if d < 2.2 => &[1.0, 2.0, 5.0],
            _ => &[1.0],
        };
        let step = (decades / 7.0).ceil().max(1.0) as usize;
        let (first, last) = (self.low.floor() as i32, self.high.ceil() as i32);
        (first..=last)
            .step_by(step)
            .flat_map(|e| digits.iter().map(move |d| d * 10f64.powi(e)))
            .filter(|x| (self.low..=self.high).contains(&x.log10()))
            .collect()
    }
}

impl Plot {
    /// Returns the plot as an SVG element, from its width and the height of its plotting area
    /// (without title, axis labels and legend), in pixels.
    pub fn svg(&self, [width, inner]: [f64; 2]) -> String {
        let drawn = |p: &&[f64; 2]| p.iter().all(|x| *x > 0.0 && x.is_finite());
        let all = || {
            self.curves
                .iter()
                .flat_map(|c| c.points.iter().filter(drawn))
        };
        let right = width - RIGHT;
        let bottom = TOP + inner;
        let x = Scale::new(all().map(|p| p[0]), LEFT, right);
        let even = self.even.then_some(1.0);
        let y = Scale::new(all().map(|p| p[1]).chain(even), bottom, TOP);

        let mut out = String::new();
        let mut add = |piece: std::fmt::Arguments<'_>| {
            // Writing to a String cannot fail.
            let _ = out.write_fmt(piece);
        };
        for tick in x.ticks() {
            let (at, label) = (x.place(tick), self.x.unit.tick(tick));
            add(format_args!(
                "<line class=\"grid\" x1=\"{at:.1}\" y1=\"{TOP}\" x2=\"{at:.1}\" y2=\"{bottom}\"/>\
                 <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>\n",
                bottom + 16.0
            ));
        }
        for tick in y.ticks() {
            let (at, label) = (y.place(tick), self.y.unit.tick(tick));
            add(format_args!(
                "<line class=\"grid\" x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{right}\" y2=\"{at:.1}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>\n",
                LEFT - 7.0,
                at + 4.0
            ));
        }
        if self.even {
            let at = y.place(1.0);
            add(format_args!(
                "<line class=\"even\" x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{right}\" y2=\"{at:.1}\"/>\n"
            ));
        }
        add(format_args!(
            "<text class=\"axis\" x=\"{right}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\n\
             <text class=\"axis\" x=\"4\" y=\"16\">{}</text>\n",
            bottom + 34.0,
            escaped(self.x.name),
            escaped(self.y.name),
        ));
        for (i, curve) in self.curves.iter().enumerate() {
            let class = format!(
                "c{}{}",
                i % COLORS,
                if curve.dashed { " dashed" } else { "" }
            );
            let points: Vec<&[f64; 2]> = curve.points.iter().filter(drawn).collect();
            let corners: Vec<String> = points
                .iter()
                .map(|p| format!("{:.1},{:.1}", x.place(p[0]), y.place(p[1])))
                .collect();
            add(format_args!(
                "<polyline class=\"{class}\" points=\"{}\"/>\n",
                corners.join(" ")
            ));
            for p in points {
                add(format_args!(
                    "<circle class=\"c{}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"2.8\"><title>{}: {}, {}\
                     </title></circle>\n",
                    i % COLORS,
                    x.place(p[0]),
                    y.place(p[1]),
                    escaped(&curve.name),
                    self.x.unit.shown(p[0]),
                    self.y.unit.shown(p[1]),
                ));
            }
        }
        let lines = self.legend([width, bottom + BELOW], &mut add);
        let height = bottom + BELOW + lines as f64 * LEGEND_LINE;
        format!(
            "<svg class=\"plot\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">\n\
             {out}</svg>\n",
            escaped(&self.title)
        )
    }

    /// Adds the legend, the names of the curves, from `top` down; returns its number of lines.
    fn legend(
        &self,
        [right, top]: [f64; 2],
        add: &mut impl FnMut(std::fmt::Arguments<'_>),
    ) -> usize {
        let (mut left, mut line) = (LEFT, 0);
        for (i, curve) in self.curves.iter().enumerate() {
            // A letter is about 6.6 pixels wide.
            let width = 42.0 + 6.6 * curve.name.chars().count() as f64;
            if left > LEFT && left + width > right {
                (left, line) = (LEFT, line + 1);
            }
            let middle = top + line as f64 * LEGEND_LINE;
            let dashed = if curve.dashed { " dashed" } else { "" };
            add(format_args!(
                "<polyline class=\"c{0}{dashed}\" points=\"{left},{middle} {1},{middle}\"/>\
                 <text x=\"{2}\" y=\"{3}\">{4}</text>\n",
                i % COLORS,
                left + 18.0,
                left + 23.0,
                middle + 4.0,
                escaped(&curve.name),
            ));
            left += width;
        }
        line + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(points: Vec<[f64; 2]>) -> String {
        Plot {
            title: "a < b".into(),
            x: Axis {
                name: "particles",
                unit: Unit::Count,
            },
            y: Axis {
                name: "time",
                unit: Unit::Seconds,
            },
            even: false,
            curves: vec![Curve {
                name: "LCM1 & more".into(),
                points,
                dashed: false,
            }],
        }
        .svg(SMALL)
    }

    #[test]
    fn curves_lie_within_the_frame() {
        let svg = plot(vec![
            [500.0, 1e-4],
            [100_000.0, 2.0],
            [3.0, 0.0],
            [0.0, f64::NAN],
        ]);
        assert_eq!(svg.matches("<circle").count(), 2);
        for (name, least, most) in [
            ("cx=\"", LEFT, SMALL[0] - RIGHT),
            ("cy=\"", TOP, TOP + SMALL[1]),
        ] {
            for part in svg.split(name).skip(1) {
                let at: f64 = part.split('"').next().unwrap().parse().unwrap();
                assert!((least..=most).contains(&at), "{name}{at}");
            }
        }
        assert!(svg.contains("a &lt; b") && svg.contains("LCM1 &amp; more: 500, 100 us"));
        assert!(
            svg.contains(">1 000</text>") && svg.contains(">10 ms</text>"),
            "{svg}"
        );
    }

    #[test]
    fn plots_of_little() {
        for points in [vec![], vec![[5.0, 5.0]], vec![[0.0, 1.0]]] {
            let svg = plot(points);
            assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }

    #[test]
    fn ticks_are_round_and_few() {
        let scale = |low: f64, high: f64| Scale::new([low, high].into_iter(), 0.0, 1.0);
        assert_eq!(scale(0.9, 12.0).ticks(), [1.0, 2.0, 5.0, 10.0]);
        assert!(scale(1e-9, 1e9).ticks().len() <= 8);
        assert!(!scale(1.0, 1.0).ticks().is_empty());
        assert_eq!(Unit::Seconds.tick(0.02), "20 ms");
        assert_eq!(Unit::Number.tick(0.5), "0.5");
        assert_eq!(Unit::Count.tick(20_000.0), "20 000");
        assert_eq!(Unit::Number.tick(200.0), "200");
    }
}
