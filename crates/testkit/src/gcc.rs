//! Compiling programs with gcc and running them.

use ravelin_base::DataModel;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

/// What a program did: what it wrote to standard output and its exit status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execution {
    pub stdout: Vec<u8>,
    pub status: i32,
}

/// Why there is no [`Execution`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// gcc could not be started, or a file not be written.
    System(String),
    /// gcc rejected the program; what it said.
    Rejected(String),
    /// gcc reported a fault of its own.
    CompilerCrash(String),
    Timeout,
    /// The program was ended by a signal, or a sanitizer stopped it.
    Crash(String),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::System(error.to_string())
    }
}

/// How programs are compiled and run.
#[derive(Clone, Debug)]
pub struct Gcc {
    pub model: DataModel,
    pub level: Level,
    pub include_dirs: Vec<PathBuf>,
    /// Processor time one run may take; waiting does not count, so a busy machine changes nothing.
    pub time_limit: Duration,
}

/// What gcc does beyond plain translation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Plain,
    Optimised,
    /// Undefined behaviour and invalid accesses end the program.
    Sanitised,
}

impl Gcc {
    pub fn new(model: DataModel) -> Gcc {
        Gcc {
            model,
            level: Level::Plain,
            include_dirs: Vec::new(),
            time_limit: Duration::from_secs(5),
        }
    }

    /// Whether gcc can build programs of that data model here. Asked once and remembered.
    pub fn is_available(model: DataModel) -> bool {
        static ILP32: OnceLock<bool> = OnceLock::new();
        static LP64: OnceLock<bool> = OnceLock::new();
        let cell = match model {
            DataModel::Ilp32 => &ILP32,
            DataModel::Lp64 => &LP64,
        };
        *cell.get_or_init(|| {
            let source = "int main(void) { return sizeof(void *); }".to_owned();
            let run = Gcc::new(model).run_all(&[source]).pop();
            matches!(run, Some(Ok(execution))
                if u64::try_from(execution.status) == Ok(model.pointer_bytes()))
        })
    }

    /// Compiles the programs together, which saves most of the time, and runs each by itself.
    pub fn run_all(&self, sources: &[String]) -> Vec<Result<Execution, Failure>> {
        match self.try_run_all(sources) {
            Ok(runs) => runs,
            // One of them is at fault: find out which.
            Err(Failure::Rejected(_) | Failure::CompilerCrash(_)) if sources.len() > 1 => sources
                .iter()
                .flat_map(|source| self.run_all(std::slice::from_ref(source)))
                .collect(),
            Err(failure) => vec![Err(failure); sources.len()],
        }
    }

    fn try_run_all(&self, sources: &[String]) -> Result<Vec<Result<Execution, Failure>>, Failure> {
        let dir = tempfile::tempdir()?;
        let executable = dir.path().join("programs");
        let mut command = Command::new("gcc");
        command.args(self.flags()).arg("-o").arg(&executable);
        let mut driver = String::from("#include <stdlib.h>\n#include <sys/time.h>\n");
        let mut cases = String::new();
        for (i, source) in sources.iter().enumerate() {
            let path = dir.path().join(format!("program{i}.c"));
            fs::write(&path, format!("#define main program{i}\n#line 1\n{source}"))?;
            command.arg(path);
            let _ = writeln!(driver, "int program{i}();");
            let _ = writeln!(cases, "    case {i}: return program{i}(1, argv);");
        }
        let (seconds, micros) = (self.time_limit.as_secs(), self.time_limit.subsec_micros());
        let _ = writeln!(
            driver,
            "int main(int argc, char **argv) {{\n    \
             struct itimerval limit = {{ {{ 0, 0 }}, {{ {seconds}, {micros} }} }};\n    \
             setitimer(ITIMER_PROF, &limit, 0);\n    \
             switch (atoi(argv[1])) {{\n{cases}    }}\n    abort();\n}}"
        );
        let path = dir.path().join("driver.c");
        fs::write(&path, driver)?;
        let output = command.arg(path).stdin(Stdio::null()).output()?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(if message.contains("internal compiler error") {
                Failure::CompilerCrash(message)
            } else {
                Failure::Rejected(message)
            });
        }
        Ok((0..sources.len()).map(|i| execute(&executable, i)).collect())
    }

    fn flags(&self) -> Vec<String> {
        let mut flags = vec!["-w", "-pipe", "-fwrapv", "-fno-strict-aliasing"];
        // Without it gcc 12 takes `0.0 - x` for `-x` where x was an integer, which is wrong at 0.
        flags.push("-frounding-math");
        match self.model {
            // The x87 unit computes with more precision than the types have.
            DataModel::Ilp32 => flags.extend(["-m32", "-msse2", "-mfpmath=sse"]),
            DataModel::Lp64 => flags.push("-m64"),
        }
        match self.level {
            Level::Plain => flags.push("-O0"),
            Level::Optimised => flags.push("-O2"),
            // Not optimised: at -O1 gcc 12 has reported a use after scope in a program without.
            Level::Sanitised => flags.extend([
                "-O0",
                "-fsanitize=undefined,address",
                "-fno-sanitize-recover=undefined",
            ]),
        }
        let mut flags: Vec<_> = flags.into_iter().map(str::to_owned).collect();
        for dir in &self.include_dirs {
            flags.push(format!("-I{}", dir.display()));
        }
        flags
    }
}

fn execute(executable: &Path, program: usize) -> Result<Execution, Failure> {
    const SIGPROF: i32 = 27;
    let output = Command::new(executable)
        .arg(program.to_string())
        // Programs may leave memory behind when they jump out of the block that frees it.
        .env("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=1:exitcode=99")
        .env("UBSAN_OPTIONS", "exitcode=99")
        .stdin(Stdio::null())
        .output()?;
    match (output.status.code(), output.status.signal()) {
        (Some(99), _) => Err(Failure::Crash(String::from_utf8_lossy(&output.stderr).into_owned())),
        (Some(status), _) => Ok(Execution { stdout: output.stdout, status }),
        (None, Some(SIGPROF)) => Err(Failure::Timeout),
        (None, signal) => Err(Failure::Crash(format!("signal {}", signal.unwrap_or(0)))),
    }
}
