//! Initialisers (C11 6.7.9): lists with designators and elided braces become values at offsets.

use lang_c::ast::{CompoundLiteral, Designator, Expression, Initializer, InitializerListItem};
use lang_c::span::{Node, Span};
use ravelin_cfa::{Object, ObjectData, ObjectKind, Op, Term, Var};
use rustc_hash::FxHashMap;

use super::literal::Text;
use super::place::Place;
use super::{Lowerer, Result, Val};
use crate::types::{BitField, Ty, TypeKind};

/// A scalar or struct that an initialiser gives a value.
#[derive(Clone, Debug)]
pub(super) struct Item<'a> {
    pub offset: u64,
    pub bits: Option<BitField>,
    pub ty: Ty,
    pub value: Source<'a>,
}

/// The maximum number of elements of a range designator.
const MAX_RANGE: u64 = 1 << 24;

/// The source of an item's value.
#[derive(Clone, Debug)]
pub(super) enum Source<'a> {
    Expression(&'a Node<Expression>),
    /// An array of characters.
    Text(Text),
}

/// The items of an initialiser so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Items<'a> {
    pub list: Vec<Item<'a>>,
    /// No item extends beyond this offset.
    end: u64,
    /// Whether one expression initialises several items.
    has_ranges: bool,
}

impl Items<'_> {
    /// C11 6.7.9p19: a list for a subobject overrides all earlier items for it.
    fn forget(&mut self, from: u64, to: u64) {
        // Lists mostly go forward, and then there is nothing to search.
        if self.end > from {
            self.list.retain(|item| item.offset < from || item.offset >= to);
        }
    }
}

/// A subobject: its offset and type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub offset: u64,
    pub bits: Option<BitField>,
    pub ty: Ty,
}

/// An aggregate being initialised, and the index of its next subobject.
#[derive(Clone, Copy, Debug)]
struct Level {
    target: Target,
    next: u64,
}

impl<'a> Lowerer<'a> {
    /// The type of an array of unknown length, completed by its initialiser (C11 6.7.9p22).
    pub fn complete_array_type(
        &mut self,
        ty: Ty,
        initializer: &'a Node<Initializer>,
    ) -> Result<Ty> {
        let TypeKind::Array(element, None) = *self.types.kind(ty) else { return Ok(ty) };
        if let Some(text) = self.text_initializer(element, initializer)? {
            return Ok(self.types.array(element, Some(text.units.len() as u64 + 1)));
        }
        if self.types.size_of(element) == Some(0) {
            return Ok(self.types.array(element, Some(0)));
        }
        let mut items = Items::default();
        let end = self.collect(initializer, Target { offset: 0, bits: None, ty }, &mut items)?;
        Ok(self.completed_by(ty, end))
    }

    pub fn auto_type(&mut self, initializer: &'a Node<Initializer>) -> Result<Ty> {
        match &initializer.node {
            Initializer::Expression(expression) => {
                let ty = self.type_of(expression)?;
                let ty = self.types.decayed(ty);
                Ok(self.types.unqualified(ty))
            }
            Initializer::List(_) => self.error(initializer.span, "__auto_type needs an expression"),
        }
    }

    pub fn initialise_variable(
        &mut self,
        var: Var,
        ty: Ty,
        initializer: &'a Node<Initializer>,
    ) -> Result<()> {
        let value = self.scalar_initializer(ty, initializer)?;
        self.at(initializer.span);
        self.assign(var, value.term);
        Ok(())
    }

    /// The value of a scalar's initialiser, which may be in braces.
    pub(super) fn scalar_initializer(
        &mut self,
        ty: Ty,
        initializer: &'a Node<Initializer>,
    ) -> Result<Val> {
        match &initializer.node {
            Initializer::Expression(expression) => {
                let value = self.rvalue(expression)?;
                self.convert(value, ty, expression.span)
            }
            Initializer::List(items) => match items.first() {
                Some(item) => self.scalar_initializer(ty, &item.node.initializer),
                // C23 and GNU C: empty braces mean zero.
                None => {
                    let term = self.types.sort(ty).map(|sort| self.program.terms.zero(sort));
                    match term {
                        Some(term) => Ok(Val { term, ty }),
                        None => self.error(initializer.span, "an empty initialiser"),
                    }
                }
            },
        }
    }

