//! The claims of `muth2006`, with their tolerances.

use crate::claim::{Claim, Verdict};

const BELOW_LINEAR: &str = "An exponent of the total time against the number of triangles of at most 1 on every grid, fitted to \
    meshes of at least 500 triangles, because below that the time is that of the points alone; less than \
    linear leaves no room. The exponent of the fewest points is the largest.";

const LINEAR: &str = "Exponents by triangles, fitted to meshes of at least 500, and by points from 0.9 to 1.1: a tenth for caches and \
    the parts of a run that do not grow.";

const PRE_CHOSEN: &str = "No mesh and grid has a pre-chosen depth more than 10% faster than a well-chosen one, and some mesh has \
    it at least 10% slower; a tenth, because both trees are often the same. On the finest mesh 20^3 points take \
    at most 1.5 times as long as 10^3, although they are eight times as many.";

pub const FIGURE_7: Claim = Claim {
    name: "Figure 7",
    place: "section 3.1, figure 7",
    sentence: "With a well-chosen depth the total time of fast multipoles for the sphere grows less than linearly with the \
        number of triangles, and comes closest to linear for the fewest points.",
    tolerance: BELOW_LINEAR,
    documented: Verdict::Holds,
};

pub const FIGURE_8: Claim = Claim {
    name: "Figure 8",
    place: "section 3.1, figure 8",
    sentence: "With a pre-chosen depth times for the sphere are longer; for few points set-up dominates, so that the curves \
        of the small grids almost touch.",
    tolerance: PRE_CHOSEN,
    documented: Verdict::DoesNotHold,
};

pub const FIGURE_9: Claim = Claim {
    name: "Figure 9",
    place: "section 3.1, figure 9",
    sentence: "Ray crossing takes time linear in the number of triangles of the sphere and in the number of points.",
    tolerance: LINEAR,
    documented: Verdict::Holds,
};

pub const FIGURE_10: Claim = Claim {
    name: "Figure 10",
    place: "section 4, figure 10",
    sentence: "With a pre-chosen depth ray crossing is faster than fast multipoles on the five coarsest spheres (8 to 2048 \
        triangles) with 10^3 points, and on the three coarsest (8 to 128 triangles) with 80^3 points.",
    tolerance: "The curves cross between the last mesh on which ray crossing is faster in the paper and the next one: from 2048 \
        to 8192 triangles with 10^3 points, from 128 to 512 with 80^3. No more: the claim is about the paper's \
        meshes.",
    documented: Verdict::DoesNotHold,
};

pub const TABLE_2: Claim = Claim {
    name: "Table 2",
    place: "section 3.1, table 2",
    sentence: "With a fixed depth the evaluation takes time linear in the number of points: eight times as long for each \
        finer grid.",
    tolerance: "An exponent of the evaluation by points from 0.9 to 1.1 between the two finest grids, for each mesh: a tenth for \
        caches. Seconds of a PC of 2006 are not compared.",
    documented: Verdict::CannotBeJudged,
};

pub const TABLE_2_DEPTH: Claim = Claim {
    name: "Table 2, depth",
    place: "section 3.1, table 2",
    sentence: "The evaluation on 131072 triangles takes less time than on 32768, because its tree is deeper: 202 s instead of \
        329 s with 80^3 points.",
    tolerance: "The quotient of the two evaluations is below 1, and the tree is deeper; the ratio itself depends on how fast \
        near and far field are evaluated.",
    documented: Verdict::CannotBeJudged,
};

pub const FIGURE_12: Claim = Claim {
    name: "Figure 12",
    place: "section 3.2, figure 12",
    sentence: "With a well-chosen depth the total time of fast multipoles for the foam grows less than linearly with the \
        number of triangles, and comes closest to linear for the fewest points.",
    tolerance: BELOW_LINEAR,
    documented: Verdict::CannotBeJudged,
};

pub const FIGURE_13: Claim = Claim {
    name: "Figure 13",
    place: "section 3.2, figure 13",
    sentence: "With a pre-chosen depth times for the foam are longer; for few points set-up dominates, so that the curves of \
        the small grids almost touch.",
    tolerance: PRE_CHOSEN,
    documented: Verdict::DoesNotHold,
};

pub const FIGURE_14: Claim = Claim {
    name: "Figure 14",
    place: "section 3.2, figure 14",
    sentence: "Ray crossing takes time linear in the number of triangles of the foam and in the number of points.",
    tolerance: LINEAR,
    documented: Verdict::Holds,
};

pub const FIGURE_15: Claim = Claim {
    name: "Figure 15",
    place: "sections 3.2 and 4, figure 15",
    sentence: "For the foam with 10^3 points ray crossing is faster than fast multipoles with a pre-chosen depth; with the \
        largest grid multipoles with either depth are a lot faster.",
    tolerance: "The quotient of the times, multipoles with a pre-chosen depth to ray crossing, is above 1 on every foam with 10^3 \
        points; with the largest grid ray crossing takes at least twice as long as multipoles on every foam: a lot \
        is at least a factor of 2.",
    documented: Verdict::DoesNotHold,
};
