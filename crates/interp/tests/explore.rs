//! All outcomes of tiny concurrent programs.

mod common;

use common::{outcomes, outcomes_with, program};
use ravelin_base::Budget;
use ravelin_interp::{ExploreConfig, ExploreError, Limit, Outcome, all_outcomes, explore};

#[test]
fn lost_update() {
    let text = "program LP64 source
        entry main.p0
        global x.v0: bv32 signed = 0:bv32
        proc main.p0() -> bv32 {
            local a.v1: bv64
            local b.v2: bv64
            local r.v3: bv32
            a.v1 := start add.p1()
            b.v2 := start add.p1()
            join a.v1
            join b.v2
            r.v3 := x.v0
            return r.v3
        }
        proc add.p1() -> ptr {
            local t.v4: bv32
            t.v4 := x.v0
            x.v0 := bvadd(t.v4, 1:bv32)
            return null
        }";
    assert_eq!(outcomes(text), ["1", "2"]);
    // The same in an atomic block.
    let atomic = text
        .replace("t.v4 := x.v0", "atomic_begin\nt.v4 := x.v0")
        .replace("return null", "atomic_end\nreturn null");
    assert_eq!(outcomes(&atomic), ["2"]);
    // And under a mutex, whose object needs no initialisation.
    let locked = text
        .replace("proc main", "object m.o0: global size 40 align 8 = zero\nproc main")
        .replace("t.v4 := x.v0", "mutex_lock(&m.o0)\nt.v4 := x.v0")
        .replace("return null", "mutex_unlock(&m.o0)\nreturn null");
    assert_eq!(outcomes(&locked), ["2"]);
}

#[test]
fn store_buffering_is_sequentially_consistent() {
    let text = "program LP64 source
        entry main.p0
        global x.v0: bv32 = 0:bv32
        global y.v1: bv32 = 0:bv32
        global r.v2: bv32 = 0:bv32
        global s.v3: bv32 = 0:bv32
        proc main.p0() -> bv32 {
            local a.v4: bv64
            local b.v5: bv64
            a.v4 := start left.p1()
            b.v5 := start right.p2()
            join a.v4
            join b.v5
            return bvadd(bvmul(10:bv32, r.v2), s.v3)
        }
        proc left.p1() {
            local t.v6: bv32
            x.v0 := 1:bv32
            t.v6 := y.v1
            r.v2 := t.v6
            return
        }
        proc right.p2() {
            local t.v7: bv32
            y.v1 := 1:bv32
            t.v7 := x.v0
            s.v3 := t.v7
            return
        }";
    assert_eq!(outcomes(text), ["1", "10", "11"]);
}

#[test]
fn locks_in_opposite_order_can_deadlock() {
    let text = "program LP64 source
        entry main.p0
        object a.o0: global size 40 align 8 = zero
        object b.o1: global size 40 align 8 = zero
        proc main.p0() -> bv32 {
            local h.v0: bv64
            h.v0 := start other.p1()
            mutex_lock(&a.o0)
            mutex_lock(&b.o1)
            mutex_unlock(&b.o1)
            mutex_unlock(&a.o0)
            join h.v0
            return 0:bv32
        }
        proc other.p1() {
            mutex_lock(&b.o1)
            mutex_lock(&a.o0)
            mutex_unlock(&a.o0)
            mutex_unlock(&b.o1)
            return
        }";
    assert_eq!(outcomes(text), ["0", "deadlock"]);
}

#[test]
fn main_returning_ends_the_others_but_its_thread_exit_does_not() {
    let text = "program LP64 source
        entry main.p0
        proc main.p0() -> bv32 {
            local h.v0: bv64
            h.v0 := start other.p1()
            return 7:bv32
        }
        proc other.p1() {
            exit 3:bv32
        }";
    assert_eq!(outcomes(text), ["3", "7"]);
    let leaving = text.replace("return 7:bv32", "thread_exit null");
    assert_eq!(outcomes(&leaving), ["3"]);
    let both = leaving.replace("exit 3:bv32", "return");
    assert_eq!(outcomes(&both), ["0"]);
}

