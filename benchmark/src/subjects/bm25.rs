//! Raw BM25 over chunks of lines, without any of our rules: the usual floor of code search.

use super::Subject;
use super::grep::FAIR as CODE;
use super::side_by_side::SideBySide;
use crate::checkouts::Checkout;
use crate::process::own_cpu_ms;
use crate::watch::Watch;
use bm25::{SearchEngine, SearchEngineBuilder, SearchResult, Tokenizer};
use std::path::Path;
use std::time::Instant;
use whyrank_eval::{
    Answer, Call, Category, Question, Relation, RepositoryInfo, ReturnedPlace, SubjectInfo, Task,
};

pub(super) const NOTES: &str = "BM25 (k1 1.5, b .75) over chunks of 1,500 characters with their path; words and parts of identifiers";

const K1: f32 = 1.5;
const B: f32 = 0.75;
/// Chunks that an agent would read.
const READ: usize = 10;
const CHUNK_CHARS: usize = 1500;
const MAX_FILE_BYTES: u64 = 1 << 20;
const SKIPPED: [&str; 7] = [
    ".git",
    "node_modules",
    "dist",
    "build",
    "target",
    "vendor",
    "__pycache__",
];

/// Words in lower case, and the parts of those that are compound.
#[derive(Clone, Default)]
struct CodeWords;

impl Tokenizer for CodeWords {
    fn tokenize(&self, text: &str) -> Vec<String> {
        let mut tokens = Vec::new();
        for word in text
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .filter(|word| !word.is_empty())
        {
            let parts = parts(word);
            if parts.len() > 1 {
                tokens.extend(parts);
            }
            tokens.push(word.to_lowercase());
        }
        tokens
    }
}

