//! Valid files: every variant of every format is read with the expected content.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use tangere_io::{MeshFormat, NpyFile, Polygons, parse_csv, parse_mesh, parse_npy};

fn parsed(content: impl AsRef<[u8]>, format: MeshFormat) -> Polygons {
    let content = content.as_ref();
    let mut polygons = parse_mesh(content, format)
        .unwrap_or_else(|fault| panic!("{fault} in {:?}", String::from_utf8_lossy(content)));
    polygons.unkept.clear();
    polygons.unread.clear();
    polygons
}

#[test]
fn skipped_content_is_reported() {
    let unkept = |content: &str, format| parse_mesh(content.as_bytes(), format).unwrap().unkept;
    let obj = "v 0 0 0\nvn 0 0 1\nvt 0 0\nvn 0 1 0\nusemtl red\nf 1/1/1 1/1/2 1/1/1\n";
    assert_eq!(
        unkept(obj, MeshFormat::Obj),
        ["normals", "texture coordinates", "materials"]
    );
    assert!(unkept("v 0 0 0\nf 1 1 1\n", MeshFormat::Obj).is_empty());
    let ply = "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n\
               property float z\nproperty uchar red\nelement face 1\n\
               property list uchar int vertex_indices\nproperty float quality\nend_header\n\
               0 0 0 255\n3 0 0 0 0.5\n";
    assert_eq!(unkept(ply, MeshFormat::Ply), ["red", "quality"]);
    let vtk = "# vtk DataFile Version 2.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 1 float\n0 0 0\n\
               POINT_DATA 1\nSCALARS a float\n";
    assert_eq!(unkept(vtk, MeshFormat::Vtk), ["POINT_DATA"]);
}

/// Returns vertices that encode their order, and polygons by their indices.
fn polygons(vertices: &[[f64; 3]], polygons: &[&[u32]]) -> Polygons {
    let mut ends = vec![];
    let mut indices = vec![];
    for polygon in polygons {
        indices.extend_from_slice(polygon);
        ends.push(indices.len());
    }
    Polygons {
        vertices: vertices.to_vec(),
        indices,
        ends,
        ..Polygons::default()
    }
}

const CORNERS: [[f64; 3]; 4] = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.]];

mod stl {
    use super::*;

    const FACET: &str = "facet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1.5e0 0 0\n  \
                         vertex 0 -2E-1 +.5\n endloop\nendfacet\n";

    fn expected() -> [[f64; 3]; 3] {
        [[0., 0., 0.], [1.5, 0., 0.], [0., -0.2, 0.5]]
    }

    #[test]
    fn text_variants() {
        let one = polygons(&expected(), &[&[0, 1, 2]]);
        let plain = format!("solid\n{FACET}endsolid\n");
        let named =
            format!("solid a name with facet in it\n{FACET}endsolid a name with facet in it");
        let upper = plain.to_uppercase();
        let crlf = plain.replace('\n', "\r\n");
        let old_mac = plain.replace('\n', "\r");
        let marked = format!("\u{feff}{plain}");
        let blank = format!("\n  \n {}\n\n", plain.replace('\n', "\n\n"));
        let one_line = format!("solid\n{}\nendsolid", FACET.replace('\n', " "));
        let nan_normal = plain.replace("0 0 1", "nan -nan(ind) 1.#QNAN");
        let all = [
            plain, named, upper, crlf, old_mac, marked, blank, one_line, nan_normal,
        ];
        for content in all {
            assert_eq!(parsed(&content, MeshFormat::Stl), one, "{content}");
        }
    }

    #[test]
    fn several_solids_are_one_surface() {
        let content = format!("solid a\n{FACET}{FACET}endsolid a\nsolid b\n{FACET}endsolid b\n");
        let read = parsed(content, MeshFormat::Stl);
        assert_eq!((read.len(), read.vertices.len()), (3, 9));
    }

