//! Answers of the engine for the window's own tests and `npm run dev`: `ui/src/ipc/recorded/*.json`.
//!
//! The calls stand in those files, one a line; this test asks them of the engine behind the commands, on the
//! demo repositories, and keeps what it says. Nothing in the answers may depend on the machine: folders, ids and
//! times of the recording have names of their own.

mod calls;
mod demo;
mod ids;
mod runs;
mod same;
mod trees;

use calls::{Call, Calls};
use demo::Demo;
use ids::Ids;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use whyrank_engine::api::EngineErrorDto;

/// The outcome of a command.
pub(crate) type Said = Result<Value, EngineErrorDto>;

/// The callee of some commands, asked by their names.
pub(crate) trait Answers {
    /// Answers a command of its own; none for those of others.
    fn answer(&self, command: &str, given: &Value) -> Option<Said>;
}

/// An argument of a command, by the name that the window gives it.
pub(crate) fn argument<T: DeserializeOwned>(given: &Value, name: &str) -> T {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    let key = words.fold(first, |key, word| {
        let (head, tail) = word.split_at(1);
        key + &head.to_uppercase() + tail
    });
    let value = given.get(&key).cloned().unwrap_or_default();
    serde_json::from_value(value).unwrap_or_else(|error| panic!("{key} in {given}: {error}"))
}

/// An answer as the window gets it: figures have the digits that they have on the wire.
pub(crate) fn told<T: Serialize, E: Into<EngineErrorDto>>(outcome: Result<T, E>) -> Said {
    outcome.map_err(E::into).map(|answer| wire(&answer))
}

fn wire(answer: &impl Serialize) -> Value {
    let text = serde_json::to_string(answer).expect("an answer is plain data");
    serde_json::from_str(&text).expect("what was written can be read")
}

/// Tells the second run of the test, which has the demo's home as its own, where that is.
const HOME: &str = "WHYRANK_DEMO_HOME";

/// Editors and agents lie elsewhere on other systems, so that this one's are recorded.
/// `WHYRANK_UPDATE_RECORDED=1 cargo test -p whyrank-desktop recorded` asks again and rewrites the files.
#[test]
fn recorded_answers_are_those_of_the_engine() {
    if let Some(home) = std::env::var_os(HOME) {
        return record(Path::new(&home));
    }
    let folder = tempfile::tempdir().expect("a folder");
    let home = folder
        .path()
        .canonicalize()
        .expect("it is there")
        .join("home");
    std::fs::create_dir(&home).expect("a home");
    demo::lay_out(&home);
    // Home and programs of the machine would be in the answers.
    let test = std::env::current_exe().expect("this program");
    let mut again = Command::new(test);
    again.args(["--exact", "--nocapture"]);
    again.arg("tests::recorded::recorded_answers_are_those_of_the_engine");
    again.env_clear();
    let kept = [
        "LD_LIBRARY_PATH",
        "RUST_BACKTRACE",
        "TMPDIR",
        "WHYRANK_UPDATE_RECORDED",
    ];
    again.envs(
        kept.into_iter()
            .filter_map(|name| Some((name, std::env::var_os(name)?))),
    );
    again.env(HOME, &home).env("HOME", &home).env("TZ", "UTC");
    again
        .env("PATH", home.join("bin"))
        .env(demo::PATH, std::env::var_os("PATH").unwrap_or_default());
    assert!(again.status().expect("it starts").success(), "see above");
}

/// Asks every call, scene by scene, and compares or keeps what is said.
fn record(home: &Path) {
    let mut calls = Calls::read();
    let mut ids = Ids::new(home);
    let demo = Demo::make(home, &mut ids);
    for scene in calls.scenes() {
        let mut stage = demo.open(&scene.begins_with);
        for act in &scene.acts {
            let call = calls.at(*act).clone();
            let said = stage.ask(&call, &mut ids);
            if scene.is_of(*act) {
                calls.say(*act, &said);
            }
        }
        for place in calls.in_order(&scene.name) {
            let call = calls.at(place).clone();
            let said = settled(&call, || stage.ask(&call, &mut ids));
            calls.say(place, &said);
        }
        stage.end();
    }
    calls.finish();
}

/// On a busy machine a stage may miss its time: another answer than the kept one is asked for again.
fn settled(call: &Call, mut ask: impl FnMut() -> Said) -> Said {
    let mut said = ask();
    let n_more = if call.was_asked() { 2 } else { 0 };
    for _ in 0..n_more {
        if call.says(&said) {
            break;
        }
        said = ask();
    }
    said
}
