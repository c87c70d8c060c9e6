//! Definitions by their names: looked up where a store has them mapped, inverted here for the rest.
//!
//! What is mapped may turn out to be damaged while it is read. Then the names of all files are inverted
//! from the catalog, once, and answers are the same.

use super::{SearchIndex, SymbolRef, distinct_tokens};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;
use whyrank_graph::SymbolId;
use whyrank_index::{FileNames, IndexError, NamedSymbol, View, ViewNames};

/// Definitions by name, of some files.
#[derive(Debug, Default)]
struct Inverted {
    /// Token of a name → definitions with it.
    tokens: HashMap<String, Vec<SymbolRef>>,
    /// Lower-cased whole name → definitions.
    exact: HashMap<String, Vec<SymbolRef>>,
}

impl Inverted {
    fn of(view: &View, is_wanted: impl Fn(u32) -> bool) -> Self {
        let mut inverted = Self::default();
        for (file, entry) in (0u32..)
            .zip(&view.files)
            .filter(|(file, _)| is_wanted(*file))
        {
            entry.with_outline(|outline| {
                for (symbol, definition) in (0u32..).zip(&outline.symbols) {
                    inverted.add(SymbolRef { file, symbol }, &definition.name);
                }
            });
        }
        inverted
    }

    fn add(&mut self, place: SymbolRef, name: &str) {
        for token in distinct_tokens(name) {
            self.tokens.entry(token).or_default().push(place);
        }
        self.exact
            .entry(name.to_lowercase())
            .or_default()
            .push(place);
    }

    fn get(&self, sought: Sought<'_>) -> &[SymbolRef] {
        let found = match sought {
            Sought::Token(token) => self.tokens.get(token),
            Sought::Name(lower) => self.exact.get(lower),
        };
        found.map_or(&[], Vec::as_slice)
    }
}

/// What definitions are looked up by.
#[derive(Clone, Copy)]
enum Sought<'a> {
    Token(&'a str),
    /// Lower-cased.
    Name(&'a str),
}

impl Sought<'_> {
    fn mapped(self, names: &ViewNames) -> Result<Vec<SymbolId>, IndexError> {
        match self {
            Self::Token(token) => names.with_token(token),
            Self::Name(lower) => names.with_name(lower),
        }
    }
}

/// The definitions of a view by name.
#[derive(Debug)]
pub(super) struct Names {
    /// Of the files that nothing mapped covers.
    inverted: Inverted,
    /// Of all files, where what is mapped is damaged.
    whole: OnceLock<Inverted>,
}

impl Names {
    pub(super) fn of(view: &View) -> Self {
        let covers = |file| view.names().is_some_and(|names| names.covers(file));
        Self {
            inverted: Inverted::of(view, |file| !covers(file)),
            whole: OnceLock::new(),
        }
    }

    /// Of a pool, which asks its parts.
    pub(super) fn none() -> Self {
        Self {
            inverted: Inverted::default(),
            whole: OnceLock::new(),
        }
    }

    /// By file and position.
    fn find(&self, view: &View, sought: Sought<'_>) -> Cow<'_, [SymbolRef]> {
        if let Some(whole) = self.whole.get() {
            return Cow::Borrowed(whole.get(sought));
        }
        let here = self.inverted.get(sought);
        let Some(names) = view.names() else {
            return Cow::Borrowed(here);
        };
        let Ok(mapped) = sought.mapped(names) else {
            return Cow::Borrowed(self.whole(view).get(sought));
        };
        let mut found: Vec<SymbolRef> = mapped.into_iter().map(SymbolRef::from).collect();
        if !here.is_empty() {
            found.extend(here);
            found.sort_unstable();
        }
        Cow::Owned(found)
    }

    fn n_with_token(&self, view: &View, token: &str) -> usize {
        let here = || self.inverted.get(Sought::Token(token)).len();
        match (self.whole.get(), view.names()) {
            (None, Some(names)) => match names.n_with_token(token) {
                Ok(n_mapped) => n_mapped + here(),
                Err(_) => self.whole(view).get(Sought::Token(token)).len(),
            },
            (Some(whole), _) => whole.get(Sought::Token(token)).len(),
            (None, None) => here(),
        }
    }

    fn whole(&self, view: &View) -> &Inverted {
        self.whole.get_or_init(|| Inverted::of(view, |_| true))
    }
}

impl From<SymbolRef> for SymbolId {
    fn from(place: SymbolRef) -> Self {
        Self {
            file: place.file,
            symbol: place.symbol,
        }
    }
}

impl From<SymbolId> for SymbolRef {
    fn from(id: SymbolId) -> Self {
        Self {
            file: id.file,
            symbol: id.symbol,
        }
    }
}

impl SearchIndex {
    /// The definitions with a token in their name, by file and position.
    pub(crate) fn with_token(&self, token: &str) -> Cow<'_, [SymbolRef]> {
        self.places(Sought::Token(token))
    }

