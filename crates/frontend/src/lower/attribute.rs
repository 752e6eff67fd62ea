//! GNU attributes, `_Alignas` and `_Noreturn`: the parts of declarations beside types.

use lang_c::ast::{Expression, Extension};
use lang_c::span::Node;
use ravelin_base::Symbol;
use ravelin_term::FloatKind;

use super::scope::Entity;
use super::{Lowerer, Result};
use crate::types::{FunctionType, IntKind, Qualifiers, Ty, TypeKind};

/// The attributes that Ravelin supports, and `_Alignas`, `_Noreturn`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attributes {
    pub align: Option<u32>,
    /// The alignment of a typedef, which may be lower than its type's: the last one given.
    pub type_align: Option<u32>,
    pub packed: bool,
    pub noreturn: bool,
    /// The function to call when the variable's scope ends.
    pub cleanup: Option<Symbol>,
    /// The name is an alias, which `symbols` resolves.
    pub alias: bool,
    /// The function runs before `main`, those of lower priority first.
    pub constructor: Option<u16>,
    /// The function runs after `main` returned, those of higher priority first.
    pub destructor: Option<u16>,
    /// Reaching a use is unsupported, because the attribute is not modelled.
    pub unsupported: Option<&'static str>,
    /// `mode(DI)` and similar modes: the machine type.
    pub mode: Option<Mode>,
}

/// A machine type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// An integer of this many bits.
    Int(u16),
    Float(FloatKind),
    /// A vector of this many bytes, of elements of the declared type.
    Vector(u64),
}

/// The largest vector, in bytes.
const MAX_VECTOR: u64 = 4096;

/// The priority of constructors and destructors without one: they come last, or first.
const DEFAULT_PRIORITY: u16 = u16::MAX;

impl Attributes {
    pub fn merge(&mut self, other: Attributes) {
        self.align = self.align.max(other.align);
        self.type_align = self.type_align.or(other.type_align);
        self.packed |= other.packed;
        self.noreturn |= other.noreturn;
        self.unsupported = self.unsupported.or(other.unsupported);
        self.mode = self.mode.or(other.mode);
        self.cleanup = self.cleanup.or(other.cleanup);
        self.alias |= other.alias;
        self.constructor = self.constructor.or(other.constructor);
        self.destructor = self.destructor.or(other.destructor);
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

    /// The size of a vector, in bytes.
    fn vector_size(&mut self, value: &'a Node<Expression>) -> Result<u64> {
        match u64::try_from(self.constant_int(value)?) {
            Ok(size) if size.is_power_of_two() && size <= MAX_VECTOR => Ok(size),
            _ => self.error(value.span, "the size of a vector must be a power of two"),
        }
    }

    /// gcc applies the attribute to what pointers, arrays and functions are made of.
    fn vector_type(&mut self, ty: Ty, bytes: u64) -> Ty {
        let qualifiers = self.types.qualifiers(ty);
        let vector = match self.types.kind(ty).clone() {
            TypeKind::Pointer(to) => {
                let to = self.vector_type(to, bytes);
                self.types.pointer(to)
            }
            TypeKind::Array(element, length) => {
                let element = self.vector_type(element, bytes);
                self.types.array(element, length)
            }
            TypeKind::Function(function) => {
                let result = self.vector_type(function.result, bytes);
                self.types.function(FunctionType { result, ..*function })
            }
            TypeKind::Bool | TypeKind::Void | TypeKind::Vla(..) | TypeKind::Record(_) => return ty,
            TypeKind::Int(_) | TypeKind::Float(_) => {
                let size = self.types.size_of(ty).unwrap_or(1).max(1);
                self.types.vector(ty, (bytes / size).max(1))
            }
        };
        self.types.qualify(vector, qualifiers)
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
                "vector_size" => {
                    if let Some(size) = attribute.arguments.first() {
                        attributes.mode = Some(Mode::Vector(self.vector_size(size)?));
                    }
                }
                "cleanup" => {
                    if let Some(Node { node: Expression::Identifier(function), .. }) =
                        attribute.arguments.first()
                    {
                        attributes.cleanup = Some(self.intern(&function.node.name));
                    }
                }
                "constructor" => {
                    attributes.constructor = Some(self.priority(&attribute.arguments)?);
                }
                "destructor" => attributes.destructor = Some(self.priority(&attribute.arguments)?),
                "alias" | "weakref" => attributes.alias = true,
                "mode" => {
                    if let Some(Node { node: Expression::Identifier(mode), .. }) =
                        attribute.arguments.first()
                    {
                        attributes.mode = match mode.node.name.trim_matches('_') {
                            "QI" | "byte" => Some(Mode::Int(8)),
                            "HI" => Some(Mode::Int(16)),
                            "SI" => Some(Mode::Int(32)),
                            "DI" => Some(Mode::Int(64)),
                            "TI" => Some(Mode::Int(128)),
                            "word" | "pointer" | "unwind_word" | "libgcc_cmp_return"
                            | "libgcc_shift_count" => {
                                Some(Mode::Int(self.types.data_model().pointer_bits()))
                            }
                            "SF" => Some(Mode::Float(FloatKind::F32)),
                            "DF" => Some(Mode::Float(FloatKind::F64)),
                            "XF" => Some(Mode::Float(FloatKind::F80)),
                            "TF" => Some(Mode::Float(FloatKind::F128)),
                            // A typedef may name it, as system headers do.
                            _ => {
                                attributes.unsupported = Some("types of this mode");
                                None
                            }
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
        // A type that is not supported may be named, as system headers do; an object of it cannot be declared.
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

    /// The priority that a constructor or destructor names.
    fn priority(&mut self, arguments: &'a [Node<Expression>]) -> Result<u16> {
        let Some(value) = arguments.first() else { return Ok(DEFAULT_PRIORITY) };
        match u16::try_from(self.constant_int(value)?) {
            Ok(priority) => Ok(priority),
            Err(_) => self.error(value.span, "a priority is a number from 0 to 65535"),
        }
    }

    /// gcc applies a mode to the whole declared type, wherever the attribute stands.
    pub fn apply_mode_of(&mut self, attributes: &mut Attributes, ty: Ty) -> Ty {
        match attributes.mode.take() {
            Some(mode) => self.apply_mode(ty, mode),
            None => ty,
        }
    }

    /// `typedef int T __attribute__((mode(DI)))`: the integer of that width and the same signedness,
    /// or the floating type.
    pub fn apply_mode(&mut self, ty: Ty, mode: Mode) -> Ty {
        let qualifiers = self.types.qualifiers(ty);
        let (kind, width) = match (self.types.kind(ty), mode) {
            (_, Mode::Vector(bytes)) => return self.vector_type(ty, bytes),
            (TypeKind::Float(_), Mode::Float(kind)) => {
                let ty = self.types.float(kind);
                return self.types.qualify(ty, qualifiers);
            }
            (TypeKind::Int(kind), Mode::Int(width)) => (*kind, width),
            // gcc rejects other pairs, except for pointers of their own width.
            (_, _) => return ty,
        };
        let sized = IntKind::signed_of_width(width, self.types.data_model());
        let sized = if kind.is_signed() { sized } else { sized.to_unsigned() };
        let ty = self.types.integer(sized);
        self.types.qualify(ty, qualifiers)
    }
}
