//! The rewrites: each keeps what the code means.

mod layout;
mod modules;
mod names;
mod namesakes;
mod order;
mod paths;
mod scopes;
mod values;

use super::rewritten::Rewritten;
use super::site::Site;

/// A rewrite: its name, the languages in which it is sound, and what does it.
pub(super) struct Kind {
    pub(super) name: &'static str,
    pub(super) languages: &'static [&'static str],
    pub(super) rewrite: fn(&mut Site<'_>) -> Option<Rewritten>,
}

const fn kind(
    name: &'static str,
    languages: &'static [&'static str],
    rewrite: fn(&mut Site<'_>) -> Option<Rewritten>,
) -> Kind {
    Kind {
        name,
        languages,
        rewrite,
    }
}

const ALL: &[&str] = &[
    "typescript",
    "javascript",
    "python",
    "go",
    "rust",
    "java",
    "kotlin",
    "csharp",
    "php",
    "ruby",
    "scala",
    "swift",
    "cpp",
    "c",
];
const DOTTED: &[&str] = &[
    "typescript",
    "javascript",
    "rust",
    "java",
    "kotlin",
    "csharp",
    "php",
    "ruby",
    "scala",
    "swift",
    "cpp",
    "c",
];
/// A name in brackets is a value: it may not be the name of a type.
const BOUND: &[&str] = &[
    "typescript",
    "javascript",
    "python",
    "go",
    "rust",
    "java",
    "kotlin",
    "csharp",
    "php",
    "ruby",
    "scala",
    "swift",
    "cpp",
];
const RETURNING: &[&str] = &[
    "typescript",
    "javascript",
    "python",
    "go",
    "rust",
    "java",
    "kotlin",
    "csharp",
    "php",
    "ruby",
    "swift",
    "cpp",
];
const SCRIPTS: &[&str] = &["typescript", "javascript"];
const IMPORTING: &[&str] = &[
    "typescript",
    "javascript",
    "python",
    "go",
    "rust",
    "kotlin",
    "scala",
    "php",
];
const UNUSED: &[&str] = &[
    "typescript",
    "javascript",
    "python",
    "rust",
    "java",
    "kotlin",
    "csharp",
    "php",
    "ruby",
    "scala",
    "swift",
    "cpp",
    "c",
];

/// All rewrites.
pub(super) const KINDS: &[Kind] = &[
    kind("comments", ALL, layout::comments),
    kind("blank-lines", ALL, layout::blank_lines),
    kind("breaks", ALL, layout::breaks),
    kind("broken-chain", DOTTED, layout::broken_chain),
    kind("bracketed-argument", ALL, layout::bracketed_argument),
    kind(
        "bracketed-callee",
        &["typescript", "javascript", "python", "go", "rust"],
        layout::bracketed_callee,
    ),
    kind("bracketed-receiver", BOUND, values::bracketed_receiver),
    kind("block", ALL, layout::block),
    kind("bound-receiver", BOUND, values::bound_receiver),
    kind("bound-result", RETURNING, values::bound_result),
    kind(
        "bound-callee",
        &[
            "typescript",
            "javascript",
            "python",
            "go",
            "rust",
            "php",
            "ruby",
        ],
        values::bound_callee,
    ),
    kind("alias-import", IMPORTING, names::alias_import),
    kind("renamed-local", ALL, names::renamed_local),
    kind(
        "qualified-member",
        &["java", "kotlin", "csharp", "scala", "swift", "ruby"],
        names::qualified_member,
    ),
    kind("other-case", &["php"], names::other_case),
    kind("whole-name", &["php"], paths::whole_name),
    kind("package-name", &["java", "kotlin"], paths::package_name),
    kind(
        "through-module",
        &["typescript", "javascript", "python", "rust"],
        paths::through_module,
    ),
    kind("namesake-method", ALL, namesakes::method),
    kind("namesake-field", ALL, namesakes::field),
    kind("namesake-local", ALL, namesakes::local),
    kind("namesake-parameter", ALL, namesakes::parameter),
    kind("namesake-elsewhere", ALL, namesakes::elsewhere),
    kind("sibling-block", ALL, scopes::sibling_block),
    kind("lambda-parameter", ALL, scopes::lambda_parameter),
    kind("key", ALL, scopes::key),
    kind("local-type", ALL, scopes::local_type),
    kind("swapped", ALL, order::swapped),
    kind(
        "twins",
        &["rust", "c", "cpp", "csharp", "swift"],
        order::twins,
    ),
    kind(
        "overload",
        &["java", "kotlin", "csharp", "scala", "swift"],
        order::overload,
    ),
    kind("split", &["rust", "ruby", "csharp", "swift"], order::split),
    kind(
        "barrel",
        &["typescript", "javascript", "python", "rust"],
        modules::barrel,
    ),
    kind("import-later", SCRIPTS, modules::import_later),
    kind("unused-import", UNUSED, modules::unused_import),
    kind(
        "moved",
        &["go", "kotlin", "swift", "csharp", "scala", "java"],
        modules::moved,
    ),
];
