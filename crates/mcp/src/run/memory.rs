//! The tools of memory. They need no index: what is recorded can be asked at once.

use whyrank_engine::api::{
    Memo, MemoActRequest, MemoAuthor, MemoDone, MemoListRequest, MemoMark, MemoMoment,
    OverviewRequest, RecallRequest, RememberRequest,
};

use super::{Answer, require, write};
use crate::answer::{ToolError, ToolResult};
use crate::args::{AsOfArgs, Common, MemoArgs, MemoriesArgs, RecallArgs, RememberArgs, WakeupArgs};
use crate::present;
use crate::session::Call;

/// Memos that `as_of` lists at most.
const MAX_AS_OF: u32 = 60;

pub(crate) fn remember(call: &Call<'_>, args: RememberArgs) -> Answer {
    require("content", &args.content)?;
    let done = call.engine().remember(&RememberRequest {
        repo: call.memory(args.repo.as_deref())?,
        content: args.content,
        kind: args.kind.unwrap_or_default(),
        tags: args.tags,
        anchors: args.anchors,
        confidence: args.confidence,
        tier: args.tier.unwrap_or_default(),
        supersedes: args.supersedes,
        at: None,
        author: author(call),
    })?;
    Ok(acted("remembered", &done))
}

pub(crate) fn recall(call: &Call<'_>, args: RecallArgs) -> Answer {
    let response = call.engine().recall(&RecallRequest {
        repo: call.memory(args.common.repo.as_deref())?,
        query: args.query.clone(),
        include: args.include,
        moment: MemoMoment {
            as_of: args.as_of,
            known_at: args.known_at,
        },
        ..RecallRequest::default()
    })?;
    let results = places(response.memos.iter().map(|one| &one.memo));
    Ok(write(&args.common, results, &response, |style| {
        present::recall(&response, style)
    }))
}

pub(crate) fn as_of(call: &Call<'_>, args: AsOfArgs) -> Answer {
    let response = call.engine().recall(&RecallRequest {
        repo: call.memory(args.common.repo.as_deref())?,
        query: args.query.unwrap_or_default(),
        limit: MAX_AS_OF,
        include: vec!["drifted".to_owned(), "archived".to_owned()],
        moment: MemoMoment {
            as_of: args.commit,
            known_at: args.known_at,
        },
        ..RecallRequest::default()
    })?;
    let results = places(response.memos.iter().map(|one| &one.memo));
    Ok(write(&args.common, results, &response, |style| {
        present::recall(&response, style)
    }))
}

pub(crate) fn memories(call: &Call<'_>, args: MemoriesArgs) -> Answer {
    let repo = call.memory(args.common.repo.as_deref())?;
    if args.show.as_deref() == Some("conflicts") {
        let conflicts = call
            .engine()
            .memo_conflicts(&repo, &MemoMoment::default())?;
        let results = places(conflicts.iter().flat_map(|one| &one.memos));
        return Ok(write(&args.common, results, &conflicts, |style| {
            present::memo_conflicts(&conflicts, style)
        }));
    }
    let response = call.engine().memos(&MemoListRequest {
        repo,
        state: args.show.unwrap_or_default(),
        kinds: args.kinds,
        tags: args.tags,
        ..MemoListRequest::default()
    })?;
    Ok(write(
        &args.common,
        places(response.memos.iter()),
        &response,
        |style| present::memories(&response, style),
    ))
}

pub(crate) fn forget(call: &Call<'_>, args: MemoArgs) -> Answer {
    let done = call.engine().forget_memo(&act(call, &args)?)?;
    Ok(acted("forgotten from here on", &done))
}

pub(crate) fn promote(call: &Call<'_>, args: MemoArgs) -> Answer {
    shift(call, &args, ["archive", "normal", "core", "core"])
}

pub(crate) fn demote(call: &Call<'_>, args: MemoArgs) -> Answer {
    shift(call, &args, ["core", "normal", "archive", "archive"])
}

pub(crate) fn pin(call: &Call<'_>, args: MemoArgs) -> Answer {
    mark(call, &args, "pinned", &MemoMark::Pinned(true))
}

pub(crate) fn unpin(call: &Call<'_>, args: MemoArgs) -> Answer {
    mark(call, &args, "unpinned", &MemoMark::Pinned(false))
}

pub(crate) fn wakeup(call: &Call<'_>, args: WakeupArgs) -> Answer {
    let repo = call.memory(args.common.repo.as_deref())?;
    let response = call.engine().wakeup(&repo)?;
    // The map of the repository, where there is an index already: a session does not wait for it.
    let map = call.engine().overview(&OverviewRequest {
        repo,
        depth: 1,
        ..OverviewRequest::default()
    });
    let results = places(response.memos.iter());
    Ok(write(&args.common, results, &response, |style| {
        present::wakeup(&response, map.as_ref().ok(), style)
    }))
}

/// One step along the tiers.
fn shift(call: &Call<'_>, args: &MemoArgs, steps: [&str; 4]) -> Answer {
    let request = act(call, args)?;
    let now = call
        .engine()
        .memo(&request.repo, &request.memo, &MemoMoment::default())?;
    let at = steps.iter().position(|step| *step == now.tier).unwrap_or(0);
    let tier = steps[at + 1];
    mark(
        call,
        args,
        &format!("now {tier}"),
        &MemoMark::Tier(tier.to_owned()),
    )
}

fn mark(call: &Call<'_>, args: &MemoArgs, what: &str, mark: &MemoMark) -> Answer {
    let done = call.engine().mark_memo(&act(call, args)?, mark)?;
    Ok(acted(what, &done))
}

fn act(call: &Call<'_>, args: &MemoArgs) -> Result<MemoActRequest, ToolError> {
    require("id", &args.id)?;
    Ok(MemoActRequest {
        repo: call.memory(args.repo.as_deref())?,
        memo: args.id.clone(),
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

fn acted(what: &str, done: &MemoDone) -> crate::answer::ToolAnswer {
    write(
        &Common::default(),
        places(std::iter::once(&done.memo)),
        done,
        |style| present::memo_done(what, done, style),
    )
}

/// Where the memos' code is.
fn places<'a>(memos: impl Iterator<Item = &'a Memo>) -> Vec<ToolResult> {
    let anchors = memos.flat_map(|memo| &memo.anchors);
    anchors
        .map(|anchor| ToolResult {
            start_line: anchor.start_line.max(1),
            end_line: anchor.end_line.max(1),
            symbol: anchor.symbol.clone(),
            kind: Some("memo".to_owned()),
            ..ToolResult::file(&anchor.path)
        })
        .collect()
}
