//! HTML page of the demo, self-contained in one file.

use super::scene::World;
use super::section::Section;
use crate::Error;
use tangere_front::text;
use tangere_render::html::{self, escaped, image};
use tangere_render::picture::Picture;

/// Returns the page of the demo as HTML, with its pictures embedded.
pub fn html(
    world: &World,
    title: &Picture,
    sections: &[Section],
    seconds: f64,
) -> Result<String, Error> {
    let links: String = sections
        .iter()
        .map(|s| format!("<a href=\"#{}\">{}</a>\n", s.name, escaped(s.title)))
        .collect();
    let mut body = String::new();
    for section in sections {
        body += &html_section(section)?;
    }
    let content = format!(
        "{hero}\n<p class=\"scene\">{description}. Scene and all queries took {took}.\
         </p>\n<nav>\n{links}</nav>\n<main>\n{body}</main>\n<footer>\n<p>All numbers are in \
         <a href=\"demo.json\">demo.json</a>. Open the <code>.vtp</code> files or \
         <code>scene.vtu</code> beside this page in ParaView to explore the scene.</p>\n</footer>\n",
        hero = image(title, "All bodies of the scene", "hero")?,
        description = escaped(&world.description()),
        took = text::seconds(seconds),
    );
    let lead = "Contact detection for simulation: broad phase, distance, penetration depth, point \
                containment, time of impact.";
    Ok(html::page("Tangere: demo", "Tangere", lead, &content))
}

fn html_section(section: &Section) -> Result<String, Error> {
    let mut figures = String::new();
    let widths = section.figures.iter().map(|f| f.picture.size[0]);
    let narrowest = widths.min().unwrap_or(0);
    for figure in &section.figures {
        let caption = escaped(&figure.caption);
        // Wider pictures get their own row.
        let class = match figure.picture.size[0] > narrowest {
            true => " class=\"wide\"",
            false => "",
        };
        figures += &format!(
            "<figure{class}>{}<figcaption>{caption}</figcaption></figure>\n",
            image(&figure.picture, &figure.caption, "")?,
        );
    }
    let layout = match section.figures.len() {
        1 => "one",
        _ if figures.contains("class=\"wide\"") => "many two",
        _ => "many",
    };
    Ok(format!(
        "<section id=\"{}\">\n<h2>{}</h2>\n<p>{}</p>\n<div class=\"figures {layout}\">\n{figures}\
         </div>\n{}</section>\n",
        section.name,
        escaped(section.title),
        escaped(&section.explanation),
        html::table(&section.table),
    ))
}
