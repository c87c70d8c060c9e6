//! Definitions, uses, dependencies, ways between them.

use serde::{Deserialize, Serialize};
use specta::Type;

use super::coverage::CoverageReport;
use super::{DepsDirection, Memo, PlaceRuling, Relation, RepoId, UseConfidence};

/// A definition's place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct SymbolLine {
    /// Path in the repository.
    pub path: String,
    /// First line.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// Line of the name.
    pub name_line: u32,
    /// Kind.
    pub kind: String,
    /// Bare name.
    pub name: String,
    /// Qualified name.
    pub qualified: String,
    /// The definition's head.
    pub signature: String,
    /// Visible outside its file.
    pub exported: bool,
}

/// Asks for a symbol's definitions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct LookupRequest {
    /// The repository's id.
    pub repo: RepoId,
    /// Bare or qualified name.
    pub symbol: String,
    /// Kind to narrow by.
    pub kind: Option<String>,
    /// File, folder or glob to narrow by.
    pub path: Option<String>,
    /// Commit; `None` for the working tree.
    pub as_of: Option<String>,
    /// Definitions at most; 0 for 20.
    pub limit: u32,
}

/// A symbol's definitions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct LookupResponse {
    /// Definitions, best first: those that fit, or without `kind` and `path` those as good as the best.
    pub definitions: Vec<SymbolLine>,
    /// Definitions of that name that fit, the lesser ones (private, in tests, fields) included.
    pub n_definitions: u32,
    /// Definitions of that name that `kind` and `path` left out.
    pub n_left_out: u32,
    /// When there is no definition: some of those that were left out, else near names.
    pub near: Vec<SymbolLine>,
    /// When no definition is spelled like that: files that hold the name and were not read whole, at most
    /// five.
    pub unread: Vec<UnreadFile>,
    /// Memos anchored to the definitions, at most three.
    pub memos: Vec<Memo>,
    /// What of memory could not be read, in words.
    pub memory_gap: Option<String>,
}

/// A file that was not read whole: what it defines may be unknown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct UnreadFile {
    /// The file.
    pub path: String,
    /// It is too large and left out; else it was parsed in part.
    pub is_left_out: bool,
}

/// Asks for a symbol's uses.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct RefsRequest {
    /// The repository's id.
    pub repo: RepoId,
    /// Bare or qualified name.
    pub symbol: String,
    /// File, folder or glob of the definition meant, where several share the name.
    pub path: Option<String>,
    /// Line of the definition meant.
    pub line: Option<u32>,
    /// Kinds to keep, of [`USE_KINDS`](crate::choices::USE_KINDS); empty for all. `implements`, `extends`
    /// and `overrides` ask who does that.
    pub kinds: Vec<String>,
    /// Also comments, strings, documentation, and places that may as well mean another definition.
    pub mentions: bool,
    /// Commit; `None` for the working tree.
    pub as_of: Option<String>,
}

/// A use of a symbol.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct RefHit {
    /// Path in the repository.
    pub path: String,
    /// Line.
    pub line: u32,
    /// `call`, `read`, `write`, …
    pub kind: String,
    /// Qualified name of the enclosing definition; of the first 2,000 uses of an answer.
    pub enclosing: Option<String>,
    /// `precise` (from a SCIP index), `resolved`, `possible` (of what it overrides or implements),
    /// `ambiguous`, `name-only`.
    pub confidence: UseConfidence,
    /// The line's text, trimmed; of the first 2,000 uses of an answer.
    pub text: String,
    /// In a test, example or benchmark.
    pub test: bool,
    /// In documentation: a mention in prose.
    pub doc: bool,
    /// Of a place that bears the name, as `mentions` asks for: what it means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ruling: Option<PlaceRuling>,
    /// What was found there, in words; empty where the ruling says all.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub because: String,
}

/// Where no use is certain: places of the name that may be one, found by their words.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct ByName {
    /// The places, production code first, at most 200; `text` is the line.
    pub uses: Vec<RefHit>,
    /// Why the first may be one.
    pub why: String,
    /// Places there are.
    pub n_uses: u32,
    /// Other places of the name, which certainly mean something else.
    pub n_ruled_out: u32,
    /// Files whose words were read.
    pub n_files: u32,
    /// How something may reach the symbol without naming it; empty for no way known.
    pub hidden: String,
}

/// One of several definitions of a name, with what uses it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct Namesake {
    /// The definition.
    pub definition: SymbolLine,
    /// Its certain uses, imports left out.
    pub n_uses: u32,
    /// Uses that may mean it.
    pub n_maybe: u32,
}

