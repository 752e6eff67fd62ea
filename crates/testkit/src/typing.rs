//! The types of places and expressions, by C's rules.

use crate::families::places;
use crate::program::{
    Builtin, Callee, Designator, ElementQuery, Expr, InitItem, Place, Program, RecordKind, UnaryOp,
};
use crate::types::{FloatKind, IntKind, Type};
use ravelin_base::DataModel;

impl Program {
    /// The type a place was declared with; for bit-fields the declared type, not the promoted one.
    ///
    /// # Panics
    /// Panics on a place that is ill-typed, which neither generator nor shrinker makes.
    pub fn place_type(&self, place: &Place) -> Type {
        match place {
            Place::Var(var) => self.vars[*var].ty.clone(),
            Place::Field(base, field) => match self.place_type(base) {
                Type::Record(record) => self.records[record].fields[*field as usize].ty.clone(),
                other => panic!("a field of {other:?}"),
            },
            Place::Index(base, _) => match self.place_type(base) {
                Type::Array(element, _) => *element,
                other => panic!("an element of {other:?}"),
            },
            Place::Deref(pointer) | Place::Element(pointer, ..) => match self.type_of(pointer) {
                Type::Pointer(target, _) => *target,
                other => panic!("the target of {other:?}"),
            },
            Place::Byte(..) => Type::Int(IntKind::UChar),
            Place::View(_, kind) => Type::Int(*kind),
            Place::Literal(ty, _) => ty.clone(),
            Place::Char(..) => Type::Int(IntKind::Char),
            Place::Temporary(value) => self.type_of(value),
        }
    }

    /// Declared type and width, if the place is a bit-field.
    pub fn bit_field(&self, place: &Place) -> Option<(IntKind, u32)> {
        let Place::Field(base, field) = place else { return None };
        let Type::Record(record) = self.place_type(base) else { return None };
        let field = &self.records[record].fields[*field as usize];
        let width = field.width?;
        Some((self.int_kind(&field.ty), width))
    }

    /// A bit-field that is wider than `int`. gcc gives it a type of exactly its width in
    /// expressions, so the printer casts it to its declared type at once.
    pub fn wide_bit_field(&self, place: &Place) -> Option<IntKind> {
        self.bit_field(place).and_then(|(kind, width)| (width > 32).then_some(kind))
    }

    /// Whether the place is inside a union.
    pub fn in_union(&self, place: &Place) -> bool {
        match place {
            Place::Field(base, _) => {
                matches!(self.place_type(base), Type::Record(r)
                    if self.records[r].kind == RecordKind::Union)
                    || self.in_union(base)
            }
            Place::Index(base, _) | Place::Byte(base, _) | Place::View(base, _) => {
                self.in_union(base)
            }
            places!(pointed)
            | Place::Var(_)
            | Place::Literal(..)
            | Place::Char(..)
            | Place::Temporary(_) => false,
        }
    }

    /// The integer type an integer or enumerated type is compatible with.
    pub fn int_kind(&self, ty: &Type) -> IntKind {
        match ty {
            Type::Int(kind) => *kind,
            // gcc makes an enumeration unsigned unless an enumerator is negative.
            Type::Enum(id) if self.enums[*id].values.iter().any(|v| *v < 0) => IntKind::Int,
            Type::Enum(_) => IntKind::UInt,
            Type::Float(_)
            | Type::Record(_)
            | Type::Array(..)
            | Type::Pointer(..)
            | Type::Function(_) => panic!("{ty:?} is no integer type"),
        }
    }

    /// The type of an expression. Calls of functions without a result have type `int`, they stand
    /// in expression statements only.
    ///
    /// # Panics
    /// Panics on an expression that is ill-typed, which neither generator nor shrinker makes.
    pub fn type_of(&self, expr: &Expr) -> Type {
        let int = Type::Int(IntKind::Int);
        match expr {
            Expr::Int { kind, .. } => Type::Int(*kind),
            Expr::Float { kind, .. } => Type::Float(*kind),
            Expr::Enumerator(..)
            | Expr::Logic(..)
            | Expr::SamePointer(..)
            | Expr::TypeTag(_)
            | Expr::CompareStr(..)
            | Expr::CompareMem(..) => int,
            Expr::Load(place) => match self.bit_field(place) {
                Some((kind, width)) if width > 32 => Type::Int(kind),
                Some((kind, 32)) => Type::Int(kind.promoted()),
                Some(_) => int,
                None => self.place_type(place),
            },
            Expr::Assign(place, _) | Expr::Compound(_, _, place, _) | Expr::Step(_, place) => {
                self.type_of(&Expr::Load(place.clone()))
            }
            Expr::Unary(op, a) => match (op, self.type_of(a)) {
                (UnaryOp::Not, _) => int,
                (_, Type::Float(kind)) => Type::Float(kind),
                (_, ty) => Type::Int(self.int_kind(&ty).promoted()),
            },
            Expr::Binary(op, _, _, _) if op.is_comparison() => int,
            Expr::Binary(op, _, a, _) if op.is_shift() => {
                Type::Int(self.int_kind(&self.type_of(a)).promoted())
            }
            Expr::Binary(_, _, a, b) => self.common_type(a, b),
            Expr::Cond(cond, then, otherwise) => {
                let then = then.as_ref().unwrap_or(cond);
                match self.type_of(then) {
                    ty if ty.is_arithmetic() => self.common_type(then, otherwise),
                    Type::Pointer(target, length) => match self.type_of(otherwise) {
                        Type::Pointer(_, other) => Type::Pointer(target, length.min(other)),
                        other => panic!("a pointer or {other:?}"),
                    },
                    ty => ty,
                }
            }
            Expr::Comma(_, b) | Expr::Block(_, b) => self.type_of(b),
            Expr::Cast(ty, _) | Expr::Literal(ty, _) => ty.clone(),
            Expr::Truncate(kind, _) => Type::Int(*kind),
            Expr::Call(Callee::Direct(function), ..) => {
                self.functions[*function].result.clone().unwrap_or(int)
            }
            Expr::Call(Callee::Pointer { place, .. }, ..) => match self.place_type(place) {
                Type::Function(signature) => self.signatures[signature].result.clone(),
                other => panic!("a call of {other:?}"),
            },
            Expr::AddressOf(place) => Type::pointer(self.place_type(place), 1),
            Expr::Decay(place) => match self.place_type(place) {
                Type::Array(element, length) => Type::Pointer(element, length),
                other => panic!("{other:?} does not decay"),
            },
            Expr::Detour(_, a) => self.type_of(a),
            Expr::Elements(ElementQuery::Difference, ..) => {
                Type::Int(IntKind::pointer_difference(self.model))
            }
            Expr::Elements(..) => int,
            Expr::SizeOfType(_) | Expr::SizeOfExpr(_) | Expr::OffsetOf(..) | Expr::StrLen(_) => {
                Type::Int(IntKind::size_type(self.model))
            }
            Expr::Builtin(builtin, _) => Type::Int(match builtin {
                Builtin::Popcount
                | Builtin::PopcountLl
                | Builtin::Clz
                | Builtin::ClzLl
                | Builtin::Ctz
                | Builtin::CtzLl
                | Builtin::Ffs
                | Builtin::Parity => IntKind::Int,
                Builtin::Bswap16 => IntKind::UShort,
                Builtin::Bswap32 => IntKind::UInt,
                Builtin::Bswap64 => match self.model {
                    DataModel::Ilp32 => IntKind::ULLong,
                    DataModel::Lp64 => IntKind::ULong,
                },
                Builtin::Expect => IntKind::Long,
            }),
            Expr::Overflow(..) => Type::Int(IntKind::Bool),
            Expr::Variadic(_) => Type::Int(IntKind::ULLong),
            Expr::Function(function) => match self.functions[*function].signature {
                Some(signature) => Type::Function(signature),
                None => panic!("{function} has no type for function pointers"),
            },
        }
    }