    /// How many definitions have a token in their name.
    pub(crate) fn n_with_token(&self, token: &str) -> usize {
        if self.parts.is_empty() {
            return self.names.n_with_token(&self.view, token);
        }
        let parts = self.parts.iter();
        parts.map(|part| part.index.n_with_token(token)).sum()
    }

    /// The definitions of a name, in whatever case, by file and position.
    pub(crate) fn with_name(&self, name: &str) -> Cow<'_, [SymbolRef]> {
        self.places(Sought::Name(&name.to_lowercase()))
    }

    /// Looks up in every repository, with places as the pool numbers them.
    fn places(&self, sought: Sought<'_>) -> Cow<'_, [SymbolRef]> {
        if self.parts.is_empty() {
            return self.names.find(&self.view, sought);
        }
        let mut found = Vec::new();
        for part in &self.parts {
            let places = part.index.places(sought);
            found.extend(places.iter().map(|place| SymbolRef {
                file: part.offset.file + place.file,
                ..*place
            }));
        }
        Cow::Owned(found)
    }

    /// Calls `each` with the name of every place, by file and position: a file's names are read once.
    pub(crate) fn each_named(
        &self,
        mut places: Vec<SymbolRef>,
        mut each: impl FnMut(SymbolRef, NamedSymbol<'_>),
    ) {
        places.sort_unstable();
        for of_file in places.chunk_by(|a, b| a.file == b.file) {
            let names = self.file_names(of_file[0].file);
            for place in of_file {
                if let Some(named) = names.get(place.symbol) {
                    each(*place, named);
                }
            }
        }
    }

    /// Those of some places whose definition is told by its name.
    pub(crate) fn named_where(
        &self,
        places: &[SymbolRef],
        is_wanted: impl Fn(NamedSymbol<'_>) -> bool,
    ) -> Vec<SymbolRef> {
        let mut wanted = Vec::new();
        self.each_named(places.to_vec(), |place, named| {
            if is_wanted(named) {
                wanted.push(place);
            }
        });
        wanted
    }

    /// The definitions of exactly this name, by file and position.
    pub fn named(&self, name: &str) -> Vec<SymbolId> {
        let places = self.with_name(name);
        let named = self.named_where(&places, |named| named.name == name);
        named.into_iter().map(SymbolId::from).collect()
    }

    /// The names that are this one when they are lower-cased, each once.
    pub fn names_of(&self, lower: &str) -> Vec<String> {
        let mut names = std::collections::BTreeSet::new();
        let places = self.places(Sought::Name(lower)).into_owned();
        self.each_named(places, |_, named| {
            if !names.contains(named.name) {
                names.insert(named.name.to_owned());
            }
        });
        names.into_iter().collect()
    }

    /// Hands over every definition with its name, by file and position.
    pub fn each_name(&self, each: &mut dyn FnMut(SymbolId, &str)) {
        for file in 0..self.view.files.len() as u32 {
            let names = self.file_names(file);
            for symbol in 0..names.len() as u32 {
                if let Some(named) = names.get(symbol) {
                    each(SymbolId { file, symbol }, named.name);
                }
            }
        }
    }

    fn file_names(&self, file: u32) -> FileNames {
        let (index, file) = self.of_file(file);
        let names = index.view.names().filter(|names| names.covers(file));
        let mapped = names.and_then(|names| names.definitions(file).ok());
        mapped.unwrap_or_else(|| index.view.files[file as usize].names())
    }
}

/// Chunks that say no more than one before them: heads of modules and namespaces that were seen before.
/// `module Sinatra` in each file of a gem is one text, and as many places in a list by likeness.
pub(super) fn reopened(view: &View) -> roaring::RoaringBitmap {
    let mut seen = std::collections::HashSet::new();
    let mut repeats = roaring::RoaringBitmap::new();
    for (at, file) in (0u32..).zip(&view.files) {
        let mut note = |heads: &[whyrank_index::ModuleHead]| {
            for head in heads {
                if !seen.insert((head.qualified.clone(), head.n_bytes)) {
                    repeats.insert(file.first_chunk + head.chunk);
                }
            }
        };
        match view.names().filter(|names| names.covers(at)) {
            Some(names) => note(names.module_heads(at)),
            None => file.with_outline(|outline| note(&outline.module_heads())),
        }
    }
    repeats
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::sync::Arc;
    use whyrank_index::{NamesLimits, Reader, Store, Unattended, ViewKey, WriteMode};
    use whyrank_source::Repository;

    const NAMES: [&str; 9] = [
        "parse_routes",
        "ParseRoutes",
        "HTTPServer",
        "get",
        "Get",
        "test_router",
        "router_router",
        "_print_SeqFormula",
        "größe",
    ];
    const PATHS: [&str; 6] = [
        "a.py",
        "lib/b.py",
        "lib/c.rb",
        "lib/d.rb",
        "src/e.c",
        "tests/f.py",
    ];
    const NEVER: NamesLimits = NamesLimits {
        least_in_view: u64::MAX,
        least_new: 0,
        most_in_segment: 0,
    };

    /// A file of these names, in the language of its path.
    fn text_of(path: &str, names: &[usize]) -> String {
        let names = names.iter().map(|at| NAMES[at % NAMES.len()]);
        let definition = |name: &str| match path.rsplit('.').next() {
            Some("py") => format!(
                "def {name}(a):\n    return a\n\n\nclass K{name}:\n    def {name}(self):\n        return 1\n\n"
            ),
            Some("rb") => format!(
                "module Shop\nend\n\nmodule {}\n  def {name}\n  end\nend\n",
                name.to_uppercase()
            ),
            _ => format!("#define {name} 1\nint {name}_of(int a) {{ return a; }}\n"),
        };
        names.map(definition).collect()
    }

    struct Shop {
        folder: tempfile::TempDir,
    }

    impl Shop {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            git2::Repository::init(folder.path().join("shop")).unwrap();
            Self { folder }
        }

        fn root(&self) -> PathBuf {
            self.folder.path().join("shop")
        }

        fn write(&self, path: &str, names: &[usize]) {
            let path = self.root().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            if names.is_empty() {
                let _ = fs::remove_file(path);
            } else {
                fs::write(&path, text_of(path.to_str().unwrap(), names)).unwrap();
            }
        }

        fn commit(&self) -> String {
            let repository = git2::Repository::open(self.root()).unwrap();
            let mut index = repository.index().unwrap();
            index
                .add_all(["."], git2::IndexAddOption::DEFAULT, None)
                .unwrap();
            index.update_all(["."], None).unwrap();
            index.write().unwrap();
            let tree = repository.find_tree(index.write_tree().unwrap()).unwrap();
            let who = git2::Signature::now("A", "a@example.org").unwrap();
            let parent = repository
                .head()
                .ok()
                .map(|head| head.peel_to_commit().unwrap());
            let parents: Vec<_> = parent.iter().collect();
            let id = repository.commit(Some("HEAD"), &who, &who, "change", &tree, &parents);
            id.unwrap().to_string()
        }

        fn store(&self) -> Store {
            Store::at(&self.folder.path().join("store"))
        }

        fn update(&self, key: &ViewKey, limits: NamesLimits) -> Reader {
            let mut writer = self.store().writer(WriteMode::Update).unwrap();
            let repository = Repository::discover(&self.root()).unwrap();
            writer
                .update_view(&repository, key, 4_000_000_000, &Unattended)
                .unwrap();
            writer.keep_names(key, limits).unwrap();
            writer.sweep().unwrap();
            writer.finish().unwrap();
            self.store().reader().unwrap()
        }

        fn worktree(&self) -> ViewKey {
            ViewKey::Worktree(self.root().to_string_lossy().into_owned())
        }

        fn segments(&self) -> Vec<PathBuf> {
            let folder = self.folder.path().join("store/gen-1/derived");
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            let paths = entries.map(|entry| entry.path());
            let mut paths: Vec<PathBuf> = paths.filter(|path| is_segment(path)).collect();
            paths.sort();
            paths
        }
    }

    fn is_segment(path: &Path) -> bool {
        path.file_name()
            .unwrap()
            .to_string_lossy()
            .starts_with("names-")
    }

    fn index_of(reader: &Reader, key: &ViewKey, limits: NamesLimits) -> Arc<SearchIndex> {
        Arc::new(SearchIndex::new(Arc::new(
            reader.view_within(key, limits).unwrap(),
        )))
    }

    /// Everything that names are asked for.
    fn check_equal(mapped: &SearchIndex, plain: &SearchIndex) {
        let mut sought: BTreeSet<String> = ["absent", "", "a", "zzz"].map(str::to_owned).into();
        for file in &plain.view.files {
            for symbol in &file.outline().symbols {
                sought.extend(distinct_tokens(&symbol.name));
                sought.insert(symbol.name.clone());
            }
        }
        for text in &sought {
            assert_eq!(mapped.with_token(text), plain.with_token(text), "{text}");
            assert_eq!(
                mapped.n_with_token(text),
                plain.with_token(text).len(),
                "{text}"
            );
            assert_eq!(mapped.with_name(text), plain.with_name(text), "{text}");
        }
        let places = |index: &SearchIndex| -> Vec<SymbolRef> {
            let files = (0u32..).zip(&index.view.files);
            let of_file = |(file, entry): (u32, &whyrank_index::ViewFile)| {
                let symbols = 0..entry.n_symbols;
                symbols.map(move |symbol| SymbolRef { file, symbol })
            };
            files.flat_map(of_file).collect()
        };
        let named = |index: &SearchIndex| {
            let mut all = Vec::new();
            index.each_named(places(index), |place, named| {
                all.push((
                    place,
                    named.name.to_owned(),
                    named.kind,
                    named.exported,
                    named.chunk,
                ));
            });
            all
        };
        assert_eq!(named(mapped), named(plain));
        for (place, name, kind, exported, chunk) in named(mapped) {
            let symbol = plain.symbol(place);
            assert_eq!(
                (&name, kind, exported),
                (&symbol.name, symbol.kind, symbol.exported)
            );
            assert_eq!(chunk, plain.chunk_of(place).map(|chunk| chunk.chunk));
        }
        assert_eq!(mapped.reopened, plain.reopened);
        assert_eq!(mapped.n_symbols, plain.n_symbols);
        for word in super::super::OF_TESTS {
            assert_eq!(mapped.is_subject(word), plain.is_subject(word));
        }
    }

    fn steps() -> impl Strategy<Value = Vec<(usize, Vec<usize>)>> {
        let names = prop::collection::vec(0..NAMES.len(), 0..5);
        prop::collection::vec((0..PATHS.len(), names), 1..7)
    }

    fn limits() -> impl Strategy<Value = NamesLimits> {
        (1u64..20, 1usize..40).prop_map(|(least_new, most_in_segment)| NamesLimits {
            least_in_view: 1,
            least_new,
            most_in_segment,
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

        #[test]
        fn mapped_names_are_those_of_the_catalog(rounds in prop::collection::vec(steps(), 1..4), limits in limits()) {
            let shop = Shop::new();
            shop.write(PATHS[0], &[0, 1]);
            let mut keys = vec![shop.worktree()];
            for round in rounds {
                for (path, names) in round {
                    shop.write(PATHS[path], &names);
                }
                keys.push(ViewKey::Commit(shop.commit()));
                let mut indexes = Vec::new();
                for key in &keys {
                    let reader = shop.update(key, limits);
                    let mapped = index_of(&reader, key, limits);
                    let plain = index_of(&reader, key, NEVER);
                    prop_assert!(plain.view.names().is_none());
                    check_equal(&mapped, &plain);
                    indexes.push((mapped, plain));
                }
                let (mapped, plain): (Vec<_>, Vec<_>) = indexes.into_iter().unzip();
                let pool = |parts: Vec<Arc<SearchIndex>>| {
                    let parts = parts.into_iter().enumerate();
                    let parts = parts.map(|(at, part)| (format!("r{at}"), part));
                    SearchIndex::pooled(parts.collect(), None)
                };
                check_equal(&pool(mapped), &pool(plain));
            }
        }
    }

    const SMALL: NamesLimits = NamesLimits {
        least_in_view: 1,
        least_new: 1,
        most_in_segment: 1_000,
    };

    fn filled() -> Shop {
        let shop = Shop::new();
        for (at, path) in PATHS.iter().enumerate() {
            shop.write(path, &[at, at + 1, at + 2]);
        }
        shop
    }

    #[test]
    fn any_flipped_byte_is_met_and_the_answers_are_the_same() {
        let shop = filled();
        let key = shop.worktree();
        let reader = shop.update(&key, SMALL);
        let plain = index_of(&reader, &key, NEVER);
        assert!(index_of(&reader, &key, SMALL).view.names().is_some());
        let [segment] = &shop.segments()[..] else {
            panic!("{:?}", shop.segments());
        };
        let whole = fs::read(segment).unwrap();
        for at in (0..whole.len()).step_by(29) {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x20;
            fs::write(segment, &bytes).unwrap();
            let reader = shop.store().reader().unwrap();
            check_equal(&index_of(&reader, &key, SMALL), &plain);
            assert!(!segment.exists(), "byte {at} was not met");
        }
        let reader = shop.update(&key, SMALL);
        assert!(
            index_of(&reader, &key, SMALL).view.names().is_some(),
            "made anew"
        );
    }

    #[test]
    fn without_segments_answers_are_the_same_and_the_next_writer_makes_them() {
        let shop = filled();
        let key = shop.worktree();
        let reader = shop.update(&key, SMALL);
        let open = index_of(&reader, &key, SMALL);
        let plain = index_of(&reader, &key, NEVER);
        shop.segments()
            .iter()
            .for_each(|path| fs::remove_file(path).unwrap());
        check_equal(&open, &plain);
        let late = index_of(&shop.store().reader().unwrap(), &key, SMALL);
        assert!(late.view.names().is_none());
        check_equal(&late, &plain);
        let reader = shop.update(&key, SMALL);
        assert!(index_of(&reader, &key, SMALL).view.names().is_some());
    }

    #[test]
    fn what_a_killed_writer_leaves_is_not_read_and_goes() {
        let shop = filled();
        let key = shop.worktree();
        shop.update(&key, SMALL);
        let [segment] = &shop.segments()[..] else {
            panic!("{:?}", shop.segments());
        };
        // A copy with a newer number, as between writing a joined segment and removing its parts; and a
        // part of one that was never put in its place.
        let newer = segment.with_file_name("names-1-2.bin");
        fs::copy(segment, &newer).unwrap();
        let part = segment.with_file_name("names-1-3.bin.tmp");
        fs::write(&part, b"part").unwrap();
        let reader = shop.store().reader().unwrap();
        let mapped = index_of(&reader, &key, SMALL);
        check_equal(&mapped, &index_of(&reader, &key, NEVER));
        shop.write(PATHS[0], &[5, 6, 7]);
        let reader = shop.update(&key, SMALL);
        assert!(!part.exists());
        check_equal(
            &index_of(&reader, &key, SMALL),
            &index_of(&reader, &key, NEVER),
        );
    }
}
