//! Every format of profiles and traces, whole and damaged.

use proptest::prelude::*;
use whyrank_external::Budget;
use whyrank_external::runs::{Run, RunFormat, RunFunction, Scope, read, recognise};

/// Written by `python3 -m cProfile -o app.pstats py/app.py` (CPython 3.11).
const PSTATS: &[u8] = include_bytes!("runs/app.pstats");
/// Written by Go 1.19's `runtime/pprof`.
const PPROF: &[u8] = include_bytes!("runs/cpu.pprof");
/// Written by the tools themselves: `runs/make.sh`.
const VIZTRACER: &[u8] = include_bytes!("runs/shop.viztracer.json");
const CPU_PROFILE: &[u8] = include_bytes!("runs/shop.cpuprofile");
const PERF: &[u8] = include_bytes!("runs/shop.perf");
const OTLP: &[u8] = include_bytes!("runs/shop.otlp.json");

fn run(bytes: &[u8]) -> Run {
    let format = recognise(bytes).expect("a run");
    read(format, bytes, &mut Budget::new(&|| true))
}

fn name(function: &RunFunction) -> String {
    let path = function.path.rsplit('/').next().unwrap_or_default();
    let container = match function.container.as_str() {
        "" => String::new(),
        container => format!("{container}."),
    };
    match function.scope {
        Scope::Outside => "outside".to_owned(),
        Scope::TopLevel => format!("{path} top"),
        Scope::Function => format!("{path}:{} {container}{}", function.line, function.name),
    }
}

/// `caller > callee n`, or `callee n` for what begins.
fn calls(run: &Run) -> Vec<String> {
    let named = |at: u32| name(&run.functions[at as usize]);
    let call = |call: &whyrank_external::runs::CallNode| match call.parent {
        None => format!("{} {}", named(call.function), call.n),
        Some(parent) => {
            let caller = run.calls[parent as usize].function;
            format!("{} > {} {}", named(caller), named(call.function), call.n)
        }
    };
    run.calls.iter().map(call).collect()
}

#[track_caller]
fn has(run: &Run, expected: &[&str]) {
    let calls = calls(run);
    for one in expected {
        assert!(calls.contains(&(*one).to_owned()), "{one} in {calls:#?}");
    }
    assert!(run.problems.is_empty(), "{:?}", run.problems);
}

#[test]
fn cprofile_counts_the_calls_of_each_caller() {
    let run = run(PSTATS);
    assert_eq!(run.format, RunFormat::Pstats);
    has(
        &run,
        &[
            "app.py top > app.py:6 dispatch 4",
            "app.py:6 dispatch > app.py:11 on_open 3",
            "app.py:6 dispatch > app.py:19 on_close 1",
            "outside > app.py:15 by_size 9",
            "app.py:32 run > app.py:35 _step 1",
        ],
    );
}

#[test]
fn pprof_names_methods_and_puts_closures_into_their_functions() {
    let run = run(PPROF);
    assert_eq!(run.format, RunFormat::Pprof);
    let calls = calls(&run);
    let called = |caller: &str, callee: &str| {
        calls.iter().any(|one| {
            let (from, to) = one.split_once(" > ").unwrap_or_default();
            from.ends_with(caller) && to.contains(callee)
        })
    };
    assert!(called(" drive", " server.work "), "{calls:#?}");
    assert!(called(" order", " less "), "{calls:#?}");
    assert!(run.problems.is_empty(), "{:?}", run.problems);
}

