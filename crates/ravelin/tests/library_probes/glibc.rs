//! One-line probes of standard functions, with and without model. What holds is what glibc does: a program of all
//! probes is compiled and run. What it fulfils must not be FALSE, what it refutes must not be TRUE.

use std::fs;
use std::process::Command;
use std::time::Duration;

use ravelin_verifier::{DataModel, Input, Verdict, Verifier};

/// The header beside those that all need, what comes before, and the condition.
type Probe = (&'static str, &'static str, &'static str);

/// What the standard decides, whatever the system is like.
const DECIDED: &[Probe] = &[
    ("wchar.h", "", "wcslen(L\"abc\") == 3"),
    ("wchar.h", "", "wcscmp(L\"a\", L\"b\") < 0"),
    ("wchar.h", "", "wmemchr(L\"abc\", L'b', 3) != 0"),
    ("wchar.h", "", "wcschr(L\"abc\", L'd') == 0"),
    ("wchar.h", "", "wcstol(L\"42\", 0, 10) == 42"),
    ("wchar.h", "", "btowc('a') == L'a'"),
    ("wchar.h", "", "wctob(L'a') == 'a'"),
    ("wchar.h", "", "wcwidth(L'a') == 1"),
    ("wchar.h", "wchar_t w[4];", "swprintf(w, 4, L\"%d\", 7) == 1"),
    ("wctype.h", "", "towupper(L'a') == L'A'"),
    ("wctype.h", "", "iswalpha(L'1') == 0"),
    ("arpa/inet.h", "", "htonl(1) == 0x01000000"),
    ("arpa/inet.h", "", "ntohs(0x0100) == 1"),
    ("arpa/inet.h", "", "inet_addr(\"1.2.3.4\") == 0x04030201"),
    ("arpa/inet.h", "struct in_addr a;", "inet_pton(AF_INET, \"1.2.3.4\", &a) == 1"),
    ("arpa/inet.h", "struct in_addr a;", "inet_aton(\"1.2.3\", &a) != 0 && a.s_addr == 0x03000201"),
    ("fcntl.h", "", "fcntl(-1, F_GETFD) == -1"),
    ("unistd.h", "char b[1];", "read(-1, b, 1) == -1"),
    ("unistd.h", "", "write(-1, \"a\", 1) == -1"),
    ("unistd.h", "errno = 0;", "close(-1) == -1 && errno == EBADF"),
    ("unistd.h", "", "isatty(-1) == 0"),
    ("unistd.h", "", "lseek(-1, 0, SEEK_SET) == -1"),
    ("unistd.h", "", "dup(-1) == -1"),
    ("unistd.h", "char b[1];", "getcwd(b, 1) == 0"),
    ("unistd.h", "char b[8];", "readlink(\"/\", b, 8) == -1"),
    ("unistd.h", "", "ftruncate(-1, 0) == -1"),
    ("unistd.h", "char b[2] = \"\";", "(swab(\"ab\", b, 2), b[0]) == 'b'"),
    ("stdio.h", "char b[8];", "sprintf(b, \"%d\", 42) == 2 && b[1] == '2'"),
    ("stdio.h", "int n = 0;", "sscanf(\"17\", \"%d\", &n) == 1 && n == 17"),
    ("sys/mman.h", "", "mmap(0, 0, 0, 0, -1, 0) == MAP_FAILED"),
    ("time.h", "time_t t = 0; char b[26];", "ctime_r(&t, b) == b && b[0] == 'T'"),
    ("time.h", "struct tm t;", "strptime(\"2020\", \"%Y\", &t) != 0 && t.tm_year == 120"),
    ("time.h", "time_t t = 0;", "gmtime(&t)->tm_year == 70"),
    ("time.h", "", "difftime(2, 1) == 1.0"),
    ("time.h", "struct timespec t;", "clock_gettime(12345, &t) == -1 && errno == EINVAL"),
    ("time.h", "struct timespec t = {0, -1};", "nanosleep(&t, 0) == -1 && errno == EINVAL"),
    ("time.h", "struct timespec t = {0, 1000000000};", "nanosleep(&t, 0) == -1 && errno == EINVAL"),
    ("time.h", "struct tm t = {0}; char b[8];", "strftime(b, 8, \"%%\", &t) == 1"),
    ("time.h", "timer_t t;", "timer_create(12345, 0, &t) == -1"),
    ("time.h", "struct tm t = {0}; t.tm_year = 70; t.tm_mday = 2;", "timegm(&t) == 86400"),
    ("locale.h", "", "setlocale(LC_ALL, \"nonexistent\") == 0"),
    ("pthread.h", "", "pthread_equal(pthread_self(), pthread_self()) != 0"),
    ("string.h", "", "strlen(\"abc\") == 3"),
    ("string.h", "", "strverscmp(\"a1\", \"a2\") < 0"),
    ("string.h", "", "strcoll(\"a\", \"b\") < 0"),
    ("string.h", "", "strxfrm(0, \"abc\", 0) == 3"),
    ("string.h", "", "ffs(8) == 4"),
    ("string.h", "", "strcasestr(\"ABC\", \"b\") != 0"),
    ("string.h", "", "memmem(\"abc\", 3, \"bc\", 2) != 0"),
    ("string.h", "", "*strchrnul(\"abc\", 'x') == 0"),
    ("string.h", "char b[4];", "mempcpy(b, \"ab\", 2) == b + 2"),
    ("string.h", "char b[] = \"a,b\", *p = b;", "strcmp(strsep(&p, \",\"), \"a\") == 0"),
    ("stdlib.h", "", "a64l(\"a\") == 38"),
    ("stdlib.h", "", "strtod(\"1.5\", 0) == 1.5"),
    ("stdlib.h", "", "atof(\"2\") == 2"),
    ("stdlib.h", "", "strtol(\"12x\", 0, 10) == 12"),
    ("stdlib.h", "unsigned s = 1;", "rand_r(&s) >= 0"),
    ("stdlib.h", "", "mblen(\"a\", 1) == 1"),
    ("stdlib.h", "wchar_t w[4];", "mbstowcs(w, \"abc\", 4) == 3"),
    ("math.h", "", "sin(0.0) == 0"),
    ("math.h", "", "pow(2, 3) == 8"),
    ("math.h", "", "erf(0.0) == 0"),
    ("math.h", "", "ilogb(8.0) == 3"),
    ("math.h", "", "cbrt(8.0) == 2"),
    ("math.h", "", "lgamma(1.0) == 0"),
    ("fnmatch.h", "", "fnmatch(\"a*\", \"abc\", 0) == 0"),
    ("signal.h", "sigset_t s; sigemptyset(&s);", "sigismember(&s, 1) == 0"),
    (
        "signal.h",
        "sigset_t s; sigemptyset(&s);",
        "sigaddset(&s, 1) == 0 && sigismember(&s, 1) == 1",
    ),
    ("libgen.h", "char b[] = \"/a/b\";", "strcmp(basename(b), \"b\") == 0"),
    ("getopt.h", "char *v[] = {\"p\", \"-a\", 0};", "getopt(2, v, \"a\") == 'a' && optind == 2"),
    ("ctype.h", "", "isalpha('a') != 0 && isalpha('1') == 0"),
    ("strings.h", "", "strcasecmp(\"AB\", \"ab\") == 0"),
    ("inttypes.h", "", "strtoimax(\"-3\", 0, 10) == -3"),
];

/// What depends on files, limits and the environment: glibc's answer is one of several, so that only TRUE can be
/// wrong.
const OPEN: &[Probe] = &[
    ("fcntl.h", "", "open(\"/nonexistent/x\", O_RDONLY) == -1"),
    ("fcntl.h", "errno = 0; open(\"/nonexistent/x\", O_RDONLY);", "errno == ENOENT"),
    ("unistd.h", "", "getpid() > 0"),
    ("unistd.h", "", "access(\"/nonexistent/x\", F_OK) == -1"),
    ("unistd.h", "", "sysconf(_SC_PAGESIZE) == 4096"),
    ("unistd.h", "", "rmdir(\"/nonexistent/x\") == -1"),
    ("unistd.h", "", "chdir(\"/nonexistent/x\") == -1"),
    ("unistd.h", "int p[2];", "pipe(p) == 0 && p[0] != p[1]"),
    ("unistd.h", "", "alarm(0) == 0"),
    ("sys/stat.h", "struct stat s;", "stat(\"/nonexistent/x\", &s) == -1"),
    ("sys/stat.h", "", "mkdir(\"/\", 0) == -1"),
    ("dirent.h", "", "opendir(\"/nonexistent/x\") == 0"),
    ("sys/socket.h", "", "socket(-1, -1, -1) == -1"),
    ("poll.h", "", "poll(0, 0, 0) == 0"),
    ("sys/resource.h", "struct rlimit r;", "getrlimit(RLIMIT_NOFILE, &r) == 0"),
    ("sys/utsname.h", "struct utsname u;", "uname(&u) == 0"),
    ("time.h", "struct timespec t;", "clock_getres(CLOCK_REALTIME, &t) == 0"),
    ("locale.h", "", "setlocale(LC_ALL, \"C\") != 0"),
    ("locale.h", "", "localeconv()->decimal_point[0] == '.'"),
    (
        "pthread.h",
        "pthread_mutexattr_t a; int p; pthread_mutexattr_init(&a);",
        "pthread_mutexattr_getprotocol(&a, &p) == 0 && p == PTHREAD_PRIO_NONE",
    ),
    (
        "pthread.h",
        "pthread_mutexattr_t a; pthread_mutexattr_init(&a);",
        "pthread_mutexattr_setprioceiling(&a, -1) == EINVAL",
    ),
    (
        "pthread.h",
        "pthread_attr_t a; int s; pthread_attr_init(&a);",
        "pthread_attr_getscope(&a, &s) == 0 && s == PTHREAD_SCOPE_SYSTEM",
    ),
    (
        "pthread.h",
        "pthread_condattr_t a; int s; pthread_condattr_init(&a);",
        "pthread_condattr_getpshared(&a, &s) == 0 && s == PTHREAD_PROCESS_PRIVATE",
    ),
    ("pthread.h", "", "pthread_getconcurrency() == 0"),
    ("sched.h", "", "sched_get_priority_max(SCHED_FIFO) == 99"),
    ("semaphore.h", "sem_t s;", "sem_init(&s, 0, 1) == 0 && sem_trywait(&s) == 0"),
    ("string.h", "", "strsignal(2) != 0"),
    ("stdlib.h", "", "system(0) != 0"),
    ("stdlib.h", "char b[] = \"bad\";", "mkstemp(b) == -1"),
    ("stdlib.h", "", "getenv(\"RAVELIN_NO_SUCH_VARIABLE\") == 0"),
    ("stdlib.h", "setenv(\"RAVELIN_A\", \"b\", 1);", "getenv(\"RAVELIN_A\") != 0"),
    (
        "regex.h",
        "regex_t r;",
        "regcomp(&r, \"a\", 0) == 0 && regexec(&r, \"b\", 0, 0, 0) == REG_NOMATCH",
    ),
    ("iconv.h", "", "iconv_open(\"no\", \"such\") == (iconv_t)-1"),
    ("signal.h", "", "kill(0, 0) == 0"),
    ("search.h", "", "hcreate(5) != 0"),
    ("sys/wait.h", "", "wait(0) == -1"),
    ("unistd.h", "", "unlink(\"/nonexistent/x\") == -1"),
    ("stdio.h", "", "fopen(\"/nonexistent/x\", \"r\") == 0"),
    ("stdio.h", "", "remove(\"/nonexistent/x\") == -1"),
];

fn probes() -> impl Iterator<Item = &'static Probe> {
    DECIDED.iter().chain(OPEN)
}

