//! Topics of a code base: its clusters, found by the words of their names and documentation.

use super::StructureSession;
use super::clusters::{Grain, common_folder};
use super::known::ClusterMap;
use super::words::stems;
use crate::Engine;
use crate::api::{Concept, ConceptsRequest, ConceptsResponse};
use crate::choices::need;
use crate::error::Result;
use std::collections::{BTreeSet, HashMap};
use whyrank_graph::SymbolId;

const DEFAULT_LIMIT: u32 = 5;
const N_KEY: usize = 8;
/// This many definitions represent a topic even where fewer match the query.
const LEAST_KEY: usize = 3;
/// A topic of a lower share of the best one's score only mentions the query.
const LEAST_SHARE: f64 = 0.4;
/// A topic is a match when it covers so much of the query, words weighted by rareness.
const MATCH: f64 = 0.5;
/// A word this short has too many longer ones.
const LEAST_PREFIX: usize = 4;

impl Engine {
    /// Finds the topics that a query is about; where none is, the nearest.
    ///
    /// # Errors
    /// `bad-argument` for an empty query; those of opening the view.
    pub fn concepts(&self, request: &ConceptsRequest) -> Result<ConceptsResponse> {
        need(&request.query, "query")?;
        let asked = self.open_graph_with_facts(&request.repo, request.as_of.as_deref())?;
        asked.with_structure(|structure| concepts(structure, request))
    }
}

/// A word of the query and what counts as the same.
struct QueryWord {
    word: String,
    same: BTreeSet<String>,
}

fn concepts(
    structure: &StructureSession<'_, '_>,
    request: &ConceptsRequest,
) -> Result<ConceptsResponse> {
    let map = structure.cluster_map(Grain::Topics)?;
    let limit = match request.limit {
        0 => DEFAULT_LIMIT,
        limit => limit,
    } as usize;
    let words = words(map, &request.query);
    let sets: Vec<BTreeSet<String>> = words.iter().map(|word| word.same.clone()).collect();
    let mut found = map.terms.rank(&sets);
    let best = found.first().map_or(0.0, |(_, score, _)| *score);
    found.retain(|(_, score, _)| *score >= LEAST_SHARE * best);
    let weight = |places: &[usize]| -> f64 {
        places
            .iter()
            .map(|place| map.terms.weight(&sets[*place]))
            .sum()
    };
    let all: Vec<usize> = (0..sets.len()).collect();
    let is_match = found
        .first()
        .is_some_and(|(_, _, matched)| weight(matched) >= MATCH * weight(&all));
    let mut topics: Vec<(usize, f64, Vec<usize>)> = found.iter().take(limit).cloned().collect();
    if topics.is_empty() {
        let groups = (0..map.groups.len()).filter(|group| map.groups[*group].len() > 1);
        topics.extend(groups.take(limit).map(|group| (group, 0.0, Vec::new())));
    }
    let concepts = topics.into_iter().map(|(group, score, matched)| {
        let words: Vec<&QueryWord> = matched.iter().map(|place| &words[*place]).collect();
        concept(structure, map, group, score, &words)
    });
    let unknown = words.iter().filter(|word| {
        (0..map.groups.len()).all(|group| {
            word.same
                .iter()
                .all(|same| map.terms.count(group, same) == 0.0)
        })
    });
    Ok(ConceptsResponse {
        is_match,
        unknown: unknown.map(|word| word.word.clone()).collect(),
        n_found: found.len() as u32,
        n_topics: map.groups.len() as u32,
        concepts: concepts.collect(),
    })
}

/// The telling words of a query; all of its words where none tells.
fn words(map: &ClusterMap, query: &str) -> Vec<QueryWord> {
    let mut given = stems(query);
    if given.is_empty() {
        let all = query.split_whitespace().map(str::to_lowercase);
        given = all
            .map(|word| (whyrank_index::stem(&word).to_owned(), word))
            .collect();
    }
    let mut seen = BTreeSet::new();
    given.retain(|(stem, _)| seen.insert(stem.clone()));
    given
        .into_iter()
        .map(|(stem, word)| QueryWord {
            same: same_as(map, &stem),
            word,
        })
        .collect()
}

/// `rout` matches `router` too, and the other way; where no name has it, for what begins like it.
fn same_as(map: &ClusterMap, stem: &str) -> BTreeSet<String> {
    let agent = format!("{stem}er");
    let act = stem
        .strip_suffix("er")
        .filter(|act| act.len() >= LEAST_PREFIX);
    let near = [Some(stem), Some(agent.as_str()), act];
    let known: BTreeSet<&str> = map.terms.words().collect();
    let mut same: BTreeSet<String> = near
        .into_iter()
        .flatten()
        .filter(|word| known.contains(word))
        .map(str::to_owned)
        .collect();
    if same.is_empty() && stem.len() >= LEAST_PREFIX {
        let longer = known.iter().filter(|word| word.starts_with(stem));
        same.extend(longer.map(|word| (*word).to_owned()));
    }
    if same.is_empty() {
        same.insert(stem.to_owned());
    }
    same
}

fn concept(
    structure: &StructureSession<'_, '_>,
    map: &ClusterMap,
    group: usize,
    score: f64,
    words: &[&QueryWord],
) -> Concept {
    let view = structure.view;
    let mut by_file: HashMap<u32, usize> = HashMap::new();
    let mut n_of = |id: &SymbolId| {
        let n_words = n_spoken(words, &view.symbol(*id).qualified);
        let best = by_file.entry(id.file).or_default();
        *best = n_words.max(*best);
        n_words
    };
    let mut key: Vec<(usize, SymbolId)> = map
        .definitions(structure, group)
        .iter()
        .map(|id| (n_of(id), *id))
        .collect();
    key.sort_by(|a, b| {
        let by_rank = structure.rank(b.1).total_cmp(&structure.rank(a.1));
        b.0.cmp(&a.0).then(by_rank).then(a.1.cmp(&b.1))
    });
    let n_key = key.iter().filter(|(n_words, _)| *n_words > 0).count();
    key.truncate(n_key.clamp(LEAST_KEY, N_KEY));
    let key: Vec<SymbolId> = key.into_iter().map(|(_, id)| id).collect();
    let mut files = map.files(group);
    files.sort_by_key(|file| {
        let in_path = n_spoken(words, view.path(*file));
        std::cmp::Reverse(in_path + by_file.get(file).copied().unwrap_or(0))
    });
    Concept {
        label: map.label(group),
        score,
        matched: words.iter().map(|word| word.word.clone()).collect(),
        folder: common_folder(structure, &files),
        files: files
            .iter()
            .map(|file| view.path(*file).to_owned())
            .collect(),
        definitions: view.lines(&key),
    }
}

/// How many of the query's words a name holds.
fn n_spoken(words: &[&QueryWord], name: &str) -> usize {
    let spoken: BTreeSet<String> = stems(name).into_iter().map(|(stem, _)| stem).collect();
    let has = |word: &&&QueryWord| word.same.iter().any(|same| spoken.contains(same));
    words.iter().filter(has).count()
}
