//! The lines that two states of a file have in common.

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};
use std::time::{Duration, Instant};

/// A diff that takes longer is cut short: fewer lines are common then, none wrongly.
const PATIENCE: Duration = Duration::from_millis(200);

/// A run of lines that both states have.
struct Common {
    indexed: usize,
    buffer: usize,
    len: usize,
}

/// Lines of a file as it was indexed and as the editor holds it, counted from 0.
pub(crate) struct LineMap {
    common: Vec<Common>,
}

impl LineMap {
    pub(crate) fn between(indexed: &str, buffer: &str) -> Self {
        let (old, new): (Vec<&str>, Vec<&str>) =
            (indexed.lines().collect(), buffer.lines().collect());
        let deadline = Some(Instant::now() + PATIENCE);
        let operations = capture_diff_slices_deadline(Algorithm::Patience, &old, &new, deadline);
        let common = operations
            .into_iter()
            .filter_map(|operation| match operation {
                DiffOp::Equal {
                    old_index,
                    new_index,
                    len,
                } => Some(Common {
                    indexed: old_index,
                    buffer: new_index,
                    len,
                }),
                _ => None,
            });
        Self {
            common: common.collect(),
        }
    }

    /// The line of the buffer that an indexed one is; `None` where it was edited or is gone.
    pub(crate) fn to_buffer(&self, line: u32) -> Option<u32> {
        let line = line as usize;
        let run = self.run(|run| run.indexed, line)?;
        u32::try_from(run.buffer + (line - run.indexed)).ok()
    }

    /// The indexed line that one of the buffer is; `None` where it is new or was edited.
    pub(crate) fn to_indexed(&self, line: u32) -> Option<u32> {
        let line = line as usize;
        let run = self.run(|run| run.buffer, line)?;
        u32::try_from(run.indexed + (line - run.buffer)).ok()
    }

    /// The run that holds a line, by the side whose starts `start` gives.
    fn run(&self, start: impl Fn(&Common) -> usize, line: usize) -> Option<&Common> {
        let n_before = self.common.partition_point(|run| start(run) <= line);
        let run = &self.common[n_before.checked_sub(1)?];
        (line < start(run) + run.len).then_some(run)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_around_an_edit_are_found_on_both_sides() {
        let map = LineMap::between("a\nb\nc\nd\n", "new\na\nB\nc\nd\nend\n");
        let to_buffer: Vec<_> = (0..5).map(|line| map.to_buffer(line)).collect();
        assert_eq!(to_buffer, [Some(1), None, Some(3), Some(4), None]);
        let to_indexed: Vec<_> = (0..6).map(|line| map.to_indexed(line)).collect();
        assert_eq!(to_indexed, [None, Some(0), None, Some(2), Some(3), None]);
    }

    #[test]
    fn line_ends_alone_make_no_difference() {
        let map = LineMap::between("a\nb\n", "a\r\nb\r\n");
        assert_eq!(map.to_buffer(1), Some(1));
    }
}
