//! Ids of what the engine keeps. Each is a type of its own, so that none is taken for another; on the
//! wire it is its text.

use serde::{Deserialize, Serialize};
use specta::Type;
use std::borrow::Borrow;
use std::fmt;
use std::ops::Deref;

/// Defines ids that are texts.
macro_rules! ids {
    ($($(#[$meta:meta])* $name:ident)+) => {$(
        $(#[$meta])*
        #[derive(
            Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type,
        )]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Returns its text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl Deref for $name {
            type Target = str;

            fn deref(&self) -> &str {
                &self.0
            }
        }

        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl PartialEq<str> for $name {
            fn eq(&self, other: &str) -> bool {
                self.0 == other
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, other: &&str) -> bool {
                self.0 == *other
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }
    )+};
}

ids! {
    /// The id of a registered repository, 12 hex digits. Requests of memory also take the path of a
    /// folder outside git; those about definitions, uses and imports the ids of several, joined.
    RepoId
    /// The id of an answer, under which its trace is kept.
    QueryId
    /// The id of an indexing job.
    JobId
    /// The id of a memo. Requests take the beginning of one, as long as it is the beginning of no other.
    MemoId
}

/// What joins ids of repositories that are asked as one.
const JOINT: char = '+';

impl RepoId {
    /// Joins the ids of repositories that are asked as one; in any order.
    pub fn joined(ids: &[Self]) -> Self {
        let mut ids: Vec<&str> = ids.iter().map(Self::as_str).collect();
        ids.sort_unstable();
        ids.dedup();
        Self(ids.join(&JOINT.to_string()))
    }

    /// Returns the ids that were joined; `None` for the id of one.
    pub fn several(&self) -> Option<Vec<Self>> {
        let is_id = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_hexdigit());
        let mut parts = self.0.split(JOINT);
        let is_joined = self.0.contains(JOINT) && parts.clone().all(is_id);
        is_joined.then(|| parts.by_ref().map(Self::from).collect())
    }
}
