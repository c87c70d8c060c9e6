//! Small files that name something large again and again: the work stays in proportion to their bytes.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::cell::Cell;
use std::io::Write as _;
use whyrank_external::runs::{self, RunFormat};
use whyrank_external::{Budget, LEAST_STEPS, PathMatcher, STEPS_PER_BYTE, coverage, scip};

/// How much a compressed file may grow, and what a small one may.
const INFLATION: u64 = 100;
const LEAST_INFLATED: u64 = 1 << 20;

fn varint(mut n: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while n >= 128 {
        bytes.push((n & 127) as u8 | 128);
        n >>= 7;
    }
    bytes.push(n as u8);
    bytes
}

fn field(number: u64, body: &[u8]) -> Vec<u8> {
    [
        varint(number << 3 | 2),
        varint(body.len() as u64),
        body.to_vec(),
    ]
    .concat()
}

fn number(field: u64, value: u64) -> Vec<u8> {
    [varint(field << 3), varint(value)].concat()
}

/// A location of many lines that samples name many times; functions that share a long name.
fn pprof(n_lines: usize, n_named: usize, n_samples: usize) -> Vec<u8> {
    let strings = ["", "samples", "count", "alpha", "a.py", &"x".repeat(4000)];
    let mut profile = field(1, &[number(1, 1), number(2, 2)].concat());
    profile.extend(strings.iter().flat_map(|text| field(6, text.as_bytes())));
    for id in 0..2000 {
        profile.extend(field(
            5,
            &[number(1, id), number(2, 5), number(4, 4)].concat(),
        ));
    }
    let line = field(4, &number(1, 1));
    profile.extend(field(4, &[number(1, 1), line.repeat(n_lines)].concat()));
    let sample = [field(1, &vec![1; n_named]), field(2, &[1])].concat();
    profile.extend(field(2, &sample).repeat(n_samples));
    profile
}

/// Functions that share a dictionary of callers.
fn pstats(n: i32) -> Vec<u8> {
    let int = |n: i32| [b"i".as_slice(), &n.to_le_bytes()].concat();
    let text = |text: &str| [[b'z', text.len() as u8].as_slice(), text.as_bytes()].concat();
    let function = |n: i32| {
        let parts = [
            b")\x03".to_vec(),
            text("a.py"),
            int(n % 7 + 1),
            text(&format!("f{n}")),
        ];
        parts.concat()
    };
    let counts = [b")\x05".to_vec(), int(1), int(1), int(0), int(0)].concat();
    let callers = (0..n).flat_map(|n| [function(n), int(1)].concat());
    let mut file = [
        b"{".to_vec(),
        function(1_000_000),
        counts.clone(),
        vec![b'{' | 0x80],
    ]
    .concat();
    file.extend(callers);
    file.push(b'0');
    for n in 0..n {
        file.extend(function(2_000_000 + n));
        file.extend(&counts);
        file.extend(b"r\0\0\0\0");
    }
    file.push(b'0');
    file
}

/// A text of 200 bytes that each caller shares.
fn pstats_with_shared_names(n: i32) -> Vec<u8> {
    let mut file = b"{".to_vec();
    for n in 0..n {
        let name = if n == 0 {
            [b"\xfa\xff".as_slice(), &[b'x'; 255]].concat()
        } else {
            b"r\0\0\0\0".to_vec()
        };
        file.extend([b")\x03".to_vec(), name.clone(), b"i".to_vec()].concat());
        file.extend(n.to_le_bytes());
        file.extend(if n == 0 { b"r\0\0\0\0".to_vec() } else { name });
        file.extend(b")\x04i\x01\0\0\0i\x01\0\0\0i\0\0\0\0i\0\0\0\0");
    }
    file.push(b'0');
    file
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(bytes).expect("memory");
    packed.finish().expect("memory")
}