/// A symbol's uses.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct RefsResponse {
    /// The definitions meant.
    pub definitions: Vec<SymbolLine>,
    /// Uses by path and line, production code first; where nothing defines the name, the places that
    /// name it.
    pub references: Vec<RefHit>,
    /// Where the name alone does not tell which definition is meant: each of them, at most 24, those in tests and
    /// examples last, most used first. Overloads and declarations are one. `references` are of those that
    /// `definitions` lists.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub namesakes: Vec<Namesake>,
    /// Definitions of the name beyond those.
    #[serde(default)]
    pub n_namesakes_left_out: u32,
    /// Uses that are of none of the kinds asked for.
    pub n_other_kinds: u32,
    /// Places of the name that may mean it and are not listed; `mentions` lists them.
    pub n_unsettled: u32,
    /// The checkout is too large, or the name too frequent, to rule on each place of the name unasked: `mentions`
    /// does.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub are_places_unread: bool,
    /// Who implements, extends or overrides it, directly and through others, where that was asked for.
    pub heirs: Vec<Heir>,
    /// What it implements, extends or overrides itself; also where uses of that may be uses of it.
    pub bases: Vec<Heir>,
    /// Places that may be uses, where there are none but imports.
    pub by_name: Option<ByName>,
    /// The part that a compiler spoke for, where an index of one is laid over the repository.
    pub compiled: Option<Compiled>,
    /// Reports that it rests on and that git tracks: what they say is the repository's word.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub brought: Vec<String>,
    /// Near names when the symbol is unknown.
    pub near: Vec<SymbolLine>,
    /// That the symbol graph is not made yet, and how far it is: what is listed goes by the name alone. Empty
    /// where it is made.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub by_name_only: String,
}

/// For how many files of a definition's language a compiler's index speaks; in the others uses are
/// found by scope, imports and types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Compiled {
    /// Files that it fits.
    pub n_files: u32,
    /// Files of the language.
    pub n_of_language: u32,
}

/// A type or member by which another comes by heritage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct Heir {
    /// The type, its `impl` block, or the member; of an anonymous type what it stands in.
    pub symbol: SymbolLine,
    /// `implements`, `extends` or `overrides`.
    pub relation: Relation,
    /// Steps between the two, from 1.
    pub depth: u32,
    /// Whether the text says so at each step, or a method set fits without doubt.
    pub certain: bool,
    /// The line of an anonymous type.
    pub line: Option<u32>,
    /// In a test, example or benchmark.
    pub test: bool,
}

/// Asks who depends on a symbol.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct ImpactRequest {
    /// The repository's id.
    pub repo: RepoId,
    /// Bare or qualified name.
    pub symbol: String,
    /// File of the definition meant, where several share the name.
    pub path: Option<String>,
    /// Line of the definition meant.
    pub line: Option<u32>,
    /// Steps at most; 0 for the default of 3.
    pub depth: u32,
    /// Commit; `None` for the working tree.
    pub as_of: Option<String>,
}

/// A definition that depends on a symbol.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct ImpactHit {
    /// The calling definition.
    pub caller: SymbolLine,
    /// Steps to the symbol, from 1.
    pub depth: u32,
    /// The weakest use on the way: `precise`, `resolved`, `observed` (a profile or trace saw the call),
    /// `possible` (through what is overridden or implemented), `name-only`, `ambiguous`.
    pub confidence: UseConfidence,
    /// `uses`; `implements`, `extends` or `overrides` for what replaces it; `through` for a use of
    /// what it overrides or implements.
    pub relation: Relation,
    /// Qualified name of what it uses: the symbol, or a caller one step nearer.
    pub uses: String,
    /// Line of that use, in the caller's file.
    pub line: u32,
    /// That a profile or trace saw this call, and how often; empty where none did.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub ran: String,
    /// PageRank of the caller among all symbols, 1 for the highest.
    pub rank: f64,
    /// In a test, example or benchmark.
    pub test: bool,
}

