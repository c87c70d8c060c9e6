//! `whyrank memo`: memory on the command line.

use editor::targets;

mod editor;
mod encode;
mod print;
mod scope;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::Serialize;
use whyrank_engine::api::{
    MemoActRequest, MemoAuthor, MemoDone, MemoEditRequest, MemoHome, MemoId, MemoListRequest,
    MemoMark, MemoMoment, MissingRepo, RecallRequest, RememberRequest, RepoId,
};
use whyrank_engine::{Endings, Engine, EngineError, MAX_EXPORT_BYTES};
use whyrank_mcp::present::{self, Style};
use whyrank_system::regular;

use crate::args::{
    AddArgs, AnchorArgs, AsOfArgs, EditArgs, ListArgs, MemoAction, MemoCommandArgs, MemoRecallArgs,
    MomentArgs, ShowArgs, SupersedeArgs,
};
use crate::exit::{Exit, FAILED, NOTHING_FOUND};
use crate::out;
use crate::workspace;

const STYLE: Style = Style {
    budget: 100_000,
    detailed: false,
};

/// What every action needs.
struct MemorySession {
    engine: Engine,
    /// Joined for several.
    repo: RepoId,
    /// Of several, those that cannot be asked.
    missing: Vec<MissingRepo>,
    author: MemoAuthor,
    json: bool,
}

pub(crate) fn run(args: &MemoCommandArgs, json: bool) -> anyhow::Result<()> {
    let engine = workspace::open()?;
    let (repo, missing) = scope::asked(&engine, args)?;
    let author = MemoAuthor {
        name: args.repo.author.clone().unwrap_or_default(),
        ..MemoAuthor::default()
    };
    let session = MemorySession {
        engine,
        repo,
        missing,
        author,
        json,
    };
    session.act(&args.action)
}

impl MemorySession {
    fn act(&self, action: &MemoAction) -> anyhow::Result<()> {
        match action {
            MemoAction::Add(args) => self.add(args),
            MemoAction::List(args) => self.list(args),
            MemoAction::Show(args) => self.show(args),
            MemoAction::Edit(args) => self.edit(args),
            MemoAction::Revert { memo, version } => self.revert(memo, version.as_deref()),
            MemoAction::Recall(args) => self.recall(args),
            MemoAction::History { memo } => self.history(memo),
            MemoAction::Supersede(args) => self.supersede(args),
            MemoAction::Forget { memo, at } => {
                let request = MemoActRequest {
                    at: at.clone(),
                    ..self.request(memo)
                };
                self.done(
                    "forgotten from this commit on",
                    &self.engine.forget_memo(&request)?,
                )
            }
            MemoAction::Purge { memo, yes } => self.purge(memo, *yes),
            MemoAction::Pin { memo } => self.mark(memo, "pinned", &MemoMark::Pinned(true)),
            MemoAction::Unpin { memo } => self.mark(memo, "unpinned", &MemoMark::Pinned(false)),
            MemoAction::Tier { memo, tier } => {
                self.mark(memo, &format!("now {tier}"), &MemoMark::Tier(*tier))
            }
            MemoAction::Anchor(args) => self.anchor(args),
            MemoAction::Drift { memo } => self.drift(memo.as_ref()),
            MemoAction::AsOf(args) => self.as_of(args),
            MemoAction::Export { out } => self.export(out.as_deref()),
            MemoAction::Import {
                file,
                retire,
                no_vectors,
            } => {
                let endings = if *retire {
                    Endings::TakeIn
                } else {
                    Endings::LeaveOut
                };
                self.import(file, endings, *no_vectors)
            }
            MemoAction::Encode => self.encode(),
            MemoAction::Conflicts { agree } => self.conflicts(agree.as_deref()),
            MemoAction::Wakeup => {
                let response = self.engine.wakeup(&self.repo)?;
                self.print(&response, || present::wakeup(&response, None, STYLE))
            }
            MemoAction::Home => self.home(&self.engine.memory_home(&self.repo)?),
            MemoAction::Attach { from } => self.home(&self.engine.attach_memory(&self.repo, from)?),
            MemoAction::Detach => self.home(&self.engine.detach_memory(&self.repo)?),
        }
    }

