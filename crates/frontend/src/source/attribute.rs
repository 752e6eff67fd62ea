//! Attributes, in GNU's and in C23's notation: which of them change the meaning of a program.

use std::ops::Range;

use super::token::{Kind, Token};

/// An attribute that the lowering needs.
#[derive(Clone, Debug)]
pub(super) struct Attribute {
    pub name: &'static str,
    /// Indices of the tokens between its parentheses.
    pub arguments: Option<Range<usize>>,
    /// The index of its name.
    pub token: usize,
}

/// The attributes that matter, without the underscores that may surround their names. Others give
/// hints to the optimiser, the linker or for warnings.
const KEPT: &[&str] = &[
    "packed",
    "aligned",
    "mode",
    "vector_size",
    "cleanup",
    "constructor",
    "destructor",
    "noreturn",
    "alias",
    "weak",
    "weakref",
    "ifunc",
    "transparent_union",
    "scalar_storage_order",
    "ms_struct",
];

/// If an attribute specifier begins at the token `at`: the index of the token after it. Adds
/// relevant attributes to `kept`.
pub(super) fn read_specifier(
    source: &[u8],
    tokens: &[Token],
    at: usize,
    kept: &mut Vec<Attribute>,
) -> Option<usize> {
    let opens = |index: usize, kind: Kind| tokens.get(index).is_some_and(|t| t.kind == kind);
    // `__attribute__((...))` or `[[...]]`: two brackets that close together.
    let (outer, bracket) = match tokens.get(at)?.kind {
        Kind::Attribute => (at + 1, Kind::LParen),
        Kind::LBracket => (at, Kind::LBracket),
        _ => return None,
    };
    if !opens(outer, bracket) || !opens(outer + 1, bracket) {
        return None;
    }
    let (outer_end, inner_end) = (tokens[outer].mate as usize, tokens[outer + 1].mate as usize);
    if inner_end + 1 != outer_end {
        return None;
    }
    let mut item = outer + 2;
    while item < inner_end {
        let end = item_end(tokens, item, inner_end);
        read_item(source, tokens, item..end, kept);
        item = end + 1;
    }
    Some(outer_end + 1)
}

/// The index of the comma or bracket that ends the list item which begins at `from`.
pub(super) fn item_end(tokens: &[Token], from: usize, limit: usize) -> usize {
    let mut at = from;
    while at < limit {
        at = match tokens[at].kind {
            Kind::Comma => return at,
            Kind::LParen | Kind::LBracket | Kind::LBrace => tokens[at].mate as usize + 1,
            _ => at + 1,
        };
    }
    limit
}

fn read_item(source: &[u8], tokens: &[Token], item: Range<usize>, kept: &mut Vec<Attribute>) {
    // C23's prefix, as in `gnu::packed`.
    let is_colon = |index: usize| tokens[index].kind == Kind::Colon;
    let name = match item.len() {
        4.. if is_colon(item.start + 1) && is_colon(item.start + 2) => item.start + 3,
        1.. => item.start,
        0 => return,
    };
    let text = tokens[name].text(source);
    let bare = text.strip_prefix(b"__").and_then(|text| text.strip_suffix(b"__")).unwrap_or(text);
    // C23 7.23: the attribute has been `_Noreturn` in the first drafts.
    let bare = if bare == b"_Noreturn" { b"noreturn" } else { bare };
    let Some(&known) = KEPT.iter().find(|known| known.as_bytes() == bare) else { return };
    let arguments = match tokens[name + 1..item.end] {
        [Token { kind: Kind::LParen, mate, .. }, ..] => Some(name + 2..mate as usize),
        _ => None,
    };
    kept.push(Attribute { name: known, arguments, token: name });
}