/// Who depends on a symbol.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct ImpactResponse {
    /// The definitions meant.
    pub definitions: Vec<SymbolLine>,
    /// Each caller once: production code first, then by depth, rank and path.
    pub callers: Vec<ImpactHit>,
    /// Its uses in code outside of any definition (a script's own lines, tests that are calls):
    /// production code first, by path and line.
    pub outside: Vec<RefHit>,
    /// Places of the name that may mean it or another definition, left out of the others because some
    /// uses are settled: production code first, at most 20.
    pub unsettled: Vec<RefHit>,
    /// All places of the name that may mean it and are not among its uses.
    pub n_unsettled: u32,
    /// The checkout is too large, or the name too frequent, to rule on each place of the name unasked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub are_places_unread: bool,
    /// Steps followed.
    pub depth: u32,
    /// Places that may be uses, where there is no caller and no use outside of definitions.
    pub by_name: Option<ByName>,
    /// The part that a compiler spoke for, where an index of one is laid over the repository.
    pub compiled: Option<Compiled>,
    /// Profiles and traces that were taken in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<CoverageReport>,
    /// Reports that it rests on and that git tracks: what they say is the repository's word.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub brought: Vec<String>,
    /// Near names when the symbol is unknown.
    pub near: Vec<SymbolLine>,
    /// That the symbol graph is not made yet, and how far it is: what is listed goes by the name alone. Empty
    /// where it is made.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub by_name_only: String,
}

/// Asks how one symbol reaches another.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct CallPathRequest {
    /// The repository's id.
    pub repo: RepoId,
    /// Where the path starts: bare or qualified name, `path:name` where several share it.
    pub from: String,
    /// File of the start.
    pub from_path: Option<String>,
    /// Line of the start.
    pub from_line: Option<u32>,
    /// Where it ends.
    pub to: String,
    /// File of the end.
    pub to_path: Option<String>,
    /// Line of the end.
    pub to_line: Option<u32>,
    /// Commit; `None` for the working tree.
    pub as_of: Option<String>,
}

/// A file of a chain of imports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct ImportPathStep {
    /// The file.
    pub path: String,
    /// Line where it imports the next; `None` for the last.
    pub line: Option<u32>,
}

/// A step of a call path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct CallStep {
    /// The definition.
    pub symbol: SymbolLine,
    /// Line where it uses the next step; `None` for the last, and where the next one overrides or
    /// implements it.
    pub line: Option<u32>,
    /// How sure that use is: `precise`, `resolved`, `observed`, `possible`, `name-only`, `ambiguous`.
    pub confidence: UseConfidence,
    /// That a profile or trace saw it call the next step, and how often; empty where none did.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub ran: String,
}

/// How one symbol reaches another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct CallPathResponse {
    /// Definitions at the start.
    pub from: Vec<SymbolLine>,
    /// Definitions at the end.
    pub to: Vec<SymbolLine>,
    /// The shortest paths, at most five, each from start to end.
    pub paths: Vec<Vec<CallStep>>,
    /// The shortest chain of imports between their files, where no path of uses is known.
    pub imports: Vec<ImportPathStep>,
    /// Profiles and traces that were taken in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<CoverageReport>,
    /// Reports that it rests on and that git tracks: what they say is the repository's word.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub brought: Vec<String>,
    /// Whether the paths lead the other way, because none leads from `from` to `to`.
    pub reversed: bool,
    /// Near names when one of the symbols is unknown.
    pub near: Vec<SymbolLine>,
}

/// A place whose symbol is asked about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct SymbolPlace {
    /// Bare or qualified name.
    pub symbol: String,
    /// File of the definition meant.
    pub path: Option<String>,
    /// Its line.
    pub line: Option<u32>,
}

/// Asks for a file's dependencies.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct DepsRequest {
    /// The repository's id.
    pub repo: RepoId,
    /// Path in the repository.
    pub path: String,
    /// `imports`, `importers` or `both`; empty for both.
    pub direction: DepsDirection,
    /// Steps at most; 0 for one.
    pub depth: u32,
    /// Commit; `None` for the working tree.
    pub as_of: Option<String>,
}

/// An import edge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct DepEdge {
    /// The other file's path; the module as written when it lies outside the repository.
    pub path: String,
    /// The module as written.
    pub module: String,
    /// Line of the import.
    pub line: u32,
    /// Lies outside the repository (or could not be resolved).
    pub external: bool,
}

/// A file's dependencies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct DepsResponse {
    /// The file.
    pub path: String,
    /// What it imports, by line.
    pub imports: Vec<DepEdge>,
    /// Who imports it, by path.
    pub importers: Vec<DepEdge>,
    /// Files of the repository that it comes to by more than one import, nearest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further_imports: Vec<DepStep>,
    /// Files that come to it by more than one import, nearest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further_importers: Vec<DepStep>,
}

/// A file at some steps from another one, each once and by its shortest way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct DepStep {
    /// Its path.
    pub path: String,
    /// Steps, from 2.
    pub depth: u32,
    /// The file one step nearer.
    pub from: String,
    /// Line of the import, in the file that imports.
    pub line: u32,
}
