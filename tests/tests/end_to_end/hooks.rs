//! Hooks of coding agents: what an edit broke is said once, and silence is the rule.

use serde_json::{Value, json};
use std::io::Write;
use std::process::Stdio;
use whyrank_tests::{Home, TestRepo};

/// A definition, two users, and a file that has nothing to do with them.
const FILES: &[(&str, &str)] = &[
    (
        "shop/tax.py",
        "def vat_rate(country):\n    return 0.19\n\n\ndef rounded(price):\n    return round(price, 2)\n",
    ),
    (
        "shop/invoice.py",
        "from shop.tax import vat_rate, rounded\n\n\ndef gross(net, country):\n    \
         return rounded(net * (1 + vat_rate(country)))\n",
    ),
    (
        "shop/report.py",
        "from shop.tax import vat_rate\n\n\ndef rates(countries):\n    \
         return [vat_rate(country) for country in countries]\n",
    ),
    ("shop/other.py", "def greet(name):\n    return name\n"),
];

struct Session {
    repo: TestRepo,
    home: Home,
}

impl Session {
    fn new() -> Self {
        let session = Self {
            repo: TestRepo::with(FILES),
            home: Home::new(),
        };
        session.home.index(session.repo.arg());
        session
    }

    /// The input of a hook after an edit of a file.
    fn input(&self, path: &str) -> Value {
        json!({
            "session_id": "abc-123",
            "cwd": self.repo.arg(),
            "hook_event_name": "PostToolUse",
            "tool_name": "Edit",
            "tool_input": {"file_path": self.repo.root().join(path)},
        })
    }

    /// What a hook prints; it always ends well and says nothing else.
    fn says(&self, input: &str, env: &[(&str, &str)]) -> String {
        let mut command = self.home.command(&["hook", "after-edit"]);
        command.env("WHYRANK_HOOK_MS", "60000");
        command.envs(env.iter().copied());
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("whyrank starts");
        let mut stdin = child.stdin.take().expect("piped");
        // One that is off reads nothing.
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        let output = child.wait_with_output().expect("whyrank ends");
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// What the model is told after an edit.
    fn told(&self, path: &str) -> Option<String> {
        let said = self.says(&self.input(path).to_string(), &[]);
        if said.is_empty() {
            return None;
        }
        let said: Value = serde_json::from_str(&said).expect("one line of JSON");
        let output = &said["hookSpecificOutput"];
        assert_eq!(output["hookEventName"], "PostToolUse");
        Some(
            output["additionalContext"]
                .as_str()
                .expect("text")
                .to_owned(),
        )
    }
}

#[test]
fn callers_that_did_not_follow_are_told_once() {
    let session = Session::new();
    let repo = &session.repo;
    let before = FILES[0].1;
    repo.write(
        "shop/tax.py",
        before.replace("(country)", "(country, year)"),
    );
    let told = session
        .told("shop/tax.py")
        .expect("two callers are as before");
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines.len(), 2, "{told}");
    assert!(
        lines[1].starts_with(
            "- `vat_rate` (shop/tax.py:1) has another signature; users did not change: "
        ) && lines[1].contains("shop/invoice.py:5")
            && lines[1].contains("shop/report.py:5"),
        "{told}"
    );
    assert_eq!(session.told("shop/tax.py"), None, "it was said");
    // Undone and done again it is said again.
    repo.write("shop/tax.py", before);
    assert_eq!(session.told("shop/tax.py"), None);
    repo.write(
        "shop/tax.py",
        before.replace("(country)", "(country, year)"),
    );
    assert_eq!(session.told("shop/tax.py"), Some(told));
}

#[test]
fn a_definition_that_went_and_is_used_is_told() {
    let session = Session::new();
    let repo = &session.repo;
    repo.write("shop/tax.py", "def vat_rate(country):\n    return 0.19\n");
    let told = session.told("shop/tax.py").expect("it is still used");
    assert!(
        told.contains("- `rounded` (shop/tax.py) went; is still used: shop/invoice.py:"),
        "{told}"
    );
    assert!(told.lines().count() <= 5, "{told}");
    // Who imports the name from elsewhere by now is neither told nor counted.
    let invoice = "from elsewhere import vat_rate\nfrom shop.tax import rounded\n\n\n";
    let rest = FILES[1].1.split_once("\n\n\n").expect("an import").1;
    repo.write("shop/invoice.py", format!("{invoice}{rest}"));
    repo.write("shop/tax.py", "\n");
    let told = session.told("shop/tax.py").expect("one is still used");
    assert!(
        told.ends_with("`vat_rate` (shop/tax.py) went; is still used: shop/report.py:1, 5"),
        "{told}"
    );
}

#[test]
fn nothing_is_said_where_nothing_broke() {
    let session = Session::new();
    let repo = &session.repo;
    // Another body.
    repo.write("shop/tax.py", FILES[0].1.replace("0.19", "0.20"));
    assert_eq!(session.told("shop/tax.py"), None);
    // Callers that followed.
    repo.write(
        "shop/tax.py",
        FILES[0].1.replace("(country)", "(country, year)"),
    );
    for path in ["shop/invoice.py", "shop/report.py"] {
        let file = FILES
            .iter()
            .find(|file| file.0 == path)
            .expect("it is there");
        repo.write(
            path,
            file.1
                .replace("vat_rate(country)", "vat_rate(country, 2026)"),
        );
    }
    assert_eq!(session.told("shop/tax.py"), None);
    // Moved, with its callers.
    repo.write("shop/tax.py", "def vat_rate(country):\n    return 0.19\n");
    repo.write(
        "shop/money.py",
        "def rounded(price):\n    return round(price, 2)\n",
    );
    let invoice = FILES[1]
        .1
        .replace("import vat_rate, rounded", "import vat_rate");
    repo.write(
        "shop/invoice.py",
        format!("from shop.money import rounded\n{invoice}"),
    );
    repo.write("shop/report.py", FILES[2].1);
    assert_eq!(session.told("shop/tax.py"), None);
    // What another file broke is not this edit's.
    repo.write("shop/tax.py", "\n");
    repo.write(
        "shop/other.py",
        "def greet(name):\n    return name + name\n",
    );
    assert_eq!(session.told("shop/other.py"), None);
}

#[test]
fn bad_input_a_deadline_and_a_switch_are_silence() {
    let session = Session::new();
    session.repo.write("shop/tax.py", "\n");
    let edit = session.input("shop/tax.py").to_string();
    assert_eq!(session.says(&edit, &[("WHYRANK_HOOKS", "0")]), "");
    assert_eq!(session.says(&edit, &[("WHYRANK_HOOK_MS", "0")]), "");
    let mut other_event = session.input("shop/tax.py");
    other_event["hook_event_name"] = "PreToolUse".into();
    let outside = json!({
        "hook_event_name": "PostToolUse", "tool_input": {"file_path": "/nowhere/at/all.py"},
    });
    let (other_event, outside) = (other_event.to_string(), outside.to_string());
    let bad = ["", "{", "[]", "{\"tool_input\": 3}", &other_event, &outside];
    for input in bad {
        assert_eq!(session.says(input, &[]), "", "{input}");
    }
    assert_ne!(session.says(&edit, &[]), "", "it was not said before");
}

#[test]
fn without_an_index_nothing_is_said_and_none_is_made() {
    let session = Session {
        repo: TestRepo::with(FILES),
        home: Home::new(),
    };
    session.repo.write("shop/tax.py", "\n");
    assert_eq!(session.told("shop/tax.py"), None);
    assert!(session.home.stores().is_empty());
}
