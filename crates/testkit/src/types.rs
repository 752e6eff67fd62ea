//! C types as the generator uses them, with the conversion rules of C11 6.3.1.
//!
//! Types matter for two things only: the printer derives the guards that keep a program free of
//! undefined behaviour from them (shift masks, division guards, array bounds), and the generator
//! looks for places of a given type.

use ravelin_base::{DataModel, entities};

entities! {
    /// An `enum` of the program.
    pub struct EnumId("enum");

    /// A `struct` or `union` of the program.
    pub struct RecordId("record");

    /// A function type that function pointers of the program may point to.
    pub struct SignatureId("signature");
}

/// The integer types of C and gcc, `enum` types left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IntKind {
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LLong,
    ULLong,
    I128,
    U128,
}

impl IntKind {
    /// The kinds a data model has; gcc offers 128 bits on 64-bit targets only.
    pub fn all(model: DataModel) -> &'static [IntKind] {
        use IntKind::*;
        const ALL: [IntKind; 14] = [
            Bool, Char, SChar, UChar, Short, UShort, Int, UInt, Long, ULong, LLong, ULLong, I128,
            U128,
        ];
        match model {
            DataModel::Ilp32 => &ALL[..12],
            DataModel::Lp64 => &ALL,
        }
    }

    /// Width of the object representation in bits.
    pub fn bits(self, model: DataModel) -> u32 {
        match self {
            IntKind::Bool | IntKind::Char | IntKind::SChar | IntKind::UChar => 8,
            IntKind::Short | IntKind::UShort => 16,
            IntKind::Int | IntKind::UInt => 32,
            IntKind::Long | IntKind::ULong => u32::from(model.pointer_bits()),
            IntKind::LLong | IntKind::ULLong => 64,
            IntKind::I128 | IntKind::U128 => 128,
        }
    }

    /// Whether the type has negative values; plain `char` has on x86.
    pub fn is_signed(self) -> bool {
        match self {
            IntKind::Char
            | IntKind::SChar
            | IntKind::Short
            | IntKind::Int
            | IntKind::Long
            | IntKind::LLong
            | IntKind::I128 => true,
            IntKind::Bool
            | IntKind::UChar
            | IntKind::UShort
            | IntKind::UInt
            | IntKind::ULong
            | IntKind::ULLong
            | IntKind::U128 => false,
        }
    }

    /// How the type is written.
    pub fn c_name(self) -> &'static str {
        match self {
            IntKind::Bool => "_Bool",
            IntKind::Char => "char",
            IntKind::SChar => "signed char",
            IntKind::UChar => "unsigned char",
            IntKind::Short => "short",
            IntKind::UShort => "unsigned short",
            IntKind::Int => "int",
            IntKind::UInt => "unsigned int",
            IntKind::Long => "long",
            IntKind::ULong => "unsigned long",
            IntKind::LLong => "long long",
            IntKind::ULLong => "unsigned long long",
            IntKind::I128 => "__int128",
            IntKind::U128 => "unsigned __int128",
        }
    }

    /// A piece of an identifier that stands for the type.
    pub fn tag(self) -> &'static str {
        match self {
            IntKind::Bool => "bool",
            IntKind::Char => "char",
            IntKind::SChar => "schar",
            IntKind::UChar => "uchar",
            IntKind::Short => "short",
            IntKind::UShort => "ushort",
            IntKind::Int => "int",
            IntKind::UInt => "uint",
            IntKind::Long => "long",
            IntKind::ULong => "ulong",
            IntKind::LLong => "llong",
            IntKind::ULLong => "ullong",
            IntKind::I128 => "i128",
            IntKind::U128 => "u128",
        }
    }

    /// Conversion rank (C11 6.3.1.1p1).
    fn rank(self) -> u32 {
        match self {
            IntKind::Bool => 0,
            IntKind::Char | IntKind::SChar | IntKind::UChar => 1,
            IntKind::Short | IntKind::UShort => 2,
            IntKind::Int | IntKind::UInt => 3,
            IntKind::Long | IntKind::ULong => 4,
            IntKind::LLong | IntKind::ULLong => 5,
            IntKind::I128 | IntKind::U128 => 6,
        }
    }

    fn unsigned(self) -> IntKind {
        match self {
            IntKind::Int => IntKind::UInt,
            IntKind::Long => IntKind::ULong,
            IntKind::LLong => IntKind::ULLong,
            IntKind::I128 => IntKind::U128,
            IntKind::Bool
            | IntKind::Char
            | IntKind::SChar
            | IntKind::UChar
            | IntKind::Short
            | IntKind::UShort
            | IntKind::UInt
            | IntKind::ULong
            | IntKind::ULLong
            | IntKind::U128 => self,
        }
    }

    /// The integer promotions (C11 6.3.1.1p2): every narrower type fits `int` on x86.
    pub fn promoted(self) -> IntKind {
        if self.rank() < IntKind::Int.rank() { IntKind::Int } else { self }
    }

    /// The usual arithmetic conversions on two integer types (C11 6.3.1.8).
    pub fn common(self, other: IntKind, model: DataModel) -> IntKind {
        let (a, b) = (self.promoted(), other.promoted());
        if a.is_signed() == b.is_signed() {
            return if a.rank() >= b.rank() { a } else { b };
        }
        let (signed, unsigned) = if a.is_signed() { (a, b) } else { (b, a) };
        if unsigned.rank() >= signed.rank() {
            unsigned
        } else if signed.bits(model) > unsigned.bits(model) {
            signed
        } else {
            signed.unsigned()
        }
    }

    /// The value an integer has after conversion to this type.
    pub fn wrap(self, value: i128, model: DataModel) -> i128 {
        if self == IntKind::Bool {
            return i128::from(value != 0);
        }
        let spare = 128 - self.bits(model);
        if self.is_signed() {
            value << spare >> spare
        } else {
            ((value as u128) << spare >> spare) as i128
        }
    }

    /// The type of `sizeof` expressions.
    pub fn size_type(model: DataModel) -> IntKind {
        match model {
            DataModel::Ilp32 => IntKind::UInt,
            DataModel::Lp64 => IntKind::ULong,
        }
    }

    /// The type of pointer differences.
    pub fn pointer_difference(model: DataModel) -> IntKind {
        match model {
            DataModel::Ilp32 => IntKind::Int,
            DataModel::Lp64 => IntKind::Long,
        }
    }
}

