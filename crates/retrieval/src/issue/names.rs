//! Which files and definitions an issue names: by frames, paths, modules, and names that they define.

use crate::channels::ends_with_parts;
use crate::query::{Frame, Issue, ParsedQuery, is_stopword};
use crate::search_index::{FileRole, SearchIndex, SymbolRef, distinct_tokens, part_tokens};
use std::collections::HashMap;
use whyrank_syntax::SymbolKind;

/// A word in the names of more definitions than this says nothing.
const MAX_ALIKE: usize = 3000;
/// A name in more places than this says nothing.
const MAX_PLACES: usize = 60;
/// Files of a package from which its name says nothing of each.
const MAX_PACKAGE: usize = 60;

/// Evidence for a file or a definition, and in which words.
#[derive(Clone, Debug, Default)]
pub(super) struct Named {
    pub(super) value: f64,
    pub(super) words: Vec<String>,
}

impl Named {
    fn add(&mut self, value: f64, words: &str) {
        self.value += value;
        if self.words.len() < 4 && !self.words.iter().any(|known| known == words) {
            self.words.push(words.to_owned());
        }
    }

    fn raise(&mut self, value: f64, words: String) {
        if value > self.value {
            *self = Self {
                value,
                words: vec![words],
            };
        }
    }
}

/// All that is named.
#[derive(Default)]
pub(super) struct NamedPlaces {
    /// Files of frames, 1 for the innermost of this repository.
    pub(super) frames: HashMap<u32, Named>,
    /// Functions of frames.
    pub(super) frame_symbols: HashMap<SymbolRef, Named>,
    pub(super) paths: HashMap<u32, Named>,
    pub(super) modules: HashMap<u32, Named>,
    /// Files by the names that they define.
    pub(super) names: HashMap<u32, Named>,
    pub(super) symbols: HashMap<SymbolRef, Named>,
    /// Definitions whose names hold words of the issue, 1 for the best; with those of its files.
    pub(super) alike: HashMap<SymbolRef, f64>,
    pub(super) alike_files: HashMap<u32, f64>,
    pub(super) n_frames: u32,
}

impl NamedPlaces {
    pub(super) fn of(issue: &Issue, index: &SearchIndex) -> Self {
        let mut places = Self::default();
        let paths = Paths::of(index);
        places.add_frames(&issue.frames, index, &paths);
        for path in &issue.paths {
            let files = paths.of_written(index, path);
            for file in &files {
                let named = places.paths.entry(*file).or_default();
                named.raise(1.0 / files.len() as f64, path.clone());
            }
        }
        for module in &issue.modules {
            for (file, value) in paths.of_module(index, module) {
                places
                    .modules
                    .entry(file)
                    .or_default()
                    .raise(value, module.replace('/', "."));
            }
        }
        places.add_names(issue, index);
        places.add_alike(issue, index);
        lift(&mut places.frame_symbols, index);
        lift(&mut places.symbols, index);
        places
    }

    fn add_frames(&mut self, frames: &[Frame], index: &SearchIndex, paths: &Paths) {
        for frame in frames {
            let files = paths.of_written(index, &frame.path);
            let is_test = |file: &u32| is_non_production(index.roles[*file as usize]);
            let [file] = files[..] else { continue };
            if is_test(&file) {
                continue;
            }
            let value = 1.0 / (1.0 + 0.5 * f64::from(self.n_frames));
            self.n_frames += 1;
            let function = frame.function.as_deref().unwrap_or("");
            let place = match frame.line {
                Some(line) => format!("{}:{line} {function}", frame.path),
                None => format!("{} {function}", frame.path),
            };
            self.frames
                .entry(file)
                .or_default()
                .raise(value, place.clone());
            if let Some(symbol) = symbol_of(frame, file, index) {
                self.frame_symbols
                    .entry(symbol)
                    .or_default()
                    .raise(value, place);
            }
        }
    }

    /// Names that share words with the issue: `_print_SeqFormula` where it names `SeqFormula`. Rare words
    /// count more, and names that are held whole.
    fn add_alike(&mut self, issue: &Issue, index: &SearchIndex) {
        let mut scores: HashMap<SymbolRef, f64> = HashMap::new();
        let tokens = asked_tokens(issue);
        for (token, weight) in &tokens {
            if index.n_with_token(token) > MAX_ALIKE {
                continue;
            }
            let places = index.with_token(token);
            let rarity = (index.n_symbols as f64 + 1.0) / (places.len() as f64 + 0.5);
            for place in places.iter() {
                if !is_non_production(index.roles[place.file as usize]) {
                    *scores.entry(*place).or_default() += weight * rarity.ln().max(0.1);
                }
            }
        }
        index.each_named(scores.keys().copied().collect(), |place, named| {
            let name = distinct_tokens(named.name);
            let parts = part_tokens(&name);
            let n_held = parts
                .iter()
                .filter(|part| tokens.contains_key(*part))
                .count();
            if let Some(score) = scores.get_mut(&place) {
                *score *= 0.3 + 0.7 * n_held as f64 / parts.len().max(1) as f64;
            }
        });
        let best = scores.values().copied().fold(f64::MIN_POSITIVE, f64::max);
        for (place, score) in scores {
            let of_file = self.alike_files.entry(place.file).or_default();
            *of_file = of_file.max(score / best);
            self.alike.insert(place, score / best);
        }
    }

