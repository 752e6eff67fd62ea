//! The placement of the members of structs and unions. This follows gcc's order of decisions, since
//! the combined effect of attributes, typedefs and pragmas is documented nowhere else.
//!
//! Positions and alignments are in bits here.

use super::Types;
use super::layout::{FieldSpec, RecordAttributes};

/// Lays out the members of one record, one after the other.
pub(super) struct Placement<'t> {
    types: &'t Types,
    attributes: RecordAttributes,
    /// The first free bit.
    pub cursor: u64,
    pub record_align: u64,
    /// Whether the source asked for an alignment, of the record or of a member.
    pub user_align: bool,
    /// `ms_struct`: the bit-field before, if no other member came between.
    pub previous: Option<Previous>,
    /// `ms_struct`: the bits that are left in the unit of the bit-fields before.
    remaining: u64,
    /// gcc keeps a position as a sum: this, and the bits from there on, usually less than `chunk`.
    base: u64,
    chunk: u64,
}

/// A bit-field that came before.
#[derive(Clone, Copy)]
pub(super) struct Previous {
    width: u64,
    type_size: u64,
}

/// Where a member is.
pub(super) struct Placed {
    pub position: u64,
    /// In bytes.
    pub align: u32,
}

/// A member before it has a place.
struct Member {
    type_align: u64,
    type_user_align: bool,
    type_size: u64,
    /// The width of a bit-field.
    width: Option<u64>,
    /// `None` for a flexible array.
    size: Option<u64>,
    packed: bool,
    align: u64,
    user_align: bool,
    /// Whether it is treated as a bit-field; one that fills an aligned integer is not.
    is_bit_field: bool,
}

impl<'t> Placement<'t> {
    pub fn new(types: &'t Types, attributes: RecordAttributes) -> Self {
        Placement {
            types,
            attributes,
            cursor: 0,
            record_align: u64::from(attributes.align.unwrap_or(1)) * 8,
            user_align: attributes.align.is_some(),
            previous: None,
            remaining: 0,
            base: 0,
            // The largest alignment of the target.
            chunk: u64::from(attributes.align.unwrap_or(1)).max(16) * 8,
        }
    }

    /// Places a member of a union; the cursor ends behind it.
    pub fn place_in_union(&mut self, spec: &FieldSpec) -> Placed {
        let member = self.member(spec, 0);
        self.align_record(spec, &member);
        self.cursor = member.size.unwrap_or(0).next_multiple_of(8);
        Placed { position: 0, align: bytes(member.align) }
    }

    /// Places a member of a struct; the cursor ends behind it.
    pub fn place(&mut self, spec: &FieldSpec, is_last: bool) -> Placed {
        // The alignment of the first free bit; 0 at the start, where everything is aligned.
        let known = if self.cursor == 0 { 0 } else { 1 << self.cursor.trailing_zeros() };
        let member = self.member(spec, known);
        self.align_record(spec, &member);
        let misaligned = known != 0 && known < member.align;
        let ms_struct = self.attributes.ms_struct;
        if misaligned && !(ms_struct && self.previous.is_some()) {
            self.align_to(member.align);
        }
        if ms_struct {
            self.place_as_microsoft(&member, misaligned);
        } else if member.is_bit_field
            && !member.packed
            && self.attributes.pack.is_none()
            && let Some(width @ 1..) = member.width
        {
            // It must not straddle more units of its alignment than its type has.
            let unit = self.field_align_of_type(spec, &member);
            if (self.cursor % unit + width).div_ceil(unit) > member.type_size / unit {
                self.advance_to(unit);
            }
            self.user_align |= member.type_user_align;
        }
        let position = self.cursor;
        if self.previous.is_none()
            && let Some(width) = member.width
        {
            self.previous = Some(Previous { width, type_size: member.type_size });
        }
        self.cursor += member.size.unwrap_or(0);
        if ms_struct && is_last && member.width.is_some_and(|width| width > 0) {
            self.cursor += self.remaining;
        }
        self.normalise();
        Placed { position, align: bytes(member.align) }
    }

    /// Moves to where a member of this alignment may begin.
    fn align_to(&mut self, align: u64) {
        if align < self.chunk {
            self.advance_to(align);
        } else {
            self.cursor = self.cursor.next_multiple_of(align);
            self.base = self.cursor;
        }
    }

    /// Moves to a boundary for bit-fields. gcc counts from `base`, so that an alignment above `chunk`
    /// need not come out aligned.
    fn advance_to(&mut self, align: u64) {
        self.cursor = self.base + (self.cursor - self.base).next_multiple_of(align);
    }

    fn normalise(&mut self) {
        self.base += (self.cursor - self.base) / self.chunk * self.chunk;
    }

