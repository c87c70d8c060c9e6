//! Other tools in a benchmark run: right answers, rubbish, failures; and runs that end early.

use crate::bench::{Bench, answer, definition, id_of, primitives, signal, value};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use whyrank_tests::program;

const RIGHT: &str =
    "cat > /dev/null\necho '{\"results\": [{\"file\": \"web/src/prices.ts\", \"line\": 4}]}'\n";

#[test]
fn a_command_s_answers_count_and_its_failures_are_zeros() {
    let bench = Bench::new();
    let suite = bench.tasks("tasks.jsonl", &[definition()]);
    let rival = |name: &str, script: &str| {
        let file = bench.file(&format!("{name}.sh"), script);
        format!("command:{name}=sh {file}")
    };
    let rivals = [
        rival("right", RIGHT),
        rival("rubbish", "echo rubbish\n"),
        rival("fails", "echo out of order >&2\nexit 1\n"),
        rival(
            "curious",
            "cat > question.json\necho '{\"unsupported\": true}'\n",
        ),
        "command:absent=no-such-program-here".to_owned(),
    ];
    let who: Vec<&str> = rivals
        .iter()
        .flat_map(|rival| ["--subject", rival])
        .collect();
    let summary = bench.summary(&suite, &who);
    assert_eq!(summary["run"]["state"], "complete");
    let answers = bench.answers(id_of(&summary));
    assert!(value(&answers, "right", "p1") > 0.999);
    for (name, why) in [
        ("rubbish", "printed no answer"),
        ("fails", "out of order"),
        ("absent", "no-such-program-here"),
    ] {
        let line = answer(&answers, name, "p1");
        let error = line["error"].as_str().expect("an error");
        assert!(error.contains(why), "{line}");
        assert_eq!(line["scores"]["f1"].as_f64(), Some(0.0), "{line}");
    }
    assert_eq!(answer(&answers, "curious", "p1")["unsupported"], true);
    let asked = fs::read_to_string(bench.repo.root().join("question.json")).expect("a question");
    let asked: Value = serde_json::from_str(&asked).expect("JSON");
    assert_eq!(asked["root"], bench.repo.arg());
    assert_eq!(asked["category"], "P1");
    assert_eq!(asked["question"]["symbol"], "priceOf");
    assert!(
        asked.get("expected").is_none(),
        "the answer is not given away"
    );
}

#[test]
fn an_mcp_server_answers_the_tasks_that_it_has_tools_for() {
    let bench = Bench::new();
    let suite = bench.tasks("tasks.jsonl", &primitives());
    let whyrank = program("whyrank");
    let rival = format!(
        "name = \"server\"\ncommand = ['{}', \"mcp\", \"--repo\", \"{{root}}\"]\n\
         [tools.P1]\ntool = \"lookup\"\narguments = {{ symbol = \"{{symbol}}\" }}\n\
         [tools.P2]\ntool = \"refs\"\n\
         arguments = {{ symbol = \"{{symbol}}\", path = \"{{file}}\", line = \"{{line}}\" }}\n",
        whyrank.display()
    );
    let rival = format!("mcp:{}", bench.file("server.toml", &rival));
    // Neither speaks the protocol; both end at once.
    let noisy = "name = \"noisy\"\ncommand = [\"echo\", \"rubbish\"]\n[tools.P1]\ntool = \"x\"\n";
    let noisy = format!("mcp:{}", bench.file("noisy.toml", noisy));
    let absent = "name = \"absent\"\ncommand = [\"no-such-program\"]\n[tools.P1]\ntool = \"x\"\n";
    let absent = format!("mcp:{}", bench.file("absent.toml", absent));
    bench.home.index(bench.repo.arg());
    let who = [
        "--subject",
        &rival,
        "--subject",
        &noisy,
        "--subject",
        &absent,
    ];
    let summary = bench.summary(&suite, &who);
    assert_eq!(summary["run"]["state"], "complete");
    let answers = bench.answers(id_of(&summary));
    assert!(
        value(&answers, "server", "p1") > 0.999,
        "{}",
        answer(&answers, "server", "p1")
    );
    let uses = answer(&answers, "server", "p2");
    assert_eq!(
        (&uses["error"], &uses["calls"][0]["tool"]),
        (&Value::Null, &json!("refs"))
    );
    assert!(
        uses["text"]
            .as_str()
            .is_some_and(|text| text.contains("cart.ts")),
        "{uses}"
    );
    assert_eq!(
        answer(&answers, "server", "p4-imports")["unsupported"],
        true
    );
    for (name, why) in [("noisy", "does not speak MCP"), ("absent", "cannot start")] {
        let line = answer(&answers, name, "p1");
        let error = line["error"].as_str().expect("an error");
        assert!(error.contains(why), "{line}");
    }
}

