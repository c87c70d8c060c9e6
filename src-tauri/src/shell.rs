//! What the page may ask for only with the person's consent: paths, endpoints, programs, the token.
//!
//! Each method asks [`Consent`] and then the engine; what is not agreed to does nothing.

use crate::agents::Agents;
use crate::consent::{Consent, ConsentQuestion, whole};
use std::io::Write;
use std::path::{Path, PathBuf};
use whyrank_benchmark::Bench;
use whyrank_benchmark::api::RunRequest;
use whyrank_engine::api::{
    EngineErrorDto, GraphFormat, GraphViewRequest, IndexerConsent, MemoImport, ModelSummary,
    PreciseReport, QueryId, RepoId, RepoSummary, RerankSettings, RerankTest, ScanReport, Settings,
};
use whyrank_engine::{Endings, Engine, EngineError, MAX_EXPORT_BYTES};
use whyrank_system::{regular, visible};

type Answer<T> = Result<T, EngineErrorDto>;

/// The handle that commands share.
#[derive(Clone)]
pub(crate) struct Shell {
    pub(crate) engine: Engine,
    pub(crate) bench: Bench,
    pub(crate) agents: Agents,
    pub(crate) consent: Consent,
}

impl Shell {
    /// The root that is found may be shown and added: it holds the folder that was chosen.
    pub(crate) fn scan(&self, path: &str) -> Answer<ScanReport> {
        let report = self.engine.scan(&self.consent.read(path)?)?;
        self.consent.grant_read(&report.root);
        Ok(report)
    }

    pub(crate) fn add_repo(&self, path: &str) -> Answer<RepoSummary> {
        Ok(self.engine.add_repo(&self.consent.read(path)?)?)
    }

    /// Adds what the first start offered, after one question for all of them.
    pub(crate) fn add_repos(&self, paths: &[String]) -> Answer<Vec<RepoSummary>> {
        let paths: Vec<PathBuf> = paths
            .iter()
            .map(|path| whole(path))
            .collect::<Answer<_>>()?;
        self.consent.read_all(&paths)?;
        let added = paths.iter().map(|path| Ok(self.engine.add_repo(path)?));
        added.collect()
    }

    pub(crate) fn import_model(&self, name: &str, folder: &str) -> Answer<ModelSummary> {
        let folder = self.consent.read(folder)?;
        Ok(self.engine.import_model(name, &folder, &mut |_| ())?)
    }

    pub(crate) fn import_memos(
        &self,
        repo: &RepoId,
        path: &str,
        retire: bool,
    ) -> Answer<MemoImport> {
        let path = self.consent.read(path)?;
        let text = regular::read_text(&path, MAX_EXPORT_BYTES).map_err(|error| {
            let message = format!("cannot read {}: {error}", path.display());
            EngineError::new("read-failed", message, "choose an export of memory")
        })?;
        let endings = if retire {
            Endings::TakeIn
        } else {
            Endings::LeaveOut
        };
        Ok(self.engine.import_memos(repo, &text, endings)?)
    }

    /// Writes an export of memory; how many facts it has.
    pub(crate) fn export_memos(&self, repo: &RepoId, path: &str) -> Answer<u32> {
        let path = self.consent.write(path)?;
        let export = self.engine.export_memos(repo)?;
        std::fs::write(&path, &export.text).map_err(|error| unwritten(&path, &error))?;
        Ok(export.n_facts)
    }

    /// Writes a trace as JSON.
    pub(crate) fn export_trace(&self, query_id: &QueryId, path: &str) -> Answer<()> {
        let path = self.consent.write(path)?;
        let trace = self.engine.explain(query_id)?;
        let json =
            serde_json::to_string_pretty(&trace).map_err(|error| unwritten(&path, &error))?;
        Ok(std::fs::write(&path, json).map_err(|error| unwritten(&path, &error))?)
    }

    pub(crate) fn save_graph(
        &self,
        request: &GraphViewRequest,
        format: GraphFormat,
        path: &str,
    ) -> Answer<()> {
        let path = self.consent.write(path)?;
        self.engine.look_before_answer(&request.repo);
        Ok(self.engine.graph_save(request, format, &path)?)
    }

    /// Writes a picture that the page drew, and nothing but a picture.
    pub(crate) fn save_image(&self, path: &str, image: &[u8]) -> Answer<()> {
        let path = self.consent.write(path)?;
        if !is_image(&path, image) {
            let message = format!("{} is not an SVG or PNG file", path.display());
            return Err(
                EngineError::new("bad-argument", message, "save it as .svg or .png").into(),
            );
        }
        Ok(std::fs::write(&path, image).map_err(|error| unwritten(&path, &error))?)
    }

    /// Writes the log of calls; how many calls it has.
    pub(crate) fn save_calls(&self, path: &str) -> Answer<u32> {
        let path = self.consent.write(path)?;
        let file = std::fs::File::create(&path).map_err(|error| unwritten(&path, &error))?;
        let mut file = std::io::BufWriter::new(file);
        let n_calls = self.engine.write_calls(&mut file)?;
        file.flush().map_err(|error| unwritten(&path, &error))?;
        Ok(n_calls)
    }

