//! What grep would have cost for the calls of an agent's session. Only calls that ask what grep can be
//! asked, the definition or the uses of a name, are compared, with the baseline that runs are compared
//! with; nothing is estimated for the others.

use crate::api::{GrepCall, SessionCost};
use crate::checkouts::Checkout;
use crate::error::Result;
use crate::subjects::{Subject, baseline};
use crate::watch::Watch;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use whyrank_engine::Engine;
use whyrank_engine::api::{SessionCall, ShownPlace};
use whyrank_eval::{
    Answer, Category, Expected, Question, Relation, RepositoryInfo, Task, tokens_of,
};

/// The baseline that knows all languages.
const BASELINE: &str = "smart-grep-fair";
/// Calls that are compared at most, the newest.
const MOST: usize = 100;
/// Time for all of them.
const PATIENCE: Duration = Duration::from_secs(60);

/// A call that grep can be asked, too.
struct Comparable<'a> {
    call: &'a SessionCall,
    shown: &'a [ShownPlace],
    question: Question,
    category: Category,
    repo: Option<String>,
}

/// Asks grep what a session asked, in the repositories as they are now.
///
/// # Errors
/// Of the call log, and where there is no grep.
pub(crate) fn session_cost(engine: &Engine, session: &str) -> Result<SessionCost> {
    let session = engine.call_session(session)?;
    let comparable: Vec<Comparable<'_>> = session.calls.iter().filter_map(comparable).collect();
    let newest = comparable.len().saturating_sub(MOST);
    let roots: Vec<(String, PathBuf)> = engine
        .repos()?
        .into_iter()
        .map(|repo| (repo.name, PathBuf::from(repo.root)))
        .collect();
    let deadline = Instant::now() + PATIENCE;
    let mut calls = Vec::new();
    for one in comparable.get(newest..).unwrap_or_default() {
        if Instant::now() > deadline {
            break;
        }
        let root = match &one.repo {
            Some(repo) => engine.find_repo(repo).ok().map(|repo| repo.root.into()),
            None => only_root(&roots, one.shown),
        };
        let Some(root) = root else { continue };
        let answer = ask_grep(root, one)?;
        if answer.error.is_none() {
            let text = engine.call_detail(one.call.line.id)?.text;
            calls.push(compared(one, &answer, &text));
        }
    }
    Ok(SessionCost {
        baseline: BASELINE.to_owned(),
        n_calls: session.total.calls,
        calls,
    })
}

/// A call about one name, of which it is known what it showed.
fn comparable(call: &SessionCall) -> Option<Comparable<'_>> {
    let category = match call.line.tool.as_str() {
        "lookup" => Category::P1,
        "refs" => Category::P2,
        _ => return None,
    };
    let shown = call.shown.as_deref().filter(|shown| !shown.is_empty())?;
    let args: serde_json::Value = serde_json::from_str(&call.line.args).ok()?;
    let text = |name: &str| args.get(name)?.as_str().map(str::to_owned);
    // Grep sees today's files, and no kinds of uses.
    let is_plain = ["as_of", "kinds", "mentions"]
        .iter()
        .all(|name| args.get(name).is_none());
    let is_open = call.line.error.is_none() && is_plain;
    Some(Comparable {
        call,
        shown,
        question: Question::Symbol {
            symbol: text("symbol")
                .or_else(|| text("name"))
                .filter(|symbol| is_open && !symbol.is_empty())?,
            file: None,
            line: None,
            max_depth: None,
            elsewhere: Vec::new(),
            relation: Relation::default(),
        },
        category,
        repo: text("repo"),
    })
}

/// The one repository that has all of these files; a session does not say which it was about.
fn only_root(roots: &[(String, PathBuf)], shown: &[ShownPlace]) -> Option<PathBuf> {
    let has_all = |root: &PathBuf| shown.iter().all(|place| root.join(&place.path).is_file());
    let mut fitting = roots
        .iter()
        .map(|(_, root)| root)
        .filter(|root| has_all(root));
    let first = fitting.next()?;
    fitting.next().is_none().then(|| first.clone())
}

fn ask_grep(root: PathBuf, one: &Comparable<'_>) -> Result<Answer> {
    let watch = Watch::default();
    let mut grep: Box<dyn Subject> = baseline(BASELINE)?;
    let checkout = Checkout {
        name: String::new(),
        root,
    };
    let mut info = RepositoryInfo::default();
    if let Err(error) = grep.prepare(&checkout, &[], &mut info, &watch) {
        return Ok(Answer::failed(error));
    }
    let task = Task {
        id: one.call.line.id.to_string(),
        repo: String::new(),
        language: String::new(),
        category: one.category,
        stratum: String::new(),
        question: one.question.clone(),
        // It is not judged: what counts is what it prints.
        expected: Expected::Files {
            files: Vec::new(),
            optional: Vec::new(),
            optional_prefixes: Vec::new(),
            optional_basenames: Vec::new(),
        },
    };
    Ok(grep.answer(&task, &watch))
}

