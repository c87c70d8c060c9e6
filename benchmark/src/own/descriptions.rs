//! Which file does this sentence describe? The first sentence of a comment, its name left out.

use super::TOP_K;
use super::declarations::Declaration;
use whyrank_eval::{Category, Expected, Place, Question, Task};

pub(super) const DEFECT: &str = "descriptions: the sentence stands in the file that is asked for, so words alone find much of it; other files may fit it as well";

/// Words of a sentence that says something.
const WORDS: std::ops::RangeInclusive<usize> = 5..=40;

pub(super) fn task(repo: &str, declared: &Declaration) -> Option<Task> {
    let text = sentence(&declared.comment, &declared.name)?;
    Some(Task {
        id: String::new(),
        repo: repo.to_owned(),
        language: String::new(),
        category: Category::NlDoc,
        stratum: String::new(),
        question: Question::Text {
            text,
            scope: None,
            kinds: Vec::new(),
            top_k: TOP_K,
            as_of: None,
        },
        expected: Expected::Ranked {
            relevant: vec![Place::file(&declared.path)],
            by_suffix: false,
            needs_overlap: false,
            refused: None,
        },
    })
}

/// The first sentence without the symbol's name; none where it tells the name anyway or too little.
fn sentence(comment: &str, name: &str) -> Option<String> {
    let paragraph: Vec<&str> = comment
        .lines()
        .skip_while(|line| line.is_empty())
        .take_while(|line| !line.is_empty() && !line.starts_with('@'))
        .collect();
    let paragraph = paragraph.join(" ");
    let first = match paragraph.split_once(". ") {
        Some((first, _)) => first,
        None => paragraph.trim_end_matches('.'),
    };
    let words = first.split_whitespace();
    let words: Vec<&str> = words
        .skip_while(|word| word.trim_matches('`') == name)
        .collect();
    let text = words.join(" ");
    let is_prose = ![
        "Copyright",
        "License",
        "eslint",
        "nolint",
        "TODO",
        "FIXME",
        "://",
    ]
    .iter()
    .any(|mark| text.contains(mark));
    (WORDS.contains(&words.len()) && is_prose && !text.contains(name)).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_leaves_the_name_out() {
        let said = sentence(
            "Start runs the server until it is\ntold to stop. More.\n\nElse.",
            "Start",
        );
        assert_eq!(
            said.as_deref(),
            Some("runs the server until it is told to stop")
        );
        assert_eq!(sentence("Reads one.", "read"), None);
        assert_eq!(
            sentence("Returns what `price` gives for the shop", "price"),
            None
        );
    }
}
