//! Respells identifiers, numbers and literals that the parser rejects, without a change of meaning.

use std::borrow::Cow;

use super::lex::{Malformed, first_char, universal_character};

/// Names with this prefix belong to Ravelin: the rewriting and the library models use them.
pub(super) const RESERVED_PREFIX: &[u8] = b"__ravelin_";

/// The prefix of respelled identifiers. Programs cannot contain such a name, since names with
/// [`RESERVED_PREFIX`] are respelled themselves.
const IDENT_PREFIX: &str = "__ravelin_id_";

/// Respells an identifier, injectively: letters and digits stand for themselves, two underscores
/// for one, and an underscore with two hexadecimal digits for any other byte.
pub(super) fn respell_ident(name: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(IDENT_PREFIX.as_bytes());
    let mut at = 0;
    while at < name.len() {
        // A universal character name denotes the same identifier as the character itself.
        if let Some((c, length)) = universal_character(&name[at..]) {
            let mut buffer = [0; 4];
            c.encode_utf8(&mut buffer).bytes().for_each(|byte| respell_byte(byte, out));
            at += length;
        } else {
            respell_byte(name[at], out);
            at += 1;
        }
    }
}

fn respell_byte(byte: u8, out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    match byte {
        b'_' => out.extend_from_slice(b"__"),
        _ if byte.is_ascii_alphanumeric() => out.push(byte),
        _ => out.extend([b'_', HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]),
    }
}

/// The name as the program spells it, from the name that the syntax tree has.
///
/// ```
/// use ravelin_frontend::source::original_name;
/// assert_eq!(original_name("main"), "main");
/// assert_eq!(original_name("__ravelin_id_lock_24__a"), "lock$_a");
/// ```
pub fn original_name(name: &str) -> Cow<'_, str> {
    let Some(spelled) = name.strip_prefix(IDENT_PREFIX) else { return Cow::Borrowed(name) };
    let mut bytes = Vec::with_capacity(spelled.len());
    let mut rest = spelled.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        if *first != b'_' {
            bytes.push(*first);
            continue;
        }
        let digit = |byte: &u8| (*byte as char).to_digit(16);
        match rest {
            [b'_', tail @ ..] => {
                bytes.push(b'_');
                rest = tail;
            }
            [high, low, tail @ ..] if digit(high).is_some() && digit(low).is_some() => {
                let value = digit(high).unwrap_or(0) * 16 + digit(low).unwrap_or(0);
                bytes.push(value as u8);
                rest = tail;
            }
            _ => return Cow::Borrowed(name),
        }
    }
    String::from_utf8(bytes).map_or(Cow::Borrowed(name), Cow::Owned)
}

/// Respells a number without digit separators and with suffixes that the parser knows.
pub(super) fn respell_number(text: &[u8], out: &mut Vec<u8>) {
    let (digits, suffix): (_, &[u8]) = match text {
        // GNU's suffixes for `__float128` and `__float80`.
        [digits @ .., b'q' | b'Q'] => (digits, b"f128"),
        [digits @ .., b'w' | b'W'] => (digits, b"f64x"),
        _ => (text, b""),
    };
    out.extend(digits.iter().filter(|&&byte| byte != b'\''));
    out.extend_from_slice(suffix);
}

