//! Names and what they define: a view's files in, definitions by name out.

use std::cmp::Reverse;
use std::sync::{Arc, OnceLock};

use crate::{
    imports::import_graph::ImportGraph,
    input::{
        files::{FileInput, SymbolId},
        paths,
        view_paths::has_suffix,
    },
    languages::{LanguageRules, Rules},
    resolution::{
        definition_names::{DefinitionNames, DefinitionSource},
        file_symbols::{FileSymbols, NO_TYPE, SymbolEntry, parts},
        name_likeness::SoughtName,
    },
};

/// Parts of a query that name a place, not a definition.
const PLACES: [&str; 6] = ["crate", "$crate", "self", "super", "this", "Self"];
/// Names of what a JavaScript module or function is, not of a member.
const ALIASES: [&str; 3] = ["exports", "prototype", "default"];

/// The definitions of a view by name.
#[derive(Debug, Default)]
pub struct SymbolTable {
    names: DefinitionNames,
    files: Vec<FileEntry>,
}

#[derive(Debug)]
struct FileEntry {
    path: String,
    rank: f32,
    rules: Option<Rules>,
    /// Judged at first need.
    is_non_production: OnceLock<bool>,
    /// Read at first need.
    symbols: OnceLock<FileSymbols>,
}

impl FileEntry {
    /// What a header has for itself each file has that includes it.
    fn is_header(&self) -> bool {
        let end = self.path.rsplit('.').next().unwrap_or_default();
        self.rules.is_some_and(|rules| rules.headers.contains(&end))
    }

    fn is_non_production(&self) -> bool {
        let is_non_production = || paths::is_non_production(&self.path);
        *self.is_non_production.get_or_init(is_non_production)
    }
}

impl SymbolTable {
    /// Says whether a file is not what the package ships.
    pub(crate) fn is_non_production(&self, file: u32) -> bool {
        self.files[file as usize].is_non_production()
    }

