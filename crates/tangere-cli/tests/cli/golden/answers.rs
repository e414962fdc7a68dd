//! Golden cases of the query subcommands: pairs, inside, closest, distance, intersect, overlap, contacts,
//! impact, ccd, gas.

use super::Group;

#[test]
fn pairs() {
    Group {
        name: "pairs",
        prepare: &[
            "generate particles --count 60 --contacts 4 -o spheres.csv",
            "generate particles --dim 2 --count 60 -o discs.npy",
        ],
        cases: &[
            ("auto", "pairs spheres.csv --verify -o out.csv"),
            ("npy", "pairs spheres.csv -o out.npy --repeat 2"),
            ("vtp", "pairs spheres.csv -o out.vtp"),
            ("brute", "pairs spheres.csv --method brute"),
            ("shells", "pairs spheres.csv --method shells"),
            ("cells", "pairs spheres.csv --method cells"),
            ("sweep", "pairs spheres.csv --method sweep"),
            ("grid", "pairs spheres.csv --method grid"),
            ("tree", "pairs spheres.csv --method tree"),
            ("linked", "pairs spheres.csv --method linked --occupancy 5"),
            (
                "shells-published",
                "pairs spheres.csv --method shells-published --origin -1,0,0 --verify",
            ),
            ("contacts", "pairs spheres.csv --as contacts -o out.csv"),
            ("contacts-npy", "pairs spheres.csv --as contacts -o out.npy"),
            ("neighbors", "pairs row.csv --as neighbors -o out.csv"),
            ("neighbors-npy", "pairs row.csv --as neighbors -o out.npy"),
            (
                "periodic",
                "pairs discs.npy --periodic 0.8,0 --margin 0.01 --as contacts -o out.csv",
            ),
            ("periodic-npy", "pairs discs.npy --periodic 0.8,0.8 --as contacts -o out.npy"),
            ("discs-vtp", "pairs discs.npy --periodic 0.8,0.8 -o out.vtp"),
            (
                "tilted",
                "pairs spheres.csv --periodic 0.5,0.5,0.5 --tilt 0.1,0,0.05 --origin -0.1,0,0 --verify",
            ),
            (
                "every-image",
                "pairs row.csv --periodic 0.75,0 --every-image --as contacts --verify -o out.csv",
            ),
            ("every-image-vtp", "pairs row.csv --periodic 0.75,0 --every-image -o out.vtp"),
            ("boxes", "pairs boxes.csv --boxes --as contacts --verify -o out.csv"),
            ("boxes-vtp", "pairs boxes.csv --boxes -o out.vtp"),
            ("squares", "pairs squares.csv --boxes --method sweep --as contacts -o out.npy"),
            ("against", "pairs row.csv --against others.csv --verify -o out.csv"),
            ("against-vtp", "pairs row.csv --against others.csv --margin 0.25 -o out.vtp"),
            ("groups", "pairs row.csv --groups groups.csv --verify -o out.csv"),
            ("masks", "pairs row.csv --masks masks.csv --groups groups.csv -o out.csv"),
            (
                "moving",
                "pairs moving.npy --cells cells.csv --skin 0.4 --verify --as contacts -o out.csv",
            ),
            ("no-steps", "pairs no-steps.npy --verify --skin 0.1"),
            ("dump", "pairs run.dump --periodic dump --skin 0.4 --verify -o out.csv"),
            ("dump-vtp", "pairs run.dump -o out.vtp"),
            ("none", "pairs none.csv -o out.csv"),
        ],
        texts: &[
            ("dump-default", "pairs run.dump"),
            ("verbose", "pairs row.csv -v"),
            ("standard-output", "pairs row.csv --as contacts -o -"),
        ],
    }
    .check();
}

