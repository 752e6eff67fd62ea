//! Sizes, alignments and member offsets, as gcc lays them out on x86 (System V ABI, i386 and
//! x86-64).

use ravelin_base::{DataModel, Symbol};
use ravelin_term::FloatKind;

use super::{IntKind, Record, Ty, TypeKind, Types};

/// A member as declared.
#[derive(Clone, Debug)]
pub struct FieldSpec {
    /// `None` for anonymous members and unnamed bit-fields.
    pub name: Option<Symbol>,
    pub ty: Ty,
    /// The width of a bit-field.
    pub bits: Option<u16>,
    /// From `_Alignas` or an attribute on the member; with `packed` on the member: 1.
    pub align: Option<FieldAlign>,
}

/// What the source says about a member's alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldAlign {
    AtLeast(u32),
    Packed,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordAttributes {
    pub packed: bool,
    /// At least this alignment.
    pub align: Option<u32>,
    /// No member is aligned to more (`#pragma pack`).
    pub pack: Option<u32>,
}

/// The layout of a complete struct or union.
#[derive(Clone, Debug)]
pub struct Layout {
    pub size: u64,
    pub align: u32,
    pub fields: Vec<Field>,
}

/// A member in place.
#[derive(Clone, Debug)]
pub struct Field {
    pub name: Option<Symbol>,
    pub ty: Ty,
    /// In bytes; of a bit-field: of the unit it is accessed through.
    pub offset: u64,
    pub align: u32,
    pub bits: Option<BitField>,
}

/// A bit-field inside its access unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitField {
    /// Bits of the unit, a multiple of 8.
    pub unit: u16,
    /// From the least significant bit of the unit.
    pub shift: u16,
    pub width: u16,
}

impl Types {
    /// The size in bytes; `None` for incomplete types and those known at run time only.
    pub fn size_of(&self, ty: Ty) -> Option<u64> {
        match self.kind(ty) {
            // GNU C: sizeof(void) and of functions is 1.
            TypeKind::Void | TypeKind::Bool | TypeKind::Function(_) => Some(1),
            TypeKind::Int(IntKind::Bits { .. }) => Some(8),
            TypeKind::Int(kind) => Some(u64::from(kind.width(self.data_model) / 8)),
            TypeKind::Float(kind) => Some(self.float_size(*kind)),
            TypeKind::Pointer(_) => Some(self.data_model.pointer_bytes()),
            TypeKind::Array(element, length) => self.size_of(*element)?.checked_mul((*length)?),
            TypeKind::Vla(..) => None,
            TypeKind::Record(record) => Some(self.records[*record].layout.as_ref()?.size),
        }
    }

    fn float_size(&self, kind: FloatKind) -> u64 {
        match (kind, self.data_model) {
            (FloatKind::F32, _) => 4,
            (FloatKind::F64, _) => 8,
            (FloatKind::F80, DataModel::Ilp32) => 12,
            (FloatKind::F80, DataModel::Lp64) | (FloatKind::F128, _) => 16,
        }
    }

    /// `_Alignof`: the alignment a type needs as a struct member.
    pub fn align_of(&self, ty: Ty) -> u32 {
        let asked_for = self.qualifiers(ty).align_log2;
        if asked_for > 0 {
            return 1 << asked_for;
        }
        let ilp32 = self.data_model == DataModel::Ilp32;
        match self.kind(ty) {
            TypeKind::Void | TypeKind::Bool | TypeKind::Function(_) => 1,
            // The i386 ABI aligns 8-byte scalars to 4 inside structs.
            TypeKind::Int(IntKind::LongLong | IntKind::ULongLong | IntKind::Bits { .. })
                if ilp32 =>
            {
                4
            }
            TypeKind::Int(IntKind::Bits { .. }) => 8,
            TypeKind::Float(FloatKind::F64 | FloatKind::F80) if ilp32 => 4,
            TypeKind::Int(kind) => u32::from(kind.width(self.data_model) / 8),
            TypeKind::Float(kind) => self.float_size(*kind) as u32,
            TypeKind::Pointer(_) => self.data_model.pointer_bytes() as u32,
            TypeKind::Array(element, _) | TypeKind::Vla(element, _) => self.align_of(*element),
            TypeKind::Record(record) => {
                self.records[*record].layout.as_ref().map_or(1, |layout| layout.align)
            }
        }
    }

    /// GNU `__alignof__`: what the target prefers, which on i386 is 8 for 8-byte scalars.
    pub fn preferred_align_of(&self, ty: Ty) -> u32 {
        match self.kind(ty) {
            TypeKind::Int(IntKind::LongLong | IntKind::ULongLong)
            | TypeKind::Float(FloatKind::F64)
                if self.qualifiers(ty).align_log2 == 0 =>
            {
                8
            }
            TypeKind::Array(element, _) => self.preferred_align_of(*element),
            _ => self.align_of(ty),
        }
    }