/// The real floating types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FloatKind {
    Float,
    Double,
    LongDouble,
}

impl FloatKind {
    /// How the type is written.
    pub fn c_name(self) -> &'static str {
        match self {
            FloatKind::Float => "float",
            FloatKind::Double => "double",
            FloatKind::LongDouble => "long double",
        }
    }
}

/// A type of the generated program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    Int(IntKind),
    Enum(EnumId),
    Float(FloatKind),
    Record(RecordId),
    /// Element type and number of elements, which is at least one.
    Array(Box<Type>, u32),
    /// A pointer that is never null and always points to the first of at least so many elements.
    Pointer(Box<Type>, u32),
    /// A function pointer, never null.
    Function(SignatureId),
}

impl Type {
    pub fn array(element: Type, length: u32) -> Type {
        Type::Array(Box::new(element), length)
    }

    pub fn pointer(target: Type, length: u32) -> Type {
        Type::Pointer(Box::new(target), length)
    }

    /// Integer and floating types: those that convert into each other implicitly.
    pub fn is_arithmetic(&self) -> bool {
        match self {
            Type::Int(_) | Type::Enum(_) | Type::Float(_) => true,
            Type::Record(_) | Type::Array(..) | Type::Pointer(..) | Type::Function(_) => false,
        }
    }

    pub fn is_integer(&self) -> bool {
        self.is_arithmetic() && !self.is_float()
    }

    pub fn is_float(&self) -> bool {
        matches!(self, Type::Float(_))
    }

    /// Whether a value of type `from` may stand where this type is wanted, without a cast and
    /// without undefined behaviour. A floating value is never converted to an integer implicitly:
    /// it may be out of range (C11 6.3.1.4p1).
    pub fn accepts(&self, from: &Type) -> bool {
        match (self, from) {
            (Type::Float(_), from) => from.is_arithmetic(),
            (Type::Int(_) | Type::Enum(_), from) => from.is_integer(),
            (Type::Pointer(to, wanted), Type::Pointer(from, given)) => {
                to == from && given >= wanted
            }
            (Type::Record(_) | Type::Array(..) | Type::Pointer(..) | Type::Function(_), from) => {
                self == from
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_arithmetic_conversions_depend_on_the_data_model() {
        let common = |a: IntKind, b| (a.common(b, DataModel::Ilp32), a.common(b, DataModel::Lp64));
        assert_eq!(common(IntKind::Char, IntKind::Bool), (IntKind::Int, IntKind::Int));
        assert_eq!(common(IntKind::UInt, IntKind::Long), (IntKind::ULong, IntKind::Long));
        assert_eq!(common(IntKind::LLong, IntKind::ULong), (IntKind::LLong, IntKind::ULLong));
        assert_eq!(common(IntKind::Short, IntKind::UInt), (IntKind::UInt, IntKind::UInt));
    }

    #[test]
    fn wrapping_keeps_the_low_bits() {
        assert_eq!(IntKind::SChar.wrap(200, DataModel::Lp64), -56);
        assert_eq!(IntKind::ULong.wrap(-1, DataModel::Ilp32), 0xffff_ffff);
        assert_eq!(IntKind::Bool.wrap(256, DataModel::Lp64), 1);
        assert_eq!(IntKind::U128.wrap(-1, DataModel::Lp64), -1);
    }
}
