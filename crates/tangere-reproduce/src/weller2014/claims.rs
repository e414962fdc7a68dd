//! The claims of `weller2014`, with their tolerances.

use crate::claim::{Claim, Verdict};

pub const FIGURE_1: Claim = Claim {
    name: "Figure 1",
    place: "section 1, figure 1",
    sentence: "The number of intersecting pairs of polygons of two Chazelle polyhedra is quadratic in the number of polygons; the \
        algorithm on sphere packings is independent of the complexity of the surface (read as: the number of intersecting pairs of spheres \
        does not depend on the number of polygons), and the number of these pairs is at most linear in the number of spheres.",
    tolerance: "Exponents of counts, which no machine changes: from 1.8 to 2.2 for polygons, because the first polyhedra have few \
        ridges; at most 1.1 for spheres, because small packings do not fill the ridges (O(n) is an upper bound, less is no failure); from -0.1 to \
        0.1 of the pairs of spheres by polygons of the same body, with the same number of spheres: a tenth, because packings are not the same.",
    documented: Verdict::DoesNotHold,
};

pub const THEOREM: Claim = Claim {
    name: "Theorem 3.2",
    place: "section 3, theorem 3.2 and lemma 3.1",
    sentence: "Two packings of n spheres have at most a constant times n overlapping pairs.",
    tolerance: "Pairs per sphere are at most 54, the constant that follows from the volumes of lemma 3.1: the disjoint spheres \
        of at least its size that a sphere of the other packing meets, shrunk to its size, lie within three times its \
        radius, which holds 27 times its volume; once in each direction. The text prints no constant.",
    documented: Verdict::Holds,
};

pub const FILLING: Claim = Claim {
    name: "Filling",
    place: "section 5",
    sentence: "Packings of 4000 to 60000 spheres fill about 85 - 95% of the volumes of the bodies.",
    tolerance: "At least 85% with 4000 spheres and at least 95% with 60000, on every body, less one percentage point for about; \
        more is better. That the ends of the range are those of 4000 and of 60000 spheres is our assignment. Chazelle's polyhedron, which is \
        not among the text's scenes, is shown and not judged.",
    documented: Verdict::DoesNotHold,
};

pub const FIGURE_5: Claim = Claim {
    name: "Figure 5",
    place: "section 5, figure 5",
    sentence: "A collision query takes about 1 msec with a reasonable accuracy, that is, density of spheres.",
    tolerance: "A quarter for about, on the same graphics card.",
    documented: Verdict::CannotBeJudged,
};

pub const CONFIGURATIONS: Claim = Claim {
    name: "Figure 5, configurations",
    place: "section 5, figure 5",
    sentence: "For a given packing the time of a query is constant, almost independent of the configuration of the objects, \
        with small peaks where they penetrate.",
    tolerance: "The worst query takes at most 1.25 times as long as the median one, for every packing: a peak of a quarter is \
        small.",
    documented: Verdict::DoesNotHold,
};

pub const LINEAR: Claim = Claim {
    name: "Figure 5, growth",
    place: "section 5, figure 5",
    sentence: "Once all processors are loaded, the time of a query grows linearly with the number of spheres.",
    tolerance: "An exponent of the time of the worst query against the number of spheres from 0.9 to 1.1, for every body, and the same of \
        its work (rows of cells, tests and pairs counted, which no machine changes): a tenth, because finer packings fill \
        more.",
    documented: Verdict::DoesNotHold,
};

pub const FLAT: Claim = Claim {
    name: "Figure 5, constant time",
    place: "section 5, figure 5",
    sentence: "Up to 20000 spheres the time of a query does not depend on the number of spheres, because the processors of the graphics \
        card are not fully loaded.",
    tolerance: "The ratio of the times with 20000 and with 4000 spheres is at most 1.25; it takes thousands of processors. Shown is \
        what two can: the time on two threads over that on one.",
    documented: Verdict::CannotBeJudged,
};

