//! The lines of a source.

use crate::lexical::Syntax;
use crate::types::{ImportKind, SymbolKind};

pub(super) struct SourceLines {
    pub(super) names: &'static [&'static str],
    pub(super) syntax: Syntax,
    pub(super) join: &'static str,
    pub(super) definitions: &'static [(&'static str, SymbolKind)],
    pub(super) imports: &'static [(&'static str, ImportKind)],
}