    /// Initialises a local object.
    pub fn initialise_object(
        &mut self,
        object: Object,
        ty: Ty,
        initializer: &'a Node<Initializer>,
    ) -> Result<()> {
        let base = self.program.terms.address(object);
        self.initialise_at(base, ty, initializer)
    }

    fn initialise_at(
        &mut self,
        base: Term,
        ty: Ty,
        initializer: &'a Node<Initializer>,
    ) -> Result<()> {
        let mut items = Items::default();
        self.collect(initializer, Target { offset: 0, bits: None, ty }, &mut items)?;
        self.store_items(base, ty, items, initializer.span)
    }

    /// Stores the items into a local object.
    fn store_items(&mut self, base: Term, ty: Ty, items: Items<'a>, span: Span) -> Result<()> {
        self.at(span);
        // C11 6.7.9p21: the rest is zero.
        if !self.covers(&items, ty) {
            let size = self.size_term(ty);
            let byte = self.program.terms.bv(8, 0);
            self.emit(Op::Fill { dst: base, byte, size });
        }
        // GNU C: all elements of a range designator get copies of one value.
        let mut values: FxHashMap<*const Node<Expression>, Val> = FxHashMap::default();
        // C11 6.7.9p23 leaves the order open; gcc goes by offset.
        let mut list = items.list;
        list.sort_by_key(|item| (item.offset, item.bits.map(|bits| bits.shift)));
        for item in list {
            let address = self.program.terms.ptr_add_const(base, item.offset);
            let expression = match item.value {
                Source::Text(text) => {
                    self.store_text(address, &text, item.ty);
                    continue;
                }
                Source::Expression(expression) => expression,
            };
            let value = match values.get(&std::ptr::from_ref(expression)) {
                Some(&value) => value,
                None => {
                    let value = self.rvalue(expression)?;
                    match items.has_ranges {
                        true => {
                            let value = match self.types.is_scalar(value.ty) {
                                true => self.snapshot(value),
                                false => value,
                            };
                            values.insert(std::ptr::from_ref(expression), value);
                            value
                        }
                        false => value,
                    }
                }
            };
            self.at(expression.span);
            if self.types.as_record(item.ty).is_some() {
                let value = self.convert(value, item.ty, expression.span)?;
                self.copy_aggregate(address, value.term, item.ty);
                continue;
            }
            let value = self.convert(value, item.ty, expression.span)?;
            match item.bits {
                Some(bits) => {
                    self.store_bits(address, bits, value.term, item.ty);
                }
                None => self.store_scalar(address, value.term, item.ty),
            }
        }
        Ok(())
    }

    /// Whether the items cover every byte of the type.
    fn covers(&self, items: &Items<'a>, ty: Ty) -> bool {
        let mut end = 0;
        for item in &items.list {
            if item.bits.is_some() || item.offset != end {
                return false;
            }
            end += match (&item.value, self.types.size_of(item.ty)) {
                (Source::Text(text), _) => {
                    text.units.len() as u64 * self.types.size_of(text.element).unwrap_or(1)
                }
                (Source::Expression(_), Some(size)) => size,
                (Source::Expression(_), None) => return false,
            };
        }
        self.types.size_of(ty) == Some(end)
    }

    /// A local array of characters from a literal; the rest of it is zero already.
    fn store_text(&mut self, address: Term, text: &Text, ty: Ty) {
        let available = self.types.size_of(ty).unwrap_or(0);
        let object = self.string_object(text);
        let bytes = self.program.objects[object].size.min(available);
        let src = self.program.terms.address(object);
        let size = self.program.terms.offset(bytes);
        self.emit(Op::Copy { dst: address, src, size });
    }

