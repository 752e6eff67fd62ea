//! Line continuations: a backslash at the end of a line joins it with the next (C11 5.1.1.2p1).

use std::borrow::Cow;

use ravelin_base::source::OffsetMap;

/// Joins continued lines. Without any, which is usual for preprocessed text, nothing is copied.
pub(super) fn splice_lines(source: &[u8]) -> (Cow<'_, [u8]>, Option<OffsetMap>) {
    let Some(first) = next_splice(source, 0) else { return (Cow::Borrowed(source), None) };
    let mut text = Vec::with_capacity(source.len());
    let mut map = OffsetMap::default();
    let mut from = 0;
    let mut splice = Some(first);
    while let Some((start, end)) = splice {
        map.copied(text.len() as u32, from as u32);
        text.extend_from_slice(&source[from..start]);
        from = end;
        splice = next_splice(source, end);
    }
    map.copied(text.len() as u32, from as u32);
    text.extend_from_slice(&source[from..]);
    (Cow::Owned(text), Some(map))
}

/// The next backslash with the end of its line, from `from` on.
fn next_splice(source: &[u8], from: usize) -> Option<(usize, usize)> {
    let mut at = from;
    loop {
        let newline = at + source[at..].iter().position(|&byte| byte == b'\n')?;
        // gcc allows white space after the backslash.
        let line = source[at..newline].trim_ascii_end();
        if line.ends_with(b"\\") {
            return Some((at + line.len() - 1, newline + 1));
        }
        at = newline + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &str) {
        let (text, map) = splice_lines(source.as_bytes());
        assert_eq!(String::from_utf8_lossy(&text), expected);
        if let Some(map) = map {
            for (offset, &byte) in text.iter().enumerate() {
                assert_eq!(source.as_bytes()[map.original(offset as u32) as usize], byte);
            }
        }
    }

    #[test]
    fn joins_lines() {
        check("a b\nc\n", "a b\nc\n");
        check("a\\\nb", "ab");
        check("a\\\r\nb\\  \nc\n", "abc\n");
        check("\\\n\\\nx\\\n", "x");
        check("x\\\n\ny", "x\ny");
        check("x\\", "x\\");
        check("\"a\\n\"\nb", "\"a\\n\"\nb");
    }
}