pub const TRIANGLES: Claim = Claim {
    name: "Figure 4, triangles",
    place: "section 5.1, figure 4",
    sentence: "The running time does not depend on the geometric complexity of the objects: their number of triangles.",
    tolerance: "The worst query of two packings of the same shape with the same number of spheres, one made from 20 thousand \
        triangles and one from 1.4 million, as the paper's smallest and largest scenes, takes the same work (rows of cells, tests \
        and pairs counted, which no machine changes) up to a quarter: the packings are not the same.",
    documented: Verdict::Holds,
};

pub const FIGURE_6: Claim = Claim {
    name: "Figure 6",
    place: "section 5, figure 6",
    sentence: "The hierarchical grid is built in no more than a fraction of a millisecond.",
    tolerance: "Less than 1 ms, on the same graphics card.",
    documented: Verdict::CannotBeJudged,
};

pub const SPHERE_TREES: Claim = Claim {
    name: "Inner sphere trees",
    place: "section 5",
    sentence: "Forces and torques equal those of inner sphere trees (the version without a time limit): both find the same pairs of spheres and \
        their volumes.",
    tolerance: "The same pairs at every pose; volume, force and torque up to 1e-12 of their size, because sums are taken in another \
        order.",
    documented: Verdict::Holds,
};

pub const CONTINUITY: Claim = Claim {
    name: "Continuity",
    place: "sections 5 and 5.1",
    sentence: "Forces and torques are continuous and almost free of noise, in direction and magnitude.",
    tolerance: "Along a path, steps half as long halve the largest change of the force between two steps, and that of the torque: \
        quotients from 0.4 to 0.6. A jump, however small the step, would make it 1.",
    documented: Verdict::Holds,
};

pub const OVERFLOW: Claim = Claim {
    name: "Buckets",
    place: "section 5",
    sentence: "Buckets of 24 spheres, by the kissing number 12 as a heuristic, are sufficient to avoid overflow of the buckets of a hash table \
        of 16 MByte.",
    tolerance: "No entry overflows, in any packing: avoided is none. Counts do not depend on the machine. That 24 is twice the kissing number is \
        our reading: the text prints both numbers.",
    documented: Verdict::CannotBeJudged,
};

pub const COLLISIONS: Claim = Claim {
    name: "Hash collisions",
    place: "section 4.3",
    sentence: "There is no notable number of hash collisions during the construction.",
    tolerance: "At most 5% of the cells with spheres share their bucket with another one, in every packing: one in twenty is not \
        notable.",
    documented: Verdict::DoesNotHold,
};

pub const PARALLEL: Claim = Claim {
    name: "Parallel construction",
    place: "sections 4.2 and 4.3",
    sentence: "The construction of the hierarchical grid can easily be parallelized: all spheres are assigned to their cells independently, with \
        exclusive writes to the buckets of the hash table.",
    tolerance: "Constructed on 2, 3 and 8 threads the table is that of one thread, in all numbers of its report, and gives the same pairs in the same \
        order and the same bits of volume, force and torque, for every packing; the pairs are those of brute force. Facts, not times: one lost or doubled write would change them. What threads gain in time is not judged.",
    documented: Verdict::Holds,
};

pub const MEMORY: Claim = Claim {
    name: "Memory",
    place: "sections 2, 4.3, 5 and 5.1",
    sentence: "The memory consumption is low compared to the voxel map of the voxmap pointshell algorithm (VPS).",
    tolerance: "The table and the spheres take at most as much as one bit for each voxel of the same resolution, as wide as the \
        smallest sphere, for every body with the most spheres of the run: a bit is the least that the boolean test of \
        the text needs.",
    documented: Verdict::DoesNotHold,
};

pub const PERFECT_HASH: Claim = Claim {
    name: "Perfect hash",
    place: "section 4.3",
    sentence: "For rigid objects a perfect hash function can be chosen in advance.",
    tolerance: "No two cells share a bucket, a search reads one bucket for each cell, and the pairs are those of brute force.",
    documented: Verdict::Holds,
};

pub const MORTON: Claim = Claim {
    name: "Morton codes",
    place: "section 5.1",
    sentence: "A better hash function, which fits the hierarchy and preserves locality, would increase the performance significantly; Morton \
        codes with closed hashing and a reduced cell size are probably an option.",
    tolerance: "None: the quotient of times with Morton codes and with DJB2 is shown.",
    documented: Verdict::CannotBeJudged,
};
