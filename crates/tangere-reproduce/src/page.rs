//! HTML page of the report.

use super::finding::Finding;
use super::{Chapter, Report, bands};
use crate::Error;
use crate::claim::Verdict;
use tangere_render::html::{self, Figure, escaped, image};
use tangere_render::plot::{LARGE, Plot, SMALL};

/// The number of rows from which a table beside a plot is collapsed.
const MOST_ROWS: usize = 12;

/// Returns the page as HTML.
pub fn html(report: &Report) -> Result<String, Error> {
    let mut links = String::new();
    let mut body = String::new();
    for chapter in &report.chapters {
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
    let effort = match report.effort.is_quick() {
        true => " This was a quick run: small scenes and few repetitions.",
        false => "",
    };
    let summary = escaped(&report.summary());
    let incomplete = report.incomplete();
    let incomplete = incomplete.map_or(String::new(), |text| {
        format!("<p><strong>{}</strong></p>\n", escaped(&text))
    });
    let content = format!(
        "<p class=\"summary\"><strong>{summary}</strong> A verdict compares measured numbers with a tolerance that \
         was fixed before. Every claim has what the text of the paper prints beside what was measured. What a paper \
         shows in a figure only cannot be compared.</p>\n{incomplete}<nav>\n{links}</nav>\n<p class=\"scene\">Times are CPU times of one thread, the minimum of \
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
        let claim = finding.claim;
        format!(
            "<tr><td><a href=\"#{}\">{}</a></td><td class=\"words\">{}</td><td>{}</td></tr>\n",
            claim.id(chapter.paper.key),
            escaped(claim.name),
            escaped(claim.sentence),
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
        [] if finding.pictures.is_empty() && !finding.checks.is_empty() => format!(
            "<div class=\"figures\">\n<figure>{}<figcaption>Accepted range of each check, and what was measured</figcaption>\
             </figure>\n</div>\n",
            bands::svg(&finding.checks)
        ),
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
    let claim = finding.claim;
    let checks = match finding.checks.is_empty() {
        true => String::new(),
        false => html::table(&finding.checked()),
    };
    let unlike = finding.unlike_documented();
    let unlike = unlike.map_or(String::new(), |text| format!("<p>{}</p>\n", escaped(&text)));
    Ok(format!(
        "<article id=\"{}\">\n<h3>{} {}</h3>\n<p><strong>{}</strong> <span class=\"scene\">({key}, {})</span></p>\n\
         {}<p style=\"margin-top:1.1rem\"><strong>Why:</strong> {}</p>\n{unlike}{checks}<p style=\"margin-top:1.1rem\"><strong>Tolerance:</strong> {}</p>\n<p>{}</p>\n\
         {pictures}{figures}{table}<p class=\"scene\"><a href=\"{file}\">{file}</a></p>\n</article>\n",
        claim.id(key),
        escaped(claim.name),
        mark(finding),
        escaped(claim.sentence),
        escaped(claim.place),
        numbers(finding),
        escaped(&finding.why()),
        escaped(claim.tolerance),
        escaped(&finding.remark),
    ))
}

/// Returns an HTML table of what the text of the paper prints and what was measured.
fn numbers(finding: &Finding) -> String {
    let row = |(name, lines): (&str, Vec<String>)| {
        let lines: Vec<String> = lines.iter().map(|line| escaped(line)).collect();
        format!(
            "<tr style=\"vertical-align:top\"><td style=\"width:7rem\">{name}</td><td class=\"words\">{}</td></tr>\n",
            lines.join("<br>")
        )
    };
    format!(
        "<div class=\"table\"><table>\n<tbody>{}</tbody>\n</table></div>\n",
        finding.numbers().map(row).concat()
    )
}

fn figure(plot: &Plot, size: [f64; 2]) -> String {
    format!(
        "<figure>{}<figcaption>{}</figcaption></figure>\n",
        plot.svg(size),
        escaped(&plot.title)
    )
}

fn mark(finding: &Finding) -> String {
    let verdict = finding.verdict();
    let class = match verdict {
        Verdict::Holds => "yes",
        Verdict::DoesNotHold => "no",
        Verdict::CannotBeJudged => "open",
    };
    format!("<span class=\"mark {class}\">{}</span>", verdict.name())
}
