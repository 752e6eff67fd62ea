//! C types: interned, so that equal types have equal indices, and queried for their layout.

mod across;
mod layout;
mod parts;
mod placement;
mod spell;

use ravelin_base::{DataModel, PrimaryMap, Symbol, entities};
use ravelin_cfa::{Sort, Var};
use ravelin_term::FloatKind;
use rustc_hash::FxHashMap;

pub use layout::{BitField, Field, FieldSpec, Layout, RecordAttributes};
pub use parts::{Parts, Shape};

entities! {
    /// A C type of a [`Types`] table.
    pub struct Ty("ty");

    /// A struct or union of a [`Types`] table.
    pub struct Record("record");
}

/// A type without its qualifiers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TypeKind {
    Void,
    Bool,
    /// An integer type; enumerations are the integer type gcc represents them with.
    Int(IntKind),
    Float(FloatKind),
    Pointer(Ty),
    /// `None`: of unknown length.
    Array(Ty, Option<u64>),
    /// A variable-length array; the variable holds its number of elements.
    Vla(Ty, Var),
    Function(Box<FunctionType>),
    Record(Record),
}

/// The standard and extended integer types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IntKind {
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
    /// The type of a bit-field wider than `int`, in which gcc computes with it.
    Bits {
        width: u8,
        signed: bool,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FunctionType {
    pub result: Ty,
    pub params: Vec<Ty>,
    pub variadic: bool,
    /// Whether the parameters are known: false for `int f()`.
    pub prototyped: bool,
}

impl FunctionType {
    /// Of a function that is declared without parameters, as in `int f();`.
    pub fn without_prototype(result: Ty) -> Self {
        FunctionType { result, params: Vec::new(), variadic: false, prototyped: false }
    }
}

/// The qualifiers of a type; `restrict` has no effect here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Qualifiers {
    pub volatile: bool,
    pub atomic: bool,
    pub constant: bool,
    /// The logarithm of the alignment that a typedef asks for, higher or lower than the type's own.
    pub align_log2: Option<u8>,
}

impl Qualifiers {
    pub const NONE: Qualifiers =
        Qualifiers { volatile: false, atomic: false, constant: false, align_log2: None };
    pub const VOLATILE: Qualifiers = Qualifiers { volatile: true, ..Qualifiers::NONE };
    pub const ATOMIC: Qualifiers = Qualifiers { atomic: true, ..Qualifiers::NONE };
    pub const CONST: Qualifiers = Qualifiers { constant: true, ..Qualifiers::NONE };

    /// Whether objects are accessed in the same way; an alignment makes no other type.
    pub fn same_access(self, other: Qualifiers) -> bool {
        Qualifiers { align_log2: None, ..self } == Qualifiers { align_log2: None, ..other }
    }

    /// `align` is a power of two.
    pub fn aligned(align: u32) -> Qualifiers {
        Qualifiers { align_log2: Some(align.trailing_zeros() as u8), ..Qualifiers::NONE }
    }

    pub fn and(self, other: Qualifiers) -> Qualifiers {
        Qualifiers {
            volatile: self.volatile || other.volatile,
            atomic: self.atomic || other.atomic,
            constant: self.constant || other.constant,
            align_log2: other.align_log2.or(self.align_log2),
        }
    }
}

#[derive(Clone, Debug)]
pub struct RecordData {
    pub is_union: bool,
    pub tag: Option<Symbol>,
    /// What its values consist of, if it stands for a complex or vector type.
    pub parts: Option<Parts>,
    /// `None` while the type is incomplete.
    pub layout: Option<Layout>,
}

/// The types of a program.
#[derive(Debug)]
pub struct Types {
    data_model: DataModel,
    /// Whether a bit-field is accessed with all its neighbours: they are one memory location (C11 3.14p3).
    pub joins_bit_fields: bool,
    types: PrimaryMap<Ty, (TypeKind, Qualifiers)>,
    table: FxHashMap<(TypeKind, Qualifiers), Ty>,
    made_of_parts: FxHashMap<Parts, Record>,
    pub records: PrimaryMap<Record, RecordData>,
    pub void: Ty,
    pub bool: Ty,
    pub char: Ty,
    pub int: Ty,
    pub uint: Ty,
    pub longlong: Ty,
    pub ulonglong: Ty,
    pub double: Ty,
    pub void_ptr: Ty,
    pub char_ptr: Ty,
    /// `size_t` and `ptrdiff_t`.
    pub size: Ty,
    pub ptrdiff: Ty,
    /// The type `va_list`: see [`Types::va_list_is_array`].
    pub va_list: Ty,
}

