//! Changed places by the words of a query, for texts that no index has: rare words count more, names and
//! paths too, long places less (BM25).

use super::changes::{ChangedFile, Changes};
use crate::api::Hit;
use std::collections::{BTreeMap, HashMap};
use whyrank_retrieval::kind_name;
use whyrank_syntax::{Chunk, identifier_parts};

/// Saturation of a word's count, and how much a place's length counts.
const K1: f64 = 1.2;
const B: f64 = 0.6;
/// A word in a name or path counts as so many in the text.
const NAMED: u32 = 4;

struct Place<'a> {
    file: &'a ChangedFile,
    chunk: &'a Chunk,
    counts: HashMap<String, u32>,
    n_words: u32,
}

/// The places of a change that hold words of a query, best first.
pub(super) fn by_words(
    query: &str,
    changes: &Changes,
    spans: &BTreeMap<String, Spans>,
) -> Vec<Hit> {
    let wanted = parts(query);
    let mut places: Vec<Place<'_>> = Vec::new();
    for file in &changes.files {
        let (Some(new), Some(spans)) = (&file.new, spans.get(&file.path)) else {
            continue;
        };
        let chunks = new.facts.chunks.iter();
        let touched = chunks
            .filter(|one| touching((one.span.start_line, one.span.end_line), spans).is_some());
        places.extend(touched.map(|chunk| Place::of(file, chunk)));
    }
    let n = places.len() as f64;
    let mean = places.iter().map(|one| f64::from(one.n_words)).sum::<f64>() / n.max(1.0);
    let rarity = |word: &String| {
        let df = places
            .iter()
            .filter(|one| one.counts.contains_key(word))
            .count() as f64;
        (1.0 + (n - df + 0.5) / (df + 0.5)).ln()
    };
    let wanted: Vec<(String, f64)> = wanted
        .into_iter()
        .map(|word| {
            let rarity = rarity(&word);
            (word, rarity)
        })
        .collect();
    let scored = places.iter().map(|one| (one.score(&wanted, mean), one));
    let mut scored: Vec<_> = scored.filter(|(score, _)| *score > 0.0).collect();
    scored.sort_by(|a, b| {
        let place = |one: &Place<'_>| (one.file.path.clone(), one.chunk.span.start_line);
        b.0.total_cmp(&a.0)
            .then_with(|| place(a.1).cmp(&place(b.1)))
    });
    scored
        .into_iter()
        .map(|(score, one)| one.hit(score))
        .collect()
}

/// The parts of all words, each once.
fn parts(query: &str) -> Vec<String> {
    let mut parts: Vec<String> = words(query).collect();
    parts.sort_unstable();
    parts.dedup();
    parts
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let names = text.split(|one: char| !one.is_alphanumeric() && one != '_');
    names.flat_map(identifier_parts)
}

impl<'a> Place<'a> {
    fn of(file: &'a ChangedFile, chunk: &'a Chunk) -> Self {
        let mut one = Self {
            file,
            chunk,
            counts: HashMap::new(),
            n_words: 0,
        };
        let text = file.new.as_ref().map_or("", |new| &new.text);
        let span = chunk.span.start_byte as usize..chunk.span.end_byte as usize;
        one.add(text.get(span).unwrap_or_default(), 1);
        let name = one.symbol().map(|symbol| symbol.qualified.clone());
        one.add(&name.unwrap_or_default(), NAMED);
        one.add(&file.path, NAMED);
        one
    }

    fn add(&mut self, text: &str, weight: u32) {
        for word in words(text) {
            *self.counts.entry(word).or_default() += weight;
            self.n_words += 1;
        }
    }

    fn symbol(&self) -> Option<&'a whyrank_syntax::Symbol> {
        self.file.symbols().get(self.chunk.symbol? as usize)
    }

    fn score(&self, wanted: &[(String, f64)], mean: f64) -> f64 {
        let length = 1.0 - B + B * f64::from(self.n_words) / mean.max(1.0);
        let of_words = wanted.iter().map(|(word, rarity)| {
            let count = f64::from(self.counts.get(word).copied().unwrap_or_default());
            rarity * count * (K1 + 1.0) / (count + K1 * length)
        });
        of_words.sum()
    }

    fn hit(&self, score: f64) -> Hit {
        let symbol = self.symbol();
        let new = self.file.new.as_ref();
        let line = new.and_then(|new| new.text.lines().nth(self.chunk.focus_line as usize - 1));
        let head = symbol.map_or_else(
            || line.unwrap_or_default().trim().chars().take(200).collect(),
            |symbol| symbol.signature.clone(),
        );
        let kind = symbol.map_or_else(|| "code".to_owned(), |one| kind_name(one.kind).to_owned());
        let (first, last) = (self.chunk.focus_line, self.chunk.span.end_line);
        Hit {
            rank: 0,
            repo: None,
            path: self.file.path.clone(),
            start_line: first,
            end_line: last,
            symbol: symbol.map(|symbol| symbol.qualified.clone()),
            kind,
            signature: head,
            language: new.map_or_else(String::new, |new| new.language.name().to_owned()),
            score,
            channels: Vec::new(),
            snippet: Vec::new(),
            badges: Vec::new(),
            more_in_file: 0,
            copies: Vec::new(),
            evidence_id: new.map_or_else(String::new, |new| {
                format!("{}:{first}-{last}@worktree", &new.blob.to_string()[..12])
            }),
        }
    }
}

/// Lines around a change that belong to it.
pub(super) const MARGIN: u32 = 2;

/// Spans of a file, and whether they changed themselves.
pub(crate) type Spans = Vec<(u32, u32, bool)>;

/// The changed lines that are there and can be read, by path.
pub(super) fn touched(changes: &Changes) -> BTreeMap<String, Spans> {
    let there = changes.files.iter().filter(|file| file.new.is_some());
    let spans = |file: &ChangedFile| -> Spans {
        let lines = file.lines.iter();
        let around = lines.map(|change| {
            let last = change.start + change.n_lines.saturating_sub(1);
            (change.start.saturating_sub(MARGIN), last + MARGIN, true)
        });
        around.collect()
    };
    let there = there.map(|file| (file.path.clone(), spans(file)));
    there.filter(|(_, spans)| !spans.is_empty()).collect()
}

/// Whether lines lie on what changed (true), on a user of it (false), or on neither.
pub(crate) fn touching((first, last): (u32, u32), spans: &Spans) -> Option<bool> {
    let overlaps = |span: &&(u32, u32, bool)| span.0 <= last && first <= span.1;
    let touched: Vec<bool> = spans.iter().filter(overlaps).map(|span| span.2).collect();
    if touched.is_empty() {
        None
    } else {
        Some(touched.contains(&true))
    }
}
