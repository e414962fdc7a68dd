//! Small input files of all golden cases.

use super::super::pairs::put_npy;
use super::super::{CUBE, inward_cube, put};
use std::path::Path;

/// Two tetrahedra that intersect.
const CROSSING: &str = "\
v 0 0 0\nv 2 0 0\nv 0 2 0\nv 0 0 2\nv 0.25 0.25 0.25\nv 2.25 0.25 0.25\nv 0.25 2.25 0.25\nv 0.25 0.25 2.25\n\
f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\nf 5 7 6\nf 5 6 8\nf 5 8 7\nf 6 7 8\n";

/// A quadratic face whose middle is lifted along two sides, and a flat triangle beside it.
const PLATE: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n9\n\
    1 -1 -1 0\n2 1 -1 0\n3 1 1 0\n4 -1 1 0\n5 0 -1 0.5\n6 1 0 0\n7 0 1 0.5\n8 -1 0 0\n9 3 0 0\n\
    $EndNodes\n$Elements\n2\n1 16 2 0 1 1 2 3 4 5 6 7 8\n2 2 2 0 1 2 9 3\n$EndElements\n";

/// A quadratic tetrahedron.
const CURVED: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n\
    1 0 0 0\n2 2 0 0\n3 0 2 0\n4 0 0 2\n5 1 0 0\n6 1 1 0\n7 0 1 0\n8 0 0 1\n9 0 1 1\n10 1 0 1\n\
    $EndNodes\n$Elements\n1\n1 11 2 0 1 1 2 3 4 5 6 7 8 9 10\n$EndElements\n";

const LINE: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 2 0 0\n\
    $EndNodes\n$Elements\n2\n1 1 2 1 1 1 2\n2 1 2 1 1 2 3\n$EndElements\n";

const PART: &str = "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n\
    *ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 4\n*SURFACE, NAME=base\n1, S1\n";

/// Balls that meet, and two that overlap from the start.
const SCENE: &str = "until = 3.0\ngravity = [0, 0, -1]\n\
    [[body]]\nname = \"one, \\\"quoted\\\"\"\nshape = { ball = { radius = 0.5 } }\nvelocity = [1, 0, 0]\n\
    [[body]]\nname = \"two\"\nshape = { ball = { radius = 0.5 } }\nposition = [3, 0, 0]\n\
    [[body]]\nname = \"three\"\nshape = { box = { size = [1, 1, 1] } }\nposition = [3.25, 0.75, 0.25]\n\
    [[body]]\nname = \"four\"\nshape = { box = { size = [1, 2, 1], divisions = 2 } }\nposition = [3, 0.5, -4]\n\
    fixed = true\nrotation = \"z:30\"\n";

/// Bodies in a tilted periodic cell, with masks.
const CELL: &str = "margin = 0.1\nperiodic = { lengths = [4, 4, 0], tilt = [1, 0, 0] }\n\
    [[body]]\nshape = { sphere = { radius = 0.5 } }\nposition = [0.25, 0.25, 0]\n\
    repeat = { count = 4, step = [1, 1, 0.125] }\n\
    [[body]]\nshape = { capsule = { radius = 0.25, length = 1 } }\nposition = [3.75, 0.125, 0]\n\
    [[body]]\nshape = { box = { size = 1 } }\nposition = [0.25, 3.75, 0]\nmask = [2, 1]\n\
    [[body]]\nshape = { box = { size = 1 } }\nposition = [0.25, 3.5, 0.5]\nmask = [2, 1]\n";

/// A solid, a wall and a hull from files, and bodies that touch them.
const MIXED: &str = "margin = 0.1\n[[body]]\nname = \"solid\"\nshape = { file = \"cube.obj\" }\nfixed = true\n\
    [[body]]\nname = \"wall\"\nshape = { file = \"open.obj\", wall = true, scale = 3 }\nfixed = true\n\
    [[body]]\nname = \"grain\"\nshape = { convex = \"grain.stl\", scale = 0.5 }\nposition = [0, 0, 1.25]\n\
    [[body]]\nname = \"points\"\nshape = { convex = \"points.csv\", scale = 0.25 }\nposition = [2.5, 0, 0]\n\
    [[body]]\nname = \"ball\"\nshape = { sphere = { radius = 0.5 } }\nposition = [1.25, 1.25, 0]\n";

fn step(bounds: &str) -> String {
    format!(
        "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS {bounds}\n\
         ITEM: ATOMS id x y z radius\n1 0.5 1 1 0.5\n2 9 1 1 0.5\n"
    )
}

/// Returns a query of a vertex above a face of 4 x 4, with its heights at the start and at the end.
fn over(from: &str, to: &str) -> String {
    let face = "0,0,0\n4,0,0\n0,4,0\n";
    format!("1,1,{from}\n{face}1,1,{to}\n{face}")
}

