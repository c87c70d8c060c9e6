//! The machine under the program: programs that are started, files that are replaced, text that is
//! shown. What can harm the person who runs Whyrank passes here, once. And what a path says
//! about a file (tests, examples, vendored), since the crates that ask have nothing else in common.

pub mod files;
pub mod folders;
pub mod heap;
pub mod mapped;
pub mod program;
pub mod regular;
pub mod test_paths;
pub mod visible;
