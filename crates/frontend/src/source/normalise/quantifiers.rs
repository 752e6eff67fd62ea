//! CBMC's quantifiers and its implication.
//!
//! `__CPROVER_forall { T i; e }` becomes a statement expression that guesses the answer. If it
//! guesses no, there must be an `i` for which `e` does not hold; if it guesses yes, nothing is
//! checked. So this over-approximates the executions, and none of them is a counterexample.
//! `__CPROVER_exists` is the dual.
//!
//! If conditions on `i` alone bound it from both sides, as in `0 <= i && i < n ==> e`, it becomes a
//! loop over these values and one more, for which the condition does not hold: for all others the
//! answer is the same as for that one.

use std::ops::Range;

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
            if let Some(bounds) = self.bounds(at) {
                self.insert_before(bounds.semicolon, format!("=({})", bounds.from));
                self.insert_before(
                    bounds.semicolon + 1,
                    format!("for(;;{}++){{__ravelin_holds=(", bounds.variable),
                );
                self.bounded.push((at, bounds.while_inside));
                continue;
            }
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
            let text = match self.bounded.iter().find(|(bounded, _)| *bounded == at) {
                Some((_, inside)) => {
                    let not = if self.tokens.text(at) == FORALL { "!" } else { "" };
                    format!(");if({not}__ravelin_holds||!({inside}))break;}}__ravelin_holds;}})")
                }
                None => "));__ravelin_holds;})".to_owned(),
            };
            self.insert_before(close, text);
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
        let is_bounded = self.bounded.iter().any(|(bounded, _)| *bounded == at);
        let text = match is_bounded {
            true => "({_Bool __ravelin_holds;",
            false => "({_Bool __ravelin_holds=__ravelin_quantified();",
        };
        self.out.replace(token, text);
        self.depth += 1;
        self.at_start = true;
        Some(at + 2)
    }

    /// The values of its variable that a quantifier ranges over, if conditions on the variable
    /// bound them.
    fn bounds(&self, at: usize) -> Option<Bounds> {
        let close = self.tokens.mate(at + 1);
        let semicolon = (at + 2..close).find(|&it| self.tokens.kind(it) == Kind::Semi)?;
        let name = semicolon.checked_sub(1).filter(|&it| self.tokens.kind(it) == Kind::Ident)?;
        let variable = self.tokens.text(name);
        // Wide enough to count one beyond any bound that a loop reaches.
        let ty = self.spelling(at + 2..name);
        let is_unsigned = UNSIGNED.contains(&ty.as_str());
        let is_narrow = NARROW.contains(&ty.as_str());
        if !is_unsigned && !is_narrow && !SIGNED.contains(&ty.as_str()) {
            return None;
        }
        let body = semicolon + 1..close;
        let condition = match self.find_in(&body, |it| self.is_implication(it)) {
            Some(arrow) => body.start..arrow,
            None => body,
        };
        let (mut from, mut inside) = (is_unsigned.then(|| "0".to_owned()), None);
        for part in self.conjuncts(condition) {
            let Some(operator) = self
                .find_in(&part, |it| matches!(self.tokens.text(it), b"<" | b"<=" | b">" | b">="))
            else {
                continue;
            };
            let (left, right) = (part.start..operator, operator + 1..part.end);
            let is_variable =
                |side: &Range<usize>| side.len() == 1 && self.tokens.text(side.start) == variable;
            let is_less = self.tokens.text(operator)[0] == b'<';
            let is_strict = self.tokens.text(operator).len() == 1;
            let (bound, is_above) = match (is_variable(&left), is_variable(&right)) {
                (true, false) => (right, is_less),
                (false, true) => (left, !is_less),
                (true, true) | (false, false) => continue,
            };
            if !self.is_plain(&bound, variable) {
                continue;
            }
            // Only a bound that is not the largest number of all lets the loop end.
            let digits = if is_narrow { 2 } else { 9 };
            let is_small = bound.len() == 1
                && self.tokens.text(bound.start).len() <= digits
                && self.tokens.text(bound.start)[0].is_ascii_digit();
            match is_above {
                true if is_small || is_strict && !is_narrow => inside = Some(self.spelling(part)),
                true => {}
                false => from = Some(self.spelling(bound)),
            }
        }
        let variable = String::from_utf8_lossy(variable).into_owned();
        Some(Bounds { semicolon, variable, from: from?, while_inside: inside? })
    }

    /// The conditions that a conjunction consists of; one that is something else is alone.
    fn conjuncts(&self, mut range: Range<usize>) -> Vec<Range<usize>> {
        while self.tokens.kind(range.start) == Kind::LParen
            && self.tokens.mate(range.start) + 1 == range.end
        {
            range = range.start + 1..range.end - 1;
        }
        let binds_less = |it: usize| {
            matches!(self.tokens.text(it), b"||" | b"?" | b"," | b"=") || self.is_implication(it)
        };
        if self.find_in(&range, binds_less).is_some() {
            return Vec::new();
        }
        let Some(and) = self.find_in(&range, |it| self.tokens.text(it) == b"&&") else {
            return vec![range];
        };
        let mut parts = self.conjuncts(range.start..and);
        parts.extend(self.conjuncts(and + 1..range.end));
        parts
    }

    /// The first token with a property that is in no group.
    fn find_in(&self, range: &Range<usize>, is_it: impl Fn(usize) -> bool) -> Option<usize> {
        let mut at = range.start;
        while at < range.end {
            if is_it(at) {
                return Some(at);
            }
            at = self.tokens.skip_group(at);
        }
        None
    }

    /// Whether an expression has no effects, and the variable is not in it.
    fn is_plain(&self, range: &Range<usize>, variable: &[u8]) -> bool {
        let is_plain = |it: usize| {
            let text = self.tokens.text(it);
            let is_call = self.tokens.kind(it) == Kind::LParen
                && it > range.start
                && self.tokens.kind(it - 1).is_ident()
                && self.tokens.text(it - 1) != b"sizeof";
            let has_effect = matches!(text, b"++" | b"--" | b"=" | b"{") || is_call;
            let is_logical =
                matches!(text, b"<" | b">" | b"<=" | b">=" | b"==" | b"!=" | b"&" | b"|" | b"^");
            !has_effect && !is_logical && text != variable
        };
        !range.is_empty() && range.clone().all(is_plain)
    }

    fn spelling(&self, range: Range<usize>) -> String {
        let words = range.map(|it| String::from_utf8_lossy(self.tokens.text(it)));
        words.collect::<Vec<_>>().join(" ")
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

/// The range of a quantifier: the values of a variable from one on, and one beyond the last for
/// which a condition holds.
struct Bounds {
    /// The token behind the declaration of the variable.
    semicolon: usize,
    variable: String,
    from: String,
    while_inside: String,
}

const SIGNED: &[&str] =
    &["int", "signed", "signed int", "long", "long int", "long long", "int32_t", "int64_t"];
/// Only a bound of two digits is sure to be less than the largest of their values.
const NARROW: &[&str] = &["char", "signed char", "short", "short int", "int8_t", "int16_t"];
const UNSIGNED: &[&str] = &[
    "unsigned",
    "unsigned int",
    "unsigned long",
    "unsigned long int",
    "unsigned long long",
    "size_t",
    "__CPROVER_size_t",
    "uint32_t",
    "uint64_t",
];
