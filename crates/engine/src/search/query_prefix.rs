//! What a model wants before a query: added by its encoder, and taken off where a caller has put it
//! there already. Twice it would change the vector, and its words would be searched for.

/// Returns the query without the prefix of the model; one that is nothing else stays.
pub(super) fn without_prefix<'q>(query: &'q str, prefix: &str) -> &'q str {
    let prefix = prefix.trim();
    let rest = query.trim_start().strip_prefix(prefix);
    match rest.map(str::trim_start).filter(|rest| !rest.is_empty()) {
        Some(rest) if !prefix.is_empty() => rest,
        _ => query,
    }
}

#[cfg(test)]
mod tests {
    use super::without_prefix;

    #[test]
    fn a_prefix_that_is_there_is_taken_off_once() {
        let prefix = "Represent this query for searching relevant code: ";
        for (query, expected) in [
            (
                "Represent this query for searching relevant code: retry",
                "retry",
            ),
            (
                "Represent this query for searching relevant code:retry",
                "retry",
            ),
            ("retry", "retry"),
            (
                "Represent this query for searching relevant code:",
                "Represent this query for searching relevant code:",
            ),
        ] {
            assert_eq!(without_prefix(query, prefix), expected);
        }
        assert_eq!(without_prefix(" retry", ""), " retry");
    }
}
