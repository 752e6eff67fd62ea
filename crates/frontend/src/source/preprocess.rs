//! Runs the C preprocessor of the system.

use std::ffi::OsString;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use ravelin_base::diagnostic::{Place, Severity, Snippet};
use ravelin_base::{DataModel, Diagnostic};

use super::limits::MAX_TEXT_BYTES;

/// How a unit is to be preprocessed.
#[derive(Clone, Debug)]
pub struct SourceOptions {
    /// Directories to search for included files (`-I`).
    pub include_dirs: Vec<PathBuf>,
    /// Further options of the preprocessor, in this order: of two about the same macro, the last
    /// counts.
    pub directions: Vec<Direction>,
    /// The C standard (`-std=`), if not the compiler's default.
    pub standard: Option<String>,
    /// The target of headers and predefined macros.
    pub data_model: DataModel,
    /// The compiler that is run as `COMPILER -E`.
    pub compiler: PathBuf,
}

impl Default for SourceOptions {
    fn default() -> Self {
        SourceOptions {
            include_dirs: Vec::new(),
            directions: Vec::new(),
            standard: None,
            data_model: DataModel::default(),
            compiler: "cc".into(),
        }
    }
}

/// An option of the preprocessor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Direction {
    /// A macro to define, as `NAME` or `NAME=VALUE` (`-D`).
    Define(String),
    /// A macro to undefine (`-U`).
    Undefine(String),
    /// A directory to search, or a file to read first.
    Path(PathUse, PathBuf),
}

/// The purpose of a path on the preprocessor's command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathUse {
    /// A directory for `#include "…"` alone.
    Quoted,
    /// A directory that is searched after those of `-I`, before the system's own.
    System,
    /// A directory that is searched after all others.
    After,
    /// A file that is read as if the unit began by including it.
    Include,
    /// The same, of which only the macros are kept.
    Macros,
}

impl PathUse {
    pub const ALL: [PathUse; 5] =
        [PathUse::Quoted, PathUse::System, PathUse::After, PathUse::Include, PathUse::Macros];

    /// The option of gcc.
    pub fn option(self) -> &'static str {
        match self {
            PathUse::Quoted => "-iquote",
            PathUse::System => "-isystem",
            PathUse::After => "-idirafter",
            PathUse::Include => "-include",
            PathUse::Macros => "-imacros",
        }
    }
}

/// A preprocessed text and the messages of the preprocessor.
#[derive(Debug)]
pub(super) struct Preprocessed {
    pub text: Vec<u8>,
    pub warnings: Vec<Diagnostic>,
}

/// Preprocesses a file.
pub(super) fn preprocess(
    path: &Path,
    options: &SourceOptions,
) -> Result<Preprocessed, Vec<Diagnostic>> {
    match options.data_model {
        DataModel::Lp64 => run(path, options, &[]),
        DataModel::Ilp32 => run(path, options, &["-m32".into()]).or_else(|errors| {
            // Headers for 32 bits are an extra package on 64-bit systems.
            run_as_ilp32(path, options).map_err(|_| errors)
        }),
    }
}

/// Preprocesses a text. Positions are those in a file of this name.
pub(super) fn preprocess_text(
    path: &Path,
    text: &str,
    options: &SourceOptions,
) -> Result<Preprocessed, Vec<Diagnostic>> {
    let cannot = |error: io::Error| {
        vec![Diagnostic::error(format!("cannot write a temporary file: {error}")).in_file(path)]
    };
    let name = path.to_string_lossy().replace('\\', r"\\").replace('"', "\\\"");
    let directory = tempfile::tempdir().map_err(cannot)?;
    let file = directory.path().join("text.c");
    std::fs::write(&file, format!("#line 1 \"{name}\"\n{text}")).map_err(cannot)?;
    preprocess(&file, options)
}