#[test]
fn inside() {
    Group {
        name: "inside",
        prepare: &[
            "generate sphere --level 2 -o sphere.stl",
            "generate knot --triangles 400 -o knot.ply",
        ],
        cases: &[
            ("points", "inside cube.obj points.csv --verify -o out.csv"),
            ("auto", "inside sphere.stl --grid 6 --verify"),
            ("ray", "inside sphere.stl --grid 6 --method ray -o out.npy"),
            ("ray-plain", "inside sphere.stl --grid 6 --method ray-plain --rule parity --verify"),
            (
                "panel-clustering",
                "inside sphere.stl --grid 6 --method panel-clustering --degree 6 --separation 2 --verify",
            ),
            ("layer", "inside sphere.stl --grid 6 --method layer --winding -o out.npy"),
            (
                "multipole",
                "inside sphere.stl --grid 6 --method multipole --winding --accuracy 0.01 -o out.csv",
            ),
            (
                "multipole-published",
                "inside sphere.stl --grid 6 --method multipole --degree 8 --separation 2 --depth 2 --verify",
            ),
            (
                "multipole-well-chosen",
                "inside sphere.stl --grid 6 --method multipole --depth well-chosen",
            ),
            ("cells", "inside sphere.stl --grid 6 --method cells"),
            ("image", "inside knot.ply --grid 6,5,4 --winding -o out.vti"),
            ("cube-image", "inside knot.ply --grid 5 -o out.vti"),
            ("open", "inside open.obj points.csv --winding --confidence -o out.csv"),
            ("open-npy", "inside open.obj points.csv --winding --confidence -o out.npy"),
            ("open-vtp", "inside open.obj points.csv --winding --confidence --verify -o out.vtp"),
            ("open-vtu", "inside open.obj points.csv --confidence -o out.vtu"),
            ("turned", "inside turned.obj points.csv"),
            ("insist", "inside open.obj points.csv --method ray --insist --confidence -o out.csv"),
            ("parity", "inside crossing.obj --grid 5 --rule parity --verify"),
            ("nonzero", "inside crossing.obj --grid 5 --rule nonzero"),
            (
                "posed",
                "inside cube.obj sphere.stl --pose 0,0,1 --points-pose 1,0,0,0,1,0,0 -o out.vtp",
            ),
            (
                "bodies",
                "inside cube.obj --bodies sphere.stl --poses poses.csv -o out.csv",
            ),
            ("bodies-npy", "inside cube.obj --bodies cube.obj open.obj -o out.npy --repeat 2"),
            ("standard-input", "inside cube.obj - --format csv < points.csv"),
            ("none", "inside cube.obj none.csv"),
        ],
        texts: &[
            ("standard-output", "inside cube.obj points.csv --confidence -o -"),
            ("bodies-output", "inside cube.obj --bodies sphere.stl -o -"),
        ],
    }
    .check();
}

#[test]
fn closest() {
    Group {
        name: "closest",
        prepare: &[
            "generate hull --faces 40 -o hull.off",
            "generate knot --triangles 200 -o knot.ply",
        ],
        cases: &[
            ("apart", "closest hull.off hull.off --convex --pose-b 2.5,0,0 --verify -o out.vtp"),
            (
                "deep",
                "closest hull.off hull.off --convex --pose-b 1.5,0,0,0.8,0,0,0.6 --verify -o out.json",
            ),
            ("patch", "closest cube.obj cube.obj --convex --pose-b 2,0.5,0.25 -o out.vtp"),
            ("cloud", "closest cube.obj points.csv --convex --pose-b 9,0,0 --repeat 2"),
            (
                "faces",
                "closest cube.obj cube.obj --convex --faces --pose-a 0,0,3 --pose-b 0,1,0 -o out.json",
            ),
            (
                "motion",
                "closest cube.obj hull.off --convex --poses-b motion.csv --verify -o out.csv",
            ),
            ("motion-vtp", "closest cube.obj hull.off --convex --poses-b motion.csv -o out.vtp"),
            ("motion-json", "closest cube.obj cube.obj --convex --poses-b turns.csv -o out.json"),
            ("lin", "closest hull.off hull.off --convex --method lin --pose-b 2.5,0,0 --verify"),
            (
                "lin-motion",
                "closest cube.obj hull.off --convex --method lin --poses-b motion.csv -o out.csv",
            ),
            ("surfaces", "closest knot.ply cube.obj --pose-b 9,0,0 --verify -o out.vtp"),
            ("surfaces-json", "closest knot.ply cube.obj --pose-a 0,0,9 -o out.json"),
            ("surfaces-touch", "closest cube.obj cube.obj --pose-b 2,0,0 --verify -o out.json"),
            ("points", "closest cube.obj --points points.csv --verify -o out.csv"),
            ("points-npy", "closest cube.obj --points points.csv -o out.npy"),
            ("points-vtp", "closest cube.obj --points points.csv -o out.vtp"),
            ("points-vtu", "closest cube.obj --points points.csv -o out.vtu"),
            ("points-open", "closest open.obj --points points.csv"),
            ("points-turned", "closest turned.obj --points points.csv -o out.csv"),
            ("points-inward", "closest inward.obj --points points.csv"),
            ("points-defects", "closest defects.obj --points points.csv"),
            ("elements", "closest plate.msh --points points.csv --verify -o out.csv"),
            ("elements-npy", "closest plate.msh --points points.csv -o out.npy"),
            ("elements-vtp", "closest plate.msh --points points.csv -o out.vtp"),
            ("elements-vtu", "closest plate.msh --points points.csv -o out.vtu"),
            ("elements-closed", "closest curved.msh --points points.csv --verify"),
            ("line", "closest line.msh --points flat.csv -o out.csv"),
            ("abaqus", "closest part.inp --surface BASE --points points.csv -o out.csv"),
            ("within", "closest cube.obj --points points.csv --within 3 --verify -o out.csv"),
            ("within-npy", "closest plate.msh --points points.csv --within 3 -o out.npy"),
            ("none", "closest cube.obj --points none.csv -o out.csv"),
        ],
        texts: &[("standard-output", "closest cube.obj --points - -o - < points.csv")],
    }
    .check();
}

