//! Self-contained HTML pages: tables and embedded pictures.

use crate::Error;
use crate::picture::Picture;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use tangere_front::text::Table;

const STYLE: &str = include_str!("html.css");

/// Returns a page from its title, heading, lead sentence, and content as HTML.
pub fn page(title: &str, heading: &str, lead: &str, content: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n\
         <h1>{}</h1>\n<p class=\"lead\">{}</p>\n</header>\n{content}</body>\n</html>\n",
        escaped(title),
        escaped(heading),
        escaped(lead),
    )
}

/// Returns a table with its header as HTML.
pub fn table(table: &Table) -> String {
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

/// A picture with its caption.
pub struct Figure {
    /// The picture.
    pub picture: Picture,
    /// The caption, also used as alternative text.
    pub caption: String,
}

/// Returns a picture as an HTML element that embeds it.
pub fn image(picture: &Picture, description: &str, class: &str) -> Result<String, Error> {
    let [width, height] = picture.size;
    Ok(format!(
        "<img class=\"{class}\" width=\"{width}\" height=\"{height}\" alt=\"{}\" \
         src=\"data:image/png;base64,{}\">",
        escaped(description),
        STANDARD.encode(picture.png()?),
    ))
}

/// Escapes the special characters of HTML in a text.
pub fn escaped(text: &str) -> String {
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
        let html = super::table(&table);
        assert!(
            html.contains("<thead><tr><th>a</th><th>b</th></tr>"),
            "{html}"
        );
        assert!(html.contains("<tr><td>&lt;</td><td>1</td></tr>"), "{html}");
    }
}
