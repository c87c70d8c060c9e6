//! `npm run fuzz -- MINUTES`: what reads foreign bytes is given changed seeds, over and over.
//!
//! Plain mutation without coverage: bits, bytes, pieces of other seeds, repetitions, cuts and words of a
//! dictionary, from a seeded die, so that a run repeats itself. A finding is a panic, or an input of 64 KiB
//! at most that takes longer than its limit; it is written to `target/fuzz/<target>-<number>` and told.
//! What was changed and found new lengths of time stays among the seeds of the run.

mod targets;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use targets::TARGETS;

const MAX_BYTES: usize = 64 << 10;
/// For one input, in the debug build on a busy machine.
const LIMIT: Duration = Duration::from_secs(20);
/// Seeds of a run at most.
const MAX_SEEDS: usize = 400;
const WORDS: &[&[u8]] = &[
    b"(",
    b")",
    b"{",
    b"}",
    b"[",
    b"]",
    b"<",
    b">",
    b"\"",
    b"'",
    b"`",
    b"\n",
    b"\0",
    b"\xff\xfe",
    b"$A",
    b"$$$",
    b"class ",
    b"fn ",
    b"def ",
    b"::",
    b"->",
    b"=>",
    b"/*",
    b"*/",
    b"//",
    b"#",
    b"\\",
    b"\xe2\x80\xae",
    b"\xf0\x9f\xa6\x80",
    b"18446744073709551616",
    b"-1",
    b"1e999",
    b"..",
    b"/",
    b":",
    b",",
    b";",
    b"=",
];

fn main() {
    let mut args = std::env::args().skip(1);
    let minutes: f64 = args
        .next()
        .and_then(|text| text.parse().ok())
        .unwrap_or(1.0);
    let seed: u64 = args.next().and_then(|text| text.parse().ok()).unwrap_or(1);
    let only = args.next();
    let chosen: Vec<_> = TARGETS
        .iter()
        .filter(|target| only.as_deref().is_none_or(|name| name == target.name))
        .collect();
    let share = Duration::from_secs_f64(minutes * 60.0 / chosen.len().max(1) as f64);
    // A finding is told once, below.
    std::panic::set_hook(Box::new(|_| {}));
    let mut n_findings = 0;
    for target in chosen {
        let (n_inputs, findings) = fuzz(target, share, seed);
        n_findings += findings.len();
        out(&format!(
            "{} {}: {n_inputs} inputs in {:.0} s, {} findings (seed {seed})",
            if findings.is_empty() { "✓" } else { "✗" },
            target.name,
            share.as_secs_f64(),
            findings.len()
        ));
        findings
            .iter()
            .for_each(|finding| out(&format!("    {finding}")));
    }
    std::process::exit(i32::from(n_findings > 0));
}

fn fuzz(target: &targets::Target, share: Duration, seed: u64) -> (u64, Vec<String>) {
    let mut seeds = seeds(target);
    let mut die = Die::new(seed ^ target.name.len() as u64);
    let (mut findings, mut n_inputs, mut slowest) = (Vec::new(), 0_u64, Duration::ZERO);
    let end = Instant::now() + share;
    while Instant::now() < end && findings.len() < 20 {
        let input = match usize::try_from(n_inputs)
            .ok()
            .filter(|at| *at < seeds.len())
        {
            Some(at) => seeds[at].clone(),
            None => change(&mut die, &seeds),
        };
        n_inputs += 1;
        let began = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| (target.run)(&input)));
        let took = began.elapsed();
        if let Err(panic) = outcome {
            let said = panic.downcast_ref::<String>().cloned();
            let said = said.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            findings.push(format!(
                "{} at {}",
                said.unwrap_or_default(),
                keep(target.name, n_inputs, &input)
            ));
        } else if took > LIMIT {
            findings.push(format!(
                "{took:.1?} at {}",
                keep(target.name, n_inputs, &input)
            ));
        } else if took > slowest && seeds.len() < MAX_SEEDS {
            slowest = took;
            seeds.push(input);
        }
    }
    (n_inputs, findings)
}

fn seeds(target: &targets::Target) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fuzz/seeds")
        .join(target.name);
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    let mut seeds: Vec<Vec<u8>> = paths
        .iter()
        .filter_map(|path| fs::read(path).ok())
        .collect();
    seeds.extend((target.seeds)());
    if seeds.is_empty() {
        seeds.push(b"a".to_vec());
    }
    seeds
}

fn keep(name: &str, number: u64, input: &[u8]) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/fuzz");
    let path = folder.join(format!("{name}-{number}"));
    drop(fs::create_dir_all(&folder).and_then(|()| fs::write(&path, input)));
    path.display().to_string()
}

#[expect(
    clippy::print_stdout,
    reason = "a program that reports to the terminal"
)]
fn out(line: &str) {
    println!("{line}");
}

/// One to six changes of a seed.
fn change(die: &mut Die, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = die.pick(seeds).clone();
    for _ in 0..=die.below(5) {
        let at = die.below(bytes.len());
        let end = (at + 1 + die.below(40)).min(bytes.len());
        match die.below(8) {
            0 if at < bytes.len() => bytes[at] ^= 1 << die.below(7),
            1 if at < bytes.len() => bytes[at] = die.below(255) as u8,
            2 => drop(bytes.splice(at..at, die.pick(WORDS).iter().copied())),
            3 => drop(bytes.drain(at..end.max(at))),
            4 => {
                let piece = bytes[at..end.max(at)].repeat(1 + die.below(200));
                bytes.splice(at..at, piece);
            }
            5 => {
                let other = die.pick(seeds);
                let from = die.below(other.len());
                bytes.splice(
                    at..at,
                    other[from..(from + 300).min(other.len())].iter().copied(),
                );
            }
            6 => drop(bytes.splice(at..at, die.pick(WORDS).repeat(1 + die.below(3000)))),
            _ => bytes.truncate(at),
        }
        bytes.truncate(MAX_BYTES);
    }
    bytes
}

/// Numbers that depend on the seed alone (xorshift).
struct Die(u64);

impl Die {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// 0 to `n`, both included.
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % (n + 1)
    }

    fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len() - 1)]
    }
}
