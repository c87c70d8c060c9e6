//! Runs in JSON: told apart by the keys of the outermost object, read with what is unknown left out.

use serde::Deserialize;

use super::collector::Collector;
use super::run::RunFormat;
use crate::coverage::At;

/// So much is searched for a key that tells the format.
const HEAD_BYTES: usize = 64 << 10;

pub(super) fn recognise(bytes: &[u8]) -> Option<RunFormat> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD_BYTES)]);
    let has = |key: &str| head.contains(key);
    if has("\"resourceSpans\"") {
        Some(RunFormat::OpenTelemetry)
    } else if has("\"traceEvents\"") {
        Some(RunFormat::Viztracer)
    } else if has("\"callFrame\"") && has("\"nodes\"") {
        Some(RunFormat::CpuProfile)
    } else {
        None
    }
}

/// Reads the values of a file one after another: most have one, collectors write one a line.
pub(super) fn values<'a, T: Deserialize<'a>>(
    bytes: &'a [u8],
    found: &mut Collector<'_, '_>,
    mut take: impl FnMut(T, &mut Collector<'_, '_>),
) {
    let mut stream = serde_json::Deserializer::from_slice(bytes).into_iter::<T>();
    while let Some(value) = stream.next() {
        match value {
            Ok(value) => take(value, found),
            Err(error) => {
                let at = At::Byte(stream.byte_offset() as u64);
                found.problem(at, &format!("the JSON cannot be read: {error}"));
                return;
            }
        }
    }
}
