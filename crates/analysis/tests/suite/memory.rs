//! Memory models on the examples of the papers they come from, and on what dividing memory must not lose.

use std::path::Path;

use ravelin_analysis::config::{Config, Domain, Encoding, Reduction, Statements};
use ravelin_analysis::domain::explicit::valuation::ValuePlace;
use ravelin_analysis::domain::explicit::{Precision, Scope};
use ravelin_analysis::domain::predicate::Binding;
use ravelin_analysis::model::space::{Activation, Space};
use ravelin_analysis::model::step::Site;
use ravelin_analysis::solver::memory::Model;
use ravelin_base::DataModel;
use ravelin_testkit::fixture::fixtures;
use ravelin_testkit::tier;

use crate::support::{
    Answer, DOMAINS, ENCODINGS, build, build_text, decide, describe, prepare, seconds,
};

const MODELS: [Model; 5] = [Model::Havoc, Model::PointsTo, Model::Deref, Model::Uf, Model::Array];

/// Which of the fixtures a model must answer, by the number in their names.
fn is_answered(model: Model, domain: Domain, number: usize) -> bool {
    // Two pointers, of which nothing says where they lead but that it is not the same: only who compares
    // addresses knows.
    let compares = number <= 102;
    match (model, domain) {
        (Model::Havoc, _) => number == 107,
        (Model::PointsTo, Domain::Predicate) => !compares && number != 105,
        (Model::PointsTo, Domain::Explicit | Domain::Product) => !compares,
        // Where values do not say so, the explicit domain has predicates for it.
        (Model::Deref | Model::Uf | Model::Array, _) => true,
    }
}

#[test]
fn models_answer_the_examples_of_the_papers() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c/verify");
    let mut tried = 0;
    for fixture in fixtures(&dir).expect("the fixtures can be read") {
        let name = fixture.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let number: usize = name.split('-').next().and_then(|text| text.parse().ok()).unwrap_or(0);
        if !(100..=107).contains(&number) {
            continue;
        }
        let programs = [DataModel::Ilp32, DataModel::Lp64]
            .map(|it| build(std::slice::from_ref(&fixture.path), it));
        // Each encoding with one data model.
        for (at, encoding) in ENCODINGS.into_iter().enumerate() {
            let program = &programs[at / 2];
            let settings = MODELS.iter().flat_map(|&m| DOMAINS.map(|d| (m, d)));
            for (turn, (memory, domain)) in settings.enumerate() {
                // In the quick tier every second one, of which neighbours have the others.
                if !tier::is_exhaustive() && (at + turn + number) % 2 == 1 {
                    continue;
                }
                let mut config = Config { domain, encoding, ..Config::default() };
                config.memory.model = memory;
                let answer = decide(&prepare(program, &config), &config, seconds(10.0));
                let expected = match fixture.verdict.as_deref() {
                    Some("TRUE") => Answer::True,
                    Some("FALSE") => Answer::False,
                    other => panic!("{name} has the verdict {other:?}"),
                };
                let is_answered = is_answered(memory, domain, number);
                let is_right = match &answer {
                    Answer::Unknown(_) => !is_answered,
                    // With smaller steps, states know more of where pointers lead.
                    answer => *answer == expected && (is_answered || encoding != Encoding::Large),
                };
                assert!(is_right, "{name} is {answer} under {}", describe(&config));
                tried += 1;
            }
        }
    }
    let all = 8 * ENCODINGS.len() * MODELS.len() * DOMAINS.len();
    assert_eq!(tried, tier::pick(all / 2, all));
}

/// Example 5 of 000: the pointer is bound in either way.
#[test]
fn known_pointers_are_bound_in_both_ways() {
    let text = "extern void reach_error(void);
        extern int __VERIFIER_nondet_int(void);
        int main(void) {
            int i = __VERIFIER_nondet_int();
            int *p = &i;
            if (i < 3) return 0;
            while (__VERIFIER_nondet_int()) { }
            if (*p < 3) reach_error();
            return 0;
        }";
    let program = crate::support::build_text(text, DataModel::Ilp32);
    for binding in [Binding::Substitution, Binding::Equality] {
        for model in [Model::PointsTo, Model::Deref] {
            let mut config = Config { domain: Domain::Product, binding, ..Config::default() };
            config.memory.model = model;
            let answer = decide(&prepare(&program, &config), &config, seconds(10.0));
            // An equation beside the question is nothing to a model that looks at pointers only.
            let is_known = binding == Binding::Substitution || model == Model::Deref;
            if is_known {
                assert_eq!(answer, Answer::True, "under {}", describe(&config));
            }
            assert_ne!(answer, Answer::False, "under {}", describe(&config));
        }
    }
}

