//! Many programs at once, and the options of files from a compilation database.

mod support;

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use support::Workbench;

const SAFE: &str = "extern void reach_error(void); int main(void) { return 0; }";
const UNSAFE: &str = "extern void reach_error(void); int main(void) { reach_error(); return 0; }";
/// An error where `long` has eight bytes.
const MODEL: &str = "extern void reach_error(void); int main(void) { if (sizeof(long) == 8) reach_error(); return 0; }";

/// No answer is to be expected within a minute.
const ENDLESS: &str = "extern void reach_error(void); extern unsigned long long __VERIFIER_nondet_ulonglong(void);\n\
    int main(void) { unsigned long long x = __VERIFIER_nondet_ulonglong(), y = __VERIFIER_nondet_ulonglong();\n\
    if (x > 1 && y > 1 && x < 4294967296ULL && y < 4294967296ULL && x * y == 17956751844026113789ULL)\n\
    reach_error(); return 0; }\n";
const REACHABILITY: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";

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
    assert!(junit.contains("tests=\"15\" failures=\"1\" errors=\"1\" skipped=\"0\""), "{junit}");
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
    bench.file("unreach-call.prp", REACHABILITY);
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
fn files_of_many_programs_do_not_replace_each_other() {
    let bench = Workbench::new();
    fs::create_dir_all(bench.path("dir/sub")).expect("writable");
    bench.file("dir/a.c", UNSAFE).file("dir/sub/a.c", UNSAFE).file("dir/b.c", SAFE);
    bench.file("dir/junk.c", "int main(");
    let line =
        "dir --sarif all.sarif --report pages --witness w --harness h --schedule-out s --stats";
    let ran = bench.run(&line.split(' ').collect::<Vec<_>>());
    assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
    let text = fs::read_to_string(bench.path("all.sarif")).expect("a file");
    let document: Value = serde_json::from_str(&text).expect("JSON");
    let runs = document["runs"].as_array().expect("runs");
    assert_eq!(runs.len(), 1);
    let results = runs[0]["results"].as_array().expect("results");
    let place = |result: &Value| {
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].clone()
    };
    assert_eq!(results.iter().map(place).collect::<Vec<_>>(), ["dir/a.c", "dir/sub/a.c"]);
    assert_eq!(runs[0]["tool"]["driver"]["rules"][0]["id"], results[0]["ruleId"]);
    let notes = &runs[0]["invocations"][0]["toolExecutionNotifications"];
    assert_eq!(notes.as_array().map(Vec::len), Some(1), "{notes}");
    let note = notes[0]["message"]["text"].as_str().expect("a text");
    assert!(note.starts_with("dir/junk.c: no answer: input rejected: "), "{note}");
    let files = |directory: &str| {
        let entries = fs::read_dir(bench.path(directory)).expect("a directory").flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(
        files("pages"),
        ["dir__a.c.html", "dir__b.c.html", "dir__junk.c.html", "dir__sub__a.c.html"]
    );
    assert_eq!(files("w"), ["dir__a.c.yml", "dir__b.c.yml", "dir__sub__a.c.yml"]);
    assert_eq!(files("h"), ["dir__a.c.harness.c", "dir__sub__a.c.harness.c"]);
    assert_eq!(files("s"), ["dir__a.c.schedule", "dir__sub__a.c.schedule"]);
    // What processes say is told with the names of their programs.
    assert!(ran.stderr.lines().any(|line| line.starts_with("dir/b.c: stat ")), "{}", ran.stderr);
    // A file is in the place of the directory.
    bench.file("pages.html", "kept");
    let ran = bench.run(&["dir", "--report", "pages.html"]);
    assert_eq!(ran.code, Some(74), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("'--report' of many programs names a directory"), "{}", ran.stderr);
}

/// Whether a process works in a directory.
fn works_in(directory: &Path) -> bool {
    let directory = directory.canonicalize().expect("a directory");
    let processes = fs::read_dir("/proc").expect("processes").flatten();
    processes
        .filter_map(|process| fs::read_link(process.path().join("cwd")).ok())
        .any(|at| at == directory)
}

