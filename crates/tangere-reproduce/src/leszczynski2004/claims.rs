//! The claims of `leszczynski2004`, with their tolerances.

use crate::claim::{Claim, Verdict};

pub const RATIOS_2D: Claim = Claim {
    name: "contact ratios, 2D",
    place: "section 3",
    sentence: "In 2D, with 100 particles per unit of area, contacts are 87% (test A), 19% (B) and 2% (C) of the \
        number of particles.",
    tolerance: "Half of the last printed digit: 0.5 percentage points. The paper does not give its number of \
        particles, on which the ratio depends through the walls of the box, so the measured interval is \
        that of all box sizes.",
    documented: Verdict::DoesNotHold,
};

pub const RATIOS_3D: Claim = Claim {
    name: "contact ratios, 3D",
    place: "section 3",
    sentence: "In 3D, with 1000 particles per unit of volume, contacts are 90% (test A), 10% (B) and 4% (C) of \
        the number of particles.",
    tolerance: RATIOS_2D.tolerance,
    documented: Verdict::DoesNotHold,
};

pub const TESTS: Claim = Claim {
    name: "tests of linked cells",
    place: "section 2.1",
    sentence: "Linked cells with p particles each on average test 4.5 n p pairs in 2D and 13.5 n p in 3D.",
    tolerance: "10% of the printed factor, with 100000 particles: the formula neglects walls, where cells have fewer \
        neighbours. With the 21 cells along an axis of LCM10 in 3D, the fewest judged here, that is 9%; with \
        fewer cells the formula fails by more. The count must also agree within 3% with the formula that includes \
        walls.",
    documented: Verdict::Holds,
};

pub const FIGURE_2_2D: Claim = Claim {
    name: "figure 2, 2D",
    place: "figure 2, sections 3 and 4",
    sentence: "In 2D linked cells take longer the more particles a cell holds (LCM1 < LCM5 < LCM10), and the \
        sorted list takes less time the smaller the particles are (A > B > C).",
    tolerance: "The order of times at every number of particles: the ratio of two neighbours in the order is \
        above 1. The curves are not printed as numbers, so only orders can be compared.",
    documented: Verdict::Holds,
};

pub const FIGURE_2_3D: Claim = Claim {
    name: "figure 2, 3D",
    place: FIGURE_2_2D.place,
    sentence: "In 3D linked cells take longer the more particles a cell holds (LCM1 < LCM5 < LCM10), and the \
        sorted list takes less time the smaller the particles are (A > B > C).",
    tolerance: FIGURE_2_2D.tolerance,
    documented: Verdict::Holds,
};

pub const CONCLUSION_2D: Claim = Claim {
    name: "conclusion, 2D",
    place: "section 4",
    sentence: "In 2D linked cells are better where particles are dense and their sizes are not much dispersed, the sorted \
        list where their concentration is small and their sizes may be much dispersed.",
    tolerance: "The ratio of times, list to LCM1, is above 1 in test A and below 1 for particles of the number and mean \
        diameter of test C whose diameters differ by a factor of 50, at every number of particles: the paper names no \
        limit of its claim.",
    documented: Verdict::DoesNotHold,
};

pub const CONCLUSION_3D: Claim = Claim {
    name: "conclusion, 3D",
    place: "section 4",
    sentence: "In 3D linked cells are better where particles are dense and their sizes are not much dispersed, the sorted \
        list where their concentration is small and their sizes may be much dispersed.",
    tolerance: CONCLUSION_2D.tolerance,
    documented: Verdict::DoesNotHold,
};

pub const TABLE_1: Claim = Claim {
    name: "table 1",
    place: "table 1",
    sentence: "For 10000 discs with diameters from 0.02 to 1, linked cells take longer the more particles a cell \
        holds: the sorted list is slower than LCM100 and faster than LCM204, LCM625 and LCM1111.",
    tolerance: "The table prints times: the ratio of times to that of the list is on the same side of 1 as the published one, and more \
        particles per cell mean a longer time. Equality is no order. The ratios themselves are those of a program and a machine \
        of 2004. Numbers of pair tests, which no machine changes, are shown and not judged, because the table prints none.",
    documented: Verdict::Holds,
};

pub const TABLE_2: Claim = Claim {
    name: "table 2",
    place: "table 2",
    sentence: "For 100 discs with diameters from 0.1 to 2, the sorted list is faster than LCM11, LCM25 and LCM100, \
        which take longer the more particles a cell holds.",
    tolerance: TABLE_1.tolerance,
    documented: Verdict::DoesNotHold,
};

pub const TABLE_3: Claim = Claim {
    name: "table 3",
    place: "table 3",
    sentence: "For 100 discs with diameters from 0.1 to 0.3 and a large one of 5.64, the sorted list is faster than \
        linked cells, which are a single cell.",
    tolerance: TABLE_1.tolerance,
    documented: Verdict::Holds,
};

pub const DISPERSION: Claim = Claim {
    name: "conclusion, dispersion",
    place: "section 4",
    sentence: "The dispersion of sizes influences the time of linked cells, but not that of the sorted list.",
    tolerance: "With the same mean size, the pair tests of the list change by at most a quarter and those of linked \
        cells by at least half; counts of tests, because no machine changes them. The ratio of times of linked \
        cells is above that of the list.",
    documented: Verdict::Holds,
};

pub const COSTS_LINKED: Claim = Claim {
    name: "cost of linked cells",
    place: "section 2.1",
    sentence: "Linked cells take n t_cell + 4.5 n p t_test in 2D and n t_cell + 13.5 n p t_test in 3D.",
    tolerance: "With one pair of costs for all scenes, the quotient of measured time and model varies by a factor of at most 2 while \
        the times vary by orders of magnitude: walls, which the model neglects, and caches.",
    documented: Verdict::DoesNotHold,
};

pub const COSTS_LIST: Claim = Claim {
    name: "cost of the list",
    place: "section 2.2",
    sentence: "The sorted list takes n t_l + t_sort + nt t_test, where nt is the number of pairs that are eventually in contact.",
    tolerance: "With one pair of costs for all scenes and the measured time of sorting, the quotient of measured time and model varies by a \
        factor of at most 2 while the times vary by orders of magnitude: caches.",
    documented: Verdict::DoesNotHold,
};

pub const MEMORY: Claim = Claim {
    name: "memory of the list",
    place: "section 2.2",
    sentence: "The sorted list needs little memory: two arrays of as many numbers as there are particles.",
    tolerance: "Exactly 2 numbers per particle: a count.",
    documented: Verdict::Holds,
};
