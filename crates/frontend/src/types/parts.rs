//! Arithmetic types whose values have several parts: complex numbers (C11 6.2.5p11) and GNU C's vectors. They are laid
//! out as structs without a name, so that everything which copies structs copies them, too.

use super::layout::{Field, Layout, Mode};
use super::{Record, RecordData, Ty, TypeKind, Types};
use ravelin_term::FloatKind;

/// What a value of several parts is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// The real part, and then the imaginary one.
    Complex,
    Vector,
}

/// The parts of an arithmetic type: scalars of one type, one behind the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Parts {
    pub shape: Shape,
    pub element: Ty,
    pub count: u64,
}

impl Types {
    /// The complex type with parts of this arithmetic type.
    pub fn complex(&mut self, element: Ty) -> Ty {
        self.of_parts(Parts { shape: Shape::Complex, element, count: 2 })
    }

    /// The vector type with this many elements.
    pub fn vector(&mut self, element: Ty, count: u64) -> Ty {
        self.of_parts(Parts { shape: Shape::Vector, element, count })
    }

    pub fn of_parts(&mut self, parts: Parts) -> Ty {
        let element = self.unqualified(parts.element);
        let parts = Parts { element, ..parts };
        let record = match self.made_of_parts.get(&parts) {
            Some(&record) => record,
            None => self.define_parts(parts),
        };
        self.intern(TypeKind::Record(record))
    }

    fn define_parts(&mut self, parts: Parts) -> Record {
        let Parts { shape, element, count } = parts;
        let size = self.size_of(element).unwrap_or(0).saturating_mul(count);
        let array = self.array(element, Some(count));
        let element_align = self.own_align(element).0;
        let (align, mode) = match (shape, self.kind(element)) {
            (Shape::Complex, TypeKind::Float(FloatKind::F64)) => (element_align, Mode::Double),
            (Shape::Complex, TypeKind::Float(_)) => (element_align, Mode::Other),
            (Shape::Complex, _) => (element_align, Mode::Integer),
            // gcc aligns vectors to their size.
            (Shape::Vector, _) => (u32::try_from(size).unwrap_or(element_align), Mode::Other),
        };
        let field = Field { name: None, ty: array, offset: 0, align: element_align, bits: None };
        let layout = Layout { size, align, user_align: false, mode, fields: vec![field] };
        let record = self.records.push(RecordData {
            is_union: false,
            tag: None,
            parts: Some(parts),
            layout: Some(layout),
        });
        self.made_of_parts.insert(parts, record);
        record
    }

    /// The parts of the values of a complex or vector type.
    pub fn parts(&self, ty: Ty) -> Option<Parts> {
        self.records[self.as_record(ty)?].parts
    }

    /// The type of the parts of complex numbers.
    pub fn as_complex(&self, ty: Ty) -> Option<Ty> {
        self.parts(ty).filter(|parts| parts.shape == Shape::Complex).map(|parts| parts.element)
    }

    /// The element type and the length of vectors.
    pub fn as_vector(&self, ty: Ty) -> Option<(Ty, u64)> {
        let parts = self.parts(ty).filter(|parts| parts.shape == Shape::Vector)?;
        Some((parts.element, parts.count))
    }

    /// The common type of the parts of two complex numbers, or of one and a promoted real number. gcc promotes no parts.
    pub fn usual_arithmetic_of_parts(&mut self, a: Ty, b: Ty) -> Ty {
        let narrow = |types: &Types, ty: Ty| match types.kind(ty) {
            TypeKind::Int(kind) => kind.width(types.data_model) < 32,
            _ => false,
        };
        if a == b {
            return a;
        }
        if !narrow(self, a) || !narrow(self, b) {
            return self.usual_arithmetic(a, b);
        }
        let by_width = self.int_width(a).cmp(&self.int_width(b));
        let takes_first = by_width.then((!self.is_signed(a)).cmp(&!self.is_signed(b))).is_ge();
        if takes_first { a } else { b }
    }
}
