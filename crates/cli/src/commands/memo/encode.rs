//! Vectors of memos, with progress. What is made is kept, so Ctrl-C loses nothing.

use whyrank_engine::api::{MemoEncoding, RepoId};
use whyrank_engine::{Engine, EngineError};

use crate::interrupt::Interrupt;
use crate::progress;

/// Makes the vectors that memos lack.
pub(super) fn run(engine: &Engine, repo: &RepoId) -> Result<MemoEncoding, EngineError> {
    let (bar, interrupt) = (progress::bar(), Interrupt::listen());
    bar.set_message("vectors");
    let encoding = engine.encode_memos(repo, &mut |encoding| {
        bar.set_length(encoding.total.into());
        bar.set_position(encoding.done.into());
        !interrupt.is_heard()
    });
    bar.finish_and_clear();
    encoding
}