/// Macros by which gcc describes a 32-bit target where they differ from those of a 64-bit one.
const ILP32_MACROS: &[&str] = &[
    "-U_LP64",
    "-U__LP64__",
    "-U__x86_64",
    "-U__x86_64__",
    "-U__amd64",
    "-U__amd64__",
    "-U__k8",
    "-U__k8__",
    "-U__SIZEOF_INT128__",
    "-D_ILP32=1",
    "-D__ILP32__=1",
    "-D__i386=1",
    "-D__i386__=1",
    "-D__SIZEOF_LONG__=4",
    "-D__SIZEOF_POINTER__=4",
    "-D__SIZEOF_PTRDIFF_T__=4",
    "-D__SIZEOF_SIZE_T__=4",
    "-D__SIZEOF_LONG_DOUBLE__=12",
    "-D__LONG_MAX__=0x7fffffffL",
    "-D__LONG_WIDTH__=32",
    "-D__SIZE_TYPE__=unsigned int",
    "-D__SIZE_MAX__=0xffffffffU",
    "-D__SIZE_WIDTH__=32",
    "-D__PTRDIFF_TYPE__=int",
    "-D__PTRDIFF_MAX__=0x7fffffff",
    "-D__PTRDIFF_WIDTH__=32",
    "-D__INTPTR_TYPE__=int",
    "-D__INTPTR_MAX__=0x7fffffff",
    "-D__INTPTR_WIDTH__=32",
    "-D__UINTPTR_TYPE__=unsigned int",
    "-D__UINTPTR_MAX__=0xffffffffU",
    "-D__WCHAR_TYPE__=long int",
    "-D__WCHAR_MAX__=0x7fffffffL",
    "-D__INT64_TYPE__=long long int",
    "-D__INT64_MAX__=0x7fffffffffffffffLL",
    "-D__INT64_C(c)=c ## LL",
    "-D__UINT64_TYPE__=long long unsigned int",
    "-D__UINT64_MAX__=0xffffffffffffffffULL",
    "-D__UINT64_C(c)=c ## ULL",
    "-D__INTMAX_TYPE__=long long int",
    "-D__INTMAX_MAX__=0x7fffffffffffffffLL",
    "-D__INTMAX_C(c)=c ## LL",
    "-D__UINTMAX_TYPE__=long long unsigned int",
    "-D__UINTMAX_MAX__=0xffffffffffffffffULL",
    "-D__UINTMAX_C(c)=c ## ULL",
    "-D__INT_LEAST64_TYPE__=long long int",
    "-D__INT_LEAST64_MAX__=0x7fffffffffffffffLL",
    "-D__UINT_LEAST64_TYPE__=long long unsigned int",
    "-D__UINT_LEAST64_MAX__=0xffffffffffffffffULL",
    "-D__INT_FAST16_TYPE__=int",
    "-D__INT_FAST16_MAX__=0x7fffffff",
    "-D__INT_FAST16_WIDTH__=32",
    "-D__UINT_FAST16_TYPE__=unsigned int",
    "-D__UINT_FAST16_MAX__=0xffffffffU",
    "-D__INT_FAST32_TYPE__=int",
    "-D__INT_FAST32_MAX__=0x7fffffff",
    "-D__INT_FAST32_WIDTH__=32",
    "-D__UINT_FAST32_TYPE__=unsigned int",
    "-D__UINT_FAST32_MAX__=0xffffffffU",
    "-D__INT_FAST64_TYPE__=long long int",
    "-D__INT_FAST64_MAX__=0x7fffffffffffffffLL",
    "-D__UINT_FAST64_TYPE__=long long unsigned int",
    "-D__UINT_FAST64_MAX__=0xffffffffffffffffULL",
];

