//! Views that are open, and the texts in them.

mod live;
mod live_view;
mod pool;
mod texts;

pub(crate) use live::{COVERAGE_AGE, Cross, LiveViews, LoadedModel};
pub(crate) use live_view::{LivePart, LivePool, LiveView};
pub(crate) use texts::{MAX_LINE_CHARS, Texts, cut};
