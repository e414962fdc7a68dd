//! The claims of `aragon2013`, with their tolerances.

use crate::claim::{Claim, Verdict};

pub const TABLE_1_VOLUMES: Claim = Claim {
    name: "Table 1, bounding volumes",
    place: "section 3.4, table 1",
    sentence: "Overlap tests of bounding spheres, axis-aligned boxes and 14-DOPs take roughly the same time.",
    tolerance: "The slowest takes at most 1.135 times as long as the fastest, as in the table: 42 ns and 37 ns.",
    documented: Verdict::DoesNotHold,
};

pub const OBB: Claim = Claim {
    name: "section 3.2.3",
    place: "section 3.2.3",
    sentence: "Omitting the nine edge-edge axes from the separating axis test of oriented boxes (OBB) makes it wrong in about \
        6% of the time (cited from van den Bergen).",
    tolerance: "From 5% to 7% of all tests: one percentage point for about. The boxes behind the cited number are not printed; here half \
        of the pairs overlap, as in the paper's own table.",
    documented: Verdict::DoesNotHold,
};

pub const TABLE_1_DISTANCE: Claim = Claim {
    name: "Table 1, distance",
    place: "section 3.4, table 1",
    sentence: "Overlap tests of bounding volumes are considerably faster than the distance of a point from a triangle by sequential \
        quadratic programming.",
    tolerance: "A distance by sequential quadratic programming with BFGS updates takes at least 5 times as long as a test of each of the three \
        volumes of the table: considerably is at least half an order of magnitude.",
    documented: Verdict::Holds,
};

pub const ITERATIONS: Claim = Claim {
    name: "section 3.4, iterations",
    place: "section 3.4",
    sentence: "Sequential quadratic programming with BFGS updates takes 12 iterations on average, from 5 to 29, to the distance of a \
        point from a triangle.",
    tolerance: "Half of the last printed digit, for the same triangles, points and accuracy.",
    documented: Verdict::CannotBeJudged,
};

pub const DEVIATIONS: Claim = Claim {
    name: "Table 1, deviations",
    place: "section 3.4, table 1",
    sentence: "The variability of the number of iterations has a direct impact on the time of a distance, as its standard deviation \
        of 7276 ns at an average of 20457 ns shows.",
    tolerance: "The correlation of the time and the number of iterations of a distance is at least 0.707: the number of iterations \
        explains more of the variance of the time than all else together. The rest is work that differs between iterations, as those \
        of the line search do; its share depends on the processor.",
    documented: Verdict::Holds,
};

pub const EQUATION_19: Claim = Claim {
    name: "Equation 19",
    place: "section 3.4, equation 19",
    sentence: "The cost of detection is the sum of the numbers of trajectory tests, hierarchy updates, tests of bounding volumes and \
        tests of primitives, each times its cost.",
    tolerance: "With four costs fitted to twelve runs, the time of every run is the sum up to a factor of 1.5: costs are means, and tests \
        end early or late. The cost of an update is one for each face, because section 3.4 says that an update is linear in the \
        vertices of the hierarchy; one cost for updates of all sizes is shown.",
    documented: Verdict::Holds,
};

pub const FIGURE_3: Claim = Claim {
    name: "Figure 3",
    place: "section 3.2, figure 3",
    sentence: "Bottom-up construction gives the hierarchy of bounding spheres with the least volume (cited from Omohundro).",
    tolerance: "Volumes, which no machine changes: top-down construction and the insertion of one face after the other (Omohundro's \
        online tree) have more than bottom-up, on both bodies. The volumes of the twelfth level, which the figure shows, \
        are given without a claim.",
    documented: Verdict::Holds,
};

pub const HEIGHTS: Claim = Claim {
    name: "section 3.2, heights",
    place: "section 3.2",
    sentence: "The motorcycle's bottom-up hierarchy of spheres has an average height of 18, with depths from 8 to 38; the jet's \
        has heights from 8 to 43, 18 on average.",
    tolerance: "Half of the last printed digit; the numbers are those of two meshes.",
    documented: Verdict::CannotBeJudged,
};

