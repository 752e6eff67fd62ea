//! Threads and every operation on synchronisation objects.

mod common;

use common::{outcome_text, outcomes, outcomes_with, program, run_seed, status};
use ravelin_cfa::SyncOp;
use ravelin_interp::{Action, Cell, ExploreConfig, ObservedObject, Outcome};

/// A program with synchronisation objects, two threads and a shared variable.
fn concurrent(main: &str, other: &str) -> String {
    format!(
        "program LP64 source
        entry main.p0
        global x.v0: bv32 signed = 0:bv32
        global y.v1: bv32 signed = 0:bv32
        object m.o0: global size 40 align 8 = zero
        object n.o1: global size 40 align 8 = zero
        object c.o2: global size 48 align 8 = zero
        object recursive.o3: global size 40 align 8 = {{ 16: 1:bv32 }}
        object checking.o4: global size 40 align 8 = {{ 16: 2:bv32 }}
        proc main.p0() -> bv32 {{
            local h.v2: bv64
            local r.v3: bv32 signed
            local s.v4: bv32 signed
            local k.v5: bv64
            local p.v9: ptr
            {main}
        }}
        proc other.p1(a.v6) -> ptr {{
            local a.v6: ptr
            local t.v7: bv32 signed
            local u.v8: bv32 signed
            {other}
        }}"
    )
}

const START: &str = "h.v2 := start other.p1(null)";

/// The outcomes with waits that end by signals only, unless a test is about the others.
fn signalled(main: &str, other: &str) -> Vec<String> {
    let config = ExploreConfig { spurious_wakeups: false, ..ExploreConfig::default() };
    outcomes_with(&concurrent(main, other), &config)
}

fn alone(lines: &str) -> i32 {
    status(&concurrent(lines, "return null"))
}

fn alone_fails(lines: &str) -> String {
    let text = outcome_text(&concurrent(lines, "return null"));
    text.split(" at t.c").next().unwrap_or_default().to_owned()
}

#[test]
fn join_gives_the_value_of_the_thread() {
    let main = "h.v2 := start other.p1(inttoptr(5:bv64))
        p.v9 := join h.v2
        return extract[31:0](ptrtoint(p.v9))";
    assert_eq!(outcomes(&concurrent(main, "return a.v6")), ["5"]);
    assert_eq!(outcomes(&concurrent(main, "thread_exit ptradd(a.v6, 1:bv64)")), ["6"]);
    // C11 threads return an int.
    let eleven = concurrent(main, "return -3:bv32").replace("(a.v6) -> ptr", "(a.v6) -> bv32");
    assert_eq!(outcomes(&eleven), ["-3"]);
}

#[test]
fn handles_are_valid_once() {
    let twice = format!("{START}\njoin h.v2\njoin h.v2\nreturn 0:bv32");
    assert_eq!(outcomes(&concurrent(&twice, "return null")), ["invalid-join"]);
    assert_eq!(
        outcomes(&concurrent("join 0:bv64\nreturn 0:bv32", "return null")),
        ["invalid-join"]
    );
    assert_eq!(
        outcomes(&concurrent("join 77:bv64\nreturn 0:bv32", "return null")),
        ["invalid-join"]
    );
    let own = "h.v2 := thread_self\njoin h.v2\nreturn 0:bv32";
    assert_eq!(outcomes(&concurrent(own, "return null")), ["invalid-join"]);
    let compare = format!(
        "{START}\nk.v5 := thread_self
        return ite(eq(h.v2, k.v5), 1:bv32, ite(eq(h.v2, 0:bv64), 2:bv32, 3:bv32))"
    );
    assert_eq!(outcomes(&concurrent(&compare, "return null")), ["3"]);
}