    fn add_names(&mut self, issue: &Issue, index: &SearchIndex) {
        for name in &issue.names {
            let bare = ParsedQuery::bare_name(&name.text);
            let places = index.with_name(bare);
            let mut same_case = index.named_where(&places, |named| named.name == bare);
            same_case.retain(|place| !is_non_production(index.roles[place.file as usize]));
            if same_case.is_empty() || same_case.len() > MAX_PLACES {
                continue;
            }
            let is_qualified = bare.len() != name.text.len();
            let fits = |place: &SymbolRef| {
                is_qualified && ends_with_parts(&index.symbol(*place).qualified, &name.text)
            };
            let rarity = 1.0 / (1.0 + (same_case.len() as f64).ln());
            let mut by_file: HashMap<u32, f64> = HashMap::new();
            for place in &same_case {
                let symbol = index.symbol(*place);
                let qualified = match (is_qualified, fits(place)) {
                    (false, _) => 1.0,
                    (true, true) => 1.5,
                    (true, false) => 0.6,
                };
                let value = name.weight * rarity * qualified * strength(symbol.kind);
                self.symbols
                    .entry(*place)
                    .or_default()
                    .raise(value, name.text.clone());
                let best = by_file.entry(place.file).or_default();
                *best = best.max(value);
            }
            for (file, value) in by_file {
                self.names.entry(file).or_default().add(value, &name.text);
            }
        }
    }
}

/// A small class is one chunk: the evidence for its methods is its own.
fn lift(symbols: &mut HashMap<SymbolRef, Named>, index: &SearchIndex) {
    let around = |symbol: &SymbolRef| {
        let place = index.chunk_of(*symbol)?;
        let chunks = &index.view.files[place.file as usize].outline().chunks;
        let symbol = chunks[place.chunk as usize]
            .symbol
            .filter(|of| *of != symbol.symbol)?;
        Some(SymbolRef {
            file: place.file,
            symbol,
        })
    };
    let lifted = symbols
        .iter()
        .filter_map(|(symbol, named)| Some((around(symbol)?, named.clone())));
    for (symbol, named) in lifted.collect::<Vec<_>>() {
        let words = named.words.join(", ");
        symbols.entry(symbol).or_default().raise(named.value, words);
    }
}

/// Words that names are compared with: those of the title and of names in full, those of prose a little.
fn asked_tokens(issue: &Issue) -> HashMap<String, f64> {
    let mut tokens: HashMap<String, f64> = HashMap::new();
    let mut add = |text: &str, weight: f64| {
        for word in text.split(|c: char| !c.is_alphanumeric() && c != '_') {
            if word.len() > 2 && !is_stopword(word) {
                whyrank_index::for_each_token(word, |token| {
                    if token.len() > 2 {
                        let known = tokens.entry(token.to_owned()).or_default();
                        *known = known.max(weight);
                    }
                });
            }
        }
    };
    add(&issue.title, 1.0);
    for name in &issue.names {
        add(&name.text, name.weight.min(1.0));
    }
    for line in issue.prose.iter().take(40) {
        add(line, 0.3);
    }
    tokens
}

fn strength(kind: SymbolKind) -> f64 {
    match kind {
        SymbolKind::Field | SymbolKind::Property | SymbolKind::EnumMember => 0.4,
        SymbolKind::Constant | SymbolKind::Variable | SymbolKind::Section => 0.4,
        SymbolKind::Module | SymbolKind::Namespace => 0.5,
        _ => 1.0,
    }
}

/// What shows or checks code rather than being it.
pub(super) fn is_non_production(role: FileRole) -> bool {
    matches!(role, FileRole::Test | FileRole::Example | FileRole::Docs)
}

/// The definition that a frame lies in: by its function's name, the nearest of that name to the line;
/// lines alone move from version to version.
fn symbol_of(frame: &Frame, file: u32, index: &SearchIndex) -> Option<SymbolRef> {
    let symbols = &index.view.files[file as usize].outline().symbols;
    let line = frame.line.unwrap_or(0);
    let place = |symbol: usize| SymbolRef {
        file,
        symbol: symbol as u32,
    };
    let Some(function) = &frame.function else {
        let around = symbols
            .iter()
            .enumerate()
            .filter(|(_, symbol)| (symbol.span.start_line..=symbol.span.end_line).contains(&line));
        let innermost = around.max_by_key(|(_, symbol)| symbol.span.start_line);
        return innermost.map(|(at, _)| place(at));
    };
    let of_name = symbols
        .iter()
        .enumerate()
        .filter(|(_, symbol)| symbol.name == *function);
    let nearest = of_name.min_by_key(|(_, symbol)| symbol.span.start_line.abs_diff(line));
    nearest.map(|(at, _)| place(at))
}

