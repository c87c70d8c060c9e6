//! Rewrites code so that its meaning stays, and lists the answers that do not stay.
//!
//! A checkout is read into memory, one place of it is rewritten ([`kinds`]), and what is said of its
//! definitions is compared through the rewrite ([`compare`]): what was used must not be dead, a certain
//! use must not vanish or mean something else, and none may appear. What it is not for: whether an
//! answer was right before.

mod compare;
mod compile;
mod kinds;
mod package;
mod rewritten;
mod shape;
mod site;
mod view;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use serde::Serialize;

use crate::args::RewritesArgs;
use crate::dice::Dice;
use crate::violation::{self, Violation};
use crate::{draw, out};
use compare::Outcome;
use kinds::{KINDS, Kind};
use package::{Package, packages};
use rewritten::Rewritten;
use shape::Shape;
use site::Site;
use view::View;

/// Places that are tried for each rewrite: most files have none for most of them.
const MOST_TRIES: u32 = 30;

/// What rewrites of one kind did in one language.
#[derive(Debug, Default, Serialize)]
struct Tally {
    n_rewrites: usize,
    /// Of these, rewritten texts that could not be read whole: nothing was asked.
    n_unread: usize,
    /// Certain uses that became open.
    n_opened: usize,
    /// Open uses that became certain.
    n_settled: usize,
    /// Definitions that became dead and were not proven to be.
    n_proven: usize,
    n_violations: usize,
}

/// What rewrites did, by language and kind, and what they broke.
#[derive(Debug, Default, Serialize)]
struct Report {
    n_rewrites: usize,
    n_asked: usize,
    tallies: BTreeMap<String, BTreeMap<&'static str, Tally>>,
    violations: Vec<Violation>,
}

