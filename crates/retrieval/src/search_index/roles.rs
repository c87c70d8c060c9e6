//! What part a file plays, told by its path: where people look last when they search for code.

use super::third_party::is_third_party;
use whyrank_system::{folders, test_paths};

/// Words that mean tests.
pub(crate) const OF_TESTS: [&str; 6] = ["test", "spec", "fixtur", "fixture", "mock", "benchmark"];

/// A file's part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileRole {
    /// Code that is shipped.
    Source,
    /// Tests, fixtures, benchmarks.
    Test,
    /// Examples and the code of documentation.
    Example,
    /// Prose.
    Docs,
    /// Copies of other projects.
    Vendored,
    /// Made by a tool: lock files, bundles, generated code.
    Generated,
    /// Kept for old versions.
    Legacy,
    /// Declares what others define: `.d.ts`, package markers.
    Stub,
    /// Says how code is built, packed, run or checked: manifests, build files, settings.
    Config,
}

impl FileRole {
    /// Returns the role of a path. `is_prose`: the file's language is prose.
    pub fn of(path: &str, is_prose: bool) -> Self {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        FolderMarks::of(folder).role(folder, name, is_prose)
    }

    /// Returns the role in one word.
    pub fn name(self) -> &'static str {
        self.badge().unwrap_or("source")
    }

    /// Returns the badge that people and agents see; `None` for shipped code.
    pub fn badge(self) -> Option<&'static str> {
        match self {
            Self::Source => None,
            Self::Test => Some("test"),
            Self::Example => Some("example"),
            Self::Docs => Some("docs"),
            Self::Vendored => Some("vendored"),
            Self::Generated => Some("generated"),
            Self::Legacy => Some("legacy"),
            Self::Stub => Some("stub"),
            Self::Config => Some("config"),
        }
    }
}

/// What the folders above a file say, whatever its name.
#[derive(Clone, Copy, Debug)]
pub(super) struct FolderMarks {
    is_vendored: bool,
    is_generated: bool,
    is_test: bool,
    /// Shipped by the build, whatever its files are called.
    is_shipped: bool,
    is_example: bool,
    is_legacy: bool,
    is_config: bool,
}

impl FolderMarks {
    pub(super) fn of(folder: &str) -> Self {
        // As of a file without a name in it.
        let path = format!("{folder}/");
        let lower = folder.to_lowercase();
        let is_in = |names: &[&str]| lower.split('/').any(|part| names.contains(&part));
        Self {
            is_vendored: folders::is_likely_vendored(&path),
            is_generated: is_in(&["generated", "__generated__", "dist"]),
            is_test: test_paths::lies_in_tests(folder)
                || folders::is_benchmark(&path)
                || is_in(&["testing"]),
            is_shipped: test_paths::is_shipped(folder),
            is_example: folders::is_example(&path),
            is_legacy: is_in(&["compat", "_compat", "legacy", "deprecated"]),
            is_config: is_in(&[".github"]),
        }
    }

    /// Of a file in this folder.
    pub(super) fn role(self, folder: &str, name: &str, is_prose: bool) -> FileRole {
        let lower = name.to_lowercase();
        if self.is_vendored || is_third_party(&folder.to_lowercase(), &lower) {
            FileRole::Vendored
        } else if self.is_generated || is_generated(&lower) {
            FileRole::Generated
        } else if is_prose {
            FileRole::Docs
        } else if self.is_test || !self.is_shipped && test_paths::is_test_name(name) {
            FileRole::Test
        } else if self.is_example {
            FileRole::Example
        } else if self.is_legacy {
            FileRole::Legacy
        } else if lower.ends_with(".d.ts") || lower == "package-info.java" {
            FileRole::Stub
        } else if self.is_config || is_config(&lower) {
            FileRole::Config
        } else {
            FileRole::Source
        }
    }
}

fn is_generated(name: &str) -> bool {
    const NAMES: [&str; 12] = [
        "package-lock.json",
        "yarn.lock",
        "pnpm-lock.yaml",
        "cargo.lock",
        "poetry.lock",
        "uv.lock",
        "go.sum",
        "composer.lock",
        "gemfile.lock",
        "mix.lock",
        "flake.lock",
        "bun.lock",
    ];
    const MARKS: [&str; 9] = [
        ".min.js",
        ".min.css",
        ".pb.go",
        "_pb2.py",
        ".generated.",
        ".g.dart",
        ".g.cs",
        ".designer.cs",
        ".bundle.js",
    ];
    NAMES.contains(&name) || MARKS.iter().any(|mark| name.contains(mark))
}

/// By the names that build tools look for, and by formats that hold settings.
fn is_config(name: &str) -> bool {
    const NAMES: [&str; 16] = [
        "makefile",
        "gnumakefile",
        "cmakelists.txt",
        "dockerfile",
        "containerfile",
        "justfile",
        "rakefile",
        "gemfile",
        "podfile",
        "procfile",
        "vagrantfile",
        "jenkinsfile",
        "go.mod",
        "go.work",
        "mix.exs",
        "setup.py",
    ];
    const ENDINGS: [&str; 17] = [
        ".json",
        ".jsonc",
        ".json5",
        ".yaml",
        ".yml",
        ".toml",
        ".ini",
        ".cfg",
        ".xml",
        ".props",
        ".targets",
        ".csproj",
        ".gradle",
        ".gradle.kts",
        ".gemspec",
        ".cabal",
        ".zon",
    ];
    NAMES.contains(&name)
        || name.starts_with('.')
        || ENDINGS.iter().any(|ending| name.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_by_path() {
        for (path, expected) in [
            ("src/app.py", FileRole::Source),
            ("src/latest.py", FileRole::Source),
            ("tests/app.py", FileRole::Test),
            ("pkg/router_test.go", FileRole::Test),
            ("src/RouterTest.java", FileRole::Test),
            ("src/CipherSuite.kt", FileRole::Source),
            ("pkg/testing/clock.go", FileRole::Test),
            ("src/Shop.Tests/Checkout.cs", FileRole::Test),
            ("src/a.spec.ts", FileRole::Test),
            ("src/a.test-d.ts", FileRole::Test),
            (
                "src/main/java/org/junit/RepeatedTest.java",
                FileRole::Source,
            ),
            ("examples/hello.py", FileRole::Example),
            ("vendor/x/y.go", FileRole::Vendored),
            ("web/jquery-3.5.1.js", FileRole::Vendored),
            ("Cargo.lock", FileRole::Generated),
            ("src/_compat/x.py", FileRole::Legacy),
            ("types/index.d.ts", FileRole::Stub),
            ("Makefile", FileRole::Config),
            ("app/package.json", FileRole::Config),
            (".github/stale.js", FileRole::Config),
            ("src/config.py", FileRole::Source),
        ] {
            assert_eq!(FileRole::of(path, false), expected, "{path}");
        }
        assert_eq!(FileRole::of("README.md", true), FileRole::Docs);
    }
}
