//! The languages with a grammar: one folder each, one line in [`SPECS`].

mod bash;
mod cpp;
mod csharp;
mod go;
mod java;
mod javascript;
mod kotlin;
mod lua;
mod php;
mod python;
mod ruby;
mod rust;
mod scala;
mod swift;

use crate::language::Language;
use crate::spec::Spec;
use crate::tables::Tables;
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
    ("swift", &swift::SWIFT),
    ("scala", &scala::SCALA),
    ("bash", &bash::BASH),
    ("lua", &lua::LUA),
];

/// Names of the languages with a grammar.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    SPECS.iter().map(|row| row.0)
}

static TABLES: [OnceLock<Tables>; 32] = [const { OnceLock::new() }; 32];

/// The rules of a language and the same by numeric ids; none for a language without a grammar.
pub(crate) fn spec_of(language: Language) -> Option<(&'static Spec, &'static Tables)> {
    let at = SPECS.iter().position(|row| row.0 == language.name())?;
    let spec = SPECS[at].1;
    Some((spec, TABLES[at].get_or_init(|| Tables::new(spec))))
}