const COMMON: &str = "#define _GNU_SOURCE\n#include <errno.h>\n#include <string.h>\n";

/// What glibc says of each probe; none if there is no compiler.
fn truth() -> Option<Vec<bool>> {
    let directory = tempfile::tempdir().expect("a directory");
    let (source, program) = (directory.path().join("probes.c"), directory.path().join("probes"));
    let mut text = COMMON.to_owned();
    for (header, ..) in probes().filter(|(header, ..)| *header != "libgen.h") {
        text += &format!("#include <{header}>\n");
    }
    // It makes another function of `basename`.
    text += "#include <libgen.h>\n#include <stdio.h>\n";
    for (number, (_, before, condition)) in probes().enumerate() {
        text +=
            &format!("static int probe{number}(void) {{ {before} return (int)({condition}); }}\n");
    }
    text += "int main(void) {\n";
    for number in 0..probes().count() {
        text += &format!("printf(\"%d\\n\", probe{number}() != 0);\n");
    }
    text += "return 0; }\n";
    fs::write(&source, text).expect("a file");
    let arguments = ["-w", "-fno-builtin", "-pthread", "-o"];
    let compiled =
        Command::new("gcc").args(arguments).arg(&program).arg(&source).arg("-lm").output();
    let compiled = compiled.ok()?;
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let run = Command::new(&program).env("LC_ALL", "C").output().expect("it runs");
    let lines = String::from_utf8(run.stdout).expect("text");
    Some(lines.lines().map(|line| line == "1").collect())
}

