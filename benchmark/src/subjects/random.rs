//! The control: files and lines drawn at random. What it scores is what a task gives away.

use super::Subject;
use crate::checkouts::Checkout;
use crate::watch::Watch;
use std::path::Path;
use whyrank_eval::{
    Answer, Call, Question, Random, RepositoryInfo, ReturnedPlace, SubjectInfo, Task,
};

pub(super) const NOTES: &str = "ten lines in ten files, drawn at random: the control";

const ANSWERS: usize = 10;

pub(super) struct RandomSubject {
    random: Random,
    files: Vec<(String, u32)>,
}

impl Default for RandomSubject {
    fn default() -> Self {
        Self {
            random: Random(1),
            files: Vec::new(),
        }
    }
}

impl Subject for RandomSubject {
    fn info(&self) -> SubjectInfo {
        SubjectInfo {
            name: "random".to_owned(),
            notes: NOTES.to_owned(),
            ..SubjectInfo::default()
        }
    }

    fn prepare(
        &mut self,
        checkout: &Checkout,
        _: &[Checkout],
        _: &mut RepositoryInfo,
        _: &Watch,
    ) -> Result<(), String> {
        self.files = files(&checkout.root);
        if self.files.is_empty() {
            Err(format!("{} has no text files", checkout.name))
        } else {
            Ok(())
        }
    }

    fn answer(&mut self, task: &Task, _: &Watch) -> Answer {
        let mut answer = Answer {
            calls: vec![Call {
                tool: "random".to_owned(),
                arguments: String::new(),
            }],
            ..Answer::default()
        };
        if let Question::Dead { .. } = task.question {
            answer.dead = Some(self.random.below(2) == 1);
            return answer;
        }
        for _ in 0..ANSWERS {
            let (file, n_lines) = self.files[self.random.below(self.files.len())].clone();
            let line = self.random.below(n_lines.max(1) as usize) as u32 + 1;
            answer.text += &format!("{file}:{line}\n");
            answer.found.push(ReturnedPlace {
                file,
                line,
                end_line: line,
                ..ReturnedPlace::default()
            });
        }
        let paths: Vec<String> = answer
            .found
            .iter()
            .map(|found| found.file.clone())
            .collect();
        if let Question::File { .. } = task.question {
            answer.imports.clone_from(&paths);
            answer.importers = paths;
        }
        answer
    }
}

fn files(root: &Path) -> Vec<(String, u32)> {
    super::bm25::files(root)
        .into_iter()
        .map(|(path, text)| (path, text.lines().count() as u32))
        .collect()
}
