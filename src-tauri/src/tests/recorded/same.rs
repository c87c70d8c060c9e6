//! Answers that say the same: times taken, bytes on disk and last digits of figures differ by themselves.

use serde_json::Value;

/// Fields that tell of the run and not of the answer, by their endings; `n` counts answers of the process.
const OF_THE_RUN: [&str; 9] = [
    "_ms",
    "bytes",
    "_at",
    "_at_s",
    "rate",
    "eta_s",
    "elapsed_s",
    "left_s",
    "cpu_s",
];
/// Libraries of other systems round otherwise.
const TOLERANCE: f64 = 1e-3;

pub(super) fn is_same(old: &Value, new: &Value) -> bool {
    difference(old, new).is_none()
}

/// The first place at which two answers differ.
pub(super) fn difference(old: &Value, new: &Value) -> Option<String> {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            let missing = old.keys().find(|key| !new.contains_key(*key));
            let added = new.keys().find(|key| !old.contains_key(*key));
            if let Some(key) = missing.or(added) {
                return Some(format!(".{key} is of one alone"));
            }
            let fields = old.iter().filter(|(key, _)| !is_of_the_run(key));
            let mut differing = fields.filter_map(|(key, value)| {
                difference(value, &new[key]).map(|place| format!(".{key}{place}"))
            });
            differing.next()
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            let mut pairs = old.iter().zip(new).enumerate();
            pairs.find_map(|(at, (old, new))| {
                difference(old, new).map(|place| format!("[{at}]{place}"))
            })
        }
        (Value::Number(old), Value::Number(new)) if are_close(old.as_f64(), new.as_f64()) => None,
        _ if old == new => None,
        _ => Some(format!(": {} became {}", short(old), short(new))),
    }
}

/// The same with every figure 0.
pub(super) fn without_figures(value: &Value) -> Value {
    match value {
        Value::Number(_) => 0.into(),
        Value::Array(items) => items.iter().map(without_figures).collect(),
        Value::Object(fields) => {
            let without = fields
                .iter()
                .map(|(key, value)| (key.clone(), without_figures(value)));
            Value::Object(without.collect())
        }
        other => other.clone(),
    }
}

fn is_of_the_run(key: &str) -> bool {
    OF_THE_RUN.iter().any(|ending| key.ends_with(ending)) || ["ms", "n"].contains(&key)
}

fn are_close(old: Option<f64>, new: Option<f64>) -> bool {
    let (Some(old), Some(new)) = (old, new) else {
        return false;
    };
    (old - new).abs() <= TOLERANCE * old.abs().max(new.abs())
}

fn short(value: &Value) -> String {
    value.to_string().chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn times_may_differ_and_words_may_not() {
        let old = json!({"took_ms": 3, "hits": [{"path": "a", "score": 0.5}]});
        assert!(is_same(
            &old,
            &json!({"took_ms": 9, "hits": [{"path": "a", "score": 0.5001}]})
        ));
        let other = json!({"took_ms": 3, "hits": [{"path": "b", "score": 0.5}]});
        let place = difference(&old, &other).expect("the path");
        assert_eq!(place, ".hits[0].path: \"a\" became \"b\"");
    }
}
