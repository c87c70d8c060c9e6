//! Questions about the shape of a code base, and their answers.

use super::{AuditKind, LanguageShare, Level, ReasonCount, RepoId, SymbolLine, UnreadChange};
use serde::{Deserialize, Serialize};
use specta::Type;

/// Asks for the map of a code base.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct OverviewRequest {
    /// The repository's id.
    pub repo: RepoId,
    /// Only below this folder; empty for all.
    pub path: String,
    /// Folders deep; 0 for 2.
    pub depth: u32,
    /// Commit; `None` for the working tree.
    pub as_of: Option<String>,
}

/// A file of the overview.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct OverviewFile {
    /// Path in the repository.
    pub path: String,
    /// PageRank, normalised to 1 for the largest.
    pub rank: f64,
    /// Its main definitions, by PageRank.
    pub symbols: Vec<SymbolLine>,
    /// Files that import it.
    pub n_importers: u32,
}

/// A folder of the overview.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct OverviewModule {
    /// Folder; empty for the root.
    pub path: String,
    /// Files below it.
    pub n_files: u32,
    /// Lines below it.
    pub n_lines: u32,
    /// Sum of the PageRank of its files of code, normalised to 1 for the largest; 0 for a folder of tests,
    /// examples or prose.
    pub rank: f64,
    /// Its most important files, code first, eight at most.
    pub files: Vec<OverviewFile>,
    /// Its definitions that others see, at most eight, by PageRank.
    pub exports: Vec<SymbolLine>,
    /// Folders that it imports from, most edges first.
    pub depends_on: Vec<ReasonCount>,
}

/// Where something starts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct EntryPoint {
    /// Path in the repository.
    pub path: String,
    /// Line of the `main`; 1 for a file that starts as a whole.
    pub line: u32,
}

/// How much a folder depends on another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct ModuleBridge {
    /// The folder that leans.
    pub from: String,
    /// The folder depended on.
    pub to: String,
    /// Imports.
    pub n_imports: u32,
    /// Uses.
    pub n_uses: u32,
    /// The file that leans most, and the line where that begins.
    pub path: String,
    /// That line.
    pub line: u32,
    /// The file that it depends on.
    pub target: String,
}

/// The map of a code base.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct Overview {
    /// Languages, largest first.
    pub languages: Vec<LanguageShare>,
    /// Folders by importance.
    pub modules: Vec<OverviewModule>,
    /// Where programs start, and what manifests name.
    pub entry_points: Vec<EntryPoint>,
    /// Which folders depend on which, strongest first.
    pub bridges: Vec<ModuleBridge>,
}

/// Asks for the files to begin with.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct RepositoryMapRequest {
    /// The repository's id.
    pub repo: RepoId,
    /// Commit; `None` for the working tree.
    pub as_of: Option<String>,
    /// Paths that are shown however little depends on them, tests and documents too; the first 300.
    pub also: Vec<String>,
}

/// A file of the map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct MapFile {
    /// Path in the repository.
    pub path: String,
    /// PageRank, normalised to 1 for the largest.
    pub rank: f64,
    /// Lines.
    pub n_lines: u32,
    /// Files that import it.
    pub n_importers: u32,
    /// Language name: `rust`, `typescript`.
    pub language: String,
    /// Number of its cluster; 0 for none.
    pub cluster: u32,
}

/// How much a file of the map depends on another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct MapEdge {
    /// Place of the file that leans, in `files`.
    pub from: u32,
    /// Place of the file depended on.
    pub to: u32,
    /// Imports and uses.
    pub n_uses: u32,
}

/// Files that belong together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct MapCluster {
    /// Its number, from 1, by importance.
    pub id: u32,
    /// Words that tell it from the others, best first.
    pub label: Vec<String>,
}

/// What a repository is built around.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct RepositoryMap {
    /// Files of code by PageRank, at most 300, then those that were asked for.
    pub files: Vec<MapFile>,
    /// Between these files, most uses first, at most 900.
    pub edges: Vec<MapEdge>,
    /// Of these files, by importance.
    pub clusters: Vec<MapCluster>,
    /// Files of code in all.
    pub n_files: u32,
}

/// Asks what sticks out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct AuditRequest {
    /// The repository's id.
    pub repo: RepoId,
    /// Only findings that touch this folder or file; empty for all.
    pub path: String,
    /// `god-file`, `hub`, `orphan`, `cycle`, `layering`; empty for all.
    pub kinds: Vec<String>,
    /// Commit; `None` for the working tree.
    pub as_of: Option<String>,
}

/// A line that shows something.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct AuditPlace {
    /// Path in the repository.
    pub path: String,
    /// Line.
    pub line: u32,
    /// What it leads to: a file, or the name of a definition.
    pub target: String,
}

