//! Source files and patterns over them, in a language that the input's last byte chooses.

use super::{Seed, choice, choosing};
use whyrank_syntax::{Language, StructuralPattern, analyze, comments, detect, highlight};

const LANGUAGES: [&str; 26] = [
    "javascript",
    "typescript",
    "tsx",
    "python",
    "rust",
    "go",
    "java",
    "kotlin",
    "scala",
    "swift",
    "dart",
    "c",
    "cpp",
    "csharp",
    "ruby",
    "php",
    "lua",
    "bash",
    "markdown",
    "vue",
    "html",
    "svelte",
    "astro",
    "protobuf",
    "terraform",
    "sql",
];

/// A file goes with the language of its name; one without an ending goes with all.
pub(super) fn seeds(files: Vec<Seed>) -> Vec<Vec<u8>> {
    choosing(files, |name| {
        let of_name = name.contains('.').then(|| detect(name, b"")).flatten();
        let fits = |at: &usize| of_name.is_none_or(|language| language == language_at(*at));
        (0..LANGUAGES.len()).filter(fits).collect()
    })
}

fn language_at(at: usize) -> Language {
    Language::from_name(LANGUAGES[at]).expect("a language that is built in")
}

fn split(bytes: &[u8]) -> (Language, String) {
    let (at, bytes) = choice(bytes, LANGUAGES.len());
    (language_at(at), String::from_utf8_lossy(bytes).into_owned())
}

pub(super) fn chunker(bytes: &[u8]) {
    let (language, text) = split(bytes);
    let facts = analyze(&text, language);
    for chunk in &facts.chunks {
        let range = chunk.span.start_byte as usize..chunk.span.end_byte as usize;
        assert!(text.get(range).is_some(), "a chunk that is no text");
    }
    drop(comments(&text, language));
    drop(highlight(&text, language));
}

pub(super) fn pattern(bytes: &[u8]) {
    let (language, text) = split(bytes);
    if let Ok(pattern) = StructuralPattern::new(&text, language) {
        let source = "f(1, g(2), [3]); class A { b() { if (c) { return d; } } }\n".repeat(20);
        drop(pattern.search(&source, language, &|| false));
        drop(pattern.search(&text, language, &|| false));
    }
}
