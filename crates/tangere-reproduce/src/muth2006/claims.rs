//! The claims of `muth2006`, with their tolerances.

use crate::claim::{Claim, Verdict};

const LINEAR: &str = "Exponents by triangles, fitted to meshes of at least 500, and by points from 0.9 to 1.1: a tenth for caches and \
    the parts of a run that do not grow.";

pub const FIGURE_7: Claim = Claim {
    name: "Figure 7",
    place: "section 3.1, figure 7",
    sentence: "With a well-chosen depth the total time of fast multipoles for the sphere grows less than linearly with the \
        number of triangles, and comes closest to linear for the fewest points.",
    tolerance: "An exponent of the total time against the number of triangles below 1 on every grid, fitted to meshes of at least 500 \
        triangles, because below that the time is that of the points alone; less than linear leaves no room. The exponent of the \
        fewest points is the largest.",
    documented: Verdict::Holds,
};

pub const FIGURE_8: Claim = Claim {
    name: "Figure 8",
    place: "section 3.1, figure 8",
    sentence: "With a pre-chosen depth times for the sphere are longer than with a well-chosen one; for few points set-up dominates, so \
        that curves almost touch.",
    tolerance: "No mesh and grid has a pre-chosen depth more than 10% faster than a well-chosen one, and some mesh has it at least 10% \
        slower; a tenth, because both trees are often the same. On the finest mesh 20^3 points take at most 1.5 times as long \
        as 10^3, although they are eight times as many, and with 10^3 points the set-up takes more than half of the time.",
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
    sentence: "With a pre-chosen depth ray crossing is faster than fast multipoles on the five coarsest spheres with 10^3 points, \
        and on the three coarsest with 80^3 points.",
    tolerance: "The quotient of the times, multipoles to ray crossing, is above 1 on each of these spheres: an order, in which equality does \
        not count. By refinement of the printed 8 triangles they have 8 to 2048 triangles, and 8 to 128.",
    documented: Verdict::DoesNotHold,
};

pub const FIGURE_10_FINEST: Claim = Claim {
    name: "Figure 10, finest meshes",
    place: "section 3.1, figure 10",
    sentence: "With 10^3 points fast multipoles are a little bit faster than ray crossing for the finest meshes of the sphere.",
    tolerance: "The finest are those that the conclusions do not count among the five coarsest: 8192, 32768 and 131072 triangles. On each of \
        them ray crossing takes more than once and less than twice as long as multipoles, with either choice of the depth: \
        the text speaks of both choices; twice is our limit of a little bit, and a lot in figure 15.",
    documented: Verdict::DoesNotHold,
};

pub const TABLE_2: Claim = Claim {
    name: "Table 2",
    place: "section 3.1, table 2",
    sentence: "With a fixed depth the evaluation takes time linear in the number of points, of which each finer grid has eight times \
        as many.",
    tolerance: "An exponent of the evaluation by points from 0.9 to 1.1 from each grid to the next finer one, for each mesh of the table: a \
        tenth for caches. Seconds of a PC of 2006 are not compared.",
    documented: Verdict::DoesNotHold,
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
        number of triangles, for a fixed number of points.",
    tolerance: "An exponent of the total time against the number of triangles below 1 on every grid: less than linear leaves no room. A \
        quick run has smaller foams than the paper's.",
    documented: Verdict::DoesNotHold,
};

pub const FIGURE_13: Claim = Claim {
    name: "Figure 13",
    place: "section 3.2, figure 13",
    sentence: "With a pre-chosen depth results for the foam are not as good as with a well-chosen one; those of the finest mesh are strongly \
        dominated by the set-up.",
    tolerance: "No mesh and grid has a pre-chosen depth more than 10% faster than a well-chosen one, and some mesh has it at least 10% \
        slower; a tenth, because both trees are often the same. On the finest mesh, that of 494124 triangles, the set-up takes at least \
        two thirds of the time on every grid: strongly is twice the rest.",
    documented: Verdict::DoesNotHold,
};

pub const FIGURE_14: Claim = Claim {
    name: "Figure 14",
    place: "section 3.2, figure 14",
    sentence: "For the foam, too, ray crossing shows its linear dependency.",
    tolerance: LINEAR,
    documented: Verdict::Holds,
};

pub const FIGURE_15: Claim = Claim {
    name: "Figure 15",
    place: "sections 3.2 and 4, figure 15",
    sentence: "For the foam with 10^3 points ray crossing is faster than fast multipoles with a pre-chosen depth; with the \
        largest grid multipoles with either depth are a lot faster.",
    tolerance: "The quotient of the times, multipoles with a pre-chosen depth to ray crossing, is above 1 on every foam with 10^3 \
        points: an order, in which equality does not count. With 80^3 points ray crossing takes at least twice as long as multipoles on \
        every foam: a lot is at least a factor of 2.",
    documented: Verdict::DoesNotHold,
};

