//! Corpora of documents with graded queries: COIR's layout (`corpus.jsonl`, `queries.jsonl`,
//! `qrels/test.tsv` or `qrels.jsonl`) and CoSQA's (`code_idx_map.txt`, `cosqa-retrieval-*.json`).

use super::Pin;
use super::read::{name_of, read, read_lines};
use super::suite::Suite;
use crate::error::{EvalError, Result};
use crate::task::{Category, Expected, Question, Task};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const TOP_K: u32 = 100;
const COSQA_CODE: &str = "code_idx_map.txt";
const COSQA_QUERIES: [&str; 2] = [
    "cosqa-retrieval-test-500.json",
    "cosqa-retrieval-dev-500.json",
];

/// A document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CorpusDocument {
    /// Id.
    pub id: String,
    /// Text.
    pub text: String,
    /// Language; may be empty.
    pub language: String,
}

#[derive(Deserialize)]
struct CorpusEntry {
    #[serde(rename = "_id", alias = "id")]
    key: Value,
    #[serde(default)]
    title: String,
    text: String,
    #[serde(default)]
    language: String,
}

#[derive(Deserialize)]
struct CorpusQuery {
    doc: String,
    retrieval_idx: Value,
    #[serde(default)]
    idx: Value,
}

pub(super) fn is_corpus(path: &Path) -> bool {
    path.join("corpus.jsonl").exists() || path.join(COSQA_CODE).exists()
}

/// Returns the documents of a corpus.
///
/// # Errors
/// As [`Suite::load`].
pub fn documents(path: &Path) -> Result<Vec<CorpusDocument>> {
    if path.join(COSQA_CODE).exists() {
        return cosqa_documents(&path.join(COSQA_CODE));
    }
    let file = path.join("corpus.jsonl");
    let entries = read_lines(&file)?;
    entries
        .iter()
        .map(|(number, value)| {
            let entry: CorpusEntry = super::parse(&file, *number, value)?;
            let text = format!(
                "{}{}{}",
                entry.title,
                if entry.title.is_empty() { "" } else { "\n" },
                entry.text
            );
            Ok(CorpusDocument {
                id: text_of(&entry.key),
                text,
                language: entry.language,
            })
        })
        .collect()
}

fn cosqa_documents(file: &Path) -> Result<Vec<CorpusDocument>> {
    let map: BTreeMap<String, Value> = serde_json::from_str(&read(file)?)
        .map_err(|error| EvalError::format(file, Some(error.line()), error))?;
    let documents = map.into_iter().map(|(text, id)| CorpusDocument {
        id: text_of(&id),
        text,
        language: "python".to_owned(),
    });
    Ok(documents.collect())
}

/// An id as text, whether it is written as a number or a string.
fn text_of(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

pub(super) fn load(path: &Path) -> Result<Suite> {
    let graded = if path.join(COSQA_CODE).exists() {
        cosqa_queries(path)?
    } else {
        coir_queries(path)?
    };
    let name = name_of(path);
    let tasks = graded.into_iter().map(|(id, text, grades)| Task {
        id,
        repo: name.clone(),
        language: String::new(),
        category: Category::Corpus,
        stratum: String::new(),
        question: Question::Text {
            text,
            scope: None,
            kinds: Vec::new(),
            top_k: TOP_K,
            as_of: None,
        },
        expected: Expected::Documents { grades },
    });
    Ok(Suite {
        tasks: tasks.collect(),
        description: "Queries over a corpus of documents".to_owned(),
        repositories: vec![Pin::of_key(&name, "", "")],
        defects: Vec::new(),
        name,
    })
}

type Graded = (String, String, BTreeMap<String, u32>);

/// The first of some files that a folder has.
fn first_of(folder: &Path, names: &[&str]) -> Result<PathBuf> {
    let mut files = names.iter().map(|name| folder.join(name));
    files.find(|file| file.exists()).ok_or_else(|| {
        let why = format!("none of {} is there", names.join(", "));
        EvalError::format(folder, None, why)
    })
}

fn cosqa_queries(path: &Path) -> Result<Vec<Graded>> {
    let file = first_of(path, &COSQA_QUERIES)?;
    let queries: Vec<CorpusQuery> = serde_json::from_str(&read(&file)?)
        .map_err(|error| EvalError::format(&file, Some(error.line()), error))?;
    let graded = queries.into_iter().enumerate().map(|(index, query)| {
        let id = if query.idx.is_null() {
            (index + 1).to_string()
        } else {
            text_of(&query.idx)
        };
        (
            id,
            query.doc,
            BTreeMap::from([(text_of(&query.retrieval_idx), 1)]),
        )
    });
    Ok(graded.collect())
}

fn coir_queries(path: &Path) -> Result<Vec<Graded>> {
    let grades = coir_grades(path)?;
    let file = path.join("queries.jsonl");
    let mut graded = Vec::new();
    for (number, value) in read_lines(&file)? {
        let entry: CorpusEntry = super::parse(&file, number, &value)?;
        let id = text_of(&entry.key);
        if let Some(grades) = grades.get(&id) {
            graded.push((id, entry.text, grades.clone()));
        }
    }
    Ok(graded)
}

fn coir_grades(path: &Path) -> Result<BTreeMap<String, BTreeMap<String, u32>>> {
    let candidates = [
        "qrels/test.tsv",
        "qrels/test.jsonl",
        "qrels.tsv",
        "qrels.jsonl",
    ];
    let file = first_of(path, &candidates)?;
    let rows = if file.extension().is_some_and(|extension| extension == "tsv") {
        tsv_rows(&file)?
    } else {
        jsonl_rows(&file)?
    };
    let mut grades: BTreeMap<String, BTreeMap<String, u32>> = BTreeMap::new();
    for (query, document, grade) in rows {
        grades.entry(query).or_default().insert(document, grade);
    }
    Ok(grades)
}

type Row = (String, String, u32);

/// `query <tab> document <tab> grade`, or trec's four columns; a heading is passed over.
fn tsv_rows(file: &Path) -> Result<Vec<Row>> {
    let text = read(file)?;
    let mut rows = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let columns: Vec<&str> = line.split('\t').collect();
        let row = match columns.as_slice() {
            [query, document, grade] | [query, _, document, grade] => grade
                .trim()
                .parse()
                .ok()
                .map(|grade| ((*query).to_owned(), (*document).to_owned(), grade)),
            _ => None,
        };
        match row {
            Some(row) => rows.push(row),
            None if index == 0 || line.trim().is_empty() => {}
            None => {
                return Err(EvalError::format(
                    file,
                    Some(index + 1),
                    "a line is query, document, grade",
                ));
            }
        }
    }
    Ok(rows)
}

fn jsonl_rows(file: &Path) -> Result<Vec<Row>> {
    let lines = read_lines(file)?;
    lines
        .iter()
        .map(|(number, value)| {
            let field =
                |names: [&str; 2]| names.iter().find_map(|name| value.get(*name)).map(text_of);
            let row = field(["query-id", "query_id"]).zip(field(["corpus-id", "corpus_id"]));
            let grade = value.get("score").and_then(Value::as_f64).unwrap_or(1.0);
            match row {
                Some((query, document)) => Ok((query, document, grade.max(0.0) as u32)),
                None => Err(EvalError::format(
                    file,
                    Some(*number),
                    "a line needs query-id and corpus-id",
                )),
            }
        })
        .collect()
}
