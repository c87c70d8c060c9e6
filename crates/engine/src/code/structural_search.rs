//! Structural search over the files of a view.

use crate::Engine;
use crate::api::{AstBinding, AstGrepRequest, AstGrepResponse, AstMatch};
use crate::choices::need;
use crate::error::{EngineError, Result};
use crate::views::LiveView;
use rayon::prelude::*;
use std::collections::HashMap;
use std::time::{Duration, Instant};
use whyrank_index::ViewFile;
use whyrank_retrieval::PathFilter;
use whyrank_syntax::{
    Language, StructuralPattern, is_component, structural_grammar, structural_language_names,
    structural_languages,
};

const DEFAULT_MATCHES: u32 = 200;
const MAX_MATCHES: u32 = 5_000;
/// When it is reached, what was found so far is the answer.
const TIME_LIMIT: Duration = Duration::from_secs(5);
const MAX_BINDING_CHARS: usize = 200;
const MAX_LINE_CHARS: usize = 200;

impl Engine {
    /// Finds code that has the shape of a pattern.
    ///
    /// Files are searched in parallel, for five seconds at most; files that lack the words of the
    /// pattern are not parsed.
    ///
    /// # Errors
    /// `bad-argument` for a pattern that is no code of the language, an unknown language or a broken
    /// glob; those of opening the view.
    pub fn ast_grep(&self, request: &AstGrepRequest) -> Result<AstGrepResponse> {
        need(&request.pattern, "pattern")?;
        let view = self.view_of(&request.repo, request.as_of.as_deref())?;
        let files = scope(&view, request)?;
        let patterns = patterns(&view, &files, request)?;
        let deadline = Instant::now() + TIME_LIMIT;
        let found: Vec<InFile> = files
            .par_iter()
            .map(|file| search_file(&view, *file, &patterns, deadline))
            .collect::<Result<_>>()?;
        Ok(response(request, &patterns, found))
    }
}

/// What a file holds.
#[derive(Default)]
struct InFile {
    matches: Vec<AstMatch>,
    unfinished: bool,
    searched: bool,
}

/// A pattern for each grammar, the one of most files first.
type Patterns = Vec<StructuralPattern>;

/// The files to search: in the paths and languages asked for.
fn scope(view: &LiveView, request: &AstGrepRequest) -> Result<Vec<u32>> {
    let wanted = languages(&request.language)?;
    let paths = PathFilter::new(&request.paths)?;
    let is_component = |file: &ViewFile| is_component(file.language);
    let is_known = |language: Language| !structural_languages(language.name()).is_empty();
    let passes = |file: &ViewFile| match &wanted {
        // A component's script may be in a language that was asked for.
        Some(wanted) => wanted.contains(&file.language) || is_component(file),
        None => is_known(file.language),
    };
    let files = &view.files;
    let in_paths: Vec<u32> = (0..files.len() as u32)
        .filter(|file| paths.passes(&files[*file as usize].path))
        .collect();
    if in_paths.is_empty() && !request.paths.is_empty() {
        return Err(EngineError::bad_argument(
            format!(
                "no indexed file lies in {}",
                named(&request.paths).join(", ")
            ),
            "give folders or globs relative to the repository root",
        ));
    }
    Ok(in_paths
        .into_iter()
        .filter(|file| passes(&files[*file as usize]))
        .collect())
}

/// Paths as they were asked for: a folder also represents what is below it.
fn named(paths: &[String]) -> Vec<&str> {
    let is_asked = |path: &&str| !path.ends_with("/**") || paths.len() == 1;
    paths.iter().map(String::as_str).filter(is_asked).collect()
}

/// The languages of a name; none for an empty one.
fn languages(name: &str) -> Result<Option<Vec<Language>>> {
    if name.trim().is_empty() {
        return Ok(None);
    }
    match structural_languages(name) {
        known if known.is_empty() => Err(EngineError::bad_argument(
            format!("structural search does not know the language `{name}`"),
            format!("it knows {}", structural_language_names().join(", ")),
        )),
        known => Ok(Some(known)),
    }
}

/// The pattern in each grammar of the files. One that is code in none of them is refused as what
/// most files are in.
fn patterns(view: &LiveView, files: &[u32], request: &AstGrepRequest) -> Result<Patterns> {
    let mut grammars = grammars(view, files);
    let named = languages(&request.language)?.unwrap_or_default();
    let has_component = named.iter().any(|named| is_component(*named));
    if !named.is_empty() && !has_component {
        grammars.retain(|grammar| named.contains(grammar));
        // Without a file there is nothing to find, but a broken pattern is still said to be one.
        if grammars.is_empty() {
            grammars.extend(named.first());
        }
    }
    let mut refusal = None;
    let mut patterns = Vec::new();
    for grammar in grammars {
        match StructuralPattern::new(&request.pattern, grammar) {
            Ok(pattern) => patterns.push(pattern),
            Err(error) => refusal = refusal.or(Some(error)),
        }
    }
    match (patterns.is_empty(), refusal) {
        (true, Some(refusal)) => {
            let hint = refusal.hint();
            Err(EngineError::lower("bad-argument", &refusal, &hint))
        }
        _ => Ok(patterns),
    }
}

