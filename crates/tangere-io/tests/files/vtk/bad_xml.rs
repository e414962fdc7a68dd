//! Invalid VTK XML files: the fault names the position and the reason, and memory stays in
//! proportion to the file.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use super::check;
use tangere_io::vtk::xml;

fn replaced(file: &str, from: &str, to: &str) -> Vec<u8> {
    assert!(file.contains(from), "{from}");
    file.replacen(from, to, 1).into_bytes()
}

/// Returns a valid VTP file in which a piece of text is replaced.
fn vtp(from: &str, to: &str) -> Vec<u8> {
    let file = "<VTKFile type=\"PolyData\" byte_order=\"LittleEndian\">
<PolyData>
<Piece NumberOfPoints=\"3\" NumberOfPolys=\"1\">
<Points>
<DataArray type=\"Float32\" Name=\"Points\" NumberOfComponents=\"3\" format=\"ascii\">
0 0 0 1 0 0
0 1 0
</DataArray>
</Points>
<Polys>
<DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0 1 2</DataArray>
<DataArray type=\"Int32\" Name=\"offsets\" format=\"binary\">BAAAAAMAAAA=</DataArray>
</Polys>
</Piece>
</PolyData>
</VTKFile>";
    replaced(file, from, to)
}

/// Returns a valid VTU file in which a piece of text is replaced.
fn vtu(from: &str, to: &str) -> Vec<u8> {
    let file = "<VTKFile type=\"UnstructuredGrid\">
<UnstructuredGrid><Piece NumberOfPoints=\"4\" NumberOfCells=\"2\">
<Points><DataArray type=\"Int8\" NumberOfComponents=\"3\">0 0 0 1 0 0 1 1 0 0 1 0</DataArray></Points>
<Cells>
<DataArray type=\"Int32\" Name=\"connectivity\">0 1 2 0 1 2 3</DataArray>
<DataArray type=\"Int32\" Name=\"offsets\">3 7</DataArray>
<DataArray type=\"UInt8\" Name=\"types\">5 9</DataArray>
</Cells></Piece></UnstructuredGrid></VTKFile>";
    replaced(file, from, to)
}

/// Returns a file whose points are appended as compressed blocks after a header.
fn compressed(header: &[u32], blocks: &[u8]) -> Vec<u8> {
    let mut file = b"<VTKFile type=\"PolyData\" compressor=\"vtkZLibDataCompressor\"><PolyData>
        <Piece NumberOfPoints=\"3\"><Points>
        <DataArray type=\"UInt8\" Name=\"Points\" NumberOfComponents=\"3\" format=\"appended\" offset=\"0\"/>
        </Points></Piece></PolyData><AppendedData encoding=\"raw\">_"
        .to_vec();
    file.extend(header.iter().flat_map(|n| n.to_le_bytes()));
    file.extend_from_slice(blocks);
    file.extend_from_slice(b"</AppendedData></VTKFile>");
    file
}

/// The nine bytes 0 0 0 1 0 0 0 1 0, compressed by zlib.
const NINE: &[u8] = b"\x78\x9c\x63\x60\x60\x60\x64\x00\x61\x00\x00\x11\x00\x03";

/// Returns a file with raw appended points; `offset` and `appended` are inserted.
fn raw(offset: &str, appended: &[u8]) -> Vec<u8> {
    let mut file = format!(
        "<VTKFile type=\"PolyData\" header_type=\"UInt64\"><PolyData>
        <Piece NumberOfPoints=\"3\"><Points>
        <DataArray type=\"UInt8\" Name=\"Points\" NumberOfComponents=\"3\" format=\"appended\" offset=\"{offset}\"/>
        </Points></Piece></PolyData><AppendedData encoding=\"raw\">"
    )
    .into_bytes();
    file.extend_from_slice(appended);
    file
}

const CLOSED: &str = "</AppendedData></VTKFile>";

