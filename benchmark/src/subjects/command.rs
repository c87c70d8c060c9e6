//! Any program that reads a task as JSON on standard input and prints an answer as JSON.

use super::Subject;
use crate::checkouts::Checkout;
use crate::error::{BenchError, Result};
use crate::process::{self, children_cpu_ms};
use crate::watch::Watch;
use serde::Deserialize;
use serde_json::json;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};
use whyrank_eval::{Answer, Call, RepositoryInfo, ReturnedPlace, SubjectInfo, Task};

const LIMIT: Duration = Duration::from_secs(60);

/// A program, started for each task.
///
/// It reads `{"id", "category", "question", "repo", "root"}` and prints
/// `{"results": [{"file", "line", "end_line", "symbol"}], "imports", "importers", "dead", "names",
/// "text", "unsupported", "error"}`, all but one of them left out as it likes.
pub struct CommandSubject {
    name: String,
    line: Vec<String>,
    root: PathBuf,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Reply {
    #[serde(alias = "found")]
    results: Vec<ReturnedPlace>,
    imports: Vec<String>,
    importers: Vec<String>,
    dead: Option<bool>,
    names: Vec<String>,
    text: Option<String>,
    unsupported: bool,
    error: Option<String>,
}

impl CommandSubject {
    /// Reads `NAME=PROGRAM ARGS`; arguments are parted at blanks.
    pub(super) fn parse(spec: &str) -> Result<Self> {
        let (name, line) = spec.split_once('=').unwrap_or((spec, spec));
        let line: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        if line.is_empty() || name.trim().is_empty() {
            return Err(BenchError::request(
                format!("`command:{spec}` names no program"),
                "write command:NAME=PROGRAM ARGUMENTS",
            ));
        }
        Ok(Self {
            name: name.trim().to_owned(),
            line,
            root: PathBuf::new(),
        })
    }

    fn ask(&self, task: &Task, watch: &Watch) -> std::result::Result<(Reply, String), String> {
        let input = json!({
            "id": task.id,
            "category": task.category,
            "question": task.question,
            "repo": task.repo,
            "root": self.root,
        });
        let mut command = Command::new(&self.line[0]);
        command.args(&self.line[1..]).current_dir(&self.root);
        let output = process::run(&mut command, Some(&input.to_string()), LIMIT, watch)?;
        if !output.is_ok {
            return Err(format!(
                "{} failed: {}",
                self.name,
                output.stderr.lines().last().unwrap_or("no message")
            ));
        }
        let reply: Reply = serde_json::from_str(&output.stdout)
            .map_err(|error| format!("{} printed no answer: {error}", self.name))?;
        Ok((reply, output.stdout))
    }
}

impl Subject for CommandSubject {
    fn info(&self) -> SubjectInfo {
        SubjectInfo {
            name: self.name.clone(),
            notes: self.line.join(" "),
            ..SubjectInfo::default()
        }
    }

    fn prepare(
        &mut self,
        checkout: &Checkout,
        _: &[Checkout],
        _: &mut RepositoryInfo,
        _: &Watch,
    ) -> std::result::Result<(), String> {
        self.root.clone_from(&checkout.root);
        Ok(())
    }

    fn answer(&mut self, task: &Task, watch: &Watch) -> Answer {
        let started = Instant::now();
        let before = children_cpu_ms();
        let asked = self.ask(task, watch);
        let base = Answer {
            wall_ms: started.elapsed().as_secs_f64() * 1e3,
            cpu_ms: children_cpu_ms()
                .zip(before)
                .map(|(after, before)| after - before),
            calls: vec![Call {
                tool: self.name.clone(),
                arguments: self.line[1..].join(" "),
            }],
            ..Answer::default()
        };
        match asked {
            Ok((reply, printed)) => Answer {
                found: reply.results,
                imports: reply.imports,
                importers: reply.importers,
                dead: reply.dead,
                names: reply.names,
                text: reply.text.unwrap_or(printed),
                unsupported: reply.unsupported,
                error: reply.error,
                ..base
            },
            Err(error) => Answer {
                error: Some(error),
                ..base
            },
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use whyrank_eval::{Category, Expected, Question};

    fn task() -> Task {
        Task {
            id: "t1".to_owned(),
            repo: "r".to_owned(),
            language: String::new(),
            category: Category::P5,
            stratum: String::new(),
            question: Question::DeadNames,
            expected: Expected::Dead { dead: true },
        }
    }

    fn answer(script: &str) -> Answer {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("rival.sh");
        std::fs::write(&file, script).unwrap();
        let mut subject = CommandSubject::parse(&format!("rival=sh {}", file.display())).unwrap();
        subject.root = folder.path().to_owned();
        subject.answer(&task(), &Watch::default())
    }

    #[test]
    fn an_answer_is_read() {
        let answer = answer(
            "cat > /dev/null\necho '{\"dead\": true, \"results\": [{\"file\": \"a\", \"line\": 3}]}'",
        );
        assert_eq!(
            (answer.dead, answer.found[0].line, answer.error),
            (Some(true), 3, None)
        );
    }

    #[test]
    fn rubbish_and_failure_are_told_apart_and_end_nothing() {
        assert!(
            answer("echo rubbish")
                .error
                .unwrap()
                .contains("printed no answer")
        );
        assert!(
            answer("echo no >&2; exit 3")
                .error
                .unwrap()
                .contains("failed: no")
        );
        assert!(CommandSubject::parse("x= ").is_err());
    }
}