    #[test]
    fn binary_whatever_its_first_word() {
        for title in ["", "solid", "solid\nfacet normal 0 0 1\n"] {
            let mut bytes = title.as_bytes().to_vec();
            bytes.resize(80, b' ');
            bytes.extend(2_u32.to_le_bytes());
            for i in 0..2 {
                // An invalid normal has no effect.
                bytes.extend(f32::NAN.to_le_bytes().repeat(3));
                for x in 0..9_u8 {
                    bytes.extend(f32::from(10 * i + x).to_le_bytes());
                }
                bytes.extend([0xff; 2]);
            }
            let read = parsed(&bytes, MeshFormat::Stl);
            let vertices: Vec<[f64; 3]> = [0., 3., 6., 10., 13., 16.]
                .iter()
                .map(|x| [x + 0., x + 1., x + 2.])
                .collect();
            assert_eq!(read, polygons(&vertices, &[&[0, 1, 2], &[3, 4, 5]]));
        }
    }
}

mod obj {
    use super::*;

    const VERTICES: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

    #[test]
    fn all_forms_of_indices() {
        let square = polygons(&CORNERS, &[&[0, 1, 2, 3]]);
        for face in [
            "1 2 3 4",
            "1/1 2/2 3/3 4/4",
            "1//1 2//1 3//1 4//1",
            "1/1/1 2/2/1 3/3/1 4/4/1",
            "1/ 2/ 3/ 4/",
            "-4 -3 -2 -1",
            "1 -3/-1/-1 3//-1 4",
            "1 2 \\\n3 \\\r\n 4",
            "1 2 3 4 # a comment \\",
        ] {
            let content = format!("{VERTICES}vt 0 0\nvn 0 0 1\nf {face}\n");
            assert_eq!(parsed(&content, MeshFormat::Obj), square, "{face}");
            assert_eq!(parsed(content.trim_end(), MeshFormat::Obj), square);
        }
    }

    #[test]
    fn everything_else_is_skipped() {
        let content = format!(
            "# comment \\\nmtllib a b.mtl\no thing\ng a b\ns off\n{VERTICES}vp 1 2\nl 1 2\np 1\n\
             usemtl red\nfo 1 2 3\n\tf\t1 2 3 \ncurv 0 1 1 2\nvertex 1 2 3\nface 1 2 3\n\u{e4}\n"
        );
        assert_eq!(
            parsed(&content, MeshFormat::Obj),
            polygons(&CORNERS, &[&[0, 1, 2]])
        );
        let crlf = content.replace('\n', "\r\n");
        assert_eq!(parsed(crlf, MeshFormat::Obj).len(), 1);
    }

    #[test]
    fn weights_and_colours_are_ignored() {
        let content = "v 0 0 0 1.0\nv 1 0 0 .5 .5 .5\nv 1 1 0 1 1 1 1\nf 1 2 3\n";
        let read = parsed(content, MeshFormat::Obj);
        assert_eq!(read, polygons(&CORNERS[..3], &[&[0, 1, 2]]));
    }

    #[test]
    fn faces_may_come_before_their_vertices() {
        let content = format!("f 1 2 3 4\n{VERTICES}f -1 -2 -3\n");
        let read = parsed(content, MeshFormat::Obj);
        assert_eq!(read, polygons(&CORNERS, &[&[0, 1, 2, 3], &[3, 2, 1]]));
    }
}

mod ply {
    use super::*;

    /// A header with unneeded parts, in an unusual order.
    const HEADER: &str = "comment made by hand\nobj_info nothing\n\
        element camera 2\nproperty float view\nproperty list uchar short values\n\
        element face 2\nproperty uchar red\nproperty list uint8 uint16 vertex_index\nproperty int8 tag\n\
        element nothing 4000000000\n\
        element vertex 4\nproperty double z\nproperty list char char extra\nproperty int x\nproperty float32 y\n\
        element edge 1\nproperty int a\nproperty int b\nend_header\n";

    fn expected() -> Polygons {
        polygons(&CORNERS, &[&[0, 1, 2, 3], &[2, 1, 0]])
    }

