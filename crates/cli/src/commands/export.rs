//! `whyrank export`: tables for DuckDB, pandas and jq.

use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;

use serde::Serialize;
use whyrank_benchmark::Bench;
use whyrank_engine::api::{RepoId, TableRequest};
use whyrank_engine::{Engine, EnginePaths};

use crate::args::{ExportArgs, TableArg};
use crate::exit::{Exit, NOTHING_FOUND};
use crate::{out, workspace};

pub(crate) fn run(args: &ExportArgs, json: bool) -> anyhow::Result<()> {
    if args.describe {
        return describe(args.table, json);
    }
    let (engine, repo) = asked(args)?;
    let mut rows = Rows::new(args)?;
    match args.table.of_engine() {
        Some(table) => {
            let as_of = args.as_of.clone();
            let request = TableRequest { repo, as_of };
            engine.each_row(table, &request, &mut |row| rows.write(&row))?;
        }
        None => {
            Bench::new(engine, EnginePaths::from_env()?).each_row(&mut |row| rows.write(&row))?
        }
    }
    match rows.finish()? {
        0 => {
            out::note("the table has no rows");
            Err(Exit(NOTHING_FOUND).into())
        }
        _ => Ok(()),
    }
}

/// The engine, and the repository that is asked, its index up to date; none for tables of all.
fn asked(args: &ExportArgs) -> anyhow::Result<(Engine, RepoId)> {
    let is_of_all = matches!(
        args.table,
        TableArg::Traces | TableArg::Channels | TableArg::Runs
    );
    let repo = args.repo.repo.as_deref();
    if is_of_all {
        let engine = workspace::open()?;
        let id = match repo {
            Some(selector) => engine.find_repo(selector)?.id,
            None => RepoId::default(),
        };
        return Ok((engine, id));
    }
    let (session, summary) = workspace::searchable(repo)?;
    if args.as_of.is_none()
        && let Some(line) = workspace::behind(session.engine(), &summary.id)?
    {
        out::note(&line);
    }
    Ok((session.engine().clone(), summary.id))
}

fn describe(table: TableArg, json: bool) -> anyhow::Result<()> {
    let (doc, columns) = table.described();
    if json {
        let columns: Vec<_> = columns
            .iter()
            .map(|column| {
                serde_json::json!({
                    "name": column.name, "type": column.kind, "meaning": column.doc.trim(),
                })
            })
            .collect();
        return out::json(&serde_json::json!({"meaning": doc.trim(), "columns": columns}));
    }
    out::line(doc.trim())?;
    for column in columns {
        out::line(&format!(
            "  {:<20} {:<18} {}",
            column.name,
            column.kind,
            column.doc.trim()
        ))?;
    }
    Ok(())
}

/// Rows on their way to standard output.
enum Form {
    Lines(BufWriter<std::io::Stdout>),
    Csv(Box<csv::Writer<std::io::Stdout>>),
}

struct Rows {
    form: Form,
    n: u64,
    failure: Option<io::Error>,
}

impl Rows {
    fn new(args: &ExportArgs) -> anyhow::Result<Self> {
        let form = if args.csv {
            let mut writer = csv::WriterBuilder::new()
                .has_headers(false)
                .from_writer(std::io::stdout());
            let (_, columns) = args.table.described();
            let names = columns.iter().map(|column| column.name);
            writer.write_record(names).map_err(io::Error::from)?;
            Form::Csv(Box::new(writer))
        } else {
            Form::Lines(BufWriter::new(std::io::stdout()))
        };
        Ok(Self {
            form,
            n: 0,
            failure: None,
        })
    }

    /// Writes a row; the first failure ends the table.
    fn write(&mut self, row: &impl Serialize) -> ControlFlow<()> {
        let outcome = match &mut self.form {
            Form::Lines(out) => line(out, row),
            Form::Csv(out) => out.serialize(row).map_err(io::Error::from),
        };
        match outcome {
            Ok(()) => {
                self.n += 1;
                ControlFlow::Continue(())
            }
            Err(error) => {
                self.failure = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    /// Returns how many rows were written.
    fn finish(self) -> anyhow::Result<u64> {
        if let Some(error) = self.failure {
            return Err(error.into());
        }
        match self.form {
            Form::Lines(mut out) => out.flush()?,
            Form::Csv(mut out) => out.flush()?,
        }
        Ok(self.n)
    }
}

fn line(out: &mut impl Write, row: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, row)?;
    out.write_all(b"\n")
}
