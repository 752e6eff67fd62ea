//! The declarations that the rewriting must know: the names of types, and functions and variables
//! that are declared without a type.

use rustc_hash::FxHashSet;

use super::attribute::{item_end, read_specifier};
use super::token::{Kind, Token};

/// The tokens of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tokens<'s> {
    pub source: &'s [u8],
    pub list: &'s [Token],
}

impl<'s> Tokens<'s> {
    pub fn kind(self, at: usize) -> Kind {
        self.list.get(at).map_or(Kind::End, |token| token.kind)
    }

    pub fn text(self, at: usize) -> &'s [u8] {
        self.list.get(at).map_or(b"", |token| token.text(self.source))
    }

    /// The index of the bracket that matches the one at `at`.
    pub fn mate(self, at: usize) -> usize {
        self.list[at].mate as usize
    }

    /// The index of the first token from `at` on that belongs to no attribute.
    pub fn skip_attributes(self, mut at: usize) -> usize {
        let mut ignored = Vec::new();
        loop {
            if self.kind(at) == Kind::Extension {
                at += 1;
                continue;
            }
            match read_specifier(self.source, self.list, at, &mut ignored) {
                Some(next) => at = next,
                None => return at,
            }
        }
    }

    /// The index after the token at `at`, or after the whole group if it opens one.
    pub fn skip_group(self, at: usize) -> usize {
        match self.kind(at) {
            Kind::LParen | Kind::LBracket | Kind::LBrace => self.mate(at) + 1,
            _ => at + 1,
        }
    }

    /// The first comma or semicolon from `at` on that is in no group which begins after `at`.
    fn end_of_declarator(self, mut at: usize) -> usize {
        loop {
            match self.kind(at) {
                Kind::Comma | Kind::Semi | Kind::End | Kind::RBrace | Kind::Typedef => return at,
                _ => at = self.skip_group(at),
            }
        }
    }

    /// The semicolon that ends the simple statement around `at`, or the token that shows it is
    /// missing.
    pub fn end_of_statement(self, mut at: usize) -> usize {
        loop {
            match self.kind(at) {
                Kind::Semi | Kind::End | Kind::RBrace => return at,
                // These begin another statement; stopping here keeps the effort linear.
                Kind::Goto | Kind::Asm | Kind::LocalLabel => return at,
                _ => at = self.skip_group(at),
            }
        }
    }

    /// The end of the unary expression that begins at `at`.
    pub fn end_of_unary(self, mut at: usize) -> usize {
        while matches!(self.kind(at), Kind::Star | Kind::Amp | Kind::Sign | Kind::Not | Kind::Step)
        {
            at += 1;
        }
        at = self.skip_group(at);
        loop {
            at = match self.kind(at) {
                Kind::LParen | Kind::LBracket => self.skip_group(at),
                Kind::Dot | Kind::Arrow => at + 2,
                Kind::Step => at + 1,
                _ => return at.min(self.list.len()),
            };
        }
    }

    /// The comma that ends the first item of the group at `open`, if there is one.
    pub fn first_comma(self, open: usize) -> Option<usize> {
        let close = self.mate(open);
        let comma = item_end(self.list, open + 1, close);
        (comma < close).then_some(comma)
    }
}

/// Names that `typedef` declares anywhere in the text. Scopes are not distinguished, so a name
/// found here may mean something else; uses of this set must be harmless then.
pub(super) type TypeNames<'s> = FxHashSet<&'s [u8]>;

