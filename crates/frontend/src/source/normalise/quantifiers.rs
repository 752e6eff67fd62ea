//! CBMC's quantifiers and its implication.
//!
//! `__CPROVER_forall { T i; e }` becomes a statement expression that guesses the answer. Where it guesses no, some `i`
//! must be found for which `e` does not hold; where it guesses yes, nothing is asked. So every execution is among
//! those that are left, more are, and none of them is a counterexample. `__CPROVER_exists` is its mirror image.

use super::Rewriter;
use crate::source::token::Kind;

impl Rewriter<'_> {
    /// Finds all quantifiers and implications, and what has to be inserted for them.
    pub(super) fn plan_quantifiers(&mut self) {
        let is_quantifier = |at: usize| {
            let name = self.tokens.text(at);
            (name == FORALL || name == EXISTS) && self.tokens.kind(at + 1) == Kind::LBrace
        };
        let count = self.tokens.list.len();
        let quantifiers: Vec<usize> = (0..count).filter(|&at| is_quantifier(at)).collect();
        let implications: Vec<usize> = (0..count).filter(|&at| self.is_implication(at)).collect();
        // Of texts for the same place, the one that is planned first comes first.
        for &at in &quantifiers {
            let condition = match self.tokens.text(at) == FORALL {
                true => "if(!__ravelin_holds)__ravelin_assume(!(",
                false => "if(__ravelin_holds)__ravelin_assume((",
            };
            let mut body = at + 2;
            while !matches!(self.tokens.kind(body), Kind::Semi | Kind::RBrace | Kind::End) {
                body = self.tokens.skip_group(body);
            }
            self.insert_before(body + 1, condition);
        }
        for &at in &implications {
            self.insert_before(self.start_of_operand(at), "!(");
            self.insert_before(self.end_of_operand(at + 2), ")");
        }
        for &at in &quantifiers {
            let close = self.tokens.mate(at + 1);
            self.insert_before(close, "));__ravelin_holds;})");
            self.quantifier_ends.push(close);
        }
    }

    /// The token that a quantifier begins with becomes the beginning of its expression; returns the index after its
    /// brace.
    pub(super) fn quantifier(&mut self, at: usize) -> Option<usize> {
        let close = (self.tokens.kind(at + 1) == Kind::LBrace).then(|| self.tokens.mate(at + 1))?;
        if !self.quantifier_ends.contains(&close) || self.tokens.kind(at) != Kind::Ident {
            return None;
        }
        let token = self.tokens.list[at];
        self.out.replace(token, "({_Bool __ravelin_holds=__ravelin_quantified();");
        self.depth += 1;
        self.at_start = true;
        Some(at + 2)
    }

    /// `==>` is read as two tokens.
    pub(super) fn is_implication(&self, at: usize) -> bool {
        self.tokens.text(at) == b"=="
            && self.tokens.text(at + 1) == b">"
            && self.tokens.list[at].end == self.tokens.list[at + 1].start
    }

    /// Where the operand before an implication begins: only `?:`, assignments and commas bind less.
    fn start_of_operand(&self, at: usize) -> usize {
        let mut start = at;
        while let Some(before) = start.checked_sub(1) {
            start = match self.tokens.kind(before) {
                Kind::RParen | Kind::RBracket | Kind::RBrace => self.tokens.mate(before),
                Kind::LParen | Kind::LBracket | Kind::LBrace => return start,
                Kind::Semi | Kind::Comma | Kind::Assign | Kind::Question | Kind::Colon => {
                    return start;
                }
                Kind::Jump => return start,
                _ if before > 0 && self.is_implication(before - 1) => return start,
                _ => before,
            };
        }
        start
    }

    /// The index after the operand that begins at `at`.
    fn end_of_operand(&self, mut at: usize) -> usize {
        loop {
            match self.tokens.kind(at) {
                Kind::RParen | Kind::RBracket | Kind::RBrace | Kind::End => return at,
                Kind::Semi | Kind::Comma | Kind::Question | Kind::Colon => return at,
                _ => at = self.tokens.skip_group(at),
            }
        }
    }
}

const FORALL: &[u8] = b"__CPROVER_forall";
const EXISTS: &[u8] = b"__CPROVER_exists";
