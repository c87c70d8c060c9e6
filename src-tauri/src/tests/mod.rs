//! Tests of the window as a whole.

pub(crate) mod recorded;
