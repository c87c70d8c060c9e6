//! What other tools know of a repository: bytes of their files in, plain values out.
//!
//! In: [`coverage`] reports of test runs, profiles and traces of [`runs`], [`mod@scip`] indexes of
//! compilers. [`PathMatcher`] says which file of a view a path in them means. Pure and bounded: no disk,
//! no clock, no more work than a [`Budget`] has; a damaged file gives what could be read and says what not.

mod budget;
pub mod coverage;
mod path_matcher;
pub mod runs;
pub mod scip;

pub use budget::{Budget, LEAST_STEPS, STEPS_PER_BYTE};
pub use path_matcher::{PathMatch, PathMatcher};