    /// Reads the symbols of all files; `graph` ranks the files.
    pub fn new(files: &[FileInput<'_>], graph: &ImportGraph) -> Self {
        let entries = file_entries(files, &graph.page_rank());
        let names = DefinitionNames::inverted(|add| {
            for ((file, input), entry) in (0u32..).zip(files).zip(&entries) {
                input.with_facts(|facts| {
                    let _ = entry.symbols.set(FileSymbols::new(&facts.symbols));
                    for (symbol, definition) in (0u32..).zip(&facts.symbols) {
                        add(SymbolId { file, symbol }, &definition.name);
                    }
                });
            }
        });
        Self {
            names,
            files: entries,
        }
    }

    /// The same over an index of the names, which is read as questions need it; of `files` only paths and
    /// languages are. `ranks` are [`ImportGraph::page_rank`].
    pub fn over(files: &[FileInput<'_>], ranks: &[f32], source: Arc<dyn DefinitionSource>) -> Self {
        Self {
            names: DefinitionNames::over(source),
            files: file_entries(files, ranks),
        }
    }

    fn symbols(&self, file: u32) -> Option<&FileSymbols> {
        let entry = self.files.get(file as usize)?;
        Some(entry.symbols.get_or_init(|| {
            let mut read = FileSymbols::default();
            if let Some(source) = self.names.source() {
                source.read(file, &mut |symbols| read = FileSymbols::new(symbols));
            }
            read
        }))
    }

    fn entries(&self, file: u32) -> &[SymbolEntry] {
        self.symbols(file).map_or(&[], |known| &known.entries)
    }

    /// How many definitions each file has.
    pub(crate) fn n_symbols(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.files.len() as u32).map(|file| self.entries(file).len() as u32)
    }

    /// Returns the definitions that a query means, best first.
    ///
    /// The query is a bare name, a qualified one (`Router.use`, `crate::x::Y`, `Class#m`,
    /// `Class.#m`, `pkg.Func`), or either behind a path (`src/a.ts:Foo`, `src/a.ts:12`). Exact case before
    /// folded; exported, shipped and central definitions first, ties by path and line.
    pub fn definitions(&self, query: &str) -> Vec<SymbolId> {
        let query = query
            .trim()
            .trim_end_matches("()")
            .trim_start_matches(['@', '&', '*']);
        if let Some((files, rest)) = self.split_path(query) {
            if let Ok(line) = rest.parse::<u32>() {
                return files
                    .iter()
                    .filter_map(|file| self.at_line(*file, line))
                    .collect();
            }
            let mut found = self.as_written(rest);
            if found.is_empty() {
                found = self.by_parts(&parts(rest), is_private(rest));
            }
            found.retain(|id| files.contains(&id.file));
            return found;
        }
        let as_written = self.as_written(query);
        if !as_written.is_empty() {
            return as_written;
        }
        let mut parts = parts(query);
        loop {
            let found = self.by_parts(&parts, is_private(query));
            let alias = parts
                .last()
                .is_some_and(|last| ALIASES.contains(&last.as_str()));
            if !found.is_empty() || !alias || parts.len() < 2 {
                return found;
            }
            parts.pop();
        }
    }

    /// Returns those definitions of a query that are as good as the best: shipped code before tests and build
    /// output, types and functions before fields of the same name, exported before private.
    pub fn principal_definitions(&self, query: &str) -> Vec<SymbolId> {
        self.as_good_as_best(query, |best, other| best == other)
    }

    /// Returns [`Self::principal_definitions`] and the private ones of their kind: who asks for the uses of a
    /// name means whatever bears it.
    pub fn meant_definitions(&self, query: &str) -> Vec<SymbolId> {
        self.as_good_as_best(query, |best, other| (best.0, best.1) == (other.0, other.1))
    }

    fn as_good_as_best(
        &self,
        query: &str,
        is_as_good: impl Fn(Class, Class) -> bool,
    ) -> Vec<SymbolId> {
        let mut found = self.definitions(query);
        if let Some(best) = found.first().copied() {
            found.retain(|id| is_as_good(self.class(best), self.class(*id)));
        }
        // Who names a type does not ask for its constructors.
        let types: Vec<SymbolId> = found.clone();
        let is_of_found = |id: &SymbolId| {
            let symbol = self.entry(*id).made;
            let file = id.file;
            symbol != NO_TYPE && types.contains(&SymbolId { file, symbol })
        };
        found.retain(|id| !is_of_found(id));
        found
    }

    fn entry(&self, id: SymbolId) -> &SymbolEntry {
        &self.entries(id.file)[id.symbol as usize]
    }

    /// Returns the innermost definition around a line, the one named on it first.
    pub fn at_line(&self, file: u32, line: u32) -> Option<SymbolId> {
        let around = (0u32..).zip(self.entries(file)).filter(|(_, entry)| {
            entry.name_line == line || (entry.lines.0 <= line && line <= entry.lines.1)
        });
        around
            .min_by_key(|(_, entry)| (entry.name_line != line, entry.lines.1 - entry.lines.0))
            .map(|(symbol, _)| SymbolId { file, symbol })
    }

    /// Returns definitions with a name like the query's, nearest first.
    ///
    /// Near is: the same but for case, the same parts, a beginning or a part of it, few edits.
    pub fn near(&self, query: &str, limit: usize) -> Vec<SymbolId> {
        let parts = parts(query);
        let Some((name, owners)) = parts.split_last() else {
            return Vec::new();
        };
        let wanted = SoughtName::new(name);
        let mut found: Vec<(u32, SymbolId)> = Vec::new();
        let is_like = |candidate: &str| wanted.likeness(candidate) > 0;
        self.names.alike(name, &is_like, &mut |id, candidate| {
            let score = wanted.likeness(candidate);
            if score > 0 {
                found.push((score, id));
            }
        });
        found.sort_unstable_by_key(|(score, id)| (Reverse(*score), self.prominence(id.file), *id));
        found.dedup();
        // Their files are read to tell which is best.
        found.truncate(match owners {
            [] => JUDGED * limit,
            _ => JUDGED_BY_OWNER * limit,
        });
        for (score, id) in found.iter_mut().filter(|_| !owners.is_empty()) {
            *score += u32::from(self.owner_level(*id, owners) > 0) * OWNED;
        }
        found.sort_by_cached_key(|(score, id)| (Reverse(*score), self.importance(*id)));
        found.truncate(limit);
        found.into_iter().map(|(_, id)| id).collect()
    }

    /// Smallest first, by what is known without reading the file.
    fn prominence(&self, file: u32) -> (bool, Reverse<u32>) {
        let entry = &self.files[file as usize];
        (
            entry.is_non_production(),
            Reverse((entry.rank * 1e6) as u32),
        )
    }

    /// The definitions of exactly this name, by file and position.
    pub(crate) fn named(&self, name: &str) -> &[SymbolId] {
        self.names.get(name)
    }

    /// The definitions of a name in whatever case it is written: those of each spelling.
    pub(crate) fn spellings(&self, name: &str) -> Vec<&[SymbolId]> {
        self.names.folded(&name.to_lowercase())
    }

    /// Those of them in one file.
    pub(crate) fn named_in(&self, file: u32, name: &str) -> &[SymbolId] {
        let named = self.named(name);
        let start = named.partition_point(|id| id.file < file);
        let n_here = named[start..].partition_point(|id| id.file == file);
        &named[start..start + n_here]
    }

    /// Names with characters that elsewhere stand between parts, or in quotes: `my-func` of a shell,
    /// `'content-type'` of an object, names in backticks.
    fn as_written(&self, query: &str) -> Vec<SymbolId> {
        let is_plain = |char: char| char.is_alphanumeric() || matches!(char, '_' | '.' | ':' | '#');
        if query.chars().all(is_plain) {
            return Vec::new();
        }
        let quotes = ['`', '\'', '"'];
        let behind_owners = query.rsplit_once('.').unwrap_or(("", query));
        let ways = [("", query), behind_owners];
        let mut found = ways.iter().flat_map(|(owners, name)| {
            let bare = name.trim_matches(quotes);
            let owners = parts(owners);
            let quoted = quotes.map(|quote| format!("{quote}{bare}{quote}"));
            let spellings = std::iter::once(bare).chain(quoted.iter().map(String::as_str));
            let found: Vec<Vec<SymbolId>> = spellings
                .map(|name| self.owned(self.named(name), &owners))
                .collect();
            found
        });
        found.find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// `is_private`: the name is written as a private member of JavaScript. One is found by its bare
    /// name too, where nothing else has that.
    fn by_parts(&self, parts: &[String], is_private: bool) -> Vec<SymbolId> {
        let Some((name, owners)) = parts.split_last() else {
            return Vec::new();
        };
        let private = format!("#{name}");
        let spellings = match is_private {
            true => [&private, name],
            false => [name, &private],
        };
        let mut found = spellings.iter().map(|name| self.spelled(name, owners));
        found.find(|found| !found.is_empty()).unwrap_or_default()
    }

    fn spelled(&self, name: &str, owners: &[String]) -> Vec<SymbolId> {
        let exact = self.owned(self.named(name), owners);
        if !exact.is_empty() {
            return exact;
        }
        let folded = self.names.folded(&name.to_lowercase());
        let folded = folded.into_iter();
        folded.flat_map(|ids| self.owned(ids, owners)).collect()
    }

    /// The last part of a definition's qualified name before its own.
    pub(crate) fn owner(&self, id: SymbolId) -> Option<&str> {
        self.owners(id).last().map(String::as_str)
    }

    /// The parts of a definition's qualified name before the last.
    fn owners(&self, id: SymbolId) -> &[String] {
        let known = self.symbols(id.file);
        known.map_or(&[], |known| known.owners(id.symbol))
    }

    /// Of the definitions those whose owners fit best, best first.
    fn owned(&self, ids: &[SymbolId], owners: &[String]) -> Vec<SymbolId> {
        let owners: Vec<String> = owners
            .iter()
            .filter(|part| !PLACES.contains(&part.as_str()))
            .cloned()
            .collect();
        let levels: Vec<u8> = ids
            .iter()
            .map(|id| self.owner_level(*id, &owners))
            .collect();
        let best = levels.iter().copied().max().unwrap_or(0);
        if best == 0 {
            return Vec::new();
        }
        let fitting = ids.iter().zip(levels);
        let mut fitting: Vec<SymbolId> = fitting
            .filter(|(_, level)| *level == best)
            .map(|(id, _)| *id)
            .collect();
        fitting.sort_by_cached_key(|id| self.importance(*id));
        fitting
    }

    /// How well what comes before the name fits: 4 owners, 3 path and owners, 2 in order, 0 not.
    fn owner_level(&self, id: SymbolId, wanted: &[String]) -> u8 {
        let file = &self.files[id.file as usize];
        let owners = self.owners(id);
        if owners.ends_with(wanted) {
            return 4;
        }
        let path = path_parts(&file.path);
        let mut whole: Vec<&str> = path.clone();
        whole.extend(owners.iter().map(String::as_str));
        let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
        if whole.ends_with(&wanted)
            || (file.rules.is_some_and(|rules| rules.packages_qualify_names)
                && package_fits(&path, owners, &wanted))
        {
            return 3;
        }
        let mut rest = whole.iter();
        u8::from(wanted.iter().all(|part| rest.any(|have| have == part))) * 2
    }

    /// `path:rest`, where the path names files of the view.
    fn split_path<'q>(&self, query: &'q str) -> Option<(Vec<u32>, &'q str)> {
        let (path, rest) = query.split_once(':')?;
        if rest.starts_with(':') || rest.is_empty() {
            return None;
        }
        let path = path.trim_start_matches("./");
        let fits = |entry: &FileEntry| has_suffix(&entry.path, path);
        let files: Vec<u32> = (0u32..)
            .zip(&self.files)
            .filter(|(_, entry)| fits(entry))
            .map(|(file, _)| file)
            .collect();
        (!files.is_empty()).then_some((files, rest))
    }

    /// Smallest first.
    fn importance(&self, id: SymbolId) -> impl Ord + use<'_> {
        let file = &self.files[id.file as usize];
        let entry = self.entry(id);
        let rank = Reverse((file.rank * 1e6) as u32);
        // Who says `get` and means a member says whose.
        let is_member = !self.owners(id).is_empty();
        (
            self.class(id),
            is_member,
            rank,
            file.path.as_str(),
            entry.name_line,
            id,
        )
    }

