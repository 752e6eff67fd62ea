//! Many programs at once, and the options of files from a compilation database.

mod support;

use std::fs;

use serde_json::Value;
use support::Workbench;

const SAFE: &str = "extern void reach_error(void); int main(void) { return 0; }";
const UNSAFE: &str = "extern void reach_error(void); int main(void) { reach_error(); return 0; }";
/// An error where `long` has eight bytes.
const MODEL: &str = "extern void reach_error(void); int main(void) { if (sizeof(long) == 8) reach_error(); return 0; }";

fn definition(file: &str, expected: bool, model: &str) -> String {
    format!(
        "format_version: \"2.0\"\ninput_files: '{file}'\nproperties:\n  - property_file: ../coverage.prp\n  \
         - property_file: ../unreach-call.prp\n    expected_verdict: {expected}\noptions:\n  language: C\n  \
         data_model: {model}\n"
    )
}

#[test]
fn directories_and_patterns_are_taken_apart() {
    let bench = Workbench::new();
    fs::create_dir_all(bench.path("dir/sub")).expect("writable");
    bench.file("dir/safe.c", SAFE).file("dir/sub/unsafe.c", UNSAFE).file("dir/junk.i", "int main(");
    bench.file("dir/note.txt", "no program");
    let ran = bench.run(&["dir", "--jobs", "2", "--junit", "out.xml", "--timeout", "30"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
    let mut lines = ran.stdout.lines();
    let mut begins = |start: &str, file: &str| {
        let line = lines.next().unwrap_or_default();
        assert!(line.starts_with(start) && line.contains(file), "{}", ran.stdout);
    };
    begins("UNKNOWN", "dir/junk.i");
    begins("TRUE", "dir/safe.c");
    begins("FALSE", "dir/sub/unsafe.c");
    assert_eq!(ran.last_line(), "Programs: 3, TRUE: 1, FALSE: 1, UNKNOWN: 1");
    let junit = fs::read_to_string(bench.path("out.xml")).expect("a file");
    assert!(junit.contains("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\""), "{junit}");
    assert!(junit.contains("name=\"dir/sub/unsafe.c\""), "{junit}");
    let ran = bench.run(&["dir/*.c", "dir/sub/../safe.c"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.last_line(), "Programs: 2, TRUE: 2, FALSE: 0, UNKNOWN: 0");
    assert_eq!(bench.run(&["dir/*.h"]).code, Some(3));
}

#[test]
fn task_definitions_are_followed() {
    let bench = Workbench::new();
    fs::create_dir(bench.path("set")).expect("writable");
    bench.file("unreach-call.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    bench.file("set/model.c", MODEL);
    bench.file("set/wide.yml", definition("model.c", false, "LP64"));
    bench.file("set/narrow.yml", definition("model.c", true, "ILP32"));
    let ran = bench.run(&["set", "--format", "json"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let document: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let results = document["results"].as_array().expect("results");
    let told: Vec<(&Value, &Value)> =
        results.iter().map(|result| (&result["program"], &result["verdict"])).collect();
    assert_eq!(
        told,
        [
            (&Value::from("set/narrow.yml"), &Value::from("TRUE")),
            (&Value::from("set/wide.yml"), &Value::from("FALSE")),
        ]
    );
    assert_eq!(results[1]["answer"]["data_model"], "LP64");
    bench.file("set/wide.yml", definition("model.c", true, "LP64"));
    let ran = bench.run(&["set/wide.yml"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.contains("not as expected"), "{}", ran.stdout);
    bench.file("set/broken.yml", "input_files: [");
    assert_eq!(bench.run(&["set/broken.yml"]).code, Some(3));
}

#[test]
fn files_are_compiled_as_their_project_does() {
    let bench = Workbench::new();
    fs::create_dir(bench.path("include")).expect("writable");
    bench.file("include/limit.h", "#define LIMIT BOUND\n");
    bench.file(
        "main.c",
        "#include <limit.h>\nextern void reach_error(void);\n\
         int main(void) { if (LIMIT == 7) reach_error(); return 0; }\n",
    );
    let directory = bench.path("").display().to_string();
    let entry =
        |how: &str| format!("[{{\"directory\": \"{directory}\", \"file\": \"main.c\", {how}}}]");
    for (how, code) in [
        (r#""command": "cc -Iinclude -D 'BOUND=7' -std=gnu11 -c main.c""#, 1),
        (r#""arguments": ["cc", "-I", "include", "-DBOUND=8", "-c", "main.c"]"#, 0),
    ] {
        bench.file("compile_commands.json", entry(how));
        let ran = bench.run(&["main.c", "--compile-commands", "compile_commands.json"]);
        assert_eq!(ran.code, Some(code), "{how}: {}", ran.stderr);
    }
    bench.file("compile_commands.json", "{");
    let ran = bench.run(&["main.c", "--compile-commands", "compile_commands.json"]);
    assert_eq!(ran.code, Some(3));
    assert!(ran.stderr.contains("compilation database 'compile_commands.json'"), "{}", ran.stderr);
}
