//! Names of members that the types of a language's own library have: with nothing known of what
//! stands before the dot, such a name speaks for no definition of the view.

use std::{collections::HashSet, sync::OnceLock};

use crate::languages::{LanguageRules, Rules};

/// Returns whether a member's name is one that library types have, too.
pub(crate) fn is_common(rules: Rules, name: &str) -> bool {
    static ANY: OnceLock<HashSet<&str>> = OnceLock::new();
    static OWN: [OnceLock<HashSet<&str>>; LanguageRules::N] =
        [const { OnceLock::new() }; LanguageRules::N];
    names(&ANY, COMMON).contains(name)
        || names(&OWN[rules.number()], rules.library_names).contains(name)
}

fn names(
    set: &'static OnceLock<HashSet<&'static str>>,
    text: &'static str,
) -> &'static HashSet<&'static str> {
    set.get_or_init(|| text.split_whitespace().collect())
}

/// Of whatever language.
const COMMON: &str = "\
    add append apply bind call catch clear clone close concat copy count delete end entries \
    filter find flush format get has index insert items iter join keys kind len length map match \
    name next open parse path pop push read remove replace set size slice sort split start \
    status string test then toString type unwrap update value values write";
