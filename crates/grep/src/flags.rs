//! The arguments as they were given, one after the other: what comes later wins, as in ripgrep.

use std::ffi::OsString;
use std::path::PathBuf;

/// The form of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Lines that match.
    #[default]
    Lines,
    FilesWithMatches,
    FilesWithoutMatch,
    Count,
    CountMatches,
    Json,
    /// The files that would be searched.
    Files,
}

impl Mode {
    /// `--files` stays what it is, whatever comes after it.
    pub(crate) fn update(&mut self, new: Self) {
        if *self != Self::Files {
            *self = new;
        }
    }
}

/// When case counts: always, never, or once a pattern has a capital letter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CaseMode {
    #[default]
    Sensitive,
    Insensitive,
    Smart,
}

/// The bounds that a match must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Boundary {
    Line,
    Word,
}

/// The treatment of files with NUL bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Binary {
    #[default]
    Auto,
    Searched,
    Text,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Colour {
    Never,
    #[default]
    Auto,
    Always,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TypeChange {
    Add(String),
    Clear(String),
    Select(String),
    Negate(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PatternSource {
    Pattern(OsString),
    File(PathBuf),
}

/// Rules about ignored files that do not hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct NoIgnore {
    pub(crate) dot: bool,
    pub(crate) exclude: bool,
    pub(crate) files: bool,
    pub(crate) global: bool,
    pub(crate) parent: bool,
    pub(crate) vcs: bool,
    pub(crate) require_git: bool,
    pub(crate) messages: bool,
}

impl NoIgnore {
    /// `--no-ignore`, and `--ignore` again.
    pub(crate) fn set_all(&mut self, is_set: bool) {
        self.dot = is_set;
        self.exclude = is_set;
        self.global = is_set;
        self.parent = is_set;
        self.vcs = is_set;
    }
}

/// Lines around a match; `both` holds where a side says nothing of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Context {
    pub(crate) before: Option<usize>,
    pub(crate) after: Option<usize>,
    pub(crate) both: Option<usize>,
}

impl Context {
    pub(crate) fn sides(self) -> (usize, usize) {
        let side = |own: Option<usize>| own.or(self.both).unwrap_or(0);
        (side(self.before), side(self.after))
    }
}

/// Arguments that were understood.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    pub(crate) positional: Vec<OsString>,
    pub(crate) patterns: Vec<PatternSource>,
    pub(crate) mode: Mode,
    pub(crate) case: CaseMode,
    pub(crate) boundary: Option<Boundary>,
    pub(crate) binary: Binary,
    pub(crate) colour: Colour,
    pub(crate) colours: Vec<grep_printer::UserColorSpec>,
    pub(crate) context: Context,
    pub(crate) no_ignore: NoIgnore,
    pub(crate) ignore_files: Vec<PathBuf>,
    pub(crate) ignore_files_any_case: bool,
    pub(crate) globs: Vec<String>,
    pub(crate) iglobs: Vec<String>,
    pub(crate) globs_any_case: bool,
    pub(crate) types: Vec<TypeChange>,
    pub(crate) max_columns: Option<u64>,
    pub(crate) max_count: Option<u64>,
    pub(crate) max_depth: Option<usize>,
    pub(crate) max_filesize: Option<u64>,
    pub(crate) replace: Option<Vec<u8>>,
    pub(crate) column: Option<bool>,
    pub(crate) heading: Option<bool>,
    pub(crate) line_number: Option<bool>,
    pub(crate) with_filename: Option<bool>,
    pub(crate) unrestricted: usize,
    pub(crate) switches: Switches,
}

/// Flags that are on or off.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Switches {
    pub(crate) byte_offset: bool,
    pub(crate) fixed_strings: bool,
    pub(crate) follow: bool,
    pub(crate) hidden: bool,
    pub(crate) include_zero: bool,
    pub(crate) invert_match: bool,
    pub(crate) max_columns_preview: bool,
    pub(crate) multiline: bool,
    pub(crate) multiline_dotall: bool,
    pub(crate) no_config: bool,
    pub(crate) no_messages: bool,
    pub(crate) no_unicode: bool,
    pub(crate) null: bool,
    pub(crate) one_file_system: bool,
    pub(crate) only_matching: bool,
    pub(crate) quiet: bool,
    pub(crate) trim: bool,
    pub(crate) vimgrep: bool,
}
