//! Counts over an automaton, and the times of the phases, as lines of the form `key: value`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};
use std::time::Duration;

use ravelin_base::SrcPos;
use ravelin_cfa::{Gap, HavocKind, Op, Proc, Program};
use ravelin_verifier::front::{Front, Phases};

/// The statistics, one per line.
pub fn render(front: &Front) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_counts(&mut out, &front.program);
    let _ = write_times(&mut out, &front.phases);
    if let Some(kilobytes) = peak_memory() {
        let _ = writeln!(out, "peak memory: {kilobytes} kB");
    }
    out
}

/// The peak memory of the process, as Linux reports it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

fn write_counts(out: &mut String, program: &Program) -> fmt::Result {
    let locations: usize = program.procs.values().map(|procedure| procedure.locs.len()).sum();
    let edges: usize = program.procs.values().map(|procedure| procedure.edges.len()).sum();
    let mut labels = 0;
    let mut unsupported: BTreeMap<&str, usize> = BTreeMap::new();
    // One statement may leave several values.
    let mut not_modelled: BTreeSet<(&str, Proc, u32, u32)> = BTreeSet::new();
    program.for_each_label(|proc, label| {
        labels += 1;
        if let Op::Unsupported(Gap::NotModelled(what) | Gap::Undefined(what)) = label.op {
            *unsupported.entry(program.name(what)).or_default() += 1;
        } else if let Op::Havoc { kind: HavocKind::NotModelled(what), .. } = label.op {
            let SrcPos { line, column, .. } = label.pos;
            not_modelled.insert((program.name(what), proc, line, column));
        }
    });
    writeln!(out, "procedures: {}", program.procs.len())?;
    writeln!(out, "locations: {locations}")?;
    writeln!(out, "edges: {edges}")?;
    writeln!(out, "labels: {labels}")?;
    writeln!(out, "variables: {}", program.vars.len())?;
    writeln!(out, "objects: {}", program.objects.len())?;
    writeln!(out, "threads: {}", if program.is_concurrent() { "yes" } else { "no" })?;
    writeln!(out, "unsupported: {}", unsupported.values().sum::<usize>())?;
    for (what, count) in unsupported {
        writeln!(out, "unsupported ({what}): {count}")?;
    }
    for of_one in not_modelled.iter().collect::<Vec<_>>().chunk_by(|a, b| a.0 == b.0) {
        writeln!(out, "not modelled ({}): {}", of_one[0].0, of_one.len())?;
    }
    Ok(())
}

fn write_times(out: &mut String, phases: &Phases) -> fmt::Result {
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    let Phases { parse, lower, passes, checks: _, races: _ } = *phases;
    for (name, time) in [("parse", parse), ("lower", lower), ("passes", passes)] {
        writeln!(out, "time for {name}: {:.3} ms", milliseconds(time))?;
    }
    Ok(())
}
