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
#[expect(
    clippy::print_stdout,
    reason = "what is held back is for a person to read"
)]
mod struck;
mod tree_state;
mod watch;
mod worktree;
