//! Readers never panic: thousands of damaged versions of valid files, identical in every run. The
//! targets in `fuzz/` test this property without limit.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use tangere_io::{MeshFormat, parse_csv, parse_mesh, parse_npy};
use test_support::Random;

/// Tokens that are meaningful to some reader.
const PIECES: &[&[u8]] = &[
    b"\n",
    b"\r",
    b" ",
    b",",
    b";",
    b"\"",
    b"#",
    b"\\",
    b"/",
    b"-",
    b"0",
    b"1",
    b"-1",
    b"9",
    b"4294967295",
    b"18446744073709551616",
    b"1e999",
    b"nan",
    b"\0",
    b"\xff\xff\xff\xff",
    b"\x7f\x7f\x7f\x7f",
    b"solid ",
    b"endsolid",
    b"facet ",
    b"v ",
    b"f 1 2 3 4 5\n",
    b"property list uchar int vertex_indices\n",
    b"element face 3\n",
    b"end_header\n",
    b"OFF\n",
    b"{",
    b"(",
    b"'descr'",
    b"<f8",
    b"True",
];

fn damaged(seed: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len() + 1);
        let end = (at + random.below(12)).min(bytes.len());
        match random.below(6) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let piece = PIECES[random.below(PIECES.len())];
                drop(bytes.splice(at..at, piece.iter().copied()));
            }
            3 => {
                let piece = PIECES[random.below(PIECES.len())];
                drop(bytes.splice(at..end, piece.iter().copied()));
            }
            4 => {
                let copy = bytes[at..end].to_vec();
                let to = random.below(bytes.len() + 1);
                drop(bytes.splice(to..to, copy));
            }
            _ => {
                for byte in &mut bytes[at..end] {
                    *byte ^= 1 << random.below(8);
                }
            }
        }
    }
    bytes
}

/// Reads damaged versions of the seeds; returns the number of accepted ones.
fn survivors(seeds: &[&[u8]], accepted: impl Fn(&[u8]) -> bool) -> usize {
    const ROUNDS: usize = 4000;
    let mut random = Random::new(1);
    let mut count = 0;
    for round in 0..ROUNDS {
        let bytes = damaged(seeds[round % seeds.len()], &mut random);
        count += usize::from(accepted(&bytes));
    }
    // Some files must be accepted and some refused, otherwise the damage would test nothing.
    assert!(count > 0 && count < ROUNDS, "{count} of {ROUNDS} accepted");
    count
}

fn check_mesh(format: MeshFormat, seeds: &[&[u8]]) {
    for seed in seeds {
        assert!(parse_mesh(seed, format).unwrap().into_mesh().is_ok());
    }
    survivors(seeds, |bytes| {
        let Ok(polygons) = parse_mesh(bytes, format) else {
            return false;
        };
        let vertices = polygons.vertices.len();
        assert!(
            polygons
                .vertices
                .as_flattened()
                .iter()
                .all(|x| x.is_finite())
        );
        assert!(polygons.indices.iter().all(|&i| (i as usize) < vertices));
        assert!(polygons.iter().all(|polygon| polygon.len() >= 3));
        let triangles: usize = polygons.iter().map(|polygon| polygon.len() - 2).sum();
        match polygons.into_mesh() {
            Ok((mesh, welded)) => {
                assert_eq!(mesh.faces().len(), triangles);
                assert_eq!(mesh.vertices().len() + welded, vertices);
                true
            }
            Err(_) => false,
        }
    });
}

#[test]
fn stl() {
    let text: &[u8] =
        b"solid a b\nfacet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1 0 0\n  \
        vertex 0 1e0 0\n endloop\nendfacet\nfacet normal 0 0 1\n outer loop\n  vertex 1 0 0\n  \
        vertex 1 1 0\n  vertex 0 1 0\n endloop\nendfacet\nendsolid a b\n";
    let mut binary = vec![b' '; 80];
    binary.extend(2_u32.to_le_bytes());
    for i in 0..24_u8 {
        binary.extend(f32::from(i % 7).to_le_bytes());
        if i % 12 == 11 {
            binary.extend([0; 2]);
        }
    }
    let mut disguised = binary.clone();
    disguised[..6].copy_from_slice(b"solid ");
    check_mesh(MeshFormat::Stl, &[text, &binary, &disguised]);
}

#[test]
fn obj() {
    check_mesh(
        MeshFormat::Obj,
        &[
            b"# square\no s\nv 0 0 0\nv 1 0 0 1 1 1\nv 1 1 0\nv .2 .1 0\nvt 0 0\nvn 0 0 1\nf 1/1/1 2//1 3/1 4\n",
            b"f 1 2 3\r\nv 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf -1 -2 \\\r\n-3\r\nl 1 2\r\n",
        ],
    );
}

