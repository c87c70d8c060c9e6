//! Languages that share rules for imports and scopes.

pub(crate) use whyrank_syntax::Family;