    fn add(&self, args: &AddArgs) -> anyhow::Result<()> {
        let mut request = RememberRequest {
            repo: self.repo.clone(),
            kind: args.kind.clone().unwrap_or_default(),
            tags: args.tag.clone(),
            anchors: targets(&args.anchor),
            confidence: args.confidence,
            tier: args.tier.clone().unwrap_or_default(),
            supersedes: args.supersedes.clone(),
            at: args.at.clone(),
            author: self.author.clone(),
            ..RememberRequest::default()
        };
        match &args.text {
            Some(text) => request.content = given(text)?,
            None => editor::draft(&mut request, &args.anchor)?,
        }
        self.done("remembered", &self.engine.remember(&request)?)
    }

    fn list(&self, args: &ListArgs) -> anyhow::Result<()> {
        let mut response = self.engine.memos(&MemoListRequest {
            repo: self.repo.clone(),
            state: args.state.clone(),
            kinds: args.kind.clone(),
            tags: args.tag.clone(),
            text: args.text.clone().unwrap_or_default(),
            with_drift: true,
            limit: 0,
            offset: 0,
            moment: moment(&args.moment),
        })?;
        response.missing.splice(0..0, self.missing.iter().cloned());
        if !self.json {
            for note in std::mem::take(&mut response.notes) {
                out::note(&note);
            }
        }
        if args.ids {
            for memo in &response.memos {
                out::line(&memo.id)?;
            }
            return found(!response.memos.is_empty());
        }
        self.print(&response, || present::memories(&response, STYLE))?;
        found(!response.memos.is_empty())
    }

    fn show(&self, args: &ShowArgs) -> anyhow::Result<()> {
        let memo = self
            .engine
            .memo(&self.repo, &args.memo, &moment(&args.moment))?;
        self.print(&memo, || print::memo(&memo))
    }

    fn edit(&self, args: &EditArgs) -> anyhow::Result<()> {
        let mut request = MemoEditRequest {
            repo: self.repo.clone(),
            memo: args.memo.clone(),
            content: args.text.as_deref().map(given).transpose()?,
            kind: args.kind.clone(),
            tags: args.tag.clone(),
            confidence: args.confidence,
            since_start: args.since_start,
            at: args.at.clone(),
            author: self.author.clone(),
            ..MemoEditRequest::default()
        };
        let is_said = args.text.is_some()
            || args.kind.is_some()
            || args.tag.is_some()
            || args.confidence.is_some();
        if !is_said {
            let memo = self
                .engine
                .memo(&self.repo, &args.memo, &MemoMoment::default())?;
            if !editor::edit(&memo, &mut request)? {
                out::note("nothing changed");
                return Ok(());
            }
        }
        self.done("edited", &self.engine.edit_memo(&request)?)
    }

    fn revert(&self, memo: &MemoId, version: Option<&str>) -> anyhow::Result<()> {
        let history = self.engine.memo_history(&self.repo, memo)?;
        let version = match (version, history.versions.get(1)) {
            (Some(version), _) => version.to_owned(),
            (None, Some(before)) => before.memo.version.clone(),
            (None, None) => {
                return Err(
                    EngineError::new("bad-argument", "the memo has only one version", "").into(),
                );
            }
        };
        let done = self.engine.edit_memo(&MemoEditRequest {
            repo: self.repo.clone(),
            memo: memo.to_owned(),
            revert_to: Some(version),
            author: self.author.clone(),
            ..MemoEditRequest::default()
        })?;
        self.done("reverted", &done)
    }

    fn recall(&self, args: &MemoRecallArgs) -> anyhow::Result<()> {
        let mut response = self.engine.recall(&RecallRequest {
            repo: self.repo.clone(),
            query: args.query.clone(),
            kinds: args.kind.clone(),
            tags: args.tag.clone(),
            near: args.near.clone(),
            include: args.include.clone(),
            limit: args.limit,
            moment: moment(&args.moment),
        })?;
        response.missing.splice(0..0, self.missing.iter().cloned());
        let style = Style {
            detailed: args.explain,
            ..STYLE
        };
        self.print(&response, || present::recall(&response, style))?;
        found(!response.memos.is_empty())
    }