#[test]
fn thread_locals_are_each_threads_own() {
    let text = concurrent(
        &format!(
            "t.v10 := 4:bv32\nstore &q.o5, 40:bv32\n{START}\njoin h.v2
            r.v3 := load &q.o5\nreturn bvadd(bvadd(r.v3, t.v10), y.v1)"
        ),
        "u.v8 := load &q.o5\ny.v1 := bvadd(t.v10, bvmul(u.v8, 100:bv32))\nt.v10 := 9:bv32
            store &q.o5, 9:bv32\nreturn null",
    );
    let text = text.replace(
        "object m.o0",
        "thread_local t.v10: bv32 = 1:bv32
        object q.o5: thread_local size 4 align 4 = { 0: 2:bv32 }
        object m.o0",
    );
    assert_eq!(outcomes(&text), [(40 + 4 + 1 + 200).to_string()]);
}

#[test]
fn locals_of_an_ended_thread_are_dead() {
    let main = format!("{START}\np.v9 := join h.v2\nr.v3 := load p.v9\nreturn r.v3");
    let other = "scope_begin l.o5\nstore &l.o5, 1:bv32\nreturn &l.o5";
    let text = concurrent(&main, other).replace(
        "local u.v8: bv32 signed",
        "local u.v8: bv32 signed\nobject l.o5: local size 4 align 4 = any",
    );
    assert_eq!(outcomes(&text), ["invalid-memory"]);
}

#[test]
fn atomic_blocks_are_not_interrupted_and_nest() {
    let other = "x.v0 := 1:bv32\nx.v0 := 2:bv32\nreturn null";
    let main = format!(
        "{START}\natomic_begin\natomic_begin\nr.v3 := x.v0\natomic_end\ns.v4 := x.v0\natomic_end
        return ite(eq(r.v3, s.v4), 0:bv32, 1:bv32)"
    );
    assert_eq!(outcomes(&concurrent(&main, other)), ["0"]);
    let apart = main.replace("atomic_begin\natomic_begin", "atomic_begin");
    let apart = apart.replace("atomic_end\ns.v4 := x.v0\natomic_end", "atomic_end\ns.v4 := x.v0");
    assert_eq!(outcomes(&concurrent(&apart, other)), ["0", "1"]);
    // A thread that ends inside leaves the block.
    let leaving = format!("{START}\njoin h.v2\nreturn x.v0");
    let other = "atomic_begin\nx.v0 := 3:bv32\nthread_exit null";
    assert_eq!(outcomes(&concurrent(&leaving, other)), ["3"]);
    // One that waits inside waits for ever.
    let main = format!("mutex_lock(&m.o0)\n{START}\nmutex_unlock(&m.o0)\njoin h.v2\nreturn 0:bv32");
    let other = "atomic_begin\nmutex_lock(&m.o0)\natomic_end\nreturn null";
    assert_eq!(outcomes(&concurrent(&main, other)), ["0", "deadlock"]);
}

#[test]
fn mutexes_exclude() {
    let lock = "mutex_lock(&m.o0)";
    let main = format!(
        "{START}\n{lock}\nx.v0 := 1:bv32\nr.v3 := x.v0\nmutex_unlock(&m.o0)\njoin h.v2\nreturn r.v3"
    );
    let other = format!("{lock}\nx.v0 := 2:bv32\nmutex_unlock(&m.o0)\nreturn null");
    assert_eq!(outcomes(&concurrent(&main, &other)), ["1"]);
    let unlocked = other.replace("mutex_lock(&m.o0)", "mutex_lock(&n.o1)");
    let unlocked = unlocked.replace("mutex_unlock(&m.o0)", "mutex_unlock(&n.o1)");
    assert_eq!(outcomes(&concurrent(&main, &unlocked)), ["1", "2"]);
}

#[test]
fn trylock_and_timedlock() {
    let main = format!("mutex_lock(&m.o0)\n{START}\nmutex_unlock(&m.o0)\njoin h.v2\nreturn x.v0");
    let other = |op: &str| {
        format!(
            "t.v7 := {op}(&m.o0)
            if not(eq(t.v7, 0:bv32)) goto out
            mutex_unlock(&m.o0)
            out:
            x.v0 := t.v7\nreturn null"
        )
    };
    // EBUSY and ETIMEDOUT of Linux.
    assert_eq!(outcomes(&concurrent(&main, &other("mutex_try_lock"))), ["0", "16"]);
    assert_eq!(outcomes(&concurrent(&main, &other("mutex_timed_lock"))), ["0", "110"]);
    assert_eq!(alone("r.v3 := mutex_timed_lock(&m.o0)\nreturn r.v3"), 0);
    assert_eq!(alone("mutex_lock(&m.o0)\nr.v3 := mutex_timed_lock(&m.o0)\nreturn r.v3"), 110);
}

