//! Random struct and union types, and the comparison of their layout with gcc's.
//!
//! One text holds many records, a table of `sizeof`, alignment and `offsetof` values, and for each
//! bit-field an object in which that field alone has all bits set. gcc compiles the text, so that
//! 32-bit libraries are not needed; the values are read from the section that they lie in.

mod generate;

use std::fs;
use std::process::{Command, Stdio};

use ravelin_base::DataModel;
use ravelin_cfa::{Init, Program};

pub use generate::{Batch, RecordText};

/// A property of a record that Ravelin and gcc disagree on.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The declarations needed to understand the record.
    pub record: String,
    pub what: String,
    pub ours: String,
    pub gcc: String,
}

/// The values of a batch: the table, and the bytes of every object.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Values {
    table: Vec<u64>,
    objects: Vec<Vec<u8>>,
}

/// Compares the layout of `count` records. `Err` if gcc or the front end rejects the text.
pub fn compare(seed: u64, count: usize, model: DataModel) -> Result<Vec<Difference>, String> {
    let batch = Batch::new(seed, count, model);
    let text = batch.text();
    let theirs = gcc_values(&batch, &text, model)?;
    let ours = our_values(&batch, &text, model)?;
    let mut differences = Vec::new();
    let mut entry = 0;
    let mut object = 0;
    for record in &batch.records {
        let mut report = |what: &str, ours: String, gcc: String| {
            let (record, what) = (record.text.clone(), what.to_owned());
            differences.push(Difference { record, what, ours, gcc });
        };
        for expression in &record.expressions {
            let (ours, gcc) = (ours.table[entry], theirs.table[entry]);
            entry += 1;
            if ours != gcc {
                report(expression, ours.to_string(), gcc.to_string());
            }
        }
        for field in &record.bit_fields {
            let (ours, gcc) = (&ours.objects[object], &theirs.objects[object]);
            object += 1;
            // The size is compared above; what gcc puts behind an object is padding.
            let shared = ours.len().min(gcc.len());
            if ours[..shared] != gcc[..shared] {
                report(&format!("bits of {field}"), hex(&ours[..shared]), hex(&gcc[..shared]));
            }
        }
    }
    Ok(differences)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What the front end computes.
fn our_values(batch: &Batch, text: &str, model: DataModel) -> Result<Values, String> {
    let built = ravelin_frontend::build_text("layout.c", text, model)
        .map_err(|errors| ravelin_base::diagnostic::render(&errors))?;
    let program = &built.program;
    let bytes = |name: &str| object_bytes(program, name);
    let table = bytes("table")?;
    let table = table.chunks_exact(8).map(little_endian).collect();
    let objects = batch.object_names().map(|name| bytes(&name)).collect::<Result<_, _>>()?;
    Ok(Values { table, objects })
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
}

/// The initial contents of a global object.
fn object_bytes(program: &Program, name: &str) -> Result<Vec<u8>, String> {
    let mut objects = program.objects.values();
    let object = objects
        .find(|object| program.name(object.name) == name)
        .ok_or_else(|| format!("'{name}' is no object of the automaton"))?;
    let mut bytes = vec![0; object.size as usize];
    let entries: &[_] = match &object.init {
        Init::Values(entries) => entries,
        Init::Zero => &[],
        other => return Err(format!("'{name}' is not constant: {other:?}")),
    };
    for &(offset, term) in entries {
        let value = program.terms.as_bv(term).ok_or("an initial value is not constant")?;
        let length = usize::from(program.terms.sort(term).width().unwrap_or(0) / 8);
        let start = offset as usize;
        bytes[start..start + length].copy_from_slice(&value.to_le_bytes()[..length]);
    }
    Ok(bytes)
}

/// What gcc computes: compiled, not run.
fn gcc_values(batch: &Batch, text: &str, model: DataModel) -> Result<Values, String> {
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    let source = dir.path().join("layout.c");
    let object = dir.path().join("layout.o");
    let section = dir.path().join("layout.bin");
    fs::write(&source, text).map_err(|error| error.to_string())?;
    let flag = match model {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    };
    run(Command::new("gcc").args([flag, "-w", "-c", "-o"]).arg(&object).arg(&source))?;
    run(Command::new("objcopy")
        .args(["-O", "binary", "--only-section=.layout"])
        .arg(&object)
        .arg(&section))?;
    let symbols = run(Command::new("nm").args(["-S", "--defined-only"]).arg(&object))?;
    let bytes = fs::read(&section).map_err(|error| error.to_string())?;
    let place_of = |name: &str| -> Result<&[u8], String> {
        let line = symbols.lines().find(|line| line.ends_with(&format!(" {name}")));
        let mut words = line.into_iter().flat_map(str::split_whitespace);
        let mut number = || usize::from_str_radix(words.next()?, 16).ok();
        let (start, size) = number().zip(number()).ok_or(format!("gcc has no symbol '{name}'"))?;
        // What is not loaded is zero.
        bytes.get(start..start + size).ok_or(format!("'{name}' lies outside of its section"))
    };
    let table = place_of("table")?.chunks_exact(8).map(little_endian).collect();
    let objects = batch
        .object_names()
        .map(|name| place_of(&name).map(<[u8]>::to_vec))
        .collect::<Result<_, _>>()?;
    Ok(Values { table, objects })
}

fn run(command: &mut Command) -> Result<String, String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}
