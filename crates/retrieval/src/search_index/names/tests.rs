//! Mapped names against those of the catalog.

use super::*;
use crate::SearchIndex;
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
    for word in crate::search_index::OF_TESTS {
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

#[test]
fn like_names_are_found_by_their_words_and_beginnings_without_a_look_at_all() {
    let shop = filled();
    let others = (0..400).map(|at| format!("int other_thing_{at}(int a) {{ return a; }}\n"));
    let alike = [
        "nvme_submit_command",
        "kmalloc_array",
        "printk",
        "cmdline_parts",
    ];
    let alike = alike.map(|name| format!("int {name}(int a) {{ return a; }}\n"));
    let text: String = others.chain(alike).collect();
    fs::write(shop.root().join("src/big.c"), text).unwrap();
    let key = shop.worktree();
    let reader = shop.update(&key, SMALL);
    let found = |limits, name: &str| {
        let index = index_of(&reader, &key, limits);
        let mut names: BTreeSet<String> = BTreeSet::new();
        index.alike(name, &|_| true, &mut |_, own| {
            names.insert(own.to_owned());
        });
        names
    };
    let cases = [
        ("nvme_submit_cmd", "nvme_submit_command"),
        ("NVME_SUBMIT_COMMAND", "nvme_submit_command"),
        ("nvme_sumbit_command", "nvme_submit_command"),
        ("kmaloc_array", "kmalloc_array"),
        ("prinkt", "printk"),
        ("print", "printk"),
        ("submit_command", "nvme_submit_command"),
    ];
    for (name, like) in cases {
        let names = found(SMALL, name);
        assert!(names.contains(like), "{name}: {names:?}");
        assert!(names.len() < 8, "{name}: {names:?}");
        assert!(found(NEVER, name).len() > 400, "all are looked at");
    }
    let common = found(SMALL, "other_thing_x");
    assert!(common.len() >= 400, "all share its words");
}
