//! The automaton as JSON, for tools that are not written in Rust.
//!
//! One object, schema version [`VERSION`]:
//!
//! ```text
//! { "version": 1,
//!   "data_model": "ILP32" | "LP64",
//!   "blocks": "source" | "single" | "thread_local" | "sequential",
//!   "entry": PROC | null,
//!   "variables": [{ "name": STRING, "sort": SORT, "signed": BOOL,
//!                   "kind": "global" | "thread_local" | "local",
//!                   "atomic": BOOL,                   // globals
//!                   "init": TERM | null,              // not of locals; null: any value
//!                   "procedure": PROC,                // locals
//!                   "position": POSITION }],
//!   "objects": [{ "name": STRING, "size": INT, "align": INT,
//!                 "kind": "global" | "constant" | "thread_local" | "local" | "function",
//!                 "procedure": PROC,                  // locals and functions
//!                 "init": "any" | "zero" | { "bytes": HEX } | { "values": [[INT, TERM]] },
//!                 "position": POSITION }],
//!   "procedures": [{ "name": STRING, "parameters": [VARIABLE], "result": SORT | null,
//!                    "locations": INT, "entry": LOCATION, "exit": LOCATION,
//!                    "edges": [{ "source": LOCATION, "target": LOCATION, "labels": [LABEL] }],
//!                    "position": POSITION }] }
//!
//! LABEL     { "op": STRING, "text": STRING, "position": POSITION }
//!           { "op": "choice", "branches": [[LABEL]] }
//! POSITION  { "file": STRING, "line": INT, "column": INT } | null
//! ```
//!
//! PROC, VARIABLE and LOCATION are indices into the lists (locations into the procedure's count).
//! SORT, TERM and the `text` of a label are in the notation of [`crate::print`]. `op` is the name of
//! the operation: `assign`, `load`, `call` and so on, as [`op_name`] lists them.

use std::io;

use ravelin_base::{EntityRef, SrcPos};
use serde_json::{Map, Value, json};

use crate::model::{EdgeData, Init, ObjectData, ObjectKind, Procedure, Program, VarData, VarKind};
use crate::op::{FreeKind, Gap, Label, Op};
use crate::print;

/// Incremented with every change of the schema that a reader could notice.
pub const VERSION: u32 = 1;

/// Writes the program, element by element, so that a large program is never in memory as JSON.
pub fn write_json(out: &mut dyn io::Write, program: &Program) -> io::Result<()> {
    let entry = program.entry.map(EntityRef::index);
    write!(out, "{{\"version\":{VERSION},\"data_model\":\"{}\",", program.data_model)?;
    write!(out, "\"blocks\":\"{}\",\"entry\":{},", program.blocks.name(), json!(entry))?;
    out.write_all(b"\"variables\":")?;
    write_list(out, program.vars.values().map(|data| variable(program, data)))?;
    out.write_all(b",\"objects\":")?;
    write_list(out, program.objects.values().map(|data| object(program, data)))?;
    out.write_all(b",\"procedures\":[")?;
    for (index, procedure) in program.procs.values().enumerate() {
        if index > 0 {
            out.write_all(b",")?;
        }
        write_procedure(out, program, procedure)?;
    }
    out.write_all(b"]}\n")
}

/// The name of an operation in the `op` field.
pub fn op_name(op: &Op) -> &'static str {
    match op {
        Op::Skip => "skip",
        Op::Assume(_) => "assume",
        Op::Assign { .. } => "assign",
        Op::Havoc { .. } => "havoc",
        Op::Load { .. } => "load",
        Op::Store { .. } => "store",
        Op::Copy { .. } => "copy",
        Op::Fill { .. } => "fill",
        Op::HavocMemory { .. } => "havoc_memory",
        Op::ScopeBegin(_) => "scope_begin",
        Op::ScopeEnd(_) => "scope_end",
        Op::Alloc { .. } => "alloc",
        Op::Realloc { .. } => "realloc",
        Op::Free { kind: FreeKind::Heap, .. } => "free",
        Op::Free { kind: FreeKind::Array, .. } => "end_array",
        Op::Call { .. } => "call",
        Op::Return { .. } => "return",
        Op::Start { .. } => "start",
        Op::Join { .. } => "join",
        Op::ThreadExit { .. } => "thread_exit",
        Op::ThreadSelf { .. } => "thread_self",
        Op::Inspect { .. } => "inspect",
        Op::Sync { op, .. } => op.info().name,
        Op::AtomicBegin => "atomic_begin",
        Op::AtomicEnd => "atomic_end",
        Op::Print { .. } => "print",
        Op::External { .. } => "external",
        Op::Claim(_) => "claim",
        Op::Error(_) => "error",
        Op::Exit { .. } => "exit",
        Op::Abort => "abort",
        Op::Unsupported(Gap::NotModelled(_)) => "unsupported",
        Op::Unsupported(Gap::Undefined(_)) => "undefined",
        Op::Choice(_) => "choice",
    }
}

fn write_list(out: &mut dyn io::Write, items: impl Iterator<Item = Value>) -> io::Result<()> {
    out.write_all(b"[")?;
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.write_all(b",")?;
        }
        serde_json::to_writer(&mut *out, &item)?;
    }
    out.write_all(b"]")
}

fn write_procedure(
    out: &mut dyn io::Write,
    program: &Program,
    procedure: &Procedure,
) -> io::Result<()> {
    let params: Vec<usize> = procedure.params.iter().map(|param| param.index()).collect();
    let head = [
        ("name", json!(program.name(procedure.name))),
        ("parameters", json!(params)),
        ("result", json!(procedure.result.map(|sort| sort.to_string()))),
        ("locations", json!(procedure.locs.len())),
        ("entry", json!(procedure.entry.index())),
        ("exit", json!(procedure.exit.index())),
        ("position", position(program, procedure.pos)),
    ];
    out.write_all(b"{")?;
    for (key, value) in head {
        write!(out, "\"{key}\":{value},")?;
    }
    out.write_all(b"\"edges\":")?;
    write_list(out, procedure.edges.values().map(|data| edge(program, data)))?;
    out.write_all(b"}")
}