impl Types {
    pub fn new(data_model: DataModel) -> Self {
        let placeholder = Ty(0);
        let mut types = Types {
            data_model,
            joins_bit_fields: false,
            types: PrimaryMap::new(),
            table: FxHashMap::default(),
            made_of_parts: FxHashMap::default(),
            records: PrimaryMap::new(),
            void: placeholder,
            bool: placeholder,
            char: placeholder,
            int: placeholder,
            uint: placeholder,
            longlong: placeholder,
            ulonglong: placeholder,
            double: placeholder,
            void_ptr: placeholder,
            char_ptr: placeholder,
            size: placeholder,
            ptrdiff: placeholder,
            va_list: placeholder,
        };
        types.void = types.intern(TypeKind::Void);
        types.bool = types.intern(TypeKind::Bool);
        types.char = types.integer(IntKind::Char);
        types.int = types.integer(IntKind::Int);
        types.uint = types.integer(IntKind::UInt);
        types.longlong = types.integer(IntKind::LongLong);
        types.ulonglong = types.integer(IntKind::ULongLong);
        types.double = types.intern(TypeKind::Float(FloatKind::F64));
        types.void_ptr = types.pointer(types.void);
        types.char_ptr = types.pointer(types.char);
        let (size, ptrdiff) = match data_model {
            DataModel::Ilp32 => (IntKind::UInt, IntKind::Int),
            DataModel::Lp64 => (IntKind::ULong, IntKind::Long),
        };
        types.size = types.integer(size);
        types.ptrdiff = types.integer(ptrdiff);
        // i386: va_list is a pointer. x86-64: an array of one 24-byte struct, so that it is passed
        // by reference (System V ABI 3.5.7). Ravelin keeps the next argument's address in its first
        // member; the others are there for the size only.
        types.va_list = match data_model {
            DataModel::Ilp32 => types.void_ptr,
            DataModel::Lp64 => {
                let record = types.new_record(false, None);
                let fields = (0..3)
                    .map(|_| FieldSpec {
                        name: None,
                        ty: types.void_ptr,
                        bits: None,
                        align: None,
                        packed: false,
                    })
                    .collect();
                types.define_record(record, fields, RecordAttributes::default());
                let record = types.intern(TypeKind::Record(record));
                types.array(record, Some(1))
            }
        };
        types
    }

    pub fn data_model(&self) -> DataModel {
        self.data_model
    }

    pub fn va_list_is_array(&self) -> bool {
        self.data_model == DataModel::Lp64
    }

    pub fn intern(&mut self, kind: TypeKind) -> Ty {
        self.intern_qualified(kind, Qualifiers::NONE)
    }

    fn intern_qualified(&mut self, kind: TypeKind, qualifiers: Qualifiers) -> Ty {
        let key = (kind, qualifiers);
        if let Some(&ty) = self.table.get(&key) {
            return ty;
        }
        let ty = self.types.push(key.clone());
        self.table.insert(key, ty);
        ty
    }

    pub fn integer(&mut self, kind: IntKind) -> Ty {
        self.intern(TypeKind::Int(kind))
    }

    pub fn float(&mut self, kind: FloatKind) -> Ty {
        self.intern(TypeKind::Float(kind))
    }

    pub fn pointer(&mut self, to: Ty) -> Ty {
        self.intern(TypeKind::Pointer(to))
    }

    pub fn array(&mut self, element: Ty, length: Option<u64>) -> Ty {
        self.intern(TypeKind::Array(element, length))
    }

    pub fn function(&mut self, function: FunctionType) -> Ty {
        self.intern(TypeKind::Function(Box::new(function)))
    }

