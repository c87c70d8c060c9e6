//! Answers to searches as rows, from their traces.

use super::EachRow;
use crate::Engine;
use crate::api::{ChannelRow, RepoId, TableRequest, TableRow, Trace, TraceRecord};
use crate::error::Result;
use crate::memory::time_words;
use std::collections::HashMap;
use whyrank_retrieval::{ChannelRank, TraceRow};

impl Engine {
    pub(super) fn trace_rows(&self, request: &TableRequest, each: &mut EachRow<'_>) -> Result<()> {
        let names = self.names_by_id()?;
        self.state.traces.each(&request.repo, &mut |at_s, trace| {
            each(TableRow::Trace(trace_row(
                &Asked::new(&names, at_s, &trace),
                &trace,
            )))
        })
    }

    pub(super) fn channel_rows(
        &self,
        request: &TableRequest,
        each: &mut EachRow<'_>,
    ) -> Result<()> {
        let names = self.names_by_id()?;
        self.state.traces.each(&request.repo, &mut |at_s, trace| {
            let asked = Asked::new(&names, at_s, &trace);
            let found = trace.rows.iter();
            let mut ranks =
                found.flat_map(|row| row.channels.iter().map(move |channel| (row, channel)));
            ranks.try_for_each(|(row, channel)| {
                each(TableRow::Channel(channel_row(&asked, &trace, row, channel)))
            })
        })
    }

    fn names_by_id(&self) -> Result<HashMap<RepoId, String>> {
        let repos = self.repos()?.into_iter();
        Ok(repos.map(|repo| (repo.id, repo.name)).collect())
    }
}

/// When and of which repository an answer was asked.
struct Asked {
    at: String,
    repo: String,
}

impl Asked {
    fn new(names: &HashMap<RepoId, String>, at_s: i64, trace: &Trace) -> Self {
        let name = names.get(trace.repo.as_str());
        Self {
            at: time_words(at_s.saturating_mul(1000)),
            repo: name.unwrap_or(&trace.repo).clone(),
        }
    }
}

fn trace_row(asked: &Asked, trace: &Trace) -> TraceRecord {
    let shown = || trace.rows.iter().filter(|row| row.shown);
    let first = shown().min_by_key(|row| row.rank);
    let gate = trace.gate.as_ref();
    TraceRecord {
        query_id: trace.query_id.clone(),
        asked: asked.at.clone(),
        repo: asked.repo.clone(),
        query: trace.query.clone(),
        shape: word_of(&trace.shape),
        as_of: trace.as_of.clone(),
        hits: shown().count() as u32,
        first_path: first.map(|row| row.path.clone()),
        gate: gate.map(|gate| word_of(&gate.verdict.reason)),
        refined: trace.refine.is_some(),
        elapsed_ms: trace.timings.iter().map(|timing| timing.elapsed_ms).sum(),
        vector_coverage: trace.coverage.vector,
    }
}

fn channel_row(asked: &Asked, trace: &Trace, row: &TraceRow, found: &ChannelRank) -> ChannelRow {
    let mut weights = trace.weights.iter();
    let weight = weights.find(|weight| weight.channel == found.channel);
    ChannelRow {
        query_id: trace.query_id.clone(),
        asked: asked.at.clone(),
        repo: row.repo.as_ref().unwrap_or(&asked.repo).clone(),
        channel: found.channel.name().to_owned(),
        weight: weight.map_or(0.0, |weight| weight.effective),
        path: row.path.clone(),
        start_line: row.start_line,
        symbol: row.symbol.clone(),
        rank: row.rank,
        shown: row.shown,
        channel_rank: found.rank,
        contribution: found.contribution,
        score: row.score,
    }
}

/// The word that a choice is on the wire.
fn word_of(choice: &impl serde::Serialize) -> String {
    let word = serde_json::to_value(choice).expect("a choice is a word");
    word.as_str().unwrap_or_default().to_owned()
}
