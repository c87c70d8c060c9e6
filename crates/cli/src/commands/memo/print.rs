//! One memo, its history, and what became of its code, for people.

use whyrank_engine::api::{
    AnchorState, Memo, MemoAnchor, MemoAuthor, MemoHistory, MemoHome, MemoTier,
};
use whyrank_engine::time_words;

/// An anchor as it is written.
pub(super) fn anchor(anchor: &MemoAnchor) -> String {
    match anchor.start_line {
        0 => anchor.path.clone(),
        start if start == anchor.end_line => format!("{}:{start}", anchor.path),
        start => format!("{}:{start}-{}", anchor.path, anchor.end_line),
    }
}

/// A memo with all of its fields.
pub(super) fn memo(memo: &Memo) -> String {
    let mut lines = vec![format!("{} {} {}", memo.id, memo.kind, memo.state)];
    lines.push(format!("version   {} of {}", memo.version, memo.n_versions));
    lines.push(format!("valid     {}", valid(memo)));
    let known = match memo.invalidated_at {
        Some(at) => format!(
            "{} until {}",
            time_words(memo.recorded_at as i64),
            time_words(at as i64)
        ),
        None => time_words(memo.recorded_at as i64),
    };
    lines.push(format!("recorded  {known} by {}", author(&memo.author)));
    if !memo.tags.is_empty() {
        lines.push(format!("tags      {}", memo.tags.join(", ")));
    }
    if memo.pinned || memo.tier != MemoTier::Normal || memo.confidence < 1.0 {
        let pinned = if memo.pinned { "pinned, " } else { "" };
        lines.push(format!(
            "kept      {pinned}{}, confidence {}",
            memo.tier, memo.confidence
        ));
    }
    for one in &memo.anchors {
        let symbol = one
            .symbol
            .as_ref()
            .map_or_else(String::new, |symbol| format!(" {symbol}"));
        let state = match (one.state, one.now.as_str()) {
            (AnchorState::NotCompared, _) => String::new(),
            (AnchorState::Moved, now) => format!(": moved to {now}"),
            (state, _) => format!(": {state}"),
        };
        lines.push(format!("anchor    {}{symbol}{state}", anchor(one)));
    }
    lines.extend(memo.notes.iter().map(|note| format!("note      {note}")));
    lines.push(String::new());
    lines.push(memo.content.clone());
    lines.join("\n")
}

fn valid(memo: &Memo) -> String {
    let point = |sha: Option<&str>, at: f64| match sha {
        Some(sha) => sha[..12].to_owned(),
        None => time_words(at as i64),
    };
    let from = point(memo.valid_from_sha.as_deref(), memo.valid_from_at);
    match memo.valid_until_at {
        Some(at) => format!(
            "from {from} until {}",
            point(memo.valid_until_sha.as_deref(), at)
        ),
        None => format!("from {from}"),
    }
}

fn author(author: &MemoAuthor) -> String {
    match (&author.call, author.is_client) {
        (Some(call), true) => format!("{} (call {call})", author.name),
        (None, true) => format!("{} (client)", author.name),
        _ => author.name.clone(),
    }
}

/// All versions, newest first, with what each changed.
pub(super) fn history(history: &MemoHistory) -> String {
    let mut lines = vec![format!(
        "{} {} {}",
        history.memo.id, history.memo.kind, history.memo.state
    )];
    for version in &history.versions {
        let shown = &version.memo;
        lines.push(format!(
            "\n{} {} {} by {}, {}",
            shown.version,
            version.change,
            time_words(shown.recorded_at as i64),
            author(&shown.author),
            valid(shown)
        ));
        for closing in &version.closings {
            let by = closing
                .superseded_by
                .as_ref()
                .map_or_else(String::new, |by| format!(" by {by}"));
            lines.push(format!(
                "  ended: {}{by}, {}",
                closing.reason,
                time_words(closing.recorded_at as i64)
            ));
        }
        if version.diff.is_empty() {
            lines.push(shown.content.clone());
        } else {
            // Memos have no line at their end: that is nothing to say about each.
            lines.extend(
                version
                    .diff
                    .lines()
                    .filter(|line| !line.starts_with('\\'))
                    .map(str::to_owned),
            );
        }
    }
    for mark in &history.marks {
        let at = time_words(mark.recorded_at as i64);
        lines.push(format!("\n{} {at} by {}", mark.says, author(&mark.author)));
    }
    lines.join("\n")
}

/// What became of a memo's code.
pub(super) fn drift(memo: &Memo) -> String {
    let first = memo.content.lines().next().unwrap_or_default();
    let mut lines = vec![format!("{} {}: {first}", memo.id, memo.kind)];
    for one in &memo.anchors {
        let now = if one.now.is_empty() || one.state == AnchorState::Unchanged {
            String::new()
        } else {
            format!(", now {} (by {})", one.now, one.by)
        };
        lines.push(format!("  {} {}{now}", anchor(one), one.state));
        lines.extend(one.diff.lines().map(|line| format!("    {line}")));
    }
    if memo.anchors.iter().any(|one| {
        matches!(one.state, AnchorState::Moved | AnchorState::Changed) && !one.now.is_empty()
    }) {
        lines.push(format!(
            "  follow it: whyrank memo anchor {} --follow",
            memo.id
        ));
    }
    lines.join("\n")
}

/// Where memory lies, and what else there is.
pub(super) fn home(home: &MemoHome) -> String {
    let mut lines = vec![format!("file   {}", home.file)];
    if let Some(from) = &home.used_from {
        lines.push(format!("from   {from}"));
    }
    for other in &home.found {
        let place = match other.path.as_str() {
            "" => "an unknown place",
            path => path,
        };
        let state = if other.is_there {
            "the repository there has this history too"
        } else {
            "no longer there"
        };
        lines.push(format!(
            "other  {place}: {} memos, {} of the {} commits that they name are here; {state}: whyrank memo attach {}",
            other.n_memos,
            other.n_here,
            other.n_commits,
            match other.path.as_str() {
                "" => &other.name,
                path => path,
            },
        ));
    }
    lines.join("\n")
}
