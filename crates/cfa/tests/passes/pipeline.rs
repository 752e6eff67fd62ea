use expect_test::expect;
use ravelin_cfa::passes::{DEFAULT, PASSES, PassConfig, PassError, run};

const SMALL: &str = "program LP64 source
    entry main.p0
    proc main.p0() { entry l0 exit l1 l0 -> l1: return }";

#[test]
fn names_are_found_and_unique() {
    for (index, pass) in PASSES.iter().enumerate() {
        assert!(PASSES[..index].iter().all(|other| other.name != pass.name));
    }
    assert!(DEFAULT.iter().all(|name| ravelin_cfa::passes::find(name).is_some()));
}

#[test]
fn unknown_passes_are_refused() {
    let error = run(&mut super::program(SMALL), &["sort"], &PassConfig::default());
    let message = error.expect_err("there is no such pass").to_string();
    expect!["unknown pass 'sort'; there are drop-unused inline-calls propagate-constants unroll-loops remove-dead-code split-shared-accesses encode-large-blocks"].assert_eq(&message);
}

#[test]
fn large_blocks_need_split_accesses() {
    let error = run(&mut super::program(SMALL), &["encode-large-blocks"], &PassConfig::default());
    assert!(matches!(error, Err(PassError::WrongForm { pass: "encode-large-blocks", .. })));
}

#[test]
fn broken_programs_are_refused() {
    let mut program = super::program(SMALL);
    program.entry = None;
    let main = program.procs.keys().next().expect("one procedure");
    program.procs[main].result = Some(ravelin_cfa::Sort::Bool);
    let error = run(&mut program, DEFAULT, &PassConfig::default());
    assert!(matches!(error, Err(PassError::BrokenInput(violations)) if violations.len() == 1));
}

#[test]
fn all_passes_together() {
    super::check(
        DEFAULT,
        "program LP64 source
         entry main.p0
         global counter.v0: bv32 signed = 0:bv32
         global limit.v1: bv32 signed = 2:bv32
         proc main.p0() -> bv32 { local h.v2: bv64 local i.v3: bv32 signed entry l0 exit l1
           l0 -> l2: h.v2 := start worker.p1(null)
           l2 -> l3: i.v3 := 0:bv32
           l3 -> l4: assume bvslt(i.v3, limit.v1)
           l3 -> l5: assume bvsle(limit.v1, i.v3)
           l4 -> l6: call add.p2(i.v3)
           l6 -> l3: i.v3 := bvadd(i.v3, 1:bv32)
           l5 -> l7: join h.v2
           l7 -> l8: assume bvslt(limit.v1, counter.v0)
           l7 -> l9: assume bvsle(counter.v0, limit.v1)
           l8 -> l1: error reach_error
           l9 -> l1: return 0:bv32 }
         proc worker.p1(arg.v4) -> ptr { local arg.v4: ptr entry l0 exit l1
           l0 -> l2: call add.p2(1:bv32)
           l2 -> l1: return null }
         proc add.p2(n.v5) { local n.v5: bv32 signed entry l0 exit l1
           l0 -> l2: counter.v0 := bvadd(counter.v0, n.v5)
           l2 -> l1: return }",
        expect![[r#"
            program LP64 thread_local
            entry main.p0
            global counter.v0: bv32 signed = 0:bv32

            proc main.p0() -> bv32 {
              local h.v1: bv64
              local i.v2: bv32 signed
              local n.v4: bv32 signed
              local counter%.v5: bv32 signed
              entry l0
              exit l6
              l0 -> l1: h.v1 := start worker.p1(null)
              l1 -> l2: i.v2 := 0:bv32
              l2 -> l7: assume bvslt(i.v2, 2:bv32);
                n.v4 := i.v2;
                counter%.v5 := counter.v0
              l2 -> l3: assume bvsle(2:bv32, i.v2)
              l3 -> l4: join h.v1
              l4 -> l5: counter%.v5 := counter.v0
              l5 -> l6: assume bvslt(2:bv32, counter%.v5);
                error reach_error
              l5 -> l6: assume bvsle(counter%.v5, 2:bv32);
                return 0:bv32
              l7 -> l2: counter.v0 := bvadd(n.v4, counter%.v5);
                i.v2 := bvadd(i.v2, 1:bv32)
            }

            proc worker.p1(arg.v3) -> ptr {
              local arg.v3: ptr
              local counter%.v6: bv32 signed
              entry l0
              exit l3
              l0 -> l1: counter%.v6 := counter.v0
              l1 -> l2: counter.v0 := bvadd(counter%.v6, 1:bv32)
              l2 -> l3: return null
            }
        "#]],
    );
}
