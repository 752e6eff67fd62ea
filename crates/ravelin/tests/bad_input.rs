//! Input that is no program: each gets a clear message and exit code 3, and nothing crashes.

mod support;

use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use expect_test::{Expect, expect};
use support::{Ran, Workbench};

/// Runs every command on the arguments; all must reject them. Returns what `verify` wrote to
/// standard error.
#[track_caller]
fn rejected(bench: &Workbench, args: &[&str]) -> String {
    let with = |command: &[&'static str]| -> Vec<String> {
        command.iter().chain(args).map(|&word| word.to_owned()).collect()
    };
    let run = |words: Vec<String>| {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let ran = bench.run(&words);
        assert_eq!(ran.code, Some(3), "{words:?}: {}\n{}", ran.stdout, clip(&ran.stderr));
        assert_no_crash(&ran);
        assert!(!ran.stderr.trim().is_empty(), "{words:?}: no message");
        ran
    };
    let verify = run(with(&["verify"]));
    assert_eq!(verify.stdout, "Verdict: UNKNOWN(input rejected)\n");
    assert_eq!(run(with(&["cfa", "--format", "none"])).stdout, "");
    assert_eq!(run(with(&["run"])).stdout, "");
    verify.stderr
}

#[track_caller]
fn assert_no_crash(ran: &Ran) {
    for word in ["panicked", "internal error", "overflowed its stack"] {
        assert!(!ran.stderr.contains(word), "{}", clip(&ran.stderr));
    }
}

/// A message that repeats a huge input must not flood the test's output too.
fn clip(text: &str) -> String {
    text.chars().take(2_000).collect()
}

#[track_caller]
fn rejected_with(contents: impl AsRef<[u8]>, message: Expect) {
    let bench = Workbench::new();
    bench.file("bad.c", contents);
    message.assert_eq(&rejected(&bench, &["bad.c"]));
}

/// The message must be short, whatever the input's size, and name the file.
#[track_caller]
fn rejected_briefly(contents: impl AsRef<[u8]>, words: &str) {
    let bench = Workbench::new();
    bench.file("bad.c", contents);
    let message = rejected(&bench, &["bad.c"]);
    assert!(message.len() < 2_000, "{} bytes: {}", message.len(), clip(&message));
    assert!(message.contains("bad.c"), "{message}");
    assert!(message.contains(words), "{message}");
}

