//! A memo in $EDITOR: its fields above a line of dashes, its text below.

use whyrank_engine::EngineError;
use whyrank_engine::api::{AnchorTarget, Memo, MemoEditRequest, RememberRequest};
use whyrank_system::program::{Program, SearchPath};

use super::print;

const RULE: &str = "---";
const HELP: &str = "\
# kind: decision, preference, pattern, context, todo, procedure, correction
# anchors: path, path:12-30, path#symbol; separated by commas
# Lines starting with # are ignored up here. An empty text saves nothing.";

struct MemoFields {
    kind: String,
    tags: Vec<String>,
    anchors: Vec<String>,
    confidence: f64,
    content: String,
}

/// Lets a person write a new memo.
///
/// # Errors
///
/// When no editor can be run, or the text was left empty.
pub(super) fn draft(request: &mut RememberRequest, anchors: &[String]) -> anyhow::Result<()> {
    let fields = MemoFields {
        kind: match request.kind.as_str() {
            "" => "context".to_owned(),
            kind => kind.to_owned(),
        },
        tags: request.tags.clone(),
        anchors: anchors.to_vec(),
        confidence: request.confidence.unwrap_or(1.0),
        content: request.content.clone(),
    };
    let fields = parse(&opened(&written(&fields))?)?;
    request.kind = fields.kind;
    request.tags = fields.tags;
    request.anchors = super::targets(&fields.anchors);
    request.confidence = Some(fields.confidence);
    request.content = fields.content;
    Ok(())
}

/// Lets a person change a memo; false where nothing was.
///
/// # Errors
///
/// As [`draft`].
pub(super) fn edit(memo: &Memo, request: &mut MemoEditRequest) -> anyhow::Result<bool> {
    let before = MemoFields {
        kind: memo.kind.to_string(),
        tags: memo.tags.clone(),
        anchors: memo.anchors.iter().map(print::anchor).collect(),
        confidence: memo.confidence,
        content: memo.content.clone(),
    };
    let text = written(&before);
    let edited = opened(&text)?;
    if edited == text {
        return Ok(false);
    }
    let after = parse(&edited)?;
    request.base = std::iter::once(memo.version.clone())
        .chain(memo.contested.iter().cloned())
        .collect();
    request.content = Some(after.content);
    request.kind = Some(after.kind);
    request.tags = Some(after.tags);
    request.confidence = Some(after.confidence);
    if after.anchors != before.anchors {
        request.anchors = Some(super::targets(&after.anchors));
    }
    Ok(true)
}

fn written(fields: &MemoFields) -> String {
    format!(
        "kind: {}\ntags: {}\nanchors: {}\nconfidence: {}\n{HELP}\n{RULE}\n{}\n",
        fields.kind,
        fields.tags.join(", "),
        fields.anchors.join(", "),
        fields.confidence,
        fields.content
    )
}

fn parse(text: &str) -> Result<MemoFields, EngineError> {
    let bad = |message: String| {
        EngineError::new(
            "bad-argument",
            message,
            "nothing was recorded; edit it again",
        )
    };
    let (head, content) = text
        .split_once(&format!("\n{RULE}\n"))
        .ok_or_else(|| bad("the line of dashes between fields and text is missing".to_owned()))?;
    let mut fields = MemoFields {
        kind: "context".to_owned(),
        tags: Vec::new(),
        anchors: Vec::new(),
        confidence: 1.0,
        content: content.trim().to_owned(),
    };
    if fields.content.is_empty() {
        return Err(bad("the text is empty".to_owned()));
    }
    let list = |value: &str| -> Vec<String> {
        let parts = value.split(',').map(str::trim);
        parts
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .collect()
    };
    for line in head
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
    {
        let Some((name, value)) = line.split_once(':') else {
            return Err(bad(format!("`{line}` is not a field")));
        };
        let value = value.trim();
        match name.trim() {
            "kind" => fields.kind = value.to_owned(),
            "tags" => fields.tags = list(value),
            "anchors" => fields.anchors = list(value),
            "confidence" => {
                fields.confidence = value
                    .parse()
                    .map_err(|_| bad(format!("`{value}` is not a confidence between 0 and 1")))?;
            }
            name => return Err(bad(format!("there is no field `{name}`"))),
        }
    }
    Ok(fields)
}

/// Opens a text in the person's editor, and gives back what it is then.
fn opened(text: &str) -> anyhow::Result<String> {
    let named = ["VISUAL", "EDITOR"]
        .into_iter()
        .filter_map(|name| std::env::var(name).ok());
    let editor = named.into_iter().find(|editor| !editor.trim().is_empty());
    let Some(editor) = editor else {
        return Err(EngineError::new(
            "bad-argument",
            "no text was given, and EDITOR names no editor",
            "give the text, - for standard input, or set EDITOR",
        )
        .into());
    };
    let mut words = editor.split_whitespace();
    let program = named_program(words.next().unwrap_or(&editor))?;
    // A folder for the user alone, and the editor runs in it: what a checkout holds for editors that
    // are started there is not read.
    let folder = tempfile::Builder::new().prefix("whyrank-memo-").tempdir()?;
    let file = folder.path().join("memo.md");
    std::fs::write(&file, text)?;
    let status = Program::new(program, folder.path())
        .args(words)
        .args([&file])
        .on_terminal();
    let edited = std::fs::read_to_string(&file);
    // What a person wrote is kept when the editor fails.
    let message = match status {
        Ok(status) if status.success() => {
            return Ok(edited?);
        }
        Ok(status) => format!("{editor} ended with {status}"),
        Err(error) => format!("{editor} could not be started: {error}"),
    };
    drop(folder.keep());
    Err(failed(&message, &file).into())
}

/// The file of an editor: a whole path, or a name that the PATH leads to outside this checkout.
fn named_program(word: &str) -> Result<std::path::PathBuf, EngineError> {
    let path = std::path::Path::new(word);
    let found = if path.is_absolute() {
        Some(path.to_owned())
    } else {
        SearchPath::outside_of_here().find(word)
    };
    found.ok_or_else(|| {
        EngineError::new(
            "bad-argument",
            format!("EDITOR names `{word}`, which is not a program outside this checkout"),
            "give its full path, or a name on the PATH",
        )
    })
}

fn failed(message: &str, file: &std::path::Path) -> EngineError {
    EngineError::new(
        "bad-argument",
        message,
        format!("what you wrote is in {}", file.display()),
    )
}

pub(super) fn targets(anchors: &[String]) -> Vec<AnchorTarget> {
    anchors.iter().cloned().map(Into::into).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let fields = MemoFields {
            kind: "decision".to_owned(),
            tags: vec!["net".to_owned(), "ops".to_owned()],
            anchors: vec!["src/a.rs:1-3".to_owned()],
            confidence: 0.5,
            content: "# Title\n\n---\n\ntext".to_owned(),
        };
        let read = parse(&written(&fields)).expect("it is read");
        assert_eq!(
            (read.kind, read.tags, read.anchors),
            (fields.kind, fields.tags, fields.anchors)
        );
        assert_eq!(
            (read.confidence, read.content),
            (fields.confidence, fields.content)
        );
    }

    #[test]
    fn an_empty_text_saves_nothing() {
        assert!(parse("kind: todo\n---\n\n").is_err());
        assert!(parse("kind: todo\n").is_err());
        assert!(parse("colour: red\n---\nx").is_err());
    }
}
