//! What a client's file holds: its text, and where our entry lies in it.

use std::path::Path;

use crate::clients::Client;
use crate::document::Slot;
use crate::error::AgentsError;
use crate::files;
use crate::server::NAME;

/// Where our entry lies in a client's file that holds `text`.
pub(crate) fn slot<'a>(client: &'a Client, text: &str) -> Slot<'a> {
    let slot = |key: &'a [String]| Slot {
        format: client.format,
        key,
        name: NAME,
    };
    let nested = client.nested.as_ref().map(|nested| slot(&nested.key));
    nested
        .filter(|nested| nested.is_there(text))
        .unwrap_or_else(|| slot(&client.key))
}

/// The text of a file, none where there is no file.
pub(crate) fn text_of(path: &Path) -> Result<Option<String>, AgentsError> {
    let Some(bytes) = files::read(path)? else {
        return Ok(None);
    };
    String::from_utf8(bytes).map(Some).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let before = error.as_bytes()[..at].iter();
        AgentsError::Unparsable {
            path: path.to_owned(),
            line: before.filter(|byte| **byte == b'\n').count() + 1,
            reason: "the file is not UTF-8".to_owned(),
            snippet: String::new(),
        }
    })
}
