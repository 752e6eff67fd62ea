//! `--report`: the page has what there is to show. How it shows it, the tests of `ravelin-report` look at.

#[path = "support/assertions.rs"]
mod assertions;
mod support;

use std::fs;

use assertions::check_assert;
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
    let ran = check_assert(bench, &[args, &["--report", "page.html"]].concat());
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
    let page = page_of(&bench, &["steps.c", "--domain", "predicate", "--unroll", "0"], 0);
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

/// What a step writes: the place, whose it is, and the value.
fn writes(step: &Value) -> Vec<(String, String, Option<String>)> {
    let writes = step["writes"].as_array().into_iter().flatten();
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let told = writes.map(|write| {
        let frame = &write["local_to"];
        let owner = match frame.is_null() {
            true => String::new(),
            false => format!("{}:{}#{}", frame["thread"], frame["function"], frame["occurrence"]),
        };
        let owner = owner.replace('"', "");
        (text(&write["place"]).unwrap_or_default(), owner, text(&write["value"]))
    });
    told.collect()
}

/// The values of a place after all steps up to one in which something has a value, by whose they are.
fn values_after(steps: &[Value], name: &str) -> Vec<(String, String)> {
    let mut values = std::collections::BTreeMap::new();
    for (place, owner, value) in steps.iter().flat_map(writes) {
        match value {
            _ if place != name => {}
            Some(value) => {
                values.insert(owner, value);
            }
            None => {
                values.remove(&owner);
            }
        }
    }
    values.into_iter().collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(owner, value)| (owner.to_string(), value.to_string())).collect()
}

#[test]
fn locals_of_calls_and_threads_are_told_apart() {
    let bench = Workbench::new();
    bench.file(
        "same.c",
        "#include <pthread.h>
extern void reach_error(void);
int shared;
static void bump(int *p, int by) { *p = *p + by; }
void *one(void *arg) {
    int x = 1;
    bump(&x, 10);
    shared = x;
    return 0;
}
void *two(void *arg) {
    int x = 2;
    bump(&x, 20);
    shared = shared + x;
    return 0;
}
int main(void) {
    pthread_t a, b;
    int x = 3;
    bump(&x, 30);
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (shared == 22)
        reach_error();
    return x;
}
",
    );
    let report = block(&page_of(&bench, &["same.c"], 1), "report");
    let steps = report["trace"]["steps"].as_array().expect("steps");
    // The order of the threads may be another, but both are at work at some time.
    let both = (0..steps.len()).map(|last| values_after(&steps[..=last], "x"));
    assert!(
        both.into_iter()
            .any(|values| values.len() == 3 && values.contains(&("0:main#1".into(), "33".into()))),
        "{steps:#?}"
    );
    assert_eq!(values_after(steps, "x"), pairs(&[("0:main#1", "33")]));
    // A call has its parameters, and when it is over, nothing is left of it.
    let given: Vec<String> = steps
        .iter()
        .flat_map(writes)
        .filter(|(place, _, _)| place == "by")
        .filter_map(|(_, owner, value)| Some(format!("{owner} = {}", value?)))
        .collect();
    assert_eq!(given.len(), 3, "{given:?}");
    assert_eq!(given[0], "0:bump#1 = 30");
    assert!(
        given.contains(&"1:bump#1 = 10".to_owned()) && given.contains(&"2:bump#1 = 20".to_owned())
    );
    assert_eq!(values_after(steps, "by"), []);
    // Each thread has a pointer p to an x of its own.
    let leads = |step: &Value| -> Vec<(Value, Value)> {
        let list = step["points_to"].as_array().into_iter().flatten();
        let owner = |place: &Value| place["local_to"]["thread"].clone();
        list.filter(|it| it["from"]["object"] == "p" && !it["to"].is_null())
            .map(|it| (owner(&it["from"]), owner(&it["to"])))
            .collect()
    };
    let led: Vec<(Value, Value)> = steps.iter().flat_map(leads).collect();
    assert_eq!(led.len(), 3);
    assert!(led.iter().all(|(from, to)| from == to), "{led:?}");
}

#[test]
fn calls_of_one_function_do_not_share_their_locals() {
    let bench = Workbench::new();
    bench.file(
        "walk.c",
        "extern void reach_error(void);
static void set(int *p, int v) { *p = v; }
int walk(int d) {
    int local, next = d;
    set(&local, d * 10);
    if (d > 0)
        next = walk(d - 1);
    return local + next;
}
int main(void) {
    int r = walk(2);
    if (r == 30)
        reach_error();
    return 0;
}
",
    );
    let report = block(&page_of(&bench, &["walk.c"], 1), "report");
    let steps = report["trace"]["steps"].as_array().expect("steps");
    let deepest =
        steps.iter().position(|step| step["function"] == "set" && step["occurrence"] == 3);
    let deepest = &steps[..=deepest.expect("the third call")];
    let (one, two, three) = ("0:walk#1", "0:walk#2", "0:walk#3");
    assert_eq!(values_after(deepest, "local"), pairs(&[(one, "20"), (two, "10"), (three, "0")]));
    assert_eq!(values_after(deepest, "d"), pairs(&[(one, "2"), (two, "1"), (three, "0")]));
    assert_eq!(values_after(steps, "local"), []);
    assert_eq!(values_after(steps, "d"), []);
    assert_eq!(values_after(steps, "r"), pairs(&[("0:main#1", "30")]));
}

