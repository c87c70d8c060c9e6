//! A profile or trace as read, whatever its format.

use crate::coverage::Problem;

/// Functions kept of a run.
pub const MAX_FUNCTIONS: usize = 500_000;

/// Calls kept of a run, 24 bytes each.
pub const MAX_CALLS: usize = 2_000_000;

/// Who wrote a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the meaning")]
pub enum RunFormat {
    Pstats,
    Viztracer,
    CpuProfile,
    Pprof,
    PerfScript,
    OpenTelemetry,
}

/// What a run says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Who wrote it.
    pub format: RunFormat,
    /// What was met.
    pub functions: Vec<RunFunction>,
    /// Who called what, each with the way it was come to. A parent stands before its children.
    pub calls: Vec<CallNode>,
    /// What could not be read, at most [`crate::coverage::MAX_PROBLEMS`].
    pub problems: Vec<Problem>,
    /// Further problems.
    pub n_more_problems: u32,
}

/// A function as a run names it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RunFunction {
    /// Its file as written; empty where the run knows names alone, and for what lies outside.
    pub path: String,
    /// Its bare name; empty for one without a name.
    pub name: String,
    /// What it lies in: the last name before its own, or empty.
    pub container: String,
    /// A line of it, its first where the run says so; 0 where it says none.
    pub line: u32,
    /// What kind of code it is.
    pub scope: Scope,
}

/// What kind of code a run met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scope {
    /// A function, with or without a name.
    #[default]
    Function,
    /// The code of a file outside of functions.
    TopLevel,
    /// What lies in no file of any repository: built in, of the system, the profiler's own.
    Outside,
}

/// A function with the functions that led to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallNode {
    /// Place of the function in [`Run::functions`].
    pub function: u32,
    /// Place of its caller in [`Run::calls`].
    pub parent: Option<u32>,
    /// How often, with all that it led to.
    pub n: u64,
    /// The line of the call, in the file of the caller; 0 where the run does not say.
    pub line: u32,
}
