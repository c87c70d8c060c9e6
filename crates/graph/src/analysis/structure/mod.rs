//! The shape of a code base: who depends on whom between files and folders, what sticks out, what
//! belongs together, what is tested.

mod audit;
mod communities;
mod cycles;
mod file_graph;
mod layers;
mod orphans;
mod outliers;
mod settled;
mod terms;
mod tested;

pub use audit::{FileCounts, Hub, Ordinary, Severity, file_counts};
pub use communities::{Communities, communities};
pub use cycles::{CycleEdge, ImportCycle, import_cycles};
pub use file_graph::{FileEdge, FileGraph};
pub use layers::{LayerBreak, layer_breaks};
pub use orphans::{Orphan, OrphanReason, entry_points, orphans};
pub use outliers::Fence;
pub use settled::{SettledUse, SettledUses};
pub use terms::{TermTable, is_telling};
pub use tested::{TestReach, TestUse, TestedBy, test_map, testable};
