//! The reranker as its callers see it: an endpoint on this machine that plays a model.

#![expect(clippy::unwrap_used, reason = "a broken fixture is a failed test")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use tempfile::TempDir;
use whyrank_engine::api::{
    CheckState, EngineEvent, IndexOptions, JobState, RepoId, RerankMode, RerankSettings,
    SearchRequest, SearchResponse,
};
use whyrank_engine::{Engine, EnginePaths};

/// What the endpoint does with a request.
#[derive(Clone)]
enum Play {
    /// A chat completion with this message.
    Say(&'static str),
    /// This status and body.
    Answer(&'static str, &'static str),
    /// Nothing, until the caller goes away.
    Hang,
}

/// Serves every request with the same play; gives the address and the requests that came.
fn endpoint(play: Play) -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (sender, requests) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (play, sender) = (play.clone(), sender.clone());
            std::thread::spawn(move || {
                if let Some(request) = read(&stream) {
                    // The test may be over.
                    let _ = sender.send(request);
                    respond(stream, &play);
                }
            });
        }
    });
    (address, requests)
}

fn read(stream: &TcpStream) -> Option<String> {
    let mut reader = BufReader::new(stream);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        if line.trim().is_empty() {
            break;
        }
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(head + &String::from_utf8(body).ok()?)
}

fn respond(mut stream: TcpStream, play: &Play) {
    let (status, body) = match play {
        Play::Say(text) => {
            let message = serde_json::json!({"role": "assistant", "content": text});
            let body = serde_json::json!({"choices": [{"message": message}]});
            ("200 OK", body.to_string())
        }
        Play::Answer(status, body) => (*status, (*body).to_owned()),
        Play::Hang => {
            let _ = stream.read(&mut [0; 1]);
            return;
        }
    };
    let _ = write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
}

struct Fixture {
    _folder: TempDir,
    engine: Engine,
    repo: RepoId,
}

impl Fixture {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::open(EnginePaths::below(&folder.path().join("home"))).unwrap();
        let root: PathBuf = folder.path().join("shop");
        git2::Repository::init(&root).unwrap();
        for (name, extra) in [("one", ""), ("two", " tax"), ("three", " tax tax")] {
            let text = format!("def {name}_rate(price):\n    return price  # rate{extra}\n");
            fs::write(root.join(format!("{name}.py")), text).unwrap();
        }
        let repo = engine.add_repo(&root).unwrap().id;
        let job = engine.start_index(&repo, IndexOptions::default()).unwrap();
        assert_eq!(engine.wait_job(&job).unwrap().state, JobState::Done);
        Self {
            _folder: folder,
            engine,
            repo,
        }
    }

    fn with_endpoint(play: Play) -> (Self, Receiver<String>) {
        let (endpoint, requests) = endpoint(play);
        let fixture = Self::new();
        fixture.set(|rerank| rerank.endpoint = endpoint);
        (fixture, requests)
    }

    fn set(&self, change: impl FnOnce(&mut RerankSettings)) {
        let mut settings = self.engine.settings().unwrap();
        settings.rerank.mode = RerankMode::Http;
        settings.rerank.endpoint_model = "play".to_owned();
        change(&mut settings.rerank);
        self.engine.set_settings(&settings).unwrap();
    }

    fn request(&self) -> SearchRequest {
        SearchRequest {
            repo: self.repo.clone(),
            query: "the rate of tax on a price".to_owned(),
            distinct_files: true,
            ..SearchRequest::default()
        }
    }

    fn reranked(&self) -> SearchResponse {
        self.engine.search_reranked(&self.request(), None).unwrap()
    }
}

fn paths(response: &SearchResponse) -> Vec<&str> {
    response.hits.iter().map(|hit| hit.path.as_str()).collect()
}