    pub fn is_complete(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Vla(..)) || self.size_of(ty).is_some()
    }

    /// Lays out a struct or union. The caller has checked that the members are complete (but for a
    /// flexible array member) and bit-fields fit their types.
    pub fn define_record(
        &mut self,
        record: Record,
        specs: Vec<FieldSpec>,
        attributes: RecordAttributes,
    ) {
        let is_union = self.records[record].is_union;
        let mut fields = Vec::with_capacity(specs.len());
        let mut align = attributes.align.unwrap_or(1);
        // Bits, so that bit-fields and others share one cursor.
        let (mut cursor, mut end) = (0u64, 0u64);
        let mut runs = Runs::default();
        for spec in specs {
            if is_union {
                cursor = 0;
                runs.finish(&mut fields);
            }
            let packed = attributes.packed || spec.align == Some(FieldAlign::Packed);
            let mut field_align = if packed { 1 } else { self.align_of(spec.ty) };
            if let Some(FieldAlign::AtLeast(wanted)) = spec.align {
                field_align = field_align.max(wanted);
            }
            if let Some(limit) = attributes.pack {
                field_align = field_align.min(limit);
            }
            let size_bits = self.size_of(spec.ty).unwrap_or(0) * 8;
            match spec.bits {
                None => {
                    runs.finish(&mut fields);
                    cursor = cursor.next_multiple_of(u64::from(field_align) * 8);
                    align = align.max(field_align);
                    fields.push(Field {
                        name: spec.name,
                        ty: spec.ty,
                        offset: cursor / 8,
                        align: field_align,
                        bits: None,
                    });
                    cursor += size_bits;
                }
                Some(0) => {
                    // C11 6.7.2.1p12: no further bit-field goes into the current unit.
                    runs.finish(&mut fields);
                    let unit = u64::from(self.align_of(spec.ty)) * 8;
                    cursor = cursor.next_multiple_of(unit);
                }
                Some(width) => {
                    let unit = u64::from(field_align) * 8;
                    if let Some(FieldAlign::AtLeast(_)) = spec.align {
                        cursor = cursor.next_multiple_of(unit);
                    } else if !packed
                        && (cursor % unit + u64::from(width)).div_ceil(unit) > size_bits / unit
                    {
                        // It would straddle more units of its type than the type has.
                        cursor = cursor.next_multiple_of(unit);
                    }
                    // An unnamed bit-field does not align the struct (System V ABI 3.1.2).
                    if spec.name.is_some() {
                        align = align.max(field_align);
                        fields.push(Field {
                            name: spec.name,
                            ty: spec.ty,
                            offset: 0,
                            align: field_align,
                            bits: Some(BitField { unit: 0, shift: 0, width }),
                        });
                        let field = fields.len() - 1;
                        runs.members.push(RunMember { field, position: cursor, width, size_bits });
                    }
                    cursor += u64::from(width);
                }
            }
            end = end.max(cursor);
        }
        runs.finish(&mut fields);
        let size = end.div_ceil(8).next_multiple_of(u64::from(align));
        self.records[record].layout = Some(Layout { size, align, fields });
    }

    /// The members of a complete struct or union.
    pub fn fields(&self, record: Record) -> Option<&[Field]> {
        self.records[record].layout.as_ref().map(|layout| layout.fields.as_slice())
    }

    /// The path to a member through anonymous structs and unions: field indices from the outside.
    pub fn find_field(&self, record: Record, name: Symbol) -> Option<Vec<(Record, usize)>> {
        let fields = self.fields(record)?;
        if let Some(index) = fields.iter().position(|field| field.name == Some(name)) {
            return Some(vec![(record, index)]);
        }
        for (index, field) in fields.iter().enumerate() {
            if field.name.is_none()
                && let Some(inner) = self.as_record(field.ty)
                && let Some(mut path) = self.find_field(inner, name)
            {
                path.insert(0, (record, index));
                return Some(path);
            }
        }
        None
    }
}

/// Adjacent bit-fields: one memory location (C11 3.14p3), which nothing else shares.
#[derive(Default)]
struct Runs {
    members: Vec<RunMember>,
}

struct RunMember {
    field: usize,
    /// Its first bit in the struct.
    position: u64,
    width: u16,
    /// The bits of its declared type.
    size_bits: u64,
}

impl Runs {
    /// Ends the current run and chooses the unit of each of its fields: the aligned storage unit of
    /// its type, so that neighbours share a memory cell, but no byte outside of the run; and where
    /// the field straddles such units (packed structs), the bytes it touches.
    fn finish(&mut self, fields: &mut [Field]) {
        let end_of = |member: &RunMember| member.position + u64::from(member.width);
        let run_start = self.members.first().map_or(0, |member| member.position / 8 * 8);
        let run_end = self.members.iter().map(end_of).max().unwrap_or(0).next_multiple_of(8);
        for member in self.members.drain(..) {
            let (position, end) = (member.position, end_of(&member));
            let aligned = position / member.size_bits * member.size_bits;
            let start = aligned.max(run_start);
            let unit_end = (aligned + member.size_bits).min(run_end);
            let (start, unit_end) = if end <= unit_end {
                (start, unit_end)
            } else {
                (position / 8 * 8, end.next_multiple_of(8))
            };
            let field = &mut fields[member.field];
            field.offset = start / 8;
            field.bits = Some(BitField {
                unit: (unit_end - start) as u16,
                shift: (position - start) as u16,
                width: member.width,
            });
        }
    }
}
