//! What profiles and traces show of who calls whom.

use crate::support::View;
use whyrank_external::Budget;
use whyrank_graph::{ExecutionCoverage, call_path, impact, symbol_rank};

const FILES: &[(&str, &str)] = &[
    (
        "app.py",
        "def dispatch(name):\n    return globals()['on_' + name]()\n\n\n\
         def on_open():\n    return sorted([1], key=by_size)\n\n\n\
         def by_size(item):\n    return item\n\n\ndef far():\n    return dispatch('open')\n",
    ),
    (
        "vec.cpp",
        "int grow(int n) {\n  return n;\n}\nstruct A { int at(int n) {\n  return n;\n} };\n\
         struct B { int at(int n) {\n  return n;\n} };\n",
    ),
];

/// VizTracer's events: name, start, duration.
fn trace(events: &[(&str, u32, u32)]) -> String {
    let event = |(name, ts, dur): &(&str, u32, u32)| {
        format!(r#"{{"ph":"X","pid":1,"tid":1,"name":"{name}","ts":{ts},"dur":{dur}}}"#)
    };
    let events: Vec<String> = events.iter().map(event).collect();
    format!(r#"{{"traceEvents":[{}]}}"#, events.join(","))
}

fn read(view: &View, run: &str) -> ExecutionCoverage {
    let format = whyrank_external::runs::recognise(run.as_bytes()).expect("a run");
    let mut budget = Budget::new(&|| true);
    let run = whyrank_external::runs::read(format, run.as_bytes(), &mut budget);
    let inputs = view.inputs();
    let file_of = |path: &str| {
        let is_meant = |input: &whyrank_graph::FileInput<'_>| path.ends_with(input.path);
        let file = inputs.iter().position(is_meant)?;
        u32::try_from(file).ok()
    };
    let mut ran = ExecutionCoverage::default();
    ran.report("run", format.unit());
    ran.run(&inputs, &run, &file_of, &mut budget);
    ran
}

/// `caller confidence` of those that reach a definition in two steps.
fn callers(view: &View, ran: &ExecutionCoverage, symbol: &str) -> Vec<String> {
    let targets = view.table.definitions(symbol);
    view.with_observed(Some(&ran.calls), |uses| {
        let callers = impact(uses, &targets, 2, &symbol_rank(uses));
        let shown = callers
            .iter()
            .map(|caller| format!("{} {:?}", view.qualified(caller.symbol), caller.confidence));
        shown.collect()
    })
}

#[test]
fn a_call_that_was_seen_makes_its_caller_one() {
    let view = View::new(FILES);
    let nothing = ExecutionCoverage::default();
    assert_eq!(callers(&view, &nothing, "on_open"), [""; 0]);
    let run = trace(&[
        ("dispatch (/src/app.py:1)", 0, 10),
        ("on_open (/src/app.py:5)", 1, 5),
        ("on_open (/src/app.py:5)", 7, 2),
    ]);
    let ran = read(&view, &run);
    assert_eq!(
        callers(&view, &ran, "on_open"),
        ["dispatch Observed", "far Possible"]
    );
    let [from, to] = ["far", "on_open"].map(|name| view.table.definitions(name));
    let paths = view.with_observed(Some(&ran.calls), |uses| call_path(uses, &from, &to, 5));
    let lines: Vec<Option<u32>> = paths[0].iter().map(|step| step.line).collect();
    assert_eq!(lines, [Some(14), None, None]);
    let call = ran.calls.between(paths[0][1].symbol, to[0]).expect("seen");
    assert_eq!(ran.call_words(call), "ran 2 times in run");
}

#[test]
fn whoever_calls_a_dispatcher_may_mean_another_call() {
    let view = View::new(FILES);
    let run = trace(&[
        ("far (/src/app.py:13)", 0, 10),
        ("dispatch (/src/app.py:1)", 1, 8),
        ("on_open (/src/app.py:5)", 2, 5),
        ("by_size (/src/app.py:9)", 20, 10),
        ("dispatch (/src/app.py:1)", 21, 8),
    ]);
    let ran = read(&view, &run);
    assert_eq!(
        callers(&view, &ran, "on_open"),
        ["dispatch Observed", "far Observed"]
    );
}

#[test]
fn code_from_elsewhere_is_a_bridge_only_where_nothing_nearer_was_seen() {
    let view = View::new(FILES);
    let through = [
        ("far (/src/app.py:13)", 0, 20),
        ("loop (/lib/python3/x.py:9)", 1, 18),
        ("on_open (/src/app.py:5)", 2, 5),
    ];
    let ran = read(&view, &trace(&through));
    let call = ran.calls.of(view.table.definitions("on_open")[0]);
    assert_eq!(ran.call_words(&call[0]), "ran in run, through other code");
    let mut both = through.to_vec();
    both.extend([
        ("dispatch (/src/app.py:1)", 10, 5),
        ("on_open (/src/app.py:5)", 11, 2),
    ]);
    let ran = read(&view, &trace(&both));
    assert_eq!(callers(&view, &ran, "on_open")[0], "dispatch Observed");
    assert_eq!(ran.calls.of(view.table.definitions("on_open")[0]).len(), 1);
}

#[test]
fn what_has_no_definition_runs_within_the_one_around_it() {
    let view = View::new(FILES);
    let run = trace(&[
        ("far (/src/app.py:13)", 0, 20),
        ("on_open.<locals>.<lambda> (/src/app.py:6)", 1, 10),
        ("by_size (/src/app.py:9)", 2, 3),
        ("<module> (/src/app.py:1)", 30, 9),
        ("dispatch (/src/app.py:1)", 31, 3),
    ]);
    let ran = read(&view, &run);
    // The lambda may have been handed on: who called it called no `on_open`.
    assert_eq!(callers(&view, &ran, "on_open"), [""; 0]);
    assert_eq!(callers(&view, &ran, "by_size"), ["on_open Resolved"]);
    // What a file does when it is loaded is done by no function.
    assert!(
        ran.calls
            .of(view.table.definitions("dispatch")[0])
            .is_empty()
    );
}

#[test]
fn a_name_alone_is_believed_where_one_definition_bears_it() {
    let view = View::new(FILES);
    let run = "p 1 2.0: 1 cycles: \n\t1 grow(int)+0x1 (/src/p)\n\t2 A::at(int)+0x2 (/src/p)\n\
               \t3 far+0x2 (/src/p)\n\t4 at+0x3 (/src/p)\n\n";
    let ran = read(&view, run);
    assert_eq!(callers(&view, &ran, "grow"), ["A::at Observed"]);
    let at = |name: &str| ran.of(view.table.definitions(name)[0]);
    assert!(
        at("B::at").is_none() && at("far").is_none(),
        "Python runs under no name of its own"
    );
}
