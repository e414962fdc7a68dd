//! Log-log plots of the curves as panels of one SVG picture.

use super::{Curve, METHODS};
use std::fmt::Write;

/// Colours that are distinguishable with any colour vision (Okabe and Ito 2008).
const COLORS: [&str; METHODS.len()] = [
    "#000000", "#999999", "#cc79a7", "#0072b2", "#d55e00", "#009e73", "#e69f00",
];

/// The size of a panel of the plot, in pixels; below, its margins around the part in which lines
/// are drawn.
const PANEL: [f64; 2] = [480.0, 340.0];
const LEFT: f64 = 62.0;
const TOP: f64 = 34.0;
const INNER: [f64; 2] = [396.0, 252.0];
const LEGEND: f64 = 40.0;

/// Returns the powers of ten, as exponents, between which all numbers lie.
fn decades(numbers: impl Iterator<Item = f64>) -> [f64; 2] {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for x in numbers {
        low = low.min(x.log10());
        high = high.max(x.log10());
    }
    // Rounding must not add a decade.
    let [low, high] = [(low + 1e-9).floor(), (high - 1e-9).ceil()];
    if low < high {
        [low, high]
    } else {
        [low, low + 1.0]
    }
}

/// Returns the label of a power of ten on an axis.
fn power(exponent: i32) -> String {
    match exponent {
        -2..=3 => format!("{}", 10f64.powi(exponent)),
        _ => format!("10<tspan dy=\"-5\" font-size=\"9\">{exponent}</tspan>"),
    }
}

/// Writes one panel of the plot, its upper left corner at the origin.
fn panel(svg: &mut String, curve: &Curve) -> std::fmt::Result {
    let costs = curve
        .points
        .iter()
        .flat_map(|point| (0..METHODS.len()).filter_map(|i| point.nanoseconds(i)));
    let [x0, x1] = decades(curve.points.iter().map(|point| point.x));
    let [y0, y1] = decades(costs);
    let place = |x: f64, y: f64| {
        [
            LEFT + (x.log10() - x0) / (x1 - x0) * INNER[0],
            TOP + (y1 - y.log10()) / (y1 - y0) * INNER[1],
        ]
    };
    let (right, bottom) = (LEFT + INNER[0], TOP + INNER[1]);
    writeln!(
        svg,
        "<text x=\"{LEFT}\" y=\"{:.0}\" font-weight=\"bold\">{}</text>",
        TOP - 10.0,
        curve.title
    )?;
    for exponent in x0 as i32..=x1 as i32 {
        let [x, _] = place(10f64.powi(exponent), 1.0);
        writeln!(
            svg,
            "<path d=\"M{x:.1} {TOP}V{bottom}\" stroke=\"#ddd\"/>\
             <text x=\"{x:.1}\" y=\"{:.0}\" text-anchor=\"middle\">{}</text>",
            bottom + 16.0,
            power(exponent)
        )?;
    }
    for exponent in y0 as i32..=y1 as i32 {
        let [_, y] = place(1.0, 10f64.powi(exponent));
        writeln!(
            svg,
            "<path d=\"M{LEFT} {y:.1}H{right}\" stroke=\"#ddd\"/>\
             <text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            LEFT - 6.0,
            y + 4.0,
            power(exponent)
        )?;
    }
    writeln!(
        svg,
        "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"middle\">{}</text>\
         <text transform=\"translate(16 {:.0}) rotate(-90)\" text-anchor=\"middle\">ns per particle</text>",
        LEFT + 0.5 * INNER[0],
        bottom + 32.0,
        curve.along,
        TOP + 0.5 * INNER[1]
    )?;
    for (i, color) in COLORS.iter().enumerate() {
        let places: Vec<[f64; 2]> = curve
            .points
            .iter()
            .filter_map(|point| Some(place(point.x, point.nanoseconds(i)?)))
            .collect();
        let corners: Vec<String> = places
            .iter()
            .map(|[x, y]| format!("{x:.1},{y:.1}"))
            .collect();
        // The curve of auto coincides with the method that it picks: dashes show both.
        let style = if i == 0 {
            " stroke-dasharray=\"2 5\" stroke-width=\"3\""
        } else {
            " stroke-width=\"1.6\""
        };
        writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\"{style}/>",
            corners.join(" ")
        )?;
        for [x, y] in places.iter().filter(|_| i > 0) {
            writeln!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.6\" fill=\"{color}\"/>"
            )?;
        }
    }
    writeln!(
        svg,
        "<rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#444\"/>",
        INNER[0], INNER[1]
    )
}

fn draw(svg: &mut String, curves: &[Curve]) -> std::fmt::Result {
    let rows = curves.len().div_ceil(2);
    let [width, height] = [2.0 * PANEL[0], LEGEND + rows as f64 * PANEL[1]];
    writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>"
    )?;
    for (i, (method, color)) in METHODS.iter().zip(COLORS).enumerate() {
        let x = LEFT + 110.0 * i as f64;
        let style = if i == 0 {
            " stroke-dasharray=\"2 5\""
        } else {
            ""
        };
        writeln!(
            svg,
            "<path d=\"M{x} 22h28\" stroke=\"{color}\" stroke-width=\"3\"{style}/>\
             <text x=\"{}\" y=\"26\">{method}</text>",
            x + 34.0
        )?;
    }
    for (i, curve) in curves.iter().enumerate() {
        let x = (i % 2) as f64 * PANEL[0];
        let y = LEGEND + (i / 2) as f64 * PANEL[1];
        writeln!(svg, "<g transform=\"translate({x} {y})\">")?;
        panel(svg, curve)?;
        writeln!(svg, "</g>")?;
    }
    writeln!(svg, "</svg>")
}

/// Returns the plot of all curves as SVG.
pub fn svg(curves: &[Curve]) -> String {
    let mut svg = String::new();
    draw(&mut svg, curves).expect("strings take everything");
    svg
}