pub const UNBALANCED: Claim = Claim {
    name: "section 3.2, balance",
    place: "section 3.2",
    sentence: "The bottom-up hierarchy of spheres of the motorcycle is not balanced.",
    tolerance: "The height is above that of a balanced tree as section 2 defines it, and depths of leaves differ by at least that height. \
        The printed depths, 8 to 38, differ by twice the height of a balanced tree over the printed 17955 elements (15, ours: log_2 of \
        17955, rounded up); half of that, because the mesh is another one. Depths do not depend on the machine.",
    documented: Verdict::Holds,
};

pub const FIGURE_4: Claim = Claim {
    name: "Figure 4",
    place: "section 3.2, figure 4",
    sentence: "Hierarchies of axis-aligned boxes (AABB) are built in the same way as those of spheres.",
    tolerance: "None: depths and volumes of both kinds of trees are shown.",
    documented: Verdict::CannotBeJudged,
};

pub const BRANCHING: Claim = Claim {
    name: "section 2, K-ary trees",
    place: "section 2",
    sentence: "A balanced tree with at most K children per node has the height log_K of the number of faces, rounded up.",
    tolerance: "None: a definition. Heights of trees over that of a balanced one are shown.",
    documented: Verdict::CannotBeJudged,
};

pub const FIGURE_6: Claim = Claim {
    name: "Figure 6",
    place: "section 5.1, figure 6",
    sentence: "Two spherical projectiles collide at 14.98 s, an exact time that the engine finds; it is idle until their root \
        spheres meet.",
    tolerance: "The time agrees with the printed one up to half of its last digit, 0.005 s, and with that of bisection to twelve \
        digits on every mesh. Idle is a step that processes no pair; the first active one begins not before 14.9 s.",
    documented: Verdict::Holds,
};

pub const FIGURE_6_PREDICTIONS: Claim = Claim {
    name: "Figure 6, predictions",
    place: "section 5.1, figure 6",
    sentence: "The root spheres of the projectiles meet at 14.9503 s; in one of the subsequent steps, at 14.9763 s, the spheres with the \
        highest priority are those of elements.",
    tolerance: "Half of the last printed digit, 0.00005 s, for the same mesh.",
    documented: Verdict::CannotBeJudged,
};

pub const FIGURE_7: Claim = Claim {
    name: "Figure 7",
    place: "section 5.2, figure 7",
    sentence: "A motorcycle at 120 km/h hits a wall of 144 elements approximately 100 m away at 3 s, and the engine operates in only six of \
        the time steps.",
    tolerance: "The wall is put at exactly 100 m, so that the contact is at 3 s; it is found to twelve digits, because the motion is exact. At \
        most six steps are active, as published. The size of the wall is not published; it is chosen so that spheres first meet at \
        about the published time, which the number of active steps depends on.",
    documented: Verdict::Holds,
};

pub const FIGURE_7_MEETINGS: Claim = Claim {
    name: "Figure 7, meetings",
    place: "section 5.2, figure 7",
    sentence: "Bounding spheres of the motorcycle and of the wall meet at 2.8, 2.88, 2.9, 2.95 and 3 s.",
    tolerance: "Half of the last printed digit, for the same mesh and wall.",
    documented: Verdict::CannotBeJudged,
};

pub const SHARES: Claim = Claim {
    name: "section 5.2, shares",
    place: "section 5.2",
    sentence: "Building the hierarchy takes roughly 99% of the time up to the contact; of the rest every active step of the engine takes about the \
        same share, almost entirely that of updating the hierarchies, however deep it descends.",
    tolerance: "At least 98.5% for the building, half of the last printed digit. The largest share of a step is at most 1.25 times \
        the least: the text calls its shares, from 16.2% to 17.3%, roughly uniform; a quarter is what this report allows wherever times \
        are to be the same. Updating takes at least 90% of the time of the active steps: almost entirely leaves a tenth.",
    documented: Verdict::DoesNotHold,
};