/// `parseHTTPUrl2` -> parse, http, url2.
fn parts(word: &str) -> Vec<String> {
    let chars: Vec<char> = word.chars().collect();
    let mut parts = vec![String::new()];
    for (index, c) in chars.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| chars[before]);
        let after = chars.get(index + 1);
        let begins = c.is_uppercase()
            && (before.is_some_and(|b| !b.is_uppercase())
                || after.is_some_and(|a| a.is_lowercase()));
        if (begins || *c == '_') && parts.last().is_some_and(|part| !part.is_empty()) {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut()
            && *c != '_'
        {
            part.extend(c.to_lowercase());
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

struct Chunk {
    file: String,
    line: u32,
    end_line: u32,
}

/// Chunks and their words.
struct Index {
    chunks: Vec<Chunk>,
    engine: SearchEngine<u32, u32, CodeWords>,
}

#[derive(Default)]
pub(super) struct Bm25 {
    own: Option<Index>,
    /// The repository and the others that its tasks speak of.
    both: Option<(SideBySide, Index)>,
}

impl Index {
    fn of(root: &Path) -> Self {
        let (mut chunks, mut texts) = (Vec::new(), Vec::new());
        for (file, text) in code_files(root) {
            for (line, end_line, text) in self::chunks(&text) {
                let id = chunks.len() as u32;
                chunks.push(Chunk {
                    file: file.clone(),
                    line,
                    end_line,
                });
                texts.push(bm25::Document {
                    id,
                    contents: with_path(&file, &text),
                });
            }
        }
        let builder = SearchEngineBuilder::with_tokenizer_and_documents(CodeWords, texts);
        let engine = builder.k1(K1).b(B).build();
        Self { chunks, engine }
    }

    /// The best chunks with their text.
    fn search(&self, text: &str, n: usize) -> Vec<(&Chunk, String)> {
        let text_of = |contents: &str| contents.lines().skip(1).collect::<Vec<_>>().join("\n");
        self.best(text, n)
            .into_iter()
            .map(|result| {
                let chunk = &self.chunks[result.document.id as usize];
                (chunk, text_of(&result.document.contents))
            })
            .collect()
    }

    /// The best, equals by their place: the library has these in the order of a hash map, which is another
    /// one in each run.
    fn best(&self, text: &str, n: usize) -> Vec<SearchResult<u32>> {
        let mut results = self.engine.search(text, 2 * n);
        let score_at = |place: usize| results.get(place).map(|result| result.score);
        let cuts_equals =
            n > 0 && score_at(2 * n - 1).is_some_and(|lowest| Some(lowest) == score_at(n - 1));
        if cuts_equals {
            results = self.engine.search(text, None::<usize>);
        }
        results.sort_by(|a, b| {
            let by_place = || a.document.id.cmp(&b.document.id);
            b.score.total_cmp(&a.score).then_with(by_place)
        });
        results.truncate(n);
        results
    }
}

impl Subject for Bm25 {
    fn info(&self) -> SubjectInfo {
        SubjectInfo {
            name: "bm25".to_owned(),
            notes: NOTES.to_owned(),
            ..SubjectInfo::default()
        }
    }

    fn prepare(
        &mut self,
        checkout: &Checkout,
        others: &[Checkout],
        _: &mut RepositoryInfo,
        watch: &Watch,
    ) -> Result<(), String> {
        watch.phase(format!("bm25 reads {}", checkout.name));
        self.own = Some(Index::of(&checkout.root));
        self.both = None;
        if !others.is_empty() {
            let both = SideBySide::of(checkout, others)?;
            let index = Index::of(both.root());
            self.both = Some((both, index));
        }
        Ok(())
    }

    fn answer(&mut self, task: &Task, _: &Watch) -> Answer {
        if let (
            Question::Symbol {
                symbol, relation, ..
            },
            Category::P3,
        ) = (&task.question, task.category)
        {
            return self.across(symbol, *relation);
        }
        let (Question::Text { text, top_k, .. }, Some(index)) = (&task.question, &self.own) else {
            return Answer::unsupported();
        };
        // Lines have no names: tasks that ask for symbols are not for it.
        if matches!(
            task.category,
            Category::Needle | Category::Ranking | Category::Expansion
        ) {
            return Answer::unsupported();
        }
        let started = Instant::now();
        let before = own_cpu_ms();
        let results = index.search(text, *top_k as usize);
        let mut answer = Answer {
            wall_ms: started.elapsed().as_secs_f64() * 1e3,
            cpu_ms: own_cpu_ms()
                .zip(before)
                .map(|(after, before)| after - before),
            calls: vec![Call {
                tool: "bm25".to_owned(),
                arguments: text.clone(),
            }],
            ..Answer::default()
        };
        for (chunk, text) in results {
            if answer.found.len() < READ {
                answer.text +=
                    &format!("{}:{}-{}\n{text}\n", chunk.file, chunk.line, chunk.end_line);
            }
            answer.found.push(ReturnedPlace {
                file: chunk.file.clone(),
                line: chunk.line,
                end_line: chunk.end_line,
                ..ReturnedPlace::default()
            });
        }
        answer
    }
}

impl Bm25 {
    /// The lines of the best chunks that hold the name; for its definition the first of them.
    fn across(&self, symbol: &str, relation: Relation) -> Answer {
        let (Some((both, index)), Relation::Definition | Relation::Uses) = (&self.both, relation)
        else {
            return Answer::unsupported();
        };
        let started = Instant::now();
        let before = own_cpu_ms();
        let name = symbol.rsplit(['.', ':']).next().unwrap_or(symbol);
        let mut answer = Answer::default();
        for (chunk, text) in index.search(name, READ) {
            answer.text += &format!("{}:{}-{}\n{text}\n", chunk.file, chunk.line, chunk.end_line);
            let lines = (chunk.line..).zip(text.lines());
            let named = lines.filter(|(_, text)| holds(text, name));
            answer.found.extend(named.map(|(line, _)| {
                both.place(ReturnedPlace {
                    file: chunk.file.clone(),
                    line,
                    ..ReturnedPlace::default()
                })
            }));
        }
        if relation == Relation::Definition {
            answer.found.truncate(1);
        }
        answer.wall_ms = started.elapsed().as_secs_f64() * 1e3;
        answer.cpu_ms = own_cpu_ms()
            .zip(before)
            .map(|(after, before)| after - before);
        answer
    }
}

/// Whether a line holds a name as a word.
fn holds(line: &str, name: &str) -> bool {
    line.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$')
        .any(|word| word == name)
}

/// A chunk under a line with its path: the name twice, and three folders, as the usual baseline has it.
fn with_path(file: &str, text: &str) -> String {
    let mut folders: Vec<&str> = file.split('/').collect();
    let name = folders.pop().unwrap_or_default();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let near = &folders[folders.len().saturating_sub(3)..];
    format!("{stem} {stem} {}\n{text}", near.join(" "))
}

/// Code below a folder, or all text where there is no code.
fn code_files(root: &Path) -> Vec<(String, String)> {
    let all = files(root);
    let is_code = |path: &str| {
        path.rsplit_once('.')
            .is_some_and(|(_, ending)| CODE.contains(&ending))
    };
    if all.iter().any(|(path, _)| is_code(path)) {
        all.into_iter().filter(|(path, _)| is_code(path)).collect()
    } else {
        all
    }
}

/// Text files below a folder, by path.
pub(crate) fn files(root: &Path) -> Vec<(String, String)> {
    let walk = walkdir::WalkDir::new(root).sort_by_file_name().into_iter();
    let walk =
        walk.filter_entry(|entry| !SKIPPED.contains(&entry.file_name().to_string_lossy().as_ref()));
    let files = walk.filter_map(|entry| {
        let entry = entry.ok().filter(|entry| entry.file_type().is_file())?;
        entry
            .metadata()
            .ok()
            .filter(|data| data.len() <= MAX_FILE_BYTES)?;
        let text = std::fs::read_to_string(entry.path()).ok()?;
        let path = entry.path().strip_prefix(root).ok()?;
        Some((path.to_string_lossy().replace('\\', "/"), text))
    });
    files.collect()
}

/// Runs of whole lines up to the chunk size: first line, last line, text.
fn chunks(text: &str) -> Vec<(u32, u32, String)> {
    let mut chunks = Vec::new();
    let mut current = String::new();
    let mut first = 1;
    for (index, line) in text.lines().enumerate() {
        if !current.is_empty() && current.len() + line.len() > CHUNK_CHARS {
            chunks.push((first, index as u32, std::mem::take(&mut current)));
            first = index as u32 + 1;
        }
        current += line;
        current.push('\n');
    }
    if !current.trim().is_empty() {
        let last = text.lines().count() as u32;
        chunks.push((first, last, current));
    }
    chunks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compound_words_come_whole_and_in_parts() {
        assert_eq!(parts("parseHTTPUrl"), ["parse", "http", "url"]);
        assert_eq!(
            CodeWords.tokenize("snake_case x"),
            ["snake", "case", "snake_case", "x"]
        );
    }

    #[test]
    fn equals_come_in_the_order_of_their_places() {
        let folder = tempfile::tempdir().unwrap();
        for file in ["a.rs", "b.rs", "c.rs", "d.rs", "e.rs", "f.rs", "g.rs"] {
            std::fs::write(folder.path().join(file), "fn route() {}\n").unwrap();
        }
        let index = Index::of(folder.path());
        let places = index.search("route", 2);
        let files: Vec<&str> = places
            .iter()
            .map(|(chunk, _)| chunk.file.as_str())
            .collect();
        assert_eq!(files, ["a.rs", "b.rs"]);
    }

    #[test]
    fn chunks_cover_every_line_once() {
        let text = "0123456789\n".repeat(400);
        let chunks = chunks(&text);
        assert!(chunks.len() > 2);
        assert_eq!(chunks[0].0, 1);
        assert_eq!(chunks.last().unwrap().1, 400);
        assert!(chunks.windows(2).all(|pair| pair[0].1 + 1 == pair[1].0));
    }
}