    pub fn new_record(&mut self, is_union: bool, tag: Option<Symbol>) -> Record {
        self.records.push(RecordData { is_union, tag, parts: None, layout: None })
    }

    /// `ty` with these qualifiers added; those of an array go to its elements (C11 6.7.3p9), but
    /// not an alignment.
    pub fn qualify(&mut self, ty: Ty, qualifiers: Qualifiers) -> Ty {
        if qualifiers == Qualifiers::NONE {
            return ty;
        }
        let (kind, own) = self.types[ty].clone();
        match kind {
            TypeKind::Array(element, length) => {
                let align_log2 = own.and(qualifiers).align_log2;
                let element = self.qualify(element, Qualifiers { align_log2: None, ..qualifiers });
                let kind = TypeKind::Array(element, length);
                self.intern_qualified(kind, Qualifiers { align_log2, ..Qualifiers::NONE })
            }
            _ => self.intern_qualified(kind, own.and(qualifiers)),
        }
    }

    /// `ty` without qualifiers.
    pub fn unqualified(&mut self, ty: Ty) -> Ty {
        if self.types[ty].1 == Qualifiers::NONE {
            return ty;
        }
        let kind = self.types[ty].0.clone();
        self.intern(kind)
    }

    pub fn kind(&self, ty: Ty) -> &TypeKind {
        &self.types[ty].0
    }

    pub fn qualifiers(&self, ty: Ty) -> Qualifiers {
        self.types[ty].1
    }

    pub fn pointee(&self, ty: Ty) -> Option<Ty> {
        match self.kind(ty) {
            TypeKind::Pointer(to) => Some(*to),
            _ => None,
        }
    }

    /// The element type of an array, of variable length or not.
    pub fn element(&self, ty: Ty) -> Option<Ty> {
        match self.kind(ty) {
            TypeKind::Array(element, _) | TypeKind::Vla(element, _) => Some(*element),
            _ => None,
        }
    }