#[test]
fn ply() {
    let header = "element vertex 5\nproperty float x\nproperty double y\nproperty uchar z\n\
        element thing 2\nproperty list uchar short values\n\
        element face 2\nproperty list uchar int vertex_indices\nproperty uchar red\nend_header\n";
    let points = [[0, 0], [4, 0], [1, 1], [0, 4], [9, 9]];
    let mut text = format!("ply\nformat ascii 1.0\ncomment c\n{header}");
    for [x, y] in points {
        text += &format!("{x} {y} 0\n");
    }
    text += "0\n2 7 -8\n4 0 1 2 3 255\n3 2 1 4 0\n";
    let mut little = format!("ply\nformat binary_little_endian 1.0\n{header}").into_bytes();
    let mut big = format!("ply\nformat binary_big_endian 1.0\n{header}").into_bytes();
    let mut both = |bytes: &[u8]| {
        little.extend(bytes);
        big.extend(bytes.iter().rev());
    };
    for [x, y] in points {
        both(&(x as f32).to_le_bytes());
        both(&f64::from(y).to_le_bytes());
        both(&[0]);
    }
    both(&[0]);
    both(&[1]);
    both(&7_i16.to_le_bytes());
    for face in [&[0, 1, 2, 3][..], &[2, 1, 4]] {
        both(&[face.len() as u8]);
        face.iter().for_each(|i: &i32| both(&i.to_le_bytes()));
        both(&[255]);
    }
    check_mesh(MeshFormat::Ply, &[text.as_bytes(), &little, &big]);
}

#[test]
fn off() {
    check_mesh(
        MeshFormat::Off,
        &[
            b"OFF\n# a\n5 2 0\n0 0 0\n1 0 0\n.2 .2 0\n0 1 0\n1 1 1\n4 0 1 2 3\n3 1 4 2 255 0 0\n",
            b"COFF 3 1\n0 0 0 1 1 1\n1 0 0 1 1 1\n0 1 0 1 1 1\n3 0 1 2\n",
        ],
    );
}

#[test]
fn msh() {
    let head = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
    let two = format!(
        "{head}$Nodes\n4\n1 0 0 0\n2 1 0 0\n5 0 1 0\n4 0 0 1\n$EndNodes\n$Elements\n2\n\
         1 2 2 0 1 1 2 5\n2 4 2 0 1 1 2 5 4\n$EndElements\n"
    );
    let four = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4 1 4\n2 1 0 4\n1\n2\n3\n4\n\
        0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n";
    let mut binary = b"$MeshFormat\n2.2 1 8\n\x01\0\0\0\n$EndMeshFormat\n$Nodes\n3\n".to_vec();
    for (i, x) in [(1_i32, 0.0_f64), (2, 1.0), (3, 2.0)] {
        binary.extend(i.to_le_bytes());
        for x in [x, x * x, 1.0 - x] {
            binary.extend(x.to_le_bytes());
        }
    }
    binary.extend(b"\n$EndNodes\n$Elements\n1\n");
    for x in [2_i32, 1, 2, 1, 0, 0, 1, 2, 3] {
        binary.extend(x.to_le_bytes());
    }
    binary.extend(b"\n$EndElements\n");
    check_mesh(MeshFormat::Msh, &[two.as_bytes(), four.as_bytes(), &binary]);
}

#[test]
fn medit() {
    check_mesh(
        MeshFormat::Mesh,
        &[
            b"MeshVersionFormatted 1\nDimension 3\nVertices 4\n0 0 0 1\n1 0 0 1\n0 1 0 1\n0 0 1 1\n\
              Tetrahedra 1\n1 2 3 4 0\nCorners 1\n1\nEnd\n",
            b"MeshVersionFormatted 2 Dimension 2\nVertices 4\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n\
              Quadrilaterals 1\n1 2 3 4 0\n",
        ],
    );
}

#[test]
fn inp() {
    check_mesh(
        MeshFormat::Inp,
        &[
            b"*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n*ELEMENT, TYPE=C3D4, ELSET=a\n\
              1, 1, 2,\n3, 4\n*ELSET, ELSET=b, GENERATE\n1, 1\n*SURFACE, NAME=s\nb, S2\na,\n",
            b"*NODE\n1, 0, 0\n2, 1, 0\n3, 1, 1\n7, 0, 1\n*ELEMENT, TYPE=S4R\n1, 1, 2, 3, 7\n",
        ],
    );
}

#[test]
fn csv() {
    let seeds: [&[u8]; 3] = [
        b"x,y,\"ra,dius\"\n1,2,.5\n-1e3,2,0.25 # c\n",
        b"1 2 3\n4 5 6\n\n7 8 9\n",
        b"a b\tc\n1\t2\n",
    ];
    survivors(&seeds, |bytes| match parse_csv(bytes) {
        Ok(table) => {
            assert_eq!(table.values.len(), table.len() * table.columns);
            assert!(table.names.is_none_or(|names| names.len() == table.columns));
            assert!(table.values.iter().all(|x| x.is_finite()));
            true
        }
        Err(_) => false,
    });
}

#[test]
fn npy() {
    let file = |header: &str, data: &[u8]| {
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend(data);
        bytes
    };
    let floats = file(
        "{'descr': '>f8', 'fortran_order': True, 'shape': (2, 3), }\n",
        &[1.0_f64, 2.0, 3.0, 4.0, 5.0, 6.0]
            .map(f64::to_be_bytes)
            .concat(),
    );
    let bytes = file(
        "{\"shape\": (4L,), 'fortran_order':False,'descr':'|u1'}",
        &[1, 2, 3, 4],
    );
    survivors(&[&floats, &bytes], |bytes| match parse_npy(bytes) {
        Ok(array) => {
            let product = array.shape.iter().product::<usize>();
            assert_eq!(product, array.values.len());
            assert!(array.values.iter().all(|x| x.is_finite()));
            true
        }
        Err(_) => false,
    });
}
