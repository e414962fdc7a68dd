//! Output columns of simulations: contacts of spheres.

use crate::answer::{Column, Outputs, count, float, integers, vector};
use tangere_sim::ContactRow;

const WRITTEN: Outputs = Outputs::JSON.and(Outputs::ROWS);

/// The output columns of a contact of two spheres of a simulation.
pub const CONTACT: &[Column<ContactRow>] = &[
    count("a", |c: &ContactRow| c.a)
        .doc("Id of the first sphere, the lower of both.")
        .only(WRITTEN),
    count("b", |c: &ContactRow| c.b)
        .doc("Id of the second sphere.")
        .only(WRITTEN),
    integers(
        "image",
        &["image_x", "image_y", "image_z"],
        |c: &ContactRow, k| c.image[k],
    )
    .doc("Periodic image of the second sphere, as the number of cells along each edge.")
    .only(WRITTEN),
    vector("point", &["x", "y", "z"], |c: &ContactRow, k| c.point[k])
        .doc("The contact point: the middle of the overlap.")
        .only(WRITTEN),
    vector("normal", &["nx", "ny", "nz"], |c: &ContactRow, k| {
        c.normal[k]
    })
    .doc("Unit normal from a to b.")
    .only(WRITTEN),
    float("gap", |c: &ContactRow| c.gap)
        .doc("The gap, negative where spheres overlap.")
        .only(WRITTEN),
    vector("force", &["fx", "fy", "fz"], |c: &ContactRow, k| c.force[k])
        .doc("The force on b; that on a is its opposite.")
        .only(WRITTEN),
    vector("shear", &["sx", "sy", "sz"], |c: &ContactRow, k| c.shear[k])
        .doc("The spring of friction: displacement, or force for laws that keep it.")
        .only(WRITTEN),
];
