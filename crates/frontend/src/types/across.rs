//! Types of different translation units (C11 6.2.7p1). Each unit declares its own records, so they
//! are compared by their contents. Tags and names of members do not matter: the question is whether
//! two units access the same bytes in the same way.

use super::{Ty, TypeKind, Types};

impl Types {
    /// Whether calls through one function type work for a function that was defined with the other,
    /// as far as structs and unions are passed by value; scalars are converted later.
    pub fn passes_same_records(&self, a: Ty, b: Ty) -> bool {
        let (Some(a), Some(b)) = (self.as_function(a), self.as_function(b)) else { return true };
        let unknown = !a.prototyped || !b.prototyped;
        let same = |(&a, &b): (&Ty, &Ty)| {
            (self.as_record(a).is_none() && self.as_record(b).is_none()) || self.same_layout(a, b)
        };
        same((&a.result, &b.result)) && (unknown || a.params.iter().zip(&b.params).all(same))
    }

    /// Whether objects of the two types have the same bytes in the same places. What pointers lead to
    /// does not matter, so that there are no cycles.
    pub fn same_layout(&self, a: Ty, b: Ty) -> bool {
        if a == b {
            return true;
        }
        match (self.kind(a), self.kind(b)) {
            (TypeKind::Record(a), TypeKind::Record(b)) => {
                let (a, b) = (&self.records[*a], &self.records[*b]);
                let (Some(x), Some(y)) = (&a.layout, &b.layout) else {
                    // Nothing is passed that is not complete, so this one only names the other.
                    return a.tag == b.tag;
                };
                a.is_union == b.is_union
                    && (x.size, x.align) == (y.size, y.align)
                    && x.fields.len() == y.fields.len()
                    && x.fields.iter().zip(&y.fields).all(|(a, b)| {
                        (a.offset, a.bits) == (b.offset, b.bits) && self.same_layout(a.ty, b.ty)
                    })
            }
            (TypeKind::Array(a, la), TypeKind::Array(b, lb)) => {
                la == lb && self.same_layout(*a, *b)
            }
            _ => match (self.sort(a), self.sort(b)) {
                (Some(a), Some(b)) => a == b,
                (_, _) => false,
            },
        }
    }
}
