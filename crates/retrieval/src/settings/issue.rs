//! Coefficients for issues.

use crate::query::PartKind;
use serde::{Deserialize, Serialize};

/// Coefficients of what the parts of an issue add, in units of a first place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct IssueTuning {
    /// The title's BM25 over a whole file, against the best file.
    pub issue_title_file: f64,
    /// The title's BM25 in a chunk, against the best chunk.
    pub issue_title: f64,
    /// The same of the reporter's words, of a file.
    pub issue_prose_file: f64,
    /// And of a chunk.
    pub issue_prose: f64,
    /// The same of the reporter's code, of a file.
    pub issue_code_file: f64,
    /// And of a chunk.
    pub issue_code: f64,
    /// The same of what was printed, of a file.
    pub issue_output_file: f64,
    /// And of a chunk.
    pub issue_output: f64,
    /// The same of messages of errors, of a file.
    pub issue_message_file: f64,
    /// And of a chunk.
    pub issue_message: f64,
    /// The file of the innermost frame that lies in the repository; less for those further out.
    pub issue_frame_file: f64,
    /// The function of that frame.
    pub issue_frame: f64,
    /// A file that the issue names, or links to.
    pub issue_path: f64,
    /// A module that it names; less for each file of a package.
    pub issue_module: f64,
    /// Definitions in the file that the issue names.
    pub issue_name_file: f64,
    /// A definition that it names.
    pub issue_name: f64,
    /// A member of a definition that it names.
    pub issue_member: f64,
    /// A definition's name holds words of the issue, against the best; for its file.
    pub issue_name_alike_file: f64,
    /// And for the definition.
    pub issue_name_alike: f64,
    /// What a definition loses that does nothing itself: a class, a constant.
    pub issue_inert: f64,
    /// Share of the title's words that the path holds.
    pub issue_title_path: f64,
    /// Share of the title's words that a definition's name holds.
    pub issue_title_name: f64,
    /// The issue holds every word of the file's name.
    pub issue_stem: f64,
    /// Cosine of the file's nearest chunk to a window of the issue, against the list's range.
    pub issue_vector_file: f64,
    /// The same of a chunk.
    pub issue_vector: f64,
    /// Words of past commits that went with the file.
    pub issue_history: f64,
    /// How much the newest commits changed it.
    pub issue_changes: f64,
    /// PageRank of the file.
    pub issue_file_rank: f64,
    /// What code between definitions loses.
    pub issue_residue: f64,
    /// What a further hit of the same file keeps, for each one before it.
    pub issue_keep_repeat: f64,
    /// What tests, examples and documentation keep of their score.
    pub issue_keep_aside: f64,
    /// What settings, copies and generated files keep.
    pub issue_keep_config: f64,
    /// What legacy code and declarations keep.
    pub issue_keep_legacy: f64,
}

impl IssueTuning {
    /// Nothing: rank fusion decides alone.
    pub(super) fn none() -> Self {
        Self {
            issue_title_file: 0.0,
            issue_title: 0.0,
            issue_prose_file: 0.0,
            issue_prose: 0.0,
            issue_code_file: 0.0,
            issue_code: 0.0,
            issue_output_file: 0.0,
            issue_output: 0.0,
            issue_message_file: 0.0,
            issue_message: 0.0,
            issue_frame_file: 0.0,
            issue_frame: 0.0,
            issue_path: 0.0,
            issue_module: 0.0,
            issue_name_file: 0.0,
            issue_name: 0.0,
            issue_member: 0.0,
            issue_name_alike_file: 0.0,
            issue_name_alike: 0.0,
            issue_inert: 0.0,
            issue_title_path: 0.0,
            issue_title_name: 0.0,
            issue_stem: 0.0,
            issue_vector_file: 0.0,
            issue_vector: 0.0,
            issue_history: 0.0,
            issue_changes: 0.0,
            issue_file_rank: 0.0,
            issue_residue: 0.0,
            issue_keep_repeat: 1.0,
            issue_keep_aside: 1.0,
            issue_keep_config: 1.0,
            issue_keep_legacy: 1.0,
        }
    }

    /// The coefficient of a part's words over whole files.
    pub(crate) fn of_files(&self, part: PartKind) -> f64 {
        match part {
            PartKind::Title => self.issue_title_file,
            PartKind::Prose => self.issue_prose_file,
            PartKind::Code => self.issue_code_file,
            PartKind::Output => self.issue_output_file,
            PartKind::Message => self.issue_message_file,
            _ => 0.0,
        }
    }

    /// The coefficient of a part's words in a chunk.
    pub(crate) fn of_chunks(&self, part: PartKind) -> f64 {
        match part {
            PartKind::Title => self.issue_title,
            PartKind::Prose => self.issue_prose,
            PartKind::Code => self.issue_code,
            PartKind::Output => self.issue_output,
            PartKind::Message => self.issue_message,
            _ => 0.0,
        }
    }
}

impl Default for IssueTuning {
    fn default() -> Self {
        Self {
            issue_title_file: 2.0,
            issue_title: 1.5,
            issue_prose_file: 1.5,
            issue_prose: 1.0,
            issue_code_file: 1.0,
            issue_code: 0.7,
            issue_output_file: 0.3,
            issue_output: 0.3,
            issue_message_file: 0.5,
            issue_message: 0.7,
            issue_frame_file: 4.0,
            issue_frame: 4.0,
            issue_path: 5.0,
            issue_module: 1.0,
            issue_name_file: 3.0,
            issue_name: 1.0,
            issue_member: 0.5,
            issue_name_alike_file: 1.0,
            issue_name_alike: 0.75,
            issue_inert: 1.0,
            issue_title_path: 1.5,
            issue_title_name: 1.5,
            issue_stem: 0.5,
            issue_vector_file: 1.5,
            issue_vector: 1.0,
            issue_history: 0.6,
            issue_changes: 0.5,
            issue_file_rank: 0.1,
            issue_residue: 0.3,
            issue_keep_repeat: 0.95,
            issue_keep_aside: 0.25,
            issue_keep_config: 0.4,
            issue_keep_legacy: 0.7,
        }
    }
}