    #[test]
    fn text() {
        let body = "0.5 2 7 8\n\n1 0\n255 4 0 1 2 3 -1\n0 3 2 1 0 1\n\
                    0 1 7 0 0\n0 0 1 0\n0 2 7 7 1 1\n0 0 0 1\n0 1\n";
        let content = format!("ply\nformat ascii 1.0\n{HEADER}{body}");
        assert_eq!(parsed(&content, MeshFormat::Ply), expected());
        assert_eq!(parsed(content.trim_end(), MeshFormat::Ply), expected());
        let crlf = content.replace('\n', "\r\n");
        assert_eq!(parsed(crlf, MeshFormat::Ply), expected());
    }

    /// Two triangle strips; the second is joined to a last triangle by vertices that occur twice.
    const STRIPS: &str = "element vertex 4\nproperty float x\nproperty float y\nproperty float z\n\
        element tristrips 1\nproperty list int int vertex_indices\n\
        element edge 1\nproperty int a\nend_header\n";
    const STRIP: [i32; 11] = [0, 1, 2, 3, 0, -1, 3, 2, 1, 1, 0];

    #[test]
    fn strips() {
        let expected: [&[u32]; 4] = [&[0, 1, 2], &[2, 1, 3], &[2, 3, 0], &[3, 2, 1]];
        let words = STRIP.map(|i| i.to_string()).join(" ");
        let corners: Vec<String> = (CORNERS.iter())
            .map(|[x, y, z]| format!("{x} {y} {z}\n"))
            .collect();
        let body = format!("{}11 {words}\n7\n", corners.concat());
        let text = parse_mesh(
            format!("ply\nformat ascii 1.0\n{STRIPS}{body}").as_bytes(),
            MeshFormat::Ply,
        )
        .unwrap();
        assert_eq!(text.iter().collect::<Vec<_>>(), expected);
        assert_eq!(text.unread, ["edge"]);
        assert!(text.unkept.is_empty());
        for (name, big) in [("little", false), ("big", true)] {
            let mut body = Body(Vec::new(), big);
            for x in CORNERS.as_flattened() {
                body.put((*x as f32).to_le_bytes());
            }
            body.put(11_i32.to_le_bytes());
            for i in STRIP {
                body.put(i.to_le_bytes());
            }
            body.put(7_i32.to_le_bytes());
            let mut bytes = format!("ply\nformat binary_{name}_endian 1.0\n{STRIPS}").into_bytes();
            bytes.extend(&body.0);
            let read = parse_mesh(&bytes, MeshFormat::Ply).unwrap();
            assert_eq!(read, text, "{name}");
            // A vertex that is out of range.
            let end = bytes.len() - 4;
            bytes[end - 4..end].fill(9);
            let message = parse_mesh(&bytes, MeshFormat::Ply).unwrap_err().to_string();
            assert!(message.contains("or -1 after a strip"), "{message}");
        }
        let bad = format!(
            "ply\nformat ascii 1.0\n{STRIPS}{}",
            body.replace(" -1 ", " -2 ")
        );
        let message = parse_mesh(bad.as_bytes(), MeshFormat::Ply).unwrap_err();
        let expected =
            "line 16: found \"-2\", expected a vertex below 4, the number of vertices, or -1";
        assert!(message.to_string().contains(expected), "{message}");
    }

    /// Bytes of numbers, and whether they are big-endian.
    struct Body(Vec<u8>, bool);

    impl Body {
        fn put<const N: usize>(&mut self, mut little_endian: [u8; N]) -> &mut Self {
            if self.1 {
                little_endian.reverse();
            }
            self.0.extend(little_endian);
            self
        }
    }