/// Preprocesses a file for 32 bits with only a 64-bit compiler and its headers.
fn run_as_ilp32(path: &Path, options: &SourceOptions) -> Result<Preprocessed, Vec<Diagnostic>> {
    let cannot = |error: io::Error| {
        vec![Diagnostic::error(format!("cannot write a temporary directory: {error}"))]
    };
    // glibc's headers include this file of the 32-bit package, which only lists missing functions.
    let stubs = tempfile::tempdir().map_err(cannot)?;
    let gnu = stubs.path().join("gnu");
    std::fs::create_dir(&gnu).map_err(cannot)?;
    std::fs::write(gnu.join("stubs-32.h"), "").map_err(cannot)?;
    let mut extra: Vec<OsString> = ILP32_MACROS.iter().map(Into::into).collect();
    // This redefines predefined macros on purpose.
    extra.push("-Wno-builtin-macro-redefined".into());
    extra.push("-w".into());
    extra.push("-idirafter".into());
    extra.push(stubs.path().into());
    run(path, options, &extra)
}

fn run(
    path: &Path,
    options: &SourceOptions,
    extra: &[OsString],
) -> Result<Preprocessed, Vec<Diagnostic>> {
    let mut command = Command::new(&options.compiler);
    command.arg("-E").args(extra);
    if let Some(standard) = &options.standard {
        command.arg(format!("-std={standard}"));
    }
    for directory in &options.include_dirs {
        command.arg("-I").arg(directory);
    }
    for direction in &options.directions {
        match direction {
            Direction::Define(define) => command.arg(format!("-D{define}")),
            Direction::Undefine(name) => command.arg(format!("-U{name}")),
            Direction::Path(what, path) => command.arg(what.option()).arg(path),
        };
    }
    command.args(["-x", "c"]);
    // A name that begins with a dash would be taken for an option.
    let is_option = path.as_os_str().as_encoded_bytes().starts_with(b"-");
    command.arg(if is_option { Path::new(".").join(path) } else { path.to_owned() });
    command.env("LC_ALL", "C");

    let compiler = options.compiler.display();
    let ran = match capture(command) {
        Ok(ran) => ran,
        Err(error) => {
            let message = format!("cannot run the C preprocessor '{compiler} -E': {error}");
            let note = "install gcc, or give a preprocessed file (.i)";
            return Err(vec![Diagnostic::error(message).in_file(path).note(note)]);
        }
    };
    let Some(status) = ran.status else {
        let limit = MAX_TEXT_BYTES >> 20;
        let message = format!("too large after preprocessing: the limit is {limit} MB");
        return Err(vec![Diagnostic::error(message).in_file(path)]);
    };
    let messages = read_messages(&ran.messages);
    if status.success() {
        return Ok(Preprocessed { text: ran.text, warnings: messages });
    }
    if messages.iter().any(|message| message.severity == Severity::Error) {
        return Err(messages);
    }
    let mut error =
        Diagnostic::error(format!("the C preprocessor '{compiler} -E' failed: {status}"));
    error.notes = String::from_utf8_lossy(&ran.messages).lines().take(5).map(Into::into).collect();
    Err(vec![error.in_file(path)])
}

struct Ran {
    /// `None` if the output became too large.
    status: Option<ExitStatus>,
    text: Vec<u8>,
    messages: Vec<u8>,
}

fn capture(mut command: Command) -> io::Result<Ran> {
    const MAX_MESSAGE_BYTES: u64 = 1 << 16;
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let (mut stdout, mut stderr) = (child.stdout.take(), child.stderr.take());
    let mut text = Vec::new();
    let messages = std::thread::scope(|scope| {
        // Both pipes must be emptied at the same time, or the child may wait for ever.
        let messages = scope.spawn(move || {
            let mut messages = Vec::new();
            if let Some(stderr) = &mut stderr {
                stderr.take(MAX_MESSAGE_BYTES).read_to_end(&mut messages)?;
                io::copy(stderr, &mut io::sink())?;
            }
            Ok(messages)
        });
        let read = match &mut stdout {
            Some(stdout) => stdout.take(MAX_TEXT_BYTES as u64 + 1).read_to_end(&mut text),
            None => Ok(0),
        };
        if read.is_err() || text.len() > MAX_TEXT_BYTES {
            child.kill()?;
        }
        read?;
        messages.join().unwrap_or_else(|_| Err(io::Error::other("reading its messages failed")))
    })?;
    let status = child.wait()?;
    let status = (text.len() <= MAX_TEXT_BYTES).then_some(status);
    Ok(Ran { status, text, messages })
}