    /// What is compared before rank: kind, aside, private.
    fn class(&self, id: SymbolId) -> Class {
        let file = &self.files[id.file as usize];
        let entry = self.entry(id);
        let is_private = !entry.exported && !file.is_header();
        (entry.order, file.is_non_production(), is_private)
    }
}

fn file_entries(files: &[FileInput<'_>], ranks: &[f32]) -> Vec<FileEntry> {
    let entries = files.iter().enumerate().map(|(file, input)| FileEntry {
        path: input.path.to_owned(),
        rank: ranks.get(file).copied().unwrap_or(0.0),
        rules: Some(LanguageRules::of(input.language)),
        is_non_production: OnceLock::new(),
        symbols: OnceLock::new(),
    });
    entries.collect()
}

/// Kind, aside, private.
type Class = (u8, bool, bool);

/// What fitting owners add to a likeness.
const OWNED: u32 = 150;
/// Definitions of like names that are looked at for each that is named; more where their owners may make one
/// the best.
const JUDGED: usize = 4;
const JUDGED_BY_OWNER: usize = 25;

/// Says whether the last part of a query is `#name`, as JavaScript writes private members. In `Class#m` the mark
/// only stands between the parts.
fn is_private(query: &str) -> bool {
    let before = query.rsplit_once('#').map(|(before, _)| before);
    before.is_some_and(|before| before.is_empty() || before.ends_with(['.', ':']))
}

/// The folders of a path and its stem, without the names that represent a folder.
fn path_parts(path: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = paths::without_extension(path).split('/').collect();
    if matches!(
        parts.last(),
        Some(&("index" | "mod" | "lib" | "main" | "__init__" | "init"))
    ) {
        parts.pop();
    }
    parts
}

/// The package is the folder, whatever the file is called.
fn package_fits(path: &[&str], owners: &[String], wanted: &[&str]) -> bool {
    let folders = &path[..path.len().saturating_sub(1)];
    let whole: Vec<&str> = folders
        .iter()
        .copied()
        .chain(owners.iter().map(String::as_str))
        .collect();
    whole.ends_with(wanted)
}
