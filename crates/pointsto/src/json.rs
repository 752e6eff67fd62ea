//! The result as JSON, for other programs.

use std::io;

use serde_json::{Value, json};

use crate::flags::Flags;
use crate::print::{AtLocation, Holder, Report};
use crate::result::TargetSet;

/// Writes a result: an object with the fields `pointsTo`, `calls`, `aliases` and `equivalence`; by locations,
/// also with `locations`.
pub fn write_json(
    output: &mut dyn io::Write,
    report: &Report<'_>,
    by_location: bool,
) -> io::Result<()> {
    let points_to = sets_value(report, &report.holders());
    let calls: Vec<Value> = report
        .indirect_calls()
        .into_iter()
        .map(|(call, callees)| json!({ "call": call, "callees": callees }))
        .collect();
    let (pairs, has_more) = report.alias_pairs();
    let mut value = json!({
        "pointsTo": points_to,
        "calls": calls,
        "aliases": pairs,
        "aliasesAreComplete": !has_more,
        "equivalence": report.equivalence_sets(),
    });
    if by_location {
        let locations = report.by_location().into_iter().map(|at| {
            let AtLocation { procedure, location, before, sets } = at;
            let before = before.map(|pos| json!({ "line": pos.line, "column": pos.column }));
            json!({
                "procedure": procedure,
                "location": location.to_string(),
                "before": before,
                "pointsTo": sets_value(report, &sets),
            })
        });
        value["locations"] = locations.collect();
    }
    serde_json::to_writer_pretty(&mut *output, &value)?;
    output.write_all(b"\n")
}

fn sets_value(report: &Report<'_>, sets: &[(Holder, TargetSet)]) -> Value {
    let value = |(holder, set): &(Holder, TargetSet)| {
        let kind = match holder {
            Holder::Var(_) => "variable",
            Holder::Cell(..) => "memory",
        };
        json!({ "pointer": report.holder_name(*holder), "kind": kind, "set": set_value(report, set) })
    };
    sets.iter().map(value).collect()
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
        "unknown": flags.is_unknown(),
    })
}
