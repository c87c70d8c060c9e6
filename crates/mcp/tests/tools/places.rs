//! Arguments that name places: none of any tool leads an agent out of the repository.

use std::fs;

use serde_json::{Map, Value, json};
use whyrank_mcp::{Call, Readiness, Session, TOOLS, ToolRow, call_tool};

use super::support::Shop;

/// Arguments that name places below a root or on the disk.
const PLACES: [&str; 7] = [
    "anchors",
    "coverage",
    "current_file",
    "evidence_ids",
    "from_path",
    "path",
    "to_path",
];
/// Texts that name no place. Whoever adds an argument says here or in `places.rs` what it is.
const OTHERS: [&str; 40] = [
    "action",
    "claim",
    "commit",
    "confidence",
    "content",
    "context",
    "direction",
    "format",
    "from",
    "handle",
    "id",
    "include",
    "kind",
    "kinds",
    "known_at",
    "language",
    "lines",
    "mode",
    "pattern",
    "query",
    "query_id",
    "ref",
    "show",
    "supersedes",
    "symbol",
    "symbols",
    "tags",
    "task",
    "tests",
    "tier",
    "to",
    "as_of",
    "mark",
    "direction",
    "valid_from",
    "valid_to",
    "reason",
    "note",
    "by",
    "since",
];

fn texts(row: &ToolRow) -> Vec<String> {
    let schema = row.schema();
    let properties = schema["properties"]
        .as_object()
        .cloned()
        .unwrap_or_default();
    let is_text = |one: &Value| {
        let said = one.to_string();
        said.contains("\"string\"") || said.contains("$ref")
    };
    let texts = properties.into_iter().filter(|(_, one)| is_text(one));
    texts.map(|(name, _)| name).collect()
}

/// A call with something in each argument that it needs.
fn least(row: &ToolRow) -> Map<String, Value> {
    let schema = row.schema();
    let required = schema.get("required").and_then(Value::as_array).cloned();
    let mut names = required.unwrap_or_default();
    if schema["properties"].get("query").is_some() {
        names.push(json!("query"));
    }
    let names = names
        .iter()
        .filter_map(|name| name.as_str().map(str::to_owned));
    names.map(|name| (name, json!("price_of"))).collect()
}

fn refused(session: &Session, row: &ToolRow, name: &str, value: Value) -> Option<String> {
    let mut args = least(row);
    args.insert(name.to_owned(), value);
    let error = call_tool(row.name, &Call::plain(session), args).err()?;
    let is_refusal =
        error.message.contains("outside the repository") || error.code == "out-of-reach";
    is_refusal.then_some(error.message)
}

#[test]
fn every_text_that_a_tool_takes_is_known_as_a_place_or_as_none() {
    for row in TOOLS {
        for name in texts(row) {
            let is_known = PLACES.contains(&&*name) || OTHERS.contains(&&*name) || name == "repo";
            assert!(is_known, "{}: {name} is a place or none?", row.name);
        }
    }
}

#[test]
fn no_argument_of_any_tool_leads_an_agent_out_of_the_repository() {
    let shop = Shop::new();
    fs::write(shop.folder.path().join("beside.info"), "TN:\nSF:beside\n").unwrap();
    fs::create_dir(shop.folder.path().join("beside")).unwrap();
    git2::Repository::init(shop.folder.path().join("beside")).unwrap();
    let session = shop.session_of(Readiness::Prepared).for_agents();
    let mut n_asked = 0;
    for row in TOOLS {
        let names = texts(row);
        for name in names.iter().filter(|name| PLACES.contains(&name.as_str())) {
            // A report is a file by its name, and no glob.
            let glob = (*name != "coverage").then_some("!../beside/**");
            for place in ["../beside.info", "shop/../../beside.info"]
                .into_iter()
                .chain(glob)
            {
                let is_list = row.schema()["properties"][name]
                    .to_string()
                    .contains("\"array\"");
                let list = is_list.then(|| json!(["shop", place]));
                for value in [json!(place)].into_iter().chain(list) {
                    let refused = refused(&session, row, name, value);
                    assert!(refused.is_some(), "{} {name}={place}", row.name);
                    n_asked += 1;
                }
            }
        }
        if names.iter().any(|name| name == "repo") {
            let beside = shop.folder.path().join("beside");
            let refused = refused(&session, row, "repo", json!(beside));
            assert!(refused.is_some(), "{} repo={}", row.name, beside.display());
        }
    }
    assert!(n_asked > 60, "{n_asked}");
}

#[cfg(unix)]
#[test]
fn a_report_that_is_read_lies_in_the_repository_links_followed() {
    let shop = Shop::new();
    let beside = shop.folder.path().join("beside.info");
    fs::write(&beside, "TN:\nSF:shop/cart.py\n").unwrap();
    std::os::unix::fs::symlink(&beside, shop.root().join("linked.info")).unwrap();
    shop.write("own.info", "TN:\nSF:shop/cart.py\nend_of_record\n");
    let session = shop.session_of(Readiness::Prepared).for_agents();
    let row = TOOLS.iter().find(|row| row.name == "dead_code").unwrap();
    for path in [beside.to_str().unwrap(), "linked.info", "/etc/passwd"] {
        assert!(
            refused(&session, row, "coverage", json!(path)).is_some(),
            "{path}"
        );
    }
    assert_eq!(refused(&session, row, "coverage", json!("own.info")), None);
    fs::create_dir(shop.root().join("cov")).unwrap();
    std::os::unix::fs::symlink(&beside, shop.root().join("cov/linked.info")).unwrap();
    let in_folder = json!({"coverage": "cov"}).as_object().unwrap().clone();
    let error = call_tool("dead_code", &Call::plain(&session), in_folder).unwrap_err();
    assert!(error.message.contains("no coverage file"), "{error}");
    let person = shop.session_of(Readiness::Prepared);
    assert_eq!(refused(&person, row, "coverage", json!(beside)), None);
}
