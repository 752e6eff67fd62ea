//! Sizes, alignments and member offsets, as gcc lays them out on x86 (System V ABI, i386 and
//! x86-64).

use ravelin_base::{DataModel, Symbol};
use ravelin_term::FloatKind;

use super::placement::{Placed, Placement};
use super::{IntKind, Record, Ty, TypeKind, Types};

/// A member as declared.
#[derive(Clone, Debug)]
pub struct FieldSpec {
    /// `None` for anonymous members and unnamed bit-fields.
    pub name: Option<Symbol>,
    pub ty: Ty,
    /// The width of a bit-field.
    pub bits: Option<u16>,
    /// From `_Alignas` or `aligned` on the member.
    pub align: Option<u32>,
    /// `packed` on the member.
    pub packed: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordAttributes {
    pub packed: bool,
    /// At least this alignment.
    pub align: Option<u32>,
    /// No member is aligned to more (`#pragma pack`).
    pub pack: Option<u32>,
    /// `ms_struct`: bit-fields are laid out as Microsoft's compiler does.
    pub ms_struct: bool,
}

/// The layout of a complete struct or union.
#[derive(Clone, Debug)]
pub struct Layout {
    pub size: u64,
    pub align: u32,
    /// Whether the source asked for that alignment, of the record or of a member.
    pub user_align: bool,
    pub mode: Mode,
    pub fields: Vec<Field>,
}

/// How gcc would keep a value in registers (its machine mode), as far as alignment depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// In memory only.
    Block,
    Integer,
    Double,
    Other,
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
            TypeKind::Int(IntKind::Bits { width, .. }) => {
                Some(u64::from(*width).div_ceil(8).next_power_of_two())
            }
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
        let (align, asked_for) = self.own_align(ty);
        // Without being asked, gcc claims no more than the largest alignment of any scalar.
        if asked_for { align } else { self.member_align(ty, align.min(16)) }
    }

    /// GNU `__alignof__`: what the target prefers, which on i386 is 8 for 8-byte scalars.
    pub fn preferred_align_of(&self, ty: Ty) -> u32 {
        self.own_align(ty).0
    }

    /// The alignment of objects of the type, and whether the source asked for it. gcc calls them
    /// `TYPE_ALIGN` and `TYPE_USER_ALIGN`.
    pub(super) fn own_align(&self, ty: Ty) -> (u32, bool) {
        let (align, asked_for) = self.align_unless_atomic(ty);
        match self.size_of(ty) {
            // One instruction must be able to access it.
            Some(size @ (1 | 2 | 4 | 8 | 16)) if self.qualifiers(ty).atomic => {
                (align.max(size as u32), asked_for)
            }
            _ => (align, asked_for),
        }
    }

    fn align_unless_atomic(&self, ty: Ty) -> (u32, bool) {
        let ilp32 = self.data_model == DataModel::Ilp32;
        if let Some(log2) = self.qualifiers(ty).align_log2 {
            return (1 << log2, true);
        }
        match self.kind(ty) {
            TypeKind::Void | TypeKind::Bool | TypeKind::Function(_) => (1, false),
            TypeKind::Int(IntKind::Bits { .. }) => (8, false),
            TypeKind::Float(FloatKind::F80) if ilp32 => (4, false),
            TypeKind::Int(kind) => (u32::from(kind.width(self.data_model) / 8), false),
            TypeKind::Float(kind) => (self.float_size(*kind) as u32, false),
            TypeKind::Pointer(_) => (self.data_model.pointer_bytes() as u32, false),
            // gcc forgets that the elements of an array are atomic.
            TypeKind::Array(element, _) | TypeKind::Vla(element, _) => {
                self.align_unless_atomic(*element)
            }
            TypeKind::Record(record) => {
                let layout = self.records[*record].layout.as_ref();
                layout.map_or((1, false), |layout| (layout.align, layout.user_align))
            }
        }
    }

    /// The i386 ABI aligns 8-byte integers and `double` to 4 inside structs; gcc makes an exception
    /// for atomic ones.
    pub(super) fn member_align(&self, ty: Ty, align: u32) -> u32 {
        let mut inner = ty;
        while let TypeKind::Array(element, _) | TypeKind::Vla(element, _) = self.kind(inner) {
            inner = *element;
        }
        let limited = self.data_model == DataModel::Ilp32
            && matches!(self.mode(inner), Mode::Integer | Mode::Double)
            && !self.qualifiers(inner).atomic;
        if limited { align.min(4) } else { align }
    }

    fn mode(&self, ty: Ty) -> Mode {
        match self.kind(ty) {
            TypeKind::Bool | TypeKind::Int(_) | TypeKind::Pointer(_) => Mode::Integer,
            TypeKind::Float(FloatKind::F64) => Mode::Double,
            TypeKind::Float(_) | TypeKind::Void | TypeKind::Function(_) => Mode::Other,
            TypeKind::Vla(..) | TypeKind::Array(_, None) => Mode::Block,
            TypeKind::Array(element, Some(length)) => match (self.mode(*element), *length) {
                (Mode::Block, _) => Mode::Block,
                (mode, 1) => mode,
                (..) => self.mode_of_size(self.size_of(ty)),
            },
            TypeKind::Record(record) => {
                self.records[*record].layout.as_ref().map_or(Mode::Block, |layout| layout.mode)
            }
        }
    }

    fn mode_of_size(&self, size: Option<u64>) -> Mode {
        match (size, self.data_model) {
            (Some(1 | 2 | 4 | 8), _) | (Some(16), DataModel::Lp64) => Mode::Integer,
            (..) => Mode::Block,
        }
    }

    /// The mode of a record of `size` bytes: that of the member which fills it, or of an integer of
    /// its size, if no member has to be in memory.
    fn record_mode(&self, is_union: bool, specs: &[FieldSpec], size: u64) -> Mode {
        let mut whole = None;
        for spec in specs {
            let field_size = self.size_of(spec.ty);
            if field_size.is_none() || (field_size != Some(0) && self.mode(spec.ty) == Mode::Block)
            {
                return Mode::Block;
            }
            let bits = spec.bits.map_or(field_size.unwrap_or(0) * 8, u64::from);
            if bits == size * 8 && size > 0 {
                whole = whole.or(Some(self.mode(spec.ty)));
            }
        }
        match whole {
            Some(Mode::Integer) => Mode::Integer,
            Some(mode) if !is_union => mode,
            _ => self.mode_of_size(Some(size)),
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
        let mut placement = Placement::new(self, attributes);
        let mut fields = Vec::with_capacity(specs.len());
        let mut runs = Runs::default();
        let mut end = 0u64;
        for (index, spec) in specs.iter().enumerate() {
            if is_union {
                placement.cursor = 0;
                placement.previous = None;
                runs.finish(&mut fields, self.joins_bit_fields);
            }
            let placed = if is_union {
                placement.place_in_union(spec)
            } else {
                placement.place(spec, index + 1 == specs.len())
            };
            let Placed { position, align } = placed;
            match spec.bits {
                None => {
                    runs.finish(&mut fields, self.joins_bit_fields);
                    fields.push(Field {
                        name: spec.name,
                        ty: spec.ty,
                        offset: position / 8,
                        align,
                        bits: None,
                    });
                }
                // C11 6.7.2.1p12: no further bit-field goes into the current unit.
                Some(0) => runs.finish(&mut fields, self.joins_bit_fields),
                Some(width) => {
                    if spec.name.is_some() {
                        fields.push(Field {
                            name: spec.name,
                            ty: spec.ty,
                            offset: 0,
                            align,
                            bits: Some(BitField { unit: 0, shift: 0, width }),
                        });
                        let field = fields.len() - 1;
                        let size_bits = self.size_of(spec.ty).unwrap_or(1) * 8;
                        runs.members.push(RunMember { field, position, width, size_bits });
                    }
                }
            }
            end = end.max(placement.cursor);
        }
        runs.finish(&mut fields, self.joins_bit_fields);
        let align = (placement.record_align / 8) as u32;
        let user_align = placement.user_align;
        let size = end.div_ceil(8).next_multiple_of(u64::from(align));
        let mode = self.record_mode(is_union, &specs, size);
        self.records[record].layout = Some(Layout { size, align, user_align, mode, fields });
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

/// So many bits a unit may have.
const MAX_UNIT: u64 = 128;

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
    /// the field straddles such units (packed structs), the bytes it touches. Or all have the whole run as their unit,
    /// if values are that wide.
    fn finish(&mut self, fields: &mut [Field], whole: bool) {
        let end_of = |member: &RunMember| member.position + u64::from(member.width);
        let run_start = self.members.first().map_or(0, |member| member.position / 8 * 8);
        let run_end = self.members.iter().map(end_of).max().unwrap_or(0).next_multiple_of(8);
        for member in self.members.drain(..) {
            let (position, end) = (member.position, end_of(&member));
            let aligned = position / member.size_bits * member.size_bits;
            let start = aligned.max(run_start);
            let unit_end = (aligned + member.size_bits).min(run_end);
            let (start, unit_end) = if whole && run_end - run_start <= MAX_UNIT {
                (run_start, run_end)
            } else if end <= unit_end {
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
