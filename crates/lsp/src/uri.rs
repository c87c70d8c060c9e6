//! Files by their addresses.

use lsp_types::Uri;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use url::Url;

/// Characters that clients leave as they are in addresses of files, and that the standard does not allow.
const UNENCODED: [(char, &str); 8] = [
    ('[', "%5B"),
    (']', "%5D"),
    ('^', "%5E"),
    ('|', "%7C"),
    ('{', "%7B"),
    ('}', "%7D"),
    ('`', "%60"),
    (' ', "%20"),
];

/// The path of a file; `None` where an address is of something else, such as a buffer without a file.
pub(crate) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let url = Url::parse(uri.as_str()).ok()?;
    let is_file = url.scheme() == "file";
    is_file.then(|| url.to_file_path().ok()).flatten()
}

/// The address of a file with an absolute path.
pub(crate) fn uri_of(path: &Path) -> Option<Uri> {
    let url = Url::from_file_path(path).ok()?;
    Uri::from_str(&encoded(url.as_str())).ok()
}

/// Encodes in all addresses of some parameters what clients should have encoded.
pub(crate) fn mend(params: &mut Value) {
    match params {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(text) if name == "uri" || name.ends_with("Uri") => {
                        *text = encoded(text);
                    }
                    other => mend(other),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(mend),
        _ => {}
    }
}

fn encoded(address: &str) -> String {
    let mut text = String::with_capacity(address.len());
    for char in address.chars() {
        let replacement = UNENCODED.iter().find(|(plain, _)| *plain == char);
        match replacement {
            Some((_, code)) => text.push_str(code),
            None if char.is_ascii() => text.push(char),
            None => {
                let mut bytes = [0; 4];
                for byte in char.encode_utf8(&mut bytes).bytes() {
                    text.push_str(&format!("%{byte:02X}"));
                }
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[cfg(unix)]
    #[test]
    fn a_path_survives_its_address() {
        for path in ["/a/b.rs", "/a b/[slug].ts", "/é/x#y.py", "/50%/z"] {
            let uri = uri_of(Path::new(path)).expect("an address");
            assert_eq!(path_of(&uri).as_deref(), Some(Path::new(path)), "{path}");
        }
        let untitled = Uri::from_str("untitled:Untitled-1").expect("an address");
        assert_eq!(path_of(&untitled), None);
    }

    #[test]
    fn addresses_that_clients_write_too_plainly_are_read() {
        let mut params = json!({"textDocument": {"uri": "file:///a/[é].ts", "text": "[x]"}});
        mend(&mut params);
        assert_eq!(params["textDocument"]["uri"], "file:///a/%5B%C3%A9%5D.ts");
        assert_eq!(params["textDocument"]["text"], "[x]");
    }
}
