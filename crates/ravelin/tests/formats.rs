//! `--format json`, `--sarif`, completions and the manual: what machines are told.

mod support;

use std::fs;

use serde_json::{Value, json};
use support::{Ran, Workbench};

const ASSERT: [&str; 2] = ["--check", "assert"];

const REACHED: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 41)
        reach_error();
    return 0;
}
";

fn json_of(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}\n{}", ran.stdout))
}

#[test]
fn answers_are_one_document() {
    let bench = Workbench::new();
    bench.file("reached.c", REACHED).file("junk.c", "int main(");
    bench.file("safe.c", REACHED.replace("x == 41", "x != x"));
    let told = |args: &[&str], code: i32| {
        let ran = bench.run(&[args, &["--format", "json"]].concat());
        assert_eq!(ran.code, Some(code), "{}", ran.stderr);
        let answer = json_of(&ran);
        assert_eq!(answer["schema"], "ravelin-result-1");
        assert_eq!(answer["exit_code"], code);
        answer
    };
    let answer = told(&["reached.c", ASSERT[0], ASSERT[1]], 1);
    assert_eq!(answer["verdict"], "FALSE");
    assert_eq!(answer["property"], "unreach-call");
    assert_eq!(answer["reason"], Value::Null);
    assert_eq!(answer["files"], json!(["reached.c"]));
    let steps = answer["trace"]["steps"].as_array().expect("steps");
    assert!(steps.iter().any(|step| step["inputs"][0][1] == "41"), "{answer}");
    assert_eq!(steps.last().expect("a step")["at"]["line"], 6);
    assert!(answer["statistics"]["states"].is_u64());
    let answer = told(&["safe.c"], 0);
    assert_eq!((&answer["verdict"], &answer["trace"]), (&json!("TRUE"), &Value::Null));
    let answer = told(&["junk.c"], 3);
    assert_eq!(answer["verdict"], "UNKNOWN");
    assert_eq!(answer["reason"], "input rejected");
    let message = answer["message"].as_str().expect("a message");
    assert!(message.starts_with("junk.c:1:"), "{message}");
    bench.file("end.prp", "CHECK( init(main()), LTL(F end) )\n");
    let answer = told(&["safe.c", "--property", "end.prp"], 2);
    assert_eq!(answer["property"], "termination");
    let answer = told(&["reached.c", "--timeout", "0"], 2);
    assert_eq!(answer["reason"], "timeout");
}

#[test]
fn findings_have_places_and_flows() {
    let bench = Workbench::new();
    bench.file("reached it.c", REACHED).file("junk.c", "int main(");
    bench.file("race.c", fs::read("../../examples/lost_update.c").expect("there is the example"));
    let sarif = |file: &str, code: i32| -> Value {
        let ran = bench.run(&[file, "--sarif", "out.sarif"]);
        assert_eq!(ran.code, Some(code), "{}", ran.stderr);
        assert!(ran.last_line().starts_with("Verdict: "));
        let text = fs::read_to_string(bench.path("out.sarif")).expect("a file");
        let value: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(value["version"], "2.1.0");
        let run = value["runs"][0].clone();
        assert_eq!(run["tool"]["driver"]["name"], "Ravelin");
        assert_eq!(run["invocations"][0]["exitCode"], code);
        run
    };
    let run = sarif("reached it.c", 1);
    let result = &run["results"][0];
    assert_eq!(result["ruleId"], run["tool"]["driver"]["rules"][0]["id"]);
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "reached%20it.c");
    assert_eq!(place["region"]["startLine"], 6);
    let run = sarif("race.c", 1);
    let flows = run["results"][0]["codeFlows"][0]["threadFlows"].as_array().expect("flows");
    assert_eq!(flows.len(), 3);
    let mut orders: Vec<u64> = flows
        .iter()
        .flat_map(|flow| flow["locations"].as_array().into_iter().flatten())
        .filter_map(|location| location["executionOrder"].as_u64())
        .collect();
    orders.sort_unstable();
    let count = orders.len();
    orders.dedup();
    assert_eq!(orders.len(), count, "every step has a place of its own");
    let run = sarif("junk.c", 3);
    assert_eq!(run["results"], json!([]));
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    let note = &run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
    let note = note.as_str().expect("a text");
    assert!(note.starts_with("No answer: input rejected: junk.c:1:"), "{note}");
}