#[test]
fn states_of_different_interleavings_are_equal() {
    // Two threads that allocate, free and use address-taken locals in a loop that never ends: only
    // canonical names make the number of states finite.
    let text = "program LP64 source
        entry main.p0
        proc main.p0() -> bv32 {
            local a.v0: bv64
            local b.v1: bv64
            a.v0 := start spin.p1()
            b.v1 := start spin.p1()
            join a.v0
            return 0:bv32
        }
        proc spin.p1() {
            local p.v2: ptr
            object cell.o0: local size 8 align 8 = any
            again:
            scope_begin cell.o0
            p.v2 := alloc heap 4:bv64
            store &cell.o0, p.v2
            call release.p2(&cell.o0)
            scope_end cell.o0
            goto again
        }
        proc release.p2(c.v3) {
            local c.v3: ptr
            local q.v4: ptr
            q.v4 := load c.v3
            free q.v4
            return
        }";
    let exploration =
        explore(&program(text), &ExploreConfig::default(), &ravelin_interp::booleans).unwrap();
    assert!(exploration.outcomes.is_empty());
    assert!(exploration.states < 300, "{} states", exploration.states);
}

#[test]
fn inputs_are_enumerated_only_where_a_domain_is_given() {
    let text = "program LP64 source
        entry main.p0
        proc main.p0() -> bv32 {
            local b.v0: bool
            local c.v1: bool
            b.v0 := havoc input \"__VERIFIER_nondet_bool\"
            c.v1 := havoc input \"__VERIFIER_nondet_bool\"
            return ite(b.v0, ite(c.v1, 3:bv32, 2:bv32), ite(c.v1, 1:bv32, 0:bv32))
        }";
    assert_eq!(outcomes(text), ["0", "1", "2", "3"]);
    let wide = program(
        "program LP64 source
        entry main.p0
        proc main.p0() -> bv32 {
            local b.v0: bv32
            b.v0 := havoc input \"__VERIFIER_nondet_int\"
            return b.v0
        }",
    );
    let config = ExploreConfig::default();
    let error = explore(&wide, &config, &ravelin_interp::booleans).unwrap_err();
    assert!(matches!(error, ExploreError::OpenValue { .. }), "{error}");
    let few = explore(&wide, &config, &|_| Some(vec![-1, 5])).unwrap();
    let statuses: Vec<_> = few.outcomes.keys().map(|it| it.display(&wide).to_string()).collect();
    assert_eq!(statuses, ["exit -1", "exit 5"]);
}

#[test]
fn reading_a_variable_without_value_is_an_input_that_stays() {
    let text = "program LP64 source
        entry main.p0
        proc main.p0() -> bv32 {
            local b.v0: bool
            return ite(eq(b.v0, b.v0), ite(b.v0, 1:bv32, 2:bv32), 3:bv32)
        }";
    assert_eq!(outcomes(text), ["1", "2"]);
}

#[test]
fn limits_end_an_exploration() {
    let text = "program LP64 source
        entry main.p0
        global x.v0: bv32 = 0:bv32
        proc main.p0() -> bv32 {
            local t.v1: bv32
            again:
            t.v1 := x.v0
            x.v0 := bvadd(t.v1, 1:bv32)
            goto again
        }";
    let program = program(text);
    let config = ExploreConfig { max_states: 1000, ..ExploreConfig::default() };
    let error = explore(&program, &config, &ravelin_interp::booleans).unwrap_err();
    assert_eq!(error, ExploreError::TooManyStates(1000));
    let config =
        ExploreConfig { budget: Budget::unlimited().with_steps(100), ..ExploreConfig::default() };
    let error = explore(&program, &config, &ravelin_interp::booleans).unwrap_err();
    assert_eq!(error, ExploreError::Limit(Limit::Steps));
}

#[test]
fn violated_assumptions_are_no_behaviour() {
    let text = "program LP64 source
        entry main.p0
        proc main.p0() -> bv32 {
            local b.v0: bool
            b.v0 := havoc input \"__VERIFIER_nondet_bool\"
            assume b.v0
            return 0:bv32
        }";
    let all = all_outcomes(&program(text), &ExploreConfig::default(), &ravelin_interp::booleans);
    assert_eq!(all.unwrap().into_iter().collect::<Vec<_>>(), [Outcome::Exit(0)]);
}