/// Adds the names that the declaration with `typedef` at index `at` declares.
pub(super) fn collect_typedef<'s>(tokens: Tokens<'s>, at: usize, names: &mut TypeNames<'s>) {
    // `int typedef T;` is correct too.
    let type_precedes = at > 0 && {
        let kind = tokens.kind(at - 1);
        kind.begins_type() || kind.is_ident()
    };
    let mut next = skip_specifiers(tokens, at + 1, type_precedes);
    loop {
        let mut name = next;
        while !tokens.kind(name).is_ident() {
            name = match tokens.kind(name) {
                Kind::Star | Kind::LParen => name + 1,
                kind if kind.modifies_declaration() => name + 1,
                Kind::Attribute | Kind::LBracket => {
                    let after = tokens.skip_attributes(name);
                    if after == name {
                        return;
                    }
                    after
                }
                _ => return,
            };
        }
        names.insert(tokens.text(name));
        let end = tokens.end_of_declarator(name + 1);
        if tokens.kind(end) != Kind::Comma {
            return;
        }
        next = end + 1;
    }
}

/// The index of the first token after the declaration specifiers that begin at `at`.
fn skip_specifiers(tokens: Tokens<'_>, mut at: usize, mut has_type: bool) -> usize {
    loop {
        let kind = tokens.kind(at);
        match kind {
            Kind::Struct | Kind::Union | Kind::Enum => {
                has_type = true;
                at = tokens.skip_attributes(at + 1);
                if tokens.kind(at).is_ident() {
                    at += 1;
                }
                if tokens.kind(at) == Kind::LBrace {
                    at = tokens.skip_group(at);
                }
            }
            Kind::Typeof | Kind::Atomic | Kind::Alignas => {
                has_type |= kind != Kind::Alignas;
                at += 1;
                if tokens.kind(at) == Kind::LParen {
                    at = tokens.skip_group(at);
                }
            }
            _ if kind.begins_type() => {
                has_type = true;
                at += 1;
            }
            _ if kind.modifies_declaration() => at += 1,
            Kind::Attribute | Kind::Extension | Kind::LBracket => {
                let after = tokens.skip_attributes(at);
                if after == at {
                    return at;
                }
                at = after;
            }
            _ if kind.is_ident() && !has_type => {
                has_type = true;
                at += 1;
            }
            _ => return at,
        }
    }
}

/// If the declaration that begins at `at` names no type, which C89 takes for `int`: the index of
/// the declared name.
pub(super) fn name_without_type(
    tokens: Tokens<'_>,
    at: usize,
    type_names: &TypeNames<'_>,
) -> Option<usize> {
    let mut name = at;
    loop {
        let after = tokens.skip_attributes(name);
        if tokens.kind(after).modifies_declaration() {
            name = after + 1;
        } else if after == name {
            break;
        } else {
            name = after;
        }
    }
    if !tokens.kind(name).is_ident() || type_names.contains(tokens.text(name)) {
        return None;
    }
    let declares = match tokens.kind(name + 1) {
        // With a star inside, the name is more likely that of an unknown type.
        Kind::LParen => tokens.kind(name + 2) != Kind::Star,
        Kind::Assign => tokens.text(name + 1) == b"=",
        Kind::Semi | Kind::Comma | Kind::LBracket => true,
        _ => false,
    };
    declares.then_some(name)
}

/// The parameters of the function whose header is `header` that have the name of a type.
pub(super) fn parameters_named_as_types<'a, 's>(
    tokens: Tokens<'s>,
    header: std::ops::Range<usize>,
    type_names: &'a TypeNames<'s>,
) -> impl Iterator<Item = usize> + 'a
where
    's: 'a,
{
    header.filter(move |&at| {
        tokens.kind(at).is_ident()
            && matches!(tokens.kind(at + 1), Kind::Comma | Kind::RParen | Kind::LBracket)
            && at > 0
            && follows_type(tokens, at - 1)
            && type_names.contains(tokens.text(at))
    })
}

/// Whether an identifier after the token at `at` is a declared name rather than a type.
fn follows_type(tokens: Tokens<'_>, mut at: usize) -> bool {
    while at > 0 && matches!(tokens.kind(at), Kind::Qualifier | Kind::Volatile) {
        at -= 1;
    }
    let kind = tokens.kind(at);
    match kind {
        Kind::Struct | Kind::Union | Kind::Enum => false,
        Kind::Star | Kind::RBrace => true,
        _ => kind.is_ident() || kind.begins_type(),
    }
}