#[test]
fn distance() {
    Group {
        name: "distance",
        prepare: &["generate knot --triangles 200 -o knot.ply"],
        cases: &[
            ("points", "distance cube.obj --points points.csv -o out.csv"),
            ("npy", "distance knot.ply --grid 3 -o out.npy"),
            ("image", "distance knot.ply --grid 4,3,2 -o out.vti"),
            ("vtp", "distance cube.obj --points points.csv -o out.vtp"),
            ("vtu", "distance cube.obj --grid 2 -o out.vtu --repeat 2"),
            ("crossing", "distance crossing.obj --grid 5"),
            ("inward", "distance inward.obj --points points.csv"),
            ("open", "distance open.obj --points points.csv -o out.csv"),
            ("turned", "distance turned.obj --grid 2"),
            ("none", "distance cube.obj --points none.csv"),
        ],
        texts: &[(
            "standard-output",
            "distance cube.obj --points - -o - < points.csv",
        )],
    }
    .check();
}

#[test]
fn intersect() {
    Group {
        name: "intersect",
        prepare: &["generate knot --triangles 200 -o knot.ply"],
        cases: &[
            (
                "crossing",
                "intersect knot.ply knot.ply --pose-b 0.1,0.2,0.3,0.8,0,0,0.6 --verify -o out.csv",
            ),
            (
                "npy",
                "intersect knot.ply cube.obj --pose-a 1,0,0 -o out.npy",
            ),
            (
                "coplanar",
                "intersect cube.obj cube.obj --pose-b 2,0.5,0 --verify -o out.vtp",
            ),
            ("any", "intersect knot.ply cube.obj --any"),
            (
                "not-any",
                "intersect knot.ply cube.obj --pose-b 9,0,0 --any --repeat 2",
            ),
            ("self", "intersect crossing.obj --self --verify -o out.csv"),
            ("self-vtp", "intersect crossing.obj --self -o out.vtp"),
        ],
        texts: &[("standard-output", "intersect crossing.obj --self -o -")],
    }
    .check();
}

#[test]
fn overlap() {
    Group {
        name: "overlap",
        prepare: &[
            "generate sphere --level 2 -o sphere.stl",
            "pack cube.obj --spheres 30 -o a.npy",
            "pack sphere.stl --spheres 30 -o b.npy",
            "pack sphere.stl --spheres 10 -o b.vtp",
            "generate crystal --count 14 -o crystal.csv",
        ],
        cases: &[
            (
                "one",
                "overlap a.npy b.npy --pose-b 1,0.25,0 --verify -o out.csv",
            ),
            (
                "npy",
                "overlap a.npy b.npy --pose-b 1,0.25,0,0.8,0,0,0.6 -o out.npy",
            ),
            (
                "json",
                "overlap a.npy b.vtp --pose-a 0,0,0.5 --about 1,2,3 -o out.json",
            ),
            ("vtp", "overlap a.npy b.npy --pose-b 1,0.25,0 -o out.vtp"),
            ("apart", "overlap a.npy b.npy --pose-b 9,0,0 -o out.csv"),
            ("grid", "overlap a.npy b.npy --method grid --repeat 2"),
            ("tree", "overlap a.npy b.npy --method tree"),
            ("djb2", "overlap a.npy b.npy --method djb2"),
            ("brute", "overlap a.npy b.npy --method brute"),
            (
                "crystal",
                "overlap crystal.csv crystal.csv --pose-b 0.1,0,0",
            ),
            (
                "surfaces",
                "overlap cube.obj sphere.stl --spheres 20 --pose-b 0.5,0,0",
            ),
            ("work", "overlap a.npy b.npy --budget-work 180 -o out.json"),
            ("time", "overlap a.npy b.npy --budget-us 1e9 -o out.csv"),
            (
                "path",
                "overlap a.npy b.npy --path motion.csv --verify -o out.csv",
            ),
            (
                "path-npy",
                "overlap a.npy b.npy --path turns.csv -o out.npy",
            ),
            (
                "path-json",
                "overlap a.npy b.npy --path motion.csv --budget-work 180 -o out.json",
            ),
            (
                "path-vtp",
                "overlap a.npy b.npy --path motion.csv -o out.vtp",
            ),
        ],
        texts: &[
            ("standard-output", "overlap a.npy b.npy -o -"),
            ("path-output", "overlap a.npy b.npy --path motion.csv -o -"),
        ],
    }
    .check();
}