    /// The usual arithmetic conversions on two operands.
    pub fn common_type(&self, a: &Expr, b: &Expr) -> Type {
        match (self.type_of(a), self.type_of(b)) {
            (Type::Float(a), Type::Float(b)) => Type::Float(a.max(b)),
            (Type::Float(kind), _) | (_, Type::Float(kind)) => Type::Float(kind),
            (a, b) => Type::Int(self.int_kind(&a).common(self.int_kind(&b), self.model)),
        }
    }

    /// The types of what the items of an initialiser list for `ty` initialise.
    pub fn item_types(&self, ty: &Type, items: &[InitItem]) -> Vec<Type> {
        let mut position = 0;
        items
            .iter()
            .map(|item| {
                let at = match item.designator {
                    Designator::Next => position,
                    Designator::Field(i) | Designator::Element(i) => i,
                    Designator::Range(_, last) => last,
                };
                position = at + 1;
                match ty {
                    Type::Array(element, _) => (**element).clone(),
                    Type::Record(record) => self.records[*record].fields[at as usize].ty.clone(),
                    // Braces around a scalar.
                    Type::Int(_)
                    | Type::Enum(_)
                    | Type::Float(_)
                    | Type::Pointer(..)
                    | Type::Function(_) => ty.clone(),
                }
            })
            .collect()
    }

    /// An upper bound of the size of a type in bytes.
    pub fn size_bound(&self, ty: &Type) -> u32 {
        match ty {
            Type::Int(_) | Type::Enum(_) => self.int_kind(ty).bits(self.model) / 8,
            Type::Float(FloatKind::Float) => 4,
            Type::Float(FloatKind::Double) => 8,
            Type::Float(FloatKind::LongDouble) => 16,
            Type::Pointer(..) | Type::Function(_) => 8,
            Type::Array(element, length) => self.size_bound(element) * length,
            Type::Record(record) => {
                let fields = &self.records[*record].fields;
                let widest = fields.iter().map(|f| self.size_bound(&f.ty)).max().unwrap_or(1);
                widest.max(1) * fields.len() as u32
            }
        }
    }

    /// Whether objects of the type hold pointers, so that zero is no valid value.
    pub fn has_pointers(&self, ty: &Type) -> bool {
        match ty {
            Type::Int(_) | Type::Enum(_) | Type::Float(_) => false,
            Type::Pointer(..) | Type::Function(_) => true,
            Type::Array(element, _) => self.has_pointers(element),
            Type::Record(record) => {
                self.records[*record].fields.iter().any(|f| self.has_pointers(&f.ty))
            }
        }
    }

    /// Integers, and arrays of them, any bytes of which are valid values.
    pub fn is_raw(&self, ty: &Type) -> bool {
        match ty {
            Type::Int(kind) => *kind != IntKind::Bool,
            Type::Array(element, _) => self.is_raw(element),
            Type::Enum(_)
            | Type::Float(_)
            | Type::Record(_)
            | Type::Pointer(..)
            | Type::Function(_) => false,
        }
    }

    /// How many scalars an object of the type consists of.
    pub fn leaves(&self, ty: &Type) -> u64 {
        match ty {
            Type::Array(element, length) => self.leaves(element) * u64::from(*length),
            Type::Record(record) => {
                self.records[*record].fields.iter().map(|f| self.leaves(&f.ty)).sum()
            }
            Type::Int(_)
            | Type::Enum(_)
            | Type::Float(_)
            | Type::Pointer(..)
            | Type::Function(_) => 1,
        }
    }
}