/// The grammars of some files, that of most files first. Components count as all that their scripts
/// may be in.
fn grammars(view: &LiveView, files: &[u32]) -> Vec<Language> {
    let mut counts: HashMap<Language, u32> = HashMap::new();
    for file in files {
        let language = view.files[*file as usize].language;
        let names: &[&str] = match language.name() {
            "vue" | "svelte" | "astro" => &["typescript", "javascript", "tsx"],
            name => &[name],
        };
        for name in names.iter().filter_map(|name| Language::from_name(name)) {
            *counts.entry(name).or_default() += 1;
        }
    }
    let mut grammars: Vec<(Language, u32)> = counts.into_iter().collect();
    grammars.sort_by_key(|(language, count)| (std::cmp::Reverse(*count), *language));
    grammars.into_iter().map(|(language, _)| language).collect()
}

fn search_file(
    view: &LiveView,
    file: u32,
    patterns: &Patterns,
    deadline: Instant,
) -> Result<InFile> {
    let is_late = || Instant::now() >= deadline;
    let unfinished = InFile {
        unfinished: true,
        searched: true,
        ..InFile::default()
    };
    if is_late() {
        return Ok(unfinished);
    }
    let entry = &view.files[file as usize];
    let text = view.text(file)?;
    let grammar = structural_grammar(&text, entry.language);
    let pattern = patterns
        .iter()
        .find(|pattern| Some(pattern.language()) == grammar);
    let Some(pattern) = pattern else {
        return Ok(InFile::default());
    };
    if !pattern.may_match(&text) {
        return Ok(InFile {
            unfinished: false,
            ..unfinished
        });
    }
    let found = pattern.search(&text, entry.language, &is_late);
    let lines: Vec<&str> = text.lines().collect();
    let place = |found: whyrank_syntax::StructuralMatch| AstMatch {
        path: entry.path.clone(),
        start_line: found.start_line,
        end_line: found.end_line,
        text: one_line(
            lines.get(found.start_line as usize - 1).unwrap_or(&""),
            MAX_LINE_CHARS,
        ),
        enclosing: enclosing(entry, found.start_byte, found.end_byte),
        bindings: found
            .bindings
            .into_iter()
            .map(|binding| AstBinding {
                text: one_line(
                    text.get(binding.start_byte..binding.end_byte).unwrap_or(""),
                    MAX_BINDING_CHARS,
                ),
                name: binding.name,
            })
            .collect(),
        test: view.is_test(file),
    };
    Ok(InFile {
        matches: found.matches.into_iter().map(place).collect(),
        unfinished: !found.complete,
        searched: true,
    })
}

/// The innermost definition around some bytes.
fn enclosing(file: &ViewFile, start_byte: usize, end_byte: usize) -> Option<String> {
    let around = file.outline().symbols.iter().rev().find(|symbol| {
        let (start, end) = (
            symbol.span.start_byte as usize,
            symbol.span.end_byte as usize,
        );
        start <= start_byte && end_byte <= end && (start, end) != (start_byte, end_byte)
    });
    around.map(|symbol| symbol.qualified.clone())
}

fn response(request: &AstGrepRequest, patterns: &Patterns, found: Vec<InFile>) -> AstGrepResponse {
    let limit = match request.limit {
        0 => DEFAULT_MATCHES,
        limit => limit.min(MAX_MATCHES),
    };
    let n_files = found.iter().filter(|file| !file.matches.is_empty()).count();
    let n_unfinished = found.iter().filter(|file| file.unfinished).count();
    let n_searched = found.iter().filter(|file| file.searched).count();
    let mut matches: Vec<AstMatch> = found.into_iter().flat_map(|file| file.matches).collect();
    let n_matches = matches.len();
    // Stable: within each part by path and line.
    matches.sort_by_key(|found| found.test);
    matches.truncate(limit as usize);
    let note = match n_unfinished {
        0 => String::new(),
        n => format!("partial: {n} of {n_searched} files not finished; narrow by path"),
    };
    AstGrepResponse {
        matches,
        n_matches: n_matches as u32,
        n_files: n_files as u32,
        n_searched: n_searched as u32,
        languages: patterns
            .iter()
            .map(|pattern| pattern.language().name().to_owned())
            .collect(),
        n_unfinished: n_unfinished as u32,
        note,
    }
}

/// Text on one line, cut at some characters.
fn one_line(text: &str, max_chars: usize) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if line.len() > 4 * max_chars {
            break;
        }
    }
    match line.char_indices().nth(max_chars) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