#[test]
fn an_interrupt_keeps_what_is_done_and_leaves_nobody_behind() {
    for signal in [Signal::INT, Signal::TERM] {
        let bench = Workbench::new();
        bench.file("a.c", SAFE).file("b.c", ENDLESS).file("c.c", UNSAFE);
        let line = "verify ?.c --check assert --jobs 1 --stats --junit out.xml --sarif out.sarif --timeout 60";
        let mut command = bench.command(&line.split(' ').collect::<Vec<_>>());
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
        // The statistics of the first program say that it is done.
        let mut stderr = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut line = String::new();
        while !line.starts_with("a.c: stat ") {
            line.clear();
            assert_ne!(stderr.read_line(&mut line).expect("text"), 0, "no statistics");
        }
        thread::sleep(Duration::from_millis(100));
        kill_process(Pid::from_child(&child), signal).expect("a process");
        let begun = Instant::now();
        let mut stdout = String::new();
        child.stdout.take().expect("a pipe").read_to_string(&mut stdout).expect("text");
        let code = child.wait().expect("an end").code();
        assert!(begun.elapsed() < Duration::from_secs(10));
        assert_eq!(code, Some(2), "{stdout}");
        let lines: Vec<&str> = stdout.lines().collect();
        assert!(lines[0].starts_with("TRUE     a.c"), "{stdout}");
        assert!(
            lines[1].starts_with("UNKNOWN  b.c") && lines[1].ends_with("interrupted"),
            "{stdout}"
        );
        assert!(
            lines[2].starts_with("UNKNOWN  c.c") && lines[2].ends_with("interrupted"),
            "{stdout}"
        );
        assert_eq!(lines[3], "Programs: 3, TRUE: 1, FALSE: 0, UNKNOWN: 2");
        let junit = fs::read_to_string(bench.path("out.xml")).expect("a file");
        assert!(junit.contains("tests=\"3\" failures=\"0\" errors=\"0\" skipped=\"2\""), "{junit}");
        let sarif = fs::read_to_string(bench.path("out.sarif")).expect("a file");
        assert!(sarif.contains("c.c: no answer: interrupted"), "{sarif}");
        // One that had to be killed may take a moment to be gone.
        let is_left = (0..50).all(|_| {
            thread::sleep(Duration::from_millis(20));
            works_in(&bench.path(""))
        });
        assert!(!is_left, "a process goes on");
    }
}

#[test]
fn the_command_line_counts_more_than_a_task() {
    let bench = Workbench::new();
    fs::create_dir(bench.path("sub")).expect("writable");
    bench.file("unreach-call.prp", REACHABILITY);
    bench.file("other.prp", "CHECK( init(main()), LTL(G ! call(other())) )\n");
    bench.file("sub/model.c", MODEL).file("sub/t.yml", definition("model.c", false, "LP64"));
    for (line, code, counts) in [
        ("sub/t.yml", 0, "TRUE: 0, FALSE: 1, UNKNOWN: 0, not as expected: 0"),
        ("sub/t.yml --data-model LP64", 0, "TRUE: 0, FALSE: 1, UNKNOWN: 0, not as expected: 0"),
        // The definition expects nothing of another data model.
        ("sub/t.yml --data-model ILP32", 0, "TRUE: 1, FALSE: 0, UNKNOWN: 0"),
        (
            "sub/t.yml --property unreach-call.prp",
            0,
            "TRUE: 0, FALSE: 1, UNKNOWN: 0, not as expected: 0",
        ),
        ("sub/t.yml --property=other.prp", 2, "TRUE: 0, FALSE: 0, UNKNOWN: 1, not as expected: 0"),
        // A value that is the name of a program, too.
        ("-I sub --timeout 50 sub", 0, "TRUE: 0, FALSE: 1, UNKNOWN: 0, not as expected: 0"),
    ] {
        let ran = bench.run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!(ran.code, Some(code), "{line}: {}{}", ran.stdout, ran.stderr);
        assert_eq!(ran.last_line(), format!("Programs: 1, {counts}"), "{line}: {}", ran.stdout);
    }
}

