//! Initialisers of variables with static storage duration: constants at offsets (C11 6.7.9p4).

use std::collections::BTreeMap;

use lang_c::ast::{Expression, Initializer, SpecifierQualifier, TypeSpecifier};
use lang_c::span::{Node, Span};
use ravelin_cfa::{Init, Loc, ObjectKind, Term};
use ravelin_term::TermKind;

use super::global::Global;
use super::init::{Item, Items, Source, Target, is_empty_mark};
use super::linkage::StartTarget;
use super::literal::Text;
use super::scope::Storage;
use super::{Lowerer, Result, Val};
use crate::types::{BitField, Ty};

impl<'a> Lowerer<'a> {
    /// Initialises a variable of static storage duration with constants (C11 6.7.9p4).
    pub fn initialise_global(
        &mut self,
        global: Global,
        initializer: &'a Node<Initializer>,
    ) -> Result<()> {
        self.nowhere(|lowerer| lowerer.initialise_global_here(global, initializer)).0
    }

    fn initialise_global_here(
        &mut self,
        global: Global,
        initializer: &'a Node<Initializer>,
    ) -> Result<()> {
        let ty = self.complete_array_type(self.globals[global].ty, initializer)?;
        if ty != self.globals[global].ty {
            self.complete_global(global, ty);
        }
        if !self.types.is_complete(ty) {
            let ty = self.spell(ty);
            return self.error(initializer.span, format!("'{ty}' is incomplete here"));
        }
        match self.globals[global].storage {
            Storage::Var(var) => {
                let start = self.body.here;
                let value = match &initializer.node {
                    Initializer::Expression(expression) => {
                        let value = self.static_value(expression)?;
                        self.convert(value, ty, expression.span)?
                    }
                    Initializer::List(_) => self.scalar_initializer(ty, initializer)?,
                };
                self.require_constant(start, value.term, initializer.span)?;
                if self.is_link_time(value.term) {
                    self.link_time.stores.push((StartTarget::Var(var), value.term));
                    let zero = self.program.terms.zero(self.program.vars[var].sort);
                    self.set_initial_value(var, zero);
                    return Ok(());
                }
                self.set_initial_value(var, value.term);
            }
            Storage::Object(object) => {
                let mut items = Items::default();
                let target = Target { offset: 0, bits: None, ty };
                let end = self.collect(initializer, target, &mut items)?;
                // A flexible array member's elements come after the struct.
                let size = &mut self.program.objects[object].size;
                *size = (*size).max(end);
                self.program.objects[object].init = self.constant_items(items)?;
                self.store_at_start(object);
            }
            Storage::At(_) | Storage::Prototype => {}
        }
        Ok(())
    }

    /// The value of an expression in a constant initialiser. GNU C takes a compound literal there
    /// for its contents: that of a number has no address.
    fn static_value(&mut self, expression: &'a Node<Expression>) -> Result<Val> {
        if let Expression::CompoundLiteral(literal) = &expression.node
            && let [item] = &literal.node.initializer_list[..]
            && item.node.designation.is_empty()
            && !is_empty_mark(&item.node)
            && !literal.node.type_name.node.specifiers.iter().any(|specifier| {
                matches!(
                    &specifier.node,
                    SpecifierQualifier::TypeSpecifier(Node { node: TypeSpecifier::Struct(_), .. })
                )
            })
        {
            let ty = self.type_name(&literal.node.type_name)?;
            if self.types.is_scalar(ty) {
                return self.scalar_initializer(ty, &item.node.initializer);
            }
        }
        self.rvalue(expression)
    }

    /// Items as the contents of an object: all must be constant.
    pub(super) fn constant_items(&mut self, items: Items<'a>) -> Result<Init> {
        if let [Item { offset: 0, value: Source::Text(text), ty, .. }] = &items.list[..] {
            let object = self.string_object(text);
            let size = self.types.size_of(*ty).unwrap_or(0) as usize;
            if let Init::Bytes(bytes) = &self.program.objects[object].init {
                let mut bytes = bytes.to_vec();
                bytes.resize(size, 0);
                return Ok(Init::Bytes(bytes.into()));
            }
        }
        let mut values: BTreeMap<u64, Term> = BTreeMap::new();
        for item in items.list {
            let expression = match item.value {
                Source::Text(text) => {
                    self.text_values(item.offset, &text, item.ty, &mut values);
                    continue;
                }
                Source::Expression(expression) => expression,
            };
            let span = expression.span;
            let start = self.body.here;
            let value = self.static_value(expression)?;
            if self.types.as_record(item.ty).is_some() {
                let value = match self.has_parts(item.ty) {
                    true => self.convert(value, item.ty, span)?,
                    false => value,
                };
                self.constant_struct(item.offset, value, span, &mut values)?;
                continue;
            }
            let value = self.convert(value, item.ty, span)?;
            self.require_constant(start, value.term, span)?;
            match item.bits {
                None if self.is_link_time(value.term) => {
                    self.link_time.parts.push((item.offset, value.term));
                }
                None => self.override_value(item.offset, value.term, &mut values),
                Some(bits) => {
                    self.constant_bits(item.offset, bits, value.term, span, &mut values)?;
                }
            }
        }
        let mut kept = Vec::with_capacity(values.len());
        for (offset, term) in values {
            let sort = self.program.terms.sort(term);
            if term != self.program.terms.zero(sort) {
                kept.push((offset, term));
            }
        }
        Ok(if kept.is_empty() { Init::Zero } else { Init::Values(kept) })
    }

