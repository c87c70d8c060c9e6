//! How sure uses are: a mark each, and what the marks mean.

/// The marks of an answer's uses.
pub(super) struct Marks {
    n_precise: usize,
    n_unsure: usize,
    n: usize,
}

impl Marks {
    /// `confidences` of all uses of an answer.
    pub(super) fn new<'c>(confidences: impl Iterator<Item = &'c str>) -> Self {
        let mut marks = Self {
            n_precise: 0,
            n_unsure: 0,
            n: 0,
        };
        for confidence in confidences {
            marks.n += 1;
            marks.n_precise += usize::from(confidence == "precise");
            marks.n_unsure += usize::from(!matches!(confidence, "precise" | "resolved"));
        }
        marks
    }

    /// What follows the head: where all are precise, none needs a mark.
    pub(super) fn head(&self) -> &'static str {
        if self.is_precise() { ", precise" } else { "" }
    }

    /// The mark of one use.
    pub(super) fn of(&self, confidence: &str) -> &'static str {
        match confidence {
            "resolved" => "",
            "precise" if self.is_precise() => "",
            "precise" => "!",
            _ => "?",
        }
    }

    /// What the marks mean.
    pub(super) fn note(&self) -> Option<&'static str> {
        match (self.n_precise > 0 && !self.is_precise(), self.n_unsure > 0) {
            (true, true) => Some("! = precise (SCIP), ? = target not certain"),
            (true, false) => Some("! = precise (SCIP)"),
            (false, true) => Some("? = name matches, target not certain"),
            (false, false) => None,
        }
    }

    fn is_precise(&self) -> bool {
        self.n > 0 && self.n_precise == self.n
    }
}
