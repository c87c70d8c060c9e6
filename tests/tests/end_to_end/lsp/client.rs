//! An editor, as far as a language server sees one: it writes frames, and takes nothing but frames.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread::sleep;
use std::time::{Duration, Instant};
use whyrank_tests::Home;

/// No answer of these tests takes longer, even on a busy machine.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// An editor with a server.
pub(super) struct Editor {
    server: Child,
    input: Option<ChildStdin>,
    frames: Receiver<Value>,
    next_id: i64,
    /// Everything that was told and not asked for.
    pub(super) told: Vec<Value>,
    /// What the server says that it offers.
    pub(super) capabilities: Value,
}

impl Editor {
    /// Starts a server and says hello.
    pub(super) fn start(home: &Home, args: &[&str], roots: &[&Path]) -> Self {
        Self::with_capabilities(home, args, roots, json!({}))
    }

    pub(super) fn with_capabilities(
        home: &Home,
        args: &[&str],
        roots: &[&Path],
        capabilities: Value,
    ) -> Self {
        let mut editor = Self::spawn(home, args);
        let folders = roots
            .iter()
            .map(|root| json!({"uri": uri(root), "name": "root"}));
        let params = json!({
            "processId": null,
            "rootUri": null,
            "capabilities": capabilities,
            "workspaceFolders": folders.collect::<Vec<_>>(),
        });
        let answer = editor.ask("initialize", params);
        editor.capabilities = answer["result"]["capabilities"].clone();
        assert!(editor.capabilities.is_object(), "{answer}");
        editor.tell("initialized", json!({}));
        editor
    }

