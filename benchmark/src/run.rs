//! A run: suites by repositories by subjects. Each answer is judged and written at once, so that a run
//! that ends early keeps what it has.

use crate::checkouts::{Checkout, Checkouts, id_of};
use crate::error::Result;
use crate::store::RunFolder;
use crate::subjects::Subject;
use crate::watch::Watch;
use std::collections::BTreeMap;
use std::path::PathBuf;
use whyrank_eval::suites::{self, Pin, Suite};
use whyrank_eval::{
    Answer, Category, Expected, Metric, Question, RepositoryInfo, ReturnedPlace, Task, TaskResult,
    headline, judge, recall_at, tokens_of,
};

/// What is run.
pub(crate) struct Plan {
    /// Suites, with the folder of those that are a corpus.
    pub(crate) suites: Vec<(Suite, PathBuf)>,
    /// Who answers; the first is compared with the others.
    pub(crate) subjects: Vec<Box<dyn Subject>>,
    /// Where repositories come from.
    pub(crate) checkouts: Checkouts,
}

impl Plan {
    /// Answers wanted.
    pub(crate) fn n_wanted(&self) -> u32 {
        let tasks: usize = self.suites.iter().map(|(suite, _)| suite.tasks.len()).sum();
        (tasks * self.subjects.len()) as u32
    }
}

/// Runs a plan to its end, or to the user's.
///
/// # Errors
/// When results cannot be written. Whatever goes wrong with a repository or a subject is a result.
pub(crate) fn run(plan: &mut Plan, folder: &mut RunFolder, watch: &Watch) -> Result<()> {
    let Plan {
        suites,
        subjects,
        checkouts,
    } = plan;
    for (suite, path) in suites.iter() {
        let mut tasks: BTreeMap<&str, Vec<&Task>> = BTreeMap::new();
        for task in &suite.tasks {
            tasks.entry(&task.repo).or_default().push(task);
        }
        let mut pooled = subjects
            .iter_mut()
            .filter(|subject| subject.is_pooled())
            .peekable();
        if pooled.peek().is_some() {
            let members = members(checkouts, suite, &tasks, watch);
            for subject in pooled {
                let gathered = members.clone().and_then(|all| subject.gather(&all, watch));
                if let Err(error) = gathered {
                    watch.note(format!("{}: {error}", subject.info().name));
                }
            }
        }
        for (repo, tasks) in tasks {
            let pin = suite.repositories.iter().find(|pin| pin.name == repo);
            let pin = pin.cloned().unwrap_or_else(|| Pin::of_key(repo, "", ""));
            let place = RepositoryTasks {
                suite,
                path,
                pin: &pin,
                tasks: &tasks,
            };
            let obtained = obtain(checkouts, &place, watch);
            let mut asking = Asking {
                suite,
                pin: &pin,
                tasks: &tasks,
                folder: &mut *folder,
                watch,
            };
            asking.of_all(subjects, obtained)?;
            if watch.is_cancelled() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// All repositories of a suite, each with the folders that its tasks are about.
fn members(
    checkouts: &Checkouts,
    suite: &Suite,
    tasks: &BTreeMap<&str, Vec<&Task>>,
    watch: &Watch,
) -> std::result::Result<Vec<(Checkout, Vec<String>)>, String> {
    let mut members = Vec::new();
    for (repo, tasks) in tasks {
        let pin = suite.repositories.iter().find(|pin| pin.name == *repo);
        let pin = pin.cloned().unwrap_or_else(|| Pin::of_key(repo, "", ""));
        // A repository that cannot be had has no tasks either.
        let Ok(checkout) = checkouts.obtain(&suite.name, &pin, watch) else {
            continue;
        };
        let scope = |task: &&Task| match &task.question {
            Question::Text { scope, .. } => scope.clone(),
            _ => None,
        };
        let mut scopes: Vec<String> = tasks.iter().filter_map(scope).collect();
        scopes.sort();
        scopes.dedup();
        members.push((checkout, scopes));
    }
    Ok(members)
}

type Obtained = std::result::Result<(Checkout, Vec<Checkout>), String>;

/// The tree that tasks are asked of, and the trees beside it.
#[derive(Clone, Copy)]
struct CheckedOut<'c> {
    checkout: &'c Checkout,
    others: &'c [Checkout],
}

/// Tasks of one repository, and where their suite lies.
struct RepositoryTasks<'a> {
    suite: &'a Suite,
    path: &'a std::path::Path,
    pin: &'a Pin,
    tasks: &'a [&'a Task],
}

