//! The record types, as C text.

use std::fmt::Write as _;

use fastrand::Rng;
use ravelin_base::DataModel;

/// Records that stand in one file, each of which may use those before it.
#[derive(Clone, Debug)]
pub struct Batch {
    prelude: String,
    pub records: Vec<RecordText>,
}

/// One struct or union.
#[derive(Clone, Debug)]
pub struct RecordText {
    pub text: String,
    /// What is compared: `sizeof`, alignments and offsets.
    pub expressions: Vec<String>,
    /// The names of its bit-fields.
    pub bit_fields: Vec<String>,
    name: String,
    has_flexible_array: bool,
}

/// Types of members, with what may be done with them.
struct Scalar {
    spelling: &'static str,
    /// Bits, for bit-fields; 0 where there are none of the type.
    bits: u32,
}

const fn scalar(spelling: &'static str, bits: u32) -> Scalar {
    Scalar { spelling, bits }
}

/// The last two are there in LP64 only; bit-fields of them that touch 17 bytes are not supported.
const SCALARS: &[Scalar] = &[
    scalar("char", 8),
    scalar("signed char", 8),
    scalar("unsigned char", 8),
    scalar("short", 16),
    scalar("unsigned short", 16),
    scalar("int", 32),
    scalar("unsigned", 32),
    scalar("long", 32),
    scalar("unsigned long", 32),
    scalar("long long", 64),
    scalar("unsigned long long", 64),
    scalar("_Bool", 1),
    scalar("enum color", 32),
    scalar("enum small", 8),
    scalar("enum medium", 16),
    scalar("enum big", 64),
    scalar("byte_mode", 8),
    scalar("half_mode", 16),
    scalar("single_mode", 32),
    scalar("double_mode", 64),
    scalar("float", 0),
    scalar("double", 0),
    scalar("long double", 0),
    scalar("_Float128", 0),
    scalar("void *", 0),
    scalar("__int128", 120),
    scalar("unsigned __int128", 120),
];

const PRELUDE: &str = "\
enum color { RED, GREEN = 5 };
enum small { LOW, HIGH } __attribute__((packed));
enum __attribute__((packed)) medium { LESS = -300, MORE = 300 };
enum big { HUGE_ONE = 0x1ffffffffLL };
typedef int byte_mode __attribute__((mode(QI)));
typedef unsigned half_mode __attribute__((mode(HI)));
typedef char single_mode __attribute__((mode(SI)));
typedef int double_mode __attribute__((mode(DI)));
";

impl Batch {
    pub fn new(seed: u64, count: usize, model: DataModel) -> Batch {
        let mut generator = Generator {
            rng: Rng::with_seed(seed),
            model,
            prelude: PRELUDE.to_owned(),
            typedefs: Vec::new(),
            records: Vec::new(),
            members: 0,
        };
        generator.scalar_typedefs();
        for _ in 0..count {
            generator.record();
        }
        Batch { prelude: generator.prelude, records: generator.records }
    }

    /// The whole file.
    pub fn text(&self) -> String {
        let mut text = self.prelude.clone();
        for record in &self.records {
            text.push_str(&record.text);
        }
        let place = "__attribute__((section(\".layout\")))";
        let _ = writeln!(text, "unsigned long long table[] {place} = {{");
        for expression in self.records.iter().flat_map(|record| &record.expressions) {
            let _ = writeln!(text, "  {expression},");
        }
        text.push_str("  12345\n};\n");
        let mut names = self.object_names();
        for record in &self.records {
            for (field, name) in record.bit_fields.iter().zip(&mut names) {
                let ty = &record.name;
                let _ = writeln!(text, "{ty} {name} {place} = {{ .{field} = -1 }};");
            }
        }
        text.push_str("int main(void) { return table[0] != 0; }\n");
        text
    }

    /// The objects that show where bit-fields are, in the order of the records.
    pub fn object_names(&self) -> impl Iterator<Item = String> + '_ {
        let count = self.records.iter().map(|record| record.bit_fields.len()).sum();
        (0..count).map(|index: usize| format!("object{index}"))
    }
}

/// A typedef that changes an alignment; of a scalar, with the bits a bit-field may have.
struct Typedef {
    name: String,
    bits: u32,
}

struct Generator {
    rng: Rng,
    model: DataModel,
    prelude: String,
    typedefs: Vec<Typedef>,
    records: Vec<RecordText>,
    /// Members have names of their own, so that those of anonymous records do not meet.
    members: usize,
}

/// What the members of a record come to.
#[derive(Default)]
struct Members {
    text: String,
    offsets: Vec<String>,
    bit_fields: Vec<String>,
    /// Whether a named member came, before which no flexible array may stand.
    any: bool,
}

