//! Views that are open, and the texts in them.

mod live;
mod pool;
mod texts;

pub(crate) use live::{COVERAGE_AGE, Cross, LiveView, LiveViews, LoadedModel, Sparse};
pub(crate) use pool::{LivePart, LivePool};
pub(crate) use texts::{MAX_LINE_CHARS, Texts, cut};