#[test]
fn what_the_tools_write_today_is_read() {
    let viztracer = run(VIZTRACER);
    assert_eq!(viztracer.format, RunFormat::Viztracer);
    has(
        &viztracer,
        &[
            "shop.py top > shop.py:5 Till.__init__ 1",
            "shop.py:8 Till.dispatch > shop.py:11 Till.sell 3",
            "shop.py:8 Till.dispatch > shop.py:14 Till.refund 1",
        ],
    );
    let cpu_profile = run(CPU_PROFILE);
    assert_eq!(cpu_profile.format, RunFormat::CpuProfile);
    has(
        &cpu_profile,
        &[
            "shop.js top > shop.js:8 dispatch 82",
            "shop.js:5 sell > shop.js:12 sell 82",
            "shop.js:12 sell > shop.js:17 spin 80",
        ],
    );
    let perf = run(PERF);
    assert_eq!(perf.format, RunFormat::PerfScript);
    has(
        &perf,
        &[
            ":0 main > :0 dispatch 13",
            ":0 dispatch > :0 sell 12",
            ":0 dispatch > :0 refund 1",
            ":0 sell > :0 spin 12",
        ],
    );
    let otlp = run(OTLP);
    assert_eq!(otlp.format, RunFormat::OpenTelemetry);
    has(
        &otlp,
        &[
            "shop.js:8 Till.dispatch 1",
            "shop.js:8 Till.dispatch > shop.js:12 Till.sell 1",
            "shop.js:8 Till.dispatch > outside 1",
        ],
    );
}

#[test]
fn v8_profiles_have_samples_below_a_node_and_lines_from_one() {
    let text = r#"{"nodes":[
        {"id":1,"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1},"hitCount":0,"children":[2]},
        {"id":2,"callFrame":{"functionName":"","scriptId":"9","url":"file:///src/a.js","lineNumber":0,"columnNumber":0},"hitCount":1,"children":[3]},
        {"id":3,"callFrame":{"functionName":"get size","scriptId":"9","url":"file:///src/a.js","lineNumber":4,"columnNumber":6},"hitCount":2,"children":[4]},
        {"id":4,"callFrame":{"functionName":"","scriptId":"9","url":"file:///src/a.js","lineNumber":7,"columnNumber":3},"hitCount":5}
    ],"startTime":1,"endTime":2,"samples":[2],"timeDeltas":[1]}"#;
    has(
        &run(text.as_bytes()),
        &[
            "outside > a.js top 8",
            "a.js top > a.js:5 size 7",
            "a.js:5 size > a.js:8  5",
        ],
    );
}

