//! Base64 decoder for VTK: several encoded parts one after another, each with its
//! own padding, and white space anywhere.

const BLANK: u8 = 0x40;
const PADDING: u8 = 0x41;
const WRONG: u8 = 0xff;

/// Decoding table: the six bits of each base64 character. White space is `BLANK`, `=` is `PADDING`,
/// any other byte is `WRONG`.
const BITS: [u8; 256] = {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bits = [WRONG; 256];
    let mut i = 0;
    while i < 64 {
        bits[alphabet[i] as usize] = i as u8;
        i += 1;
    }
    bits[b' ' as usize] = BLANK;
    bits[b'\t' as usize] = BLANK;
    bits[b'\r' as usize] = BLANK;
    bits[b'\n' as usize] = BLANK;
    bits[b'=' as usize] = PADDING;
    bits
};

/// Decodes a base64 text up to `count` decoded bytes, or fewer if the text ends before. The error
/// is the position of an invalid character.
pub(super) fn decoded(text: &[u8], count: usize) -> Result<Vec<u8>, usize> {
    let mut out = vec![0; count.min(text.len() / 4 * 3 + 3)];
    let mut at = 0;
    let mut filled = 0;
    while filled < out.len() {
        // Fast path: four characters of the alphabet in a row.
        let groups = text[at..].as_chunks::<4>().0.iter();
        let slots = out[filled..].as_chunks_mut::<3>().0.iter_mut();
        let mut whole = 0;
        for (group, slot) in groups.zip(slots) {
            let bits = group.map(|character| BITS[character as usize]);
            if bits.iter().any(|&six| six >= BLANK) {
                break;
            }
            *slot = joined(bits);
            whole += 1;
        }
        at += 4 * whole;
        filled += 3 * whole;
        if filled == out.len() {
            break;
        }
        match group(text, &mut at)? {
            Some((bytes, used)) => {
                let used = used.min(out.len() - filled);
                out[filled..filled + used].copy_from_slice(&bytes[..used]);
                filled += used;
            }
            None => break,
        }
    }
    out.truncate(filled);
    Ok(out)
}

/// Decodes the next group of four characters, which may contain blanks and padding; returns three
/// bytes and how many of them are valid. `None` at the end of the text.
fn group(text: &[u8], at: &mut usize) -> Result<Option<([u8; 3], usize)>, usize> {
    let mut bits = [0; 4];
    let mut filled = 0;
    let mut padding = 0;
    while filled < 4 {
        let Some(&character) = text.get(*at) else {
            // Missing padding at the end is accepted.
            return match filled {
                0 => Ok(None),
                1 => Err(*at),
                _ => Ok(Some((joined(bits), filled - padding - 1))),
            };
        };
        match BITS[character as usize] {
            BLANK => {}
            PADDING if filled >= 2 => {
                padding += 1;
                filled += 1;
            }
            six if six < BLANK && padding == 0 => {
                bits[filled] = six;
                filled += 1;
            }
            _ => return Err(*at),
        }
        *at += 1;
    }
    Ok(Some((joined(bits), 3 - padding)))
}

fn joined([a, b, c, d]: [u8; 4]) -> [u8; 3] {
    [a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_with_padding_follow_each_other() {
        assert_eq!(decoded(b"TWFu", 9), Ok(b"Man".to_vec()));
        assert_eq!(decoded(b"TWE=TWFu", 9), Ok(b"MaMan".to_vec()));
        assert_eq!(decoded(b"TQ==\n T W F u", 9), Ok(b"MMan".to_vec()));
        assert_eq!(decoded(b"TWFuTWFu", 4), Ok(b"ManM".to_vec()));
        assert_eq!(decoded(b"TWE", 9), Ok(b"Ma".to_vec()));
        assert_eq!(decoded(b"TQ", 9), Ok(b"M".to_vec()));
        assert_eq!(decoded(b"TQ=", 9), Ok(b"M".to_vec()));
        assert_eq!(decoded(b"  ", 9), Ok(vec![]));
    }

    #[test]
    fn invalid_characters_are_found() {
        assert_eq!(decoded(b"TW*u", 9), Err(2));
        assert_eq!(decoded(b"TWFu=", 9), Err(4));
        assert_eq!(decoded(b"TQ=u", 9), Err(3));
        assert_eq!(decoded(b"T", 9), Err(1));
        assert_eq!(decoded(b"TWFu<", 3), Ok(b"Man".to_vec()));
    }
}
