//! What other tools know of a repository: bytes of their files in, plain values out.
//!
//! In: [`coverage`] reports of test runs, [`mod@scip`] indexes of compilers. [`Places`] says which file of a view a path in them means.
//! Pure and bounded: no disk, no clock; a damaged file gives what could be read and says what not.

pub mod coverage;
mod places;
pub mod scip;

pub use places::{Meant, Places};