/// The repository of some tasks, and the others that they name.
fn obtain(checkouts: &Checkouts, place: &RepositoryTasks<'_>, watch: &Watch) -> Obtained {
    let RepositoryTasks {
        suite,
        path,
        pin,
        tasks,
    } = place;
    if tasks.iter().any(|task| task.category == Category::Corpus) {
        let documents = suites::documents(path).map_err(|error| error.to_string())?;
        return Ok((checkouts.corpus(pin, &documents, watch)?, Vec::new()));
    }
    let named = tasks.iter().flat_map(|task| task.question.elsewhere());
    let mut others: Vec<&String> = named.collect();
    others.sort();
    others.dedup();
    let pin_of = |name: &String| {
        let known = suite.repositories.iter().find(|pin| &pin.name == name);
        known.cloned().unwrap_or_else(|| Pin::of_key(name, "", ""))
    };
    let others = others
        .into_iter()
        .map(|name| checkouts.obtain(&suite.name, &pin_of(name), watch));
    Ok((
        checkouts.obtain(&suite.name, pin, watch)?,
        others.collect::<std::result::Result<_, _>>()?,
    ))
}

/// The tasks of one repository.
struct Asking<'a> {
    suite: &'a Suite,
    pin: &'a Pin,
    tasks: &'a [&'a Task],
    folder: &'a mut RunFolder,
    watch: &'a Watch,
}

impl Asking<'_> {
    fn of_all(&mut self, subjects: &mut [Box<dyn Subject>], obtained: Obtained) -> Result<()> {
        let mut info = RepositoryInfo {
            name: self.pin.name.clone(),
            version: self.pin.version.clone(),
            ..RepositoryInfo::default()
        };
        match obtained {
            Ok((checkout, others)) => {
                for subject in subjects.iter_mut() {
                    self.of_one(subject.as_mut(), &checkout, &others, &mut info)?;
                    if self.watch.is_cancelled() {
                        break;
                    }
                }
            }
            Err(_) if self.watch.is_cancelled() => {}
            Err(error) => {
                // Nobody could answer: the tasks are left out rather than failed.
                self.watch.note(error.clone());
                self.watch
                    .left_out((self.tasks.len() * subjects.len()) as u32);
                info.error = Some(error);
            }
        }
        self.folder.repository(info)
    }

    fn of_one(
        &mut self,
        subject: &mut dyn Subject,
        checkout: &Checkout,
        others: &[Checkout],
        info: &mut RepositoryInfo,
    ) -> Result<()> {
        let by_commit = if subject.reads_commits() {
            BTreeMap::from([(None, self.tasks.to_vec())])
        } else {
            by_commit(self.tasks)
        };
        for (commit, tasks) in by_commit {
            let laid_out = commit.map(|commit| checkout.at(commit, self.watch));
            let Some(checkout) = laid_out.as_ref().map_or(Some(checkout), |tree| {
                tree.as_ref().ok().map(|tree| &tree.checkout)
            }) else {
                let error = laid_out.and_then(std::result::Result::err);
                self.failed(subject, &tasks, &error.unwrap_or_default())?;
                continue;
            };
            let of = CheckedOut { checkout, others };
            self.of_tree(subject, of, &tasks, info)?;
            if self.watch.is_cancelled() {
                return Ok(());
            }
        }
        Ok(())
    }

    fn failed(&mut self, subject: &dyn Subject, tasks: &[&Task], error: &str) -> Result<()> {
        let name = subject.info().name;
        self.watch.note(format!("{name}: {error}"));
        for task in tasks {
            self.watch.answered(true);
            let answer = Answer::failed(error);
            self.folder
                .answer(&scored(&self.suite.name, &name, task, answer))?;
        }
        Ok(())
    }

    fn of_tree(
        &mut self,
        subject: &mut dyn Subject,
        CheckedOut { checkout, others }: CheckedOut<'_>,
        tasks: &[&Task],
        info: &mut RepositoryInfo,
    ) -> Result<()> {
        let ready = subject.prepare(checkout, others, info, self.watch);
        let name = subject.info().name;
        self.folder.subject(subject.info());
        if let Err(error) = &ready {
            self.watch.note(format!("{name}: {error}"));
        }
        self.watch
            .phase(format!("{name} answers about {}", checkout.name));
        for task in tasks {
            if self.watch.is_cancelled() {
                return Ok(());
            }
            let mut answer = match &ready {
                Ok(()) => subject.answer(task, self.watch),
                Err(error) => Answer::failed(error.clone()),
            };
            // An answer that was cut off by the user is none.
            if self.watch.is_cancelled() && answer.error.is_some() {
                return Ok(());
            }
            if task.category == Category::Corpus {
                documents_of(&mut answer.found);
                documents_of(&mut answer.candidates);
            }
            self.watch.answered(answer.error.is_some());
            self.folder
                .answer(&scored(&self.suite.name, &name, task, answer))?;
        }
        Ok(())
    }
}

