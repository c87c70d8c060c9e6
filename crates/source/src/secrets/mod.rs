//! Which files hold secrets, by their names and by what stands in them.
//!
//! Four looks, each in one pass over the bytes: the [name](names), keys in [documented
//! formats](formats), whole [private keys](private_keys), and [values that are given](assigned) to names
//! that say what they are. Values that say themselves that they are examples, references and words of
//! tests do not count. Both listings and every single read come here by `classify`, so that what is held
//! back is held back everywhere, and listed with its reason.

mod assigned;
mod formats;
mod names;
mod pairs;
mod place;
mod private_keys;
mod telling;
mod values;

pub(crate) use names::is_secret_path;

/// The number of these rules. It goes up whenever a file is judged otherwise than before, so that what
/// an older index shows is judged anew.
pub const RULES: u32 = 2;

/// Whether a text holds a secret. Bytes, since a text need not be UTF-8.
pub(crate) fn holds_secret(path: &str, text: &[u8]) -> bool {
    let place = place::Place::of(path);
    formats::holds_key(text)
        || private_keys::holds_private_key(place, text)
        || assigned::holds_assigned(place, text)
}
