//! BM25 of every part of an issue at once, over whole files and over chunks: each token's postings are
//! read once, whichever parts ask for it. Statistics are those of the view, not of the store.

use crate::error::Result;
use crate::query::{Issue, PartKind, is_stopword};
use crate::search_index::SearchIndex;
use std::collections::HashMap;
use whyrank_index::{ChunkRef, Pool};

/// Parts that ask with their words.
pub(super) const PARTS: [PartKind; N_PARTS] = [
    PartKind::Title,
    PartKind::Prose,
    PartKind::Code,
    PartKind::Output,
    PartKind::Message,
];
pub(super) const N_PARTS: usize = 5;
/// Distinct tokens that a part asks with at most.
const MAX_TOKENS: [usize; N_PARTS] = [40, 160, 120, 40, 40];
const K1: f32 = 1.2;
const B: f32 = 0.75;
/// Words that a reason names.
const N_WORDS: usize = 4;

/// A token, its weight in each part, and the files that hold it.
struct Token {
    text: String,
    weights: [f32; N_PARTS],
    /// Sorted by file: BM25 of the token there, at weight 1.
    files: Vec<(u32, f32)>,
}

/// Scores of all files and chunks.
pub(super) struct LexicalScores {
    tokens: Vec<Token>,
    /// By file.
    pub(super) files: Vec<[f32; N_PARTS]>,
    /// By chunk, file after file.
    chunks: Vec<[f32; N_PARTS]>,
    first_chunk: Vec<u32>,
    pub(super) best_file: [f32; N_PARTS],
    pub(super) best_chunk: [f32; N_PARTS],
}

impl LexicalScores {
    /// Scores of a chunk.
    pub(super) fn chunk(&self, place: ChunkRef) -> &[f32; N_PARTS] {
        &self.chunks[(self.first_chunk[place.file as usize] + place.chunk) as usize]
    }

    /// Tokens that a part asks with.
    pub(super) fn n_tokens(&self, part: usize) -> u32 {
        self.tokens
            .iter()
            .filter(|token| token.weights[part] > 0.0)
            .count() as u32
    }

