//! The normalised text under construction, with its map to the source.

use ravelin_base::source::OffsetMap;

use super::token::Token;

/// Collects tokens that are copied from the source and text that is inserted between them.
///
/// White space is written only where two tokens would become one without it: the parser has no
/// lexer of its own and skips the same space again for every alternative that it tries.
#[derive(Debug)]
pub(super) struct Output<'s> {
    source: &'s [u8],
    text: Vec<u8>,
    map: OffsetMap,
    /// The stretch of the source that is to be copied next, as long as it can be extended.
    run_start: u32,
    run_end: u32,
}

/// Both ends of the run when there is none: no token begins there.
const NO_RUN: u32 = u32::MAX;

/// Bytes that never join with a neighbour into one token.
static SEPARATES: [bool; 256] = {
    let mut table = [false; 256];
    let bytes = b"()[]{};,?:~ ";
    let mut index = 0;
    while index < bytes.len() {
        table[bytes[index] as usize] = true;
        index += 1;
    }
    table
};

impl<'s> Output<'s> {
    pub fn new(source: &'s [u8]) -> Self {
        let text = Vec::with_capacity(source.len() + source.len() / 16);
        Output { source, text, map: OffsetMap::default(), run_start: NO_RUN, run_end: NO_RUN }
    }

    /// Appends a token as the source spells it.
    pub fn copy(&mut self, token: Token) {
        if token.start == self.run_end {
            self.run_end = token.end;
            return;
        }
        if !self.separated_from(self.source[token.start as usize]) {
            let gap = self.source.get(self.run_end as usize..token.start as usize);
            if gap == Some(b" ") {
                self.run_end = token.end;
                return;
            }
            self.flush();
            self.text.push(b' ');
        } else {
            self.flush();
        }
        self.map.copied(self.text.len() as u32, token.start);
        self.run_start = token.start;
        self.run_end = token.end;
    }

    /// Appends text that stands for what is at offset `original` of the source.
    pub fn insert(&mut self, text: &str, original: u32) {
        let first = text.bytes().next().unwrap_or(b' ');
        self.insert_with(original, first, |out| out.extend_from_slice(text.as_bytes()));
    }

    /// Appends text in the place of a token.
    pub fn replace(&mut self, token: Token, text: &str) {
        let first = text.bytes().next().unwrap_or(b' ');
        self.replace_with(token, first, |out| out.extend_from_slice(text.as_bytes()));
    }

    /// As [`Output::replace`], with the text written by `write`, which begins with `first`.
    pub fn replace_with<T>(
        &mut self,
        token: Token,
        first: u8,
        write: impl FnOnce(&mut Vec<u8>) -> T,
    ) -> T {
        let result = self.insert_with(token.start, first, write);
        // The last bytes correspond, so that the end of the text leads to the end of the token.
        self.map.copied(self.text.len() as u32 - 1, token.end - 1);
        result
    }

    /// As [`Output::insert`], with the text written by `write`, which begins with `first`.
    fn insert_with<T>(
        &mut self,
        original: u32,
        first: u8,
        write: impl FnOnce(&mut Vec<u8>) -> T,
    ) -> T {
        let separated = self.separated_from(first);
        self.flush();
        if !separated {
            self.text.push(b' ');
        }
        self.map.inserted(self.text.len() as u32, original);
        write(&mut self.text)
    }

    /// The text and the map from its offsets to those of the source.
    pub fn finish(mut self) -> (Vec<u8>, OffsetMap) {
        self.flush();
        (self.text, self.map)
    }

    fn separated_from(&self, next: u8) -> bool {
        let last = if self.run_start < self.run_end {
            self.source[self.run_end as usize - 1]
        } else {
            self.text.last().copied().unwrap_or(b' ')
        };
        SEPARATES[last as usize] || SEPARATES[next as usize]
    }

    fn flush(&mut self) {
        if self.run_start < self.run_end {
            let run = self.run_start as usize..self.run_end as usize;
            self.text.extend_from_slice(&self.source[run]);
        }
        (self.run_start, self.run_end) = (NO_RUN, NO_RUN);
    }
}