/// A run in which the rival answers twice and then hangs, for as long as a file is there.
struct Stuck {
    bench: Bench,
    child: Child,
}

impl Stuck {
    fn start() -> Self {
        let bench = Bench::new();
        let suite = bench.tasks("tasks.jsonl", &primitives());
        let path = |name: &str| bench.repo.beside(name).display().to_string();
        let script = format!(
            "echo x >> {count}\nif [ $(wc -l < {count}) -gt 2 ]; then\n  echo $$ > {pid}\n  \
             while [ -e {hold} ]; do sleep 0.05; done\nfi\n{RIGHT}",
            count = path("count"),
            pid = path("pid"),
            hold = bench.file("hold", ""),
        );
        let rival = format!("command:slow=sh {}", bench.file("slow.sh", &script));
        let args = bench.args(&suite, &["--subject", "whyrank", "--subject", &rival]);
        let mut command = bench.home.command(&args);
        let (out, err) = (bench.repo.beside("out"), bench.repo.beside("err"));
        command
            .stdout(fs::File::create(out).expect("a file"))
            .stderr(fs::File::create(err).expect("a file"));
        let child = command.spawn().expect("whyrank starts");
        let stuck = Self { bench, child };
        until("the rival hangs", || stuck.rival().is_some());
        stuck
    }

    /// The process that hangs.
    fn rival(&self) -> Option<String> {
        let pid = fs::read_to_string(self.bench.repo.beside("pid")).ok()?;
        Some(pid.trim().to_owned()).filter(|pid| !pid.is_empty())
    }

    fn ends(&mut self) -> Option<i32> {
        let mut code = None;
        until("the run ends", || {
            let status = self.child.try_wait().expect("a child can be asked");
            code = status.map(|status| status.code());
            code.is_some()
        });
        code.flatten()
    }

    fn check_kept(&self) -> String {
        let [run] = self.bench.list().try_into().expect("one run");
        assert_eq!(run["state"], "cancelled", "{run}");
        let listed = self.bench.home.run(&["bench", "list"]).succeeds().stdout;
        assert!(listed.contains("cancelled"), "{listed}");
        let id = run["id"].as_str().expect("an id").to_owned();
        let answers = self.bench.answers(&id);
        let of = |subject: &str| {
            answers
                .iter()
                .filter(|line| line["subject"] == subject)
                .count()
        };
        assert_eq!(
            (of("whyrank"), of("slow")),
            (6, 2),
            "what was answered is kept"
        );
        let report = self.bench.report("latest", "md");
        assert!(report.contains("Partial run"), "{report}");
        assert_eq!(self.bench.report("latest", "csv").lines().count(), 9);
        id
    }
}

impl Drop for Stuck {
    fn drop(&mut self) {
        // Nothing may outlive the test, whatever it found; the rival ends when its file goes.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !is_so() {
        assert!(Instant::now() < deadline, "not in time: {what}");
        thread::sleep(Duration::from_millis(10));
    }
}

fn is_alive(pid: &str) -> bool {
    let mut ask = Command::new("kill");
    ask.args(["-0", pid]).stderr(Stdio::null());
    ask.status().is_ok_and(|status| status.success())
}

#[test]
fn ctrl_c_ends_a_run_and_keeps_what_was_answered() {
    let mut stuck = Stuck::start();
    let rival = stuck.rival().expect("it hangs");
    signal("-INT", stuck.child.id());
    assert_eq!(stuck.ends(), Some(130));
    until("the rival is gone", || !is_alive(&rival));
    let id = stuck.check_kept();
    let folder = stuck.bench.results().join(&id);
    for name in ["summary.json", "report.md", "report.html"] {
        assert!(folder.join(name).is_file(), "{name} is written");
    }
    let said = fs::read_to_string(stuck.bench.repo.beside("err")).expect("messages");
    assert!(said.contains("cancelled after 8 of 12 answers"), "{said}");
}

#[test]
fn a_killed_run_stays_readable() {
    let mut stuck = Stuck::start();
    stuck.child.kill().expect("a child can be killed");
    assert_eq!(stuck.ends(), None, "by a signal");
    let id = stuck.check_kept();
    let raw = stuck.bench.results().join(&id).join("raw.jsonl");
    cut_last_line(&raw);
    let report = stuck.bench.report(&id, "csv");
    assert_eq!(
        report.lines().count(),
        8,
        "a half line is passed over: {report}"
    );
    stuck.bench.home.run(&["bench", "delete", &id]).succeeds();
    assert!(stuck.bench.list().is_empty());
}

/// As a full disk or a lost power line leaves it.
fn cut_last_line(file: &Path) {
    let text = fs::read_to_string(file).expect("answers");
    fs::write(file, &text[..text.len() - 40]).expect("answers");
}