#[test]
fn an_endpoint_puts_hits_in_order_and_the_trace_says_how() {
    let (fixture, requests) = Fixture::with_endpoint(Play::Say("[3] > [1] > [2]"));
    let fused = fixture.engine.search(&fixture.request()).unwrap();
    assert!(requests.try_recv().is_err(), "a search asks nobody");
    assert!(fused.rerank.is_none());
    let events = fixture.engine.subscribe();
    let reranked = fixture.reranked();
    let before = paths(&fused);
    assert_eq!(paths(&reranked), [before[2], before[0], before[1]]);
    assert_eq!(reranked.query_id, fused.query_id);
    let note = reranked.rerank.as_ref().unwrap();
    assert_eq!(note.before, [3, 1, 2]);
    assert_eq!((note.n_asked, note.n_moved, note.complete), (3, 3, true));

    let request = requests.try_recv().unwrap();
    assert!(
        request.starts_with("POST /v1/chat/completions"),
        "{request}"
    );
    assert!(request.contains("[1] ") && request.contains("_rate(price)"));
    assert!(!request.to_lowercase().contains("authorization:"));
    let told: Vec<EngineEvent> = events.try_iter().collect();
    let is_told = |event: &EngineEvent| matches!(event, EngineEvent::Rerank(at) if at.done == 1 && at.total == 1);
    assert!(told.iter().any(is_told), "{told:?}");

    let trace = fixture.engine.explain(&fused.query_id).unwrap();
    let record = trace.rerank.as_ref().unwrap();
    assert_eq!(record.windows[0].answer, "[3] > [1] > [2]");
    for row in &trace.rows {
        let channels: f64 = row.channels.iter().map(|rank| rank.contribution).sum();
        let evidence: f64 = row.evidence.iter().map(|term| term.contribution).sum();
        assert!((channels + evidence - row.score).abs() < 1e-9);
    }
    let stages = trace.rows[0].stages.unwrap();
    assert_eq!((stages.presented, stages.reranked), (Some(3), Some(1)));
    let times = fixture.engine.stage_stats().unwrap().timers;
    assert!(times.iter().any(|timer| timer.name == "rerank_ms"));

    // The same question is not put twice.
    assert_eq!(paths(&fixture.reranked()), paths(&reranked));
    assert!(requests.try_recv().is_err());
}

#[test]
fn a_hit_that_was_not_shown_may_come_up() {
    let (fixture, _requests) = Fixture::with_endpoint(Play::Say("[3] > [1] > [2]"));
    let mut request = fixture.request();
    request.limit = 1;
    let fused = fixture.engine.search(&request).unwrap();
    let reranked = fixture.engine.search_reranked(&request, None).unwrap();
    assert_eq!(reranked.hits.len(), 1);
    assert_ne!(reranked.hits[0].path, fused.hits[0].path);
    assert_eq!(reranked.rerank.unwrap().before, [3]);
    let trace = fixture.engine.explain(&fused.query_id).unwrap();
    let shown: Vec<bool> = trace.rows.iter().map(|row| row.shown).collect();
    assert_eq!(shown, [true, false, false]);
}