    /// Whether objects of the type have a size that is known at run time only.
    pub fn has_variable_size(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Vla(..))
    }

    pub fn as_function(&self, ty: Ty) -> Option<&FunctionType> {
        match self.kind(ty) {
            TypeKind::Function(function) => Some(function),
            _ => None,
        }
    }

    pub fn as_record(&self, ty: Ty) -> Option<Record> {
        match self.kind(ty) {
            TypeKind::Record(record) => Some(*record),
            _ => None,
        }
    }

    pub fn is_void(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Void)
    }

    pub fn is_integer(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Bool | TypeKind::Int(_))
    }

    pub fn is_float(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Float(_))
    }

    pub fn is_arithmetic(&self, ty: Ty) -> bool {
        self.is_integer(ty) || self.is_float(ty)
    }

    /// Whether an object of the type is a constant: it, or each of its elements. One that is volatile, too, may change.
    pub fn is_constant(&self, ty: Ty) -> bool {
        let Qualifiers { constant, volatile, .. } = self.qualifiers(ty);
        match *self.kind(ty) {
            TypeKind::Array(element, _) if !volatile => constant || self.is_constant(element),
            _ => constant && !volatile,
        }
    }

    /// Whether it is a struct or union.
    pub fn is_record(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Record(_))
    }

    pub fn is_pointer(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Pointer(_))
    }

    /// Whether values of the type are scalars, kept in variables and terms.
    pub fn is_scalar(&self, ty: Ty) -> bool {
        self.is_arithmetic(ty) || self.is_pointer(ty)
    }

    /// Whether integers of the type are signed; plain `char` is, on x86.
    pub fn is_signed(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            TypeKind::Int(kind) => kind.is_signed(),
            _ => false,
        }
    }

    /// The width of an integer type in bits; `_Bool` is stored in 8.
    pub fn int_width(&self, ty: Ty) -> Option<u16> {
        match self.kind(ty) {
            TypeKind::Bool => Some(8),
            TypeKind::Int(kind) => Some(kind.width(self.data_model)),
            _ => None,
        }
    }

    /// The sort of the values of a scalar type.
    pub fn sort(&self, ty: Ty) -> Option<Sort> {
        match self.kind(ty) {
            TypeKind::Bool => Some(Sort::Bv(8)),
            TypeKind::Int(kind) => Some(Sort::Bv(kind.width(self.data_model))),
            TypeKind::Float(kind) => Some(Sort::Float(*kind)),
            TypeKind::Pointer(_) => Some(Sort::Ptr),
            TypeKind::Void
            | TypeKind::Array(..)
            | TypeKind::Vla(..)
            | TypeKind::Function(_)
            | TypeKind::Record(_) => None,
        }
    }

    /// C11 6.3.1.1p2: types of lower rank than `int` become `int`, which holds all their values.
    pub fn promote(&self, ty: Ty) -> Ty {
        match self.kind(ty) {
            TypeKind::Bool => self.int,
            TypeKind::Int(kind) if kind.rank() < IntKind::Int.rank() => self.int,
            _ => self.table.get(&(self.kind(ty).clone(), Qualifiers::NONE)).copied().unwrap_or(ty),
        }
    }

    /// C11 6.3.1.8: the common type of two arithmetic operands.
    pub fn usual_arithmetic(&mut self, a: Ty, b: Ty) -> Ty {
        let float = |ty: &TypeKind| match ty {
            TypeKind::Float(kind) => Some(*kind),
            _ => None,
        };
        match (float(self.kind(a)), float(self.kind(b))) {
            (Some(a), Some(b)) => return self.float(a.max(b)),
            (Some(kind), None) | (None, Some(kind)) => return self.float(kind),
            (None, None) => {}
        }
        let (a, b) = (self.promote(a), self.promote(b));
        let (TypeKind::Int(ka), TypeKind::Int(kb)) = (self.kind(a), self.kind(b)) else {
            return a;
        };
        let kind = ka.common_with(*kb, self.data_model);
        self.integer(kind)
    }

    /// The type of a value of this type as a variadic argument (C11 6.5.2.2p6).
    pub fn default_promote(&self, ty: Ty) -> Ty {
        match self.kind(ty) {
            TypeKind::Float(FloatKind::F32) => self.double,
            TypeKind::Int(IntKind::Bits { signed: true, .. }) => self.longlong,
            TypeKind::Int(IntKind::Bits { signed: false, .. }) => self.ulonglong,
            _ => self.promote(ty),
        }
    }

    /// Arrays and functions as parameters or values are pointers (C11 6.7.6.3p7, 6.3.2.1p3).
    pub fn decayed(&mut self, ty: Ty) -> Ty {
        match *self.kind(ty) {
            TypeKind::Array(element, _) | TypeKind::Vla(element, _) => self.pointer(element),
            TypeKind::Function(_) => self.pointer(ty),
            _ => ty,
        }
    }

    /// C11 6.2.7p3: of two compatible types, the one that knows more: the length of an array, or the
    /// parameters of a function.
    pub fn composite(&self, a: Ty, b: Ty) -> Ty {
        let knows_less = match (self.kind(a), self.kind(b)) {
            (TypeKind::Array(_, None), TypeKind::Array(_, Some(_)) | TypeKind::Vla(..)) => true,
            (TypeKind::Function(a), TypeKind::Function(b)) => !a.prototyped && b.prototyped,
            _ => false,
        };
        if knows_less { b } else { a }
    }

    /// C11 6.2.7, leniently: equal up to outer qualifiers, unknown array lengths and missing
    /// prototypes.
    pub fn compatible(&self, a: Ty, b: Ty) -> bool {
        if a == b {
            return true;
        }
        match (self.kind(a), self.kind(b)) {
            (TypeKind::Pointer(a), TypeKind::Pointer(b)) => {
                self.qualifiers(*a).same_access(self.qualifiers(*b)) && self.compatible(*a, *b)
            }
            (TypeKind::Array(a, la), TypeKind::Array(b, lb)) => {
                (la.is_none() || lb.is_none() || la == lb) && self.compatible(*a, *b)
            }
            (
                TypeKind::Vla(a, _) | TypeKind::Array(a, _),
                TypeKind::Vla(b, _) | TypeKind::Array(b, _),
            ) => self.compatible(*a, *b),
            (TypeKind::Function(a), TypeKind::Function(b)) => {
                self.compatible(a.result, b.result)
                    && (!a.prototyped
                        || !b.prototyped
                        || (a.variadic == b.variadic
                            && a.params.len() == b.params.len()
                            && a.params
                                .iter()
                                .zip(&b.params)
                                .all(|(&a, &b)| self.compatible(a, b))))
            }
            (a, b) => a == b,
        }
    }
}

