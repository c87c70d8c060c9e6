//! A name that hides those around without being a local.

/// A name and the level that it is seen below.
pub(super) struct InnerName<'s> {
    pub(super) depth: usize,
    pub(super) name: &'s str,
    pub(super) means: InnerMeaning<'s>,
}

/// The meaning of such a name.
#[derive(Clone, Copy)]
pub(super) enum InnerMeaning<'s> {
    /// A parameter of a type, which only types name.
    Type,
    /// Nothing that stands outside.
    Own,
    /// A member of the enum of this name.
    Member(&'s str),
}
