//! Where is this defined? Names that one line of the repository declares.

use super::declarations::Declaration;
use whyrank_eval::{Category, Expected, Matching, Place, Task};

pub(super) const DEFECT: &str = "definitions: truth is the only line that reads like a declaration of the name; one made by a macro or by assignment is not asked about";

const TOLERANCE: u32 = 3;

pub(super) fn task(repo: &str, declared: &Declaration) -> Task {
    Task {
        id: String::new(),
        repo: repo.to_owned(),
        language: String::new(),
        category: Category::P1,
        stratum: String::new(),
        question: super::about(&declared.name),
        expected: Expected::Places {
            places: vec![Place {
                file: declared.path.clone(),
                line: declared.line,
                ..Place::default()
            }],
            optional: Vec::new(),
            tolerance: TOLERANCE,
            within_span: false,
            optional_tests: false,
            matching: Matching::OneToOne,
        },
    }
}
