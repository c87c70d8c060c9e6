//! The arguments as they were given, one after the other: what comes later wins, as in ripgrep.

use crate::error::GrepError;
use crate::flag_table::{FlagValue, ROWS, Row};
use std::ffi::OsString;
use std::path::PathBuf;

/// What is made of the files.
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

/// What a match is bounded by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Boundary {
    Line,
    Word,
}

/// What becomes of files with NUL bytes.
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

/// Which rules about ignored files do not hold.
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

/// What is on or off.
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

/// What arguments come to.
#[derive(Debug)]
pub enum Parsed {
    /// A search to be made here.
    Here(Box<Flags>),
    /// A flag that only ripgrep itself knows, as it was written.
    Elsewhere(String),
    /// The help was asked for.
    Help,
}

/// Reads arguments; those of a configuration file come first, unless `--no-config` is among the others.
///
/// # Errors
/// A flag that takes a value and has none, or one that it does not take.
pub fn parse(args: &[OsString], config: &[OsString]) -> Result<Parsed, GrepError> {
    let parsed = parse_all(args.iter().cloned())?;
    match parsed {
        Parsed::Here(flags) if !flags.switches.no_config && !config.is_empty() => {
            parse_all(config.iter().chain(args).cloned())
        }
        parsed => Ok(parsed),
    }
}

fn parse_all(args: impl Iterator<Item = OsString>) -> Result<Parsed, GrepError> {
    let mut flags = Flags::default();
    let mut parser = lexopt::Parser::from_args(args);
    let mut elsewhere = None;
    while let Some(arg) = parser.next()? {
        let (row, written) = match arg {
            lexopt::Arg::Value(value) => {
                flags.positional.push(value);
                continue;
            }
            lexopt::Arg::Short('h') => return Ok(Parsed::Help),
            lexopt::Arg::Long("help") => return Ok(Parsed::Help),
            lexopt::Arg::Short(short) => (Row::by_short(short), format!("-{short}")),
            lexopt::Arg::Long(name) => (Row::by_name(name), format!("--{name}")),
        };
        let Some(row) = row else {
            // What follows may be its value, or not.
            elsewhere = Some(written);
            break;
        };
        let value = match row.set {
            FlagValue::Switch(set) => {
                set(&mut flags);
                continue;
            }
            FlagValue::Value(set) => set(&mut flags, parser.value()?),
        };
        match value {
            Ok(true) => {}
            Ok(false) => elsewhere = Some(written),
            Err(problem) => {
                let flag = row.name;
                return Err(GrepError::Value { flag, problem });
            }
        }
    }
    Ok(match elsewhere {
        Some(flag) => Parsed::Elsewhere(flag),
        None => Parsed::Here(Box::new(flags)),
    })
}

impl Row {
    fn by_short(short: char) -> Option<&'static Self> {
        ROWS.iter().find(|row| row.short == Some(short))
    }

    fn by_name(name: &str) -> Option<&'static Self> {
        ROWS.iter().find(|row| row.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(args: &[&str]) -> Flags {
        let args: Vec<OsString> = args.iter().map(OsString::from).collect();
        match parse(&args, &[]) {
            Ok(Parsed::Here(flags)) => *flags,
            other => panic!("{args:?}: {other:?}"),
        }
    }

    #[test]
    fn names_are_told_apart_and_no_two_rows_are_one() {
        let mut names: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
        let mut shorts: Vec<char> = ROWS.iter().filter_map(|row| row.short).collect();
        let n = (names.len(), shorts.len());
        names.sort_unstable();
        names.dedup();
        shorts.sort_unstable();
        shorts.dedup();
        assert_eq!((names.len(), shorts.len()), n);
    }

    #[test]
    fn what_comes_later_wins() {
        let given = flags(&["-i", "-c", "-S", "-l", "-w", "-x", "a", "-s"]);
        assert_eq!(given.case, CaseMode::Sensitive);
        assert_eq!(given.mode, Mode::FilesWithMatches);
        assert_eq!(given.boundary, Some(Boundary::Line));
        assert_eq!(flags(&["--files", "-c"]).mode, Mode::Files);
        assert_eq!(flags(&["--json", "--no-json"]).mode, Mode::Lines);
    }

    #[test]
    fn values_stand_in_the_flag_or_behind_it() {
        for args in [
            ["-A2", "a"].as_slice(),
            &["-A", "2", "a"],
            &["-nA=2", "a"],
            &["--after-context=2", "a"],
        ] {
            assert_eq!(flags(args).context.sides(), (0, 2), "{args:?}");
        }
        assert_eq!(flags(&["-C3", "-A1", "x"]).context.sides(), (3, 1));
        assert_eq!(flags(&["--", "-n"]).positional, ["-n"]);
        assert_eq!(
            flags(&["-e", "-n"]).patterns,
            [PatternSource::Pattern("-n".into())]
        );
        assert_eq!(flags(&["--max-filesize", "2K"]).max_filesize, Some(2048));
        assert!(parse(&["-A".into(), "x".into()], &[]).is_err());
        assert!(parse(&["-A".into()], &[]).is_err());
    }

    #[test]
    fn a_flag_of_ripgreps_own_is_named() {
        for (args, flag) in [
            (["-nP", "a"], "-P"),
            (["--sort=size", "a"], "--sort"),
            (["--pre", "x"], "--pre"),
        ] {
            let args = args.map(OsString::from);
            let parsed = parse(&args, &[]);
            assert!(
                matches!(&parsed, Ok(Parsed::Elsewhere(named)) if named == flag),
                "{parsed:?}"
            );
        }
        assert!(matches!(parse(&["-h".into()], &[]), Ok(Parsed::Help)));
    }

    #[test]
    fn a_configuration_comes_first_unless_it_is_not_wanted() {
        let parse_with = |args: &[&str]| {
            let args: Vec<OsString> = args.iter().map(OsString::from).collect();
            match parse(&args, &["-i".into(), "-C2".into()]) {
                Ok(Parsed::Here(flags)) => (flags.case, flags.context.sides()),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(parse_with(&["-s", "a"]), (CaseMode::Sensitive, (2, 2)));
        assert_eq!(
            parse_with(&["--no-config", "a"]),
            (CaseMode::Sensitive, (0, 0))
        );
    }
}