#[test]
fn bad_xml_files() {
    assert!(xml::polygons(&vtp("0 1 2", "0 1 2")).is_ok());
    assert!(xml::polygons(&vtu("5 9", "5 9")).is_ok());
    assert!(xml::polygons(&compressed(&[1, 9, 0, 14], NINE)).is_ok());
    let whole = [
        b"_\x09\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\x01\0",
        CLOSED.as_bytes(),
    ]
    .concat();
    assert!(xml::polygons(&raw("0", &whole)).is_ok());

    let table: &[(&str, Vec<u8>, &[&str])] = &[
        ("empty", vec![], &["line 1", "no well-formed XML"]),
        (
            "no XML",
            b"solid cube".to_vec(),
            &["line 1", "no well-formed XML"],
        ),
        ("not UTF-8", b"<VTKFile \xff".to_vec(), &["byte 9", "0xff"]),
        ("cut off", vtp("</Polys>", ""), &["line 14", "XML"]),
        (
            "other root",
            vtp("<VTKFile", "<!-- --><html/><VTKFile"),
            &["XML"],
        ),
        ("html", b"<html></html>".to_vec(), &["\"html\"", "VTKFile"]),
        (
            "a document type",
            vtp("<VTKFile", "<!DOCTYPE a [<!ENTITY b \"c\">]><VTKFile"),
            &["DTD"],
        ),
        (
            "image",
            vtp("type=\"PolyData\"", "type=\"ImageData\""),
            &["line 1", "ImageData", "PolyData or"],
        ),
        (
            "no dataset",
            b"<VTKFile type=\"PolyData\"/>".to_vec(),
            &["no element PolyData"],
        ),
        (
            "byte order",
            vtp("LittleEndian", "MiddleEndian"),
            &["line 1", "MiddleEndian"],
        ),
        (
            "header type",
            vtp("<VTKFile", "<VTKFile header_type=\"UInt16\""),
            &["UInt16", "UInt32 or UInt64"],
        ),
        (
            "no count",
            vtp("NumberOfPoints=\"3\"", ""),
            &["line 3", "NumberOfPoints"],
        ),
        (
            "negative count",
            vtp("Points=\"3\"", "Points=\"-3\""),
            &["line 3", "\"-3\""],
        ),
        (
            "no polygon count",
            vtp("NumberOfPolys=\"1\"", ""),
            &["line 3", "NumberOfPolys"],
        ),
        (
            "few points",
            vtp("\n0 1 0", "\n0 1"),
            &["line 5", "\"Points\"", "8 numbers", "expected 9"],
        ),
        (
            "many points",
            vtp("\n0 1 0", "\n0 1 0 4"),
            &["line 7", "\"4\"", "the end of the array"],
        ),
        (
            "4 billion points",
            vtp("Points=\"3\"", "Points=\"4000000000\""),
            &["9 numbers", "12000000000"],
        ),
        (
            "too many points",
            vtp("Points=\"3\"", "Points=\"5000000000\""),
            &["5000000000", "4294967295"],
        ),
        (
            "all points",
            vtp("Points=\"3\"", "Points=\"18446744073709551615\""),
            &["4294967295"],
        ),
        (
            "no points",
            vtp("<Points>", "<Points/><Points>"),
            &["line 3", "3 points without an array"],
        ),
        (
            "plane points",
            vtp("Components=\"3\"", "Components=\"2\""),
            &["2 components", "expected 3"],
        ),
        (
            "not finite",
            vtp("\n0 1 0", "\n0 1e39 0"),
            &["point 2", "inf", "finite coordinates"],
        ),
        (
            "a word",
            vtp("1 0 0", "1 O 0"),
            &["line 6", "\"O\"", "Float32"],
        ),
        (
            "overflow",
            vtp("0 1 2<", "0 1 2147483648<"),
            &["line 11", "2147483648", "Int32"],
        ),
        (
            "unknown type",
            vtp("Int32", "Int33"),
            &["line 11", "\"Int33\""],
        ),
        (
            "unknown format",
            vtp("\"binary\"", "\"bin\""),
            &["line 12", "\"bin\"", "ascii, binary or appended"],
        ),
        (
            "nothing appended",
            vtp("\"binary\"", "\"appended\""),
            &["line 12", "AppendedData"],
        ),
        (
            "index too high",
            vtp("0 1 2<", "0 1 3<"),
            &["polygon 0", "the point 3", "below 3"],
        ),
        (
            "negative index",
            vtp("0 1 2<", "0 -1 2<"),
            &["polygon 0", "the point -1"],
        ),
        (
            "no connectivity",
            vtp("\"connectivity\"", "\"c\""),
            &["line 10", "no array \"connectivity\""],
        ),
        (
            "no polygons",
            vtp("Polys=\"1\"", "Polys=\"2\""),
            &["\"offsets\"", "4 bytes", "8 bytes"],
        ),
        (
            "4 billion polygons",
            vtp("Polys=\"1\"", "Polys=\"4000000000\""),
            &["4 bytes", "16000000000 bytes"],
        ),
        (
            "no base64",
            vtp("BAAAAAMAAAA=", "BAAA*AMAAAA="),
            &["'*'", "base64"],
        ),
        (
            "short base64",
            vtp("BAAAAAMAAAA=", "BAAAAAM="),
            &["\"offsets\" with 5 bytes", "8 bytes"],
        ),
        (
            "odd base64",
            vtp("BAAAAAMAAAA=", "BAAAAAMAA"),
            &["truncated"],
        ),
        (
            "no base64 at all",
            vtp("BAAAAAMAAAA=", " "),
            &["line 12", "without content"],
        ),
        (
            "lying base64",
            vtp("BAAAAAMAAAA=", "/////wMAAAA="),
            &["4294967295 bytes", "expected 4"],
        ),
        (
            "two vertices",
            vtp("BAAAAAMAAAA=", "BAAAAAIAAAA="),
            &["the end of the array"],
        ),
        (
            "an edge",
            replaced(
                &String::from_utf8(vtp("0 1 2<", "0 1<")).unwrap(),
                "BAAAAAMAAAA=",
                "BAAAAAIAAAA=",
            ),
            &["polygon 0", "2 vertices", "at least 3"],
        ),
        (
            "negative offset",
            vtp("BAAAAAMAAAA=", "BAAAAP////8="),
            &["polygon 0", "-1"],
        ),
        (
            "falling offsets",
            vtu("3 7<", "7 3<"),
            &["cell 1", "3 after 7"],
        ),
        (
            "polyhedron",
            vtu("5 9", "5 42"),
            &["cell 1", "a polyhedron (VTK cell type 42)", "surface"],
        ),
        (
            "quadratic",
            vtu(
                "0 1 2 0 1 2 3</DataArray>\n<DataArray type=\"Int32\" Name=\"offsets\">3 7</DataArray>\n<DataArray type=\"UInt8\" Name=\"types\">5 9",
                "0 1 2 0 1 2 3 0 1</DataArray>\n<DataArray type=\"Int32\" Name=\"offsets\">3 9</DataArray>\n<DataArray type=\"UInt8\" Name=\"types\">5 22",
            ),
            &["face 0", "tri6 of nodes [0, 1, 2, 3, 0, 1]", "differ"],
        ),
        ("unknown cell", vtu("5 9", "5 99"), &["cell 1", "type 99"]),
        (
            "triangle of four",
            vtu("5 9", "5 5"),
            &["cell 1", "a triangle with 4 vertices", "3 vertices"],
        ),
        (
            "no types",
            vtu("\"types\"", "\"type\""),
            &["no array \"types\""],
        ),
        (
            "no cells",
            vtu("Cells=\"2\"", "Cells=\"1\""),
            &["line 6", "the end of the array"],
        ),
        ("no mark", raw("0", b"9"), &["'_'"]),
        (
            "cut in the numbers",
            raw("0", &whole[..12]),
            &["the end of the file", "truncated"],
        ),
        (
            "beyond the end",
            raw("99", &whole),
            &["\"99\"", "an offset up to 17"],
        ),
        ("no offset", raw("x", &whole), &["\"x\"", "an offset"]),
        (
            "short",
            raw(
                "0",
                &[b"_\x09\0\0\0\0\0\0\0\0\0", CLOSED.as_bytes()].concat(),
            ),
            &["10 bytes", "17 bytes"],
        ),
        (
            "lying",
            raw(
                "0",
                &[b"_\xff\xff\xff\xff\xff\xff\xff\xff\0", CLOSED.as_bytes()].concat(),
            ),
            &["18446744073709551615", "9 bytes"],
        ),
        (
            "no blocks",
            compressed(&[0, 9, 0], NINE),
            &["0 bytes", "9 bytes"],
        ),
        (
            "4 billion blocks",
            compressed(&[u32::MAX, 9, 0, 14], NINE),
            &["4294967295 blocks", "9 bytes in all"],
        ),
        (
            "blocks of nothing",
            compressed(&[9, 0, 0, 14], NINE),
            &["9 blocks of 0 bytes"],
        ),
        (
            "many blocks",
            compressed(&[9, 1, 0, 14], NINE),
            &["bytes, header included"],
        ),
        (
            "short block",
            compressed(&[1, 9, 0, 400], NINE),
            &["30 bytes", "416 bytes"],
        ),
        (
            "tiny block",
            compressed(&[1, 9, 0, 0], NINE),
            &["block 0 of 0 bytes for 9", "1:1032"],
        ),
        (
            "cut block",
            compressed(&[1, 9, 0, 13], NINE),
            &["block 0", "zlib"],
        ),
        (
            "broken block",
            compressed(&[1, 9, 0, 14], &[0x55; 14]),
            &["block 0", "zlib"],
        ),
        (
            "large block",
            compressed(&[2, 5, 4, 14, 14], &[NINE, NINE].concat()),
            &["block 0", "zlib"],
        ),
    ];
    check(table, |bytes| xml::polygons(bytes).map(drop));
    assert!(table.len() >= 50);
}

