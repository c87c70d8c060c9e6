//! Repository paths as text: `/` between parts, no leading slash.

use whyrank_system::{folders, test_paths::is_test};

/// The folder of a path; empty for the root.
pub(crate) fn parent(path: &str) -> &str {
    path.rfind('/').map_or("", |at| &path[..at])
}

/// The last part of a path.
pub(crate) fn base_name(path: &str) -> &str {
    path.rfind('/').map_or(path, |at| &path[at + 1..])
}

/// The path without the extension of its last part.
pub(crate) fn without_extension(path: &str) -> &str {
    match base_name(path).rfind('.') {
        Some(at) if at > 0 => &path[..path.len() - base_name(path).len() + at],
        _ => path,
    }
}

/// The extension of the last part, without the dot.
pub(crate) fn extension(path: &str) -> &str {
    let name = base_name(path);
    name.rfind('.')
        .filter(|at| *at > 0)
        .map_or("", |at| &name[at + 1..])
}

/// Joins and removes `.` and `..`; `None` when it leads out of the repository.
pub(crate) fn join(folder: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Says whether a path is not what the package ships: tests, examples, documentation, benchmarks.
pub(crate) fn is_non_production(path: &str) -> bool {
    is_test(path) || folders::is_example(path) || folders::is_benchmark(path) || is_built(path)
}

/// Says whether a path holds what was built or copied: it names everything and uses nothing.
pub(crate) fn is_built(path: &str) -> bool {
    folders::is_build_output(path) || folders::is_vendored(path)
}

/// A path from a folder on; none for one outside of it.
pub(crate) fn below<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    if folder.is_empty() {
        return Some(path);
    }
    path.strip_prefix(folder)?.strip_prefix('/')
}

#[cfg(test)]
mod tests {
    use super::{extension, join, without_extension};

    #[test]
    fn join_folds_dots_and_stops_at_the_root() {
        assert_eq!(join("src/a", "../b/./c").as_deref(), Some("src/b/c"));
        assert_eq!(join("", "./x").as_deref(), Some("x"));
        assert_eq!(join("a", "../../x"), None);
    }

    #[test]
    fn extension_belongs_to_the_last_part() {
        assert_eq!(
            (without_extension("a.b/c.d.ts"), extension("a.b/c.d.ts")),
            ("a.b/c.d", "ts")
        );
        assert_eq!(
            (without_extension("a.b/.env"), extension("a.b/.env")),
            ("a.b/.env", "")
        );
    }
}
