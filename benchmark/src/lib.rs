//! The benchmark harness: suites, subjects, runs and reports.
//!
//! [`Bench`] is what the command line and the window use. A run asks every subject every task, one
//! repository after the other; an answer is judged and written as soon as it is there.

pub mod api;
mod bench;
mod checkouts;
mod choose;
mod error;
mod indexing;
mod judged;
mod machine;
mod own;
mod process;
mod results;
mod run;
mod session_cost;
mod store;
pub mod subjects;
mod table;
mod tasks;
mod watch;

pub use bench::{Bench, Extra, SuiteCheckouts, Variant};
pub use checkouts::{Checkout, Checkouts, Folder};
pub use choose::describe_suite;
pub use error::{BenchError, Result};
pub use indexing::IndexCost;
pub use table::RunRow;
pub use watch::Watch;
pub use whyrank_eval as eval;