pub const TABLE_1_SET_UP: Claim = Claim {
    name: "Table 1, set-up",
    place: "section 2.1.3, table 1",
    sentence: "The set-up has O(N / log^2 N) clusters, a fixed maximal number of conversions for each of them, estimated by c_d (the sons of \
        all clusters in the near field of the father), and at most c_d times as many cells as clusters.",
    tolerance: "Clusters over N / log^2 N vary by a factor of at most 8 from 512 triangles on, because the depth is a whole number and a level \
        of an octree divides a cluster into up to eight; and the finest body does not exceed the coarser ones, because the order is an upper \
        bound. Conversions of each cluster, and cells over clusters, are at most c_d, counted in a lattice of cells for the separation d: \
        an upper bound leaves no room.",
    documented: Verdict::Holds,
};

pub const TABLE_1_NEAR_FIELD: Claim = Claim {
    name: "Table 1, near field",
    place: "section 2.1.3, table 1",
    sentence: "With leaves of O(log^2 N) triangles on a quasi-uniform mesh, the near field of a point has at most O(log^2 N) \
        triangles.",
    tolerance: "Triangles near a point of the surface over log^2 N vary by a factor of at most 8 from 512 triangles on, because a level \
        of an octree divides a cluster into up to eight; N itself over log^2 N varies by 18 up to 32768 triangles, by 72 up to 131072.",
    documented: Verdict::Holds,
};

pub const TABLE_1_DEGREE: Claim = Claim {
    name: "Table 1, degree",
    place: "section 2.1.3, table 1",
    sentence: "The coefficients of a triangle take O(p^2), each translation and conversion O(p^4), and the evaluation of a local \
        expansion at a point O(p^2) for expansions of degree p.",
    tolerance: "Exponents of time against the degree, from 3 to 12, of at most 2, 4 and 2: upper bounds, above which there is no room and \
        below which less is no failure. Coefficients are judged by a rule with a fixed number of points, one of the two ways of the \
        text, by time and by the number of harmonics computed, which no machine changes. The exact way of the text is that of its \
        references [17, 18]; ours is another one (integrals along edges, O(p^3)) and is shown without a verdict.",
    documented: Verdict::Holds,
};

pub const TOGETHER: Claim = Claim {
    name: "N and M together",
    place: "sections 2.1.1, 2.1.3 and 3.1",
    sentence: "If triangles and points grow by the same factor, fast multipoles take O(N log^2 N) + O(M log^2 N), almost linear, and the \
        plain sum takes quadratic effort.",
    tolerance: "Exponents against N log^2 N of at most 1.1, of operations and of time, a tenth for caches and for depths that are whole \
        numbers; an exponent of the plain sum against N from 1.8 to 2.1, because parts of a run that do not grow make small \
        bodies dearer.",
    documented: Verdict::DoesNotHold,
};

pub const QUADRATURE: Claim = Claim {
    name: "coefficients",
    place: "section 2.1.2 after eq. (21), section 2.1.3",
    sentence: "Coefficients can be computed exactly or approximated by a quadrature rule, whose error can easily be estimated and is \
        neglected in the analysis of errors.",
    tolerance: "None: to neglect an error is an assumption of the text. The errors of Gauss rules are shown beside that of the truncation.",
    documented: Verdict::CannotBeJudged,
};

pub const TAYLOR: Claim = Claim {
    name: "Taylor series",
    place: "section 2.1.2",
    sentence: "An expansion in spherical harmonics is often more suitable than the Taylor series of panel clustering.",
    tolerance: "At every degree both series have the same error within 1%, harmonics never have more terms, and at more than half of the \
        degrees tried (1, 2, 4, 6, 8 and 12) they have fewer: often is more than half. Counts of terms, because the times are those of two methods, of which \
        the series is only a part.",
    documented: Verdict::Holds,
};

pub const ESTIMATE_26: Claim = Claim {
    name: "eq. (26)",
    place: "section 2.1.3, eq. (26)",
    sentence: "The normal derivative of the truncated part of the kernel is at most the estimate, for x at most r and y at least d r from the origin.",
    tolerance: "The largest quotient of error and estimate is at most 1 at all samples: a bound leaves no room.",
    documented: Verdict::Holds,
};

pub const ESTIMATE_27: Claim = Claim {
    name: "eq. (27)",
    place: "section 2.1.3, eq. (27)",
    sentence: "The error of the potential by fast multipoles is at most Delta_Gamma times estimate (26), Delta_Gamma read as the area of the \
        surface.",
    tolerance: "The largest quotient of error and estimate is at most 1 at all points off the surface: a bound leaves no room.",
    documented: Verdict::Holds,
};
