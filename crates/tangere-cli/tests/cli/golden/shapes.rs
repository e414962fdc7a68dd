//! Golden cases of `info`, `convert`, `generate` and `pack`.

use super::Group;

#[test]
fn info() {
    Group {
        name: "info",
        prepare: &[
            "generate sphere --level 2 -o sphere.stl",
            "generate knot --triangles 200 -o knot.ply",
            "generate particles --count 40 -o spheres.vtp",
        ],
        cases: &[
            ("surface", "info sphere.stl"),
            ("tree", "info knot.ply --tree --self-intersections"),
            ("defects", "info defects.obj --self-intersections"),
            ("open", "info open.obj"),
            ("turned", "info turned.obj"),
            ("inward", "info inward.obj"),
            ("crossing", "info crossing.obj --self-intersections"),
            ("curved", "info curved.msh"),
            ("abaqus", "info part.inp"),
            ("discs", "info row.csv"),
            ("spheres", "info spheres.vtp"),
            ("nobody", "info nobody.csv"),
            ("standard-input", "info - --format obj < cube.obj"),
        ],
        texts: &[],
    }
    .check();
}

#[test]
fn convert() {
    Group {
        name: "convert",
        prepare: &["pairs row.csv -o touched.vtp"],
        cases: &[
            (
                "moved",
                "convert cube.obj out.ply --scale 2 --rotate x:90 --translate 0,0,-1.5",
            ),
            (
                "turned",
                "convert cube.obj out.obj --scale -1 --rotate 0.8,0,0,0.6",
            ),
            ("repaired", "convert soup.obj out.stl --weld 1e-6 --orient"),
            ("off", "convert cube.obj out.off"),
            ("vtp", "convert cube.obj out.vtp"),
            ("vtu", "convert cube.obj out.vtu"),
            ("rounded", "convert cube.obj out.stl --scale 0.1"),
            ("curved", "convert curved.msh out.stl"),
            ("particles", "convert touched.vtp out.vtp"),
            ("discs", "convert row.csv out.npy --scale 2 --translate 1,2"),
            ("spheres", "convert two.csv out.vtu --rotate z:90"),
            ("csv", "convert two.csv out.csv --translate 1,0,0"),
        ],
        texts: &[
            ("standard-output", "convert cube.obj - --format off"),
            ("quiet", "convert soup.obj out.stl --weld 1e-6 -q"),
            ("verbose", "convert soup.obj out.stl --weld 1e-6 -v"),
        ],
    }
    .check();
}

#[test]
fn generate() {
    Group {
        name: "generate",
        prepare: &[],
        cases: &[
            ("sphere", "generate sphere --level 1 -o out.obj"),
            ("foam", "generate foam --triangles 500 --seed 7 -o out.ply"),
            ("sponge", "generate sponge --level 1 -o out.stl"),
            ("chazelle", "generate chazelle --size 2 -o out.vtp"),
            ("knot", "generate knot --triangles 100 -o out.off"),
            ("hull", "generate hull --faces 20 --seed 3 -o out.vtu"),
            (
                "box",
                "generate box --size 1,2,0.1 --divisions 2,1,1 -o out.stl",
            ),
            (
                "plate",
                "generate plate --size 1,0.5 --divisions 2 -o out.ply",
            ),
            (
                "discs",
                "generate particles --dim 2 --count 20 --sizes log --diameters 0.01,0.1 -o out.npy",
            ),
            (
                "contacts",
                "generate particles --count 20 --contacts 3 --seed 5 -o out.csv",
            ),
            (
                "huge",
                "generate particles --count 20 --sizes volume --density 50 --huge 2 -o out.vtp",
            ),
            (
                "crystal",
                "generate crystal --count 20 --filled 0.2 -o out.csv",
            ),
            (
                "square-crystal",
                "generate crystal --dim 2 --count 9 -o out.vtu",
            ),
        ],
        texts: &[
            (
                "standard-output",
                "generate sphere --level 0 -o - --format obj",
            ),
            ("particles", "generate particles --count 4"),
            ("crystal-csv", "generate crystal --count 4"),
        ],
    }
    .check();
}

#[test]
fn pack() {
    Group {
        name: "pack",
        prepare: &["generate sphere --level 2 -o sphere.stl"],
        cases: &[
            ("spheres", "pack cube.obj --spheres 30 -o out.npy"),
            ("filling", "pack sphere.stl --filling 0.8 -o out.vtp"),
            ("smallest", "pack cube.obj --smallest 0.2 -o out.npy"),
        ],
        texts: &[],
    }
    .check();
}
