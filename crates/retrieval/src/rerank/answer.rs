//! A model's answer as an order: `[4] > [2] > …` as it was trained to write, and whatever else it writes.

/// Remark of an answer that names no candidate.
pub(super) const NO_RANKING: &str = "the answer names no candidate";

/// What an answer says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedAnswer {
    /// Indices from 0, best first: a permutation of all candidates.
    pub order: Vec<usize>,
    /// How many of them the answer named.
    pub n_named: usize,
    /// What was odd about it.
    pub remarks: Vec<String>,
}

/// Reads the order of `n` candidates out of an answer. Never fails: numbers are taken in the order in
/// which they come, where brackets are those in brackets; repeated and impossible ones are passed
/// over, and candidates that are not named follow in their prior order.
pub fn parse_answer(answer: &str, n: usize) -> ParsedAnswer {
    let said = without_thoughts(answer);
    let bracketed = numbers(said, true);
    let numbers = if bracketed.iter().any(|number| (1..=n).contains(number)) {
        bracketed
    } else {
        numbers(said, false)
    };
    let mut order = Vec::with_capacity(n);
    let (mut n_repeated, mut n_impossible) = (0, 0);
    for number in numbers {
        match number.checked_sub(1).filter(|at| *at < n) {
            None => n_impossible += 1,
            Some(at) if order.contains(&at) => n_repeated += 1,
            Some(at) => order.push(at),
        }
    }
    let n_named = order.len();
    order.extend((0..n).filter(|at| !order.contains(at)).collect::<Vec<_>>());
    let mut remarks = Vec::new();
    let mut remark = |count: usize, what: &str| {
        if count > 0 {
            remarks.push(format!("{count} {what}"));
        }
    };
    remark(
        n_impossible,
        "numbers that no candidate has were passed over",
    );
    remark(n_repeated, "repeated numbers were passed over");
    if n_named == 0 {
        remarks.push(NO_RANKING.to_owned());
    } else if n_named < n {
        remarks.push(format!("{} not named, kept in their order", n - n_named));
    }
    ParsedAnswer {
        order,
        n_named,
        remarks,
    }
}

/// What follows the last closed block of thoughts, which reasoning models put before their answer.
fn without_thoughts(answer: &str) -> &str {
    const END: &str = "</think>";
    answer
        .rfind(END)
        .map_or(answer, |at| &answer[at + END.len()..])
}

/// Whole numbers in order; with brackets only those right behind `[`. One that is too long to be a
/// number of a candidate counts as impossible. A list such as `[3, 1]` is read to its end.
fn numbers(text: &str, in_brackets: bool) -> Vec<usize> {
    let mut found = Vec::new();
    let mut depth = 0_u32;
    let mut chars = text.char_indices().peekable();
    while let Some((start, char)) = chars.next() {
        match char {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            '0'..='9' => {
                let mut end = start + 1;
                while let Some((at, _)) = chars.next_if(|(_, next)| next.is_ascii_digit()) {
                    end = at + 1;
                }
                let before = text[..start].chars().next_back();
                let is_part = before.is_some_and(|char| char.is_alphanumeric() || char == '.');
                if !is_part && (depth > 0 || !in_brackets) {
                    found.push(text[start..end].parse().unwrap_or(usize::MAX));
                }
            }
            _ => {}
        }
    }
    found
}
