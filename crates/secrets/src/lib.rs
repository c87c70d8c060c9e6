//! Secrets: files that hold them by their names, and the places where they stand in a text.
//!
//! One detector, in a few passes over the bytes: keys in [documented formats](formats), whole [private
//! keys](private_keys), [values that are given](assigned) to names that say what they are, and
//! [columns](columns) under such names. Each says which bytes are the secret; these are struck out, and
//! what is struck out is found by none. Values that say themselves that they are examples, references and
//! words of tests do not count. Listings and every single read come here by `shown`.

mod assigned;
mod columns;
mod commands;
mod formats;
mod literals;
mod mark;
mod names;
mod pairs;
mod place;
mod private_keys;
mod secret_names;
mod strike;
mod values;

use place::SecretContext;
use std::borrow::Cow;
use std::ops::Range;

pub use formats::begins_as_key;
pub use names::is_secret_path;

/// The number of these rules. It goes up whenever a file is judged otherwise than before, so that what
/// an older index shows is judged again.
pub const RULES: u32 = 9;

/// A secret that is struck out may uncover another one behind it, a few times.
const MOST_PASSES: usize = 6;

/// A file's text without its secrets, each byte of them struck out; the text itself where it has none, and
/// `None` where some are left.
pub fn without_secrets<'t>(path: &str, text: Cow<'t, str>) -> Option<Cow<'t, str>> {
    struck(SecretContext::of(path), path, text)
}

/// Says whether a name holds a key in a documented format: it cannot be struck out of a path.
pub fn holds_key(name: &str) -> bool {
    let mut found = Vec::new();
    formats::find(name.as_bytes(), &mut found);
    !found.is_empty()
}

/// A text that belongs to no file (a commit's subject, a name, a question) without its secrets.
pub fn without_secrets_in(text: &str) -> Cow<'_, str> {
    let struck = struck(SecretContext::Doubtful, "", Cow::Borrowed(text));
    struck.unwrap_or_else(|| "*".repeat(text.len()).into())
}

/// The bytes of a file without its secrets, whatever its encoding; as [`without_secrets`].
pub fn bytes_without_secrets<'t>(path: &str, bytes: &'t [u8]) -> Option<Cow<'t, [u8]>> {
    struck_bytes(SecretContext::of(path), path, Cow::Borrowed(bytes))
}

fn struck<'t>(place: SecretContext, path: &str, text: Cow<'t, str>) -> Option<Cow<'t, str>> {
    let struck = match struck_bytes(place, path, Cow::Borrowed(text.as_bytes()))? {
        Cow::Borrowed(_) => return Some(text),
        Cow::Owned(struck) => struck,
    };
    // Whole characters were struck out, each byte by one that is ASCII.
    Some(Cow::Owned(String::from_utf8(struck).unwrap_or_default()))
}

fn struck_bytes<'t>(
    place: SecretContext,
    path: &str,
    mut bytes: Cow<'t, [u8]>,
) -> Option<Cow<'t, [u8]>> {
    for _ in 0..MOST_PASSES {
        let found = secrets(place, path, &bytes);
        if found.is_empty() {
            return Some(bytes);
        }
        bytes = Cow::Owned(strike::strike(bytes.into_owned(), &found));
    }
    None
}

/// The bytes of a text that are secrets.
fn secrets(place: SecretContext, path: &str, text: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    formats::find(text, &mut found);
    private_keys::find(place, text, &mut found);
    if !matches!(place, SecretContext::Test | SecretContext::Manual) {
        assigned::find(place, text, &mut found);
        columns::find(place, path, text, &mut found);
    }
    found
}
