//! What an index costs: CPU seconds of a build from nothing, which do not depend on what else the
//! machine does.

use crate::api::RunRequest;
use crate::bench::Bench;
use crate::error::{BenchError, Result};
use crate::process::own_cpu_ms;
use crate::watch::Watch;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Instant;
use whyrank_engine::Engine;
use whyrank_engine::api::{IndexOptions, JobState};

/// The cost of one repository.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct IndexCost {
    /// Repository.
    pub name: String,
    /// Files.
    pub files: u32,
    /// Chunks.
    pub chunks: u32,
    /// Definitions.
    pub symbols: u32,
    /// CPU seconds of words, symbols and graph; none where they cannot be told.
    pub cpu_s: Option<f64>,
    /// Wall seconds of the same.
    pub wall_s: f64,
    /// Size on disk in bytes.
    pub bytes: f64,
}

impl Bench {
    /// Builds the index of each folder from nothing, without vectors. With no folders, of every
    /// repository of the suites of `request`.
    ///
    /// # Errors
    /// The first that cannot be indexed; `Cancelled`.
    pub fn index_costs(
        &self,
        folders: &[PathBuf],
        request: &RunRequest,
        watch: &Watch,
    ) -> Result<Vec<IndexCost>> {
        let engine = self.engine_for("default", true)?;
        let mut costs = Vec::new();
        for (name, root) in self.roots(folders, request, watch)? {
            if watch.is_cancelled() {
                return Err(BenchError::Cancelled);
            }
            watch.phase(format!("indexing {name}"));
            costs.push(cost(&engine, name, &root)?);
        }
        Ok(costs)
    }

    fn roots(
        &self,
        folders: &[PathBuf],
        request: &RunRequest,
        watch: &Watch,
    ) -> Result<Vec<(String, PathBuf)>> {
        if !folders.is_empty() {
            return Ok(folders
                .iter()
                .map(|folder| (folder.to_string_lossy().into_owned(), folder.clone()))
                .collect());
        }
        let of = self.checkouts_of(request)?;
        let mut roots = Vec::new();
        for suite in &of.suites {
            for pin in &suite.repositories {
                match of.checkouts.obtain(&suite.name, pin, watch) {
                    Ok(checkout) => roots.push((checkout.name, checkout.root)),
                    Err(why) => watch.note(why),
                }
            }
        }
        Ok(roots)
    }
}

fn cost(engine: &Engine, name: String, root: &std::path::Path) -> Result<IndexCost> {
    let repo = engine.find_repo(&root.to_string_lossy())?;
    let started = Instant::now();
    let before = own_cpu_ms();
    let options = IndexOptions {
        rebuild: true,
        skip_vectors: true,
        impatient: true,
        as_of: None,
    };
    let job = engine.start_index(&repo.id, options)?;
    let ended = engine.wait_job(&job)?;
    let cpu_s = own_cpu_ms()
        .zip(before)
        .map(|(after, before)| (after - before) / 1e3);
    let wall_s = started.elapsed().as_secs_f64();
    if ended.state != JobState::Done {
        let why = ended
            .error
            .map_or_else(|| "it did not end well".to_owned(), |error| error.message);
        return Err(BenchError::request(
            format!("{name}: {why}"),
            "try `whyrank index` on it",
        ));
    }
    let summary = engine.repo(&repo.id)?;
    Ok(IndexCost {
        name,
        files: summary.files,
        chunks: summary.chunks,
        symbols: summary.symbols,
        cpu_s,
        wall_s,
        bytes: summary.index_bytes,
    })
}
