//! What must hold for any text: the front end answers, and what it builds keeps its invariants and
//! reads back from its text form. Shared by the fuzz target and the smoke test.

use ravelin_base::DataModel;
use ravelin_cfa::passes::{self, PassConfig};
use ravelin_frontend::build_text;
use ravelin_frontend::source::with_deep_stack;

/// Whether the front end took the text. Panics if something is wrong with Ravelin.
pub fn check(data: &[u8]) -> bool {
    let text = String::from_utf8_lossy(data);
    with_deep_stack(|| {
        let taken = [DataModel::Ilp32, DataModel::Lp64].map(|model| check_model(&text, model));
        taken.contains(&true)
    })
    .expect("room for a stack")
}

fn check_model(text: &str, data_model: DataModel) -> bool {
    let Ok(built) = build_text("fuzz.c", text, data_model) else {
        return false;
    };
    let mut program = built.program;
    if let Err(error) = passes::run(&mut program, &[""; 0], &PassConfig::default()) {
        panic!("after lowering: {error}");
    }
    let printed = program.to_string();
    let parsed = ravelin_cfa::parse(&printed).unwrap_or_else(|error| panic!("{error}\n{printed}"));
    assert_eq!(printed, parsed.to_string(), "the text form reads back");
    if let Err(error) = passes::run(&mut program, passes::DEFAULT, &PassConfig::default()) {
        panic!("{error}");
    }
    true
}
