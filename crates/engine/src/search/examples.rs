//! Queries to begin with, made of a repository's own names.

use crate::Engine;
use crate::api::{RepoId, Suggestion, SuggestionKind};
use crate::error::Result;
use crate::views::LiveView;
use whyrank_index::ViewFile;
use whyrank_syntax::{Symbol, identifier_parts};
use whyrank_system::test_paths;

/// Central files that are looked into.
const MOST_FILES: usize = 40;
/// Words of an example in words: fewer are a name, more are no question.
const WORDS: std::ops::RangeInclusive<usize> = 2..=4;
/// Letters of a name, or of a word of one: shorter ones say little.
const LEAST_LETTERS: usize = 3;

impl Engine {
    /// Lists queries that show what can be asked, from the files that most others need: a name, what a
    /// definition does in words, a path. Fewer where there is nothing of a kind.
    ///
    /// # Errors
    /// `unknown-repository`, `index-missing` and those of opening the view.
    pub fn example_queries(&self, repo: &RepoId) -> Result<Vec<Suggestion>> {
        let view = self.view_of(repo, None)?;
        let central = central_files(&view);
        let mut examples: Vec<Suggestion> = Vec::new();
        for of_file in [named, in_words, by_path] {
            let is_new = |example: &Suggestion| {
                let paths = examples.iter().map(|known| &known.path);
                !paths.clone().any(|path| *path == example.path)
            };
            let found = central.iter().find_map(|file| of_file(file).filter(is_new));
            examples.extend(found);
        }
        Ok(examples)
    }
}

/// Code that is no test, the most needed first.
fn central_files(view: &LiveView) -> Vec<&ViewFile> {
    let files = (0u32..).zip(&view.files);
    let mut ranked: Vec<(f32, &ViewFile)> = files
        .filter(|(_, file)| file.language.is_code() && !test_paths::is_test(&file.path))
        .map(|(at, file)| (view.file_rank(at), file))
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.path.cmp(&b.1.path)));
    ranked.truncate(MOST_FILES);
    ranked.into_iter().map(|(_, file)| file).collect()
}

/// The name of the longest type that others can see.
fn named(file: &ViewFile) -> Option<Suggestion> {
    longest(file, |symbol| {
        symbol.kind.is_type() && symbol.name.len() > LEAST_LETTERS
    })
    .map(|symbol| example(symbol.name, SuggestionKind::Symbol, file))
}

/// The words of the longest function that others can see.
fn in_words(file: &ViewFile) -> Option<Suggestion> {
    let are_words = |parts: &[String]| {
        let is_word =
            |part: &String| part.len() >= LEAST_LETTERS && part.chars().all(char::is_alphabetic);
        WORDS.contains(&parts.len()) && parts.iter().all(is_word)
    };
    longest(file, |symbol| {
        symbol.kind.is_callable() && are_words(&identifier_parts(&symbol.name))
    })
    .map(|symbol| {
        let words = identifier_parts(&symbol.name).join(" ");
        example(words, SuggestionKind::Words, file)
    })
}

/// A file with the folder that it lies in.
fn by_path(file: &ViewFile) -> Option<Suggestion> {
    let mut parts = file.path.rsplit('/');
    let (name, folder) = (parts.next()?, parts.next()?);
    Some(example(
        format!("{folder}/{name}"),
        SuggestionKind::Path,
        file,
    ))
}

fn longest(file: &ViewFile, is_wanted: impl Fn(&Symbol) -> bool) -> Option<Symbol> {
    file.with_outline(|outline| {
        let symbols = outline.symbols.iter();
        let wanted = symbols.filter(|symbol| symbol.exported && is_wanted(symbol));
        let n_lines = |symbol: &&Symbol| symbol.span.end_line - symbol.span.start_line;
        wanted.max_by_key(n_lines).cloned()
    })
}

fn example(text: String, kind: SuggestionKind, file: &ViewFile) -> Suggestion {
    Suggestion {
        text,
        kind,
        detail: String::new(),
        path: Some(file.path.clone()),
        line: None,
    }
}
