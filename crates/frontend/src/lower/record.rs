//! Structs, unions and enumerations (C11 6.7.2.1, 6.7.2.2).

use lang_c::ast::{
    DeclarationSpecifier, EnumType, StaticAssert, StructDeclaration, StructField, StructKind,
    StructType, TypeSpecifier,
};
use lang_c::span::Node;
use ravelin_base::DataModel;
use ravelin_cfa::Sort;

use super::attribute::Attributes;
use super::scope::{Entity, Tag};
use super::{Lowerer, Result};
use crate::types::{FieldSpec, IntKind, RecordAttributes, Ty, TypeKind};

impl<'a> Lowerer<'a> {
    pub fn struct_type(&mut self, node: &'a Node<StructType>) -> Result<Ty> {
        let is_union = node.node.kind.node == StructKind::Union;
        let tag = node.node.identifier.as_ref().map(|name| self.intern(&name.node.name));
        let known = tag.and_then(|tag| match node.node.declarations {
            // A definition makes a new type unless this very scope declared the tag.
            Some(_) => self.scopes.tag_here(tag),
            None => self.scopes.tag(tag),
        });
        let (record, ty) = match known {
            Some(Tag::Record(record, ty)) if self.types.records[record].is_union == is_union => {
                (record, ty)
            }
            Some(_) => {
                return self.error(node.span, "the tag was declared as another kind of type");
            }
            None => {
                let record = self.types.new_record(is_union, tag);
                let ty = self.types.intern(TypeKind::Record(record));
                if let Some(tag) = tag {
                    self.scopes.bind_tag(tag, Tag::Record(record, ty));
                }
                (record, ty)
            }
        };
        let Some(declarations) = &node.node.declarations else {
            return Ok(ty);
        };
        if self.types.records[record].layout.is_some() {
            return self.error(node.span, "redefinition of a struct or union");
        }
        let mut attributes = RecordAttributes::default();
        let mut fields = Vec::new();
        for declaration in declarations {
            match &declaration.node {
                StructDeclaration::Field(field) => self.struct_fields(field, &mut fields)?,
                StructDeclaration::StaticAssert(assertion) => {
                    self.struct_attribute(assertion, &mut attributes)?;
                }
            }
        }
        let last = fields.len().saturating_sub(1);
        for (index, field) in fields.iter().enumerate() {
            if self.types.has_variable_size(field.ty) {
                return self.error(node.span, "members of variable length are not supported");
            }
            let flexible = matches!(self.types.kind(field.ty), TypeKind::Array(_, None));
            if !(self.types.is_complete(field.ty) || (flexible && (index == last || is_union))) {
                let ty = self.spell(field.ty);
                return self.error(node.span, format!("a member has the incomplete type '{ty}'"));
            }
        }
        self.types.define_record(record, fields, attributes);
        let fields = self.types.fields(record).unwrap_or(&[]);
        let units = fields.iter().filter_map(|field| field.bits).map(|bits| bits.unit);
        if units.max().is_some_and(|unit| unit > Sort::MAX_WIDTH) {
            return self.error(node.span, "bit-fields of more than 16 bytes are not supported");
        }
        Ok(ty)
    }

    /// Attributes of the struct itself come from the source layer as pseudo assertions.
    fn struct_attribute(
        &mut self,
        assertion: &'a Node<StaticAssert>,
        attributes: &mut RecordAttributes,
    ) -> Result<()> {
        let message = assertion.node.message.node.concat();
        match message.trim_matches('"') {
            "ravelin:packed" => attributes.packed = true,
            "ravelin:aligned" => {
                let align = self.alignment(&assertion.node.expression)?;
                // The last one counts, as for typedefs.
                attributes.align = Some(align);
            }
            // `#pragma pack(n)`: no member is aligned to more.
            "ravelin:pack" => {
                let limit = self.alignment(&assertion.node.expression)?;
                attributes.pack = attributes.pack.min(Some(limit)).or(Some(limit));
            }
            "ravelin:transparent_union" => {}
            "ravelin:scalar_storage_order" => {
                return self.error(assertion.span, "scalar_storage_order is not supported");
            }
            "ravelin:ms_struct" => attributes.ms_struct = true,
            _ => self.static_assert(assertion)?,
        }
        Ok(())
    }

    fn struct_fields(
        &mut self,
        node: &'a Node<StructField>,
        fields: &mut Vec<FieldSpec>,
    ) -> Result<()> {
        let (base, attributes) = self.specifier_qualifiers(&node.node.specifiers, node.span)?;
        if node.node.declarators.is_empty() {
            // C11 6.7.2.1p13: an anonymous struct or union; a mere tag declaration adds nothing.
            if self.types.as_record(base).is_some() {
                let Attributes { align, packed, .. } = attributes;
                fields.push(FieldSpec { name: None, ty: base, bits: None, align, packed });
            }
            return Ok(());
        }
        for declarator in &node.node.declarators {
            let mut attributes = attributes.clone();
            let (name, mut ty) = match &declarator.node.declarator {
                Some(inner) => {
                    let declared = self.declarator(inner, base)?;
                    attributes.merge(declared.attributes);
                    // The source layer gives names where it needs room for attributes.
                    let unnamed = self.intern("__ravelin_unnamed");
                    (declared.name.filter(|&name| name != unnamed), declared.ty)
                }
                None => (None, base),
            };
            if let Some(mode) = attributes.mode {
                ty = self.apply_mode(ty, mode);
            }
            if matches!(self.types.kind(ty), TypeKind::Function(_)) {
                return self.error(declarator.span, "a member cannot be a function");
            }
            if let Some(why) = attributes.unsupported {
                return self.error(declarator.span, format!("{why} are not supported"));
            }
            let bits = match &declarator.node.bit_width {
                Some(width) => {
                    let value = self.constant_int(width)?;
                    let limit = match self.types.kind(ty) {
                        TypeKind::Bool => 1,
                        _ => self.types.int_width(ty).unwrap_or(0),
                    };
                    match u16::try_from(value) {
                        Ok(bits) if bits <= limit => Some(bits),
                        _ => {
                            return self
                                .error(width.span, "the width of this bit-field exceeds its type");
                        }
                    }
                }
                None => None,
            };
            let Attributes { align, packed, .. } = attributes;
            fields.push(FieldSpec { name, ty, bits, align, packed });
        }
        Ok(())
    }

