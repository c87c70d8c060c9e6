//! Which files hold secrets, by their names and by what is in them.
//!
//! Four looks, each in one pass over the bytes: the [name](names), keys in [documented
//! formats](formats), whole [private keys](private_keys), and [values that are given](assigned) to names
//! that say what they are. Values that say themselves that they are examples, references and words of
//! tests do not count. Listings and every single read come here by `shown`, so that what is held
//! back is held back everywhere, and listed with its reason.

mod assigned;
mod formats;
mod names;
mod pairs;
mod place;
mod private_keys;
mod secret_names;
mod strike;
mod values;

use std::borrow::Cow;

pub(crate) use names::is_secret_path;

/// The number of these rules. It goes up whenever a file is judged otherwise than before, so that what
/// an older index shows is judged again.
pub const RULES: u32 = 7;

/// Whether a text holds a secret. Bytes, since a text need not be UTF-8.
pub(crate) fn holds_secret(path: &str, text: &[u8]) -> bool {
    let place = place::SecretContext::of(path);
    formats::keys(text).next().is_some()
        || private_keys::holds_private_key(place, text)
        || assigned::assigned(place, text).next().is_some()
}

/// Whether a file is code: it is shown without its secrets, for more hangs on it than them.
pub(crate) fn is_code(path: &str) -> bool {
    place::SecretContext::is_code(path)
}

/// How many lines behind the one that says so a value may stand: on the same, else a few further.
const STRUCK_LINES: [usize; 2] = [1, 4];

/// A text of code without its secrets, each byte of them struck out; the text itself where it has none,
/// and `None` where one is left.
pub(crate) fn without_secrets<'t>(path: &str, text: Cow<'t, str>) -> Option<Cow<'t, str>> {
    if !holds_secret(path, text.as_bytes()) {
        return Some(text);
    }
    let place = place::SecretContext::of(path);
    let mut struck = text.into_owned();
    for n_lines in STRUCK_LINES {
        let mut at: Vec<usize> = formats::keys(struck.as_bytes()).collect();
        at.extend(assigned::assigned(place, struck.as_bytes()));
        struck = strike::strike(&struck, &at, n_lines);
        if !holds_secret(path, struck.as_bytes()) {
            return Some(Cow::Owned(struck));
        }
    }
    None
}
