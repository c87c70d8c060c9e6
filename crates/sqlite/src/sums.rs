//! Whether pages carry checksums.

/// What a file without sums is to its reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sums {
    /// Damaged: all files of this kind have sums.
    Required,
    /// One that an earlier version wrote. [`add_sums`] gives it sums.
    IfThere,
}