/// Respells a string literal or character constant that stands at offset `start`.
pub(super) fn respell_literal(
    text: &[u8],
    start: usize,
    out: &mut Vec<u8>,
) -> Result<(), Malformed> {
    let quote = text.iter().position(|byte| matches!(byte, b'"' | b'\'')).unwrap_or(0);
    let prefix = &text[..quote];
    if prefix == b"u8" && text[quote] == b'\'' {
        // C23 6.4.4.4: such a constant has the type `unsigned char`.
        out.extend_from_slice(b"((unsigned char)");
        respell_literal(&text[quote..], start + quote, out)?;
        out.push(b')');
        return Ok(());
    }
    out.extend_from_slice(&text[..=quote]);
    let mut at = quote + 1;
    while at < text.len() {
        let rest = &text[at..];
        at += match rest {
            [b'\\', b'u' | b'U', ..] => respell_universal(rest, start + at, out)?,
            [b'\\', b'e' | b'E', ..] => {
                out.extend_from_slice(b"\\033");
                2
            }
            [b'\\', b'x', digit, ..] if digit.is_ascii_hexdigit() => {
                out.extend_from_slice(&rest[..3]);
                3
            }
            [b'\\', b'x', ..] => {
                let message = "\\x without hexadecimal digits";
                return Err(Malformed::new(start + at, start + at + 2, message));
            }
            [b'\\', c, ..] if is_simple_escape(*c) => {
                out.extend_from_slice(&rest[..2]);
                2
            }
            // gcc takes an unknown escape sequence for the character itself.
            [b'\\', ..] => 1,
            [0, ..] => {
                out.extend_from_slice(b"\\000");
                1
            }
            [byte @ 0x80..=0xff, ..] => match first_char(rest) {
                Some(c) => {
                    out.extend_from_slice(&rest[..c.len_utf8()]);
                    c.len_utf8()
                }
                // The bytes of a plain literal are taken as they are (gcc, C11 5.1.1.2p1).
                None if prefix.is_empty() => {
                    let octal = |shift: u8| b'0' + (byte >> shift & 7);
                    out.extend([b'\\', octal(6), octal(3), octal(0)]);
                    1
                }
                None => {
                    let message =
                        format!("byte 0x{byte:02x} is not valid UTF-8, in a literal with a prefix");
                    return Err(Malformed::new(start + at, start + at + 1, message));
                }
            },
            [byte, ..] => {
                out.push(*byte);
                1
            }
            [] => break,
        };
    }
    Ok(())
}

fn is_simple_escape(c: u8) -> bool {
    matches!(
        c,
        b'\'' | b'"' | b'?' | b'\\' | b'a' | b'b' | b'f' | b'n' | b'r' | b't' | b'v' | b'0'..=b'7'
    )
}

fn respell_universal(text: &[u8], start: usize, out: &mut Vec<u8>) -> Result<usize, Malformed> {
    // C11 6.4.3p2 rules out control characters and what has a spelling of its own.
    let c =
        universal_character(text).filter(|&(c, _)| c >= '\u{a0}' || matches!(c, '$' | '@' | '`'));
    let Some((c, length)) = c else {
        return Err(Malformed::new(start, start + 2, "invalid universal character name"));
    };
    let mut buffer = [0; 4];
    out.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes());
    Ok(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ident(name: &str) -> String {
        let mut out = Vec::new();
        respell_ident(name.as_bytes(), &mut out);
        String::from_utf8(out).unwrap()
    }

    fn literal(text: &[u8]) -> Result<String, String> {
        let mut out = Vec::new();
        respell_literal(text, 0, &mut out).map_err(|error| error.message)?;
        Ok(String::from_utf8(out).unwrap())
    }

    #[test]
    fn names_come_back() {
        for name in ["a$b", "$", "__ravelin_goto", "naïve_x", "a_24", "a$_24__", "x__$"] {
            let spelled = ident(name);
            assert!(spelled.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'));
            assert_eq!(original_name(&spelled), name);
        }
        assert_eq!(ident("na\\u00efve"), ident("naïve"));
        assert_eq!(original_name("plain"), "plain");
        assert_eq!(original_name("__ravelin_id_broken_"), "__ravelin_id_broken_");
    }

    #[test]
    fn numbers() {
        let number = |text: &str| {
            let mut out = Vec::new();
            respell_number(text.as_bytes(), &mut out);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(number("1'000'000u"), "1000000u");
        assert_eq!(number("1.5Q"), "1.5f128");
        assert_eq!(number("2.w"), "2.f64x");
    }

    #[test]
    fn literals_keep_their_bytes() {
        assert_eq!(literal(b"\"caf\xe91\""), Ok("\"caf\\3511\"".to_owned()));
        assert_eq!(literal("L\"é\"".as_bytes()), Ok("L\"é\"".to_owned()));
        assert_eq!(literal(b"\"\\e[0m\\q\\n\\x1b\\8\""), Ok("\"\\033[0mq\\n\\x1b8\"".to_owned()));
        assert_eq!(literal(b"\"\\u00e9\\U0001F600\""), Ok("\"é😀\"".to_owned()));
        assert_eq!(literal(b"\"a\0b\""), Ok("\"a\\000b\"".to_owned()));
        assert_eq!(literal(b"u8'a'"), Ok("((unsigned char)'a')".to_owned()));
        assert_eq!(literal(b"\"\\u0041\""), Err("invalid universal character name".to_owned()));
        assert_eq!(literal(b"\"\\xg\""), Err("\\x without hexadecimal digits".to_owned()));
        assert!(literal(b"L\"\xe9\"").is_err());
    }
}
