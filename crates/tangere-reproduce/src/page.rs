//! HTML page of the report.

use super::Chapter;
use super::finding::Finding;
use crate::Error;
use tangere_render::html::{self, Figure, escaped, image};
use tangere_render::plot::{LARGE, Plot, SMALL};

/// The number of rows from which a table beside a plot is collapsed.
const MOST_ROWS: usize = 12;

/// Returns the page as HTML.
pub fn html(chapters: &[Chapter], quick: bool) -> Result<String, Error> {
    let mut links = String::new();
    let mut body = String::new();
    for chapter in chapters {
        let key = chapter.paper.key;
        links += &format!("<a href=\"#{key}\">{key}</a>\n");
        body += &format!(
            "<section id=\"{key}\" class=\"paper\">\n<h2>{}</h2>\n<p><code>{key}</code>. {}</p>\n{}",
            escaped(chapter.paper.title),
            escaped(chapter.paper.about),
            summary(chapter),
        );
        for finding in &chapter.findings {
            body += &html_finding(key, finding)?;
        }
        body += "</section>\n";
    }
    let effort = match quick {
        true => " This was a quick run: small scenes and few repetitions.",
        false => "",
    };
    let content = format!(
        "<nav>\n{links}</nav>\n<p class=\"scene\">Times are CPU times of one thread, the minimum of \
         several runs.{effort}</p>\n<main>\n{body}</main>\n<footer>\n<p>All numbers are in \
         <a href=\"reproduce.json\">reproduce.json</a> and in the tables linked above.</p>\n\
         </footer>\n"
    );
    let lead = "Claims and numbers of the papers beside measurements with Tangere.";
    Ok(html::page(
        "Tangere: the papers reproduced",
        "The papers reproduced",
        lead,
        &content,
    ))
}

/// Returns an HTML table of the claims of a paper, and whether they hold.
fn summary(chapter: &Chapter) -> String {
    let row = |finding: &Finding| {
        format!(
            "<tr><td><a href=\"#{}\">{}</a></td><td class=\"words\">{}</td><td>{}</td></tr>\n",
            anchor(chapter.paper.key, finding),
            escaped(finding.name),
            escaped(&finding.claim),
            mark(finding),
        )
    };
    let rows: String = chapter.findings.iter().map(row).collect();
    format!(
        "<div class=\"table\"><table>\n<thead><tr><th></th><th class=\"words\">claim</th><th></th>\
         </tr></thead>\n<tbody>{rows}</tbody>\n</table></div>\n"
    )
}

fn html_finding(key: &str, finding: &Finding) -> Result<String, Error> {
    let file = finding.file(key);
    let mut pictures = String::new();
    for Figure { picture, caption } in &finding.pictures {
        pictures += &format!(
            "<figure>{}<figcaption>{}</figcaption></figure>\n",
            image(picture, caption, "")?,
            escaped(caption),
        );
    }
    if !pictures.is_empty() {
        let layout = match finding.pictures.len() % 3 {
            0 => "many",
            _ => "many two",
        };
        pictures = format!("<div class=\"figures {layout}\">\n{pictures}</div>\n");
    }
    let figures = match &finding.plots[..] {
        [] => String::new(),
        [plot] => format!("<div class=\"figures\">\n{}</div>\n", figure(plot, LARGE)),
        plots => {
            let figures: String = plots.iter().map(|plot| figure(plot, SMALL)).collect();
            format!("<div class=\"figures many\">\n{figures}</div>\n")
        }
    };
    // Long tables beside plots and pictures are collapsed.
    let mut table = html::table(&finding.data.table());
    if !(finding.plots.is_empty() && finding.pictures.is_empty())
        && finding.data.rows.len() > MOST_ROWS
    {
        table = format!("<details><summary>All numbers</summary>\n{table}</details>\n");
    }
    Ok(format!(
        "<article id=\"{}\">\n<h3>{} {}</h3>\n<p><strong>{}</strong> {}</p>\n{pictures}{figures}{}\
         <p class=\"scene\"><a href=\"{file}\">{file}</a></p>\n</article>\n",
        anchor(key, finding),
        escaped(finding.name),
        mark(finding),
        escaped(&finding.claim),
        escaped(&finding.remark),
        table,
    ))
}

fn figure(plot: &Plot, size: [f64; 2]) -> String {
    format!(
        "<figure>{}<figcaption>{}</figcaption></figure>\n",
        plot.svg(size),
        escaped(&plot.title)
    )
}

fn anchor(key: &str, finding: &Finding) -> String {
    format!("{key}-{}", finding.slug())
}

fn mark(finding: &Finding) -> String {
    let class = if finding.holds { "yes" } else { "no" };
    format!("<span class=\"mark {class}\">{}</span>", finding.verdict())
}