/// Something that sticks out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct AuditFinding {
    /// What sticks out.
    pub kind: AuditKind,
    /// `high`, `medium`, `low`.
    pub severity: Level,
    /// The file; for layering the folder that leans the wrong way.
    pub path: String,
    /// What is the matter, with its numbers.
    pub reason: String,
    /// All files of a cycle; the other folder of a layering.
    pub with: Vec<String>,
    /// Lines that show it, most telling first.
    pub places: Vec<AuditPlace>,
    /// The places are uses of other files, and not definitions of this one.
    pub places_are_uses: bool,
}

/// From where on a count sticks out, by the repository's own measure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct AuditLimit {
    /// For which findings.
    pub kind: AuditKind,
    /// What is counted.
    pub what: String,
    /// The middle value.
    pub median: f64,
    /// From here on it is out of the ordinary.
    pub limit: f64,
}

/// What sticks out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct AuditResponse {
    /// By kind, severity and weight.
    pub findings: Vec<AuditFinding>,
    /// Files of code looked at; tests, examples, copies and generated files are not.
    pub n_files: u32,
    /// The measures.
    pub limits: Vec<AuditLimit>,
    /// What could not be judged, in words.
    pub notes: Vec<String>,
}

/// Asks what belongs together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct ClustersRequest {
    /// The repository's id.
    pub repo: RepoId,
    /// Members that a cluster must have to be listed; 0 for 3.
    pub min_size: u32,
    /// Commit; `None` for the working tree.
    pub as_of: Option<String>,
}

/// Files or definitions that use each other more than others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct Cluster {
    /// Its number, from 1, by importance.
    pub id: u32,
    /// Words that tell it from the others, best first.
    pub label: Vec<String>,
    /// The folder that most of its files lie in; empty for the root.
    pub folder: String,
    /// Files or definitions, as the answer's `unit` says.
    pub size: u32,
    /// Weight within it over all weight at its members, 0 to 1.
    pub cohesion: f64,
    /// Its files by PageRank.
    pub files: Vec<String>,
    /// Its most important definitions, at most eight.
    pub key: Vec<SymbolLine>,
}

/// Edges between two clusters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct ClusterBridge {
    /// Number of the cluster that leans.
    pub from: u32,
    /// Number of the cluster depended on.
    pub to: u32,
    /// Pairs of files.
    pub n_edges: u32,
    /// Imports and uses.
    pub n_uses: u32,
    /// The strongest of them: where it begins.
    pub path: String,
    /// Its line.
    pub line: u32,
    /// Where it leads.
    pub target: String,
}

/// A member that ties clusters together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct BridgeMember {
    /// Its file.
    pub path: String,
    /// The definition, where members are definitions.
    pub symbol: Option<String>,
    /// Number of its own cluster.
    pub cluster: u32,
    /// Other clusters that it touches.
    pub n_clusters: u32,
    /// Share of its weight that leads out of its own cluster.
    pub outside: f64,
}

/// What belongs together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct ClustersResponse {
    /// By importance.
    pub clusters: Vec<Cluster>,
    /// Strongest first; only between listed clusters.
    pub bridges: Vec<ClusterBridge>,
    /// Members that tie most clusters together first.
    pub bridge_members: Vec<BridgeMember>,
    /// Weight within clusters above what chance would put there.
    pub modularity: f64,
    /// `file`, or `definition` in a code base of few files.
    pub unit: String,
    /// Members in all.
    pub n_members: u32,
    /// Members of clusters that are too small to be listed.
    pub n_unlisted: u32,
    /// The least size listed.
    pub min_size: u32,
}

/// Asks for the topics of a code base that a query is about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct ConceptsRequest {
    /// The repository's id.
    pub repo: RepoId,
    /// Words.
    pub query: String,
    /// Topics at most; 0 for 5.
    pub limit: u32,
    /// Commit; `None` for the working tree.
    pub as_of: Option<String>,
}

/// A topic of a code base.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct Concept {
    /// Words that tell it from the others, best first.
    pub label: Vec<String>,
    /// BM25 over its words; 0 for one that only lies near.
    pub score: f64,
    /// The query's words that it holds.
    pub matched: Vec<String>,
    /// The folder that most of its files lie in.
    pub folder: String,
    /// Its files, those that match the query first, then by PageRank.
    pub files: Vec<String>,
    /// Its key definitions, at most eight, in the same order.
    pub definitions: Vec<SymbolLine>,
}