#[test]
fn every_failure_keeps_the_fused_order_and_says_why() {
    let cases = [
        (
            Play::Answer("401 Unauthorized", r#"{"error":{"message":"bad key"}}"#),
            "bad key",
        ),
        (
            Play::Answer("404 Not Found", r#"{"error":"model play not found"}"#),
            "not found",
        ),
        (
            Play::Answer("200 OK", "<html>hello</html>"),
            "chat completion",
        ),
        (
            Play::Answer("200 OK", r#"{"choices":[]}"#),
            "without a message",
        ),
        (
            Play::Answer("302 Found\r\nLocation: http://example.com/", ""),
            "not followed",
        ),
        (Play::Say("I cannot do that."), "no answer held a ranking"),
        (Play::Say(""), "no answer held a ranking"),
    ];
    let fixture = Fixture::new();
    let fused = fixture.engine.search(&fixture.request()).unwrap();
    for (play, expected) in cases {
        let (address, _requests) = endpoint(play);
        fixture.set(|rerank| rerank.endpoint = address);
        let reranked = fixture.reranked();
        assert_eq!(paths(&reranked), paths(&fused), "{expected}");
        let sentence = reranked.rerank.unwrap().sentence;
        assert!(sentence.starts_with("order kept"), "{sentence}");
        assert!(sentence.contains(expected), "{sentence}");
    }
    // A port that nobody listens at.
    let free = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    fixture.set(|rerank| rerank.endpoint = format!("http://{free}"));
    let sentence = fixture.reranked().rerank.unwrap().sentence;
    assert!(sentence.contains("is the server running?"), "{sentence}");
    let trace = fixture.engine.explain(&"last".into()).unwrap();
    let timing = trace.timings.iter().find(|timing| timing.stage == "rerank");
    assert!(timing.unwrap().skipped.is_some());
}

#[test]
fn time_ends_it_and_is_counted() {
    let (fixture, _requests) = Fixture::with_endpoint(Play::Hang);
    fixture.set(|rerank| rerank.time_limit_s = 1);
    let reranked = fixture.reranked();
    let note = reranked.rerank.unwrap();
    assert!(
        note.sentence.contains("time was over with 0 of 1"),
        "{}",
        note.sentence
    );
    let counters = fixture.engine.stage_stats().unwrap().counters;
    let timeouts = counters
        .iter()
        .find(|counter| counter.name == "rerank_timeout");
    assert_eq!(timeouts.unwrap().n, 1);
}

#[test]
fn a_caller_may_end_it() {
    let (fixture, requests) = Fixture::with_endpoint(Play::Hang);
    let (engine, request) = (fixture.engine.clone(), fixture.request());
    let waiting = std::thread::spawn(move || engine.search_reranked(&request, None));
    requests.recv_timeout(Duration::from_secs(20)).unwrap();
    let query_id = fixture.engine.search(&fixture.request()).unwrap().query_id;
    fixture.engine.cancel_rerank(&query_id);
    let note = waiting.join().unwrap().unwrap().rerank.unwrap();
    assert!(note.cancelled && !note.complete, "{note:?}");
}

#[test]
fn agents_get_the_fused_answer_unless_the_settings_say_to_wait() {
    let (fixture, requests) = Fixture::with_endpoint(Play::Say("[3] > [1] > [2]"));
    let fused = fixture.engine.search_for_agent(&fixture.request()).unwrap();
    assert!(fused.rerank.is_none() && requests.try_recv().is_err());
    fixture.set(|rerank| rerank.agents_wait_s = 20);
    let reranked = fixture.engine.search_for_agent(&fixture.request()).unwrap();
    assert_eq!(paths(&reranked)[0], paths(&fused)[2]);
    assert!(
        reranked
            .notes
            .iter()
            .any(|note| note.starts_with("reranker:"))
    );
}

#[test]
fn a_key_comes_from_the_environment_and_its_lack_is_said() {
    let (fixture, requests) = Fixture::with_endpoint(Play::Say("[2] > [1]"));
    fixture.set(|rerank| rerank.key_env = "WHYRANK_NO_SUCH_KEY".to_owned());
    let note = fixture.reranked().rerank.unwrap();
    assert!(
        note.sentence.contains("WHYRANK_NO_SUCH_KEY"),
        "{}",
        note.sentence
    );
    assert!(requests.try_recv().is_err());
    // Whatever variable is set will do: its value is sent as the key.
    fixture.set(|rerank| rerank.key_env = "PATH".to_owned());
    fixture.reranked();
    let request = requests.try_recv().unwrap().to_lowercase();
    assert!(request.contains("authorization: bearer /"), "{request}");
}

#[test]
fn a_test_says_what_failed_before_anything_is_saved() {
    let (address, requests) = endpoint(Play::Say("[2] > [1]"));
    let fixture = Fixture::new();
    let mut settings = RerankSettings {
        mode: RerankMode::Http,
        endpoint: address,
        endpoint_model: "play".to_owned(),
        ..RerankSettings::default()
    };
    let tested = fixture.engine.test_reranker(&settings).unwrap();
    assert!(tested.ok, "{tested:?}");
    assert!(tested.sentence.contains("the right snippet first"));
    let request = requests.recv().unwrap();
    assert!(
        !request.contains("_rate(price)"),
        "no code of the repository"
    );
    assert_eq!(
        fixture.engine.settings().unwrap().rerank.mode,
        RerankMode::Off
    );

    settings.endpoint = "http://192.0.2.1/v1".to_owned();
    let error = fixture.engine.test_reranker(&settings).unwrap_err();
    assert!(error.message.contains("without encryption"), "{error}");
}

#[test]
fn a_model_that_an_older_version_ran_is_off_and_says_what_to_do() {
    let fixture = Fixture::new();
    let info = fixture.engine.info();
    let old = "[rerank]
mode = \"local\"
model = \"smollm2-135m\"
top-n = 20
";
    fs::create_dir_all(Path::new(&info.config_file).parent().unwrap()).unwrap();
    fs::write(&info.config_file, old).unwrap();
    let home = fixture._folder.path().join("home");
    let engine = Engine::open(EnginePaths::below(&home)).unwrap();
    let rerank = engine.settings().unwrap().rerank;
    assert_eq!((rerank.mode, rerank.top_n), (RerankMode::Off, 20));
    let checks = engine.doctor(None, false);
    let check = checks.iter().find(|check| check.name == "reranker");
    let check = check.unwrap();
    assert_eq!(check.state, CheckState::Warn);
    assert!(check.fix.contains("mode = \"http\""), "{}", check.fix);
    let error = engine
        .search_reranked(&fixture.request(), None)
        .unwrap_err();
    assert!(error.hint.contains("Ollama"), "{error}");
}

#[test]
fn settings_are_checked_kept_and_written_only_where_they_differ() {
    let fixture = Fixture::new();
    let file = fixture.engine.info().config_file;
    let mut settings = fixture.engine.settings().unwrap();
    assert_eq!(settings.rerank.mode, RerankMode::Off);
    fixture.engine.set_settings(&settings).unwrap();
    assert!(!fs::read_to_string(&file).unwrap().contains("rerank"));
    let error = fixture
        .engine
        .search_reranked(&fixture.request(), None)
        .unwrap_err();
    assert_eq!(error.code, "bad-argument");

    settings.rerank.key_env = "sk-proj-1234".to_owned();
    let error = fixture.engine.set_settings(&settings).unwrap_err();
    assert!(error.hint.contains("never kept"), "{error}");
    settings.rerank.key_env = "OPENAI_API_KEY".to_owned();
    settings.rerank.mode = RerankMode::Http;
    settings.rerank.endpoint = "https://example.com/v1".to_owned();
    assert!(
        fixture.engine.set_settings(&settings).is_err(),
        "no model is named"
    );
    settings.rerank.endpoint_model = "m".to_owned();
    fixture.engine.set_settings(&settings).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    assert!(
        text.contains("[rerank]") && !text.contains("top-n"),
        "{text}"
    );
    settings.rerank.top_n = 1;
    assert!(fixture.engine.set_settings(&settings).is_err());
    let line = |check: &whyrank_engine::api::DoctorCheck| check.name == "reranker";
    let checks = fixture.engine.doctor(None, false);
    let check = checks.iter().find(|check| line(check)).unwrap();
    assert!(
        check.message.contains("OPENAI_API_KEY") || check.state == CheckState::Ok,
        "{check:?}"
    );
}

#[test]
fn two_hits_are_compared_in_words() {
    let fixture = Fixture::new();
    let answer = fixture.engine.search(&fixture.request()).unwrap();
    let compared = fixture.engine.compare_hits(&answer.query_id, 3, 1).unwrap();
    assert!(
        compared.sentence.contains("is ahead of"),
        "{}",
        compared.sentence
    );
    let sum: f64 = compared.terms.iter().map(|term| term.by).sum();
    assert!((sum - compared.by).abs() < 1e-9);
    assert!(
        fixture
            .engine
            .compare_hits(&answer.query_id, 1, 99)
            .is_err()
    );
}
