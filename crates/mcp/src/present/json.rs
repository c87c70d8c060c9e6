//! Answers as JSON, cut to a budget.

use serde_json::{Value, json};

use crate::tokens::estimate_tokens;

/// Writes `value` as one line of JSON. While it is over budget the longest list of its top level
/// loses a quarter; `truncated` then says so.
pub fn json(value: &Value, budget: u32) -> String {
    let mut value = value.clone();
    loop {
        let text = value.to_string();
        if estimate_tokens(&text) <= budget {
            return text;
        }
        if !shorten(&mut value) {
            return json!({"truncated": true, "hint": "raise max_tokens"}).to_string();
        }
    }
}

fn shorten(value: &mut Value) -> bool {
    let Value::Object(object) = value else {
        return false;
    };
    let lists = object.values_mut().filter_map(Value::as_array_mut);
    let Some(longest) = lists
        .max_by_key(|list| list.len())
        .filter(|list| !list.is_empty())
    else {
        return false;
    };
    longest.truncate(longest.len() * 3 / 4);
    object.insert("truncated".to_owned(), Value::Bool(true));
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_list_gives_way() {
        let value = json!({"a": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], "b": ["kept"]});
        let text = json(&value, 13);
        assert!(estimate_tokens(&text) <= 13, "{text}");
        assert!(
            text.contains("kept") && text.contains("\"truncated\":true"),
            "{text}"
        );
    }

    #[test]
    fn what_cannot_be_cut_says_so() {
        let text = json(&json!({"text": "x".repeat(1_000)}), 80);
        assert_eq!(text, r#"{"hint":"raise max_tokens","truncated":true}"#);
    }
}