    #[test]
    fn binary_of_both_orders() {
        for (big, name) in [(false, "little"), (true, "big")] {
            let mut body = Body(vec![], big);
            body.put(0.5_f32.to_le_bytes()).put([2]);
            body.put(7_i16.to_le_bytes()).put(8_i16.to_le_bytes());
            body.put(1_f32.to_le_bytes()).put([0]);
            for face in [&[0_u16, 1, 2, 3][..], &[2, 1, 0]] {
                body.put([255]).put([face.len() as u8]);
                for i in face {
                    body.put(i.to_le_bytes());
                }
                body.put([0xff]);
            }
            for (i, [x, y, z]) in CORNERS.into_iter().enumerate() {
                body.put(z.to_le_bytes()).put([i as u8]);
                for _ in 0..i {
                    body.put([99]);
                }
                body.put((x as i32).to_le_bytes());
                body.put((y as f32).to_le_bytes());
            }
            body.put(0_i32.to_le_bytes()).put(1_i32.to_le_bytes());
            let header = format!("ply\nformat binary_{name}_endian 1.0\n{HEADER}");
            for end in ["\n", "\r\n", "\r"] {
                let mut bytes = header.replace('\n', end).into_bytes();
                bytes.extend(&body.0);
                assert_eq!(
                    parsed(&bytes, MeshFormat::Ply),
                    expected(),
                    "{name} {end:?}"
                );
            }
        }
    }

    #[test]
    fn a_body_that_begins_with_a_line_feed_after_lines_that_end_with_cr() {
        let header = "ply\rformat binary_little_endian 1.0\relement vertex 1\rproperty uchar x\r\
                      property uchar y\rproperty uchar z\relement face 0\r\
                      property list uchar int vertex_indices\rend_header\r";
        let mut bytes = header.as_bytes().to_vec();
        bytes.extend(b"\n\r\n");
        let read = parsed(&bytes, MeshFormat::Ply);
        assert_eq!(read, polygons(&[[10., 13., 10.]], &[]));
    }

    #[test]
    fn all_types_of_indices() {
        for kind in [
            "char", "uchar", "short", "ushort", "int", "uint", "int8", "uint8", "int16", "uint16",
            "int32", "uint32", "int64", "uint64",
        ] {
            let size = match kind {
                "char" | "uchar" | "int8" | "uint8" => 1,
                "short" | "ushort" | "int16" | "uint16" => 2,
                "int64" | "uint64" => 8,
                _ => 4,
            };
            let header = format!(
                "ply\nformat binary_big_endian 1.0\nelement vertex 3\nproperty char x\n\
                 property char y\nproperty char z\nelement face 1\n\
                 property list {kind} {kind} vertex_indices\nend_header\n"
            );
            let mut bytes = header.into_bytes();
            bytes.extend([0, 0, 0, 1, 0, 0, 1, 1, 0]);
            for value in [3_u64, 0, 1, 2] {
                bytes.extend(&value.to_be_bytes()[8 - size..]);
            }
            let read = parsed(&bytes, MeshFormat::Ply);
            assert_eq!(read, polygons(&CORNERS[..3], &[&[0, 1, 2]]), "{kind}");
        }
    }
}

mod off {
    use super::*;

    #[test]
    fn headers_comments_and_extras() {
        let expected = polygons(&CORNERS, &[&[0, 1, 2, 3], &[2, 1, 0]]);
        let rows = ["0 0 0", "1 0 0", "1 1 0", "0 1 0"];
        let faces = "4 0 1 2 3 0.5 0.5 0.5\n3 2 1 0 7 # a colour\n";
        for (head, extra) in [
            ("OFF\n4 2 0\n", ""),
            ("OFF 4 2 5\n", ""),
            ("# a\nOFF # b\n\n# c\n4 2\n", ""),
            ("4 2 0\n", ""),
            ("COFF\n4 2 0\n", " 255 0 0 255"),
            ("NOFF\n4 2 0\n", " 0 0 1"),
            ("STCNOFF\n4 2 0\n", " 0 0 1 1 1 1 1 0 0"),
            ("OFF\n4 2 0\n\n", " # x"),
        ] {
            let vertices: String = rows.iter().map(|row| format!("{row}{extra}\n")).collect();
            let content = format!("{head}{vertices}# faces\n{faces}\n# end");
            assert_eq!(parsed(&content, MeshFormat::Off), expected, "{content}");
            let crlf = content.replace('\n', "\r\n");
            assert_eq!(parsed(crlf, MeshFormat::Off), expected);
        }
    }
}

mod csv {
    use super::*;