fn compared(one: &Comparable<'_>, answer: &Answer, text: &str) -> GrepCall {
    let is_found = |place: &&ShownPlace| {
        let lines = place.start_line..=place.end_line;
        printed(&answer.text).any(|(path, line)| path == place.path && lines.contains(&line))
    };
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    GrepCall {
        id: one.call.line.id,
        n_shown: count(one.shown.len()),
        n_found: count(one.shown.iter().filter(is_found).count()),
        tokens: tokens_of(text),
        grep_tokens: tokens_of(&answer.text),
    }
}

/// Places that grep printed, as `./path:line:text`.
fn printed(output: &str) -> impl Iterator<Item = (&str, u32)> {
    output.lines().filter_map(|line| {
        let (path, rest) = line.strip_prefix("./").unwrap_or(line).split_once(':')?;
        let (number, _) = rest.split_once(':')?;
        Some((path, number.parse().ok()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use whyrank_engine::api::CallLine;

    fn call(tool: &str, args: &str, shown: Option<Vec<ShownPlace>>) -> SessionCall {
        SessionCall {
            line: CallLine {
                id: 7,
                at_ms: 0.0,
                client: String::new(),
                client_version: String::new(),
                transport: String::new(),
                session: String::new(),
                tool: tool.to_owned(),
                args: args.to_owned(),
                repo: None,
                ms: 1.0,
                tokens: 9,
                hits: 1,
                query_id: None,
                error: None,
            },
            shown,
        }
    }

    fn place(path: &str, start_line: u32, end_line: u32) -> ShownPlace {
        ShownPlace {
            path: path.to_owned(),
            start_line,
            end_line,
        }
    }

    #[test]
    fn only_plain_questions_about_a_name_are_compared() {
        let shown = || Some(vec![place("a.py", 1, 3)]);
        let check = |tool, args, shown: Option<Vec<ShownPlace>>, expected: bool| {
            let call = call(tool, args, shown);
            assert_eq!(comparable(&call).is_some(), expected, "{tool} {args}");
        };
        check("lookup", r#"{"symbol":"pay"}"#, shown(), true);
        check("refs", r#"{"symbol":"pay","repo":"shop"}"#, shown(), true);
        check("refs", r#"{"name":"pay"}"#, shown(), true);
        check("search", r#"{"query":"who pays"}"#, shown(), false);
        check(
            "refs",
            r#"{"symbol":"pay","as_of":"HEAD~9"}"#,
            shown(),
            false,
        );
        check("lookup", r#"{"symbol":"pay"}"#, None, false);
        check("lookup", r#"{"symbol":"pay"}"#, Some(Vec::new()), false);
        check("lookup", "{", shown(), false);
    }

    #[test]
    fn grep_is_asked_in_the_one_repository_that_has_the_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = |name: &str| (name.to_owned(), folder.path().join(name));
        for (name, file) in [("one", "a.py"), ("two", "a.py"), ("two", "b.py")] {
            let path = folder.path().join(name);
            std::fs::create_dir_all(&path).expect("a folder");
            std::fs::write(path.join(file), "").expect("a file");
        }
        let roots = [root("one"), root("two")];
        let found = only_root(&roots, &[place("a.py", 1, 1), place("b.py", 1, 1)]);
        assert_eq!(found, Some(folder.path().join("two")));
        assert_eq!(only_root(&roots, &[place("a.py", 1, 1)]), None);
        assert_eq!(only_root(&roots, &[place("c.py", 1, 1)]), None);
    }

    #[test]
    fn what_grep_prints_is_counted_and_held_against_what_was_shown() {
        if !crate::process::is_there("grep") {
            return;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            std::fs::write(folder.path().join(name), text).expect("a file");
        };
        write("pay.py", "def pay(sum):\n    return sum\n");
        write("shop.py", "from pay import pay\n\npay(3)\n");
        write("notes.txt", "pay\n");
        let shown = vec![place("shop.py", 3, 3), place("notes.txt", 1, 1)];
        let call = call("refs", r#"{"symbol":"pay"}"#, Some(shown));
        let one = comparable(&call).expect("it is compared");
        let answer = ask_grep(folder.path().to_owned(), &one).expect("grep answers");
        let cost = compared(&one, &answer, "two uses of pay");
        // The baseline reads code alone, so the note is no place of its own.
        assert_eq!((cost.n_shown, cost.n_found), (2, 1));
        assert_eq!(cost.tokens, tokens_of("two uses of pay"));
        assert_eq!(cost.grep_tokens, tokens_of(&answer.text));
        assert!(
            answer.text.contains("./shop.py:3:pay(3)"),
            "{}",
            answer.text
        );
    }
}
