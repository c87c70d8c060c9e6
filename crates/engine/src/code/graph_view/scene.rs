//! The scene that is drawn: the view, and what lies in it.

use super::history::History;
use crate::code::graph::GraphSession;
use crate::code::known_uses::KnownUses;
use whyrank_graph::{Neighbours, ReferenceQuery};

/// A view with all that a picture of it is made from.
pub(super) struct Scene<'s, 'u, 'a> {
    pub(super) session: &'s GraphSession,
    pub(super) known: &'s KnownUses,
    pub(super) uses: &'s ReferenceQuery<'a>,
    pub(super) links: &'s Neighbours<'u, 'a>,
    /// Only where it was asked for.
    pub(super) history: Option<&'s History>,
}
