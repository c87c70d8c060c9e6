//! The tools of memory. They need no index: what is recorded can be asked at once.

use whyrank_engine::api::{
    Memo, MemoActRequest, MemoAuthor, MemoDone, MemoId, MemoListRequest, MemoMark, MemoMoment,
    MemoTier, OverviewRequest, RecallRequest, RecallResponse, RememberRequest, RepoId, RepoScope,
};

use super::prelude::*;

/// Memos that `as_of` lists at most.
const MAX_AS_OF: u32 = 60;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct RememberArgs {
    content: String,
    #[serde(default)]
    #[schemars(schema_with = "choices::memo_kind")]
    kind: Option<String>,
    #[serde(default)]
    tags: Many,
    /// path, path:12-30, path#symbol
    #[serde(default)]
    anchors: Many,
    confidence: Option<f64>,
    #[serde(default)]
    #[schemars(schema_with = "choices::memo_tier")]
    tier: Option<String>,
    /// Id of the memo it replaces
    supersedes: Option<String>,
    repo: Option<String>,
}

impl Tool for RememberArgs {
    const ABOUT: About = About {
        name: "remember",
        family: Family::Memory,
        profile: Profile::Standard,
        title: "Remember",
        description: "Record what the code does not say: a decision and its reason, a preference, a \
            correction; pinned to this commit. Not for what code says.",
    };
    const EFFECT: Effect = Effect::Records;

    fn run(self, call: &Call<'_>) -> Answer {
        require("content", &self.content)?;
        let done = call.engine().remember(&RememberRequest {
            repo: call.memory(self.repo.as_deref())?,
            content: self.content,
            kind: self.kind.unwrap_or_default(),
            tags: self.tags.0,
            anchors: self.anchors.0.into_iter().map(Into::into).collect(),
            confidence: self.confidence,
            tier: self.tier.unwrap_or_default(),
            supersedes: self.supersedes.map(MemoId::from),
            at: None,
            author: author(call),
        })?;
        Ok(acted("remembered", &done))
    }
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct RecallArgs {
    /// Empty: what matters most
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    query: String,
    #[serde(default)]
    #[schemars(schema_with = "choices::memo_includes")]
    include: Many,
    /// Commit
    as_of: Option<String>,
    /// Date, or 3d
    known_at: Option<String>,
    #[serde(flatten)]
    common: Common,
}

impl Tool for RecallArgs {
    const ABOUT: About = About {
        name: "recall",
        family: Family::Memory,
        profile: Profile::Standard,
        title: "Recall",
        description: "Ask what was decided or learned before changing something; only what holds at this \
            commit. Not for code: search.",
    };
    const SEVERAL: Several = Several::Pooled;

    fn run_pooled(self, call: &Call<'_>, scope: &RepoScope) -> Answer {
        let mut response = call.engine().recall(&self.request(scope.joined()))?;
        response.missing.splice(0..0, scope.missing.iter().cloned());
        Ok(self.written(&response))
    }

    fn run(self, call: &Call<'_>) -> Answer {
        let repo = call.memory(self.common.repo.as_deref())?;
        let response = call.engine().recall(&self.request(repo))?;
        Ok(self.written(&response))
    }
}

impl RecallArgs {
    fn request(&self, repo: RepoId) -> RecallRequest {
        RecallRequest {
            repo,
            query: self.query.clone(),
            include: self.include.0.clone(),
            moment: MemoMoment {
                as_of: self.as_of.clone(),
                known_at: self.known_at.clone(),
            },
            ..RecallRequest::default()
        }
    }

    fn written(&self, response: &RecallResponse) -> ToolAnswer {
        let results = places(response.memos.iter().map(|one| &one.memo));
        write(&self.common, results, response, |style| {
            present::recall(response, style)
        })
    }
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct AsOfArgs {
    /// Branch, tag or commit; default: HEAD
    commit: Option<String>,
    /// As known then: date, or 3d ago
    known_at: Option<String>,
    /// Only what answers this
    query: Option<String>,
    #[serde(flatten)]
    common: Common,
}

impl Tool for AsOfArgs {
    const ABOUT: About = About {
        name: "as_of",
        family: Family::Memory,
        profile: Profile::Full,
        title: "Memory as of a commit",
        description: "See what memory held at a commit, or was known then. Not for code of a commit: search \
            with as_of.",
    };

