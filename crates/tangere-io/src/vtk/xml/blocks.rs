//! Binary data of VTK arrays: `size, bytes`, or compressed
//! `blocks, block size, size of the last block, compressed sizes…, bytes…`.
//!
//! Sizes in a file are not trusted. The size of an array follows from the counts of
//! its piece; its header must agree, and both must agree with the bytes present,
//! before memory is allocated. Deflate expands at most 1032-fold, so a larger ratio
//! is refused. Blocks are inflated in parallel; of several faults the first is
//! reported.

use super::super::field::ByteOrder;
use super::base64::decoded;
use crate::error::{Fault, Place};
use flate2::{Decompress, FlushDecompress, Status};
use rayon::prelude::*;
use std::borrow::Cow;

/// Maximum ratio of the decompressed to the compressed size of Deflate data. Deflate needs at least
/// two bits for a run of at most 258 bytes.
const GREATEST_GROWTH: usize = 1032;

/// Format of the headers of binary arrays: the byte order and the size of the numbers in a header.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    pub order: ByteOrder,
    /// The size of a number in a header: 4 or 8 bytes.
    pub header: usize,
}

impl Layout {
    /// Decodes the numbers of a header. A number beyond usize becomes the largest usize, which
    /// exceeds any file.
    fn numbers(self, bytes: &[u8]) -> Vec<usize> {
        bytes
            .chunks_exact(self.header)
            .map(|number| {
                let digit = |value: u64, &byte: &u8| value << 8 | u64::from(byte);
                let value = match self.order {
                    ByteOrder::Big => number.iter().fold(0, digit),
                    ByteOrder::Little => number.iter().rev().fold(0, digit),
                };
                usize::try_from(value).unwrap_or(usize::MAX)
            })
            .collect()
    }
}

/// Encoded bytes of a file that hold an array.
#[derive(Clone, Copy)]
pub(super) struct Encoded<'a> {
    /// Whether the bytes are base64; raw otherwise.
    pub base64: bool,
    /// The bytes from the header of an array on, possibly beyond its end.
    pub bytes: &'a [u8],
    /// The position of the first of these bytes in the file, for error messages.
    pub start: usize,
}

impl<'a> Encoded<'a> {
    /// Decodes the first `count` bytes: from base64, or as they are if raw.
    fn prefix(self, name: &str, count: usize) -> Result<Cow<'a, [u8]>, Fault> {
        let prefix = if self.base64 {
            Cow::Owned(decoded(self.bytes, count).map_err(|at| {
                Fault::new(
                    Place::Byte(self.start + at),
                    match self.bytes.get(at) {
                        Some(&b) => format!("{:?} in {name}", char::from(b)),
                        None => format!("{name}, truncated"),
                    },
                    "base64",
                )
            })?)
        } else {
            Cow::Borrowed(&self.bytes[..self.bytes.len().min(count)])
        };
        if prefix.len() < count {
            return Err(Fault::new(
                Place::Byte(self.start),
                format!("{name} with {} bytes", prefix.len()),
                format!("{count} bytes, header included"),
            ));
        }
        Ok(prefix)
    }

    /// Decodes the first `count` numbers of the header of the array.
    fn header(self, layout: Layout, name: &str, count: usize) -> Result<Vec<usize>, Fault> {
        let size = count.saturating_mul(layout.header);
        Ok(layout.numbers(&self.prefix(name, size)?))
    }

    /// Decodes an array of `size` bytes that is not compressed. Also returns the number of bytes
    /// read, including the header and after base64 decoding.
    pub fn whole(
        self,
        layout: Layout,
        name: &str,
        size: usize,
    ) -> Result<(Cow<'a, [u8]>, usize), Fault> {
        let claimed = self.header(layout, name, 1)?[0];
        if claimed != size {
            return Err(self.claims(name, claimed, size));
        }
        let total = size.saturating_add(layout.header);
        let bytes = match self.prefix(name, total)? {
            Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[layout.header..]),
            Cow::Owned(mut bytes) => {
                bytes.drain(..layout.header);
                Cow::Owned(bytes)
            }
        };
        Ok((bytes, total))
    }

    /// Decodes an array of `size` bytes from compressed blocks. Also returns the number of
    /// compressed bytes read, including the header and after base64 decoding.
    pub fn inflated(
        self,
        layout: Layout,
        name: &str,
        size: usize,
    ) -> Result<(Cow<'a, [u8]>, usize), Fault> {
        let blocks = self.header(layout, name, 1)?[0];
        if blocks == 0 {
            return Err(self.claims(name, 0, size));
        }
        let header = self.header(layout, name, 3)?;
        let (full, rest) = (header[1], header[2]);
        let last = if rest == 0 { full } else { rest };
        let claimed = (blocks - 1).checked_mul(full);
        let claimed = claimed.and_then(|n| n.checked_add(last));
        if full == 0 || last > full || claimed != Some(size) {
            return Err(Fault::new(
                Place::Byte(self.start),
                format!("{name} in {blocks} blocks of {full} bytes, {last} in the last"),
                format!("{size} bytes in all"),
            ));
        }
        let sizes = self
            .header(layout, name, blocks.saturating_add(3))?
            .split_off(3);
        let header = (3 + blocks) * layout.header;
        let mut pieces = Vec::with_capacity(blocks);
        let mut end = header;
        for (i, &packed) in sizes.iter().enumerate() {
            let unpacked = if i + 1 < blocks { full } else { last };
            if packed.saturating_mul(GREATEST_GROWTH) < unpacked {
                return Err(Fault::new(
                    Place::Byte(self.start),
                    format!("{name}, block {i} of {packed} bytes for {unpacked}"),
                    format!("a compression of at most 1:{GREATEST_GROWTH}"),
                ));
            }
            let begin = end;
            end = end.saturating_add(packed);
            pieces.push(begin..end);
        }
        let bytes = self.prefix(name, end)?;
        let mut out = vec![0; size];
        let fault = out
            .par_chunks_mut(full)
            .zip(&pieces)
            .enumerate()
            .map_init(
                || Decompress::new(true),
                |inflater, (i, (out, piece))| {
                    inflater.reset(true);
                    let expected = out.len();
                    match inflater.decompress(&bytes[piece.clone()], out, FlushDecompress::Finish) {
                        Ok(Status::StreamEnd) if inflater.total_out() == expected as u64 => None,
                        Ok(Status::StreamEnd) => Some((
                            i,
                            format!("{} bytes, expected {expected}", inflater.total_out()),
                        )),
                        Ok(_) => Some((i, "no end of its stream".to_owned())),
                        Err(error) => Some((i, error.to_string())),
                    }
                },
            )
            .find_map_first(|fault| fault);
        match fault {
            None => Ok((Cow::Owned(out), end)),
            Some((i, what)) => Err(Fault::new(
                Place::Byte(self.start),
                format!("{name}, block {i}: {what}"),
                "a zlib stream as long as its header says",
            )),
        }
    }

    fn claims(self, name: &str, claimed: usize, size: usize) -> Fault {
        Fault::new(
            Place::Byte(self.start),
            format!("{name} with a header of {claimed} bytes"),
            format!("{size} bytes"),
        )
    }
}
