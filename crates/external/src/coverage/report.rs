//! A coverage report as read, whatever its format.

/// Problems kept of a report; further ones are counted.
pub const MAX_PROBLEMS: usize = 20;

/// Lines and functions kept of a report: 64 bytes each at most.
pub const MAX_RECORDS: usize = 4_000_000;

/// Who wrote a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the meaning")]
pub enum CoverageFormat {
    Lcov,
    Cobertura,
    GoProfile,
}

impl CoverageFormat {
    /// Returns its name as people write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lcov => "lcov",
            Self::Cobertura => "Cobertura",
            Self::GoProfile => "Go coverprofile",
        }
    }
}

/// What a report says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Who wrote it.
    pub format: CoverageFormat,
    /// The measured files in its order; a path may come more than once.
    pub files: Vec<FileCoverage>,
    /// Folders that relative paths may stand in (Cobertura's sources).
    pub roots: Vec<String>,
    /// Seconds since the epoch at which it was written, where it says so.
    pub written_s: Option<i64>,
    /// What could not be read, at most [`MAX_PROBLEMS`].
    pub problems: Vec<Problem>,
    /// Further problems.
    pub n_more_problems: u32,
}

/// A measured file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileCoverage {
    /// The path as written.
    pub path: String,
    /// Measured lines; they may overlap.
    pub lines: Vec<LineHits>,
    /// Measured functions.
    pub functions: Vec<FunctionHits>,
}

/// How often a range of lines ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineHits {
    /// First line, from 1.
    pub first: u32,
    /// Last line, inclusive; not before the first.
    pub last: u32,
    /// How often it ran.
    pub hits: u64,
}

/// How often a function ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionHits {
    /// Its name as written: bare, qualified, mangled, or a stand-in like `(anonymous_3)`.
    pub name: String,
    /// Its first line, or the first of its body.
    pub line: u32,
    /// How often it ran.
    pub hits: u64,
}

/// Something that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where in the report.
    pub at: At,
    /// What was met.
    pub message: String,
}

/// A place in a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// Line, from 1.
    Line(u64),
    /// Bytes from its start.
    Byte(u64),
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.at {
            At::Line(line) => write!(f, "line {line}: {}", self.message),
            At::Byte(byte) => write!(f, "byte {byte}: {}", self.message),
        }
    }
}

/// Why nothing of a file can be read as coverage.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// No bytes but blanks.
    #[error("it is empty")]
    Empty,
    /// XML of another kind.
    #[error("its XML is <{root}>, not Cobertura's <coverage>; convert it to Cobertura or lcov")]
    OtherXml {
        /// The first element.
        root: String,
    },
    /// JSON, of which each tool has its own.
    #[error(
        "it is JSON; write lcov instead: `coverage lcov` (coverage.py), \
         `nyc report --reporter=lcov` (Istanbul), `c8 report --reporter=lcov` (V8), \
         the reporter `lcov` of Jest and Vitest"
    )]
    Json,
    /// Something else.
    #[error("no coverage format is recognised (lcov, Cobertura, Go coverprofile)")]
    Unknown,
}