    fn run(self, call: &Call<'_>) -> Answer {
        let response = call.engine().recall(&RecallRequest {
            repo: call.memory(self.common.repo.as_deref())?,
            query: self.query.unwrap_or_default(),
            limit: MAX_AS_OF,
            include: vec!["drifted".to_owned(), "archived".to_owned()],
            moment: MemoMoment {
                as_of: self.commit,
                known_at: self.known_at,
            },
            ..RecallRequest::default()
        })?;
        let results = places(response.memos.iter().map(|one| &one.memo));
        Ok(write(&self.common, results, &response, |style| {
            present::recall(&response, style)
        }))
    }
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct MemoriesArgs {
    #[serde(default)]
    #[schemars(schema_with = "choices::memo_state")]
    show: Option<String>,
    #[serde(default)]
    #[schemars(schema_with = "choices::memo_kinds")]
    kinds: Many,
    #[serde(default)]
    tags: Many,
    #[serde(flatten)]
    common: Common,
}

impl Tool for MemoriesArgs {
    const ABOUT: About = About {
        name: "memories",
        family: Family::Memory,
        profile: Profile::Full,
        title: "List memos",
        description: "List memos by state: those that hold, conflicts, drifted ones whose code changed. \
            Not for a question: recall.",
    };

    fn run(self, call: &Call<'_>) -> Answer {
        let repo = call.memory(self.common.repo.as_deref())?;
        if self.show.as_deref() == Some("conflicts") {
            let conflicts = call
                .engine()
                .memo_conflicts(&repo, &MemoMoment::default())?;
            let results = places(conflicts.iter().flat_map(|one| &one.memos));
            return Ok(write(&self.common, results, &conflicts, |style| {
                present::memo_conflicts(&conflicts, style)
            }));
        }
        let response = call.engine().memos(&MemoListRequest {
            repo,
            state: self.show.unwrap_or_default(),
            kinds: self.kinds.0,
            tags: self.tags.0,
            ..MemoListRequest::default()
        })?;
        Ok(write(
            &self.common,
            places(response.memos.iter()),
            &response,
            |style| present::memories(&response, style),
        ))
    }
}

#[derive(Deserialize, JsonSchema)]
struct MemoArgs {
    /// Of a memo
    id: String,
    repo: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct ForgetArgs(MemoArgs);

impl Tool for ForgetArgs {
    const ABOUT: About = About {
        name: "forget",
        family: Family::Memory,
        profile: Profile::Full,
        title: "Forget",
        description: "End a memo that no longer holds; its history stays. Not for one that another \
            replaces: remember with supersedes.",
    };
    const EFFECT: Effect = Effect::Records;

    fn run(self, call: &Call<'_>) -> Answer {
        let done = call.engine().forget_memo(&act(call, &self.0)?)?;
        Ok(acted("forgotten from here on", &done))
    }
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct PromoteArgs(MemoArgs);

impl Tool for PromoteArgs {
    const ABOUT: About = About {
        name: "promote",
        family: Family::Memory,
        profile: Profile::Full,
        title: "Promote",
        description: "Make a memo more prominent: archive, normal, core. Not for the top of \
            lists: pin.",
    };
    const EFFECT: Effect = Effect::Records;

    fn run(self, call: &Call<'_>) -> Answer {
        shift(
            call,
            &self.0,
            [
                MemoTier::Archive,
                MemoTier::Normal,
                MemoTier::Core,
                MemoTier::Core,
            ],
        )
    }
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct DemoteArgs(MemoArgs);

impl Tool for DemoteArgs {
    const ABOUT: About = About {
        name: "demote",
        family: Family::Memory,
        profile: Profile::Full,
        title: "Demote",
        description: "Make a memo less prominent: core, normal, archive. Not for what is wrong: \
            forget.",
    };
    const EFFECT: Effect = Effect::Records;

    fn run(self, call: &Call<'_>) -> Answer {
        shift(
            call,
            &self.0,
            [
                MemoTier::Core,
                MemoTier::Normal,
                MemoTier::Archive,
                MemoTier::Archive,
            ],
        )
    }
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct PinArgs(MemoArgs);

impl Tool for PinArgs {
    const ABOUT: About = About {
        name: "pin",
        family: Family::Memory,
        profile: Profile::Full,
        title: "Pin",
        description: "Show a memo first. Not for every session: promote.",
    };
    const EFFECT: Effect = Effect::Records;

