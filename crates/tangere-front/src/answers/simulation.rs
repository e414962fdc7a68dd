//! Output columns of simulations: contacts of spheres, clumps.

use crate::answer::{Column, Outputs, count, float, integers, vector};
use tangere_sim::{Clump, ContactRow};

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

/// The output columns of a clump of a simulation.
pub const CLUMP: &[Column<Clump>] = &[
    count("id", |c: &Clump| c.id)
        .doc("Id of the body.")
        .only(WRITTEN),
    vector("position", &["x", "y", "z"], |c: &Clump, k| c.position[k])
        .doc("The centre of mass, within the periodic cell.")
        .only(WRITTEN),
    integers(
        "image",
        &["image_x", "image_y", "image_z"],
        |c: &Clump, k| c.image[k],
    )
    .doc("How many cells the centre of mass has left behind along each edge.")
    .only(WRITTEN),
    vector("velocity", &["vx", "vy", "vz"], |c: &Clump, k| {
        c.velocity[k]
    })
    .doc("The velocity of the centre of mass.")
    .only(WRITTEN),
    vector("orientation", &["qw", "qx", "qy", "qz"], |c: &Clump, k| {
        c.orientation[k]
    })
    .doc("The rotation from the principal axes to space, a unit quaternion.")
    .only(WRITTEN),
    vector("spin", &["wx", "wy", "wz"], |c: &Clump, k| c.spin()[k])
        .doc("The angular velocity.")
        .only(WRITTEN),
    float("mass", |c: &Clump| c.mass)
        .doc("The mass.")
        .only(WRITTEN),
    vector("inertia", &["i1", "i2", "i3"], |c: &Clump, k| c.inertia[k])
        .doc("The principal moments of inertia.")
        .only(WRITTEN),
    count("spheres", |c: &Clump| c.members.len() as u64)
        .doc("The number of its spheres.")
        .only(WRITTEN),
];
