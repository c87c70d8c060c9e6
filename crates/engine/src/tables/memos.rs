//! Memos as rows.

use super::EachRow;
use crate::Engine;
use crate::api::{Memo, MemoAnchor, MemoListRequest, MemoMoment, MemoRow, TableRequest, TableRow};
use crate::error::Result;
use crate::memory::time_words;

impl Engine {
    pub(super) fn memo_rows(&self, request: &TableRequest, each: &mut EachRow<'_>) -> Result<()> {
        let listed = self.memos(&MemoListRequest {
            repo: request.repo.clone(),
            state: "all".to_owned(),
            with_drift: true,
            moment: MemoMoment {
                as_of: request.as_of.clone(),
                known_at: None,
            },
            ..MemoListRequest::default()
        })?;
        for memo in listed.memos {
            if each(TableRow::Memo(memo_row(memo))).is_break() {
                break;
            }
        }
        Ok(())
    }
}

fn memo_row(memo: Memo) -> MemoRow {
    let anchors: Vec<String> = memo.anchors.iter().map(place_of).collect();
    MemoRow {
        id: memo.id.to_string(),
        version: memo.version,
        state: memo.state.to_string(),
        kind: memo.kind.to_string(),
        content: memo.content,
        tags: memo.tags.join(","),
        anchors: anchors.join(","),
        author: memo.author.name,
        by_agent: memo.author.is_client,
        confidence: memo.confidence,
        pinned: memo.pinned,
        drifted: memo.drifted,
        contested: !memo.contested.is_empty(),
        valid_from_commit: memo.valid_from_sha,
        valid_from: time_words(memo.valid_from_at as i64),
        valid_until_commit: memo.valid_until_sha,
        valid_until: memo.valid_until_at.map(|at| time_words(at as i64)),
        recorded: time_words(memo.recorded_at as i64),
        versions: memo.n_versions,
    }
}

fn place_of(anchor: &MemoAnchor) -> String {
    match anchor.start_line {
        0 => anchor.path.clone(),
        first => format!("{}:{first}-{}", anchor.path, anchor.end_line),
    }
}
