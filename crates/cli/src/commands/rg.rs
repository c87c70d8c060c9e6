//! `whyrank rg`.

use std::ffi::OsString;
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::path::PathBuf;
use std::process::ExitStatus;

use clap::CommandFactory;
use whyrank_engine::rg::{
    self, FileIndex, GrepError, NoIndex, Outcome, Parsed, Search, Surroundings,
};
use whyrank_engine::{Engine, EnginePaths};
use whyrank_system::program::{Program, SearchPath};

use crate::args::{Cli, RgArgs};
use crate::exit::Exit;
use crate::out;

/// ripgrep's exit code for what cannot be done.
const FAILED: u8 = 2;
/// Set for ripgrep itself: a program of that name that only leads back here is not run for ever.
const GUARD: &str = "WHYRANK_RG";
/// Bytes that are written at once into a pipe.
const BUFFER: usize = 64 << 10;

pub(crate) fn run(args: &RgArgs, json: bool) -> anyhow::Result<()> {
    let as_json = json.then(|| OsString::from("--json"));
    let given: Vec<OsString> = as_json
        .into_iter()
        .chain(args.args.iter().cloned())
        .collect();
    let code = match rg::parse(&given, &configured()) {
        Ok(Parsed::Help) => return help(),
        Ok(Parsed::Elsewhere(flag)) => ripgrep(given, &flag)?,
        Ok(Parsed::Here(flags)) => {
            let surroundings = Surroundings {
                folder: std::env::current_dir()?,
                is_terminal: io::stdout().is_terminal(),
                has_input: rg::has_input(),
            };
            match Search::new(*flags, &surroundings) {
                Ok(search) => self::search(&search)?,
                Err(error) => failed(&error),
            }
        }
        Err(error) => failed(&error),
    };
    match code {
        0 => Ok(()),
        code => Err(Exit(code).into()),
    }
}

fn failed(error: &GrepError) -> u8 {
    say(&error.to_string());
    FAILED
}

fn say(text: &str) {
    out::note(&format!("whyrank rg: {text}"));
}

fn search(search: &Search) -> anyhow::Result<u8> {
    let stdout = io::stdout().lock();
    let mut out: Box<dyn Write> = if stdout.is_terminal() {
        Box::new(stdout)
    } else {
        Box::new(BufWriter::with_capacity(BUFFER, stdout))
    };
    let outcome = search.run(&*index(search), &mut out, &say)?;
    tell_of_secrets(&outcome);
    Ok(outcome.exit_code())
}

/// The index of the files, where there is one. Nothing is made for the asking.
fn index(search: &Search) -> Box<dyn FileIndex> {
    let paths = EnginePaths::from_env().ok();
    let paths = paths.filter(|paths| paths.data_dir.is_dir());
    let engine = paths.and_then(|paths| Engine::open(paths).ok());
    match engine.and_then(|engine| engine.rg_index(search)) {
        Some(index) => Box::new(index),
        None => Box::new(NoIndex),
    }
}

fn tell_of_secrets(outcome: &Outcome) {
    let counted = |n: u64, what: &str| {
        let plural = if n == 1 { "" } else { "s" };
        format!("{n} {what}{plural}")
    };
    if outcome.n_struck > 0 {
        let lines = counted(outcome.n_struck, "line");
        say(&format!(
            "{lines} printed without the secrets that they hold"
        ));
    }
    if outcome.n_left_out > 0 {
        let files = counted(outcome.n_left_out, "file");
        say(&format!(
            "{files} left out that may match: what they hold is secret"
        ));
    }
}

/// The arguments of ripgrep's configuration file.
fn configured() -> Vec<OsString> {
    let path = std::env::var_os("RIPGREP_CONFIG_PATH").filter(|path| !path.is_empty());
    let Some(path) = path.map(PathBuf::from) else {
        return Vec::new();
    };
    rg::config_args(&path).unwrap_or_else(|error| {
        say(&format!("RIPGREP_CONFIG_PATH: {}: {error}", path.display()));
        Vec::new()
    })
}

/// Runs ripgrep itself.
fn ripgrep(args: Vec<OsString>, flag: &str) -> anyhow::Result<u8> {
    let path = SearchPath::outside_of_here().find("rg");
    let Some(path) = path.filter(|_| std::env::var_os(GUARD).is_none()) else {
        say(&format!(
            "{flag} is a flag of ripgrep's that is not known here, and no ripgrep is on PATH; install it, or leave the flag out"
        ));
        return Ok(FAILED);
    };
    say(&format!(
        "{flag} is not known here; ripgrep itself searches, and strikes out no secrets"
    ));
    let program = Program::new(path, std::env::current_dir()?)
        .args(args)
        .env(GUARD, "1");
    Ok(code_of(program.on_terminal()?))
}

#[cfg(unix)]
fn code_of(status: ExitStatus) -> u8 {
    use std::os::unix::process::ExitStatusExt as _;
    let ended = status.code().or(status.signal().map(|signal| 128 + signal));
    ended
        .and_then(|code| u8::try_from(code).ok())
        .unwrap_or(FAILED)
}

#[cfg(not(unix))]
fn code_of(status: ExitStatus) -> u8 {
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    code.unwrap_or(FAILED)
}

fn help() -> anyhow::Result<()> {
    let mut program = Cli::command();
    program.build();
    if let Some(command) = program.find_subcommand_mut("rg") {
        command.print_long_help()?;
    }
    Ok(())
}
