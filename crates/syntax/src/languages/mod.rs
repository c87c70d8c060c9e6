//! The languages with a grammar: one file each, one line in [`SPECS`].

mod bash;
mod cpp;
mod csharp;
mod dart;
mod families;
mod go;
mod java;
mod javascript;
mod kotlin;
mod lua;
mod php;
mod proto;
mod python;
mod ruby;
mod rust;
mod scala;
mod sql;
mod swift;
mod terraform;

use crate::family::Family;
use crate::language::Language;
use crate::lines::Lines;
use crate::name_rules::{BareMembers, NameRules};
use crate::spec::Spec;
use crate::tables::{IndexedSpec, Tables};
use crate::types::FileFacts;
use std::sync::OnceLock;

/// Every language with a grammar, by name.
static SPECS: &[(&str, &Spec)] = &[
    ("typescript", &javascript::TYPESCRIPT),
    ("tsx", &javascript::TSX),
    ("javascript", &javascript::JAVASCRIPT),
    ("python", &python::PYTHON),
    ("go", &go::GO),
    ("rust", &rust::RUST),
    ("java", &java::JAVA),
    ("c", &cpp::C),
    ("cpp", &cpp::CPP),
    ("ruby", &ruby::RUBY),
    ("php", &php::PHP),
    ("csharp", &csharp::CSHARP),
    ("kotlin", &kotlin::KOTLIN),
    ("dart", &dart::DART),
    ("swift", &swift::SWIFT),
    ("scala", &scala::SCALA),
    ("bash", &bash::BASH),
    ("lua", &lua::LUA),
    ("protobuf", &proto::PROTO),
    ("terraform", &terraform::TERRAFORM),
];

/// Reads the lines of a file.
pub(crate) type Reader = fn(&Lines<'_>) -> FileFacts;

/// Languages that have a reader of their own in place of a grammar.
static READERS: &[(&str, Reader)] = &[("sql", sql::read)];

/// What a name can mean in languages that are read without a grammar, or in parts.
static WITHOUT_GRAMMAR: &[(&str, &NameRules)] = &[
    ("sql", &sql::NAMES),
    ("vue", &javascript::NAMES),
    ("svelte", &javascript::NAMES),
    ("astro", &javascript::NAMES),
    (
        "groovy",
        &NameRules {
            is_read_by_lines: true,
            ..java::NAMES
        },
    ),
    (
        "objc",
        &NameRules {
            is_read_by_lines: true,
            methods_have_other_names: true,
            ..cpp::NAMES
        },
    ),
    (
        "elixir",
        &NameRules {
            family: Family::Elixir,
            is_read_by_lines: true,
            modules_have_dots: true,
            namespaces_span_files: true,
            main_starts_programs: true,
            ..NameRules::NONE
        },
    ),
    (
        "haskell",
        &NameRules {
            family: Family::Haskell,
            is_read_by_lines: true,
            modules_have_dots: true,
            heads_are_code: true,
            main_starts_programs: true,
            ..NameRules::NONE
        },
    ),
    (
        "zig",
        &NameRules {
            family: Family::Zig,
            is_read_by_lines: true,
            names_are_imported: true,
            heads_are_code: true,
            bare_members: BareMembers::Nowhere,
            main_starts_programs: true,
            ..NameRules::NONE
        },
    ),
];

/// Returns what a name can mean in a language; no rule holds in one that is not known. O(languages).
pub fn name_rules(language: &str) -> &'static NameRules {
    rows()
        .find(|row| row.0 == language)
        .map_or(&NameRules::NONE, |row| row.1)
}

/// The languages of which something is known, with what a name can mean.
pub(crate) fn rows() -> impl Iterator<Item = (&'static str, &'static NameRules)> {
    let specs = SPECS.iter().map(|(name, spec)| (*name, spec.names));
    specs.chain(WITHOUT_GRAMMAR.iter().copied())
}

/// Names of the languages with a grammar.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    SPECS.iter().map(|row| row.0)
}

/// Returns the reader of a language, if it has one of its own.
pub(crate) fn reader_of(language: Language) -> Option<Reader> {
    let row = READERS.iter().find(|row| row.0 == language.name())?;
    Some(row.1)
}

static TABLES: [OnceLock<Tables>; 32] = [const { OnceLock::new() }; 32];

/// The rules of a language and the same by numeric ids; none for a language without a grammar.
pub(crate) fn spec_of(language: Language) -> Option<IndexedSpec> {
    let at = SPECS.iter().position(|row| row.0 == language.name())?;
    let spec = SPECS[at].1;
    let tables = TABLES[at].get_or_init(|| Tables::new(spec));
    Some(IndexedSpec { spec, tables })
}