#[test]
fn viztracer_nests_calls_by_time() {
    let event = |name: &str, ts: f64, dur: f64| {
        format!(r#"{{"pid":1,"tid":1,"ts":{ts},"ph":"X","dur":{dur},"name":"{name}"}}"#)
    };
    let events = [
        r#"{"ph":"M","pid":1,"tid":1,"name":"process_name","args":{}}"#.to_owned(),
        event("inner (/src/a.py:9)", 12.0, 1.0),
        event("builtins.sorted", 11.0, 5.0),
        event("A.outer (/src/a.py:3)", 10.0, 10.0),
        event("inner (/src/a.py:9)", 14.0, 1.0),
        event("inner (/src/a.py:9)", 30.0, 1.0),
    ];
    let text = format!(r#"{{"traceEvents":[{}]}}"#, events.join(","));
    has(
        &run(text.as_bytes()),
        &[
            "a.py:3 A.outer 1",
            "a.py:3 A.outer > outside 1",
            "outside > a.py:9 inner 2",
            "a.py:9 inner 1",
        ],
    );
}

#[test]
fn perf_stacks_stand_leaf_first() {
    let text = "p  7017 71834.980659:     250000 cpu-clock:ppp: \n\
                \t            116c app::Tree::insert+0x33 (/src/p)\n\
                \t            11a7 outer(int)+0x15 (/src/p)\n\
                \t           2724a __libc_start_call_main+0x7a (/usr/lib/libc.so.6)\n\n\
                node 1 2.0: 1 cpu-clock:ppp: \n\
                \t 1 LazyCompile:*match /src/a.js:12:3 (/tmp/perf-1.map)\n\
                \t 2 py::run:/src/b.py (/tmp/perf-1.map)\n\n";
    has(
        &run(text.as_bytes()),
        &[
            ":0 outer > :0 Tree.insert 1",
            "outside > :0 outer 1",
            "b.py:0 run > a.js:12 match 1",
        ],
    );
}

#[test]
fn spans_with_code_call_one_another() {
    let span = |id: &str, parent: &str, code: &str| {
        format!(
            r#"{{"traceId":"t","spanId":"{id}","parentSpanId":"{parent}","name":"GET /","attributes":[{code}]}}"#
        )
    };
    let code = |function: &str, line: &str| {
        format!(
            r#"{{"key":"code.function.name","value":{{"stringValue":"{function}"}}}},
               {{"key":"code.file.path","value":{{"stringValue":"/src/a.py"}}}},
               {{"key":"code.line.number","value":{{"intValue":{line}}}}}"#
        )
    };
    let spans = |spans: &[String]| {
        format!(
            r#"{{"resourceSpans":[{{"scopeSpans":[{{"spans":[{}]}}]}}]}}"#,
            spans.join(",")
        )
    };
    // A child may come before its parent, and in another line.
    let child = spans(&[span("3", "2", &code("app.Store.load", "\"9\""))]);
    let parents = spans(&[span("2", "1", ""), span("1", "", &code("handle", "3"))]);
    has(
        &run(format!("{child}\n{parents}\n").as_bytes()),
        &[
            "a.py:3 handle 1",
            "a.py:3 handle > outside 1",
            "outside > a.py:9 Store.load 1",
        ],
    );
}

#[test]
fn damage_gives_the_rest_and_says_where() {
    let cut = run(&PSTATS[..PSTATS.len() - 300]);
    assert!(!cut.calls.is_empty(), "what stands before the cut is read");
    assert_eq!(cut.problems[0].message, "the file ends within a value");
    let text = r#"{"nodes":[{"id":1,"callFrame":{"#;
    let cut = run(text.as_bytes());
    assert!(
        cut.problems[0]
            .message
            .starts_with("the JSON cannot be read")
    );
    let cut = run(&PPROF[..PPROF.len() / 2]);
    assert!(!cut.problems.is_empty());
    // A node that is its own ancestor leads nowhere.
    let text = r#"{"nodes":[{"id":1,"callFrame":{"functionName":"a","url":"a.js"},"children":[2]},
        {"id":2,"callFrame":{"functionName":"b","url":"a.js"},"children":[1]}]}"#;
    assert_eq!(run(text.as_bytes()).calls, []);
}

#[test]
fn what_holds_itself_is_read_once() {
    // A shared tuple that holds itself twice, and so on, is one value.
    let mut nested = b"{\xa9\x00".to_vec();
    for at in 0..1000_i32 {
        nested.extend(b")\x02");
        nested.extend([b"r".as_slice(), &at.to_le_bytes(), b"r", &at.to_le_bytes()].concat());
    }
    assert_eq!(run(&nested).calls, []);
}

#[test]
fn other_files_are_no_runs() {
    for text in [
        "",
        "{}",
        "{\"a\": 1}",
        "TN:\nSF:a.js\n",
        "mode: set\n",
        "# Notes:\n  more\n",
    ] {
        assert_eq!(recognise(text.as_bytes()), None, "{text}");
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        at in 0..PSTATS.len(),
        byte in any::<u8>(),
    ) {
        for format in [RunFormat::Pstats, RunFormat::Viztracer, RunFormat::CpuProfile, RunFormat::Pprof,
                       RunFormat::PerfScript, RunFormat::OpenTelemetry] {
            drop(read(format, &bytes, &mut Budget::new(&|| true)));
        }
        let mut damaged = PSTATS.to_vec();
        damaged[at] = byte;
        drop(read(RunFormat::Pstats, &damaged, &mut Budget::new(&|| true)));
        let mut damaged = PPROF.to_vec();
        damaged[at % PPROF.len()] = byte;
        drop(read(RunFormat::Pprof, &damaged, &mut Budget::new(&|| true)));
    }
}
