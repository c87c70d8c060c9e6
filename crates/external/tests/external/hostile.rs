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

/// Numbers that depend on the seed alone (splitmix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % n as u64) as usize
    }

    /// Few, or many: what a few bytes may be repeated.
    fn times(&mut self) -> usize {
        let most = [3, 40, 600, 3000][self.below(4)];
        1 + self.below(most)
    }

    fn of(&mut self, parts: &[&str]) -> String {
        let part = parts[self.below(parts.len())];
        part.repeat(self.times())
    }
}

/// A part again and again, up to some 50,000 bytes.
fn some(part: &[u8], times: usize) -> Vec<u8> {
    part.repeat(times.min(1 + 50_000 / part.len().max(1)))
}

/// A file whose parts are repeated, and its format where it is a run.
#[expect(clippy::too_many_lines, reason = "an arm for each kind of file")]
fn drawn(dice: &mut Dice) -> (Kind, Vec<u8>) {
    let json = |keys: &str, inside: String, ends: &str| {
        format!("{keys}{}{ends}", inside.trim_end_matches(',')).into_bytes()
    };
    let kind = dice.below(9);
    let bytes = match kind {
        0 => pprof(dice.times(), dice.times(), dice.times().min(300)),
        1 => pstats(dice.times() as i32),
        2 => pstats_with_shared_names(dice.times() as i32),
        3 => json(
            "{\"traceEvents\":[",
            (0..8)
                .map(|_| {
                    dice.of(&[
                        "{},",
                        "{\"ph\":\"X\",\"name\":\"f (a.py:1)\",\"dur\":9},",
                        "{\"ph\":\"X\",\"ts\":1e9},",
                        "null,",
                    ])
                })
                .collect(),
            "]}",
        ),
        4 => json(
            "{\"nodes\":[",
            (0..8)
                .map(|_| {
                    let children = dice.of(&["1,", "2,"]);
                    let node = format!(
                        "{{\"id\":{},\"callFrame\":{{\"url\":\"a\"}},\"children\":[{}]}},",
                        dice.below(4),
                        children.trim_end_matches(',')
                    );
                    String::from_utf8(some(node.as_bytes(), dice.times())).expect("text")
                })
                .collect(),
            "]}",
        ),
        5 => json(
            "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[",
            (0..8)
                .map(|_| {
                    dice.of(&[
                        "{},",
                        "{\"attributes\":[{},{},{},{},{},{},{}]},",
                        "{\"traceId\":\"t\",\"spanId\":\"s\",\"parentSpanId\":\"s\"},",
                    ])
                })
                .collect(),
            "]}]}]}",
        ),
        6 => {
            let lines = [
                "\t1 f (o)\n",
                "a 1:\n",
                "\n",
                "\t1 py::f:/a.py (o)\n",
                "  a.c:1\n",
            ];
            format!(
                "a 1:\n{}",
                (0..8).map(|_| dice.of(&lines)).collect::<String>()
            )
            .into_bytes()
        }
        7 => {
            let lines = [
                "SF:a\n",
                "FN:1,f\n",
                "FNDA:1,f\n",
                "DA:1,1\n",
                "FNL:1,1\n",
                "x\n",
            ];
            let heads = [
                ("TN:\n", &lines[..]),
                (
                    "mode: set\n",
                    &["a.go:1.1,9.1 1 1\n", "b.go:1.1,9.1 1 1\n", "x\n"],
                ),
                (
                    "<coverage>",
                    &[
                        "<source>x</source>",
                        "<a>",
                        "<class filename=\"a\"/>",
                        "<line/>",
                    ],
                ),
            ];
            let (head, lines) = heads[dice.below(3)];
            format!(
                "{head}{}",
                (0..8).map(|_| dice.of(lines)).collect::<String>()
            )
            .into_bytes()
        }
        _ => {
            let occurrence = [field(1, &[1, 2, 3]), field(2, b"x . . . a().")].concat();
            let relation = field(4, &[field(1, b"x . . . b()."), number(2, 1)].concat());
            let symbol = [field(1, b"x . . . a()."), relation.repeat(dice.times())].concat();
            let parts = [
                field(2, b""),
                field(2, &occurrence),
                field(3, &symbol),
                field(5, b"text"),
            ];
            let document: Vec<u8> = (0..4)
                .flat_map(|_| some(&parts[dice.below(4)], dice.times()))
                .collect();
            some(&field(2, &document), dice.times())
        }
    };
    let bytes = if kind < 7 && dice.below(4) == 0 {
        gzip(&bytes)
    } else {
        bytes
    };
    let kind = match kind {
        0 => Kind::Run(RunFormat::Pprof),
        1 | 2 => Kind::Run(RunFormat::Pstats),
        3 => Kind::Run(RunFormat::Viztracer),
        4 => Kind::Run(RunFormat::CpuProfile),
        5 => Kind::Run(RunFormat::OpenTelemetry),
        6 => Kind::Run(RunFormat::PerfScript),
        7 => Kind::Coverage,
        _ => Kind::Scip,
    };
    (kind, bytes)
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Run(RunFormat),
    Coverage,
    Scip,
}

fn read_with(kind: Kind, bytes: &[u8], budget: &mut Budget<'_>) {
    match kind {
        Kind::Run(format) => drop(runs::read(format, bytes, budget)),
        Kind::Coverage => drop(coverage::read(bytes, budget)),
        Kind::Scip => {
            budget.allow(bytes.len() as u64);
            scip::read(&mut &*bytes, budget);
        }
    }
}

/// Inputs tried; more by the variable.
const N_INPUTS: u64 = 30;

#[test]
fn no_drawn_file_makes_more_steps_than_its_bytes_allow_or_goes_on_unasked() {
    let n = std::env::var("WHYRANK_INPUTS")
        .ok()
        .and_then(|n| n.parse().ok());
    for seed in 0..n.unwrap_or(N_INPUTS) {
        let mut dice = Dice(seed);
        let (kind, bytes) = drawn(&mut dice);
        let mut budget = Budget::new(&|| true);
        read_with(kind, &bytes, &mut budget);
        let n_bytes = bytes.len() as u64;
        let is_packed = bytes.starts_with(&[0x1f, 0x8b]);
        let most_bytes = if is_packed {
            (n_bytes * INFLATION).max(LEAST_INFLATED)
        } else {
            n_bytes
        };
        assert!(budget.n_bytes() <= most_bytes, "seed {seed}: {kind:?}");
        let most = (most_bytes * STEPS_PER_BYTE).max(LEAST_STEPS) + 10_000;
        let n_steps = budget.n_steps();
        assert!(n_steps <= most, "seed {seed}: {kind:?} {n_steps} steps");

        let n_looks = Cell::new(1 + dice.below(3));
        let goes_on = || {
            n_looks.set(n_looks.get().saturating_sub(1));
            n_looks.get() > 0
        };
        let mut budget = Budget::new(&goes_on);
        read_with(kind, &bytes, &mut budget);
        let n_steps = budget.n_steps();
        assert!(
            n_steps < 50_000 || !budget.is_cancelled(),
            "seed {seed}: {kind:?} {n_steps} steps after a cancel"
        );
    }
}