    /// Sets a bit-field. Fields of one unit add up to one value; units of packed structs may overlap
    /// others, and there it is done byte by byte.
    fn constant_bits(
        &mut self,
        offset: u64,
        bits: BitField,
        value: Term,
        span: Span,
        values: &mut BTreeMap<u64, Term>,
    ) -> Result<()> {
        let unit = ravelin_cfa::Sort::Bv(bits.unit);
        let overlapping = self.overlapping(offset, u64::from(bits.unit / 8), values);
        match overlapping[..] {
            [] => {
                let zero = self.program.terms.zero(unit);
                let (term, _) = self.insert_bits(zero, bits, value);
                values.insert(offset, term);
                return Ok(());
            }
            [at] if at == offset && self.program.terms.sort(values[&at]) == unit => {
                let (term, _) = self.insert_bits(values[&at], bits, value);
                values.insert(offset, term);
                return Ok(());
            }
            _ => {}
        }
        let Some(value) = self.program.terms.as_bv(value) else {
            return self.error(span, "a bit-field needs a number as initialiser");
        };
        for at in overlapping {
            let Some(old) = values.remove(&at) else { continue };
            let Some(bytes) = self.program.terms.as_bv(old) else {
                return self.error(span, "a bit-field overlaps an address");
            };
            for index in 0..self.stored_bytes(old) {
                let byte = self.program.terms.bv(8, bytes >> (8 * index));
                values.insert(at + index, byte);
            }
        }
        for bit in 0..bits.width {
            let position = u64::from(bits.shift + bit);
            let at = offset + position / 8;
            let old = values.get(&at).and_then(|&byte| self.program.terms.as_bv(byte)).unwrap_or(0);
            let mask = 1 << (position % 8);
            let new = if value >> bit & 1 == 1 { old | mask } else { old & !mask };
            values.insert(at, self.program.terms.bv(8, new));
        }
        Ok(())
    }

    /// The offsets of the values that share bytes with the given range.
    fn overlapping(&self, offset: u64, size: u64, values: &BTreeMap<u64, Term>) -> Vec<u64> {
        values
            .range(..offset + size)
            .rev()
            .take_while(|&(&start, &old)| start + self.stored_bytes(old) > offset)
            .map(|(&start, _)| start)
            .collect()
    }

    /// Later values override earlier ones (C11 6.7.9p19). Bytes of a wider overridden value (a union
    /// initialised twice) become zero, which C leaves unspecified.
    fn override_value(&mut self, offset: u64, term: Term, values: &mut BTreeMap<u64, Term>) {
        for start in self.overlapping(offset, self.stored_bytes(term), values) {
            values.remove(&start);
        }
        values.insert(offset, term);
    }

    fn stored_bytes(&self, term: Term) -> u64 {
        match self.program.terms.sort(term) {
            // Constants of C are no memories, and no Booleans either.
            ravelin_cfa::Sort::Bool | ravelin_cfa::Sort::Mem => 1,
            ravelin_cfa::Sort::Bv(width) => u64::from(width / 8),
            ravelin_cfa::Sort::Float(kind) => u64::from(kind.bits() / 8),
            ravelin_cfa::Sort::Ptr => self.types.data_model().pointer_bytes(),
        }
    }

    fn text_values(&mut self, offset: u64, text: &Text, ty: Ty, values: &mut BTreeMap<u64, Term>) {
        let size = self.types.size_of(text.element).unwrap_or(1);
        let available = self.types.size_of(ty).unwrap_or(0) / size;
        for (index, &unit) in text.units.iter().enumerate().take(available as usize) {
            let term = self.program.terms.bv(size as u16 * 8, u128::from(unit));
            self.override_value(offset + index as u64 * size, term, values);
        }
    }

    /// A struct value inside a constant initialiser is a compound literal (GNU C): an object with
    /// constant contents, which are copied.
    fn constant_struct(
        &mut self,
        offset: u64,
        value: Val,
        span: Span,
        values: &mut BTreeMap<u64, Term>,
    ) -> Result<()> {
        if let TermKind::Address(object) = self.program.terms.kind(value.term) {
            match self.program.objects[object].init.clone() {
                Init::Zero => return Ok(()),
                Init::Values(inner) => {
                    for (at, term) in inner {
                        self.override_value(offset + at, term, values);
                    }
                    return Ok(());
                }
                Init::Bytes(_) | Init::Indeterminate => {}
            }
        }
        self.error(span, "an initialiser of a global must be constant")
    }

    /// Nothing was emitted since `start`, no variable is read, and no address of a local is taken.
    fn require_constant(&mut self, start: Loc, term: Term, span: Span) -> Result<()> {
        let mut constant = self.body.here == start;
        let link_time = self.is_link_time(term);
        let objects = &self.program.objects;
        self.program.terms.for_each_subterm(term, |_, kind| match kind {
            TermKind::Var(_) => constant &= link_time,
            TermKind::Address(object) => {
                constant &= !matches!(objects[object].kind, ObjectKind::Local(_));
            }
            _ => {}
        });
        if !constant {
            return self.error(span, "an initialiser of a global must be constant");
        }
        Ok(())
    }
}
