//! Invalid tables and arrays.

use super::{Bad, text};

/// Returns an NPY array in a version of the format.
pub fn npy(version: u8, header: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY".to_vec();
    bytes.extend([version, 0]);
    match version {
        1 => bytes.extend((header.len() as u16).to_le_bytes()),
        _ => bytes.extend((header.len() as u32).to_le_bytes()),
    }
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

pub fn npy_of(kind: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}\n");
    npy(1, &header, data)
}

pub fn files() -> Vec<Bad> {
    vec![
        ("empty.csv", vec![], &["line 1", "end of the file", "row"]),
        (
            "comments.csv",
            text("# x\n\n"),
            &["line 2", "end of the file", "row"],
        ),
        (
            "ragged.csv",
            text("x,y\n1,2\n3\n"),
            &["line 3", "1 field, expected 2 as in line 1"],
        ),
        (
            "wide.csv",
            text("1 2\n\n# a\n3 4 5\n"),
            &["line 4", "3 fields", "2 as in line 1"],
        ),
        (
            "word.csv",
            text("1,2\n3,x\n"),
            &["line 2", "\"x\"", "finite number"],
        ),
        (
            "mixed-first-row.csv",
            text("1,two\n"),
            &["line 1", "\"two\"", "finite number"],
        ),
        (
            "empty-field.csv",
            text("1,2\n3,\n"),
            &["line 2", "\"\"", "finite number"],
        ),
        (
            "decimal-comma.csv",
            text("a;b\n1,5;2\n"),
            &["line 2", "\"1,5\"", "finite number"],
        ),
        (
            "nan.csv",
            text("1,2\n3,nan\n"),
            &["line 2", "\"nan\"", "finite number"],
        ),
        (
            "overflow.tsv",
            text("1\t2\n3\t-1e999\n"),
            &["line 2", "\"-1e999\"", "finite"],
        ),
        ("open-quote.csv", text("\"x,y\n1,2\n"), &["line 1", "quote"]),
        (
            "after-quote.csv",
            text("\"x\"y,z\n1,2\n"),
            &["line 1", "\"y\"", "separator"],
        ),
        (
            "bytes.txt",
            b"1 2\n\xff\xfe 4\n".to_vec(),
            &["line 2", "finite number"],
        ),
    ]
}

pub fn arrays() -> Vec<Bad> {
    let one = 1.0_f64.to_le_bytes();
    vec![
        ("empty.npy", vec![], &["byte 0", "NUMPY"]),
        ("magic.npy", text("\u{93}NUMPZ"), &["byte 0", "NUMPY"]),
        (
            "no-version.npy",
            b"\x93NUMPY".to_vec(),
            &["byte 6", "end of the file", "version"],
        ),
        (
            "version.npy",
            npy(9, "{}", b""),
            &["byte 6", "version 9", "1, 2 or 3"],
        ),
        (
            "no-size.npy",
            b"\x93NUMPY\x01\x00\x05".to_vec(),
            &["byte 9", "size of the header"],
        ),
        (
            "lying-header.npy",
            b"\x93NUMPY\x02\x00\xff\xff\xff\xff{}".to_vec(),
            &["byte 8", "a header of 4294967295 bytes", "at most the 2"],
        ),
        (
            "no-keys.npy",
            npy(1, "{}", b""),
            &["byte 12", "descr, fortran_order and shape"],
        ),
        (
            "no-dictionary.npy",
            npy(1, "[]", b""),
            &["byte 10", "\"[]\"", "'{'"],
        ),
        (
            "key.npy",
            npy(3, "{'description': 1}", b""),
            &["byte 13", "\"description\""],
        ),
        (
            "kind.npy",
            npy_of("<c16", "(1,)", &[0; 16]),
            &["byte 20", "\"<c16\"", "f8"],
        ),
        (
            "object.npy",
            npy_of("|O", "(1,)", &[0; 8]),
            &["byte 20", "\"|O\"", "f8"],
        ),
        (
            "record.npy",
            npy(
                1,
                "{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (1,)}",
                &one,
            ),
            &["byte 20", "[('x'", "the type of one number"],
        ),
        (
            "order.npy",
            npy(
                1,
                "{'descr': '<f8', 'fortran_order': 0, 'shape': (1,)}",
                &one,
            ),
            &["byte 44", "True or False"],
        ),
        (
            "negative-axis.npy",
            npy_of("<f8", "(-1,)", b""),
            &["\"-1,)", "length of an axis"],
        ),
        (
            "endless-axis.npy",
            npy_of("<f8", "(99999999999999999999,)", b""),
            &["length of an axis"],
        ),
        (
            "shape-word.npy",
            npy_of("<f8", "None", b""),
            &["\"None", "'('"],
        ),
        (
            "cut-dictionary.npy",
            npy(1, "{'descr': '<f8'", b""),
            &["end of the header", "'}'"],
        ),
        (
            "cut.npy",
            npy_of("<f8", "(2,)", &one),
            &["8 bytes of data", "16 for the shape [2]"],
        ),
        (
            "more.npy",
            npy_of("<f4", "(1,)", &one),
            &["8 bytes of data", "4 for the shape [1]"],
        ),
        (
            "lying-shape.npy",
            npy_of("<f8", "(4000000000, 3)", &one),
            &[
                "8 bytes of data",
                "96000000000 for the shape [4000000000, 3]",
            ],
        ),
        (
            "overflowing-shape.npy",
            npy_of("<f8", "(4000000000, 4000000000, 4000000000)", &one),
            &["8 bytes of data", "more than any memory"],
        ),
        (
            "nan.npy",
            npy_of(
                ">f8",
                "(2,)",
                &[1.0_f64, f64::NAN].map(f64::to_be_bytes).concat(),
            ),
            &["NaN as value 1", "finite number"],
        ),
        (
            "half-infinite.npy",
            npy_of("<f2", "(1,)", &0x7c00_u16.to_le_bytes()),
            &["inf as value 0", "finite number"],
        ),
        (
            "inexact.npy",
            npy_of("<i8", "(1, 1)", &(-9007199254740993_i64).to_le_bytes()),
            &["-9007199254740993 as value 0", "8 bytes"],
        ),
        (
            "inexact-unsigned.npy",
            npy_of(">u8", "(1,)", &u64::MAX.to_be_bytes()),
            &["18446744073709551615 as value 0", "8 bytes"],
        ),
    ]
}
