//! Diagnostics, for who switches them on: memos whose code is not what it was when they were written.

use crate::ask::Ask;
use crate::failure::Failure;
use crate::shared::Shared;
use lsp_types::{Diagnostic, DiagnosticSeverity, Uri};
use whyrank_engine::api::{AnchorState, Memo, MemoListRequest};
use whyrank_system::visible;

const MAX_CHARS: usize = 200;

/// Tells the drifted memos of an open file.
///
/// # Errors
///
/// Those of the engine.
pub(crate) fn tell(ask: &Ask<'_>, uri: &Uri) -> Result<(), Failure> {
    let Some(file) = ask.known_file(uri) else {
        return Ok(());
    };
    ask.ready(&file.repo)?;
    let drifted = ask.engine().memos(&MemoListRequest {
        repo: file.repo.id.clone(),
        state: "drifted".to_owned(),
        with_drift: true,
        ..MemoListRequest::default()
    })?;
    let shown = ask.shown(&file)?;
    let mut told = Vec::new();
    for memo in &drifted.memos {
        for anchor in memo
            .anchors
            .iter()
            .filter(|anchor| anchor.path == file.path)
        {
            let is_drifted = matches!(anchor.state, AnchorState::Changed | AnchorState::Gone);
            if is_drifted {
                let line = shown.shown_line_near(anchor.start_line);
                let mut diagnostic = Diagnostic::new_simple(shown.trimmed(line), words(memo));
                diagnostic.severity = Some(DiagnosticSeverity::INFORMATION);
                diagnostic.source = Some("whyrank".to_owned());
                told.push(diagnostic);
            }
        }
    }
    ask.shared.client.publish(uri.clone(), told);
    Ok(())
}

/// Takes back what was told of a file that is closed.
pub(crate) fn withdraw(shared: &Shared, uri: &Uri) {
    if shared.options.diagnostics {
        shared.client.publish(uri.clone(), Vec::new());
    }
}

fn words(memo: &Memo) -> String {
    let text: String = memo.content.chars().take(MAX_CHARS).collect();
    format!(
        "the code changed since this memo was written ({}): {}",
        memo.kind.as_str(),
        visible::text(&text)
    )
}
