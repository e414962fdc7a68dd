//! Settings of the published multipole method from options of a call.

use tangere::inside::{Method, PublishedDepth, PublishedMultipole};
use tangere::{Argument, Error, Result};

/// Returns the settings of the multipole method as published, if any of its three options is given;
/// otherwise `None`, for adaptive trees.
///
/// # Errors
/// When an option is given to another method. The error names the option.
pub fn published_multipole(
    method: Method,
    degree: Option<usize>,
    separation: Option<f64>,
    depth: Option<PublishedDepth>,
) -> Result<Option<PublishedMultipole>> {
    let given = [
        (Argument::ExpansionDegree, degree.map(|x| x.to_string())),
        (
            Argument::ClusterSeparation,
            separation.map(|x| x.to_string()),
        ),
        (Argument::MultipoleDepth, depth.map(|x| x.to_string())),
    ];
    let Some((what, found)) = given
        .into_iter()
        .find_map(|(what, found)| Some((what, found?)))
    else {
        return Ok(None);
    };
    if method != Method::Multipole {
        let expected = format!("none for method {method}; only multipole has one");
        return Err(Error::argument(what, found, expected));
    }
    let mut settings = PublishedMultipole::default().with_degree(degree);
    settings.separation = separation.unwrap_or(settings.separation);
    settings.depth = depth.unwrap_or_default();
    Ok(Some(settings))
}