/// Columns of the interface are those of editors, and the place of a finding is that of its message.
#[test]
fn findings_stand_where_the_message_says() {
    let bench = Workbench::new();
    let line = "    /* größer 𝄞 */ if (x == 41) { x = 7; reach_error(); }";
    let program = format!(
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
         int main(void) {{\n    int x = __VERIFIER_nondet_int();\n{line}\n    return 0;\n}}\n"
    );
    bench.file("wide.c", program);
    let ran = bench.run(&["wide.c", "--sarif", "out.sarif"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let text = fs::read_to_string(bench.path("out.sarif")).expect("a file");
    let value: Value = serde_json::from_str(&text).expect("JSON");
    let run = &value["runs"][0];
    assert_eq!(run["columnKind"], "utf16CodeUnits");
    let result = &run["results"][0];
    let bytes = line.find("reach_error").expect("the call") + 1;
    let message = result["message"]["text"].as_str().expect("a text");
    assert!(message.contains(&format!("wide.c:5:{bytes}")), "{message}");
    let units = line[..bytes - 1].encode_utf16().count() + 1;
    let region = &result["locations"][0]["physicalLocation"]["region"];
    assert_eq!(*region, json!({"startLine": 5, "startColumn": units}));
}

#[test]
fn shells_and_manuals_are_served() {
    let bench = Workbench::new();
    for shell in ["bash", "zsh", "fish"] {
        let ran = bench.run(&["completions", shell]);
        assert_eq!(ran.code, Some(0));
        assert!(
            ran.stdout.contains("--data-model") || ran.stdout.contains("data-model"),
            "{shell}"
        );
        assert!(ran.stdout.contains("points-to"), "{shell}");
    }
    assert_eq!(bench.run(&["completions", "abacus"]).code, Some(64));
    let ran = bench.run(&["man"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.stdout.starts_with(".ie") || ran.stdout.contains(".TH ravelin"), "{}", ran.stdout);
    let ran = bench.run(&["man", "verify"]);
    assert!(ran.stdout.contains("\\-\\-witness"), "{}", ran.stdout);
}

#[test]
fn every_format_lists_the_functions_an_answer_rests_on() {
    let bench = Workbench::new();
    bench.file(
        "rests.c",
        "extern int sensor(void);\nint state;\nextern void reach_error(void);\n\
         int main(void) {\n    if (sensor() == 3 && state)\n        reach_error();\n    return 0;\n}\n",
    );
    let files = ["--sarif", "r.sarif", "--witness", "w.yml", "--report", "r.html"];
    let ran = bench.run(&[&["rests.c", "--format", "json"], &files[..]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("rests on 1 function without body"), "{}", ran.stderr);
    assert!(ran.stderr.contains("sensor (rests.c:5:9)"), "{}", ran.stderr);
    let answer = json_of(&ran);
    let [function] = answer["external_functions"].as_array().expect("a list").as_slice() else {
        panic!("{}", ran.stdout);
    };
    assert_eq!((&function["name"], &function["calls"]), (&json!("sensor"), &json!(1)));
    assert_eq!(function["place"], "rests.c:5:9");
    for file in ["r.sarif", "w.yml", "r.html"] {
        let text = fs::read_to_string(bench.path(file)).expect("a file");
        assert!(text.contains("sensor, called at rests.c:5:9, has no body"), "{file}: {text}");
    }
    let ran = bench.run(&["rests.c", "--external", "reject"]);
    assert!(
        ran.stdout.contains("UNKNOWN(unsupported: rests.c:5:9 sensor has no body"),
        "{}",
        ran.stdout
    );
    assert!(!ran.stderr.contains("rests on"), "{}", ran.stderr);
}