    #[test]
    fn separators_comments_and_ends_of_lines() {
        for content in [
            "1,2.5,-3e2\n4,5,6\n",
            "1;2.5;-3e2\n4;5;6",
            "1 2.5 -3e2\r\n  4   5 6  \r\n",
            "1\t2.5\t-3e2\n4\t\t5\t6\n",
            "# first\n\n1, 2.5, -3e2 # here\n#\n4 ,5 ,6\n\n",
            "\u{feff}1,2.5,-3e2\r4,5,6\r",
        ] {
            let table = parse_csv(content.as_bytes()).unwrap();
            assert_eq!(table.columns, 3, "{content:?}");
            assert_eq!(table.values, [1., 2.5, -300., 4., 5., 6.], "{content:?}");
            assert_eq!(table.names, None);
            assert_eq!(table.len(), 2);
            assert_eq!(table.rows().nth(1).unwrap(), [4., 5., 6.]);
        }
    }

    #[test]
    fn names_of_columns() {
        for (content, names) in [
            ("x,y\n1,2\n", ["x", "y"]),
            ("x y\n1 2\n", ["x", "y"]),
            (" x ;\"y\"\n1;2\n", ["x", "y"]),
            ("particle id\ty pos\n1\t2\n", ["particle id", "y pos"]),
            ("\"a,b\",\"say \"\"#\"\"\"\n1,2\n", ["a,b", "say \"#\""]),
            ("\"1\",\"2\"\n1,2\n", ["1", "2"]),
        ] {
            let table = parse_csv(content.as_bytes()).unwrap();
            assert_eq!(table.names.as_deref(), Some(&names.map(String::from)[..]));
            assert_eq!((table.columns, &table.values[..]), (2, &[1., 2.][..]));
        }
        let table = parse_csv(b"X,Y,radius\n").unwrap();
        assert_eq!((table.columns, table.len()), (3, 0));
        assert_eq!(table.column_named("Radius"), Some(2));
        assert_eq!(table.column_named("z"), None);
    }
}

mod npy {
    use super::*;

    fn file(version: u8, kind: &str, fortran: bool, shape: &str, data: &[u8]) -> Vec<u8> {
        let order = if fortran { "True" } else { "False" };
        let header =
            format!("{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape}, }}   \n");
        crate::bad::table::npy(version, &header, data)
    }

    #[test]
    fn all_types_and_orders() {
        let halves = [0x3c00_u16, 0xc000, 0x0001, 0x7bff];
        let array = parse_npy(&file(
            1,
            "<f2",
            false,
            "(4,)",
            &halves.map(u16::to_le_bytes).concat(),
        ));
        assert_eq!(array.unwrap().values, [1., -2., 2_f64.powi(-24), 65504.]);
        let check = |kind: &str, data: &[u8], expected: [f64; 2]| {
            for version in 1..=3 {
                let array = parse_npy(&file(version, kind, false, "(2,)", data)).unwrap();
                assert_eq!(array.values, expected, "{kind}");
                assert_eq!(array.shape, [2]);
            }
        };
        check(
            "<f4",
            &[1.5_f32, -2.].map(f32::to_le_bytes).concat(),
            [1.5, -2.],
        );
        check(
            ">f4",
            &[1.5_f32, -2.].map(f32::to_be_bytes).concat(),
            [1.5, -2.],
        );
        check(
            "<f8",
            &[0.1, -2.].map(f64::to_le_bytes).concat(),
            [0.1, -2.],
        );
        check(
            "=f8",
            &[0.1, -2.].map(f64::to_le_bytes).concat(),
            [0.1, -2.],
        );
        check(
            ">f8",
            &[0.1, -2.].map(f64::to_be_bytes).concat(),
            [0.1, -2.],
        );
        check("|i1", &[5, 0xff], [5., -1.]);
        check("|u1", &[5, 0xff], [5., 255.]);
        check(
            "<i2",
            &[5_i16, -1].map(i16::to_le_bytes).concat(),
            [5., -1.],
        );
        check(
            ">u2",
            &[5_u16, 65535].map(u16::to_be_bytes).concat(),
            [5., 65535.],
        );
        check(
            "<i4",
            &[5_i32, -1].map(i32::to_le_bytes).concat(),
            [5., -1.],
        );
        check(
            ">u4",
            &[5_u32, 1 << 31].map(u32::to_be_bytes).concat(),
            [5., 2147483648.],
        );
        let large = 1_i64 << 62;
        check(
            "<i8",
            &[large, -1].map(i64::to_le_bytes).concat(),
            [large as f64, -1.],
        );
        check(">u8", &[5_u64, 7].map(u64::to_be_bytes).concat(), [5., 7.]);
    }

