//! Methods of the papers as they were published. They find the same sides as all others, and are
//! kept to check a paper's figures and to teach; the automatic choice never picks them.
//!
//! | file | method | paper |
//! |---|---|---|
//! | `ray_plain` | [`Method::RayPlain`](super::Method::RayPlain): a segment against every triangle | muth2006, section 2.2 |
//! | `panel_clustering` | [`Method::PanelClustering`](super::Method::PanelClustering): Taylor expansions of clusters of triangles | muth2006, section 2.1.2 |
//! | `multipole` | [`Method::Multipole`](super::Method::Multipole) with [`InsideSettings::multipole`](super::InsideSettings::multipole): trees of one depth, expansions of one degree | muth2006, section 2.1 |

pub(super) mod multipole;
pub(super) mod panel_clustering;
pub(super) mod ray_plain;