#[test]
fn relocking_depends_on_the_kind() {
    let relock =
        |mutex: &str| format!("mutex_lock(&{mutex})\nr.v3 := mutex_lock(&{mutex})\nreturn r.v3");
    assert_eq!(
        alone_fails(&relock("m.o0")),
        "deadlock: main thread waits for mutex 'm' held by main thread"
    );
    // EDEADLK.
    assert_eq!(alone(&relock("checking.o4")), 35);
    assert_eq!(alone(&relock("recursive.o3")), 0);
    let initialised = |kind: u32| format!("mutex_init(&m.o0, {kind}:bv32)\n{}", relock("m.o0"));
    assert!(alone_fails(&initialised(0)).starts_with("deadlock"));
    assert_eq!(alone(&initialised(1)), 0);
    assert_eq!(alone(&initialised(2)), 35);
    // A recursive mutex is free after as many unlocks.
    let main = format!(
        "mutex_lock(&recursive.o3)\nmutex_lock(&recursive.o3)\n{START}
        mutex_unlock(&recursive.o3)\nx.v0 := 1:bv32\nmutex_unlock(&recursive.o3)\njoin h.v2\nreturn y.v1"
    );
    let other = "mutex_lock(&recursive.o3)\nt.v7 := x.v0\ny.v1 := t.v7\nreturn null";
    assert_eq!(outcomes(&concurrent(&main, other)), ["1"]);
    // The field is elsewhere in 32-bit programs.
    let text =
        concurrent("mutex_lock(&m.o0)\nr.v3 := mutex_lock(&m.o0)\nreturn r.v3", "return null")
            .replace("LP64", "ILP32")
            .replace("bv64", "bv32")
            .replace(
                "m.o0: global size 40 align 8 = zero",
                "m.o0: global size 24 align 4 = { 12: 2:bv32 }",
            );
    assert_eq!(status(&text), 35);
}

#[test]
fn unlocking_and_destroying_wrongly() {
    let unlock = "undefined: unlock of a lock that the thread does not hold";
    assert_eq!(alone_fails("mutex_unlock(&m.o0)\nreturn 0:bv32"), unlock);
    // EPERM.
    assert_eq!(alone("r.v3 := mutex_unlock(&checking.o4)\nreturn r.v3"), 1);
    let others = format!("mutex_lock(&m.o0)\n{START}\njoin h.v2\nreturn 0:bv32");
    assert_eq!(outcomes(&concurrent(&others, "mutex_unlock(&m.o0)\nreturn null")), ["undefined"]);
    assert_eq!(
        alone_fails("mutex_lock(&m.o0)\nmutex_destroy(&m.o0)\nreturn 0:bv32"),
        "undefined: synchronisation object in use"
    );
    assert_eq!(
        alone_fails("mutex_destroy(&m.o0)\nmutex_lock(&m.o0)\nreturn 0:bv32"),
        "undefined: synchronisation object not initialised"
    );
    assert_eq!(
        alone(
            "mutex_destroy(&m.o0)\nmutex_init(&m.o0, 0:bv32)\nr.v3 := mutex_lock(&m.o0)\nreturn r.v3"
        ),
        0
    );
    assert_eq!(
        alone_fails("mutex_lock(&m.o0)\ncond_signal(&m.o0)\nreturn 0:bv32"),
        "undefined: synchronisation object of another kind"
    );
    assert_eq!(
        alone_fails("mutex_lock(null)\nreturn 0:bv32"),
        "invalid memory: read of 1 byte through a null pointer"
    );
    assert_eq!(alone_fails("rw_unlock(&m.o0)\nreturn 0:bv32"), unlock);
}

#[test]
fn mutexes_die_with_their_memory() {
    let lines = "p.v9 := alloc heap_zeroed 40:bv64
        mutex_lock(p.v9)
        free p.v9
        mutex_lock(p.v9)
        return 0:bv32";
    let text = alone_fails(lines);
    assert!(text.starts_with("invalid memory: read of 1 byte in freed memory"), "{text}");
}