#[test]
fn missing_file() {
    let bench = Workbench::new();
    expect![[r#"
        nowhere.c: error: no such file
    "#]]
    .assert_eq(&rejected(&bench, &["nowhere.c"]));
}

#[test]
fn directory() {
    let bench = Workbench::new();
    fs::create_dir(bench.path("folder.c")).expect("writable");
    expect![[r#"
        folder.c: error: is a directory, not a C file
    "#]]
    .assert_eq(&rejected(&bench, &["folder.c"]));
}

#[test]
fn empty_file() {
    rejected_with(
        "",
        expect![[r#"
        bad.c: error: the program has no function 'main'
    "#]],
    );
}

#[test]
fn no_main() {
    rejected_with(
        "int f(void) { return 0; }\n",
        expect![[r#"
        bad.c: error: the program has no function 'main'
    "#]],
    );
}

#[test]
fn syntax_error() {
    rejected_with(
        "int main(void) {\n    int x = 1;\n    if (x > 0 {\n        return 1;\n    }\n    return 0;\n}\n",
        expect![[r#"
            bad.c:3:8: error: '(' is never closed
             3 |     if (x > 0 {
               |        ^
               = expected ')' before '}' 4 lines below
        "#]],
    );
}

#[test]
fn missing_brace_at_the_end() {
    rejected_with(
        "int main(void) {\n    return 0;\n",
        expect![[r#"
        bad.c:1:16: error: '{' is never closed
         1 | int main(void) {
           |                ^
           = expected '}' before the end of the file 2 lines below
    "#]],
    );
}

#[test]
fn several_type_errors() {
    rejected_with(
        "struct point { int x; };\n\
         int main(void) {\n\
         \x20   struct point p = { 1 };\n\
         \x20   undeclared = 3;\n\
         \x20   p.y = 4;\n\
         \x20   return *p.x;\n\
         }\n",
        expect![[r#"
            bad.c:4:5: error: 'undeclared' was not declared
             4 |     undeclared = 3;
               |     ^~~~~~~~~~~
            bad.c:5:7: error: 'struct point' has no member 'y'
             5 |     p.y = 4;
               |       ^
            bad.c:6:12: error: a pointer is needed, not 'int'
             6 |     return *p.x;
               |            ^~~~
        "#]],
    );
}

#[test]
fn binary_junk() {
    // A program in machine code, and bytes without any order (a linear congruential generator).
    let own = fs::read(env!("CARGO_BIN_EXE_ravelin")).expect("readable");
    rejected_briefly(&own[..own.len().min(1 << 20)], "this is not a C source file");
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let noise: Vec<u8> = (0..100_000).map(|_| next()).collect();
    rejected_briefly(noise, "not valid UTF-8");
}

#[test]
fn invalid_utf8_in_code() {
    rejected_briefly(b"int main(void) { int \xff\xfe = 1; return 0; }\n", "not valid UTF-8");
}

#[test]
fn missing_include() {
    let bench = Workbench::new();
    bench.file("bad.c", "#include \"nowhere.h\"\nint main(void) { return 0; }\n");
    let message = rejected(&bench, &["bad.c"]);
    assert!(message.contains("nowhere.h"), "{message}");
    assert!(message.contains("bad.c"), "{message}");
}

#[test]
fn unreadable_include() {
    let bench = Workbench::new();
    bench.file("bad.c", "#include \"secret.h\"\nint main(void) { return 0; }\n");
    bench.file("secret.h", "int x;\n");
    fs::set_permissions(bench.path("secret.h"), Permissions::from_mode(0o000)).expect("own file");
    if File::open(bench.path("secret.h")).is_ok() {
        // The superuser reads everything; a directory is what even it cannot include.
        fs::remove_file(bench.path("secret.h")).expect("own file");
        fs::create_dir(bench.path("secret.h")).expect("writable");
    }
    let message = rejected(&bench, &["bad.c"]);
    assert!(message.contains("secret.h"), "{message}");
}

#[test]
fn deep_nesting() {
    let depth = 100_000;
    for (begin, open, close, end) in [
        ("int main(void) { return ", "(", ")", "; }"),
        ("int main(void) { ", "{", "}", "}"),
        ("int a[] = ", "{", "}", "; int main(void) {}"),
    ] {
        let text = format!("{begin}{}1{}{end}", open.repeat(depth), close.repeat(depth));
        rejected_briefly(text, "nested more than");
    }
    for (begin, deep, end) in [
        ("int main(void) { return ", "1 + ", "1; }"),
        ("int main(void) { return ", "- ", "1; }"),
        ("int main(void) { return ", "1 ? 2 : ", "3; }"),
        ("int main(void) { ", "if (1) ; else ", "; }"),
        ("int main(void) { int ", "*", "x; }"),
    ] {
        rejected_briefly(format!("{begin}{}{end}", deep.repeat(depth)), "nested more than");
    }
}

#[test]
fn huge_file() {
    let line = b"int main(void) { return 0; } /* one of very many lines of this file */\n";
    rejected_briefly(line.repeat(100_000_000 / line.len() + 1), "too large");
}

#[test]
fn property_that_is_missing_or_none() {
    let bench = Workbench::new();
    bench.file("good.c", "int main(void) { return 0; }\n").file("bad.prp", "G ! nonsense\n");
    for (property, words) in [("nowhere.prp", "nowhere.prp"), ("bad.prp", "bad.prp")] {
        let ran = bench.run(&["verify", "good.c", "--property", property]);
        assert_eq!(ran.code, Some(3), "{ran:?}");
        assert_eq!(ran.last_line(), "Verdict: UNKNOWN(input rejected)");
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    }
}

#[test]
fn preprocessor_that_is_missing_or_killed() {
    let bench = Workbench::new();
    bench.file("good.c", "#define ZERO 0\nint main(void) { return ZERO; }\n");
    fs::create_dir(bench.path("bin")).expect("writable");
    let run = || {
        let mut command = bench.command(&["verify", "good.c"]);
        Ran::from(command.env("PATH", bench.path("bin")).output().expect("the binary runs"))
    };
    let without = run();
    bench.file("bin/cc", "#!/bin/sh\nkill -KILL $$\n");
    fs::set_permissions(bench.path("bin/cc"), Permissions::from_mode(0o755)).expect("own file");
    let killed = run();
    for ran in [without, killed] {
        assert_eq!(ran.code, Some(3), "{ran:?}");
        assert_no_crash(&ran);
        assert!(ran.stderr.contains("preprocessor"), "{}", ran.stderr);
    }
}

#[test]
fn full_disk() {
    let bench = Workbench::new();
    bench.file("good.c", "int main(void) { return 0; }\n");
    let to_file = bench.run(&["cfa", "good.c", "-o", "/dev/full"]);
    let full = File::options().write(true).open("/dev/full").expect("Linux has it");
    let to_stdout =
        bench.command(&["verify", "good.c"]).stdout(full).stderr(Stdio::piped()).output();
    for ran in [to_file, Ran::from(to_stdout.expect("the binary runs"))] {
        assert_eq!(ran.code, Some(74), "{ran:?}");
        assert_no_crash(&ran);
        assert!(ran.stderr.contains("No space left"), "{}", ran.stderr);
    }
    let nowhere = bench.run(&["cfa", "good.c", "-o", "nowhere/out.txt"]);
    assert_eq!(nowhere.code, Some(74), "{nowhere:?}");
    assert!(nowhere.stderr.contains("nowhere/out.txt"), "{}", nowhere.stderr);
    let left = fs::read_dir(bench.path(".")).expect("readable").count();
    assert_eq!(left, 1, "no half file stays");
}

#[test]
fn closed_standard_output() {
    let bench = Workbench::new();
    bench.file("good.c", "int main(void) { return 0; }\n");
    for args in [&["verify", "good.c", "-q"][..], &["cfa", "good.c"], &["run", "good.c"]] {
        let mut child = bench
            .command(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        // The reader goes before anything was written, or right after.
        drop(child.stdout.take());
        let ran = Ran::from(child.wait_with_output().expect("the binary ends"));
        assert_eq!(ran.code, Some(0), "{args:?}: {ran:?}");
        assert_eq!(ran.stderr, "");
    }
}
