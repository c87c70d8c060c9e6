//! From arguments to flags, or to ripgrep itself.

use crate::error::GrepError;
use crate::flag_table::{FlagValue, ROWS, Row};
use crate::flags::Flags;
use std::ffi::OsString;

/// The outcome of reading arguments.
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
    while let Some(arg) = parser.next()? {
        let (row, written) = match arg {
            lexopt::Arg::Value(value) => {
                flags.positional.push(value);
                continue;
            }
            lexopt::Arg::Short('h') | lexopt::Arg::Long("help") => return Ok(Parsed::Help),
            lexopt::Arg::Short(short) => (Row::by_short(short), format!("-{short}")),
            lexopt::Arg::Long(name) => (Row::by_name(name), format!("--{name}")),
        };
        let is_known = row
            .map(|row| row.take(&mut flags, &mut parser))
            .transpose()?;
        if is_known != Some(true) {
            return Ok(Parsed::Elsewhere(written));
        }
    }
    Ok(Parsed::Here(Box::new(flags)))
}

impl Row {
    fn by_short(short: char) -> Option<&'static Self> {
        ROWS.iter().find(|row| row.short == Some(short))
    }

    fn by_name(name: &str) -> Option<&'static Self> {
        ROWS.iter().find(|row| row.name == name)
    }

    /// Sets what the flag says; `false` for a value that only ripgrep itself knows.
    fn take(&self, flags: &mut Flags, parser: &mut lexopt::Parser) -> Result<bool, GrepError> {
        match self.set {
            FlagValue::Switch(set) => {
                set(flags);
                Ok(true)
            }
            FlagValue::Value(set) => {
                let flag = self.name;
                let taken = set(flags, parser.value()?);
                taken.map_err(|problem| GrepError::Value { flag, problem })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flags::{Boundary, CaseMode, Mode, PatternSource};

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