/// The topics that a query is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct ConceptsResponse {
    /// Best first.
    pub concepts: Vec<Concept>,
    /// Whether the first covers most of the query; if not, the topics are the nearest there are.
    pub is_match: bool,
    /// Words of the query that no topic has.
    pub unknown: Vec<String>,
    /// Topics that match the query nearly as well as the best.
    pub n_found: u32,
    /// Topics in all.
    pub n_topics: u32,
}

/// Asks for an export for a language model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct ExportRequest {
    /// The repository's id.
    pub repo: RepoId,
    /// Only below this folder or in this file; empty for all.
    pub path: String,
    /// Definitions at most, the most important; 0 for all.
    pub limit: u32,
    /// Commit; `None` for the working tree.
    pub as_of: Option<String>,
}

/// A folder of the export.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct ExportModule {
    /// Folder; empty for the root.
    pub path: String,
    /// Definitions of code in it.
    pub n_symbols: u32,
    /// Files in it.
    pub n_files: u32,
    /// Names of its exports by PageRank, at most eight.
    pub exports: Vec<String>,
}

/// A definition of the export.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct ExportDefinition {
    /// The definition.
    pub symbol: SymbolLine,
    /// Index of its folder in `modules`.
    pub module: u32,
    /// Definitions and files that use it, tests left out.
    pub n_callers: u32,
    /// 3 for the first hundredth by PageRank, 2 for the first twentieth, 1 for the first fifth.
    pub stars: u32,
}

/// A code base for a language model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct ExportResponse {
    /// Folders by importance.
    pub modules: Vec<ExportModule>,
    /// Which folders depend on which, strongest first.
    pub bridges: Vec<ModuleBridge>,
    /// Definitions by importance.
    pub definitions: Vec<ExportDefinition>,
    /// Definitions in all.
    pub n_definitions: u32,
    /// Definitions in tests and examples, which are not exported.
    pub n_test_definitions: u32,
}

/// Asks which tests cover what.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct TestMapRequest {
    /// The repository's id.
    pub repo: RepoId,
    /// Definitions changed since this revision (since where this line of history left it), or in a range.
    /// Without it and a path: `HEAD`.
    pub reference: Option<String>,
    /// Definitions below this folder or in this file.
    pub path: Option<String>,
    /// This definition, of a type its members; `path` tells which where several share the name.
    pub symbol: Option<String>,
    /// Steps from a test at most; 0 for 4.
    pub depth: u32,
    /// Commit; `None` for the working tree.
    pub as_of: Option<String>,
}

/// A test that reaches a definition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct TestPlace {
    /// The test's file.
    pub path: String,
    /// Its definition; none where it is code of the file itself.
    pub name: Option<String>,
    /// Line of the test, or of the use where it has no definition.
    pub line: u32,
    /// Uses from the test to the definition; 1 for a direct one.
    pub depth: u32,
    /// Whether every use on the way is settled by scope, import or type.
    pub sure: bool,
}

/// A definition and its tests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct TestedSymbol {
    /// The definition.
    pub symbol: SymbolLine,
    /// Those that reach it for sure, nearest first; without one, the nearest that may. Asked for a path
    /// alone: five of those at the least distance.
    pub tests: Vec<TestPlace>,
    /// How many those are.
    pub n_tests: u32,
    /// Others that only a name or an override leads to: seldom ones that fail when it is broken.
    pub n_possible: u32,
    /// Where no test is known: places in tests that may mean it or another of its name. Not counted for
    /// more than 50 definitions.
    pub n_open: u32,
    /// PageRank among all symbols, 1 for the highest.
    pub rank: f64,
    /// Rank × how untested it is: all without a test, none where a test uses it itself.
    pub risk: f64,
}

/// Which tests cover what.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct TestMapResponse {
    /// By risk, highest first; then those that tests use themselves.
    pub symbols: Vec<TestedSymbol>,
    /// Changed definitions that the index does not know: nothing tells which tests reach them.
    pub unknown: Vec<SymbolLine>,
    /// The revision compared with, in words; none when asked for a path alone.
    pub base: Option<String>,
    /// What to know of that: a merge, history that is missing here.
    pub notes: Vec<String>,
    /// Why no tests are told, or of which state they are; empty where they are those of the change.
    pub without: String,
    /// Changed files whose content could not be read.
    pub unread: Vec<UnreadChange>,
    /// Changed files of code.
    pub changed: Vec<String>,
    /// Other changed files: tests, documentation, and those without a changed definition.
    pub unmapped: Vec<String>,
    /// Test files of the repository.
    pub n_test_files: u32,
    /// Those whose language uses what they test in ways that are not followed, by language.
    pub unfollowed: Vec<ReasonCount>,
    /// Steps followed.
    pub depth: u32,
    /// Near names when the symbol is unknown.
    pub near: Vec<SymbolLine>,
}