    pub(crate) fn export_run(&self, id: &str, format: &str, path: &str) -> Answer<String> {
        let path = self.consent.write(path)?;
        let written = self.bench.export(id, format, &path)?;
        Ok(written.to_string_lossy().into_owned())
    }

    pub(crate) fn start_run(&self, request: &RunRequest) -> Answer<String> {
        starts_no_program(request)?;
        let known = self.bench.suites()?;
        let is_known = |name: &String| known.iter().any(|suite| suite.name == *name);
        let suites = request.suites.iter().filter(|name| !is_known(name));
        for path in suites.chain(&request.folders) {
            self.consent.read(path)?;
        }
        Ok(self.bench.start(request)?)
    }

    pub(crate) fn set_settings(&self, settings: &Settings) -> Answer<Settings> {
        self.agree_to_reranker(&settings.rerank)?;
        Ok(self.engine.set_settings(settings)?)
    }

    pub(crate) fn test_reranker(&self, settings: &RerankSettings) -> Answer<RerankTest> {
        self.agree_to_reranker(settings)?;
        Ok(self.engine.test_reranker(settings)?)
    }

    /// What the page shows of commands is not what counts: the shell asks with those that will run.
    pub(crate) fn run_indexers(
        &self,
        repo: &RepoId,
        agreed: &[IndexerConsent],
    ) -> Answer<PreciseReport> {
        let lines = agreed.iter().flat_map(|indexer| &indexer.commands);
        let lines: Vec<String> = lines
            .map(|command| {
                format!(
                    "{}\n  in {}",
                    visible::line(&command.line),
                    visible::line(&command.folder)
                )
            })
            .collect();
        self.consent.act(&ConsentQuestion {
            text: format!(
                "Run these programs? They may run code of the repository.\n\n{}",
                lines.join("\n")
            ),
            agree: "Run",
        })?;
        Ok(self.engine.run_indexers(repo, agreed, &mut |_| ())?)
    }

    /// The token opens every repository to who has it; each request is asked about.
    pub(crate) fn http_token(&self, rotate: bool) -> Answer<String> {
        let text = if rotate {
            "Make a new token for the HTTP server, and copy it?"
        } else {
            "Copy the token of the HTTP server?"
        };
        self.consent.ask(&ConsentQuestion {
            text: text.to_owned(),
            agree: "Copy",
        })?;
        self.agents.token(rotate)
    }

    fn agree_to_reranker(&self, asked: &RerankSettings) -> Answer<()> {
        let saved = self.engine.settings()?.rerank;
        if self.engine.sends_away(asked) && !is_same_endpoint(asked, &saved) {
            self.consent.act(&endpoint_question(asked))
        } else {
            Ok(())
        }
    }
}

fn is_same_endpoint(one: &RerankSettings, other: &RerankSettings) -> bool {
    one.mode == other.mode && one.endpoint == other.endpoint && one.key_env == other.key_env
}

fn endpoint_question(settings: &RerankSettings) -> ConsentQuestion {
    let key = if settings.key_env.is_empty() {
        String::new()
    } else {
        format!(", with the key in ${}", visible::line(&settings.key_env))
    };
    ConsentQuestion {
        text: format!(
            "Send queries and snippets of code to {}{key}?",
            visible::line(settings.endpoint.trim())
        ),
        agree: "Send",
    }
}

/// Says whether the name and the first bytes are those of a picture.
fn is_image(path: &Path, image: &[u8]) -> bool {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("svg") => image.starts_with(b"<svg "),
        Some("png") => image.starts_with(b"\x89PNG\r\n\x1a\n"),
        _ => false,
    }
}

fn unwritten(path: &Path, error: &dyn std::fmt::Display) -> EngineError {
    let message = format!("cannot write {}: {error}", path.display());
    EngineError::new("write-failed", message, "choose another folder")
}

/// A page must not name what is started: outside subjects are for the command line.
fn starts_no_program(request: &RunRequest) -> Answer<()> {
    let mut subjects = request.subjects.iter();
    match subjects.find(|one| one.starts_with("command:") || one.starts_with("mcp:")) {
        None => Ok(()),
        Some(subject) => Err(EngineErrorDto {
            code: "bad-argument".to_owned(),
            message: format!("the window does not start programs: {subject}"),
            hint: "run it with `whyrank bench run`".to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_the_window_asks_for_starts_no_program() {
        let asked = |subject: &str| RunRequest {
            subjects: vec!["whyrank".to_owned(), subject.to_owned()],
            ..RunRequest::default()
        };
        assert!(starts_no_program(&asked("grep")).is_ok());
        for subject in ["command:x=/bin/sh -c id", "mcp:servers.json"] {
            let refused = starts_no_program(&asked(subject)).expect_err(subject);
            assert_eq!(refused.code, "bad-argument");
        }
    }

    #[test]
    fn only_a_picture_is_written_as_one() {
        let is = |path: &str, image: &[u8]| is_image(Path::new(path), image);
        assert!(is("a.svg", b"<svg xmlns=''>") && is("a.png", b"\x89PNG\r\n\x1a\n..."));
        assert!(!is("a.png", b"<svg ") && !is("a.sh", b"<svg ") && !is("a.svg", b"#!/bin/sh"));
    }
}