#[test]
fn read_write_locks() {
    let main = format!(
        "rw_read_lock(&m.o0)\n{START}\nr.v3 := x.v0\ns.v4 := x.v0\nrw_unlock(&m.o0)\njoin h.v2
        return ite(eq(r.v3, s.v4), 0:bv32, 1:bv32)"
    );
    let writer = "rw_write_lock(&m.o0)\nx.v0 := 1:bv32\nrw_unlock(&m.o0)\nreturn null";
    assert_eq!(outcomes(&concurrent(&main, writer)), ["0"]);
    let reader = "rw_read_lock(&m.o0)\nx.v0 := 1:bv32\nrw_unlock(&m.o0)\nreturn null";
    assert_eq!(outcomes(&concurrent(&main, reader)), ["0", "1"]);
    assert_eq!(alone("rw_read_lock(&m.o0)\nr.v3 := rw_try_write_lock(&m.o0)\nreturn r.v3"), 16);
    assert_eq!(alone("rw_read_lock(&m.o0)\nr.v3 := rw_try_read_lock(&m.o0)\nreturn r.v3"), 0);
    assert_eq!(alone("rw_write_lock(&m.o0)\nr.v3 := rw_try_read_lock(&m.o0)\nreturn r.v3"), 16);
    // EDEADLK for the writer itself.
    assert_eq!(alone("rw_write_lock(&m.o0)\nr.v3 := rw_read_lock(&m.o0)\nreturn r.v3"), 35);
    let again = "rw_init(&m.o0)\nrw_read_lock(&m.o0)\nrw_read_lock(&m.o0)\nrw_unlock(&m.o0)
        r.v3 := rw_try_write_lock(&m.o0)\nrw_unlock(&m.o0)\ns.v4 := rw_try_write_lock(&m.o0)
        rw_unlock(&m.o0)\nrw_destroy(&m.o0)\nreturn bvadd(r.v3, s.v4)";
    assert_eq!(alone(again), 16);
}

#[test]
fn condition_variables() {
    let main = format!(
        "{START}\nmutex_lock(&m.o0)
        again:
        r.v3 := x.v0
        if not(eq(r.v3, 0:bv32)) goto ready
        cond_wait(&c.o2, &m.o0)
        goto again
        ready:
        mutex_unlock(&m.o0)\njoin h.v2\nreturn r.v3"
    );
    let wake = |op: &str| {
        format!("mutex_lock(&m.o0)\nx.v0 := 5:bv32\n{op}(&c.o2)\nmutex_unlock(&m.o0)\nreturn null")
    };
    assert_eq!(signalled(&main, &wake("cond_signal")), ["5"]);
    assert_eq!(signalled(&main, &wake("cond_broadcast")), ["5"]);
    // The wake-up comes before the wait and is lost.
    let unprotected = "cond_signal(&c.o2)\nx.v0 := 5:bv32\nreturn null";
    assert_eq!(signalled(&main, unprotected), ["5", "deadlock"]);
    let timed = main
        .replace("cond_wait(", "s.v4 := cond_timed_wait(")
        .replace("goto again\n", "")
        .replace("return r.v3", "return s.v4")
        .replace("again:", "s.v4 := 0:bv32");
    assert_eq!(signalled(&timed, "return null"), ["110"]);
    assert_eq!(signalled(&timed, &wake("cond_signal")), ["0", "110"]);
    // Without spurious wake-ups nobody wakes up by itself; with them, for no reason.
    let impatient = main.replace("goto again\n", "");
    assert_eq!(signalled(&impatient, "return null"), ["deadlock"]);
    assert_eq!(outcomes(&concurrent(&impatient, "return null")), ["0", "deadlock"]);
    assert_eq!(
        alone_fails("cond_init(&c.o2)\ncond_wait(&c.o2, &m.o0)\nreturn 0:bv32"),
        "undefined: unlock of a lock that the thread does not hold"
    );
    assert_eq!(
        alone("cond_signal(&c.o2)\ncond_broadcast(&c.o2)\ncond_destroy(&c.o2)\nreturn 4:bv32"),
        4
    );
}

