//! Go's coverprofile (`go test -coverprofile`): a block of statements a line.

use super::Collector;
use super::report::{At, CoverageFormat};

pub(super) fn is_profile(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let first = lines.find(|line| !line.is_empty()).unwrap_or_default();
    matches!(first, b"mode: set" | b"mode: count" | b"mode: atomic")
}

pub(super) fn read(bytes: &[u8], found: &mut Collector<'_, '_>) {
    found.format = Some(CoverageFormat::GoProfile);
    let mut current = String::new();
    for (text, number) in bytes.split(|byte| *byte == b'\n').zip(1u64..) {
        let at = At::Line(number);
        if !found.step(at) {
            return;
        }
        let text = String::from_utf8_lossy(text.trim_ascii());
        // Profiles are put together by joining them, heads included.
        if text.is_empty() || text.starts_with("mode: ") {
            continue;
        }
        let Some((path, lines, hits)) = block(&text) else {
            let head: String = text.chars().take(40).collect();
            found.problem(at, &format!("`{head}` is not a block"));
            continue;
        };
        if path != current {
            found.file(path, at);
            path.clone_into(&mut current);
        }
        found.line(lines.0, lines.1, hits, at);
    }
}

/// `path:10.2,12.16 3 1`: lines and columns of the start and the end, statements, runs.
fn block(text: &str) -> Option<(&str, (u32, u32), u64)> {
    let (path, rest) = text.rsplit_once(':')?;
    let mut fields = rest.split(' ');
    let (start, end) = fields.next()?.split_once(',')?;
    let line = |place: &str| -> Option<u32> { place.split_once('.')?.0.parse().ok() };
    let _n_statements: u64 = fields.next()?.parse().ok()?;
    let hits = fields.next()?.parse().ok()?;
    Some((path, (line(start)?, line(end)?), hits))
}