    pub fn compound_literal(&mut self, node: &'a Node<CompoundLiteral>) -> Result<Place> {
        let ty = self.type_name(&node.node.type_name)?;
        let list = match &node.node.initializer_list[..] {
            // The source layer's notation for an empty list.
            [item] if is_empty_mark(&item.node) => &[],
            list => list,
        };
        let mut items = Items::default();
        let end =
            self.collect_list(list, Target { offset: 0, bits: None, ty }, &mut items, node.span)?;
        let ty = self.completed_by(ty, end);
        self.at(node.span);
        let name = self.body.temp_name;
        if self.scopes.at_file_scope() {
            // C11 6.5.2.5p5: outside functions it has static storage duration.
            let init = self.constant_items(items)?;
            let pos = self.position(node.span);
            let object = self.program.add_object(ObjectData {
                name,
                kind: ObjectKind::Global,
                size: self.types.size_of(ty).unwrap_or(0),
                align: self.types.align_of(ty),
                is_record: self.types.is_record(ty),
                init,
                pos,
            });
            self.store_at_start(object);
            return Ok(Place::memory(self.program.terms.address(object), ty));
        }
        let object = self.new_local_object(name, ty, &Default::default());
        let base = self.program.terms.address(object);
        self.store_items(base, ty, items, node.span)?;
        Ok(Place::memory(base, ty))
    }

    /// An array of unknown length that is initialised up to `end` bytes.
    fn completed_by(&mut self, ty: Ty, end: u64) -> Ty {
        let TypeKind::Array(element, None) = *self.types.kind(ty) else { return ty };
        let size = self.types.size_of(element).unwrap_or(0).max(1);
        self.types.array(element, Some(end.div_ceil(size)))
    }

    fn text_initializer(
        &mut self,
        element: Ty,
        initializer: &'a Node<Initializer>,
    ) -> Result<Option<Text>> {
        match &initializer.node {
            Initializer::Expression(expression) => self.text_expression(expression, element),
            // The literal may be in braces (C11 6.7.9p14).
            Initializer::List(items) => match &items[..] {
                [item] if item.node.designation.is_empty() => {
                    self.text_initializer(element, &item.node.initializer)
                }
                _ => Ok(None),
            },
        }
    }

    /// A string literal that can initialise an array of `element`.
    fn text_expression(
        &mut self,
        expression: &'a Node<Expression>,
        element: Ty,
    ) -> Result<Option<Text>> {
        let Expression::StringLiteral(literal) = &expression.node else { return Ok(None) };
        let Some(width) = self.types.int_width(element) else { return Ok(None) };
        let text = self.text(&literal.node, expression.span)?;
        Ok((self.types.int_width(text.element) == Some(width)).then_some(text))
    }

    /// Flattens an initialiser into items. Returns the end of the initialised part, in bytes.
    pub(super) fn collect(
        &mut self,
        initializer: &'a Node<Initializer>,
        target: Target,
        items: &mut Items<'a>,
    ) -> Result<u64> {
        if let Some(element) = self.types.element(target.ty)
            && let Some(text) = self.text_initializer(element, initializer)?
        {
            return Ok(self.push_text(target, text, items));
        }
        match &initializer.node {
            Initializer::Expression(expression) => {
                if self.types.element(target.ty).is_some() {
                    // GNU C: an array may be initialised by a compound literal of its type.
                    if let Expression::CompoundLiteral(literal) = &expression.node {
                        let list = &literal.node.initializer_list[..];
                        return self.collect_list(list, target, items, expression.span);
                    }
                    return self.error(expression.span, "an array needs a list as initialiser");
                }
                Ok(self.push(target, Source::Expression(expression), items))
            }
            Initializer::List(list) => self.collect_list(list, target, items, initializer.span),
        }
    }

    fn push(&mut self, target: Target, value: Source<'a>, items: &mut Items<'a>) -> u64 {
        let Target { offset, bits, ty } = target;
        let end = offset + self.types.size_of(ty).unwrap_or(0);
        // A value overrides everything in its subobject, as a list does. gcc does not even evaluate
        // what it overrides (C11 6.7.9p23 leaves that open).
        match bits {
            None => items.forget(offset, end),
            Some(_) => items.list.retain(|item| item.offset != offset || item.bits != bits),
        }
        items.list.push(Item { offset, bits, ty, value });
        items.end = items.end.max(end);
        end
    }

