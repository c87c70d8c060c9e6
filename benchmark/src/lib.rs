//! The benchmark harness: suites, subjects, runs, reports, ablations and fits.
//!
//! [`Bench`] is what the command line and the window use. A run asks every subject every task, one
//! repository after the other; an answer is judged and written as soon as it is there.

mod ablate;
pub mod api;
mod bench;
mod checkouts;
mod choose;
mod error;
mod fit;
mod indexing;
mod machine;
mod memory;
mod own;
mod process;
mod results;
mod run;
mod scale;
mod session_cost;
mod store;
pub mod subjects;
mod tasks;
mod watch;

pub use bench::{Bench, Extra, Variant};
pub use checkouts::{Checkout, Checkouts, Folder};
pub use choose::describe_suite;
pub use error::{BenchError, Result};
pub use fit::{Fit, Provenance};
pub use indexing::IndexCost;
pub use memory::{MemoryCost, MemoryCosts, MemorySize};
pub use scale::{ProcessCost, ScalePoint, ScaleRequest};
pub use watch::Watch;
pub use whyrank_eval as eval;
