//! The result as JSON, for other programs.

use std::io;

use serde_json::{Value, json};

use crate::flags::Flags;
use crate::print::{Holder, Report};
use crate::result::TargetSet;

/// Writes a result: an object with the fields `pointsTo`, `calls`, `aliases` and `equivalence`.
pub fn write_json(output: &mut dyn io::Write, report: &Report<'_>) -> io::Result<()> {
    let holders = report.holders();
    let points_to: Vec<Value> = holders
        .iter()
        .map(|(holder, set)| {
            let kind = match holder {
                Holder::Var(_) => "variable",
                Holder::Cell(..) => "memory",
            };
            json!({ "pointer": report.holder_name(*holder), "kind": kind, "set": set_value(report, set) })
        })
        .collect();
    let calls: Vec<Value> = report
        .indirect_calls()
        .into_iter()
        .map(|(call, callees)| json!({ "call": call, "callees": callees }))
        .collect();
    let (pairs, has_more) = report.alias_pairs();
    let value = json!({
        "pointsTo": points_to,
        "calls": calls,
        "aliases": pairs,
        "aliasesAreComplete": !has_more,
        "equivalence": report.equivalence_sets(),
    });
    serde_json::to_writer_pretty(&mut *output, &value)?;
    output.write_all(b"\n")
}

fn set_value(report: &Report<'_>, set: &TargetSet) -> Value {
    let places: Vec<Value> = set
        .places()
        .iter()
        .map(|&(target, offset)| {
            json!({
                "object": report.object_name(target),
                "offset": offset.at(),
                "stride": offset.stride(),
            })
        })
        .collect();
    let flags = set.flags();
    json!({
        "places": places,
        "null": flags.contains(Flags::NULL),
        "uninitialised": flags.contains(Flags::UNINITIALISED),
        "number": flags.contains(Flags::NUMBER),
        "unknown": flags.contains(Flags::UNKNOWN),
    })
}