    fn push_text(&mut self, target: Target, text: Text, items: &mut Items<'a>) -> u64 {
        let length = text.units.len() as u64 + 1;
        let ty = match self.types.size_of(target.ty) {
            Some(_) => target.ty,
            None => self.types.array(text.element, Some(length)),
        };
        self.push(Target { ty, ..target }, Source::Text(text), items)
    }

    /// A list in braces. The levels are the aggregates that the next value may go into, the braced
    /// one first: braces around inner aggregates may be left out (C11 6.7.9p20).
    fn collect_list(
        &mut self,
        list: &'a [Node<InitializerListItem>],
        target: Target,
        items: &mut Items<'a>,
        span: Span,
    ) -> Result<u64> {
        if self.types.is_scalar(target.ty) || self.types.as_complex(target.ty).is_some() {
            return match list.first() {
                Some(item) => self.collect(&item.node.initializer, target, items),
                // Empty braces: zero, as everything that is not mentioned.
                None => Ok(target.offset),
            };
        }
        if let (Some(element), [item]) = (self.types.element(target.ty), list)
            && item.node.designation.is_empty()
            && let Some(text) = self.text_initializer(element, &item.node.initializer)?
        {
            return Ok(self.push_text(target, text, items));
        }
        if self.types.as_record(target.ty).is_none() && self.types.element(target.ty).is_none() {
            return self.error(span, "a list cannot initialise this type");
        }
        let size = self.types.size_of(target.ty).unwrap_or(0);
        items.forget(target.offset, target.offset + size);
        let mut end = target.offset;
        let mut levels = vec![Level { target, next: 0 }];
        for item in list {
            let initializer = &*item.node.initializer;
            let designators = &item.node.designation[..];
            if designators.is_empty() {
                let Some(next) = self.next_subobject(&mut levels) else {
                    // C11 6.7.9p2 forbids it; gcc warns and ignores them.
                    self.warn(item.span, "excess elements in an initialiser");
                    break;
                };
                end = end.max(self.fill(initializer, next, &mut levels, items)?);
                continue;
            }
            levels.truncate(1);
            end = end.max(self.fill_designated(designators, initializer, &mut levels, items)?);
        }
        Ok(end)
    }

    /// The next subobject in order, leaving the aggregates that are full.
    fn next_subobject(&mut self, levels: &mut Vec<Level>) -> Option<Target> {
        loop {
            let level = *levels.last()?;
            if let Some(target) = self.take_subobject(levels, level.next) {
                return Some(target);
            }
            levels.pop();
        }
    }

    /// The subobject of this index of the innermost level; the one after it comes next.
    fn take_subobject(&mut self, levels: &mut [Level], index: u64) -> Option<Target> {
        let level = levels.last_mut()?;
        let target = self.subobject(level.target, index)?;
        // Of a union one member is initialised (C11 6.7.9p17).
        let is_union = self
            .types
            .as_record(level.target.ty)
            .is_some_and(|record| self.types.records[record].is_union);
        level.next = if is_union { u64::MAX } else { index + 1 };
        Some(target)
    }

    /// Initialises `target`, or the first scalar in it, from one initialiser of the list.
    fn fill(
        &mut self,
        initializer: &'a Node<Initializer>,
        target: Target,
        levels: &mut Vec<Level>,
        items: &mut Items<'a>,
    ) -> Result<u64> {
        let Initializer::Expression(expression) = &initializer.node else {
            return self.collect(initializer, target, items);
        };
        let mut target = target;
        loop {
            if self.types.is_scalar(target.ty) || self.types.as_complex(target.ty).is_some() {
                return Ok(self.push(target, Source::Expression(expression), items));
            }
            if let Some(element) = self.types.element(target.ty)
                && let Some(text) = self.text_expression(expression, element)?
            {
                return Ok(self.push_text(target, text, items));
            }
            // A struct takes a struct value whole (C11 6.7.9p13).
            if let Some(record) = self.types.as_record(target.ty) {
                let ty = self.type_of(expression)?;
                if self.types.as_record(ty) == Some(record) {
                    return Ok(self.push(target, Source::Expression(expression), items));
                }
            }
            // The braces of this aggregate were left out.
            levels.push(Level { target, next: 0 });
            match self.next_subobject(levels) {
                Some(inner) => target = inner,
                None => {
                    self.warn(expression.span, "excess elements in an initialiser");
                    return Ok(target.offset);
                }
            }
        }
    }