    /// The alignment of a member at a position that is aligned to `known`, by its type and
    /// attributes.
    fn member(&self, spec: &FieldSpec, known: u64) -> Member {
        let (type_align, type_user_align) = self.types.own_align(spec.ty);
        let type_align = u64::from(type_align) * 8;
        let size = self.types.size_of(spec.ty).map(|size| size * 8);
        let width = spec.bits.map(u64::from);
        // `packed` means nothing to members that have no alignment to lose.
        let packed = (spec.packed || self.attributes.packed) && (width.is_some() || type_align > 8);
        let asked_for = spec.align.map(|align| u64::from(align) * 8);
        let mut member = Member {
            type_align,
            type_user_align,
            type_size: size.unwrap_or(0),
            width,
            size: width.or(size),
            packed,
            align: asked_for.unwrap_or(1),
            user_align: asked_for.is_some(),
            is_bit_field: width.is_some(),
        };
        // `#pragma pack` and `packed` do not change what a bit-field without width does.
        let is_zero_width = width == Some(0) && !self.attributes.ms_struct;
        let packed = packed && !is_zero_width;
        match width {
            Some(width) => {
                if is_zero_width {
                    member.align_as_type();
                }
                let fills_integer = matches!(width, 8 | 16 | 32 | 64)
                    || (width == 128 && self.types.data_model().pointer_bits() == 64);
                if fills_integer && !(width > 8 && member.packed) && (known == 0 || known >= width)
                {
                    member.align = member.align.max(width);
                    member.is_bit_field = false;
                }
            }
            // An alignment that the member itself asks for is kept.
            None if packed && member.user_align => {}
            None => member.align_as_type(),
        }
        if packed && asked_for.is_none() {
            member.align = member.align.min(8);
        }
        if !packed && !member.user_align {
            member.align = self.adjust(spec, member.align);
        }
        if let Some(pack) = self.attributes.pack
            && !is_zero_width
        {
            member.align = member.align.min(u64::from(pack) * 8);
        }
        member
    }

    /// The alignment of a member inside a record, which may be less than its own alignment.
    fn adjust(&self, spec: &FieldSpec, align: u64) -> u64 {
        if align < 8 {
            return align;
        }
        u64::from(self.types.member_align(spec.ty, bytes(align))) * 8
    }

    fn field_align_of_type(&self, spec: &FieldSpec, member: &Member) -> u64 {
        if member.type_user_align {
            member.type_align
        } else {
            self.adjust(spec, member.type_align)
        }
    }

    /// A record is aligned to what its members need.
    fn align_record(&mut self, spec: &FieldSpec, member: &Member) {
        let pack = self.attributes.pack.map(|pack| u64::from(pack) * 8);
        let mut user_align = member.user_align;
        let limited = |align: u64| pack.map_or(align, |pack| align.min(pack));
        if self.attributes.ms_struct {
            let counts = match member.width {
                None => true,
                // One without width counts after another bit-field.
                Some(0) => self.previous.is_some_and(|previous| previous.width > 0),
                Some(_) => !member.packed,
            };
            if counts {
                let align = if member.width.is_none() && member.packed {
                    member.align
                } else {
                    member.type_align.max(member.align)
                };
                self.record_align = self.record_align.max(limited(align));
            }
        } else if let Some(width) = member.width {
            // An unnamed bit-field does not align the struct (System V ABI 3.1.2).
            if spec.name.is_some() {
                let mut align = self.field_align_of_type(spec, member);
                if width > 0 {
                    align = match pack {
                        Some(pack) => align.min(pack),
                        None if member.packed => align.min(8),
                        None => align,
                    };
                }
                self.record_align = self.record_align.max(member.align).max(align);
                user_align |= member.type_user_align;
            }
        } else {
            self.record_align = self.record_align.max(member.align);
        }
        self.user_align |= user_align;
    }

    /// Bit-fields share a unit if their types have the same size, and nothing else goes there.
    fn place_as_microsoft(&mut self, member: &Member, misaligned: bool) {
        let mut before = self.previous;
        if let Some(previous) = self.previous {
            let mut realign = misaligned;
            let continues = member.width.is_some_and(|width| width > 0)
                && previous.width > 0
                && previous.type_size == member.type_size;
            if let (true, Some(width)) = (continues, member.width) {
                if self.remaining < width {
                    self.cursor += self.remaining;
                    self.previous = Some(Previous { width, type_size: member.type_size });
                    self.remaining = member.type_size.saturating_sub(width);
                } else {
                    self.remaining -= width;
                    realign = false;
                }
            } else {
                // The rest of the unit stays empty.
                if previous.width > 0 {
                    self.cursor += self.remaining;
                } else {
                    before = None;
                }
                if member.width.is_none_or(|width| width == 0) {
                    self.previous = None;
                }
            }
            if realign {
                self.align_to(member.align);
            }
            self.normalise();
        }
        let starts_unit = match (member.width, before) {
            (None, _) => true,
            (Some(_), Some(before)) => before.type_size != member.type_size,
            (Some(width), None) => width > 0,
        };
        if starts_unit {
            if let Some(size) = member.size {
                self.remaining = member.type_size.saturating_sub(size);
            }
            let mut align = if member.packed { 8 } else { member.type_align };
            if let Some(pack) = self.attributes.pack {
                align = align.min(u64::from(pack) * 8);
            }
            self.advance_to(align);
            self.previous = None;
        }
    }
}

impl Member {
    fn align_as_type(&mut self) {
        if self.type_align > self.align {
            self.align = self.type_align;
            self.user_align = self.type_user_align;
        }
    }
}

/// Bits as bytes; a bit-field may start at any bit.
fn bytes(bits: u64) -> u32 {
    bits.div_ceil(8) as u32
}
