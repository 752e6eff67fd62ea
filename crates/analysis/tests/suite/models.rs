//! Answers from the models of earlier questions, against a solver that remembers nothing.

use ravelin_analysis::model::space::Space;
use ravelin_analysis::solver::SolverFacade;
use ravelin_base::DataModel;
use ravelin_smt::Answer;
use ravelin_term::{BinOp, Term};

use crate::support::{build_text, solvers};

const QUESTIONS: u64 = 400;

/// Random comparisons of three variables, in conjunctions of up to four: few enough to meet both answers often.
#[test]
fn remembered_models_answer_as_the_solver_does() {
    let program = build_text(
        "unsigned char a, b; _Bool c;\nint main(void) { return a + b + c; }\n",
        DataModel::Ilp32,
    );
    let mut space = Space::new(&program);
    let mut solver = SolverFacade::new(solvers(), None, &Default::default());
    let mut random = fastrand::Rng::with_seed(7);
    let vars = ["a", "b"].map(|name| {
        let name = program.names.get(name);
        let var = program.vars.iter().find(|(_, data)| Some(data.name) == name);
        space.read_var(var.expect("the variable is there").0)
    });
    let (mut satisfiable, mut not) = (0_u64, 0_u64);
    for _ in 0..QUESTIONS {
        let question: Vec<Term> =
            (0..random.usize(1..5)).map(|_| comparison(&mut space, vars, &mut random)).collect();
        let answer = solver.satisfiable(&mut space, &question).expect("it is easy");
        let mut solver = solver.new_solver();
        assert_eq!(solver.check(&space.terms, &question) == Answer::Sat, answer, "{question:?}");
        *(if answer { &mut satisfiable } else { &mut not }) += 1;
    }
    assert!(satisfiable > QUESTIONS / 10 && not > QUESTIONS / 10, "{satisfiable} and {not}");
    let statistics = solver.statistics;
    assert!(statistics.evaluated > satisfiable / 2, "{statistics:?} of {satisfiable}");
}

fn comparison(space: &mut Space<'_>, vars: [Term; 2], random: &mut fastrand::Rng) -> Term {
    let terms = &mut space.terms;
    let constant = terms.bv(8, random.u8(..).into());
    let operators = [BinOp::BvAdd, BinOp::BvMul, BinOp::BvSub, BinOp::BvUdiv, BinOp::BvXor];
    let operator = operators[random.usize(..operators.len())];
    let left = terms.binary(operator, vars[random.usize(..vars.len())], constant);
    let right = [vars[0], vars[1], terms.bv(8, random.u8(..).into())][random.usize(..3)];
    let relations = [BinOp::Eq, BinOp::BvUlt, BinOp::BvSle];
    let relation = terms.binary(relations[random.usize(..relations.len())], left, right);
    if random.bool() { terms.not(relation) } else { relation }
}
