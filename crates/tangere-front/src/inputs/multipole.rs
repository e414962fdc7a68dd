//! Settings of the published methods of point containment by expansions, from options of a call.

use tangere::inside::{
    InsideSettings, Method, PublishedDepth, PublishedMultipole, PublishedPanels,
};
use tangere::{Argument, Error, Result};

/// Returns the settings with those of the published method by expansions, if any of its options is
/// given: of `multipole`, which otherwise has adaptive trees, or of `panel-clustering`, which has no
/// depth.
///
/// # Errors
/// When an option is given to a method that has none. The error names the option.
pub fn with_published_expansions(
    settings: InsideSettings,
    degree: Option<usize>,
    separation: Option<f64>,
    depth: Option<PublishedDepth>,
) -> Result<InsideSettings> {
    let method = settings.method;
    let expanded = [Method::Multipole, Method::PanelClustering];
    let both = format!("only {} and {} have one", expanded[0], expanded[1]);
    let one = format!("only {} has one", expanded[0]);
    let given = [
        (
            Argument::ExpansionDegree,
            degree.map(|x| x.to_string()),
            &expanded[..],
            &both,
        ),
        (
            Argument::ClusterSeparation,
            separation.map(|x| x.to_string()),
            &expanded[..],
            &both,
        ),
        (
            Argument::MultipoleDepth,
            depth.map(|x| x.to_string()),
            &expanded[..1],
            &one,
        ),
    ];
    let mut is_given = false;
    for (what, found, methods, who) in given {
        let Some(found) = found else { continue };
        if !methods.contains(&method) {
            let expected = format!("none for method {method}; {who}");
            return Err(Error::argument(what, found, expected));
        }
        is_given = true;
    }
    if !is_given {
        return Ok(settings);
    }
    if method == Method::PanelClustering {
        let mut panels = PublishedPanels::default().with_degree(degree);
        panels.separation = separation.unwrap_or(panels.separation);
        return Ok(settings.with_panels(panels));
    }
    let mut multipole = PublishedMultipole::default().with_degree(degree);
    multipole.separation = separation.unwrap_or(multipole.separation);
    multipole.depth = depth.unwrap_or_default();
    Ok(settings.with_multipole(multipole))
}