/// Rewrites and prints what did not stay.
///
/// # Errors
/// That a folder is no git repository or cannot be read.
pub(crate) fn run(args: &RewritesArgs, json: bool) -> anyhow::Result<ExitCode> {
    let packages = match args.folders.is_empty() {
        true => packages(args.language.as_deref()),
        false => {
            let folders = draw::repositories(&args.folders)?;
            let read = |folder: &std::path::PathBuf| {
                out::note(&format!("{}", folder.display()));
                Ok(Package::of_repository(folder, &draw::files(folder, 1)?))
            };
            folders.iter().map(read).collect::<anyhow::Result<_>>()?
        }
    };
    anyhow::ensure!(!packages.is_empty(), "no package is in this language");
    if let Some(number) = args.compile {
        return compile::run(&packages, number as usize, args.seed);
    }
    let mut report = Report::default();
    let share = args.number as usize / packages.len();
    for package in &packages {
        out::note(&format!("{}: {} files", package.name, package.files.len()));
        let started = std::time::Instant::now();
        let drawn = Drawn::new(package, args);
        drawn.take(share, |rewrite| {
            report.judge(package, &rewrite, args.keep.as_deref())
        });
        let seconds = started.elapsed().as_secs_f64();
        out::note(&format!("  {seconds:.1} s"));
    }
    if json {
        out::json(&report)?;
    } else {
        report.print()?;
    }
    Ok(match report.violations.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

/// A rewrite that was drawn.
struct DrawnRewrite {
    kind: &'static Kind,
    language: &'static str,
    /// The number of the draw: the same seed draws the same.
    number: u32,
    rewritten: Rewritten,
}

/// The rewrites of a package, in the order of a seed.
struct Drawn<'p> {
    package: &'p Package,
    seed: u64,
    language: Option<&'p str>,
    kind: Option<&'p str>,
}

impl<'p> Drawn<'p> {
    fn new(package: &'p Package, args: &'p RewritesArgs) -> Self {
        Self {
            package,
            seed: u64::from(args.seed) << 32,
            language: args.language.as_deref(),
            kind: args.kind.as_deref(),
        }
    }

    /// Hands over so many.
    fn take(&self, wanted: usize, mut hand: impl FnMut(DrawnRewrite)) {
        let view = &self.package.asked.view;
        let files: Vec<usize> = (0..view.files.len())
            .filter(|file| {
                let shape = Shape::of(view.files[*file].language);
                shape.is_some_and(|it| self.language.is_none_or(|name| name == it.language))
            })
            .collect();
        let mut n_taken = 0;
        for number in 0..wanted as u32 * MOST_TRIES {
            if n_taken == wanted {
                return;
            }
            if let Some(rewrite) = self.one(view, &files, number) {
                n_taken += 1;
                hand(rewrite);
            }
        }
    }

    fn one(&self, view: &View, files: &[usize], number: u32) -> Option<DrawnRewrite> {
        let mut dice = Dice::new(self.seed | u64::from(number));
        let file = *dice.pick(files)?;
        let language = Shape::of(view.files[file].language)?.language;
        let fit: Vec<&'static Kind> = KINDS
            .iter()
            .filter(|kind| kind.languages.contains(&language))
            .filter(|kind| self.kind.is_none_or(|name| kind.name.starts_with(name)))
            .collect();
        let kind = *dice.pick(&fit)?;
        let mut site = Site::new(view, file, dice)?;
        let rewritten = (kind.rewrite)(&mut site)?;
        Some(DrawnRewrite {
            kind,
            language,
            number,
            rewritten,
        })
    }
}

impl Report {
    fn judge(&mut self, package: &Package, rewrite: &DrawnRewrite, keep: Option<&Path>) {
        let Outcome {
            violations,
            is_unread,
            n_opened,
            n_settled,
            n_proven,
            n_asked,
        } = package.asked.compare(&rewrite.rewritten);
        self.n_rewrites += 1;
        self.n_asked += n_asked;
        let tallies = self.tallies.entry(rewrite.language.to_owned()).or_default();
        let tally = tallies.entry(rewrite.kind.name).or_default();
        tally.n_rewrites += 1;
        tally.n_unread += usize::from(is_unread);
        tally.n_opened += n_opened;
        tally.n_settled += n_settled;
        tally.n_proven += n_proven;
        tally.n_violations += violations.len();
        if let Some(folder) = keep.filter(|_| !violations.is_empty() || is_unread) {
            let name = format!("{}-{}-{}", package.name, rewrite.number, rewrite.kind.name);
            if let Err(error) = write(&folder.join(name), package, rewrite) {
                out::note(&format!("{error:#}"));
            }
        }
        self.violations
            .extend(violations.into_iter().map(|it| Violation {
                place: format!(
                    "{} {} {} {}",
                    package.name, rewrite.number, rewrite.kind.name, it.place
                ),
                ..it
            }));
    }

    fn print(&self) -> anyhow::Result<()> {
        for (language, tallies) in &self.tallies {
            let n_rewrites: usize = tallies.values().map(|it| it.n_rewrites).sum();
            let n_violations: usize = tallies.values().map(|it| it.n_violations).sum();
            out::line(&format!(
                "{language}: {n_rewrites} rewrites, {n_violations} violations"
            ))?;
            for (kind, tally) in tallies {
                let counts = [
                    (tally.n_violations, "violations"),
                    (tally.n_opened, "certain uses became open"),
                    (tally.n_settled, "open uses became certain"),
                    (tally.n_proven, "became proven dead"),
                    (tally.n_unread, "texts not read whole"),
                ];
                let counts = counts.iter().filter(|(n, _)| *n > 0);
                let counts: String = counts.map(|(n, what)| format!(", {n} {what}")).collect();
                out::line(&format!("  {kind}: {}{counts}", tally.n_rewrites))?;
            }
        }
        violation::print(&self.violations, &compare::CHECKS)?;
        out::line(&format!(
            "{} violations in {} rewrites; {} answers compared",
            self.violations.len(),
            self.n_rewrites,
            self.n_asked
        ))
    }
}

/// Writes what a rewrite changed, as it was and as it is.
fn write(folder: &Path, package: &Package, rewrite: &DrawnRewrite) -> anyhow::Result<()> {
    let view = &package.asked.view;
    for written in &rewrite.rewritten.files {
        let texts = [
            (
                "before",
                written.old.map(|old| view.files[old].text.clone()),
            ),
            ("after", Some(written.text(view))),
        ];
        for (name, text) in texts {
            let path = folder.join(name).join(&written.path);
            fs::create_dir_all(path.parent().unwrap_or(folder))?;
            if let Some(text) = text {
                fs::write(&path, text)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Drawn, Report, packages};

    /// Rewrites of each package, of fourteen.
    const SHARE: usize = 22;

    #[test]
    fn rewrites_that_change_no_meaning_change_no_answer() {
        let mut report = Report::default();
        for package in &packages(None) {
            let drawn = Drawn {
                package,
                seed: 45 << 32,
                language: None,
                kind: None,
            };
            drawn.take(SHARE, |rewrite| report.judge(package, &rewrite, None));
        }
        assert!(report.n_rewrites >= 300, "{}", report.n_rewrites);
        assert!(report.violations.is_empty(), "{:#?}", report.violations);
    }
}