#[test]
fn a_signal_wakes_any_one_waiter_and_a_broadcast_all() {
    let text = |wake: &str| {
        format!(
            "program LP64 source
            entry main.p0
            global x.v0: bv32 = 0:bv32
            global n.v1: bv32 = 0:bv32
            object m.o0: global size 40 align 8 = zero
            object c.o1: global size 48 align 8 = zero
            proc main.p0() -> bv32 {{
                local a.v2: bv64
                local b.v3: bv64
                a.v2 := start wait.p1(1:bv32)
                b.v3 := start wait.p1(2:bv32)
                again:
                mutex_lock(&m.o0)
                if eq(n.v1, 2:bv32) goto both
                mutex_unlock(&m.o0)
                goto again
                both:
                {wake}(&c.o1)
                mutex_unlock(&m.o0)
                more:
                if bvult(x.v0, 1:bv32) goto more
                return x.v0
            }}
            proc wait.p1(k.v4) {{
                local k.v4: bv32
                local t.v5: bv32
                mutex_lock(&m.o0)
                n.v1 := bvadd(n.v1, 1:bv32)
                cond_wait(&c.o1, &m.o0)
                x.v0 := bvadd(x.v0, k.v4)
                mutex_unlock(&m.o0)
                return
            }}"
        )
    };
    let config = ExploreConfig { spurious_wakeups: false, ..ExploreConfig::default() };
    assert_eq!(outcomes_with(&text("cond_signal"), &config), ["1", "2"]);
    assert_eq!(outcomes_with(&text("cond_broadcast"), &config), ["1", "2", "3"]);
}

#[test]
fn barriers() {
    let main = format!(
        "barrier_init(&c.o2, 2:bv32)\n{START}\nx.v0 := 1:bv32\nr.v3 := barrier_wait(&c.o2)
        s.v4 := y.v1\njoin h.v2\nreturn bvadd(bvmul(s.v4, 10:bv32), bvmul(r.v3, x.v0))"
    );
    let other = "y.v1 := 1:bv32\nt.v7 := barrier_wait(&c.o2)
        x.v0 := bvadd(bvmul(t.v7, 2:bv32), x.v0)\nreturn null";
    // Whoever is the serial one gets -1, the other 0: main then returns 10 - 1 or 10 + 0.
    assert_eq!(outcomes(&concurrent(&main, other)), ["10", "9"]);
    let three = main.replace("2:bv32)", "3:bv32)");
    assert_eq!(outcomes(&concurrent(&three, other)), ["deadlock"]);
    assert_eq!(
        alone(
            "barrier_init(&c.o2, 1:bv32)\nr.v3 := barrier_wait(&c.o2)
        barrier_destroy(&c.o2)\nreturn r.v3"
        ),
        -1
    );
    assert_eq!(alone("r.v3 := barrier_init(&c.o2, 0:bv32)\nreturn r.v3"), 22);
    assert_eq!(
        alone_fails("barrier_wait(&c.o2)\nreturn 0:bv32"),
        "undefined: synchronisation object not initialised"
    );
}

#[test]
fn semaphores() {
    let main = format!(
        "sem_init(&c.o2, 0:bv32)\n{START}\nsem_wait(&c.o2)\nr.v3 := x.v0
        join h.v2\nreturn r.v3"
    );
    assert_eq!(outcomes(&concurrent(&main, "x.v0 := 8:bv32\nsem_post(&c.o2)\nreturn null")), ["8"]);
    assert_eq!(outcomes(&concurrent(&main, "return null")), ["deadlock"]);
    let counts = "sem_init(&c.o2, 2:bv32)\nsem_post(&c.o2)\nsem_wait(&c.o2)\nsem_wait(&c.o2)
        r.v3 := sem_get_value(&c.o2)\nsem_wait(&c.o2)\ns.v4 := sem_try_wait(&c.o2)
        sem_destroy(&c.o2)\nreturn bvadd(bvmul(r.v3, 10:bv32), s.v4)";
    assert_eq!(alone(counts), 9);
    assert_eq!(alone("sem_init(&c.o2, 1:bv32)\nr.v3 := sem_try_wait(&c.o2)\nreturn r.v3"), 0);
    assert_eq!(alone("r.v3 := sem_init(&c.o2, 2147483648:bv32)\nreturn r.v3"), -1);
    let full = "sem_init(&c.o2, 2147483647:bv32)\nr.v3 := sem_post(&c.o2)\nreturn r.v3";
    assert_eq!(alone(full), -1);
}

