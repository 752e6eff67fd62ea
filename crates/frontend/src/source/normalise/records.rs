//! Attributes, and the structs, unions and enums that they change.

use super::{Body, Rewriter};
use crate::source::attribute::{Attribute, read_specifier};
use crate::source::escape::respell_ident;
use crate::source::lex::Malformed;
use crate::source::token::{Kind, Token};

impl Rewriter<'_> {
    /// If attributes begin at `at`, keeps the relevant ones; returns the index after them.
    pub(super) fn attribute(&mut self, at: usize) -> Result<Option<usize>, Malformed> {
        let mut kept = std::mem::take(&mut self.attributes);
        let next = read_specifier(self.tokens.source, self.tokens.list, at, &mut kept);
        let original = self.tokens.list[at].start;
        for (index, attribute) in kept.iter().enumerate() {
            self.out.insert(if index == 0 { "__attribute__((" } else { "," }, original);
            self.out.insert(attribute.name, original);
            if let Some(arguments) = &attribute.arguments {
                self.out.insert("(", original);
                self.rewrite_apart(arguments.clone())?;
                self.out.insert(")", original);
            }
        }
        if !kept.is_empty() {
            self.out.insert("))", original);
        }
        kept.clear();
        self.attributes = kept;
        Ok(next)
    }

    /// Collects the attributes of a type from `at` on; returns the index after them.
    fn collect_attributes(&self, mut at: usize, kept: &mut Vec<Attribute>) -> usize {
        while let Some(next) = read_specifier(self.tokens.source, self.tokens.list, at, kept) {
            at = next;
        }
        at
    }

    /// The head of a struct, union or enum: the index of its opening brace, if it has a body.
    fn type_head(&mut self, at: usize, kept: &mut Vec<Attribute>) -> (usize, Option<usize>) {
        self.out.copy(self.tokens.list[at]);
        let mut next = self.collect_attributes(at + 1, kept);
        if self.tokens.kind(next).is_ident() {
            let tag = self.tokens.list[next];
            match tag.kind {
                Kind::OddIdent => self.respell(tag, respell_ident),
                _ => self.out.copy(tag),
            }
            next += 1;
        }
        let open = self.collect_attributes(next, &mut Vec::new());
        if self.tokens.kind(open) != Kind::LBrace {
            return (next, None);
        }
        self.collect_attributes(next, kept);
        let close = self.tokens.mate(open);
        let resume = self.collect_attributes(close + 1, kept);
        self.open(self.tokens.list[open], "{");
        self.at_start = true;
        self.bodies.push(Body { close, resume, depth: self.depth });
        (open + 1, Some(open))
    }

    /// A struct or union: its attributes become pseudo-members, for which the parser has room.
    pub(super) fn record(&mut self, at: usize) -> Result<usize, Malformed> {
        let mut kept = Vec::new();
        let (next, open) = self.type_head(at, &mut kept);
        let Some(open) = open else { return Ok(next) };
        // gcc takes a last member without semicolon.
        let close = self.tokens.mate(open);
        if close > open + 1 && self.tokens.kind(close - 1) != Kind::Semi {
            self.insert_before(close, ";");
        }
        // gcc lays a record out where it ends; a pragma may stand among its members.
        let limit = self.pack_limit(self.tokens.mate(open));
        if limit != 0 {
            let text = format!("_Static_assert({limit},\"ravelin:pack\");");
            self.out.insert(&text, self.tokens.list[at].start);
        }
        for Attribute { name, arguments, token } in kept {
            let original = self.tokens.list[token].start;
            let member = match name {
                "aligned" => {
                    self.out.insert("_Static_assert(", original);
                    match arguments {
                        Some(arguments) => self.rewrite_apart(arguments)?,
                        // The largest alignment that the target uses for any type.
                        None => self.out.insert("16", original),
                    }
                    ",\"ravelin:aligned\");"
                }
                "packed" => "_Static_assert(1,\"ravelin:packed\");",
                "transparent_union" => "_Static_assert(1,\"ravelin:transparent_union\");",
                "scalar_storage_order" => "_Static_assert(1,\"ravelin:scalar_storage_order\");",
                "ms_struct" => "_Static_assert(1,\"ravelin:ms_struct\");",
                // The others do not apply to types.
                _ => continue,
            };
            self.out.insert(member, original);
        }
        Ok(next)
    }

    /// The alignment that `#pragma pack` allows at the token `at`.
    fn pack_limit(&self, at: usize) -> u32 {
        let before = self.packs.partition_point(|&(first, _)| first as usize <= at);
        before.checked_sub(1).map_or(0, |last| self.packs[last].1)
    }

    /// Whether the colon at `at` is that of a bit-field without name that has attributes, for which
    /// the parser has room only where there is a name.
    pub(super) fn is_unnamed_with_attributes(&self, at: usize) -> bool {
        let in_record = self.bodies.last().is_some_and(|body| body.depth == self.depth);
        if !in_record || at < 2 {
            return false;
        }
        let mut next = at + 1;
        while !matches!(self.tokens.kind(next), Kind::Attribute | Kind::Comma | Kind::Semi) {
            if matches!(self.tokens.kind(next), Kind::End | Kind::RBrace) {
                return false;
            }
            next = self.tokens.skip_group(next);
        }
        let (before, name) = (self.tokens.kind(at - 2), at - 1);
        let is_type = matches!(before, Kind::Struct | Kind::Union | Kind::Enum)
            || (self.type_names.contains(self.tokens.text(name))
                && !before.is_ident()
                && !before.begins_type());
        self.tokens.kind(next) == Kind::Attribute && (!self.tokens.kind(name).is_ident() || is_type)
    }

    /// An enum: the parser has room for its attributes at the first constant.
    pub(super) fn enumeration(&mut self, at: usize) -> Result<usize, Malformed> {
        let mut kept = Vec::new();
        let (next, open) = self.type_head(at, &mut kept);
        let Some(open) = open else { return Ok(next) };
        for attribute in kept {
            let Token { start, end, .. } = self.tokens.list[attribute.token];
            match attribute.name {
                "packed" => self.insert_before(open + 2, "__attribute__((packed))"),
                "aligned" | "mode" | "vector_size" => {
                    let message =
                        format!("attribute '{}' of an enum is not supported", attribute.name);
                    return Err(Malformed::new(start as usize, end as usize, message));
                }
                _ => {}
            }
        }
        Ok(next)
    }
}
