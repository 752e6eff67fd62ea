//! GNU attributes, `_Alignas` and `_Noreturn`: what declarations say beside types.

use lang_c::ast::{Expression, Extension};
use lang_c::span::Node;
use ravelin_base::Symbol;

use super::scope::Entity;
use super::{Lowerer, Result};
use crate::types::{IntKind, Qualifiers, Ty, TypeKind};

/// The attributes that mean something to Ravelin, and `_Alignas`, `_Noreturn`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attributes {
    pub align: Option<u32>,
    /// The alignment of a typedef, which may be lower than its type's: the last one asked for.
    pub type_align: Option<u32>,
    pub packed: bool,
    pub noreturn: bool,
    /// The function to be called when the variable's scope is left.
    pub cleanup: Option<Symbol>,
    /// The name is another one of the variable or function of this name.
    pub alias: Option<Symbol>,
    /// The function runs before `main`.
    pub constructor: bool,
    /// The function runs after `main` returned.
    pub destructor: bool,
    /// Reaching a use is unsupported: what the attribute asks for is not modelled.
    pub unsupported: Option<&'static str>,
    /// `mode(DI)` and the like: the width in bits of the integer meant.
    pub mode: Option<u16>,
}

impl Attributes {
    pub fn merge(&mut self, other: Attributes) {
        self.align = self.align.max(other.align);
        self.type_align = self.type_align.or(other.type_align);
        self.packed |= other.packed;
        self.noreturn |= other.noreturn;
        self.unsupported = self.unsupported.or(other.unsupported);
        self.mode = self.mode.or(other.mode);
        self.cleanup = self.cleanup.or(other.cleanup);
        self.alias = self.alias.or(other.alias);
        self.constructor |= other.constructor;
        self.destructor |= other.destructor;
    }
}

impl<'a> Lowerer<'a> {
    /// The alignment that a constant expression asks for.
    pub fn alignment(&mut self, value: &'a Node<Expression>) -> Result<u32> {
        match u32::try_from(self.constant_int(value)?) {
            Ok(0) => Ok(1),
            Ok(align) if align.is_power_of_two() && align <= 1 << 28 => Ok(align),
            _ => self.error(value.span, "an alignment must be a power of two"),
        }
    }

    pub fn attributes(
        &mut self,
        extensions: &'a [Node<Extension>],
        attributes: &mut Attributes,
    ) -> Result<()> {
        for extension in extensions {
            let Extension::Attribute(attribute) = &extension.node else { continue };
            match attribute.name.node.trim_matches('_') {
                "packed" => attributes.packed = true,
                "aligned" => {
                    // Without argument: the largest alignment of the target.
                    let align = match attribute.arguments.first() {
                        Some(value) => self.alignment(value)?,
                        None => 16,
                    };
                    attributes.align = attributes.align.max(Some(align));
                    attributes.type_align = Some(align);
                }
                "noreturn" => attributes.noreturn = true,
                "vector_size" => attributes.unsupported = Some("vector types"),
                "cleanup" => {
                    if let Some(Node { node: Expression::Identifier(function), .. }) =
                        attribute.arguments.first()
                    {
                        attributes.cleanup = Some(self.intern(&function.node.name));
                    }
                }
                "constructor" => attributes.constructor = true,
                "destructor" => attributes.destructor = true,
                "alias" => {
                    if let Some(Node { node: Expression::StringLiteral(target), .. }) =
                        attribute.arguments.first()
                    {
                        let target = target.node.concat();
                        attributes.alias = Some(self.intern(target.trim_matches('"')));
                    }
                }
                "mode" => {
                    if let Some(Node { node: Expression::Identifier(mode), .. }) =
                        attribute.arguments.first()
                    {
                        attributes.mode = match mode.node.name.trim_matches('_') {
                            "QI" | "byte" => Some(8),
                            "HI" => Some(16),
                            "SI" => Some(32),
                            "DI" => Some(64),
                            "TI" => Some(128),
                            "word" | "pointer" => Some(self.types.data_model().pointer_bits()),
                            _ => None,
                        };
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Binds a typedef; its attributes belong to the type.
    pub fn bind_typedef(&mut self, name: Symbol, ty: Ty, attributes: &Attributes) {
        // A vector type may be named, as system headers do; an object of it cannot be declared.
        let ty = match attributes.unsupported {
            Some(_) => {
                let record = self.types.new_record(false, Some(name));
                self.types.intern(TypeKind::Record(record))
            }
            None => ty,
        };
        let ty = match attributes.type_align {
            Some(align) => self.types.qualify(ty, Qualifiers::aligned(align)),
            None => ty,
        };
        self.scopes.bind(name, Entity::Typedef(ty));
    }

    /// `typedef int T __attribute__((mode(DI)))`: the integer of that width and the same signedness.
    pub fn apply_mode(&mut self, ty: Ty, width: u16) -> Ty {
        let TypeKind::Int(kind) = *self.types.kind(ty) else { return ty };
        let sized = match width {
            8 => IntKind::SChar,
            16 => IntKind::Short,
            32 => IntKind::Int,
            64 if self.types.data_model().pointer_bits() == 64 => IntKind::Long,
            64 => IntKind::LongLong,
            _ => IntKind::Int128,
        };
        let sized = if kind.is_signed() { sized } else { sized.to_unsigned() };
        let qualifiers = self.types.qualifiers(ty);
        let ty = self.types.integer(sized);
        self.types.qualify(ty, qualifiers)
    }
}