/// Writes all input files.
pub fn put_all(folder: &Path) {
    let open = CUBE.replace("f 4 1 5 8\n", "");
    // The file has an unused vertex, a duplicate triangle, one without area, and a third triangle
    // at an edge.
    let defects = format!("{CUBE}v 9 9 9\nf 1 4 3\nf 1 2 2\nf 1 2 7\n");
    // The file has nearly coincident corners and a face turned inward.
    let soup = CUBE
        .replace("f 4 1 5 8\n", "v -1 -1 -1.0000001\nf 8 5 9 4\n")
        .replace("f 1 4 3 2\n", "f 9 4 3 2\n");
    let texts: [(&str, &str); 46] = [
        ("cube.obj", CUBE),
        ("open.obj", &open),
        ("turned.obj", &CUBE.replace("f 4 1 5 8\n", "f 8 5 1 4\n")),
        ("inward.obj", &inward_cube()),
        ("defects.obj", &defects),
        ("soup.obj", &soup),
        ("crossing.obj", CROSSING),
        ("plate.msh", PLATE),
        ("curved.msh", CURVED),
        ("line.msh", LINE),
        ("part.inp", PART),
        (
            "points.csv",
            "x,y,z\n0,0,4\n0.5,0,0\n3,3,3\n0,1,0.25\n0.9,0.8,0.7\n",
        ),
        ("flat.csv", "0.5,2\n1.5,-3\n"),
        ("none.csv", ""),
        ("nobody.csv", "x,y,z,radius\n"),
        (
            "boxes.csv",
            "0,0,0,1,1,1\n1,0.5,0.5,2,2,2\n0.25,0.25,0.5,0.5,0.5,3\n5,5,5,6,6,6\n",
        ),
        ("squares.csv", "0,0,1,1\n0.5,0.5,2,2\n4,4,5,5\n"),
        (
            "row.csv",
            "x,y,radius\n0,0,0.5\n1,0,0.5\n1.75,0,0.25\n9.5,0,0.25\n",
        ),
        ("others.csv", "x,y,radius\n0.5,0,0.1\n10.5,0,0.5\n"),
        ("groups.csv", "group\n7\n7\n8\n9\n"),
        ("masks.csv", "is,meets\n1,2\n2,1\n1,3\n3,3\n"),
        ("cells.csv", "9.5,4,0,-3,-3\n9.5,4,0,100,7\n12,4,0,0,0\n"),
        (
            "poses.csv",
            "0,0,0\n1.5,1.5,1.5\n0,0,0\n3,0,0\n0,0,0\n0,0,2\n",
        ),
        (
            "motion.csv",
            "3,0,0\n2.5,0.25,0\n2,0,0\n1.5,0.1,0.2\n0.5,0,0.25\n",
        ),
        (
            "turns.csv",
            "tx,ty,tz,qw,qx,qy,qz\n3,0,0,1,0,0,0\n1.5,0,0,0.8,0,0,0.6\n",
        ),
        (
            "balls.csv",
            "x,y,z,r,vx,vy,vz,ax,ay,az\n0,0,0,1,50,0,86.6,0,0,-9.81\n\
                       1500,0,0,1,-50,0,86.6,0,0,-9.81\n0,0,1e6,1,0,0,0,0,0,0\n",
        ),
        (
            "near.csv",
            "0,0,0,1,1,0,0\n1.5,0,0,1,0,0,0\n5,0,0,1,-1,0,0\n",
        ),
        ("some-pairs.csv", "0,1\n0,2\n"),
        (
            "two.csv",
            "x,y,z,radius,vx,vy,vz,mass\n0,0,0,1,1,0,0,2\n5,0,0,1,0,0,0,2\n",
        ),
        (
            "discs-at-rest.csv",
            "x,y,r,vx,vy\n0,1.5,0.5,0,0\n0.25,3.5,0.25,0,0\n",
        ),
        (
            "run.dump",
            &[
                step("pp pp pp\n0 10\n0 4\n0 4"),
                step("pp ff fs\n0.2 9.7\n0 4\n0 4"),
                step("xy xz yz pp pp pp\n0 10.5 1\n0 4 0\n0 4 0"),
            ]
            .concat(),
        ),
        (
            "vertex-face.csv",
            &(over("3", "-1") + &over("3", "0.5") + &over("1", "-1")),
        ),
        (
            "edge-vertex.csv",
            "0 1 0\n2 1 0\n1 0 0\n0 -1 0\n2 -1 0\n1 0 0\n",
        ),
        (
            "vertex-vertex.csv",
            "0,1,0,1,0,1,1\n0,1,0,1,2,2,1\n0,1,0,1,0,7,1\n0,1,0,1,-1,3,1\n\
                               0,1,0,1,0,1,0\n0,1,0,1,2,2,0\n0,1,0,1,0,7,0\n0,1,0,1,1,4,0\n",
        ),
        (
            "edge-edge.csv",
            "-1 0 0\n1 0 0\n0 -1 1\n0 1 1\n-1 0 0\n1 0 0\n0 -1 -1\n0 1 -1\n",
        ),
        ("apart-edge-edge.csv", ""),
        ("scene.toml", SCENE),
        (
            "two-spheres.toml",
            include_str!("../../../../../docs/scenes/two-spheres.toml"),
        ),
        (
            "wall.toml",
            include_str!("../../../../../docs/scenes/wall.toml"),
        ),
        (
            "tumbling.toml",
            include_str!("../../../../../docs/scenes/tumbling.toml"),
        ),
        (
            "heap.toml",
            include_str!("../../../../../docs/scenes/heap.toml"),
        ),
        ("cell.toml", CELL),
        ("mixed.toml", MIXED),
        ("apart.toml", "[[body]]\nshape.ball.radius = 1\n"),
        (
            "placed.csv",
            "id,qw,qx,qy,qz,tx,ty,tz\n1,1,0,0,0,9,0,0.25\n6,0.8,0.6,0,0,9,0,1\n",
        ),
        (
            "steps.csv",
            "step,id,tx,ty,tz\n0,1,0.5,0.5,0.39\n10,1,0.5,0.5,0.35\n20,1,0.5,0.5,0.45\n20,2,5,5,5\n",
        ),
    ];
    for (name, content) in texts {
        put(folder, name, content);
    }
    // Two discs stay at the same positions for three steps.
    let steps = [[0.5, 1.0, 0.5], [9.0, 1.0, 0.5]].concat().repeat(3);
    put_npy(folder, "moving.npy", "3, 2, 3", &steps);
    put_npy(folder, "no-steps.npy", "0, 2, 3", &[]);
}
