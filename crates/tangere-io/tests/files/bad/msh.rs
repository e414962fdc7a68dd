//! Invalid Gmsh files.

use super::{Bad, text};

const HEAD: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
const NODES: &str = "$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n";
const HEAD_4: &str = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n";
const NODES_4: &str = "$Nodes\n1 3 1 3\n2 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n$EndNodes\n";

/// Returns a binary file of version 2.2 up to the count of its nodes.
fn binary(one: [u8; 4], rest: &[u8]) -> Vec<u8> {
    let mut bytes = text("$MeshFormat\n2.2 1 8\n");
    bytes.extend(one);
    bytes.extend(b"\n$EndMeshFormat\n$Nodes\n1\n");
    bytes.extend(rest);
    bytes
}

fn binary_element(numbers: &[i32]) -> Vec<u8> {
    let mut rest = 1_i32.to_le_bytes().to_vec();
    rest.extend([0; 24]);
    rest.extend(b"\n$EndNodes\n$Elements\n1\n");
    rest.extend(numbers.iter().flat_map(|x| x.to_le_bytes()));
    binary([1, 0, 0, 0], &rest)
}

fn binary_4(blocks: u64, count: u64) -> Vec<u8> {
    let mut bytes = text("$MeshFormat\n4.1 1 8\n");
    bytes.extend([1, 0, 0, 0]);
    bytes.extend(b"\n$EndMeshFormat\n$Nodes\n");
    for x in [blocks, count, 1, count] {
        bytes.extend(x.to_le_bytes());
    }
    bytes.extend([2_i32, 1, 0].iter().flat_map(|x| x.to_le_bytes()));
    bytes.extend(count.to_le_bytes());
    bytes
}