    fn run(self, call: &Call<'_>) -> Answer {
        mark(call, &self.0, "pinned", &MemoMark::Pinned(true))
    }
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct UnpinArgs(MemoArgs);

impl Tool for UnpinArgs {
    const ABOUT: About = About {
        name: "unpin",
        family: Family::Memory,
        profile: Profile::Full,
        title: "Unpin",
        description: "Undo pin. Not for what is wrong: forget.",
    };
    const EFFECT: Effect = Effect::Records;

    fn run(self, call: &Call<'_>) -> Answer {
        mark(call, &self.0, "unpinned", &MemoMark::Pinned(false))
    }
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct WakeupArgs {
    #[serde(flatten)]
    common: Common,
}

impl Tool for WakeupArgs {
    const ABOUT: About = About {
        name: "wakeup",
        family: Family::Index,
        profile: Profile::Full,
        title: "Begin a session",
        description: "Begin a session: pinned and core memos, recent commits, head of the map. Not for \
            a question: recall, search.",
    };

    fn run(self, call: &Call<'_>) -> Answer {
        let repo = call.memory(self.common.repo.as_deref())?;
        let response = call.engine().wakeup(&repo)?;
        // The map of the repository, where there is an index already: a session does not wait for it.
        let map = call.engine().overview(&OverviewRequest {
            repo,
            depth: 1,
            ..OverviewRequest::default()
        });
        let results = places(response.memos.iter());
        Ok(write(&self.common, results, &response, |style| {
            present::wakeup(&response, map.as_ref().ok(), style)
        }))
    }
}

/// One step along the tiers.
fn shift(call: &Call<'_>, args: &MemoArgs, steps: [MemoTier; 4]) -> Answer {
    let request = act(call, args)?;
    let now = call
        .engine()
        .memo(&request.repo, &request.memo, &MemoMoment::default())?;
    let at = steps.iter().position(|step| *step == now.tier).unwrap_or(0);
    let tier = steps[at + 1];
    mark(call, args, &format!("now {tier}"), &MemoMark::Tier(tier))
}

fn mark(call: &Call<'_>, args: &MemoArgs, what: &str, mark: &MemoMark) -> Answer {
    let done = call.engine().mark_memo(&act(call, args)?, mark)?;
    Ok(acted(what, &done))
}

fn act(call: &Call<'_>, args: &MemoArgs) -> Result<MemoActRequest, ToolError> {
    require("id", &args.id)?;
    Ok(MemoActRequest {
        repo: call.memory(args.repo.as_deref())?,
        memo: args.id.as_str().into(),
        at: None,
        author: author(call),
    })
}

fn author(call: &Call<'_>) -> MemoAuthor {
    match call.client() {
        Some((name, call)) => MemoAuthor {
            name,
            is_client: true,
            call,
        },
        None => MemoAuthor::default(),
    }
}

fn acted(what: &str, done: &MemoDone) -> ToolAnswer {
    write(
        &Common::default(),
        places(std::iter::once(&done.memo)),
        done,
        |style| present::memo_done(what, done, style),
    )
}

/// Where the memos' code is.
fn places<'a>(memos: impl Iterator<Item = &'a Memo>) -> Vec<ToolResult> {
    let anchors = memos.flat_map(|memo| memo.anchors.iter().map(move |anchor| (memo, anchor)));
    anchors
        .map(|(memo, anchor)| {
            let was = (&anchor.path[..], anchor.start_line, anchor.end_line);
            let (path, start_line, end_line) = place_now(&anchor.now).unwrap_or(was);
            ToolResult {
                repo: memo.repo.as_ref().map(|repo| repo.name.clone()),
                start_line: start_line.max(1),
                end_line: end_line.max(1),
                symbol: anchor.symbol.clone(),
                kind: Some("memo".to_owned()),
                ..ToolResult::file(path)
            }
        })
        .collect()
}

/// Reads `path:first-last`, as an anchor says where it is now; a path alone is a whole file.
fn place_now(now: &str) -> Option<(&str, u32, u32)> {
    let lines = |text: &str| {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        Some((first.parse().ok()?, last.parse().ok()?))
    };
    let split = now.rsplit_once(':');
    match split.and_then(|(path, text)| Some((path, lines(text)?))) {
        Some((path, (first, last))) => Some((path, first, last)),
        None => (!now.is_empty()).then_some((now, 0, 0)),
    }
}