    /// The words of a part that speak most for a file.
    pub(super) fn words(&self, part: usize, file: u32) -> Vec<String> {
        let mut found: Vec<(f32, &str)> = Vec::new();
        for token in self.tokens.iter().filter(|token| token.weights[part] > 0.0) {
            if let Ok(at) = token.files.binary_search_by_key(&file, |(file, _)| *file) {
                found.push((token.files[at].1 * token.weights[part], &token.text));
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        let words = found.iter().take(N_WORDS);
        words.map(|(_, word)| (*word).to_owned()).collect()
    }
}

/// Reads what all parts ask for.
pub(super) fn score(
    stores: &Pool<'_>,
    index: &SearchIndex,
    issue: &Issue,
) -> Result<LexicalScores> {
    let files = &index.view.files;
    let mut first_chunk = Vec::with_capacity(files.len());
    let mut n_chunks = 0u32;
    for file in files {
        first_chunk.push(n_chunks);
        n_chunks += file.n_chunks;
    }
    let mut scores = LexicalScores {
        tokens: tokens(issue),
        files: vec![[0.0; N_PARTS]; files.len()],
        chunks: vec![[0.0; N_PARTS]; n_chunks as usize],
        first_chunk,
        best_file: [0.0; N_PARTS],
        best_chunk: [0.0; N_PARTS],
    };
    let n_lines: f32 = files.iter().map(|file| file.n_lines as f32).sum();
    let mean_lines = (n_lines / files.len().max(1) as f32).max(1.0);
    let asked: Vec<&str> = scores.tokens.iter().map(|of| of.text.as_str()).collect();
    let mut found: Vec<Vec<(ChunkRef, f32, f32)>> = vec![Vec::new(); asked.len()];
    stores.each_posting(&asked, |at, posting| {
        if let Some(place) = index.view.locate(posting.chunk) {
            found[at].push((place, posting.n as f32, posting.n_tokens as f32));
        }
    })?;
    for (at, mut found) in found.into_iter().enumerate() {
        found.sort_unstable_by_key(|(place, ..)| *place);
        add_chunks(&mut scores, at, &found, n_chunks);
        let by_file = by_file(&found, index, mean_lines);
        add_files(&mut scores, at, by_file);
    }
    Ok(scores)
}

fn idf(n: usize, holding: usize) -> f32 {
    (1.0 + (n as f32 - holding as f32 + 0.5) / (holding as f32 + 0.5)).ln()
}

/// Tokens that a chunk has about; lengths are compared with it.
const USUAL_CHUNK: f32 = 90.0;

fn add_chunks(scores: &mut LexicalScores, at: usize, found: &[(ChunkRef, f32, f32)], n: u32) {
    let idf = idf(n as usize, found.len());
    let weights = scores.tokens[at].weights;
    for (place, n, length) in found {
        let tf = n * (K1 + 1.0) / (n + K1 * (1.0 - B + B * length / USUAL_CHUNK));
        let row = (scores.first_chunk[place.file as usize] + place.chunk) as usize;
        for (part, weight) in weights
            .iter()
            .enumerate()
            .filter(|(_, weight)| **weight > 0.0)
        {
            let score = &mut scores.chunks[row][part];
            *score += weight * idf * tf;
            scores.best_chunk[part] = scores.best_chunk[part].max(*score);
        }
    }
}

fn by_file(
    found: &[(ChunkRef, f32, f32)],
    index: &SearchIndex,
    mean_lines: f32,
) -> Vec<(u32, f32)> {
    let mut files: Vec<(u32, f32)> = Vec::new();
    for (place, n, _) in found {
        match files.last_mut() {
            Some((file, sum)) if *file == place.file => *sum += n,
            _ => files.push((place.file, *n)),
        }
    }
    let idf = idf(index.view.files.len(), files.len());
    for (file, n) in &mut files {
        let length = index.view.files[*file as usize].n_lines as f32 / mean_lines;
        *n = idf * *n * (K1 + 1.0) / (*n + K1 * (1.0 - B + B * length));
    }
    files
}

fn add_files(scores: &mut LexicalScores, at: usize, by_file: Vec<(u32, f32)>) {
    let weights = scores.tokens[at].weights;
    for (file, bm25) in &by_file {
        for (part, weight) in weights
            .iter()
            .enumerate()
            .filter(|(_, weight)| **weight > 0.0)
        {
            let score = &mut scores.files[*file as usize][part];
            *score += weight * bm25;
            scores.best_file[part] = scores.best_file[part].max(*score);
        }
    }
    scores.tokens[at].files = by_file;
}

/// The tokens of all parts: what comes often weighs more, by its logarithm.
fn tokens(issue: &Issue) -> Vec<Token> {
    let title = std::slice::from_ref(&issue.title);
    let texts: [&[String]; N_PARTS] = [
        title,
        &issue.prose,
        &issue.code,
        &issue.output,
        &issue.messages,
    ];
    let mut tokens: Vec<Token> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for (part, lines) in texts.into_iter().enumerate() {
        let is_prose = matches!(PARTS[part], PartKind::Title | PartKind::Prose);
        for (text, n) in counted(lines, is_prose, MAX_TOKENS[part]) {
            let at = *known.entry(text.clone()).or_insert_with(|| {
                tokens.push(Token {
                    text,
                    weights: [0.0; N_PARTS],
                    files: Vec::new(),
                });
                tokens.len() - 1
            });
            tokens[at].weights[part] = 1.0 + n.ln();
        }
    }
    tokens
}

/// The first distinct tokens of some lines, and how often they come.
fn counted(lines: &[String], is_prose: bool, most: usize) -> Vec<(String, f32)> {
    let mut counts: Vec<(String, f32)> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for line in lines {
        let words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
        for word in words.filter(|word| word.len() > 1) {
            if is_prose && is_stopword(word) {
                continue;
            }
            whyrank_index::for_each_token(word, |token| {
                if let Some(at) = known.get(token) {
                    counts[*at].1 += 1.0;
                } else if counts.len() < most && token.len() > 1 {
                    known.insert(token.to_owned(), counts.len());
                    counts.push((token.to_owned(), 1.0));
                }
            });
        }
    }
    counts
}