    pub(super) fn spawn(home: &Home, args: &[&str]) -> Self {
        let mut command = home.command(&[&["lsp"], args].concat());
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = command.stderr(Stdio::null()).spawn().expect("a server");
        let output = server.stdout.take().expect("an output");
        let (sender, frames) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(frame) = read_frame(&mut output) {
                if sender.send(frame).is_err() {
                    return;
                }
            }
        });
        Self {
            input: server.stdin.take(),
            server,
            frames,
            next_id: 0,
            told: Vec::new(),
            capabilities: Value::Null,
        }
    }

    /// Sends a request and waits for its response. Requests of the server are never answered.
    pub(super) fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        self.response(id)
    }

    /// Asks until an index is there, and expects a result.
    pub(super) fn result(&mut self, method: &str, params: &Value) -> Value {
        let started = Instant::now();
        loop {
            let answer = self.ask(method, params.clone());
            let message = answer["error"]["message"].as_str().unwrap_or("");
            if !message.contains("being indexed") {
                assert_eq!(answer["error"], Value::Null, "{method}");
                return answer["result"].clone();
            }
            assert!(started.elapsed() < TIME_LIMIT, "no index: {message}");
            sleep(Duration::from_millis(100));
        }
    }

    /// The same until the result is as expected: answers follow the files a moment later.
    pub(super) fn result_when(
        &mut self,
        (method, params): (&str, &Value),
        is_expected: impl Fn(&Value) -> bool,
    ) -> Value {
        let started = Instant::now();
        loop {
            let found = self.result(method, params);
            if is_expected(&found) {
                return found;
            }
            assert!(started.elapsed() < TIME_LIMIT, "{method}: {found}");
            sleep(Duration::from_millis(100));
        }
    }

    /// Sends a request without waiting.
    pub(super) fn send(&mut self, method: &str, params: Value) -> i64 {
        self.next_id += 1;
        let id = self.next_id;
        self.write(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    pub(super) fn tell(&mut self, method: &str, params: Value) {
        self.write(json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    pub(super) fn response(&mut self, id: i64) -> Value {
        loop {
            let frame = self.frame();
            if frame["id"] == id && frame.get("method").is_none() {
                return frame;
            }
            self.told.push(frame);
        }
    }

    /// Waits until the server tells something by this method that holds these words.
    pub(super) fn wait_told(&mut self, method: &str, words: &str) {
        let is_meant =
            |frame: &Value| frame["method"] == method && frame.to_string().contains(words);
        while !self.told.iter().any(is_meant) {
            let frame = self.frame();
            self.told.push(frame);
        }
    }

    pub(super) fn open(&mut self, path: &Path, text: &str) {
        let document = json!({"uri": uri(path), "languageId": "any", "version": 1, "text": text});
        self.tell("textDocument/didOpen", json!({"textDocument": document}));
    }

    /// Inserts a text before a line.
    pub(super) fn insert(&mut self, path: &Path, line: u32, text: &str) {
        let at = json!({"line": line, "character": 0});
        let change = json!({"range": {"start": at, "end": at}, "text": text});
        let document = json!({"uri": uri(path), "version": 2});
        let params = json!({"textDocument": document, "contentChanges": [change]});
        self.tell("textDocument/didChange", params);
    }

    /// Says goodbye; returns the exit code.
    pub(super) fn end(mut self) -> Option<i32> {
        let answer = self.ask("shutdown", Value::Null);
        assert_eq!(answer["result"], Value::Null, "{answer}");
        let late = self.ask("textDocument/hover", json!({}));
        assert_eq!(late["error"]["code"], -32600, "{late}");
        self.tell("exit", Value::Null);
        self.code()
    }

    /// Goes away without a word; returns the exit code.
    pub(super) fn vanish(mut self) -> Option<i32> {
        self.input = None;
        self.code()
    }

    /// Writes what is no frame; returns the exit code.
    pub(super) fn garble(mut self) -> Option<i32> {
        let input = self.input.as_mut().expect("an input");
        write!(input, "Content-Length: 5\r\n\r\nhello").expect("bytes are taken");
        input.flush().expect("bytes are taken");
        self.code()
    }

    pub(super) fn code(&mut self) -> Option<i32> {
        let started = Instant::now();
        while started.elapsed() < TIME_LIMIT {
            if let Some(status) = self.server.try_wait().expect("a child can be waited for") {
                return status.code();
            }
            sleep(Duration::from_millis(5));
        }
        panic!("the server does not end");
    }

    fn frame(&mut self) -> Value {
        let frame = self.frames.recv_timeout(TIME_LIMIT);
        frame.unwrap_or_else(|error| panic!("no frame: {error}"))
    }

    fn write(&mut self, message: Value) {
        let text = message.to_string();
        let input = self.input.as_mut().expect("an input");
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("a frame is taken");
        input.flush().expect("a frame is taken");
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// A frame; `None` at the end. Anything else on standard output fails the test that reads on.
fn read_frame(output: &mut impl BufRead) -> Option<Value> {
    let mut n_bytes = None;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.strip_suffix("\r\n").expect("a line of a header");
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(": ").expect("a field of a header");
        if name == "Content-Length" {
            n_bytes = value.parse::<usize>().ok();
        }
    }
    let mut text = vec![0; n_bytes.expect("a length")];
    output.read_exact(&mut text).ok()?;
    Some(serde_json::from_slice(&text).expect("a frame holds JSON"))
}

pub(super) fn uri(path: &Path) -> String {
    let path = path.to_str().expect("temporary paths are UTF-8");
    format!(
        "file://{}{path}",
        if path.starts_with('/') { "" } else { "/" }
    )
}

/// A file and the place of a text in it, counted in bytes: the texts of these tests are ASCII.
pub(super) fn at(path: &Path, text: &str, needle: &str) -> Value {
    let found = text
        .find(needle)
        .unwrap_or_else(|| panic!("no {needle} in {text}"));
    let before = &text[..found];
    let line = before.matches('\n').count();
    let column = before.len() - before.rfind('\n').map_or(0, |end| end + 1);
    json!({
        "textDocument": {"uri": uri(path)},
        "position": {"line": line, "character": column},
        "context": {"includeDeclaration": true},
    })
}

/// The places of an answer as "file:line", lines from 1.
pub(super) fn places(found: &Value) -> Vec<String> {
    let list = found.as_array().map_or(&[][..], Vec::as_slice);
    let place = |one: &Value| {
        let uri = one["uri"].as_str().expect("an address");
        let line = one["range"]["start"]["line"].as_u64().expect("a line");
        let name = uri.rsplit('/').next().unwrap_or(uri);
        format!("{name}:{}", line + 1)
    };
    list.iter().map(place).collect()
}