#[test]
fn small_blocks_are_refused() {
    // A block has three bytes, although the header announces nine.
    let three = b"\x78\x9c\x63\x60\x60\x00\x00\x00\x03\x00\x01";
    let text = xml::polygons(&compressed(&[1, 9, 0, 11], three)).unwrap_err();
    assert!(text.to_string().contains("3 bytes, expected 9"), "{text}");
}

/// Pieces that share appended numbers must not multiply the memory.
#[test]
fn shared_numbers_are_bounded() {
    let piece = "<Piece NumberOfPoints=\"100000\"><Points><DataArray type=\"UInt8\" \
        NumberOfComponents=\"3\" format=\"appended\" offset=\"0\"/></Points></Piece>";
    let file = |pieces: usize| {
        let mut file = b"<VTKFile type=\"PolyData\"><PolyData>".to_vec();
        file.extend(piece.repeat(pieces).into_bytes());
        file.extend(b"</PolyData><AppendedData encoding=\"raw\">_");
        file.extend(300_000_u32.to_le_bytes());
        file.extend(vec![1; 300_000]);
        file.extend(CLOSED.as_bytes());
        file
    };
    assert_eq!(xml::polygons(&file(8)).unwrap().vertices.len(), 800_000);
    let text = xml::polygons(&file(9)).unwrap_err().to_string();
    assert!(text.contains("sharing"), "{text}");
}

#[test]
fn fields_that_differ_between_pieces() {
    let piece = |name: &str| {
        format!(
            "<Piece NumberOfPoints=\"1\"><PointData><DataArray type=\"Int8\" Name=\"{name}\">1\
             </DataArray></PointData><Points><DataArray type=\"Int8\" NumberOfComponents=\"3\">\
             0 0 0</DataArray></Points></Piece>"
        )
    };
    let file = format!(
        "<VTKFile type=\"PolyData\"><PolyData>{}{}</PolyData></VTKFile>",
        piece("a"),
        piece("b")
    );
    let text = xml::points(file.as_bytes()).unwrap_err().to_string();
    assert!(text.contains("\"b\"") && text.contains("\"a\""), "{text}");
}

/// Deeply nested elements must not exhaust the stack.
#[test]
fn deep_xml() {
    let deep = "<a>".repeat(200_000);
    assert!(xml::polygons(deep.as_bytes()).is_err());
}
