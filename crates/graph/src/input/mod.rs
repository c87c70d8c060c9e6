//! What a view hands in: files with their facts, and their paths.
//!
//! What for: names for files and definitions that all that follows shares. What not: nothing here
//! resolves a name or reads a disk.

pub(crate) mod files;
pub(crate) mod paths;
pub(crate) mod test_code;
pub(crate) mod view_paths;
