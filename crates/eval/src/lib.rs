//! Retrieval tasks, judgements, statistics and reports. Knows no engine: it reads what was asked and
//! what was answered.
//!
//! [`suites`] read task files of several formats into one shape ([`Task`]); [`judge`] scores an
//! [`Answer`]; [`summarize`] and [`compare`] turn scored answers into means with bootstrap
//! intervals; [`report`] writes them for people.

mod answer;
mod calibration;
mod compare;
mod error;
mod judge;
mod metric;
pub mod report;
mod results;
mod statistics;
pub mod suites;
mod summary;
mod task;

pub use answer::{Answer, Call, ReturnedPlace, tokens_of};
pub use compare::{ComparedRun, Comparison, GroupDifference, TaskDifference, compare};
pub use error::{EvalError, Result};
pub use judge::{Judgement, Verdict, judge, recall_at};
pub use metric::{Metric, Scores, headline};
pub use results::{Machine, RepositoryInfo, RunInfo, RunState, SubjectInfo, TaskResult};
pub use statistics::{
    Estimate, Paired, Random, estimate, estimate_clustered, paired_difference, percentile,
};
pub use suites::{Defect, Suite};
pub use summary::{Group, GroupBy, PairRow, Summary, SummaryRow, summarize};
pub use task::{
    Category, Direction, Expected, Matching, PatchedFile, PatchedFunction, Place, Question,
    Relation, Task,
};
