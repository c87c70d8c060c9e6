//! How certain uses are: said once at the head, and by one word before those of a line that are not.

use whyrank_engine::api::{Compiled, UseConfidence};

use super::page::{Page, clip};

/// Characters of the names of reports.
const BROUGHT_CHARS: usize = 160;

/// Says before all else that an answer goes by names alone, where the symbol graph is not made yet.
pub(super) fn by_name_only(page: &mut Page, note: &str) {
    if !note.is_empty() {
        page.head(&format!("BY NAME ONLY: {note}"));
    }
}

/// Says before all else that an answer rests on reports that the repository itself brought.
pub(super) fn brought(page: &mut Page, reports: &[String]) {
    if !reports.is_empty() {
        let named = clip(&reports.join(", "), BROUGHT_CHARS);
        page.head(&format!(
            "RESTS ON WHAT THE REPOSITORY BROUGHT: {named}: its word, no compiler's and no run's of yours"
        ));
    }
}

/// The certainty of an answer's uses.
pub(super) struct Certainty {
    compiled: Option<Compiled>,
    n_precise: usize,
    /// By name alone.
    n_unsure: usize,
    /// By way of what the symbol overrides or implements.
    n_possible: usize,
    n: usize,
}

/// Before what only the name suggests.
const MAYBE: &str = "maybe ";

impl Certainty {
    /// `confidences` of all uses of an answer.
    pub(super) fn new(confidences: impl Iterator<Item = UseConfidence>) -> Self {
        let mut certainty = Self {
            compiled: None,
            n_precise: 0,
            n_unsure: 0,
            n_possible: 0,
            n: 0,
        };
        for confidence in confidences {
            certainty.n += 1;
            certainty.n_precise += usize::from(confidence == UseConfidence::Precise);
            let is_possible = confidence == UseConfidence::Possible;
            certainty.n_possible += usize::from(is_possible);
            certainty.n_unsure += usize::from(!is_possible && !confidence.is_certain());
        }
        certainty
    }

    /// Says where no compiler spoke.
    pub(super) fn of(self, compiled: Option<Compiled>) -> Self {
        Self { compiled, ..self }
    }

    /// What the head says about all of them; `is_all`: it has said that these are all uses, which only certain
    /// ones can be.
    pub(super) fn head(&self, is_all: bool) -> String {
        let left_out = |compiled: Compiled| match compiled.n_of_language - compiled.n_files {
            0 => String::new(),
            n => format!(
                ", {n} of {} files without a compiler",
                compiled.n_of_language
            ),
        };
        let left_out = self.compiled.map(left_out).unwrap_or_default();
        let of_uses = match (is_all, self.n_precise) {
            (false, _) => self.of_uses(),
            (true, 0) => String::new(),
            (true, n) if n == self.n => ", precise".to_owned(),
            (true, n) => format!(", {n} by a compiler"),
        };
        format!("{of_uses}{left_out}")
    }

    fn of_uses(&self) -> String {
        match (self.n, self.n_doubtful()) {
            (0, _) => String::new(),
            (n, 0) if self.n_precise == n => ", precise".to_owned(),
            (_, 0) if self.n_precise > 0 => format!(", certain, {} by a compiler", self.n_precise),
            (_, 0) => ", certain".to_owned(),
            (n, doubtful) if n == doubtful => match (self.n_unsure, self.n_possible) {
                (_, 0) => ", none certain: by name".to_owned(),
                (0, _) => ", none certain: possible".to_owned(),
                (unsure, possible) => {
                    format!(", none certain: {unsure} by name, {possible} possible")
                }
            },
            (n, doubtful) => {
                let unsure = match self.n_unsure {
                    0 => String::new(),
                    unsure => format!(", {unsure} maybe: by name"),
                };
                let possible = match self.n_possible {
                    0 => String::new(),
                    possible => format!(", {possible} possible"),
                };
                format!(", {} certain{unsure}{possible}", n - doubtful)
            }
        }
    }

    fn n_doubtful(&self) -> usize {
        self.n_unsure + self.n_possible
    }

    /// What the head says where a compiler settles all of them.
    pub(super) fn precise(&self) -> &'static str {
        if self.n > 0 && self.n_precise == self.n {
            ", precise"
        } else {
            ""
        }
    }

    /// The word before uses of a line: nothing where the head has said it of all.
    pub(super) fn word(&self, is_certain: bool) -> &'static str {
        if is_certain || self.n_doubtful() == self.n {
            ""
        } else {
            MAYBE
        }
    }
}