/// Paths of the view by their last part.
struct Paths {
    by_name: HashMap<String, Vec<u32>>,
    /// Parts of each path without ending; `__init__`, `index` and `mod` represent their folder.
    modules: HashMap<String, Vec<u32>>,
    folders: HashMap<String, Vec<u32>>,
}

impl Paths {
    fn of(index: &SearchIndex) -> Self {
        let mut paths = Self {
            by_name: HashMap::new(),
            modules: HashMap::new(),
            folders: HashMap::new(),
        };
        for (file, path) in (0u32..).zip(index.view.files.iter().map(|file| file.path.as_str())) {
            let name = path.rsplit('/').next().unwrap_or(path);
            paths.by_name.entry(name.to_owned()).or_default().push(file);
            if is_non_production(index.roles[file as usize]) {
                continue;
            }
            let stem = name.split('.').next().unwrap_or(name);
            paths.modules.entry(stem.to_owned()).or_default().push(file);
            let mut folders = path.rsplit('/').skip(1);
            if let Some(folder) = folders.next() {
                paths
                    .folders
                    .entry(folder.to_owned())
                    .or_default()
                    .push(file);
            }
        }
        paths
    }

    /// Files whose path ends like the one written, or the one written like theirs. One part alone says
    /// which file only where the whole of either is meant.
    fn of_written(&self, index: &SearchIndex, written: &str) -> Vec<u32> {
        let name = written.rsplit('/').next().unwrap_or(written);
        let candidates = self.by_name.get(name).map_or(&[][..], Vec::as_slice);
        let n_written = written.split('/').filter(|part| !part.is_empty()).count();
        let shared = |file: u32| {
            let path = &index.view.files[file as usize].path;
            let pairs = path.rsplit('/').zip(written.rsplit('/'));
            pairs.take_while(|(a, b)| a == b).count()
        };
        let best = candidates
            .iter()
            .map(|file| shared(*file))
            .max()
            .unwrap_or(0);
        let is_whole = best == n_written
            || candidates.iter().any(|file| {
                let path = &index.view.files[*file as usize].path;
                best > 1 && best == path.split('/').count()
            });
        let found = candidates
            .iter()
            .copied()
            .filter(|file| shared(*file) == best);
        let mut found: Vec<u32> = found.collect();
        // `lib/a.js` is that file, and not its namesake in `tests/lib`.
        let is_all_of_it = |file: &u32| {
            let path = &index.view.files[*file as usize].path;
            path.split('/').count() == best
        };
        if found.iter().any(is_all_of_it) {
            found.retain(is_all_of_it);
        }
        match is_whole || best >= 2 {
            true if found.len() <= 4 => found,
            _ => Vec::new(),
        }
    }

    /// Files that a module's name means, the longest beginning of it that is one; of a package all its
    /// files, each a little.
    fn of_module(&self, index: &SearchIndex, module: &str) -> Vec<(u32, f64)> {
        let parts: Vec<&str> = module.split('/').collect();
        for n in (2..=parts.len()).rev() {
            let last = parts[n - 1];
            let wanted = parts[..n].join("/");
            let ends = |path: &str| {
                path == wanted
                    || path
                        .strip_suffix(&wanted)
                        .is_some_and(|before| before.ends_with('/'))
            };
            let without_ending = |file: u32| {
                let path = &index.view.files[file as usize].path;
                let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
                let stem = path[folder.len()..].trim_start_matches('/');
                let stem = stem.split('.').next().unwrap_or(stem);
                if folder.is_empty() {
                    stem.to_owned()
                } else {
                    format!("{folder}/{stem}")
                }
            };
            let files = self.modules.get(last).map_or(&[][..], Vec::as_slice);
            let files: Vec<u32> = files
                .iter()
                .copied()
                .filter(|file| ends(&without_ending(*file)))
                .collect();
            if !files.is_empty() && files.len() <= 4 {
                let value = 1.0 / files.len() as f64;
                return files.into_iter().map(|file| (file, value)).collect();
            }
            let inside = self
                .folders
                .get(last)
                .map_or(&[][..], Vec::as_slice)
                .iter()
                .copied();
            let folder_of = |file: u32| {
                let path = &index.view.files[file as usize].path;
                path.rsplit_once('/')
                    .map_or("", |(folder, _)| folder)
                    .to_owned()
            };
            let inside: Vec<u32> = inside.filter(|file| ends(&folder_of(*file))).collect();
            if !inside.is_empty() && inside.len() <= MAX_PACKAGE {
                let value = 0.6 / (inside.len() as f64).sqrt();
                return inside.into_iter().map(|file| (file, value)).collect();
            }
        }
        Vec::new()
    }
}