/// A function from elsewhere may change what can be reached through the pointers it gets.
#[test]
fn what_is_given_away_may_change() {
    let text = |given: &str| {
        format!(
            "extern void reach_error(void); extern void take(void *);
             static int first = 1, second = 1;
             struct pair {{ int number; int *pointer; }};
             static struct pair pair = {{3, &first}};
             static int *other = &second;
             int main(void) {{
                 take({given});
                 if (first != 1 || *other != 1) reach_error();
                 return 0;
             }}"
        )
    };
    // The pointer in the struct is one that this program never looks at.
    for (given, may_change) in
        [("&pair", true), ("&first", true), ("&pair.number", true), ("0", false)]
    {
        for domain in DOMAINS {
            let program = build_text(&text(given), DataModel::Lp64);
            let config = Config { domain, ..Config::default() };
            let answer = decide(&prepare(&program, &config), &config, seconds(10.0));
            // The interpreter's function does nothing, so that no error is confirmed.
            assert_eq!(answer == Answer::True, !may_change, "{given} under {domain:?}: {answer}");
        }
    }
}

/// Where memory cannot be divided, what can be reached may change all the same, even if it is never accessed
/// by its name.
#[test]
fn what_is_given_away_may_change_in_undivided_memory() {
    let text = "extern void reach_error(void); extern void take(void *); extern int *get(void);
        static int given;
        int main(void) {
            int *pointer = get();
            int before = *pointer;
            take(&given);
            if (*pointer != before) reach_error();
            return 0;
        }";
    let program = build_text(text, DataModel::Lp64);
    for domain in DOMAINS {
        let config = Config { domain, ..Config::default() };
        let answer = decide(&prepare(&program, &config), &config, seconds(10.0));
        assert_ne!(answer, Answer::True, "under {domain:?}");
    }
}

/// A pointer in memory that was never written leads to an object of the environment, which threads share,
/// fills change and the environment may change at any call.
#[test]
fn objects_of_the_environment_are_memory() {
    let threads = |thread: &str, main: &str| {
        format!(
            "typedef unsigned long pthread_t;
             extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
             extern void reach_error(void); extern void *malloc(unsigned long);
             extern void *memset(void *, int, unsigned long); extern void take(void *);
             struct holder {{ int *pointer; }};
             int *shared; int number;
             void *routine(void *arg) {{ {thread} return arg; }}
             int main(void) {{
                 pthread_t handle;
                 struct holder *holder = malloc(sizeof *holder);
                 if (!holder) return 0;
                 shared = holder->pointer;
                 *shared = 0;
                 {main}
                 return 0;
             }}"
        )
    };
    let start = "pthread_create(&handle, 0, routine, 0);";
    let programs = [
        threads("*shared = 1;", &format!("{start} if (*shared == 1) reach_error();")),
        threads("number = 1;", &format!("{start} *shared = number; if (*shared) reach_error();")),
        threads("", "memset(shared, 1, sizeof *shared); if (*shared) reach_error();"),
        threads("", "take(shared); if (*shared) reach_error();"),
    ];
    for (number, text) in programs.iter().enumerate() {
        let program = build_text(text, DataModel::Lp64);
        for domain in DOMAINS {
            for reduction in [Reduction::None, Reduction::Static, Reduction::AbstractionAware] {
                for statements in [
                    Statements::All,
                    Statements::Tracked,
                    Statements::Observed,
                    Statements::ObservedThenReduced,
                ] {
                    let config = Config { domain, reduction, statements, ..Config::default() };
                    let answer = decide(&prepare(&program, &config), &config, seconds(2.0));
                    assert_ne!(answer, Answer::True, "{number} under {}", describe(&config));
                }
            }
        }
    }
}

/// States keep what they know of a cell when it is tracked no more.
#[test]
fn cells_that_were_tracked_count_as_tracked() {
    let text = "extern void reach_error(void);
        static int cells[2];
        int main(void) {
            for (int i = 0; i < 2; i++) cells[i] = i;
            if (cells[1] != 1) reach_error();
            return 0;
        }";
    let program = prepare(&build_text(text, DataModel::Lp64), &Config::default());
    let space = Space::new(&program);
    let mut precision = Precision::new(Scope::Global);
    let (proc, procedure) = program.procs.iter().next().expect("there is a procedure");
    let site = Site { proc, loc: procedure.entry, activation: Activation::FIRST };
    let memory = space.memories()[1];
    let cell = ValuePlace::Cell { memory, object: 1, offset: 4, bytes: 4 };
    assert!(precision.add(&space, site, cell));
    let tracked = precision.tracked(&space);
    assert!(!tracked.is_empty());
    precision.ban(cell);
    assert_eq!(precision.tracked(&space), tracked);
}
