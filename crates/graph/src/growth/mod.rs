//! Input of twice the size takes about twice the steps, whatever there is twice as much of: files of a package,
//! definitions of a name, places that open a type, members, heirs, imports, overloads.

use std::collections::HashSet;

use whyrank_syntax::{FileFacts, Language, words};

mod trees;

use crate::{
    FileInput, Implementations, ImportGraph, MentionFile, Mentions, ReferenceIndex, ReferenceQuery,
    Surroundings, SymbolTable, dead_code, steps, symbol_rank,
};
use trees::{Part, TREES};

/// A view with its texts.
struct Tree(Vec<(String, Language, FileFacts, String)>);

impl Tree {
    fn new(parts: &[Part], n: usize) -> Self {
        let numbered = |text: &str, at: usize| {
            text.replace('#', &at.to_string())
                .replace('@', &((at + n - 1) % n).to_string())
        };
        let mut files: Vec<(String, String)> = Vec::new();
        for part in parts {
            match part {
                Part::Once(path, text) => files.push(((*path).to_owned(), (*text).to_owned())),
                Part::Files(path, text) => {
                    files.extend((0..n).map(|at| (numbered(path, at), numbered(text, at))));
                }
                Part::Rows(path, [head, row, end]) => {
                    let rows: String = (0..n).map(|at| numbered(row, at)).collect();
                    files.push(((*path).to_owned(), format!("{head}{rows}{end}")));
                }
            }
        }
        files.sort();
        let read = |(path, text): (String, String)| {
            let language = whyrank_syntax::detect(&path, text.as_bytes()).expect("a language");
            let facts = whyrank_syntax::analyze(&text, language);
            (path, language, facts, text)
        };
        Self(files.into_iter().map(read).collect())
    }

    fn mentions(&self, names: &HashSet<&str>) -> Mentions {
        let mut found = Mentions::default();
        for (file, (_, language, _, text)) in (0u32..).zip(&self.0) {
            for word in words(text, *language, names) {
                found.add(MentionFile::Indexed(file), &word);
            }
        }
        found
    }

    /// The steps of each stage.
    fn steps(&self) -> Vec<(&'static str, u64)> {
        let files: Vec<FileInput<'_>> = self
            .0
            .iter()
            .map(|(path, language, facts, _)| FileInput {
                path,
                language: language.name(),
                facts,
            })
            .collect();
        let mut taken: Vec<(&'static str, u64)> = Vec::new();
        let mut note = |stage| taken.push((stage, steps::taken()));
        steps::taken();
        let imports = ImportGraph::resolve(&files, &[]);
        note("imports");
        let table = SymbolTable::new(&files, &imports);
        let known = ReferenceIndex::new(&files, &imports, &table);
        note("uses");
        let uses = ReferenceQuery::new(&files, &imports, &table, &known);
        symbol_rank(&uses);
        note("ranks");
        Implementations::new(&uses);
        note("implementations");
        dead_code(
            &uses,
            &Surroundings {
                is_test: &|_| false,
                mentions: &|names| self.mentions(names),
                with_tests: false,
                runtime: None,
            },
        );
        note("dead code");
        taken
    }
}

/// How much more than once the steps twice the input may take.
const MOST: f64 = 2.6;
/// The same of dead code, which compares what bears a name with each place of the name.
const MOST_OF_DEAD_CODE: f64 = 4.2;
/// What there is once, whatever the size.
const ONCE: u64 = 500;

#[test]
fn twice_the_input_takes_twice_the_steps() {
    let size = 120;
    let mut failed = Vec::new();
    for (name, parts) in TREES {
        let (once, twice) = (
            Tree::new(parts, size).steps(),
            Tree::new(parts, 2 * size).steps(),
        );
        for ((stage, few), (_, many)) in once.into_iter().zip(twice) {
            let most = match stage {
                "dead code" => MOST_OF_DEAD_CODE,
                _ => MOST,
            };
            let allowed = (few + ONCE) as f64 * most;
            if many as f64 > allowed {
                failed.push(format!("{name}: {stage}: {few} steps, then {many}"));
            }
        }
    }
    assert!(failed.is_empty(), "\n{}", failed.join("\n"));
}
