//! Where a program is entered from outside: routes, commands, the set-up of tests.

use super::code::PatternCode;
use super::draft::Draft;
use super::words::{has_any, has_word, is_named, with_article};
use crate::input::files::SymbolId;
use whyrank_syntax::{ReferenceKind, Symbol, SymbolKind};

const VERBS: &[&str] = &[
    "get",
    "post",
    "put",
    "delete",
    "patch",
    "all",
    "route",
    "GET",
    "POST",
    "PUT",
    "DELETE",
    "PATCH",
    "Any",
    "Handle",
    "HandleFunc",
    "add_url_rule",
];
const MARKS: &[&str] = &[
    "@GetMapping",
    "@PostMapping",
    "@PutMapping",
    "@DeleteMapping",
    "@RequestMapping",
    "[HttpGet",
    "[HttpPost",
    "[HttpPut",
    "[HttpDelete",
    "[Route(",
    "#[get(",
    "#[post(",
    "#[put(",
    "#[delete(",
    "@Get(",
    "@Post(",
    "@Put(",
    "@Delete(",
    "@Path(",
];

/// Files and functions that tie paths to handlers.
pub(super) fn handlers(code: &PatternCode<'_>) -> Vec<Draft> {
    let mut drafts = Vec::new();
    for (file, input) in (0u32..).zip(code.input.files) {
        let mut open: Vec<Draft> = Vec::new();
        for (line, text) in code.lines(file).filter(|(_, text)| is_route(text)) {
            let Some(symbol) = place(input.symbols(), line) else {
                continue;
            };
            let id = SymbolId { file, symbol };
            let at = open
                .iter()
                .position(|draft| draft.symbol == id)
                .unwrap_or_else(|| {
                    open.push(Draft::new(id));
                    open.len() - 1
                });
            let shown: String = text.trim_end_matches(['{', ' ']).chars().take(60).collect();
            let points = match open[at].evidence.len() {
                // A path right before a definition can hardly be anything else.
                0 if text.starts_with('@') => 3,
                0 | 1 => 2,
                _ => 0,
            };
            open[at].add(points, line, shown);
        }
        drafts.extend(open);
    }
    drafts
}

/// `app.get('/path', …)` and `@app.route("/path")`: a verb, an opening bracket, a path in quotes.
fn is_route(text: &str) -> bool {
    if MARKS.iter().any(|mark| text.starts_with(mark)) {
        return true;
    }
    let quoted = ["(\"/", "('/", "(`/", "( '/", "(\"GET /", "(\"POST /"];
    let Some(at) = quoted.iter().filter_map(|quote| text.find(quote)).min() else {
        return false;
    };
    let before = &text[..at];
    let verb: String = before
        .chars()
        .rev()
        .take_while(|char| char.is_alphanumeric() || *char == '_')
        .collect();
    let verb: String = verb.chars().rev().collect();
    let receiver = before[..before.len() - verb.len()].chars().next_back();
    // A client that asks for a path has no handler behind it.
    let is_asked = has_any(
        before,
        &[
            "client", "request(", "fetch", "axios", "http.get", "Http::", "agent", "await",
            "assert",
        ],
    );
    let rest = &text[at..];
    let has_more =
        rest.contains(',') || text.starts_with('@') || rest.contains('{') || rest.contains(" do");
    VERBS.contains(&verb.as_str())
        && matches!(receiver, Some('.' | ':' | '>' | '@') | None)
        && !is_asked
        && has_more
}

/// The innermost function or type around a line; for a decorator what it stands before, outside of
/// all the next definition, and at the end of a file its last.
fn place(symbols: &[Symbol], line: u32) -> Option<u32> {
    let symbols = || (0u32..).zip(symbols);
    let is_place = |symbol: &Symbol| symbol.kind != SymbolKind::Section;
    let around = symbols().filter(|(_, symbol)| {
        (symbol.span.start_line..=symbol.span.end_line).contains(&line) && is_place(symbol)
    });
    let after = || symbols().find(|(_, symbol)| symbol.span.start_line >= line && is_place(symbol));
    let last = || symbols().filter(|(_, symbol)| is_place(symbol)).last();
    around.last().or_else(after).or_else(last).map(|(at, _)| at)
}

const COMMANDS: &[&str] = &[
    "ArgumentParser(",
    "add_parser(",
    "&cobra.Command{",
    "cobra.Command{",
    "Arg::new(",
    "flag.Parse(",
    "OptionParser.new",
    "yargs",
    "new Command(",
    "program.command(",
    ".command('",
    ".command(\"",
    "getopts ",
    "Clap::",
    "docopt(",
];

