//! Runs of a program: which functions a profiler or tracer saw, how often, and who called them.
//!
//! The format is recognised by content. What cannot be read is a [`Problem`] and never keeps the rest
//! from being read. A run says what happened, never what did not: a function that it does not name may
//! have run all the same.

mod run;
pub use run::{CallNode, MAX_CALLS, MAX_FUNCTIONS, Run, RunFormat, RunFunction, Scope};

mod collector;
mod cpuprofile;
mod json;
mod marshal;
mod otel;
mod perf;
mod pprof;
mod pstats;
mod symbol_name;
mod viztracer;

use flate2::read::MultiGzDecoder;
use std::io::Read;

use crate::Budget;
use crate::coverage::At;
use collector::Collector;

/// Bytes taken out of a compressed file, and how many times its own; small ones may become larger.
const MAX_INFLATED: u64 = 128 << 20;
const MAX_INFLATION: u64 = 100;
const LEAST_INFLATED: u64 = 1 << 20;
/// Bytes taken out between two looks at whether anybody still waits.
const INFLATED_AT_ONCE: u64 = 1 << 20;

impl RunFormat {
    /// Returns its name as people write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pstats => "cProfile",
            Self::Viztracer => "VizTracer",
            Self::CpuProfile => "V8 CPU profile",
            Self::Pprof => "pprof",
            Self::PerfScript => "perf script",
            Self::OpenTelemetry => "OpenTelemetry",
        }
    }

    /// Returns what its counts count.
    pub fn unit(self) -> Unit {
        match self {
            Self::Pstats | Self::Viztracer => Unit::Calls,
            Self::CpuProfile | Self::Pprof | Self::PerfScript => Unit::Samples,
            Self::OpenTelemetry => Unit::Spans,
        }
    }
}

/// What a run counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Each call.
    #[default]
    Calls,
    /// How often a look at the stack met it.
    Samples,
    /// Spans of a trace; what lies between two spans is not seen.
    Spans,
}

/// Recognises a run by its first bytes; `None` for anything else. O(1).
pub fn recognise(bytes: &[u8]) -> Option<RunFormat> {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match text.iter().find(|byte| !byte.is_ascii_whitespace()) {
        _ if bytes.starts_with(&GZIP) => {
            let mut head = Vec::new();
            // A cut stream gives what came before the cut.
            drop(MultiGzDecoder::new(bytes).take(HEAD).read_to_end(&mut head));
            // Compressed without an end would be a file within a file.
            (!head.starts_with(&GZIP)).then(|| recognise(&head))?
        }
        _ if pstats::is_pstats(bytes) => Some(RunFormat::Pstats),
        _ if pprof::is_pprof(bytes) => Some(RunFormat::Pprof),
        Some(b'{') => json::recognise(text),
        _ if perf::is_perf(text) => Some(RunFormat::PerfScript),
        _ => None,
    }
}

/// Magic number and method of gzip.
const GZIP: [u8; 3] = [0x1f, 0x8b, 0x08];
/// Bytes looked at to recognise a format.
const HEAD: u64 = 64 << 10;

/// Reads a run of a format. O(bytes), and within the budget; memory is bounded by [`MAX_FUNCTIONS`] and
/// [`MAX_CALLS`].
pub fn read(format: RunFormat, bytes: &[u8], budget: &mut Budget<'_>) -> Run {
    let mut found = Collector::new(budget);
    let inflated;
    let bytes = if bytes.starts_with(&GZIP) {
        inflated = inflate(bytes, max_inflated(bytes.len()), &mut found);
        &inflated
    } else {
        bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
    };
    found.allow(bytes.len());
    match format {
        RunFormat::Pstats => pstats::read(bytes, &mut found),
        RunFormat::Viztracer => viztracer::read(bytes, &mut found),
        RunFormat::CpuProfile => cpuprofile::read(bytes, &mut found),
        RunFormat::Pprof => pprof::read(bytes, &mut found),
        RunFormat::PerfScript => perf::read(bytes, &mut found),
        RunFormat::OpenTelemetry => otel::read(bytes, &mut found),
    }
    found.run(format)
}

/// No profile shrinks as much as what is made to grow.
fn max_inflated(n_bytes: usize) -> u64 {
    let most = (n_bytes as u64).saturating_mul(MAX_INFLATION);
    most.clamp(LEAST_INFLATED, MAX_INFLATED)
}

fn inflate(bytes: &[u8], max_bytes: u64, found: &mut Collector<'_, '_>) -> Vec<u8> {
    let mut inflated = Vec::new();
    let mut stream = MultiGzDecoder::new(bytes).take(max_bytes);
    let mut n_before = None;
    while n_before != Some(inflated.len()) && found.is_awaited() {
        n_before = Some(inflated.len());
        if let Err(error) = stream
            .by_ref()
            .take(INFLATED_AT_ONCE)
            .read_to_end(&mut inflated)
        {
            let at = At::Byte(inflated.len() as u64);
            found.problem(at, &format!("the compression is damaged: {error}"));
            break;
        }
    }
    if inflated.len() as u64 == max_bytes {
        found.problem(
            At::Byte(max_bytes),
            "it grows more than any run; the rest is left out",
        );
    }
    inflated
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;

    #[test]
    fn what_grows_without_end_is_cut() {
        let mut bomb = GzEncoder::new(Vec::new(), Compression::fast());
        bomb.write_all(&[b'a'; 5000]).expect("memory");
        let mut budget = Budget::new(&|| true);
        let mut found = Collector::new(&mut budget);
        let inflated = inflate(&bomb.finish().expect("memory"), 1000, &mut found);
        assert_eq!(inflated.len(), 1000);
        let problems = found.run(RunFormat::PerfScript).problems;
        assert!(
            problems[0]
                .message
                .starts_with("it grows more than any run")
        );
    }
}
