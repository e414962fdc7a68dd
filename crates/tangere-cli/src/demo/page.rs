//! The page of the demo: one file that needs nothing else.

use super::scene::World;
use super::section::{Section, Table, encoded};
use crate::failure::Failure;
use crate::render::Picture;
use crate::table;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

const STYLE: &str = include_str!("page.css");

/// The page as text.
pub fn html(
    world: &World,
    title: &Picture,
    sections: &[Section],
    seconds: f64,
) -> Result<String, Failure> {
    let links: String = sections
        .iter()
        .map(|s| format!("<a href=\"#{}\">{}</a>\n", s.name, escaped(s.title)))
        .collect();
    let mut body = String::new();
    for section in sections {
        body += &html_section(section)?;
    }
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>Tangere: a tour</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n\
         <h1>Tangere</h1>\n<p class=\"lead\">Contact detection for simulation: who touches, how \
         far, how deep, inside or out, and when.</p>\n</header>\n{hero}\n\
         <p class=\"scene\">{description}. Everything here was made and answered in {took}.</p>\n\
         <nav>\n{links}</nav>\n<main>\n{body}</main>\n<footer>\n<p>All numbers are in \
         <a href=\"demo.json\">demo.json</a>. Open the <code>.vtp</code> files or \
         <code>scene.vtu</code> beside this page in ParaView to look around.</p>\n</footer>\n\
         </body>\n</html>\n",
        hero = image(title, "All bodies of the scene", "hero")?,
        description = escaped(&world.description()),
        took = table::seconds(seconds),
    ))
}

fn html_section(section: &Section) -> Result<String, Failure> {
    let mut figures = String::new();
    for figure in &section.figures {
        let caption = escaped(&figure.caption);
        figures += &format!(
            "<figure>{}<figcaption>{caption}</figcaption></figure>\n",
            image(&figure.picture, &figure.caption, "")?,
        );
    }
    let layout = if section.figures.len() > 1 {
        "many"
    } else {
        "one"
    };
    Ok(format!(
        "<section id=\"{}\">\n<h2>{}</h2>\n<p>{}</p>\n<div class=\"figures {layout}\">\n{figures}\
         </div>\n{}</section>\n",
        section.name,
        escaped(section.title),
        escaped(&section.explanation),
        html_table(&section.table),
    ))
}

fn html_table(table: &Table) -> String {
    let row = |cells: &mut dyn Iterator<Item = &str>, tag: &str| {
        let cells: String = cells
            .map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell)))
            .collect();
        format!("<tr>{cells}</tr>\n")
    };
    let head = row(&mut table.head.iter().copied(), "th");
    let rows = table.rows.iter();
    let rows: String = rows
        .map(|r| row(&mut r.iter().map(String::as_str), "td"))
        .collect();
    format!(
        "<div class=\"table\"><table>\n<thead>{head}</thead>\n<tbody>{rows}</tbody>\n</table></div>\n"
    )
}

fn image(picture: &Picture, description: &str, class: &str) -> Result<String, Failure> {
    let [width, height] = picture.size;
    Ok(format!(
        "<img class=\"{class}\" width=\"{width}\" height=\"{height}\" alt=\"{}\" \
         src=\"data:image/png;base64,{}\">",
        escaped(description),
        STANDARD.encode(encoded(picture)?),
    ))
}

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        assert_eq!(escaped("a < b & \"c\""), "a &lt; b &amp; &quot;c&quot;");
    }

    #[test]
    fn tables_have_a_head() {
        let table = Table {
            head: vec!["a", "b"],
            rows: vec![vec!["<".into(), "1".into()]],
        };
        let html = html_table(&table);
        assert!(
            html.contains("<thead><tr><th>a</th><th>b</th></tr>"),
            "{html}"
        );
        assert!(html.contains("<tr><td>&lt;</td><td>1</td></tr>"), "{html}");
    }
}
