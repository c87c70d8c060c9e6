//! How clever the person at the shell is: filters and words of each baseline.

const EXCLUDES: &str =
    "--exclude-dir=node_modules --exclude-dir=dist --exclude-dir=.git --exclude-dir=build";
/// The original looks at these languages only.
pub(crate) const ORIGINAL: &[&str] = &["ts", "tsx", "js", "mjs"];
/// Extensions of code.
pub(crate) const FAIR: &[&str] = &[
    "ts", "tsx", "js", "jsx", "mjs", "cjs", "vue", "py", "go", "rs", "java", "c", "h", "cc", "cpp",
    "hpp", "rb", "php", "cs", "kt", "swift", "scala", "sh", "lua", "ex", "exs", "hs", "zig",
    "dart",
];
const KEYWORDS: &str = "function|class|interface|type|const|let|var|def";
const FAIR_KEYWORDS: &str = "function|class|interface|type|const|let|var|def|fn|func|struct|trait|enum|mod|module|macro_rules!|static|union|record|object|val|impl";

/// How clever the person at the shell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GrepStyle {
    Naive,
    Smart,
    Fair,
}

impl GrepStyle {
    pub(crate) fn notes(self) -> &'static str {
        match self {
            Self::Naive => "grep without filters, then whole files; the original's floor",
            Self::Smart => {
                "grep with the original's filters (ts, tsx, js, mjs) and ten lines of context"
            }
            Self::Fair => {
                "smart-grep with the extensions, keywords and imports of other languages too"
            }
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Naive => "naive-grep",
            Self::Smart => "smart-grep",
            Self::Fair => "smart-grep-fair",
        }
    }

    pub(crate) fn filters(self) -> String {
        let extensions = match self {
            Self::Naive => return "--binary-files=without-match".to_owned(),
            Self::Smart => ORIGINAL,
            Self::Fair => FAIR,
        };
        let includes: Vec<String> = extensions
            .iter()
            .map(|extension| format!("--include='*.{extension}'"))
            .collect();
        format!("{} {EXCLUDES}", includes.join(" "))
    }

    pub(crate) fn keywords(self) -> &'static str {
        if self == Self::Fair {
            FAIR_KEYWORDS
        } else {
            KEYWORDS
        }
    }
}
