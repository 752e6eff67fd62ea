//! Functions of ISO C, POSIX and glibc that have no model.
//!
//! libc computes their results, unlike those of functions that the program leaves undefined. So no
//! counterexample may depend on them. Assumption A19 over-approximates their effects, which is
//! enough for a proof unless a function does more than A19 allows: those are listed here.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// A name and the shape of its type on each line: a letter for the result and one for each parameter (`v` void,
/// `i` integer, `p` pointer, `f` floating, `c` complex, `s` struct or union), and a dot if more may follow.
const NAMES: &str = include_str!("standard_names.txt");

static SHAPES: LazyLock<FxHashMap<&'static str, &'static str>> =
    LazyLock::new(|| NAMES.lines().filter_map(|line| line.split_once(' ')).collect());

/// The shape of the standard function of this name.
pub fn standard_shape(name: &str) -> Option<&'static str> {
    SHAPES.get(name).copied()
}

/// Whether a declaration of this shape declares the standard function: the program may have its own
/// function of the same name. Some programs declare structs passed as transparent unions as
/// pointers.
pub fn is_same_shape(standard: &str, declared: &str) -> bool {
    standard.len() == declared.len()
        && standard.bytes().zip(declared.bytes()).all(|(a, b)| {
            let is_address = |letter| matches!(letter, b'p' | b's');
            a == b || (is_address(a) && is_address(b))
        })
}

/// Why a standard function without model does more than return any result, leave any contents
/// behind its pointers and set `errno`; `None` if it does not.
pub fn beyond_havoc(name: &str) -> Option<&'static str> {
    let listed = BEYOND.iter().find(|(_, names)| names.split_whitespace().any(|it| it == name));
    if let Some((why, _)) = listed {
        return Some(why);
    }
    let of_threads = ["pthread_", "thrd_", "mtx_", "cnd_", "tss_", "sem_"];
    if of_threads.iter().any(|prefix| name.starts_with(prefix)) && !name.contains("get") {
        return Some("threads and their synchronisation");
    }
    let is_set = |name: &str| {
        let sets = "sigemptyset sigfillset sigaddset sigdelset sigismember sigisemptyset sigandset \
                    sigorset sigpending sigabbrev_np sigdescr_np significand significandf significandl";
        sets.split_whitespace().any(|it| it == name)
    };
    if name.starts_with("sig") && !is_set(name) {
        return Some("signals");
    }
    None
}

const BEYOND: &[(&str, &str)] = &[
    (
        "jumps out of functions",
        "setjmp longjmp getcontext setcontext makecontext swapcontext vfork clone",
    ),
    ("the end of the program", "error error_at_line err errx verr verrx"),
    (
        "signals",
        "kill killpg raise gsignal ssignal alarm ualarm setitimer timer_settime tgkill \
         pidfd_send_signal bsd_signal sysv_signal pause",
    ),
    // Later calls of others read or write its arguments, or return them.
    (
        "memory that is kept",
        "setbuf setbuffer setlinebuf setvbuf putenv open_memstream open_wmemstream initstate setstate \
         hsearch hsearch_r mremap remap_file_pages reallocarray aio_read aio_read64 lio_listio \
         lio_listio64 re_set_registers sigaltstack sigstack profil sprofil",
    ),
    // It changes the results of other functions, which have models.
    (
        "state that other functions read",
        "setlocale uselocale fesetround fesetenv feupdateenv feholdexcept fesetmode setenv unsetenv \
         clearenv hcreate hdestroy",
    ),
    (
        "global variables",
        "getopt getopt_long getopt_long_only tzset mktime timelocal localtime localtime_r ctime ctime_r \
         strftime strftime_l lgamma lgammaf lgammal gamma gammaf gammal re_set_syntax getdate",
    ),
    ("dynamic loading", "dlopen dlmopen dlsym dlvsym dlclose"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_have_shapes() {
        let lines: Vec<&str> = NAMES.lines().collect();
        assert!(lines.iter().all(|line| {
            let Some((name, shape)) = line.split_once(' ') else { return false };
            !name.is_empty() && shape.bytes().all(|letter| b"vipfcs.".contains(&letter))
        }));
        assert_eq!(SHAPES.len(), lines.len());
        assert_eq!(standard_shape("wcslen"), Some("ip"));
        assert_eq!(standard_shape("open"), Some("ipi."));
        assert_eq!(standard_shape("printk"), None);
    }

    #[test]
    fn shapes_tell_functions_of_one_name_apart() {
        assert!(is_same_shape("iisp", "iipp"));
        assert!(!is_same_shape("ip", "ii"));
        assert!(!is_same_shape("ip", "ipp"));
        assert!(!is_same_shape("ipi.", "ipi"));
    }

    #[test]
    fn what_is_beyond_havoc_has_a_name_that_exists() {
        for (_, names) in BEYOND {
            for name in names.split_whitespace() {
                // Old functions, which headers no longer declare.
                let is_old = name == "bsd_signal";
                assert!(is_old || standard_shape(name).is_some(), "{name}");
            }
        }
        assert_eq!(beyond_havoc("pthread_mutexattr_getprotocol"), None);
        assert!(beyond_havoc("pthread_mutexattr_setprotocol").is_some());
        assert_eq!(beyond_havoc("sigemptyset"), None);
        assert!(beyond_havoc("sigaction").is_some());
        assert_eq!(beyond_havoc("open"), None);
    }
}