#[test]
fn properties_are_known_by_what_they_say() {
    let bench = Workbench::new();
    fs::create_dir(bench.path("set")).expect("writable");
    bench.file("set/unsafe.c", UNSAFE).file("set/safe.c", SAFE);
    bench.file("set/reach.prp", REACHABILITY);
    bench.file("set/not-unreach-call.prp", "CHECK( init(main()), LTL(G ! overflow) )\n");
    bench.file("set/other.prp", "CHECK( init(main()), LTL(G ! call(other())) )\n");
    let task = |name: &str, file: &str, properties: &[(&str, bool)], model: &str| {
        let mut text = format!("format_version: '2.0'\ninput_files: [{file}]\nproperties:\n");
        for (property, expected) in properties {
            text += &format!("  - property_file: {property}\n    expected_verdict: {expected}\n");
        }
        text += &format!("options: {{data_model: {model}}}\n");
        bench.file(&format!("set/{name}"), text);
    };
    let (overflow, reach) = (("not-unreach-call.prp", true), ("reach.prp", false));
    task("a.yml", "unsafe.c", &[overflow, reach], "ILP32");
    task("b.yml", "safe.c", &[("other.prp", true)], "ILP32");
    task("c.yml", "safe.c", &[("gone/unreach-call.prp", true)], "ILP32");
    task("d.yml", "safe.c", &[("reach.prp", true)], "LP65");
    // The name of a file may be a pattern.
    task("e.yml", "'s[a]fe.c'", &[("reach.prp", true)], "ILP32");
    bench.file("set/f.yml", "format_version: '2.0'\ninput_files: [safe.c]\nproperties: 3\n");
    bench.file("set/other.yml", "steps: [build]\n");
    let ran = bench.run(&["set"]);
    assert_eq!(ran.code, Some(3), "{}{}", ran.stdout, ran.stderr);
    for (line, (start, end)) in ran.stdout.lines().zip([
        ("FALSE    set/a.yml", "error call reached at set/unsafe.c:1:49"),
        ("UNKNOWN  set/b.yml", "property not supported yet"),
        (
            "UNKNOWN  set/c.yml",
            "property 'set/gone/unreach-call.prp': No such file or directory (os error 2)",
        ),
        (
            "UNKNOWN  set/d.yml",
            "options.data_model: unknown data model 'LP65': ILP32 or LP64 expected",
        ),
        ("TRUE     set/e.yml", "s"),
        ("UNKNOWN  set/f.yml", "at line 3 column 13"),
        ("Programs: 6, TRUE: 1, FALSE: 1, UNKNOWN: 4", "not as expected: 0"),
    ]) {
        assert!(line.starts_with(start) && line.ends_with(end), "{line}\n{}", ran.stdout);
    }
    assert_eq!(ran.stdout.lines().count(), 7, "{}", ran.stdout);
}