fn variable(program: &Program, data: &VarData) -> Value {
    let mut fields = Map::new();
    let mut add = |key: &str, value: Value| fields.insert(key.to_owned(), value);
    add("name", json!(program.name(data.name)));
    add("sort", json!(data.sort.to_string()));
    add("signed", json!(data.signed));
    let init_text = |init: Option<_>| json!(init.map(|t| print::term(program, t).to_string()));
    match data.kind {
        VarKind::Global { init, atomic } => {
            add("kind", json!("global"));
            add("atomic", json!(atomic));
            add("init", init_text(init));
        }
        VarKind::ThreadLocal { init } => {
            add("kind", json!("thread_local"));
            add("init", init_text(init));
        }
        VarKind::Local(proc) => {
            add("kind", json!("local"));
            add("procedure", json!(proc.index()));
        }
    }
    add("position", position(program, data.pos));
    Value::Object(fields)
}

fn object(program: &Program, data: &ObjectData) -> Value {
    let mut fields = Map::new();
    let mut add = |key: &str, value: Value| fields.insert(key.to_owned(), value);
    add("name", json!(program.name(data.name)));
    add("size", json!(data.size));
    add("align", json!(data.align));
    let (kind, proc) = match data.kind {
        ObjectKind::Global => ("global", None),
        ObjectKind::Constant => ("constant", None),
        ObjectKind::ThreadLocal => ("thread_local", None),
        ObjectKind::Local(proc) => ("local", Some(proc)),
        ObjectKind::Function(proc) => ("function", Some(proc)),
    };
    add("kind", json!(kind));
    if let Some(proc) = proc {
        add("procedure", json!(proc.index()));
    }
    let init = match &data.init {
        Init::Indeterminate => json!("any"),
        Init::Zero => json!("zero"),
        Init::Bytes(bytes) => {
            let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            json!({ "bytes": digits })
        }
        Init::Values(values) => {
            let values: Vec<(u64, String)> = values
                .iter()
                .map(|&(offset, value)| (offset, print::term(program, value).to_string()))
                .collect();
            json!({ "values": values })
        }
    };
    add("init", init);
    add("position", position(program, data.pos));
    Value::Object(fields)
}

fn edge(program: &Program, data: &EdgeData) -> Value {
    json!({
        "source": data.source.index(),
        "target": data.target.index(),
        "labels": labels(program, &data.labels),
    })
}

fn labels(program: &Program, list: &[Label]) -> Vec<Value> {
    list.iter()
        .map(|label| match &label.op {
            Op::Choice(branches) => {
                let branches: Vec<_> =
                    branches.iter().map(|branch| labels(program, branch)).collect();
                json!({ "op": "choice", "branches": branches })
            }
            op => json!({
                "op": op_name(op),
                "text": print::op(program, op).to_string(),
                "position": position(program, label.pos),
            }),
        })
        .collect()
}

fn position(program: &Program, pos: SrcPos) -> Value {
    if pos.is_none() {
        return Value::Null;
    }
    json!({ "file": program.name(pos.file), "line": pos.line, "column": pos.column })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn writes_what_the_schema_says() {
        let program = crate::parse(
            r#"program LP64 thread_local
            entry main.p0
            global x.v0: bv32 signed = any @ a.c:1:1
            object s.o0: constant size 2 align 1 = bytes "6100"
            object t.o1: global size 8 align 8 = { 0: &s.o0 }
            proc main.p0(a.v1) -> bv32 { local a.v1: bv32
              entry l0 exit l1
              l0 -> l1: choice { assume eq(a.v1, 0:bv32) } or { assume not(eq(a.v1, 0:bv32)) };
                return a.v1 @ "b\"c":2:3 }"#,
        )
        .expect("parses");
        let mut bytes = Vec::new();
        write_json(&mut bytes, &program).expect("vectors take all writes");
        let value: Value = serde_json::from_slice(&bytes).expect("well-formed");
        assert_eq!(value["version"], VERSION);
        assert_eq!(value["procedures"][0]["edges"][0]["labels"][0]["op"], "choice");
        expect![[r#"
            {"version":1,"data_model":"LP64","blocks":"thread_local","entry":0,"variables":[{"atomic":false,"init":null,"kind":"global","name":"x","position":{"column":1,"file":"a.c","line":1},"signed":true,"sort":"bv32"},{"kind":"local","name":"a","position":null,"procedure":0,"signed":false,"sort":"bv32"}],"objects":[{"align":1,"init":{"bytes":"6100"},"kind":"constant","name":"s","position":null,"size":2},{"align":8,"init":{"values":[[0,"&s.o0"]]},"kind":"global","name":"t","position":null,"size":8}],"procedures":[{"name":"main","parameters":[1],"result":"bv32","locations":2,"entry":0,"exit":1,"position":null,"edges":[{"labels":[{"branches":[[{"op":"assume","position":null,"text":"assume eq(a.v1, 0:bv32)"}],[{"op":"assume","position":null,"text":"assume not(eq(a.v1, 0:bv32))"}]],"op":"choice"},{"op":"return","position":{"column":3,"file":"b\"c","line":2},"text":"return a.v1"}],"source":0,"target":1}]}]}
        "#]]
        .assert_eq(std::str::from_utf8(&bytes).expect("UTF-8"));
    }
}
