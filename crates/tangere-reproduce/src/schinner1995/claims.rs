//! The claims of `schinner1995`, with their tolerances.

use crate::claim::{Claim, Verdict};

pub const ONE_DIMENSION: Claim = Claim {
    name: "one dimension",
    place: "The one-dimensional case, after figure 3",
    sentence: "In one dimension insertion sort of the nearly sorted list of intervals takes O(n + c) for c exchanges, and so does the update \
        of the table of overlapping intervals.",
    tolerance: "An exponent of the time of a step against n + c of at most 1.15 at every motion, fitted over all numbers of boxes: memory \
        gets slower as scenes outgrow the caches, which adds up to 0.15.",
    documented: Verdict::Holds,
};

pub const EXCHANGES: Claim = Claim {
    name: "one dimension, exchanges",
    place: "The one-dimensional case",
    sentence: "In one dimension the number c of exchanges is close to the number k of changes of overlap in a normal MD simulation.",
    tolerance: "c / k is at most 1.5, for boxes in random motion: close means that fewer than half as many exchanges are wasted as are needed.",
    documented: Verdict::DoesNotHold,
};

pub const COST: Claim = Claim {
    name: "cost of a step",
    place: "Extension to three dimensions",
    sentence: "In three dimensions a step takes O(n + c).",
    tolerance: "The quotient of measured and fitted time a n + b c varies by a factor of at most 2 while n and c / n vary by \
        orders of magnitude: caches make a and b depend on the size of the scene.",
    documented: Verdict::Holds,
};

pub const THREE_DIMENSIONS: Claim = Claim {
    name: "three dimensions",
    place: "Extension to three dimensions",
    sentence: "In three dimensions k << n changes of overlap and negligibly many exchanges without one let a step take \
        essentially O(n).",
    tolerance: "k is at most a tenth of n, the exponent of time against n at most 1.15 at every motion; memory gets slower as \
        scenes outgrow the caches.",
    documented: Verdict::DoesNotHold,
};

pub const SYSTEM: Claim = Claim {
    name: "whole system",
    place: "Introduction and Conclusion",
    sentence: "The run time of the whole algorithm, bounding boxes and closest features, is expected to be O(N) for N particles.",
    tolerance: "The time of a step, divided by the number of bodies, varies by a factor of at most 1.5 from 1000 bodies to a million (a quick run, up to \
        100000, does not judge it): larger systems outgrow the caches.",
    documented: Verdict::CannotBeJudged,
};

pub const SHAPES: Claim = Claim {
    name: "whole system, shapes",
    place: "Introduction",
    sentence: "The time of a step depends neither on the shape of the particles nor on how complex they are.",
    tolerance: "The time of a step varies by a factor of at most 1.3 among hulls of 4, 20, 100 and 920 faces of the same excluded \
        volume in the same motion: an effect that is not there may hide in the number of contacts, which differs a little.",
    documented: Verdict::DoesNotHold,
};

pub const TABLE: Claim = Claim {
    name: "table",
    place: "Real simulations, table",
    sentence: "Two rotating polyhedra of 4 to 920 faces find their closest features in one iteration in 97661 to 99803 of \
        100000 calls.",
    tolerance: "Half of the last printed digit, for the same bodies and the same rotation from call to call.",
    documented: Verdict::CannotBeJudged,
};

pub const FIGURE_6: Claim = Claim {
    name: "figure 6",
    place: "Introduction; Real simulations, table and figure 6",
    sentence: "The time of a call does not depend on the number of features.",
    tolerance: "An exponent of time against the number of features from -0.1 to 0.1 from 4 to 920 faces, of Lin's walk and of the \
        engine's tracker: at a fixed rotation rate smaller features change more often.",
    documented: Verdict::Holds,
};

pub const RATES: Claim = Claim {
    name: "rates of turning",
    place: "Real simulations",
    sentence: "If the closest pair of the last time step is the start, the walk normally takes only 1 or 2 iterations.",
    tolerance: "At least 99% of the calls of Lin's walk take one or two iterations, at every size up to 920 faces, where the table ends, and \
        every rotation rate up to that of the table: normally means all but one in a hundred. 10000 faces are shown and not judged.",
    documented: Verdict::Holds,
};

pub const EXAMPLE: Claim = Claim {
    name: "example",
    place: "The one-dimensional case, figure 2 and its table",
    sentence: "Sweeping the sorted ends b8 - b4 - b5 - e5 - b2 - ... - e7 of eight intervals by the two rules finds the collisions of \
        the table.",
    tolerance: "The six printed rows, exactly, because rows of indices are right or wrong; and the same overlaps as by brute force, \
        because the two rules are to find every overlap once.",
    documented: Verdict::Holds,
};

pub const VOLUMES: Claim = Claim {
    name: "figure 1",
    place: "Bounding Boxes, figure 1",
    sentence: "Which bounding box is best depends on its size and on the time to compute it (caption).",
    tolerance: "Both must be weighed only if neither box is better in both; the caption does not say which takes longer, this is our reading. A box along the axes of inertia is smaller than one along the coordinate axes and takes longer: both quotients are on \
        their side of 1. No number is published.",
    documented: Verdict::Holds,
};

pub const ANY_START: Claim = Claim {
    name: "any start",
    place: "The algorithm (cited from Lin)",
    sentence: "From any pair of features the walk converges in O(n^2) time, n the number of features.",
    tolerance: "No walk takes more than n^2 iterations: the text prints no constant, and an iteration lowers the distance, so that none of the \
        n^2 pairs of features comes twice. The exponents of the most iterations and of the most closest points computed \
        against n are at most 2, from 4 to 920 faces, the sizes of the table: O(n^2) is an upper bound, so there is no room above it and less is no \
        failure. Counts stand for time, because each closest point takes constant time for faces of few sides.",
    documented: Verdict::Holds,
};