/// Tasks by the commit whose tree they are about, `None` for the checkout as it is.
fn by_commit<'a>(tasks: &[&'a Task]) -> BTreeMap<Option<&'a str>, Vec<&'a Task>> {
    let mut by_commit: BTreeMap<Option<&str>, Vec<&Task>> = BTreeMap::new();
    for task in tasks {
        let commit = match (&task.question, task.category) {
            (Question::Text { as_of, .. }, Category::Issue | Category::Search) => as_of.as_deref(),
            _ => None,
        };
        by_commit.entry(commit).or_default().push(task);
    }
    by_commit
}

/// A corpus is searched as files named by document.
fn documents_of(places: &mut Vec<ReturnedPlace>) {
    for found in places.iter_mut() {
        let id = id_of(&found.file);
        *found = ReturnedPlace {
            file: id,
            ..found.clone()
        };
    }
    let mut seen = std::collections::BTreeSet::new();
    places.retain(|found| seen.insert(found.file.clone()));
}

/// Candidates that recall is looked for in, beyond those that are shown.
const N_CANDIDATES: usize = 50;

/// Judges an answer and makes its line.
pub(crate) fn scored(suite: &str, subject: &str, task: &Task, answer: Answer) -> TaskResult {
    let mut judgement = if answer.unsupported {
        whyrank_eval::Judgement::default()
    } else {
        judge(task, &answer)
    };
    if !answer.candidates.is_empty() {
        let recall = recall_at(task, &answer.candidates, N_CANDIDATES);
        judgement
            .scores
            .extend(recall.map(|recall| (Metric::Recall50, recall)));
    }
    let (expected_note, found_note) = notes(task, &answer);
    TaskResult {
        suite: suite.to_owned(),
        task: task.id.clone(),
        subject: subject.to_owned(),
        repo: task.repo.clone(),
        language: task.language.clone(),
        category: task.category,
        stratum: task.stratum.clone(),
        question: task.question.line(),
        headline: headline(task.category),
        scores: judgement.scores,
        tokens: tokens_of(&answer.text),
        expected: task.expected.places(),
        expected_note,
        met: judgement.met,
        found: answer.shown(),
        verdicts: judgement.verdicts,
        found_note,
        calls: answer.calls,
        wall_ms: answer.wall_ms,
        cpu_ms: answer.cpu_ms,
        text: answer.text,
        stages: answer.stages,
        query_id: answer.query_id,
        confidence: answer.confidence,
        error: answer.error,
        unsupported: answer.unsupported,
    }
}

/// The right answer and the one given, in words, where they are no places.
fn notes(task: &Task, answer: &Answer) -> (String, String) {
    let liveness = |dead: Option<bool>| match dead {
        Some(true) => "dead".to_owned(),
        Some(false) => "alive".to_owned(),
        None => "no answer".to_owned(),
    };
    let listed = |names: &[String]| {
        if names.is_empty() {
            "no names".to_owned()
        } else {
            names.join(", ")
        }
    };
    match &task.expected {
        Expected::Dead { dead } => (liveness(Some(*dead)), liveness(answer.dead)),
        Expected::Names { names } => (listed(names), listed(&answer.names)),
        Expected::Symbols { names, .. } if task.category == Category::Expansion => {
            (listed(names), listed(&answer.names))
        }
        _ => (String::new(), String::new()),
    }
}