    fn history(&self, memo: &MemoId) -> anyhow::Result<()> {
        let history = self.engine.memo_history(&self.repo, memo)?;
        self.print(&history, || print::history(&history))
    }

    fn supersede(&self, args: &SupersedeArgs) -> anyhow::Result<()> {
        if let Some(by) = &args.by {
            let done = self.engine.supersede_memo(&self.request(&args.memo), by)?;
            return self.done("superseded", &done);
        }
        let old = self
            .engine
            .memo(&self.repo, &args.memo, &MemoMoment::default())?;
        let anchors: Vec<String> = old.anchors.iter().map(print::anchor).collect();
        let mut request = RememberRequest {
            repo: self.repo.clone(),
            kind: old.kind.to_string(),
            tags: old.tags.clone(),
            anchors: targets(&anchors),
            supersedes: Some(old.id.clone()),
            author: self.author.clone(),
            ..RememberRequest::default()
        };
        match &args.text {
            Some(text) => request.content = given(text)?,
            None => {
                request.content = old.content;
                editor::draft(&mut request, &anchors)?;
            }
        }
        self.done(
            "recorded as its replacement",
            &self.engine.remember(&request)?,
        )
    }

    fn purge(&self, memo: &MemoId, yes: bool) -> anyhow::Result<()> {
        if !yes {
            let shown = self.engine.memo(&self.repo, memo, &MemoMoment::default())?;
            out::note(&print::memo(&shown));
            return Err(EngineError::new(
                "bad-argument",
                format!(
                    "purging {} deletes its {} versions permanently",
                    shown.id, shown.n_versions
                ),
                "confirm with --yes; `whyrank memo forget` ends it and keeps its history",
            )
            .into());
        }
        let n_versions = self.engine.purge_memo(&self.request(memo))?;
        let done = serde_json::json!({"purged": memo, "n_versions": n_versions});
        self.print(&done, || format!("purged {n_versions} versions"))
    }

    fn anchor(&self, args: &AnchorArgs) -> anyhow::Result<()> {
        if args.follow {
            let done = self.engine.reanchor_memo(&self.request(&args.memo))?;
            return self.done("anchored again", &done);
        }
        let done = self.engine.edit_memo(&MemoEditRequest {
            repo: self.repo.clone(),
            memo: args.memo.clone(),
            anchors: Some(targets(&args.anchors)),
            author: self.author.clone(),
            ..MemoEditRequest::default()
        })?;
        self.done("anchored", &done)
    }

    fn drift(&self, memo: Option<&MemoId>) -> anyhow::Result<()> {
        let memos = match memo {
            Some(memo) => vec![self.engine.memo(&self.repo, memo, &MemoMoment::default())?],
            None => {
                let request = MemoListRequest {
                    repo: self.repo.clone(),
                    state: "drifted".to_owned(),
                    ..MemoListRequest::default()
                };
                self.engine.memos(&request)?.memos
            }
        };
        let texts: Vec<String> = memos.iter().map(print::drift).collect();
        self.print(&memos, || {
            if texts.is_empty() {
                "no memo has drifted".to_owned()
            } else {
                texts.join("\n")
            }
        })
    }

    fn as_of(&self, args: &AsOfArgs) -> anyhow::Result<()> {
        let commit = args.commit.clone();
        let in_git = self.engine.find_repo(&self.repo).is_ok();
        let response = self.engine.recall(&RecallRequest {
            repo: self.repo.clone(),
            query: args.query.clone(),
            include: vec!["drifted".to_owned(), "archived".to_owned()],
            limit: 200,
            moment: MemoMoment {
                as_of: commit.or_else(|| in_git.then(|| "HEAD".to_owned())),
                known_at: args.known_at.clone(),
            },
            ..RecallRequest::default()
        })?;
        self.print(&response, || present::recall(&response, STYLE))?;
        found(!response.memos.is_empty())
    }

