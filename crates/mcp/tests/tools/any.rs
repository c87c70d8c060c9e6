//! What holds for each tool, whoever calls it and with whatever.

use crate::support::Shop;
use serde_json::{Map, Value, json};
use whyrank_mcp::{Profile, tools_of};

/// Names of the system that agents may come from.
const SVERKLO: [&str; 37] = [
    "search",
    "search_iterative",
    "investigate",
    "ask",
    "overview",
    "lookup",
    "context",
    "ast_grep",
    "concepts",
    "clusters",
    "patterns",
    "impact",
    "refs",
    "deps",
    "audit",
    "review_diff",
    "diff_search",
    "test_map",
    "verify",
    "critique",
    "remember",
    "recall",
    "memories",
    "forget",
    "promote",
    "demote",
    "pin",
    "unpin",
    "grep_results",
    "head_results",
    "ctx_peek",
    "ctx_slice",
    "ctx_grep",
    "ctx_stats",
    "status",
    "wakeup",
    "list_repos",
];

/// Calls that an agent would make, for tools that need something.
pub(crate) fn sensible(name: &str) -> Value {
    match name {
        "search" | "search_iterative" | "investigate" | "ask" | "concepts" | "diff_search" => {
            json!({"query": "price with tax"})
        }
        "lookup" | "impact" | "refs" => json!({"symbol": "with_tax"}),
        "deps" => json!({"path": "shop/prices.py"}),
        "context" => json!({"task": "change the tax"}),
        "ast_grep" => json!({"pattern": "with_tax($X)"}),
        "verify" => json!({"evidence_ids": ["shop/prices.py:1-3"]}),
        "critique" => json!({"claim": "price_of calls with_tax"}),
        "remember" => json!({"content": "prices hold tax"}),
        _ => json!({}),
    }
}

#[test]
fn each_name_of_the_other_system_answers() {
    let shop = Shop::new();
    for name in SVERKLO {
        let outcome = shop.try_call(&format!("sverklo_{name}"), sensible(name));
        let unknown = outcome
            .as_ref()
            .err()
            .filter(|error| error.code == "unknown-tool");
        assert!(unknown.is_none(), "{name}: {unknown:?}");
        // Those without an answer ask for an id or a handle, which only an earlier answer has.
        if let Err(error) = outcome {
            assert!(error.message.contains("is missing"), "{name}: {error}");
        }
    }
}

#[test]
fn nonsense_is_an_error_with_what_to_do_or_an_answer_within_the_budget() {
    let shop = Shop::new();
    let nonsense = [
        json!(null),
        json!(-1),
        json!(1e300),
        json!(true),
        json!(""),
        json!([[], {}]),
        json!({"a": {"b": []}}),
        json!("\u{0}\u{202e}$X((("),
        json!("tax ".repeat(50_000)),
    ];
    for row in tools_of(Profile::Full) {
        let schema = row.schema();
        let fields = schema["properties"].as_object().expect("an object");
        for value in &nonsense {
            let of = |name: &String| (name.clone(), value.clone());
            let named = fields
                .keys()
                .filter(|name| *name != "repo" && *name != "wait_s");
            let args: Map<String, Value> = named.map(of).collect();
            match shop.try_call(row.name, Value::Object(args)) {
                Ok(answer) => assert!(answer.tokens <= 20_000, "{}", row.name),
                Err(error) => {
                    let text = error.to_string();
                    let is_rust = ["expected ", "struct ", "u32", "untagged", "invalid type"]
                        .iter()
                        .any(|word| text.contains(word));
                    assert!(
                        !error.message.is_empty() && !error.hint.is_empty() && !is_rust,
                        "{} with {}: {error:?}",
                        row.name,
                        value.to_string().chars().take(40).collect::<String>()
                    );
                }
            }
        }
    }
    assert!(
        shop.call("lookup", json!({"symbol": "with_tax"}))
            .text
            .contains("shop/prices.py")
    );
}

#[test]
fn every_answer_obeys_its_budget() {
    let shop = Shop::with_branches(60);
    for row in tools_of(Profile::Full) {
        let Value::Object(mut args) = sensible(row.name) else {
            unreachable!("an object")
        };
        for (budget, format) in [80, 100, 150, 400, 1_500]
            .iter()
            .flat_map(|budget| ["concise", "detailed", "json"].map(|format| (*budget, format)))
        {
            args.insert("max_tokens".to_owned(), json!(budget));
            args.insert("format".to_owned(), json!(format));
            let Ok(answer) = shop.try_call(row.name, Value::Object(args.clone())) else {
                continue;
            };
            assert!(
                answer.tokens <= budget && !answer.text.is_empty(),
                "{} {format} {budget}: {}",
                row.name,
                answer.text
            );
            let is_data = serde_json::from_str::<Value>(&answer.text).is_ok();
            let has_format = row.schema()["properties"].get("format").is_some();
            assert!(
                is_data || format != "json" || !has_format,
                "{}: {}",
                row.name,
                answer.text
            );
        }
    }
}

/// Names in scripts, forms and lengths that cut a name in the middle of a character where it is cut by bytes.
const STRANGE: [&str; 16] = [
    "voil\u{e0}",
    "\u{e0}-1.2.3",
    "\u{e0}1",
    "x.\u{e0}",
    "x-1.2.\u{e0}",
    "x.min\u{e0}",
    "\u{e0}.min",
    "e\u{301}",
    "\u{898b}_\u{65e5}\u{672c}",
    "test_\u{898b}",
    "\u{898b}_test",
    "\u{898b}.test",
    "\u{1f642}",
    "\u{130}\u{df}\u{1c4}",
    "\u{5e9}\u{5dc}",
    "v\u{e9}1.0",
];

const ENDINGS: [&str; 26] = [
    "js", "css", "min.js", "ts", "d.ts", "tsx", "vue", "py", "pyi", "go", "rs", "java", "kt", "cs",
    "php", "rb", "swift", "scala", "c", "h", "cpp", "lua", "sh", "sql", "md", "json",
];

#[test]
fn names_of_files_in_other_scripts_make_no_tool_fail() {
    let shop = Shop::new();
    let folders = [
        "",
        "test/",
        "voil\u{e0}/",
        "\u{898b}-1.2/",
        "vendor/\u{e9}/",
    ];
    let stems = STRANGE.iter().zip(folders.iter().cycle());
    for (number, (stem, folder)) in stems.enumerate() {
        for ending in ENDINGS {
            let text = format!("def with_tax_{number}():\n    return with_tax(price)\n");
            shop.write(&format!("{folder}{stem}.{ending}"), &text);
        }
    }
    shop.commit();
    shop.index();
    let told = shop.call("search", json!({"query": "with_tax", "limit": 40}));
    assert!(told.text.contains("voil"), "{}", told.text);
    for tool in tools_of(Profile::Full) {
        // An error is an answer: a panic would end the test.
        drop(shop.try_call(tool.name, sensible(tool.name)));
        drop(shop.try_call(
            tool.name,
            json!({"path": "voil\u{e0}", "symbol": "with_tax_2"}),
        ));
    }
}