/// The tests above name every operation.
#[test]
fn every_operation_is_tested_here() {
    let source = include_str!("threads.rs");
    for op in SyncOp::ALL {
        let name = op.info().name;
        let called =
            source.contains(&format!("{name}(")) || source.contains(&format!("\"{name}\""));
        assert!(called, "{name}");
    }
}

#[test]
fn a_deadlock_tells_who_waits_for_what() {
    let main = format!("mutex_lock(&m.o0)\n{START}\njoin h.v2\nreturn 0:bv32");
    let text = outcome_text(&concurrent(&main, "mutex_lock(&m.o0)\nreturn null"));
    assert_eq!(
        text,
        "deadlock: main thread waits for the end of thread 1 at t.c:18:1; \
        thread 1 waits for mutex 'm' held by main thread at t.c:25:1"
    );
}

#[test]
fn random_runs_find_both_outcomes_of_a_race() {
    let main = format!("{START}\nr.v3 := x.v0\nreturn r.v3");
    let program = program(&concurrent(&main, "x.v0 := 1:bv32\nreturn null"));
    let found: std::collections::BTreeSet<_> =
        (0..40).map(|seed| run_seed(&program, seed).outcome).collect();
    assert_eq!(found.into_iter().collect::<Vec<_>>(), [Outcome::Exit(0), Outcome::Exit(1)]);
}

#[test]
fn traces_tell_what_threads_do_to_each_other() {
    let main = format!(
        "mutex_lock(&m.o0)\n{START}\nx.v0 := 5:bv32\nmutex_unlock(&m.o0)\njoin h.v2\nreturn 0:bv32"
    );
    let other = "mutex_lock(&m.o0)\nt.v7 := x.v0\nstore &n.o1, t.v7\nreturn null";
    let program = program(&concurrent(&main, other));
    let name = |cell: &Cell| match cell.object {
        Some(ObservedObject::Object(object)) => program.name(program.objects[object].name),
        Some(ObservedObject::Allocated(_) | ObservedObject::Environment(_)) | None => "?",
    };
    let tell = |action: &Action| match action {
        Action::ReadVar { var, value } => {
            format!("read {} {value}", program.name(program.vars[*var].name))
        }
        Action::WriteVar { var, value } => {
            format!("write {} {value}", program.name(program.vars[*var].name))
        }
        Action::ReadMemory { cell, .. } => format!("load {}", name(cell)),
        Action::WriteMemory { cell, length, .. } => format!("store {} {length}", name(cell)),
        Action::Start { thread, .. } => format!("start {}", thread.0),
        Action::Join { thread } => format!("join {}", thread.0),
        Action::End => "end".to_owned(),
        Action::AtomicBegin | Action::AtomicEnd => "atomic".to_owned(),
        Action::Sync(sync) => {
            let holders: Vec<u32> = sync.holders.iter().map(|holder| holder.0).collect();
            format!("{} {} {holders:?}", sync.op.info().name, name(&sync.object))
        }
    };
    let told: Vec<String> = run_seed(&program, 3)
        .trace
        .iter()
        .flat_map(|event| event.accesses.iter().map(|it| (event.thread.0, &it.action)))
        .map(|(thread, action)| format!("{thread} {}", tell(action)))
        .collect();
    // The other has to wait for the lock, so there is one order only.
    assert_eq!(
        told,
        [
            "0 mutex_lock m [0]",
            "0 start 1",
            "0 write x 5",
            "0 mutex_unlock m []",
            "1 mutex_lock m [1]",
            "1 read x 5",
            "1 store n 4",
            "1 end",
            "0 join 1",
        ]
    );
}