fn verdict((header, before, condition): &Probe, is_negated: bool) -> Verdict {
    let not = if is_negated { "" } else { "!" };
    let text = format!(
        "{COMMON}#include <{header}>\nextern void reach_error(void);\n\
         int main(void) {{ {before}\nif ({not}({condition})) reach_error(); return 0; }}\n"
    );
    let input = Input::text("probe.c", text).with_data_model(DataModel::Lp64);
    let verifier = Verifier { timeout: Some(Duration::from_secs(5)), ..Verifier::default() };
    verifier.verify(&input).unwrap_or_else(|failure| panic!("{failure}: {condition}")).verdict
}

#[test]
fn nothing_is_said_that_glibc_refutes() {
    let Some(truth) = truth() else {
        eprintln!("skipped: there is no gcc");
        return;
    };
    assert_eq!(truth.len(), probes().count(), "a probe ended the program");
    let mut wrong = Vec::new();
    for (number, (probe, &holds)) in probes().zip(&truth).enumerate() {
        let is_open = number >= DECIDED.len();
        for is_negated in [false, true] {
            let is_fulfilled = holds != is_negated;
            if is_open && is_fulfilled {
                continue;
            }
            match verdict(probe, is_negated) {
                Verdict::True(_) if !is_fulfilled => wrong.push((probe, is_negated, "TRUE")),
                Verdict::False(_) if is_fulfilled => wrong.push((probe, is_negated, "FALSE")),
                Verdict::True(_) | Verdict::False(_) | Verdict::Unknown(_) => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong: {wrong:#?}", wrong.len());
}
