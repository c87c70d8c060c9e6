//! Files that stick out: much in one place, depended on by many, depending on many.

use super::{file_graph::FileGraph, outliers::Fence};

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Far out, or it breaks something.
    High,
    /// Out of the ordinary.
    Medium,
    /// Good to know.
    Low,
}

/// What is counted of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileCounts {
    /// The file.
    pub file: u32,
    /// Definitions that hold code: functions, methods, types.
    pub n_definitions: u32,
    /// Files that depend on it.
    pub fan_in: u32,
    /// Files that it depends on.
    pub fan_out: u32,
}

/// The ordinary of a repository, by which its files are judged; none where there are too few.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ordinary {
    /// Definitions × dependents, of files that have both.
    pub weight: Option<Fence>,
    /// Dependents, of files that have some.
    pub fan_in: Option<Fence>,
    /// Dependencies, of files that have some.
    pub fan_out: Option<Fence>,
}

/// Which count of a file sticks out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hub {
    /// Depends on many and is depended on by many.
    Both,
    /// Depends on many.
    Out,
    /// Is depended on by many.
    In,
}

/// Counts the files that `counts` lets take part; who depends on whom is counted among them alone.
pub fn file_counts(
    graph: &FileGraph,
    n_definitions: &[u32],
    counts: &dyn Fn(u32) -> bool,
) -> Vec<FileCounts> {
    let files = (0u32..)
        .zip(n_definitions)
        .filter(|(file, _)| counts(*file));
    files
        .map(|(file, n_definitions)| FileCounts {
            file,
            n_definitions: *n_definitions,
            fan_in: graph.to(file).filter(|edge| counts(edge.from)).count() as u32,
            fan_out: graph
                .from(file)
                .iter()
                .filter(|edge| counts(edge.to))
                .count() as u32,
        })
        .collect()
}

impl Ordinary {
    /// Takes the fences of a repository's files.
    pub fn of(files: &[FileCounts]) -> Self {
        let fence = |value: &dyn Fn(&FileCounts) -> u32| {
            let values = files.iter().map(value).filter(|value| *value > 0);
            Fence::of(values.map(f64::from))
        };
        Self {
            weight: fence(&weight),
            fan_in: fence(&|file| file.fan_in),
            fan_out: fence(&|file| file.fan_out),
        }
    }

    /// Says whether a file holds much that many depend on.
    pub fn god(&self, file: &FileCounts) -> Option<Severity> {
        beyond(self.weight, weight(file))
    }

    /// Says whether a file is a hub. Many dependents alone are no fault: such a file is only dear
    /// to change.
    pub fn hub(&self, file: &FileCounts) -> Option<(Hub, Severity)> {
        let into = beyond(self.fan_in, file.fan_in);
        let out = beyond(self.fan_out, file.fan_out);
        match (into, out) {
            (Some(_), Some(_)) => Some((Hub::Both, Severity::High)),
            (None, Some(Severity::High)) => Some((Hub::Out, Severity::High)),
            (None, Some(_)) => Some((Hub::Out, Severity::Medium)),
            (Some(_), None) => Some((Hub::In, Severity::Low)),
            (None, None) => None,
        }
    }
}

fn weight(file: &FileCounts) -> u32 {
    file.n_definitions.saturating_mul(file.fan_in)
}

fn beyond(fence: Option<Fence>, value: u32) -> Option<Severity> {
    let (fence, value) = (fence?, f64::from(value));
    if value >= fence.far {
        Some(Severity::High)
    } else {
        (value > fence.outer).then_some(Severity::Medium)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> Vec<FileCounts> {
        let ordinary = (0..20).map(|file| FileCounts {
            file,
            n_definitions: 4 + file % 3,
            fan_in: 1 + file % 3,
            fan_out: 2 + file % 2,
        });
        let god = FileCounts {
            file: 20,
            n_definitions: 120,
            fan_in: 19,
            fan_out: 3,
        };
        ordinary.chain([god]).collect()
    }

    #[test]
    fn what_is_far_out_is_found_by_the_repositorys_own_measure() {
        let files = files();
        let ordinary = Ordinary::of(&files);
        let gods: Vec<u32> = files
            .iter()
            .filter(|file| ordinary.god(file) == Some(Severity::High))
            .map(|file| file.file)
            .collect();
        assert_eq!(gods, [20]);
        assert_eq!(ordinary.hub(&files[20]), Some((Hub::In, Severity::Low)));
        assert_eq!(ordinary.hub(&files[3]), None);
    }

    #[test]
    fn a_few_files_are_not_judged() {
        let ordinary = Ordinary::of(&files()[14..]);
        assert_eq!(ordinary.god(&files()[20]), None);
    }
}
