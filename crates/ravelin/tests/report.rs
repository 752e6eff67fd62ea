//! `--report`: the page has what there is to show. How it shows it, the tests of `ravelin-report` look at.

mod support;

use std::fs;

use serde_json::Value;
use support::Workbench;

/// A block of data in a page.
fn block(page: &str, id: &str) -> Value {
    let start = format!("<script type=\"application/json\" id=\"{id}\">");
    let (_, rest) = page.split_once(&start).expect("the block begins");
    let (text, _) = rest.split_once("</script>").expect("the block ends");
    serde_json::from_str(text).expect("JSON")
}

fn page_of(bench: &Workbench, args: &[&str], code: i32) -> String {
    let ran = bench.run(&[args, &["--report", "page.html"]].concat());
    assert_eq!(ran.code, Some(code), "{}", ran.stderr);
    assert!(ran.last_line().starts_with("Verdict: "));
    fs::read_to_string(bench.path("page.html")).expect("a page")
}

#[test]
fn an_execution_of_threads_is_shown() {
    let bench = Workbench::new();
    bench.file("race.c", fs::read("../../examples/lost_update.c").expect("there is the example"));
    let page = page_of(&bench, &["race.c"], 1);
    let report = block(&page, "report");
    assert_eq!(report["verdict"], "FALSE(unreach-call)");
    assert_eq!(report["command"][0], "ravelin");
    assert_eq!(report["files"][0]["name"], "race.c");
    let names: Vec<&Value> =
        report["trace"]["threads"].as_array().into_iter().flatten().map(|it| &it["name"]).collect();
    assert_eq!(names, ["main", "increment 1", "increment 2"]);
    let steps = report["trace"]["steps"].as_array().expect("steps");
    let shared = |kind: &str| -> Vec<(u64, &str)> {
        let accesses = steps.iter().flat_map(|step| {
            let list = step[kind].as_array().into_iter().flatten();
            list.map(|access| (step["thread"].as_u64().unwrap_or(9), access))
        });
        let shared = accesses.filter(|(_, access)| access["shared"] == true);
        shared.map(|(thread, it)| (thread, it["value"].as_str().unwrap_or_default())).collect()
    };
    // Both read before one writes, so that one addition is lost.
    let (reads, writes) = (shared("reads"), shared("writes"));
    assert_eq!(reads.iter().map(|(_, value)| *value).collect::<Vec<_>>(), ["0", "0", "1"]);
    assert_eq!(writes.iter().map(|(_, value)| *value).collect::<Vec<_>>(), ["1", "1"]);
    assert_ne!(writes[0].0, writes[1].0);
    assert!(steps.iter().all(|step| step["text"] != ""));
    let automata = block(&page, "automata");
    let automata = automata.as_array().expect("a list");
    assert!(automata.iter().any(|graph| graph["name"] == "increment"));
}

#[test]
fn pointers_and_inputs_are_shown() {
    let bench = Workbench::new();
    bench.file(
        "pointer.c",
        "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a, b;
int main(void) {
    int *p = &a;
    if (__VERIFIER_nondet_int() == 5)
        p = &b;
    *p = 7;
    if (b == 7)
        reach_error();
    return 0;
}
",
    );
    let report = block(&page_of(&bench, &["pointer.c"], 1), "report");
    let steps = report["trace"]["steps"].as_array().expect("steps");
    let targets: Vec<&Value> = steps
        .iter()
        .flat_map(|step| step["points_to"].as_array().into_iter().flatten())
        .filter(|pointing| pointing["from"]["object"] == "p")
        .map(|pointing| &pointing["to"]["object"])
        .collect();
    assert_eq!(targets, ["a", "b"]);
    let inputs: Vec<&Value> = steps
        .iter()
        .flat_map(|step| step["inputs"].as_array().into_iter().flatten())
        .map(|input| &input[1])
        .collect();
    assert_eq!(inputs, ["5"]);
    assert!(!steps.iter().any(|step| step.to_string().contains("\"shared\":true")));
}

#[test]
fn a_proof_is_shown() {
    let bench = Workbench::new();
    bench.file(
        "steps.c",
        "extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = 0, j = 0;
    while (i < n) { i++; j++; }
    if (i != j) reach_error();
    return 0;
}
",
    );
    let page = page_of(&bench, &["steps.c"], 0);
    let report = block(&page, "report");
    assert_eq!(report["verdict"], "TRUE");
    let states = block(&page, "arg");
    let nodes = states["nodes"].as_array().expect("states");
    assert!(nodes.iter().any(|node| node["kind"] == "covered"), "{states}");
    assert!(nodes.iter().all(|node| node["kind"] != "error"));
    assert_eq!(report["trace"], Value::Null);
    assert_eq!(report["invariants"][0]["text"], "i == j");
    assert_eq!(report["invariants"][0]["at"]["line"], 5);
    assert!(report["phases"].as_array().is_some_and(|phases| !phases.is_empty()));
}