    #[test]
    fn both_orders_of_axes() {
        let data: Vec<u8> = (0..24).collect();
        let c = parse_npy(&file(1, "|u1", false, "(2, 3, 4)", &data)).unwrap();
        assert_eq!(c.shape, [2, 3, 4]);
        assert_eq!(c.values, (0..24).map(f64::from).collect::<Vec<_>>());
        let fortran = parse_npy(&file(1, "|u1", true, "(2, 3, 4)", &data)).unwrap();
        assert_eq!(fortran.shape, [2, 3, 4]);
        for (n, x) in fortran.values.into_iter().enumerate() {
            let (i, j, k) = (n / 12, n / 4 % 3, n % 4);
            assert_eq!(x, (i + 2 * j + 6 * k) as f64);
        }
        let one = parse_npy(&file(1, "|u1", true, "(24L,)", &data)).unwrap();
        assert_eq!(one.values, c.values);
    }

    #[test]
    fn columns_are_those_of_the_array() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("steps.npy");
        let data: Vec<u8> = (0..48_u16).flat_map(u16::to_be_bytes).collect();
        for fortran in [false, true] {
            for (shape, steps, rows) in [("(2, 6, 4)", 2, 6), ("(12, 4)", 1, 12)] {
                let bytes = file(1, ">u2", fortran, shape, &data);
                let values = parse_npy(&bytes).unwrap().values;
                std::fs::write(&path, &bytes).unwrap();
                let array = NpyFile::open(&path).unwrap();
                for step in 0..steps {
                    let columns = array.columns::<2>(step, 1).unwrap();
                    assert_eq!(columns.len(), rows);
                    for (row, columns) in columns.iter().enumerate() {
                        let first = 4 * (step * rows + row);
                        assert_eq!(columns[..], values[first + 1..][..2]);
                    }
                }
            }
        }
        let data = [1.0, f64::NAN, 2.0, 3.0].map(f64::to_le_bytes).concat();
        std::fs::write(&path, file(1, "<f8", false, "(2, 2)", &data)).unwrap();
        let array = NpyFile::open(&path).unwrap();
        assert_eq!(array.columns(0, 0).unwrap(), [[1.0], [2.0]]);
        let error = array.columns::<1>(0, 1).unwrap_err().to_string();
        let whole = tangere_io::read_array(&path).unwrap_err().to_string();
        assert_eq!(error, whole);
    }

    #[test]
    fn shapes_without_values_or_axes() {
        for fortran in [false, true] {
            let shape = "(0, 4000000000, 4000000000)";
            let none = parse_npy(&file(1, "<f8", fortran, shape, &[])).unwrap();
            assert_eq!(none.shape, [0, 4000000000, 4000000000]);
            assert!(none.values.is_empty());
        }
        let scalar = parse_npy(&file(2, "|u1", false, "()", &[7])).unwrap();
        assert_eq!((scalar.shape.len(), &scalar.values[..]), (0, &[7.][..]));
        assert!(scalar.into_table().is_err());
        let empty = parse_npy(&file(1, "<f8", false, "(0, 3)", &[])).unwrap();
        let table = empty.into_table().unwrap();
        assert_eq!((table.columns, table.len()), (3, 0));
        let line = parse_npy(&file(1, "|u1", false, "(3,)", &[1, 2, 3])).unwrap();
        let table = line.into_table().unwrap();
        assert_eq!((table.columns, table.len()), (1, 3));
    }
}

#[test]
fn the_extension_selects_the_format_in_any_case() {
    for format in MeshFormat::ALL {
        let upper = format!("a.b/C.{}", format.to_string().to_uppercase());
        assert_eq!(MeshFormat::of_path(upper).unwrap(), format);
    }
}
