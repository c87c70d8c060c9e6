//! What a text costs an agent, estimated.

/// Estimates the tokens of `text`: `ceil(chars / 3.5)`.
///
/// Code and paths come to 3.2 to 3.8 characters a token in o200k, so the estimate stays within a
/// tenth of the true count. A tokenizer would cost 2 MB and 100 ms of start time; tests use one
/// where the figure is a promise (the tool list).
pub fn estimate_tokens(text: &str) -> u32 {
    tokens_of_chars(text.chars().count())
}

/// The same for a count of characters.
pub(crate) fn tokens_of_chars(n_chars: usize) -> u32 {
    u32::try_from((n_chars * 2).div_ceil(7)).unwrap_or(u32::MAX)
}

/// Characters that fit into `tokens`.
pub(crate) fn chars_within(tokens: u32) -> usize {
    tokens as usize * 7 / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_is_rounded_up() {
        assert_eq!(estimate_tokens(""), 0);
        assert_eq!(estimate_tokens("a"), 1);
        assert_eq!(estimate_tokens("1234567"), 2);
        assert_eq!(estimate_tokens("12345678"), 3);
    }

    #[test]
    fn characters_within_a_budget_cost_no_more_than_it() {
        for budget in 0..500 {
            assert!(tokens_of_chars(chars_within(budget)) <= budget);
            assert!(tokens_of_chars(chars_within(budget) + 1) > budget);
        }
    }
}