#[test]
fn the_gravest_outcome_is_the_exit_code() {
    let bench = Workbench::new();
    bench.file("safe.c", SAFE).file("unsafe.c", UNSAFE).file("junk.c", "int main(");
    bench.file("other.prp", "CHECK( init(main()), LTL(G ! call(other())) )\n");
    for (line, code) in [
        ("[s]afe.c", 0),
        ("[s]afe.c junk.c", 3),
        ("[s]afe.c junk.c unsafe.c", 1),
        ("[s]afe.c --property other.prp", 2),
        ("[s]afe.c junk.c --property other.prp", 3),
    ] {
        let ran = bench.run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!(ran.code, Some(code), "{line}: {}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn one_program_can_be_told_as_junit_too() {
    let bench = Workbench::new();
    bench.file("unsafe.c", UNSAFE).file("junk.c", "int main(");
    let ran = bench.run(&["unsafe.c", "--junit", "out.xml", "--report", "page.html"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.last_line(), "Verdict: FALSE(unreach-call)");
    // What is told besides is that of one program.
    assert!(bench.path("page.html").is_file());
    let junit = || fs::read_to_string(bench.path("out.xml")).expect("a file");
    assert!(junit().contains("tests=\"7\" failures=\"1\""), "{}", junit());
    assert!(junit().contains("name=\"unsafe.c\""), "{}", junit());
    let ran = bench.run(&["junk.c", "--junit", "out.xml", "--format", "json"]);
    assert_eq!(ran.code, Some(3), "{}{}", ran.stdout, ran.stderr);
    let document: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(document["reason"], "input rejected");
    assert!(ran.stderr.contains("junk.c:1:"), "{}", ran.stderr);
    assert!(junit().contains("tests=\"1\" failures=\"0\" errors=\"1\""), "{}", junit());
}

#[test]
fn links_to_directories_are_not_followed() {
    let bench = Workbench::new();
    fs::create_dir(bench.path("dir")).expect("writable");
    bench.file("dir/safe.c", SAFE);
    std::os::unix::fs::symlink("../dir", bench.path("dir/self")).expect("writable");
    let ran = bench.run(&["dir"]);
    assert_eq!(ran.last_line(), "Programs: 1, TRUE: 1, FALSE: 0, UNKNOWN: 0", "{}", ran.stdout);
}

#[test]
fn programs_that_were_linked_by_mistake_get_a_hint() {
    let bench = Workbench::new();
    let twice = format!("{SAFE}\nint main(void) {{ return 1; }}\n");
    bench.file("a.c", SAFE).file("b.c", SAFE).file("twice.c", twice);
    for command in ["verify", "cfa"] {
        let ran = bench.run(&[command, "a.c", "b.c"]);
        assert_eq!(ran.code, Some(3));
        assert!(ran.stderr.contains("quote the pattern"), "{}", ran.stderr);
        let ran = bench.run(&[command, "twice.c"]);
        assert_eq!(ran.code, Some(3));
        assert!(!ran.stderr.contains("quote the pattern"), "{}", ran.stderr);
    }
    let ran = bench.run(&["run", "task.yml"]);
    assert_eq!(ran.code, Some(64));
    assert!(ran.stderr.contains("task definitions are for 'ravelin verify'"), "{}", ran.stderr);
}

/// As for gcc, the last word on a macro counts.
#[test]
fn macros_are_defined_and_undefined_in_order() {
    let bench = Workbench::new();
    bench.file(
        "bug.c",
        "extern void reach_error(void);\nint main(void) {\n#ifdef BUG\nreach_error();\n#endif\nreturn 0; }\n",
    );
    let database = |words: &str| {
        let entry = r#"[{"directory": ".", "file": "bug.c", "command": "cc WORDS -c bug.c"}]"#;
        bench.file("db.json", entry.replace("WORDS", words));
    };
    let with_database = ["--compile-commands", "db.json"];
    for (in_database, given, code) in [
        ("", &["-UBUG", "-DBUG"] as &[&str], 1),
        ("", &["-DBUG", "-U", "BUG"], 0),
        ("-UBUG -DBUG", &[], 1),
        ("-DBUG -UBUG", &[], 0),
        ("-DBUG", &["-UBUG"], 0),
        ("-UBUG", &["-DBUG"], 1),
    ] {
        database(in_database);
        let ran = bench.run(&[&["bug.c"], given, &with_database].concat());
        assert_eq!(ran.code, Some(code), "{in_database} {given:?}: {}", ran.stderr);
        // The command that repeats it keeps the order.
        if let Some(replay) = ran.stdout.lines().find_map(|it| it.strip_prefix("Replay: ravelin "))
        {
            let ran = bench.run(&replay.split(' ').collect::<Vec<_>>());
            assert_eq!(ran.code, Some(1), "{replay}: {}", ran.stderr);
        }
        // And so do processes for one of many.
        let ran = bench.run(&[&["[b]ug.c"], given, &with_database].concat());
        assert_eq!(ran.code, Some(code), "{in_database} {given:?}: {}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn a_database_may_lie_beside_the_sources() {
    let bench = Workbench::new();
    for directory in ["build", "include", "quoted", "system"] {
        fs::create_dir(bench.path(directory)).expect("writable");
    }
    bench
        .file("include/forced.h", "#define FORCED 4\n")
        .file("include/macros.h", "#define KEPT 1\nint lost;\n");
    bench.file("quoted/a.h", "#define A 1\n").file("system/a.h", "#define A 2\n");
    bench.file(
        "main.c",
        "#include \"a.h\"\nenum { QUOTED = A };\n#undef A\n#include <a.h>\nextern void reach_error(void);\n\
         int main(void) { if (FORCED == 4 && KEPT && QUOTED == 1 && A == 2 && sizeof(long) == 8) reach_error(); }\n",
    );
    bench.file("other.c", SAFE);
    bench.file(
        "build/compile_commands.json",
        r#"[{"directory": ".", "file": "../main.c", "arguments": ["cc", "-m64", "-include", "../include/forced.h",
             "-imacros", "../include/macros.h", "-iquote", "../quoted", "-isystem../system", "-c", "../main.c"]}]"#,
    );
    let database = ["--compile-commands", "build/compile_commands.json"];
    let ran = bench.run(&[&["main.c"], &database[..]].concat());
    assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
    let replay = ran.stdout.lines().find(|line| line.starts_with("Replay: ")).expect("a command");
    assert!(replay.contains("--data-model LP64"), "{replay}");
    let ran = bench.run(&[&["main.c", "--data-model", "ILP32"], &database[..]].concat());
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stderr.contains("'main.c' is compiled for LP64, but read for ILP32"),
        "{}",
        ran.stderr
    );
    let ran = bench.run(&[&["*.c"], &database[..]].concat());
    assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.last_line(), "Programs: 2, TRUE: 1, FALSE: 1, UNKNOWN: 0");
    let note =
        "ravelin: 'other.c' is not in the compilation database 'build/compile_commands.json'";
    assert_eq!(ran.stderr.matches(note).count(), 1, "{}", ran.stderr);
    let ran = bench.run(&[&["other.c"], &database[..]].concat());
    assert_eq!(ran.stderr.matches(note).count(), 1, "{}", ran.stderr);
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
