//! What kind of file a text stands in: how sure a secret must be to hold the file back.

use whyrank_system::test_paths::is_test;

/// What a file is for, by its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SecretContext {
    /// Data, settings, scripts: a value under a name of a secret is meant.
    Settings,
    /// Prose, and the settings of tests and examples: only what was drawn at random.
    Doubtful,
    /// Manuals, and prose on tests: keys are shown there, not kept.
    Manual,
    /// Code of the product: literals only.
    Code,
    /// Code of tests, and lists of checksums: full of values that look like secrets and are none.
    Test,
}

const CODE: &[&str] = &[
    "api", "c", "cc", "cjs", "clj", "cljs", "cpp", "cs", "cts", "cxx", "dart", "erl", "ex", "exs",
    "fs", "go", "groovy", "h", "hh", "hpp", "hs", "inc", "java", "jl", "js", "jsx", "kt", "kts",
    "lua", "m", "mjs", "ml", "mm", "mts", "nim", "php", "pl", "pm", "py", "pyi", "r", "rb", "rs",
    "astro", "scala", "svelte", "swift", "ts", "tsx", "vb", "vue", "zig", "ipynb",
];

const PROSE: &[&str] = &[
    "adoc", "css", "htm", "html", "less", "markdown", "md", "mdx", "po", "pot", "resx", "rst",
    "scss", "strings", "svg", "tex", "xlf", "xliff",
];

/// Lists of checksums and of other packages' names.
const LOCKS: &[&str] = &[
    "cargo.lock",
    "composer.lock",
    "gemfile.lock",
    "go.sum",
    "npm-shrinkwrap.json",
    "package-lock.json",
    "pnpm-lock.yaml",
    "poetry.lock",
    "uv.lock",
    "yarn.lock",
];

/// Parts of a path, tests apart, that say that nothing here is meant.
const MADE_UP: &[&str] = &[
    "doc",
    "docs",
    "demo",
    "demos",
    "example",
    "examples",
    "fixture",
    "fixtures",
    "i18n",
    "lang",
    "locale",
    "locales",
    "mock",
    "mocks",
    "sample",
    "samples",
    "template",
    "testing",
    "translations",
];

impl SecretContext {
    pub(super) fn of(path: &str) -> Self {
        let of_tests = is_test(path);
        let path = path.to_ascii_lowercase();
        let name = path.rsplit('/').next().unwrap_or(&path);
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        let is_test = of_tests || path.split(['/', '.', '-', '_']).any(is_made_up);
        let is_translated = is_language(name.split(['.', '_', '-']).next().unwrap_or_default());
        let is_test = is_test || is_translated;
        let is_prose = PROSE.contains(&extension);
        match (CODE.contains(&extension), is_test) {
            _ if LOCKS.contains(&name) => Self::Test,
            (true, true) => Self::Test,
            (true, false) => Self::Code,
            (false, true) if is_prose => Self::Manual,
            (false, false) if !is_prose => Self::Settings,
            (false, _) => Self::Doubtful,
        }
    }
}

/// Whether a file's name begins with a code of two letters, as `de.json` and `pt_br.yml` do.
fn is_language(stem: &str) -> bool {
    const LANGUAGES: &[&str] = &[
        "ar", "cs", "da", "de", "en", "es", "fi", "fr", "he", "hu", "it", "ja", "ko", "nl", "no",
        "pl", "pt", "ro", "ru", "sv", "tr", "uk", "vi", "zh",
    ];
    LANGUAGES.contains(&stem)
}

fn is_made_up(part: &str) -> bool {
    MADE_UP.contains(&part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_examples_and_prose_are_doubted() {
        for (path, place) in [
            ("config/database.yml", SecretContext::Settings),
            ("deploy.sh", SecretContext::Settings),
            ("private.txt", SecretContext::Settings),
            ("README.md", SecretContext::Doubtful),
            ("docs/config.rst", SecretContext::Manual),
            ("examples/compose.yml", SecretContext::Doubtful),
            ("appsettings.Test.json", SecretContext::Doubtful),
            ("src/messages/de.json", SecretContext::Doubtful),
            ("src/app.py", SecretContext::Code),
            ("tests/test_app.py", SecretContext::Test),
            ("src/app_test.go", SecretContext::Test),
            ("src/RouterTest.java", SecretContext::Test),
            ("config/latest.yml", SecretContext::Settings),
            ("src/app.spec.ts", SecretContext::Test),
            ("sub/yarn.lock", SecretContext::Test),
        ] {
            assert_eq!(SecretContext::of(path), place, "{path}");
        }
    }
}
