//! What is measured: families of programs, and configurations of the verifier.

use std::fmt;

use crate::sets::Answer;

/// Programs that differ in nothing but the macros `THREADS` and `ROUNDS` of one file.
#[derive(Debug)]
pub struct Family {
    /// The name of the file, without its extension.
    pub name: &'static str,
    /// One sentence about what the threads do.
    pub about: &'static str,
    pub expected: Answer,
    /// How many rounds there are while the number of threads grows.
    pub rounds: u32,
    /// How many threads there are while the number of rounds grows.
    pub threads: u32,
}

pub const FAMILIES: [Family; 3] = [
    Family {
        name: "locked-counter",
        about: "The threads add to one counter under one mutex; the sum is known.",
        expected: Answer::True,
        rounds: 1,
        threads: 2,
    },
    Family {
        name: "racy-counter",
        about: "The threads add to one counter without a lock; the sum is within bounds, the lower \
                of which is met in few orders only.",
        expected: Answer::True,
        rounds: 1,
        threads: 2,
    },
    Family {
        name: "pipeline",
        about: "The threads stand in a row and hand items on to their neighbours, through structs \
                with semaphores; the sum of the items is known.",
        expected: Answer::True,
        rounds: 2,
        threads: 3,
    },
];

/// The macro that makes the assertion of any member fail, for the tests.
#[cfg(test)]
const WRONG: &str = "WRONG";

impl Family {
    pub fn file(&self) -> String {
        format!("{}.c", self.name)
    }

    /// The members along an axis, the smallest first.
    pub fn series(&self, axis: Axis) -> Vec<Member> {
        match axis {
            Axis::Threads => {
                (2..=12).map(|threads| Member { threads, rounds: self.rounds }).collect()
            }
            // Cost grows slowly with rounds, so that the steps can grow, too.
            Axis::Rounds => [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64]
                .map(|rounds| Member { threads: self.threads, rounds })
                .into(),
        }
    }
}

/// What grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    Threads,
    Rounds,
}

impl Axis {
    pub const ALL: [Axis; 2] = [Axis::Threads, Axis::Rounds];

    pub fn name(self) -> &'static str {
        match self {
            Axis::Threads => "threads",
            Axis::Rounds => "rounds",
        }
    }
}

/// One program of a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    pub threads: u32,
    /// Of each thread.
    pub rounds: u32,
}

impl Member {
    /// Where it is on an axis.
    pub fn size(self, axis: Axis) -> u32 {
        match axis {
            Axis::Threads => self.threads,
            Axis::Rounds => self.rounds,
        }
    }

    /// The options of the verifier that choose it.
    pub fn defines(self) -> String {
        format!("-D THREADS={} -D ROUNDS={}", self.threads, self.rounds)
    }
}

impl fmt::Display for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "threads={} rounds={}", self.threads, self.rounds)
    }
}

/// Who is to give the answer, and whose states are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The explorer of concrete states.
    Explorer,
    /// The analysis with abstract states; they are counted over all refinements.
    Analysis,
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Engine::Explorer => "explorer",
            Engine::Analysis => "analysis",
        })
    }
}

/// Options of the verifier.
#[derive(Debug)]
pub struct Configuration {
    pub engine: Engine,
    /// The reduction, as `--por` names it.
    pub por: &'static str,
}

pub const CONFIGURATIONS: [Configuration; 6] = [
    Configuration { engine: Engine::Explorer, por: "none" },
    Configuration { engine: Engine::Explorer, por: "static" },
    Configuration { engine: Engine::Explorer, por: "dynamic" },
    Configuration { engine: Engine::Analysis, por: "none" },
    Configuration { engine: Engine::Analysis, por: "static" },
    Configuration { engine: Engine::Analysis, por: "abstraction-aware" },
];

impl Configuration {
    pub fn name(&self) -> String {
        format!("{}, {}", self.engine, self.por)
    }

    pub fn options(&self) -> String {
        let engine = match self.engine {
            // The explorer works beside an analysis. One that knows nothing of memory gives up at
            // once on these programs, and takes no time from it.
            Engine::Explorer => {
                "--domain explicit --memory havoc --order dfs --unroll 0 --templates off"
            }
            Engine::Analysis => "--explore off",
        };
        format!("{engine} --por {}", self.por)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use ravelin_base::{Budget, DataModel};
    use ravelin_cfa::{Program, passes};
    use ravelin_explore::{Answer as Found, Options, Reduction, explore};
    use ravelin_frontend::source::{Direction, SourceOptions, with_deep_stack};

    use super::*;

    fn build(family: &Family, member: Member, wrong: bool) -> Program {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("growth").join(family.file());
        let mut defines =
            vec![format!("THREADS={}", member.threads), format!("ROUNDS={}", member.rounds)];
        if wrong {
            defines.push(WRONG.to_owned());
        }
        let options = SourceOptions {
            directions: defines.into_iter().map(Direction::Define).collect(),
            data_model: DataModel::Ilp32,
            ..SourceOptions::default()
        };
        let built = with_deep_stack(|| ravelin_frontend::build(&[file], &options))
            .expect("there is room for a stack")
            .unwrap_or_else(|errors| panic!("{} {member}: {errors:?}", family.name));
        let mut program = built.program;
        passes::run(&mut program, passes::DEFAULT, &Default::default()).expect("passes run");
        program
    }

    fn verdict(program: &Program, reduction: Reduction) -> Option<Answer> {
        let options = Options { reduction, ..Options::default() };
        match explore(program, &options, &mut Budget::unlimited()).answer {
            Found::Complete => Some(Answer::True),
            Found::Error { .. } => Some(Answer::False),
            Found::Incomplete(_) => None,
        }
    }

    /// The smallest members are as expected, whatever the reduction; and the assertion is worth
    /// checking: where it asks for one more, it fails.
    #[test]
    fn smallest_members() {
        for family in &FAMILIES {
            for (threads, rounds) in [(2, 1), (2, 2), (2, 3), (3, 1), (3, 2)] {
                let member = Member { threads, rounds };
                let [right, wrong] = [false, true].map(|wrong| build(family, member, wrong));
                for reduction in [Reduction::None, Reduction::Static, Reduction::Dynamic] {
                    let of = format!("{} {member} {reduction:?}", family.name);
                    assert_eq!(verdict(&right, reduction), Some(family.expected), "{of}");
                    assert_eq!(verdict(&wrong, reduction), Some(Answer::False), "{of}, wrong");
                }
            }
        }
    }

    /// The program has a procedure for every thread: it must have enough of them.
    #[test]
    fn the_longest_pipeline() {
        let pipeline = FAMILIES.iter().find(|family| family.name == "pipeline").expect("a family");
        let most = pipeline.series(Axis::Threads).into_iter().map(|member| member.threads).max();
        let member = Member { threads: most.expect("a series"), rounds: 1 };
        let program = build(pipeline, member, false);
        assert_eq!(verdict(&program, Reduction::Static), Some(Answer::True));
    }

    #[test]
    fn series_grow_along_their_axis_alone() {
        for family in &FAMILIES {
            for axis in Axis::ALL {
                let series = family.series(axis);
                assert!(series.windows(2).all(|pair| pair[0].size(axis) < pair[1].size(axis)));
                let other = if axis == Axis::Threads { Axis::Rounds } else { Axis::Threads };
                assert!(series.windows(2).all(|pair| pair[0].size(other) == pair[1].size(other)));
            }
        }
    }
}