/// Definitions that make a command of the shell, or its arguments.
pub(super) fn commands(code: &PatternCode<'_>) -> Vec<Draft> {
    let functions = code
        .functions()
        .filter_map(|(id, _)| command_function(code, id));
    let types = code.types.iter().filter(|one| one.kind.is_type());
    let types = types.map(|one| {
        let mut draft = Draft::new(one.id);
        let head = code.symbol(one.id);
        let derived = (head.span.start_line..head.name_line).find(|line| {
            let text = code.line(one.id.file, *line);
            text.contains("derive(")
                && ["Parser", "Subcommand", "Args"]
                    .iter()
                    .any(|word| has_word(text, word))
        });
        if let Some(line) = derived {
            draft.add(4, line, code.line(one.id.file, line).to_owned());
        }
        let base = one.bases.iter().find(|base| {
            matches!(
                base.0,
                "Command"
                    | "AsyncCommand"
                    | "CliktCommand"
                    | "ParsableCommand"
                    | "BaseCommand"
                    | "GeneratorCommand"
            )
        });
        let runs = code.method(one, |name| {
            matches!(name, "handle" | "execute" | "run" | "call")
        });
        if let (Some((base, file, line)), Some((id, symbol))) = (base, runs) {
            draft.add_in(2, *file, *line, format!("is {}", with_article(base)));
            draft.add_in(
                2,
                id.file,
                symbol.name_line,
                format!("{} does the work", symbol.name),
            );
        }
        draft
    });
    functions.chain(types).collect()
}

fn command_function(code: &PatternCode<'_>, id: SymbolId) -> Option<Draft> {
    let mut draft = Draft::new(id);
    for (line, text) in decorators(code, id) {
        if has_any(
            text,
            &[".command(", "@command", ".group(", "@click.", "@task"],
        ) && text.contains("command")
        {
            draft.add(4, line, text.to_owned());
        } else if has_any(text, &["click.option", "click.argument", ".option("]) {
            draft.add(1, line, text.to_owned());
        }
    }
    let lines = code.body(id).filter(|(_, line)| has_any(line, COMMANDS));
    for (at, (line, text)) in lines.enumerate() {
        let shown: String = text.chars().take(60).collect();
        draft.add(if at == 0 { 3 } else { 1 }, line, shown);
    }
    Some(draft)
}

/// Lines before the name of a definition that decorate it.
fn decorators<'a>(code: &PatternCode<'a>, id: SymbolId) -> Vec<(u32, &'a str)> {
    let symbol = code.symbol(id);
    let lines =
        (symbol.span.start_line..symbol.name_line).map(|line| (line, code.line(id.file, line)));
    lines
        .filter(|(_, text)| text.starts_with(['@', '[', '#']))
        .collect()
}

const SET_UPS: &[&str] = &[
    "setUp",
    "tearDown",
    "setUpClass",
    "setup",
    "teardown",
    "TestMain",
    "setup_method",
    "setup_module",
    "SetUp",
];
const FIXTURE_MARKS: &[&str] = &[
    "pytest.fixture",
    "@fixture",
    "@pytest_asyncio.fixture",
    "@BeforeEach",
    "@BeforeAll",
    "@Before",
    "@AfterEach",
    "@After",
    "[SetUp]",
    "[TearDown]",
    "[OneTimeSetUp]",
    "[TestInitialize]",
    "[TestCleanup]",
    "#[fixture]",
];

/// What tests have made ready for them.
pub(super) fn fixtures(code: &PatternCode<'_>) -> Vec<Draft> {
    let mut drafts = Vec::new();
    for (id, symbol) in code.functions() {
        let mut draft = Draft::new(id);
        let marks = decorators(code, id);
        if let Some((line, text)) = marks.iter().find(|(_, text)| has_any(text, FIXTURE_MARKS)) {
            draft.add(4, *line, (*text).to_owned());
        }
        if SET_UPS.contains(&symbol.name.as_str()) && code.is_test(id.file) {
            draft.add(3, symbol.name_line, "runs before or after each test");
            let has_tests = symbol.parent.is_some_and(|parent| {
                let owner = SymbolId {
                    symbol: parent,
                    ..id
                };
                code.children_of(owner)
                    .any(|(_, other)| is_named(&other.name, &["test"]))
            });
            if has_tests {
                draft.add(1, symbol.name_line, "beside test methods");
            }
        }
        drafts.push(draft);
    }
    drafts.extend(calls_before(code));
    drafts
}

/// `beforeEach(…)` of script tests, and `let(:x)` of RSpec.
fn calls_before(code: &PatternCode<'_>) -> Vec<Draft> {
    let mut drafts: Vec<Draft> = Vec::new();
    for (file, input) in (0u32..).zip(code.input.files) {
        if !code.is_test(file) {
            continue;
        }
        let is_set_up = |name: &str| {
            matches!(
                name,
                "beforeEach" | "beforeAll" | "before_each" | "afterEach" | "setup"
            )
        };
        let calls = input
            .facts()
            .references
            .iter()
            .filter(|one| one.kind == ReferenceKind::Call && is_set_up(&one.name));
        for reference in calls {
            let Some(symbol) = reference
                .enclosing
                .or_else(|| place(input.symbols(), reference.line))
            else {
                continue;
            };
            let id = SymbolId { file, symbol };
            if drafts.iter().all(|draft| draft.symbol != id) {
                let mut draft = Draft::new(id);
                draft.add(
                    3,
                    reference.line,
                    format!("{} makes tests ready", reference.name),
                );
                drafts.push(draft);
            }
        }
    }
    drafts
}
