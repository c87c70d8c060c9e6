//! The machine under the program: programs that are started, files that are replaced, text that is
//! shown. What can harm the person who runs Whyrank passes here, once.

pub mod files;
pub mod mapped;
pub mod program;
pub mod visible;
