//! The crate against repositories made on the spot, without a git binary.

mod blame;
mod commit;
mod diff;
mod drawn;
mod fixture;
#[cfg(unix)]
mod hostile_git;
mod judged;
mod planted;
mod repository;
mod watch;
mod worktree;