    fn export(&self, file: Option<&Path>) -> anyhow::Result<()> {
        let export = self.engine.export_memos(&self.repo)?;
        for damage in &export.damaged {
            out::note(&format!("left out: {damage}"));
        }
        match file {
            None if self.json => out::json(&export)?,
            None => out::bytes(export.text.as_bytes())?,
            Some(file) => {
                std::fs::write(file, &export.text).map_err(|error| {
                    EngineError::new(
                        "io",
                        format!("cannot write {}: {error}", file.display()),
                        "",
                    )
                })?;
                out::note(&format!("{} facts in {}", export.n_facts, file.display()));
            }
        }
        // What could be read is written; a script must not take it for all.
        if export.damaged.is_empty() {
            Ok(())
        } else {
            Err(Exit(FAILED).into())
        }
    }

    fn import(&self, file: &Path, endings: Endings, no_vectors: bool) -> anyhow::Result<()> {
        let read = if file == Path::new("-") {
            regular::text_of(std::io::stdin(), MAX_EXPORT_BYTES)
        } else {
            File::open(file).and_then(|file| regular::text_of(file, MAX_EXPORT_BYTES))
        };
        let text = read.map_err(|error| {
            EngineError::new("io", format!("cannot read {}: {error}", file.display()), "")
        })?;
        let imported = self.engine.import_memos(&self.repo, &text, endings)?;
        self.print(&imported, || present::memo_import(&imported, STYLE))?;
        if imported.n_endings > 0 && endings == Endings::LeaveOut {
            out::note("take those in, too: the same command with --retire");
        }
        if no_vectors || imported.n_added == 0 {
            return Ok(());
        }
        match encode::run(&self.engine, &self.repo) {
            // Without a model memos are found by their words.
            Err(error) if error.code == "model-missing" => Ok(()),
            outcome => Ok(outcome.map(|_| ())?),
        }
    }

    fn encode(&self) -> anyhow::Result<()> {
        let encoding = encode::run(&self.engine, &self.repo)?;
        self.print(&encoding, || {
            format!("{} of {} memos have vectors", encoding.done, encoding.total)
        })
    }

    fn conflicts(&self, agree: Option<&[MemoId]>) -> anyhow::Result<()> {
        if let Some([one, other]) = agree {
            let mark = MemoMark::Agrees(other.clone());
            return self.mark(one, "they agree", &mark);
        }
        let conflicts = self
            .engine
            .memo_conflicts(&self.repo, &MemoMoment::default())?;
        self.print(&conflicts, || present::memo_conflicts(&conflicts, STYLE))
    }

    fn home(&self, home: &MemoHome) -> anyhow::Result<()> {
        self.print(home, || print::home(home))
    }

    fn mark(&self, memo: &MemoId, what: &str, mark: &MemoMark) -> anyhow::Result<()> {
        self.done(what, &self.engine.mark_memo(&self.request(memo), mark)?)
    }

    fn request(&self, memo: &MemoId) -> MemoActRequest {
        MemoActRequest {
            repo: self.repo.clone(),
            memo: memo.to_owned(),
            at: None,
            author: self.author.clone(),
        }
    }

    fn done(&self, what: &str, done: &MemoDone) -> anyhow::Result<()> {
        self.print(done, || present::memo_done(what, done, STYLE))
    }

    fn print(&self, value: &impl Serialize, text: impl FnOnce() -> String) -> anyhow::Result<()> {
        if self.json {
            out::json(value)
        } else {
            out::line(&text())
        }
    }
}

fn moment(args: &MomentArgs) -> MemoMoment {
    MemoMoment {
        as_of: args.as_of.clone(),
        known_at: args.known_at.clone(),
    }
}

/// A text as it was given; `-` means standard input.
fn given(text: &str) -> anyhow::Result<String> {
    if text != "-" {
        return Ok(text.to_owned());
    }
    let mut read = String::new();
    std::io::stdin().read_to_string(&mut read)?;
    Ok(read)
}

fn found(is_found: bool) -> anyhow::Result<()> {
    if is_found {
        Ok(())
    } else {
        Err(Exit(NOTHING_FOUND).into())
    }
}