pub fn files() -> Vec<Bad> {
    let two = |rest: &str| text(&format!("{HEAD}{rest}"));
    let elements = |rest: &str| text(&format!("{HEAD}{NODES}$Elements\n{rest}"));
    let four = |rest: &str| text(&format!("{HEAD_4}{rest}"));
    let elements_4 = |rest: &str| text(&format!("{HEAD_4}{NODES_4}$Elements\n{rest}"));
    vec![
        (
            "empty.msh",
            vec![],
            &["line 1", "end of the file", "$MeshFormat"],
        ),
        (
            "other.msh",
            text("solid\n"),
            &["line 1", "\"solid\"", "$MeshFormat"],
        ),
        ("utf16.msh", vec![0xff, 0xfe, 0, 0], &["byte 0", "UTF-16"]),
        (
            "one.msh",
            text("$NOD\n3\n"),
            &["line 1", "\"$NOD\"", "$MeshFormat"],
        ),
        (
            "four.msh",
            text("$MeshFormat\n4 0 8\n"),
            &["line 2", "version \"4\"", "4.1"],
        ),
        (
            "three.msh",
            text("$MeshFormat\n3 0 8\n"),
            &["line 2", "version \"3\"", "2.2"],
        ),
        (
            "kind.msh",
            text("$MeshFormat\n2.2 2 8\n"),
            &["line 2", "\"2\"", "binary"],
        ),
        (
            "size.msh",
            text("$MeshFormat\n2.2 0 4\n"),
            &["line 2", "\"4\"", "8"],
        ),
        (
            "open.msh",
            text("$MeshFormat\n2.2 0 8\n$Nodes\n"),
            &["line 3", "$EndMeshFormat"],
        ),
        (
            "no-nodes.msh",
            two(""),
            &["line 3", "end of the file", "$Nodes"],
        ),
        (
            "word.msh",
            two("Nodes\n"),
            &["line 4", "\"Nodes\"", "section"],
        ),
        (
            "stray.msh",
            two("$EndNodes\n"),
            &["line 4", "\"$EndNodes\"", "section"],
        ),
        (
            "skip.msh",
            two("$Periodic\n1\n"),
            &["line 4", "no $EndPeriodic"],
        ),
        (
            "count.msh",
            two("$Nodes\nmany\n"),
            &["line 5", "\"many\"", "number of nodes"],
        ),
        (
            "below.msh",
            two("$Nodes\n-1\n"),
            &["line 5", "\"-1\"", "number of nodes"],
        ),
        (
            "lying.msh",
            two("$Nodes\n4000000000\n1 0 0 0\n"),
            &["line 6", "end of the file", "number of a node"],
        ),
        (
            "huge.msh",
            two("$Nodes\n5000000000\n"),
            &["line 5", "5000000000", "4294967295"],
        ),
        (
            "nan.msh",
            two("$Nodes\n1\n1 0 nan 0\n$EndNodes\n"),
            &["line 6", "NaN", "node 1"],
        ),
        (
            "text.msh",
            two("$Nodes\n1\n1 0 x 0\n$EndNodes\n"),
            &["line 6", "\"x\"", "coordinate"],
        ),
        (
            "negative.msh",
            two("$Nodes\n1\n-1 0 0 0\n$EndNodes\n"),
            &["line 6", "-1", "number of a node"],
        ),
        (
            "twice.msh",
            two("$Nodes\n2\n1 0 0 0\n1 1 0 0\n$EndNodes\n"),
            &["line 7", "node 1 twice"],
        ),
        (
            "more.msh",
            two("$Nodes\n1\n1 0 0 0\n2 1 0 0\n$EndNodes\n"),
            &["line 7", "\"2\"", "$EndNodes"],
        ),
        (
            "again.msh",
            two(&format!("{NODES}{NODES}")),
            &["line 10", "$Nodes again"],
        ),
        (
            "order.msh",
            two("$Elements\n0\n$EndElements\n"),
            &["line 4", "$Nodes before"],
        ),
        (
            "type.msh",
            elements("1\n1 92 0 1 2 3\n"),
            &["line 12", "element type 92", "1 to 19"],
        ),
        (
            "type-0.msh",
            elements("1\n1 0 0 1 2 3\n"),
            &["line 12", "element type 0"],
        ),
        (
            "node.msh",
            elements("1\n1 2 0 1 2 4\n"),
            &["line 12", "node 4", "3 nodes"],
        ),
        (
            "short.msh",
            elements("1\n1 2 0 1 2\n$EndElements\n"),
            &["line 13", "$EndElements"],
        ),
        (
            "cut.msh",
            elements("1\n1 2 0 1 2"),
            &["line 12", "end of the file", "a node"],
        ),
        (
            "few.msh",
            elements("2\n1 2 0 1 2 3\n$EndElements\n"),
            &["line 13", "$EndElements"],
        ),
        (
            "tags.msh",
            elements("1\n1 2 9999999999 1 2 3\n"),
            &["line 12", "a tag"],
        ),
        (
            "repeat.msh",
            elements("1\n1 2 0 1 2 2\n$EndElements\n"),
            &["face 0", "differ"],
        ),
        (
            "nothing.msh",
            elements("0\n$EndElements\n"),
            &["no triangles"],
        ),
        (
            "segments.msh",
            elements("1\n1 1 0 1 2\n$EndElements\n"),
            &["no triangles"],
        ),
        (
            "mark.msh",
            binary([2, 0, 0, 0], &[]),
            &["byte 20", "[2, 0, 0, 0]", "number 1"],
        ),
        (
            "short-binary.msh",
            binary([1, 0, 0, 0], &[1, 0]),
            &["byte", "2 bytes until the end"],
        ),
        (
            "binary-type.msh",
            binary_element(&[93, 1, 0, 1, 1]),
            &["byte", "element type 93"],
        ),
        (
            "binary-many.msh",
            binary_element(&[15, 2, 0, 1, 1]),
            &["byte", "2 elements", "1 to 1"],
        ),
        (
            "binary-none.msh",
            binary_element(&[15, 0, 0]),
            &["byte", "0 elements"],
        ),
        (
            "binary-tags.msh",
            binary_element(&[15, 1, -1]),
            &["byte", "-1", "number of tags"],
        ),
        (
            "binary-nan.msh",
            binary([1, 0, 0, 0], &[0xff; 28]),
            &["byte", "-1", "a node"],
        ),
        (
            "lying-4.msh",
            binary_4(1, u32::MAX.into()),
            &["byte", "0 bytes until the end"],
        ),
        (
            "huge-4.msh",
            binary_4(1, u64::MAX),
            &["byte", "18446744073709551615", "4294967295"],
        ),
        (
            "blocks-4.msh",
            four("$Nodes\n1 0 1 0\n"),
            &["line 5", "end of the file", "entity"],
        ),
        (
            "entity-4.msh",
            four("$Nodes\n1 1 1 1\n4 1 0 1\n"),
            &["line 6", "4", "0 to 3"],
        ),
        (
            "parameters-4.msh",
            four("$Nodes\n1 1 1 1\n2 1 7 1\n"),
            &["line 6", "found 7", "parameters"],
        ),
        (
            "block-4.msh",
            four("$Nodes\n1 1 1 1\n2 1 0 2\n"),
            &["line 6", "found 2", "1 that are left"],
        ),
        (
            "left-4.msh",
            four("$Nodes\n1 2 1 2\n2 1 0 1\n1\n0 0 0\n$EndNodes\n"),
            &["line 8", "1 nodes in all blocks", "2"],
        ),
        (
            "type-4.msh",
            elements_4("1 1 1 1\n2 1 21 1\n1 1 2 3\n"),
            &["line 16", "element type 21"],
        ),
        (
            "node-4.msh",
            elements_4("1 1 1 1\n2 1 2 1\n1 1 2 9\n"),
            &["line 17", "node 9"],
        ),
        (
            "count-4.msh",
            elements_4("1 1 1 1\n2 1 2 5\n1 1 2 3\n"),
            &["line 16", "found 5", "1 that are left"],
        ),
    ]
}
