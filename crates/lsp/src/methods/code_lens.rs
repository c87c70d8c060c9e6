//! `textDocument/codeLens`: a place above each definition at once, what it says when it is seen.

use crate::ask::Ask;
use crate::failure::Failure;
use crate::methods::document_symbol::parsed;
use crate::places::{is_callable, is_type};
use crate::users::{Users, memos_of};
use lsp_server::ErrorCode;
use lsp_types::{CodeLens, CodeLensParams, Command, Uri};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Lenses of a file; more are no help to anybody.
const MAX_LENSES: usize = 500;

/// The definition that a lens is of, as the editor showed it.
#[derive(Debug, Serialize, Deserialize)]
struct LensData {
    uri: Uri,
    name: String,
    /// From 0.
    line: u32,
}

pub(crate) fn answer(
    ask: &Ask<'_>,
    params: CodeLensParams,
) -> Result<Option<Vec<CodeLens>>, Failure> {
    let uri = params.text_document.uri;
    let Some(shown) = parsed(ask, &uri)? else {
        return Ok(None);
    };
    let lines = shown.outline.symbols.iter().map(|symbol| &symbol.line);
    let shown_ones = lines.filter(|line| is_callable(&line.kind) || is_type(&line.kind));
    let lens = |symbol| {
        let range = shown.name_range(symbol);
        let data = LensData {
            uri: uri.clone(),
            name: symbol.name.clone(),
            line: range.start.line,
        };
        CodeLens {
            range,
            command: None,
            data: Some(json!(data)),
        }
    };
    Ok(Some(shown_ones.take(MAX_LENSES).map(lens).collect()))
}

/// `7 users · 3 tests · 1 memo`.
pub(crate) fn resolve(ask: &Ask<'_>, lens: CodeLens) -> Result<CodeLens, Failure> {
    let data = lens.data.clone().unwrap_or_default();
    let data: LensData = serde_json::from_value(data).map_err(|error| {
        let message = format!("this lens is not Whyrank's: {error}");
        Failure::new(ErrorCode::InvalidParams, message)
    })?;
    Ok(CodeLens {
        command: Some(Command {
            title: title(ask, &data)?,
            // It says something and does nothing.
            command: String::new(),
            arguments: None,
        }),
        ..lens
    })
}

fn title(ask: &Ask<'_>, data: &LensData) -> Result<String, Failure> {
    let file = ask.file(&data.uri)?;
    let shown = ask.shown(&file)?;
    let indexed = shown.indexed_line(data.line);
    let symbol = indexed.and_then(|line| shown.symbol_at(line, &data.name));
    let Some(symbol) = symbol else {
        return Ok("not saved yet".to_owned());
    };
    let users = Users::of(ask, &file.repo, &symbol.line)?;
    let memos = memos_of(ask, &file.repo, &symbol.line)?;
    Ok(users.words(memos.len()))
}
