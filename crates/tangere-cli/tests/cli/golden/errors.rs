//! Golden cases of refused arguments and inputs: exit code and error line.

use super::{Golden, inputs, run_words};
use crate::{folder, put};

/// Arguments that are refused: for each subcommand wrong options, bad input, conflicting options.
const CASES: [&str; 75] = [
    "fly",
    "--threads 2000 info cube.obj",
    "info cube.obj --jsn",
    "info cube.obj -q -v",
    "info",
    "info missing.stl",
    "info points.xyz",
    "info row.csv --tree",
    "info cube.obj --format obj",
    "info -",
    "info bad.obj",
    "generate sphere",
    "generate sphere --level 13 -o a.stl",
    "generate knot --triangles 101 -o a.stl",
    "generate foam -o no/a.stl",
    "generate particles --json",
    "generate particles --density 1 --contacts 2",
    "generate particles --diameters 2,1",
    "generate particles -o a.stl",
    "generate crystal --filled 0.8",
    "convert cube.obj out.msh",
    "convert cube.obj out.npy",
    "convert row.csv out.csv --weld 1",
    "convert row.csv out.csv --rotate x:90",
    "convert cube.obj out.stl --rotate q:90",
    "convert cube.obj out.stl --translate 1,2",
    "convert cube.obj - --json --format obj",
    "pairs row.csv --method fast",
    "pairs row.csv --periodic 1,2,3",
    "pairs row.csv --periodic 1,1",
    "pairs row.csv --tilt 1",
    "pairs row.csv --max-pairs 1",
    "pairs row.csv --against others.csv --as contacts",
    "pairs row.csv -o row.csv",
    "pairs row.csv -o out.txt",
    "pairs row.csv --periodic dump",
    "pairs negative.csv",
    "pairs moving.npy --cells poses.csv",
    "pairs row.csv --groups poses.csv",
    "inside cube.obj",
    "inside cube.obj points.csv -o out.vti",
    "inside open.obj points.csv --method ray",
    "inside cube.obj points.csv --accuracy 2",
    "inside cube.obj nan.csv",
    "inside cube.obj points.csv --json -o -",
    "inside cube.obj --bodies cube.obj --grid 5",
    "distance cube.obj",
    "distance cube.obj --points points.csv --grid 5",
    "distance cube.obj --points points.csv -o out.vti",
    "distance cube.obj --grid 0",
    "distance cube.obj --points nan.csv",
    "closest cube.obj cube.obj --poses-b points.csv --pose-b 1,0,0",
    "closest cube.obj cube.obj --convex --pose-b 0,0,0,1,0,0,1",
    "closest cube.obj cube.obj --convex -o x.stl",
    "closest cube.obj cube.obj -o x.off",
    "closest part.inp --surface top --points points.csv",
    "closest cube.obj --points flat.csv",
    "intersect cube.obj",
    "intersect cube.obj --self --any",
    "pack open.obj -o out.npy",
    "pack cube.obj -o -",
    "pack cube.obj --filling 1.5 -o out.npy",
    "overlap open.obj cube.obj",
    "overlap cube.obj cube.obj --budget-us 0",
    "overlap cube.obj cube.obj --spheres 5 --path points.csv --pose-b 1,0,0",
    "contacts typo.toml",
    "contacts heap.toml --poses poses.csv",
    "contacts heap.toml -o out.vtu",
    "impact heap.toml --until 1",
    "impact typo.toml",
    "impact scene.toml -o out.vtu",
    "ccd points.csv",
    "meetings balls.csv --hard",
    "gas two.csv",
    "gas two.csv --events 1 --periodic 1,1,1",
];

#[test]
fn errors() {
    let folder = folder();
    let folder = folder.path();
    inputs::put_all(folder);
    put(folder, "bad.obj", "v 0 0 0\nv 1 0 0\nv 0 1 zero\nf 1 2 3\n");
    put(folder, "negative.csv", "x,y,radius\n0,0,1\n1,0,-1\n");
    put(folder, "nan.csv", "x,y,z\n0,0,0\n0,nan,0\n");
    put(
        folder,
        "typo.toml",
        "until = 1\n[[body]]\nshape = { ball = { radius = 1 } }\nvelocty = [0, 0, 0]\n",
    );
    let before = crate::files(folder);
    let mut text = String::new();
    for words in CASES {
        let output = run_words(folder, words, &[]);
        let code = output.status.code().unwrap();
        assert!(code != 0 && output.stdout.is_empty(), "{words}");
        let errors = String::from_utf8(output.stderr).unwrap();
        text += &format!("$ tangere {words}\n{code}: {errors}");
    }
    assert_eq!(crate::files(folder), before);
    let mut golden = Golden::new();
    golden.compare("", "errors.txt", &text);
    golden.done();
}
