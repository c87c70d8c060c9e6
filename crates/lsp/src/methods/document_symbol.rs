//! `textDocument/documentSymbol`: of the text that the editor shows, saved or not.

use crate::ask::Ask;
use crate::documents::Document;
use crate::failure::Failure;
use crate::places::kind_of;
use crate::shown::ShownFile;
use lsp_types::{DocumentSymbol, DocumentSymbolParams, DocumentSymbolResponse};
use std::collections::HashMap;
use whyrank_engine::api::OutlinedSymbol;

pub(crate) fn answer(
    ask: &Ask<'_>,
    params: DocumentSymbolParams,
) -> Result<Option<DocumentSymbolResponse>, Failure> {
    let Some(shown) = parsed(ask, &params.text_document.uri)? else {
        return Ok(None);
    };
    let mut inside: HashMap<Option<u32>, Vec<u32>> = HashMap::new();
    for (number, symbol) in (0u32..).zip(&shown.outline.symbols) {
        inside.entry(symbol.parent).or_default().push(number);
    }
    let tree = children(&shown, &inside, None);
    Ok(Some(DocumentSymbolResponse::Nested(tree)))
}

/// A file with the definitions of the text that the editor shows; `None` for one that is not served or left
/// out of the index. What the editor holds needs no index.
pub(crate) fn parsed(ask: &Ask<'_>, uri: &lsp_types::Uri) -> Result<Option<ShownFile>, Failure> {
    let Some(file) = ask.known_file(uri) else {
        return Ok(None);
    };
    let outline = match &file.buffer {
        Some(Document::Text(text)) => ask.engine().outline_of(&file.path, text),
        _ => {
            ask.ready(&file.repo)?;
            let indexed = ask.engine().file_outline(&file.repo.id, &file.path)?;
            let Some(outline) = indexed else {
                return Ok(None);
            };
            outline
        }
    };
    let shown = ShownFile::new(uri.clone(), outline, None, ask.shared.encoding);
    Ok(Some(shown))
}

/// The definitions right within one; those of the file itself for `None`.
fn children(
    shown: &ShownFile,
    inside: &HashMap<Option<u32>, Vec<u32>>,
    parent: Option<u32>,
) -> Vec<DocumentSymbol> {
    let own = inside.get(&parent).into_iter().flatten();
    own.map(|number| {
        let inner = children(shown, inside, Some(*number));
        one(shown, &shown.outline.symbols[*number as usize], inner)
    })
    .collect()
}

#[expect(deprecated, reason = "the type still has the field")]
fn one(shown: &ShownFile, symbol: &OutlinedSymbol, inner: Vec<DocumentSymbol>) -> DocumentSymbol {
    let line = &symbol.line;
    let (name, span) = (shown.name_range(line), shown.span(line));
    let is_inside = span.start <= name.start && name.end <= span.end;
    DocumentSymbol {
        name: match line.kind == "impl" {
            true => line.signature.clone(),
            false => line.name.clone(),
        },
        detail: Some(line.signature.clone()).filter(|head| !head.is_empty()),
        kind: kind_of(&line.kind),
        tags: None,
        deprecated: None,
        range: span,
        selection_range: if is_inside { name } else { span },
        children: Some(inner).filter(|inner| !inner.is_empty()),
    }
}