impl IntKind {
    pub fn is_signed(self) -> bool {
        match self {
            IntKind::Char
            | IntKind::SChar
            | IntKind::Short
            | IntKind::Int
            | IntKind::Long
            | IntKind::LongLong
            | IntKind::Int128 => true,
            IntKind::Bits { signed, .. } => signed,
            IntKind::UChar
            | IntKind::UShort
            | IntKind::UInt
            | IntKind::ULong
            | IntKind::ULongLong
            | IntKind::UInt128 => false,
        }
    }

    pub fn width(self, data_model: DataModel) -> u16 {
        match self {
            IntKind::Char | IntKind::SChar | IntKind::UChar => 8,
            IntKind::Short | IntKind::UShort => 16,
            IntKind::Int | IntKind::UInt => 32,
            IntKind::Long | IntKind::ULong => data_model.pointer_bits(),
            IntKind::LongLong | IntKind::ULongLong => 64,
            IntKind::Int128 | IntKind::UInt128 => 128,
            IntKind::Bits { width, .. } => u16::from(width),
        }
    }

    /// C11 6.3.1.1p1.
    fn rank(self) -> u8 {
        match self {
            IntKind::Char | IntKind::SChar | IntKind::UChar => 1,
            IntKind::Short | IntKind::UShort => 2,
            IntKind::Int | IntKind::UInt => 3,
            IntKind::Bits { .. } => 4,
            IntKind::Long | IntKind::ULong => 5,
            IntKind::LongLong | IntKind::ULongLong => 6,
            IntKind::Int128 | IntKind::UInt128 => 7,
        }
    }

    /// The signed type that gcc takes for a width.
    pub fn signed_of_width(width: u16, data_model: DataModel) -> IntKind {
        match width {
            8 => IntKind::SChar,
            16 => IntKind::Short,
            32 => IntKind::Int,
            64 if data_model.pointer_bits() == 64 => IntKind::Long,
            64 => IntKind::LongLong,
            _ => IntKind::Int128,
        }
    }

    pub fn to_unsigned(self) -> IntKind {
        match self {
            IntKind::Char | IntKind::SChar | IntKind::UChar => IntKind::UChar,
            IntKind::Short | IntKind::UShort => IntKind::UShort,
            IntKind::Int | IntKind::UInt => IntKind::UInt,
            IntKind::Long | IntKind::ULong => IntKind::ULong,
            IntKind::LongLong | IntKind::ULongLong => IntKind::ULongLong,
            IntKind::Int128 | IntKind::UInt128 => IntKind::UInt128,
            IntKind::Bits { width, .. } => IntKind::Bits { width, signed: false },
        }
    }

    /// C11 6.3.1.8p1, for promoted types.
    fn common_with(self, other: IntKind, data_model: DataModel) -> IntKind {
        if let (IntKind::Bits { .. }, _) | (_, IntKind::Bits { .. }) = (self, other) {
            // gcc goes by the number of bits; among equals the unsigned type wins.
            let (a, b) = (self.width(data_model), other.width(data_model));
            let takes_self = if a == b { !self.is_signed() } else { a > b };
            return if takes_self { self } else { other };
        }
        if self.is_signed() == other.is_signed() {
            return if self.rank() >= other.rank() { self } else { other };
        }
        let (signed, unsigned) = if self.is_signed() { (self, other) } else { (other, self) };
        if unsigned.rank() >= signed.rank() {
            unsigned
        } else if signed.width(data_model) > unsigned.width(data_model) {
            signed
        } else {
            signed.to_unsigned()
        }
    }
}