#[test]
fn what_is_overwritten_or_freed_has_no_old_value() {
    let bench = Workbench::new();
    bench.file(
        "bytes.c",
        "#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
struct pair { int a, b; };
int main(void) {
    struct pair s;
    struct pair *h = malloc(sizeof *h);
    s.a = 1;
    s.b = 2;
    h->a = 3;
    memset(&s, 0, sizeof s);
    free(h);
    if (s.a == 0)
        reach_error();
    return 0;
}
",
    );
    let report = block(&page_of(&bench, &["bytes.c"], 1), "report");
    let steps = report["trace"]["steps"].as_array().expect("steps");
    let before = steps.iter().position(|step| step["at"]["line"] == 11).expect("memset");
    assert_eq!(values_after(&steps[..before], "s+4"), pairs(&[("0:main#1", "2")]));
    assert_eq!(values_after(&steps[..before], "heap:7"), pairs(&[("", "3")]));
    let stale = values_after(steps, "s+4").into_iter().filter(|(_, value)| value == "2").count();
    assert_eq!((stale, values_after(steps, "heap:7")), (0, Vec::new()));
}

const UNBOUNDED: &str = "\
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = 0, j = 0;
    while (i < n) { i++; j++; }
    if (i != j) reach_error();
    return 0;
}
";

#[test]
fn what_states_know_and_what_is_tracked_is_shown() {
    let bench = Workbench::new();
    bench.file("steps.c", UNBOUNDED);
    let page = page_of(&bench, &["steps.c"], 0);
    let report = block(&page, "report");
    let precision = report["precision"].as_array().expect("a list");
    let tracked = precision.iter().find(|entry| entry["what"] == "i == j").expect("the predicate");
    assert_eq!((&tracked["place"], &tracked["at"]["line"]), (&"main, line 5".into(), &5.into()));
    let states = block(&page, "arg");
    let nodes = states["nodes"].as_array().expect("states");
    let knows = |node: &&Value| node["detail"].as_str().is_some_and(|it| it.contains("i == j"));
    assert!(nodes.iter().filter(knows).count() >= 2, "{states}");
    let edges = states["edges"].as_array().expect("edges");
    assert!(
        edges.iter().any(|edge| edge["label"].as_str().is_some_and(|it| it.contains("[i < n]")))
    );
    // The whole run counts: what the stages before took, too.
    let count = |name: &str| -> f64 {
        let mut all = report["statistics"].as_array().into_iter().flatten();
        let found = all.find(|entry| entry[0] == name).expect("a statistic");
        found[1].as_f64().expect("a number")
    };
    assert!(count("states") > nodes.len() as f64);
    assert!(report["seconds"].as_f64().expect("a number") >= count("solver seconds"));
}

#[test]
fn a_proof_by_exploring_says_so() {
    let bench = Workbench::new();
    let program = fs::read_to_string("../../examples/lost_update.c").expect("there is the example");
    bench.file("race.c", program.replace("counter == 2", "counter <= 2"));
    let page = page_of(&bench, &["race.c"], 0);
    let report = block(&page, "report");
    let summary = report["summary"].as_str().expect("text");
    assert_eq!(report["statistics"][0][0], "explored states");
    let states = report["statistics"][0][1].as_u64().expect("a number");
    assert_eq!(
        summary,
        format!("No execution reaches the error: all {states} states were visited.")
    );
    assert_eq!(block(&page, "arg"), Value::Null);
}

#[test]
fn what_stands_in_the_way_of_an_answer_is_marked() {
    let bench = Workbench::new();
    bench.file(
        "unknown.c",
        "extern void reach_error(void);
int main(void) {
    int x;
    __asm__(\"rdtsc; mov $1, %0\" : \"=r\"(x));
    if (x == 1)
        reach_error();
    return 0;
}
",
    );
    let report = block(&page_of(&bench, &["unknown.c"], 2), "report");
    assert_eq!(report["verdict"], "UNKNOWN(unsupported: unknown.c:4:5 inline assembly)");
    assert_eq!(report["place"], serde_json::json!({"file": 0, "line": 4, "column": 5}));
    assert!(report["hint"].as_str().is_some_and(|hint| hint.contains("not modelled")));
}