#[test]
fn threads_have_names_whoever_comes_first() {
    // Two threads start one each; the number of states must not depend on who is first.
    let text = "program LP64 source
        entry main.p0
        global x.v0: bv32 = 0:bv32
        proc main.p0() -> bv32 {
            local a.v1: bv64
            local b.v2: bv64
            a.v1 := start parent.p1(1:bv32)
            b.v2 := start parent.p1(2:bv32)
            join a.v1
            join b.v2
            return x.v0
        }
        proc parent.p1(n.v3) {
            local n.v3: bv32
            local c.v4: bv64
            c.v4 := start child.p2(n.v3)
            join c.v4
            return
        }
        proc child.p2(n.v5) {
            local n.v5: bv32
            x.v0 := n.v5
            return
        }";
    assert_eq!(outcomes(text), ["1", "2"]);
}

#[test]
fn without_spurious_wakeups_a_lost_signal_is_a_deadlock_only() {
    let text = "program LP64 source
        entry main.p0
        object m.o0: global size 40 align 8 = zero
        object c.o1: global size 48 align 8 = zero
        proc main.p0() -> bv32 {
            local h.v0: bv64
            h.v0 := start signal.p1()
            mutex_lock(&m.o0)
            cond_wait(&c.o1, &m.o0)
            mutex_unlock(&m.o0)
            join h.v0
            return 0:bv32
        }
        proc signal.p1() {
            cond_signal(&c.o1)
            return
        }";
    let config = ExploreConfig { spurious_wakeups: false, ..ExploreConfig::default() };
    assert_eq!(outcomes_with(text, &config), ["0", "deadlock"]);
    assert_eq!(outcomes(text), ["0", "deadlock"]);
    let silent = text.replace("cond_signal(&c.o1)", "skip");
    assert_eq!(outcomes_with(&silent, &config), ["deadlock"]);
    // A wake-up without reason is possible, but nothing to rely on.
    assert_eq!(outcomes(&silent), ["0", "deadlock"]);
}

/// Two threads start one each, in either order, and both wait for a signal: the schedule of an outcome
/// has to wake the one that the exploration woke, whatever the names of threads are there.
#[test]
fn schedules_wake_the_thread_that_the_exploration_woke() {
    let text = "program LP64 source
        entry main.p0
        global woken.v0: bv32 = 0:bv32
        global waiting.v1: bv32 = 0:bv32
        global inner.v2: bv32 = 0:bv32
        object m.o0: global size 40 align 8 = zero
        object c.o1: global size 48 align 8 = zero
        proc main.p0() -> bv32 {
            local h.v3: bv64
            local order.v4: bv32
            local w.v5: bv32
            h.v3 := start starter.p1()
            atomic_begin
            h.v3 := start outer.p2()
            order.v4 := inner.v2
            atomic_end
            again:
            w.v5 := waiting.v1
            if not(eq(w.v5, 2:bv32)) goto again
            mutex_lock(&m.o0)
            cond_signal(&c.o1)
            mutex_unlock(&m.o0)
            wait:
            w.v5 := woken.v0
            if eq(w.v5, 0:bv32) goto wait
            return bvadd(order.v4, w.v5)
        }
        proc starter.p1() {
            local h.v6: bv64
            atomic_begin
            h.v6 := start inner.p3()
            inner.v2 := 10:bv32
            atomic_end
            return
        }
        proc outer.p2() {WAITER}
        proc inner.p3() {WAITER}";
    let waiter = |variable: &str, number: &str| {
        "
            local W: bv32
            mutex_lock(&m.o0)
            W := waiting.v1
            waiting.v1 := bvadd(W, 1:bv32)
            cond_wait(&c.o1, &m.o0)
            woken.v0 := NUMBER
            mutex_unlock(&m.o0)
            return
        "
        .replace('W', variable)
        .replace("NUMBER", number)
    };
    let text = text.replacen("WAITER", &waiter("w.v7", "1:bv32"), 1).replacen(
        "WAITER",
        &waiter("w.v8", "2:bv32"),
        1,
    );
    let config = ExploreConfig { spurious_wakeups: false, ..ExploreConfig::default() };
    assert_eq!(outcomes_with(&text, &config), ["1", "11", "12", "2"]);
}