    /// `.a[2].b = value`; what follows continues after it.
    fn fill_designated(
        &mut self,
        designators: &'a [Node<Designator>],
        initializer: &'a Node<Initializer>,
        levels: &mut Vec<Level>,
        items: &mut Items<'a>,
    ) -> Result<u64> {
        let Some((designator, rest)) = designators.split_first() else { return Ok(0) };
        let depth = levels.len();
        let mut end = 0;
        items.has_ranges |= matches!(designator.node, Designator::Range(_));
        for path in self.designated(designator, levels)? {
            levels.truncate(depth);
            let mut target = None;
            for (step, index) in path.into_iter().enumerate() {
                if let (true, Some(target)) = (step > 0, target) {
                    levels.push(Level { target, next: 0 });
                }
                target = self.take_subobject(levels, index);
            }
            let Some(target) = target else {
                return self.error(designator.span, "this designator is outside of the object");
            };
            let reached = if rest.is_empty() {
                self.fill(initializer, target, levels, items)?
            } else {
                levels.push(Level { target, next: 0 });
                self.fill_designated(rest, initializer, levels, items)?
            };
            end = end.max(reached);
        }
        Ok(end)
    }

    /// The subobjects of the innermost level that a designator names, each as a path of indices: a
    /// member of an anonymous struct is deeper, and a range names several.
    fn designated(
        &mut self,
        node: &'a Node<Designator>,
        levels: &[Level],
    ) -> Result<Vec<Vec<u64>>> {
        let Some(level) = levels.last() else { return Ok(Vec::new()) };
        let ty = level.target.ty;
        let (from, to) = match &node.node {
            Designator::Member(name) => {
                let symbol = self.intern(&name.node.name);
                let record = self.types.as_record(ty);
                return match record.and_then(|record| self.types.find_field(record, symbol)) {
                    Some(path) => {
                        Ok(vec![path.into_iter().map(|(_, index)| index as u64).collect()])
                    }
                    None => {
                        let ty = self.spell(ty);
                        let message = format!("'{ty}' has no member '{}'", name.node.name);
                        self.error(node.span, message)
                    }
                };
            }
            Designator::Index(index) => {
                let index = self.constant_int(index)?;
                (index, index)
            }
            Designator::Range(range) => {
                (self.constant_int(&range.node.from)?, self.constant_int(&range.node.to)?)
            }
        };
        if self.types.element(ty).is_none() {
            return self.error(node.span, "an index designates an element of what is no array");
        }
        match (u64::try_from(from), u64::try_from(to)) {
            (Ok(from), Ok(to)) if from <= to && to - from < MAX_RANGE => {
                Ok((from..=to).map(|index| vec![index]).collect())
            }
            _ => self.error(node.span, "this range of elements is empty, negative or too large"),
        }
    }

    /// The member or element of this index.
    fn subobject(&self, target: Target, index: u64) -> Option<Target> {
        match self.types.kind(target.ty) {
            TypeKind::Array(element, length) => {
                if length.is_some_and(|length| index >= length) {
                    return None;
                }
                let size = self.types.size_of(*element)?;
                let offset = target.offset.checked_add(index.checked_mul(size)?)?;
                Some(Target { offset, bits: None, ty: *element })
            }
            TypeKind::Record(record) => {
                let field = self.types.fields(*record)?.get(usize::try_from(index).ok()?)?;
                Some(Target {
                    offset: target.offset + field.offset,
                    bits: field.bits,
                    ty: field.ty,
                })
            }
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int(_)
            | TypeKind::Float(_)
            | TypeKind::Pointer(_)
            | TypeKind::Vla(..)
            | TypeKind::Function(_) => None,
        }
    }
}

pub(super) fn is_empty_mark(item: &InitializerListItem) -> bool {
    let Initializer::Expression(expression) = &item.initializer.node else { return false };
    matches!(&expression.node, Expression::Identifier(name) if name.node.name == "__ravelin_empty")
}
