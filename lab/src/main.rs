//! `whyrank-lab`: what the makers of Whyrank measure and fit with. It is no part of a release.
//!
//! Standard output carries results, standard error everything else.

mod ablate;
mod args;
mod conformance;
mod corpus;
mod cpu;
mod dice;
mod draw;
mod fit;
mod git;
mod memory;
mod out;
mod progress;
mod rewrites;
mod scale;
mod violation;

use std::process::ExitCode;

use clap::Parser;
use whyrank_benchmark::Bench;
use whyrank_engine::{Engine, EnginePaths};

use crate::args::{Cli, Command};

fn main() -> ExitCode {
    let cli = Cli::parse();
    match whyrank_engine::whole(|| run(&cli)) {
        Ok(code) => code,
        Err(error) => out::failed(error, cli.json),
    }
}

fn run(cli: &Cli) -> anyhow::Result<ExitCode> {
    let json = cli.json;
    match &cli.command {
        Command::Ablate(args) => ablate::run(&open()?, args, json),
        Command::Sensitivity(args) => ablate::run_sensitivity(&open()?, args, json),
        Command::Fit(args) => fit::run(&open()?, args, json),
        Command::Memory(args) => memory::run(args, json),
        Command::Scale(args) => scale::run(args, json),
        Command::Corpus(args) => corpus::run(args, json),
        Command::Rewrites(args) => rewrites::run(args, json),
        Command::Conformance(args) => conformance::run(args),
    }
}

/// The harness over the user's engine.
fn open() -> anyhow::Result<Bench> {
    let paths = EnginePaths::from_env()?;
    Ok(Bench::new(Engine::open(paths.clone())?, paths))
}