    pub fn enum_type(&mut self, node: &'a Node<EnumType>) -> Result<Ty> {
        let tag = node.node.identifier.as_ref().map(|name| self.intern(&name.node.name));
        if node.node.enumerators.is_empty() {
            // A use or a forward declaration (GNU C).
            return match tag.and_then(|tag| self.scopes.tag(tag)) {
                Some(Tag::Enum(ty)) => Ok(ty),
                _ => {
                    if let Some(tag) = tag {
                        self.scopes.bind_tag(tag, Tag::Enum(self.types.uint));
                    }
                    Ok(self.types.uint)
                }
            };
        }
        let (mut next, mut low, mut high) = (0i128, 0i128, 0i128);
        let mut wide = Vec::new();
        let mut packed = false;
        for enumerator in &node.node.enumerators {
            // The source layer moves the attributes of the enum to its first constant.
            let mut attributes = Attributes::default();
            self.attributes(&enumerator.node.extensions, &mut attributes)?;
            packed |= attributes.packed;
            if let Some(value) = &enumerator.node.expression {
                next = self.constant_int(value)?;
            }
            let name = self.intern(&enumerator.node.identifier.node.name);
            // Enumerators are ints (C11 6.7.2.2p3), wider ones a GNU extension.
            let ty = self.enumerator_type(next);
            self.scopes.bind(name, Entity::Constant { value: next, ty });
            if i32::try_from(next).is_err() {
                wide.push((name, next));
            }
            (low, high) = (low.min(next), high.max(next));
            next += 1;
        }
        let kind = enum_kind(low, high, packed, self.types.data_model());
        let ty = self.types.integer(kind);
        // gcc: constants that are no ints have the type of the enumeration, once it is complete.
        for (name, value) in wide {
            self.scopes.bind(name, Entity::Constant { value, ty });
        }
        if let Some(tag) = tag {
            self.scopes.bind_tag(tag, Tag::Enum(ty));
        }
        Ok(ty)
    }

    fn enumerator_type(&mut self, value: i128) -> Ty {
        let kind = if i32::try_from(value).is_ok() {
            IntKind::Int
        } else if u32::try_from(value).is_ok() {
            IntKind::UInt
        } else if i64::try_from(value).is_ok() {
            IntKind::LongLong
        } else {
            IntKind::ULongLong
        };
        self.types.integer(kind)
    }

    /// C11 6.7.2.3p7: `struct s;` alone declares the tag anew in its scope.
    pub fn redeclare_tag(&mut self, specifiers: &'a [Node<DeclarationSpecifier>]) {
        for specifier in specifiers {
            if let DeclarationSpecifier::TypeSpecifier(specifier) = &specifier.node
                && let TypeSpecifier::Struct(record) = &specifier.node
                && record.node.declarations.is_none()
                && let Some(name) = &record.node.identifier
            {
                let tag = self.intern(&name.node.name);
                if self.scopes.tag_here(tag).is_none() {
                    let is_union = record.node.kind.node == StructKind::Union;
                    let record = self.types.new_record(is_union, Some(tag));
                    let ty = self.types.intern(TypeKind::Record(record));
                    self.scopes.bind_tag(tag, Tag::Record(record, ty));
                }
            }
        }
    }
}

/// gcc takes unsigned int unless a value is negative or too big for it; if packed, the smallest type
/// that holds all values.
fn enum_kind(low: i128, high: i128, packed: bool, data_model: DataModel) -> IntKind {
    let small = [IntKind::UChar, IntKind::SChar, IntKind::UShort, IntKind::Short];
    // gcc takes the first type of the width.
    let (widest, widest_unsigned) = match data_model {
        DataModel::Ilp32 => (IntKind::LongLong, IntKind::ULongLong),
        DataModel::Lp64 => (IntKind::Long, IntKind::ULong),
    };
    let usual = [IntKind::UInt, IntKind::Int, widest_unsigned];
    let candidates = small.into_iter().filter(|_| packed).chain(usual);
    let holds = |kind: &IntKind| {
        let bits = u32::from(kind.width(data_model));
        let (least, greatest) = match kind.is_signed() {
            true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
            false => (0, (1i128 << bits) - 1),
        };
        least <= low && high <= greatest
    };
    candidates.into_iter().find(holds).unwrap_or(widest)
}
