//! Names of metrics, and which one represents a category.

use crate::task::Category;
use serde::{Deserialize, Serialize};
use specta::Type;
use std::collections::BTreeMap;

/// A quality of an answer, 0 to 1; higher is better.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Type,
)]
pub enum Metric {
    /// Harmonic mean of precision and recall.
    #[serde(rename = "f1")]
    F1,
    /// Share of the found that is right.
    #[serde(rename = "precision")]
    Precision,
    /// Share of the right that is found.
    #[serde(rename = "recall")]
    Recall,
    /// Share of what was called certain that is right.
    #[serde(rename = "certain right")]
    CertainRight,
    /// Share of what was called possible that is right.
    #[serde(rename = "possible right")]
    PossibleRight,
    /// Whether the task counts as passed.
    #[serde(rename = "pass")]
    Pass,
    /// Reciprocal rank of the first relevant file or symbol among ten.
    #[serde(rename = "mrr@10")]
    Mrr,
    /// Normalised discounted cumulative gain of ten results (Järvelin and Kekäläinen 2002), base 2.
    #[serde(rename = "ndcg@10")]
    Ndcg,
    /// Share of the relevant within the first result.
    #[serde(rename = "recall@1")]
    Recall1,
    /// Within five.
    #[serde(rename = "recall@5")]
    Recall5,
    /// Within ten.
    #[serde(rename = "recall@10")]
    Recall10,
    /// Share of the relevant files within fifty candidates, where an ablation looks at them.
    #[serde(rename = "recall@50")]
    Recall50,
    /// As `mrr@10`, over lines instead of files.
    #[serde(rename = "span mrr@10")]
    SpanMrr,
    /// As `recall@10`, over lines instead of files.
    #[serde(rename = "span recall@10")]
    SpanRecall10,
    /// Whether every file that the fix changed is the first.
    #[serde(rename = "acc@1")]
    FileAcc1,
    /// Whether all of them are among the first three files.
    #[serde(rename = "acc@3")]
    FileAcc3,
    /// Among five.
    #[serde(rename = "acc@5")]
    FileAcc5,
    /// Among ten.
    #[serde(rename = "acc@10")]
    FileAcc10,
    /// Whether every function that the fix changed is among the first five places.
    #[serde(rename = "function acc@5")]
    FunctionAcc5,
    /// Among ten.
    #[serde(rename = "function acc@10")]
    FunctionAcc10,
    /// Whether one of them is among the first five places.
    #[serde(rename = "function any@5")]
    FunctionAny5,
    /// Among ten.
    #[serde(rename = "function any@10")]
    FunctionAny10,
    /// Share of the changed lines within the first 100 lines that a reader of the hits reads.
    #[serde(rename = "line recall@100")]
    LineRecall100,
    /// Within 300.
    #[serde(rename = "line recall@300")]
    LineRecall300,
    /// Within 500.
    #[serde(rename = "line recall@500")]
    LineRecall500,
    /// Discounted gain of the changed lines, by lines read, within 100.
    #[serde(rename = "line ndcg@100")]
    LineNdcg100,
    /// Within 300.
    #[serde(rename = "line ndcg@300")]
    LineNdcg300,
    /// Within 500.
    #[serde(rename = "line ndcg@500")]
    LineNdcg500,
}

impl Metric {
    /// All metrics of rankings, by which a gain can be measured.
    pub const OF_RANKINGS: [Self; 4] = [Self::Ndcg, Self::Mrr, Self::SpanMrr, Self::SpanRecall10];

    /// Returns its name, as in files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::F1 => "f1",
            Self::Precision => "precision",
            Self::Recall => "recall",
            Self::CertainRight => "certain right",
            Self::PossibleRight => "possible right",
            Self::Pass => "pass",
            Self::Mrr => "mrr@10",
            Self::Ndcg => "ndcg@10",
            Self::Recall1 => "recall@1",
            Self::Recall5 => "recall@5",
            Self::Recall10 => "recall@10",
            Self::Recall50 => "recall@50",
            Self::SpanMrr => "span mrr@10",
            Self::SpanRecall10 => "span recall@10",
            Self::FileAcc1 => "acc@1",
            Self::FileAcc3 => "acc@3",
            Self::FileAcc5 => "acc@5",
            Self::FileAcc10 => "acc@10",
            Self::FunctionAcc5 => "function acc@5",
            Self::FunctionAcc10 => "function acc@10",
            Self::FunctionAny5 => "function any@5",
            Self::FunctionAny10 => "function any@10",
            Self::LineRecall100 => "line recall@100",
            Self::LineRecall300 => "line recall@300",
            Self::LineRecall500 => "line recall@500",
            Self::LineNdcg100 => "line ndcg@100",
            Self::LineNdcg300 => "line ndcg@300",
            Self::LineNdcg500 => "line ndcg@500",
        }
    }
}

/// The scores of an answer, or their means.
pub type Scores = BTreeMap<Metric, f64>;

/// Returns the metric by which a category is compared.
pub fn headline(category: Category) -> Metric {
    match category {
        Category::P1
        | Category::P2
        | Category::P3
        | Category::P4
        | Category::P5
        | Category::P5S
        | Category::Callers
        | Category::Impact
        | Category::Implements
        | Category::Dead
        | Category::Tests => Metric::F1,
        Category::NlDoc | Category::NlFix | Category::Issue => Metric::Mrr,
        Category::Search | Category::Corpus => Metric::Ndcg,
        Category::Needle | Category::Ranking | Category::Expansion => Metric::Pass,
    }
}