/// Reads the messages of gcc or clang: `file:line:column: error: text`.
fn read_messages(output: &[u8]) -> Vec<Diagnostic> {
    const KINDS: &[(&str, Severity)] = &[
        (": fatal error: ", Severity::Error),
        (": error: ", Severity::Error),
        (": warning: ", Severity::Warning),
    ];
    const MAX_MESSAGES: usize = 20;
    let output = String::from_utf8_lossy(output);
    let read_line = |line: &str| {
        let (head, text, severity) = KINDS.iter().find_map(|&(separator, severity)| {
            line.split_once(separator).map(|(head, text)| (head, text.to_owned(), severity))
        })?;
        let mut diagnostic = Diagnostic::new(severity, text);
        match read_place(head) {
            Some(place) => {
                diagnostic.snippet = read_snippet(&place).map(Box::new);
                diagnostic.place = Some(place);
            }
            None => diagnostic.message = format!("{head}: {}", diagnostic.message),
        }
        Some(diagnostic)
    };
    output.lines().filter_map(read_line).take(MAX_MESSAGES).collect()
}

fn read_place(head: &str) -> Option<Place> {
    let mut parts = head.rsplitn(3, ':');
    let column = parts.next()?.parse().ok()?;
    let line = parts.next()?.parse().ok()?;
    Some(Place { file: parts.next()?.to_owned(), line, column })
}

fn read_snippet(place: &Place) -> Option<Snippet> {
    let mut text = Vec::new();
    let file = std::fs::File::open(&place.file).ok()?;
    file.take(MAX_TEXT_BYTES as u64).read_to_end(&mut text).ok()?;
    let line = text.split(|&byte| byte == b'\n').nth(place.line.checked_sub(1)? as usize)?;
    let from = place.column.saturating_sub(1) as usize;
    Some(Snippet::new(line, from, from + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> (tempfile::TempDir, PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("unit.c");
        std::fs::write(&path, text).unwrap();
        (directory, path)
    }

    const HEADERS: &str = "#include <limits.h>\n#include <stdint.h>\n#include <stddef.h>\n\
        #include <stdlib.h>\n#include <pthread.h>\n\
        size_t a = sizeof(long); intptr_t b; long c = LONG_MAX; uint64_t d = UINT64_C(1);\n";

    /// Headers without a 32-bit package must declare the same types as those of the package.
    #[test]
    fn emulates_a_32_bit_target() {
        let (_directory, path) = file(HEADERS);
        let text = run_as_ilp32(&path, &SourceOptions::default()).unwrap().text;
        let text = String::from_utf8(text).unwrap();
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let text = lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
        assert!(text.contains("typedef unsigned int size_t;"), "{text}");
        assert!(text.contains("long c = 0x7fffffffL;"), "{text}");
        assert!(text.contains("uint64_t d = 1ULL;"), "{text}");
        assert!(text.contains("typedef int intptr_t;"), "{text}");
    }

    #[test]
    fn reads_messages_of_compilers() {
        let output = b"In file included from a.c:1:\nb.h:2:10: fatal error: c.h: No such file\n\
            \x20   2 | #include <c.h>\ncc: error: unrecognized option '-x'\n\
            compilation terminated.\n";
        let messages = read_messages(output);
        let rendered = ravelin_base::diagnostic::render(&messages);
        assert_eq!(
            rendered,
            "b.h:2:10: error: c.h: No such file\nerror: cc: unrecognized option '-x'\n"
        );
    }
}