impl Generator {
    fn one_in(&mut self, n: u32) -> bool {
        self.rng.u32(0..n) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.rng.usize(0..from.len())]
    }

    fn scalar(&mut self) -> (&'static str, u32) {
        let count = match self.model {
            DataModel::Ilp32 => SCALARS.len() - 2,
            DataModel::Lp64 => SCALARS.len(),
        };
        let Scalar { spelling, bits } = SCALARS[self.rng.usize(0..count)];
        let is_long = matches!(spelling, "long" | "unsigned long");
        let bits = if is_long { u32::from(self.model.pointer_bits()) } else { bits };
        (spelling, bits)
    }

    fn scalar_typedefs(&mut self) {
        for index in 0..24 {
            let (ty, bits) = self.scalar();
            let name = format!("T{index}");
            let align = self.aligned();
            let array = if bits == 0 && self.one_in(3) { "[4]" } else { "" };
            let _ = writeln!(self.prelude, "typedef {ty} {name}{array} {align};");
            self.typedefs.push(Typedef { name, bits });
        }
    }

    fn aligned(&mut self) -> &'static str {
        self.pick(&[
            "__attribute__((aligned(1)))",
            "__attribute__((aligned(2)))",
            "__attribute__((aligned(4)))",
            "__attribute__((aligned(8)))",
            "__attribute__((__aligned__(16)))",
            "__attribute__((aligned(32)))",
            "__attribute__((aligned))",
            "__attribute__((aligned(8), aligned(2)))",
            "__attribute__((aligned(2))) __attribute__((aligned(4)))",
        ])
    }

    /// Attributes of a member.
    fn member_attribute(&mut self) -> &'static str {
        match self.rng.u32(0..12) {
            0 => "__attribute__((packed))",
            1 => self.aligned(),
            2 => "__attribute__((packed, aligned(2)))",
            3 => "__attribute__((aligned(4), packed))",
            _ => "",
        }
    }

    fn record_attribute(&mut self) -> &'static str {
        match self.rng.u32(0..14) {
            0 => "__attribute__((packed))",
            1 => self.aligned(),
            2 => "__attribute__((packed, aligned(2)))",
            3 => "__attribute__((aligned(4))) __attribute__((packed))",
            4 => "__attribute__((ms_struct))",
            5 => "__attribute__((gcc_struct))",
            _ => "",
        }
    }

    fn name(&mut self) -> String {
        self.members += 1;
        format!("m{}", self.members)
    }

    /// A record `R<index>`, its typedefs and the pragmas around it.
    fn record(&mut self) {
        let index = self.records.len();
        let name = format!("R{index}");
        let mut text = String::new();
        let pack = match self.rng.u32(0..8) {
            0 => Some("1"),
            1 => Some("2"),
            2 => Some("4"),
            3 => Some("push, 8"),
            4 => Some("push, 1"),
            5 if self.one_in(4) => Some("16"),
            _ => None,
        };
        if let Some(limit) = pack {
            let _ = writeln!(text, "#pragma pack({limit})");
        }
        let is_union = self.one_in(5);
        let keyword = if is_union { "union" } else { "struct" };
        let (before, after) = (self.record_attribute(), self.record_attribute());
        // Both attributes would contradict each other.
        let before = if after.contains("_struct") { "" } else { before };
        let ms_struct = before.contains("ms_struct") || after.contains("ms_struct");
        let mut members = Members::default();
        self.members_of(&mut members, is_union, 0);
        let flexible = !is_union && members.any && self.one_in(12);
        if flexible {
            let (ty, _) = self.scalar();
            let field = self.name();
            let attribute = self.member_attribute();
            let _ = writeln!(members.text, "  {ty} {field}[] {attribute};");
            members.offsets.push(field);
        }
        let _ = writeln!(text, "{keyword} {before} {name}_s {{\n{}}} {after};", members.text);
        match pack {
            Some(limit) if limit.starts_with("push") => text.push_str("#pragma pack(pop)\n"),
            Some(_) => text.push_str("#pragma pack()\n"),
            None => {}
        }
        let _ = writeln!(text, "typedef {keyword} {name}_s {name};");
        if self.one_in(6) {
            let align = self.aligned();
            let alias = format!("A{index}");
            let _ = writeln!(text, "typedef {name} {alias} {align};");
            if !flexible {
                self.typedefs.push(Typedef { name: alias, bits: 0 });
            }
        }
        let mut expressions = vec![
            format!("sizeof({name})"),
            format!("_Alignof({name})"),
            format!("__alignof__({name})"),
        ];
        if !flexible && !ms_struct && self.one_in(4) {
            expressions.push(format!("_Alignof(_Atomic({name}))"));
            expressions.push(format!("sizeof(_Atomic({name}))"));
        }
        let offset = |field: &String| format!("__builtin_offsetof({name}, {field})");
        expressions.extend(members.offsets.iter().map(offset));
        self.records.push(RecordText {
            text,
            expressions,
            bit_fields: members.bit_fields,
            name,
            has_flexible_array: flexible,
        });
    }

    fn members_of(&mut self, members: &mut Members, in_union: bool, depth: u32) {
        for _ in 0..self.rng.u32(0..7) {
            match self.rng.u32(0..20) {
                0..5 => self.plain_member(members),
                5..14 => self.bit_field(members),
                14 => self.array(members),
                15..17 => self.nested(members),
                17 if depth < 2 => self.anonymous(members, depth),
                18 => self.atomic_member(members),
                19 if in_union => self.plain_member(members),
                _ => self.bit_field(members),
            }
        }
    }

    fn qualifier(&mut self) -> &'static str {
        match self.rng.u32(0..12) {
            0 => "const ",
            1 => "volatile ",
            _ => "",
        }
    }

    fn plain_member(&mut self, members: &mut Members) {
        let name = self.name();
        let qualifier = self.qualifier();
        let attribute = self.member_attribute();
        let ty = if self.one_in(3) {
            self.typedefs[self.rng.usize(0..self.typedefs.len())].name.clone()
        } else {
            self.scalar().0.to_owned()
        };
        let text = &mut members.text;
        let _ = match self.rng.u32(0..8) {
            0 => writeln!(text, "  _Alignas(32) {qualifier}{ty} {name} {attribute};"),
            1 => writeln!(text, "  {qualifier}{ty} {attribute} {name};"),
            2 => writeln!(text, "  {attribute} {qualifier}{ty} {name};"),
            3 => writeln!(text, "  int (*{name})({ty} *) {attribute};"),
            _ => writeln!(text, "  {qualifier}{ty} {name} {attribute};"),
        };
        members.offsets.push(name);
        members.any = true;
    }

    fn atomic_member(&mut self, members: &mut Members) {
        let name = self.name();
        let attribute = self.member_attribute();
        let records = self.records.iter().filter(|record| !record.has_flexible_array);
        let names: Vec<_> = records.map(|record| record.name.clone()).collect();
        let ty = match self.rng.u32(0..3) {
            0 if !names.is_empty() => names[self.rng.usize(0..names.len())].clone(),
            _ => self.scalar().0.to_owned(),
        };
        let array = if self.one_in(3) { "[2]" } else { "" };
        let _ = writeln!(members.text, "  _Atomic({ty}) {name}{array} {attribute};");
        members.offsets.push(name);
        members.any = true;
    }

    fn bit_field(&mut self, members: &mut Members) {
        let (mut ty, mut bits) = self.scalar();
        while bits == 0 {
            (ty, bits) = self.scalar();
        }
        let mut ty = ty.to_owned();
        if self.one_in(5) {
            let with_bits = self.typedefs.iter().filter(|typedef| typedef.bits > 0);
            let choices: Vec<_> = with_bits.map(|t| (t.name.clone(), t.bits)).collect();
            if !choices.is_empty() {
                (ty, bits) = choices[self.rng.usize(0..choices.len())].clone();
            }
        }
        // Whole units are special: gcc treats such a field like a member without width.
        let width = if self.one_in(4) { bits } else { self.rng.u32(0..=bits) };
        let attribute = self.member_attribute();
        let qualifier = self.qualifier();
        if width == 0 || self.one_in(7) {
            let _ = writeln!(members.text, "  {qualifier}{ty} : {width} {attribute};");
            return;
        }
        let name = self.name();
        let _ = writeln!(members.text, "  {qualifier}{ty} {name} : {width} {attribute};");
        members.bit_fields.push(name);
        members.any = true;
    }

    fn array(&mut self, members: &mut Members) {
        let name = self.name();
        let (ty, _) = self.scalar();
        let length = self.rng.u32(0..5);
        let attribute = self.member_attribute();
        let _ = writeln!(members.text, "  {ty} {name}[{length}] {attribute};");
        members.offsets.push(name);
        members.any = true;
    }

    fn nested(&mut self, members: &mut Members) {
        let Some(limit) = self.records.len().checked_sub(1) else { return };
        let inner = &self.records[self.rng.usize(0..=limit)];
        if inner.has_flexible_array {
            return;
        }
        let inner = inner.name.clone();
        let name = self.name();
        let array = if self.one_in(3) { "[2]" } else { "" };
        let attribute = self.member_attribute();
        let _ = writeln!(members.text, "  {inner} {name}{array} {attribute};");
        members.offsets.push(name);
        members.any = true;
    }

    fn anonymous(&mut self, members: &mut Members, depth: u32) {
        let is_union = self.one_in(2);
        let keyword = if is_union { "union" } else { "struct" };
        let attribute = match self.record_attribute() {
            // gcc looks for it at the outer record as well.
            attribute if attribute.contains("_struct") => "",
            attribute => attribute,
        };
        let _ = writeln!(members.text, "  {keyword} {{");
        self.members_of(members, is_union, depth + 1);
        let _ = writeln!(members.text, "  }} {attribute};");
    }
}
