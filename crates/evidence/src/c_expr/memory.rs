//! Pointers, and what they lead to.

use ravelin_term::{BinOp, Object, Term, TermKind, UnOp};

use super::piece::{Integer, Level, Piece, Side, cast_text, type_name};
use super::{Writer, is_identifier};

impl Writer<'_> {
    pub(super) fn pointer_or_zero(&mut self, term: Term) -> Option<Piece> {
        match self.kind(term) {
            TermKind::Null => Some(Piece::new("0", Level::Postfix)),
            _ => self.pointer(term),
        }
    }

    pub(super) fn pointer(&mut self, term: Term) -> Option<Piece> {
        self.spend()?;
        match self.kind(term) {
            TermKind::Null => Some(Piece::new("(void *)0", Level::Unary)),
            TermKind::Var(var) => self.variable(var),
            TermKind::Address(object) => {
                Some(Piece::new(format!("&{}", self.object(object)?), Level::Unary))
            }
            TermKind::Binary(BinOp::PtrAdd, base, offset) => {
                let base = self.bytes(base)?.operand(Level::Sum, Side::Left);
                let (sign, offset) = match self.terms.pool.as_signed(offset) {
                    Some(offset) if offset < 0 => ("-", offset.unsigned_abs().to_string()),
                    Some(offset) => ("+", offset.to_string()),
                    None => {
                        let offset = self.integer(offset)?;
                        ("+", offset.piece.operand(Level::Sum, Side::Right))
                    }
                };
                Some(Piece::new(format!("{base} {sign} {offset}"), Level::Sum))
            }
            TermKind::Unary(UnOp::IntToPtr, a) => Some(cast_text("void *", self.integer(a)?.piece)),
            TermKind::Ite(cond, a, b) => {
                let cond = self.condition(cond)?.at(Level::Or);
                let (a, b) = (self.pointer_or_zero(a)?, self.pointer_or_zero(b)?);
                let text = format!("{cond} ? {} : {}", a.text, b.at(Level::Conditional));
                Some(Piece::new(text, Level::Conditional))
            }
            TermKind::Read(mem, pointer) => {
                let size = self.model().pointer_bytes();
                self.access(mem, pointer, "void *", size).map(|access| access.typed)
            }
            TermKind::Bool(_)
            | TermKind::Bv(_)
            | TermKind::Float(_)
            | TermKind::Unary(..)
            | TermKind::Binary(..)
            | TermKind::Write(..) => None,
        }
    }

    /// A pointer whose arithmetic counts bytes.
    pub(super) fn bytes(&mut self, term: Term) -> Option<Piece> {
        let is_sum = matches!(self.kind(term), TermKind::Binary(BinOp::PtrAdd, ..));
        let pointer = self.pointer(term)?;
        // A sum begins with such a pointer already.
        Some(if is_sum { pointer } else { cast_text("char *", pointer) })
    }

    pub(super) fn object(&self, object: Object) -> Option<&str> {
        let program = self.terms.program;
        let name = program.name(program.objects.get(object)?.name);
        is_identifier(name).then_some(name)
    }

    pub(super) fn read_integer(&mut self, mem: Term, pointer: Term, width: u16) -> Option<Integer> {
        let name = type_name(self.model(), width, true)?;
        let access = self.access(mem, pointer, name, u64::from(width / 8))?;
        let plain = access.object;
        Some(Integer { plain, ..Integer::new(access.typed, width, true) })
    }

    /// What memory holds at a pointer, read as this type.
    pub(super) fn access(
        &mut self,
        mem: Term,
        pointer: Term,
        name: &str,
        size: u64,
    ) -> Option<Access> {
        if !matches!(self.kind(mem), TermKind::Var(var) if self.terms.memories.contains(&var)) {
            return None;
        }
        let star = if name.ends_with('*') { format!("{name}*") } else { format!("{name} *") };
        let (base, offset) = match self.kind(pointer) {
            TermKind::Binary(BinOp::PtrAdd, base, offset) => {
                (base, self.terms.pool.as_bv(offset).and_then(|offset| u64::try_from(offset).ok()))
            }
            _ => (pointer, Some(0)),
        };
        if let (TermKind::Address(object), Some(offset)) = (self.kind(base), offset) {
            let address = self.pointer(base)?.text;
            let data = &self.terms.program.objects[object];
            if offset.is_multiple_of(size.max(1)) {
                let index = offset / size.max(1);
                let typed = match (index, data.size == size) {
                    (0, true) => Piece::new(format!("*({star}){address}"), Level::Unary),
                    _ => Piece::new(format!("(({star}){address})[{index}]"), Level::Postfix),
                };
                let is_whole = offset == 0 && data.size == size;
                let object = is_whole.then(|| address.trim_start_matches('&').to_owned());
                return Some(Access { typed, object });
            }
        }
        let pointer = self.pointer(pointer)?;
        let pointer = match pointer.level {
            Level::Postfix | Level::Unary => pointer.text,
            _ => format!("({})", pointer.text),
        };
        Some(Access {
            typed: Piece::new(format!("*({star}){pointer}"), Level::Unary),
            object: None,
        })
    }
}

/// A piece of memory as an expression.
pub(super) struct Access {
    /// With the type that is read.
    pub(super) typed: Piece,
    /// By the name of its object, which is as large as what is read.
    pub(super) object: Option<String>,
}
