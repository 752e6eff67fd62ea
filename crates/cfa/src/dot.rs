//! The automaton as a graph for Graphviz: one cluster per procedure.

use std::fmt::{self, Write};

use crate::model::Program;
use crate::print;

/// Writes the program in the DOT language.
pub fn write_dot(out: &mut dyn Write, program: &Program) -> fmt::Result {
    out.write_str("digraph xcfa {\n  node [shape=circle];\n")?;
    for (proc, procedure) in program.procs.iter() {
        write!(out, "  subgraph cluster_{proc} {{\n    label=\"")?;
        write_escaped(out, &print::proc(program, proc).to_string())?;
        out.write_str("\";\n")?;
        for loc in procedure.locs.keys() {
            let shape = if loc == procedure.exit {
                " shape=doublecircle"
            } else if loc == procedure.entry {
                " style=bold"
            } else {
                ""
            };
            writeln!(out, "    {proc}_{loc} [label=\"{loc}\"{shape}];")?;
        }
        for edge in procedure.edges.values() {
            write!(out, "    {proc}_{} -> {proc}_{} [label=\"", edge.source, edge.target)?;
            for label in &edge.labels {
                write_escaped(out, &print::op(program, &label.op).to_string())?;
                // A line end that aligns the text left.
                out.write_str("\\l")?;
            }
            out.write_str("\"];\n")?;
        }
        out.write_str("  }\n")?;
    }
    out.write_str("}\n")
}

/// In a quoted string of DOT, quotes and backslashes need a backslash.
fn write_escaped(out: &mut dyn Write, text: &str) -> fmt::Result {
    for c in text.chars() {
        match c {
            '"' => out.write_str("\\\"")?,
            '\\' => out.write_str("\\\\")?,
            '\n' => out.write_str("\\n")?,
            c => out.write_char(c)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn names_and_strings_are_escaped() {
        let program = crate::parse(
            r#"program LP64 source
            proc "a\"b\\".p0() { entry l0 exit l1
              l0 -> l1: unsupported "say \"hi\"\u{a}" }"#,
        )
        .expect("parses");
        let mut text = String::new();
        write_dot(&mut text, &program).expect("strings take all writes");
        expect![[r#"
            digraph xcfa {
              node [shape=circle];
              subgraph cluster_p0 {
                label="\"a\\\"b\\\\\".p0";
                p0_l0 [label="l0" style=bold];
                p0_l1 [label="l1" shape=doublecircle];
                p0_l0 -> p0_l1 [label="unsupported \"say \\\"hi\\\"\\u{a}\"\l"];
              }
            }
        "#]]
        .assert_eq(&text);
    }
}
