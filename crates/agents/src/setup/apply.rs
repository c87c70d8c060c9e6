//! Writing a plan: back up, replace, note. A step that fails half way is taken back.

use super::Setup;
use super::plan::Planned;
use crate::api::{Applied, Request};
use crate::clients::client;
use crate::error::AgentsError;
use crate::files;
use crate::journal::{JournalRow, remove_folders};

impl Setup {
    /// Writes what [`Setup::plan`] says. `seen` are the hashes of the files as the plan showed them,
    /// in its order; `now` is in seconds since the epoch.
    ///
    /// # Errors
    ///
    /// As `plan`; `Changed` when a file is not as it was seen; `Write`. Nothing is left half done.
    pub fn apply(
        &self,
        request: &Request,
        seen: &[String],
        now: u64,
    ) -> Result<Applied, AgentsError> {
        let client = client(&request.client)?;
        self.journal.change(|rows| {
            let planned = self.planned(request)?;
            for (plan, seen) in planned.iter().zip(seen) {
                if plan.before_hash() != *seen {
                    return Err(AgentsError::Changed {
                        path: plan.path.clone(),
                    });
                }
            }
            let step = rows.iter().map(|row| row.step).max().unwrap_or(0) + 1;
            let first = rows.len();
            let mut written = Vec::new();
            for plan in planned.iter().filter(|plan| !plan.is_same()) {
                match self.write(plan, request, (step, now)) {
                    Ok(row) => rows.push(row),
                    Err(error) => {
                        take_back(&rows[first..]);
                        rows.truncate(first);
                        return Err(error);
                    }
                }
                written.push(plan.path.to_string_lossy().into_owned());
            }
            // Two edits of a file are one to whoever reads the list.
            written.dedup();
            share_skills(rows, &planned, request, (step, now));
            let notes = if written.is_empty() {
                vec!["it was set up like this already; nothing changed".to_owned()]
            } else {
                Vec::new()
            };
            Ok(Applied {
                client: client.id.clone(),
                name: client.name.clone(),
                files: written,
                notes,
                restart: client.restart.clone(),
            })
        })
    }

    fn write(
        &self,
        plan: &Planned,
        request: &Request,
        (step, now): (u64, u64),
    ) -> Result<JournalRow, AgentsError> {
        let before = plan.before.as_deref().map(str::as_bytes);
        let backup = match before {
            Some(bytes) => Some(self.journal.back_up(&request.client, now, bytes)?),
            None => None,
        };
        let before = files::hash(before);
        let made = files::replace(&plan.real, plan.after.as_bytes(), &before, plan.audience)?;
        Ok(JournalRow {
            step,
            at: now,
            client: request.client.clone(),
            scope: request.scope,
            project: request.project.clone(),
            about: plan.about.to_owned(),
            path: plan.real.clone(),
            after: files::hash(Some(plan.after.as_bytes())),
            before,
            backup,
            made,
            items: plan.items.clone(),
            undone: false,
        })
    }
}

/// Notes that a client reads a skill that was written for another: it goes with the last of them.
fn share_skills(
    rows: &mut Vec<JournalRow>,
    planned: &[Planned],
    request: &Request,
    (step, now): (u64, u64),
) {
    for plan in planned
        .iter()
        .filter(|plan| plan.is_same() && plan.about == "skill")
    {
        let live = rows
            .iter()
            .filter(|row| !row.undone && row.path == plan.real);
        let live: Vec<&JournalRow> = live.collect();
        let Some(first) = live.first() else { continue };
        if live.iter().any(|row| row.client == request.client) {
            continue;
        }
        let shared = JournalRow {
            step,
            at: now,
            client: request.client.clone(),
            scope: request.scope,
            project: request.project.clone(),
            ..(*first).clone()
        };
        rows.push(shared);
    }
}

/// Gives the files of a step that failed what they held before, as far as nobody else wrote them.
fn take_back(rows: &[JournalRow]) {
    for row in rows.iter().rev() {
        let _ = restore(row);
    }
}

/// Puts the bytes back that were there before, or removes the file where there was none. False when
/// it is not as it was left: then nothing is touched.
pub(super) fn restore(row: &JournalRow) -> Result<bool, AgentsError> {
    if files::hash(files::read(&row.path)?.as_deref()) != row.after {
        return Ok(false);
    }
    match &row.backup {
        Some(backup) => {
            let Some(bytes) = files::read(backup)? else {
                return Ok(false);
            };
            files::replace(&row.path, &bytes, &row.after, files::Audience::User)?;
        }
        None => {
            std::fs::remove_file(&row.path)
                .map_err(|error| AgentsError::write(&row.path, error))?;
            remove_folders(&row.made);
        }
    }
    Ok(true)
}