fn hostile_runs() -> Vec<(&'static str, RunFormat, Vec<u8>)> {
    let spans = r#"{"traceId":"t","spanId":"s","parentSpanId":"s","name":"x"},"#.repeat(20_000);
    let deep = format!("{{\"traceEvents\":{}", "[".repeat(100_000));
    let circle = r#"{"id":1,"callFrame":{"url":"a"},"children":[2]},{"id":2,"callFrame":{"url":"b"},"children":[1]},"#
        .repeat(20_000);
    let frames = format!("a 1:\n{}\n", "\t1 f (o)\n".repeat(300_000));
    let calls = (0..50_000).map(|n| format!(r#"{{"ph":"X","name":"f","ts":{n},"dur":{}}},"#, 1e9));
    let calls: String = calls.collect();
    let children = format!(
        r#"{{"id":1,"callFrame":{{"url":"a"}},"children":[{}1]}}"#,
        "1,".repeat(200_000)
    );
    vec![
        (
            "pprof, a location named again",
            RunFormat::Pprof,
            pprof(20_000, 40_000, 1),
        ),
        (
            "pprof, samples that name it",
            RunFormat::Pprof,
            pprof(20_000, 2, 20_000),
        ),
        (
            "pprof, packed",
            RunFormat::Pprof,
            gzip(&pprof(20_000, 40_000, 1)),
        ),
        ("a bomb", RunFormat::PerfScript, gzip(&vec![b'a'; 64 << 20])),
        (
            "cProfile, callers that are shared",
            RunFormat::Pstats,
            pstats(3000),
        ),
        (
            "cProfile, names that are shared",
            RunFormat::Pstats,
            pstats_with_shared_names(60_000),
        ),
        (
            "spans that are their own parents",
            RunFormat::OpenTelemetry,
            format!(
                r#"{{"resourceSpans":[{{"scopeSpans":[{{"spans":[{}]}}]}}]}}"#,
                spans.trim_end_matches(',')
            )
            .into_bytes(),
        ),
        ("deep JSON", RunFormat::Viztracer, deep.into_bytes()),
        (
            "calls within calls",
            RunFormat::Viztracer,
            format!("{{\"traceEvents\":[{}]}}", calls.trim_end_matches(',')).into_bytes(),
        ),
        (
            "a circle of frames",
            RunFormat::CpuProfile,
            format!("{{\"nodes\":[{}]}}", circle.trim_end_matches(',')).into_bytes(),
        ),
        (
            "a child named again",
            RunFormat::CpuProfile,
            format!("{{\"nodes\":[{children}]}}").into_bytes(),
        ),
        (
            "a stack without an end",
            RunFormat::PerfScript,
            frames.into_bytes(),
        ),
    ]
}

#[test]
fn a_run_makes_no_more_steps_than_its_bytes_allow() {
    for (what, format, bytes) in hostile_runs() {
        let mut budget = Budget::new(&|| true);
        runs::read(format, &bytes, &mut budget);
        let n_bytes = bytes.len() as u64;
        let inflated = (n_bytes * INFLATION).max(LEAST_INFLATED);
        let is_packed = bytes.starts_with(&[0x1f, 0x8b]);
        let most_bytes = if is_packed { inflated } else { n_bytes };
        assert!(
            budget.n_bytes() <= most_bytes,
            "{what}: {}",
            budget.n_bytes()
        );
        let most = (most_bytes * STEPS_PER_BYTE).max(LEAST_STEPS) + 10_000;
        assert!(
            budget.n_steps() <= most,
            "{what}: {} steps",
            budget.n_steps()
        );
    }
}

#[test]
fn what_names_one_thing_again_and_again_is_left_off_and_says_so() {
    for (format, bytes) in [
        (RunFormat::Pprof, pprof(20_000, 2, 20_000)),
        (RunFormat::Pstats, pstats(3000)),
    ] {
        let run = runs::read(format, &bytes, &mut Budget::new(&|| true));
        let problems: Vec<String> = run.problems.iter().map(ToString::to_string).collect();
        let is_said = problems
            .iter()
            .any(|one| one.contains("the rest is left out"));
        assert!(is_said, "{format:?}: {problems:?}");
    }
}

#[test]
fn a_reader_ends_when_nobody_waits() {
    for (what, format, bytes) in hostile_runs() {
        let n_looks = Cell::new(0);
        let goes_on = || {
            n_looks.set(n_looks.get() + 1);
            n_looks.get() < 2
        };
        let mut budget = Budget::new(&goes_on);
        runs::read(format, &bytes, &mut budget);
        assert!(
            budget.n_steps() < 50_000 || !budget.is_cancelled(),
            "{what}: {}",
            budget.n_steps()
        );
    }
}

#[test]
fn coverage_makes_no_more_steps_than_its_bytes_allow() {
    let sources = "<source>x</source>".repeat(20_000);
    let classes = r#"<class filename="a/b.py"><line number="1" hits="0"/></class>"#.repeat(20_000);
    let functions = "FN:1,f\nFNDA:1,f\n".repeat(100_000);
    for text in [
        format!("<coverage><sources>{sources}</sources>{classes}</coverage>"),
        format!("TN:\nSF:a.c\n{functions}end_of_record\n"),
        format!("mode: set\n{}", "a.go:1.1,9999999.1 1 1\n".repeat(100_000)),
        format!("<coverage>{}", "<a>".repeat(200_000)),
    ] {
        let mut budget = Budget::new(&|| true);
        let report = coverage::read(text.as_bytes(), &mut budget).expect("a report");
        let most = (text.len() as u64 * STEPS_PER_BYTE).max(LEAST_STEPS);
        assert!(budget.n_steps() <= most, "{}", &text[..60]);
        assert!(report.roots.len() <= 50, "each is tried with every path");
    }
}

#[test]
fn many_files_of_a_name_and_many_paths_make_no_more_steps_than_were_allowed() {
    let files: Vec<String> = (0..5000).map(|n| format!("p{n}/index.ts")).collect();
    let places = PathMatcher::new(files.iter().map(String::as_str));
    let written: Vec<String> = (0..5000).map(|n| format!("q{n}/index.ts")).collect();
    let written: Vec<&str> = written.iter().map(String::as_str).collect();
    let mut budget = Budget::new(&|| true);
    budget.allow(1);
    let found = places.all(&written, "/r", "", &mut budget);
    assert_eq!(found.len(), written.len());
    assert!(
        budget.n_steps() <= LEAST_STEPS + 5000,
        "{}",
        budget.n_steps()
    );
}

#[test]
fn a_scip_index_makes_no_more_steps_than_its_bytes_allow() {
    let metadata = |n: u64| {
        let tool = field(
            2,
            &[field(1, format!("t{n}").as_bytes()), field(2, b"1")].concat(),
        );
        field(1, &tool)
    };
    let many_tools: Vec<u8> = (0..50_000).flat_map(metadata).collect();
    let groups = [vec![0x0b; 200_000], vec![0x0c; 10]].concat();
    for bytes in [many_tools, groups] {
        let mut budget = Budget::new(&|| true);
        budget.allow(bytes.len() as u64);
        let index = scip::read(&mut bytes.as_slice(), &mut budget);
        assert!(index.tool.len() <= 1000, "{}", index.tool.len());
        assert!(budget.n_steps() <= (bytes.len() as u64 * STEPS_PER_BYTE).max(LEAST_STEPS));
    }
}