#[test]
fn contacts() {
    Group {
        name: "contacts",
        prepare: &[
            "generate hull --faces 20 -o grain.stl",
            "contacts heap.toml --pair 0,1 --replay pair.bin",
        ],
        cases: &[
            ("heap", "contacts heap.toml --verify -o out.csv"),
            ("npy", "contacts heap.toml -o out.npy"),
            ("json", "contacts heap.toml -o out.json"),
            ("vtp", "contacts heap.toml -o out.vtp"),
            (
                "poses",
                "contacts heap.toml --poses placed.csv --verify -o out.csv",
            ),
            (
                "steps",
                "contacts heap.toml --poses steps.csv -o out.{step}.csv",
            ),
            ("series", "contacts heap.toml --poses steps.csv -o out.pvd"),
            ("periodic", "contacts cell.toml --verify -o out.csv"),
            ("mixed", "contacts mixed.toml --verify -o out.csv"),
            ("nothing", "contacts apart.toml"),
            ("sleep", "contacts apart.toml --sleep-until 2"),
            ("replay", "replay pair.bin"),
        ],
        texts: &[("standard-output", "contacts heap.toml -o -")],
    }
    .check();
}

#[test]
fn impact() {
    Group {
        name: "impact",
        prepare: &[],
        cases: &[
            ("two-spheres", "impact two-spheres.toml -o out.csv"),
            ("wall", "impact wall.toml -o out.json"),
            ("tumbling", "impact tumbling.toml --until 2 -o out.vtp"),
            ("scene", "impact scene.toml -o out.csv"),
            ("first", "impact scene.toml --first"),
            ("separation", "impact scene.toml --separation 0.125"),
            ("early", "impact two-spheres.toml --until 3"),
            (
                "balls",
                "impact scene.toml --volume ball --hierarchy bottom-up --branching 2 --refinement none",
            ),
            ("aabb", "impact scene.toml --refinement aabb"),
            ("26-dop", "impact scene.toml --refinement 26-dop"),
        ],
        texts: &[("standard-output", "impact scene.toml -o -")],
    }
    .check();
}

#[test]
fn ccd() {
    Group {
        name: "ccd",
        prepare: &[],
        cases: &[
            ("vertex-face", "ccd vertex-face.csv -o out.csv"),
            (
                "separation",
                "ccd vertex-face.csv --separation 0.5 --repeat 2 -o out.npy",
            ),
            ("edge-vertex", "ccd edge-vertex.csv"),
            ("truth", "ccd vertex-vertex.csv -o out.csv"),
            ("edge-edge", "ccd edge-edge.csv --kind edge-edge"),
            ("none", "ccd apart-edge-edge.csv -o out.csv"),
        ],
        texts: &[("standard-output", "ccd vertex-face.csv -o -")],
    }
    .check();
}

#[test]
fn meetings() {
    Group {
        name: "meetings",
        prepare: &[],
        cases: &[
            ("balls", "meetings balls.csv -o out.csv"),
            ("npy", "meetings balls.csv --until 20 -o out.npy --repeat 2"),
            ("early", "meetings balls.csv --until 14"),
            ("now", "meetings near.csv -o out.csv"),
            ("hard", "meetings near.csv --hard -o out.csv"),
            ("listed", "meetings near.csv --pairs some-pairs.csv"),
        ],
        texts: &[("standard-output", "meetings near.csv -o -")],
    }
    .check();
}

#[test]
fn gas() {
    Group {
        name: "gas",
        prepare: &["generate crystal --count 32 --filled 0.3 -o crystal.csv"],
        cases: &[
            ("two", "gas two.csv --events 5 -o out.csv --final final.csv"),
            (
                "crystal",
                "gas crystal.csv --periodic 1,1,1 --temperature 2 --seed 3 --events 200 --verify \
                 -o out.npy --final final.npy",
            ),
            (
                "walls",
                "gas crystal.csv --periodic 1,1,0 --origin 0.5,0,0 --walls=-inf,-inf,-1,inf,inf,2 \
                 --gravity 0,0,-9.81 --restitution 0.9 --wall-restitution 0.8 --temperature 1 \
                 --until 0.1 -o out.csv --final final.vtp",
            ),
            (
                "stalled",
                "gas discs-at-rest.csv --walls=-inf,0,inf,inf --gravity 0,-1 --restitution 0.5 \
                 --wall-restitution 0.5 --contact-time 0 --until 20 -o out.vtu",
            ),
            (
                "discs",
                "gas discs-at-rest.csv --walls=-inf,0,inf,inf --gravity 0,-1 --time 1 --until 5 \
                 -o out.vtp",
            ),
        ],
        texts: &[("standard-output", "gas two.csv --events 1 -o -")],
    }
    .check();
}
