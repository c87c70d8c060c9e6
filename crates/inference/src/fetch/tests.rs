use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::{InferenceError, ModelLock, ModelState, ModelStore, PullOptions, PullStage};

/// Long enough to be cut in the middle.
fn weights() -> Vec<u8> {
    (0..300_000u32)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect()
}

fn lock(sources: &[&str]) -> ModelLock {
    let sha256 = hex::encode(Sha256::digest(weights()));
    ModelLock::parse(&format!(
        "schema = 1\ndefault = \"m\"\n[model.m]\ntitle = \"M\"\narch = \"bert\"\ndim = 8\n\
         pooling = \"mean\"\nmax_tokens = 8\nmax_query_tokens = 8\nquery_prefix = \"\"\n\
         document_prefix = \"\"\nlicence = \"MIT\"\nupstream = \"u\"\nsources = {sources:?}\n\
         files = [{{ name = \"w\", size_bytes = 300000, sha256 = \"{sha256}\" }}]\n"
    ))
    .unwrap()
}

/// A hub of one repository. Each connection takes one request and is closed.
struct Hub {
    url: String,
    requests: Arc<Mutex<Vec<String>>>,
}

/// How the hub answers.
#[derive(Clone, Copy)]
struct Behaviour {
    /// Bytes after which a body breaks off.
    cut_after: usize,
    honours_range: bool,
    tampers: bool,
}

const HONEST: Behaviour = Behaviour {
    cut_after: usize::MAX,
    honours_range: true,
    tampers: false,
};

impl Hub {
    fn start(behaviour: Behaviour) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(stream) = stream else { return };
                let request = answer(stream, behaviour);
                seen.lock().push(request);
            }
        });
        Self { url, requests }
    }

    fn store(&self, dir: &Path, sources: &[&str]) -> ModelStore {
        ModelStore::with_lock(dir, lock(sources)).with_pull_options(PullOptions {
            hub_url: self.url.clone(),
            hub_first: false,
            proxy: None,
            python: vec!["/no/such/python".into()],
        })
    }

    fn requests(&self) -> Vec<String> {
        self.requests.lock().clone()
    }
}

/// Answers one request; returns `PATH START`.
fn answer(mut stream: TcpStream, behaviour: Behaviour) -> String {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut first = String::new();
    reader.read_line(&mut first).unwrap();
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut headers = BTreeMap::new();
    let mut line = String::new();
    while reader.read_line(&mut line).unwrap() > 2 {
        if let Some((name, value)) = line.split_once(':') {
            headers.insert(name.to_lowercase(), value.trim().to_owned());
        }
        line.clear();
    }
    let range = headers
        .get("range")
        .and_then(|range| range.strip_prefix("bytes="));
    let asked: usize = range
        .and_then(|range| range.trim_end_matches('-').parse().ok())
        .unwrap_or(0);
    let start = if behaviour.honours_range { asked } else { 0 };
    let mut body = weights();
    if behaviour.tampers {
        body[7] ^= 1;
    }
    let (status, body) = match path.as_str() {
        "/owner/name/resolve/c0ffee/w" if start > 0 => ("206 Partial Content", &body[start..]),
        "/owner/name/resolve/c0ffee/w" => ("200 OK", &body[..]),
        _ => ("404 Not Found", &[][..]),
    };
    let length = body.len();
    let sent = &body[..length.min(behaviour.cut_after)];
    let head =
        format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
    // The client may hang up early: a cancel, or a body longer than it wants.
    drop(
        stream
            .write_all(head.as_bytes())
            .and_then(|()| stream.write_all(sent)),
    );
    format!("{path} {asked}")
}

fn pull(store: &ModelStore) -> Result<std::path::PathBuf, InferenceError> {
    store.pull("m", &mut |_| {}, &|| false)
}

#[test]
fn a_hub_file_arrives_checked_and_is_not_fetched_twice() {
    let temp = tempfile::tempdir().unwrap();
    let hub = Hub::start(HONEST);
    let store = hub.store(temp.path(), &["hf:owner/name@c0ffee"]);
    let mut stages = Vec::new();
    let dir = store
        .pull("m", &mut |progress| stages.push(progress.stage), &|| false)
        .unwrap();
    assert_eq!(std::fs::read(dir.join("w")).unwrap(), weights());
    assert_eq!(stages.first(), Some(&PullStage::Downloading));
    assert_eq!(stages.last(), Some(&PullStage::Done));
    assert_eq!(pull(&store).unwrap(), dir);
    assert_eq!(hub.requests().len(), 1);
}

#[test]
fn a_cut_download_goes_on_where_it_stopped() {
    let temp = tempfile::tempdir().unwrap();
    let hub = Hub::start(Behaviour {
        cut_after: 120_000,
        ..HONEST
    });
    pull(&hub.store(temp.path(), &["hf:owner/name@c0ffee"])).unwrap();
    let path = "/owner/name/resolve/c0ffee/w";
    assert_eq!(
        hub.requests(),
        [0, 120_000, 240_000].map(|start| format!("{path} {start}"))
    );
}

#[test]
fn a_cancelled_pull_is_resumed_by_the_next() {
    let temp = tempfile::tempdir().unwrap();
    let hub = Hub::start(HONEST);
    let store = hub.store(temp.path(), &["hf:owner/name@c0ffee"]);
    let seen = std::cell::Cell::new(0);
    let result = store.pull("m", &mut |progress| seen.set(progress.done_bytes), &|| {
        seen.get() > 50_000
    });
    assert!(matches!(result, Err(InferenceError::Cancelled)));
    assert_eq!(store.state("m").unwrap(), ModelState::Absent);
    let have = seen.get();
    assert!(have > 50_000 && have < 300_000);
    pull(&store).unwrap();
    assert_eq!(
        hub.requests()[1],
        format!("/owner/name/resolve/c0ffee/w {have}")
    );
}

#[test]
fn a_server_without_ranges_is_read_from_the_start() {
    let temp = tempfile::tempdir().unwrap();
    let hub = Hub::start(Behaviour {
        honours_range: false,
        ..HONEST
    });
    let store = hub.store(temp.path(), &["hf:owner/name@c0ffee"]);
    let seen = std::cell::Cell::new(0);
    drop(
        store.pull("m", &mut |progress| seen.set(progress.done_bytes), &|| {
            seen.get() > 50_000
        }),
    );
    let dir = pull(&store).unwrap();
    assert_eq!(std::fs::read(dir.join("w")).unwrap(), weights());
}

#[test]
fn wrong_bytes_are_refused_and_not_kept() {
    let temp = tempfile::tempdir().unwrap();
    let hub = Hub::start(Behaviour {
        tampers: true,
        ..HONEST
    });
    let store = hub.store(temp.path(), &["hf:owner/name@c0ffee"]);
    let error = pull(&store).unwrap_err().to_string();
    assert!(
        error.contains("w is not the pinned file: sha256 is"),
        "{error}"
    );
    assert_eq!(store.state("m").unwrap(), ModelState::Absent);
    // What was wrong is gone: an honest hub is asked for all of it.
    let honest = Hub::start(HONEST);
    pull(&honest.store(temp.path(), &["hf:owner/name@c0ffee"])).unwrap();
    assert_eq!(honest.requests(), ["/owner/name/resolve/c0ffee/w 0"]);
}

#[test]
fn every_failed_source_is_named_with_its_reason() {
    let temp = tempfile::tempdir().unwrap();
    let hub = Hub::start(HONEST);
    let sha = "0".repeat(64);
    let pypi = format!("pypi:p==1#{sha}!p/model");
    let store = hub.store(
        temp.path(),
        &[&pypi, "hf:owner/other@c0ffee", "file:/no/such/folder"],
    );
    let error = pull(&store).unwrap_err().to_string();
    for part in [
        "none of 3 sources of m answered",
        "pypi:p==1: no Python with pip: /no/such/python",
        "answered 404",
        "file:/no/such/folder: cannot use /no/such/folder/w",
        "whyrank models verify m",
    ] {
        assert!(error.contains(part), "{part:?} is not in {error}");
    }
}

#[test]
fn a_later_source_serves_when_an_earlier_one_fails() {
    let temp = tempfile::tempdir().unwrap();
    let hub = Hub::start(HONEST);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("w"), weights()).unwrap();
    let file = format!("file:{}", folder.path().display());
    let dir = pull(&hub.store(temp.path(), &["hf:owner/other@c0ffee", &file])).unwrap();
    assert_eq!(std::fs::read(dir.join("w")).unwrap(), weights());
}

#[cfg(unix)]
mod pip {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// A wheel with the weights and a stranger, and a program that "downloads" it as pip would,
    /// noting each call in `calls`.
    fn fake_pip(dir: &Path, exit: i32) -> (String, String) {
        let wheel = dir.join("p-1-py3-none-any.whl");
        let mut archive = zip::ZipWriter::new(fs::File::create(&wheel).unwrap());
        for (name, content) in [("p/model/w", weights()), ("p/__init__.py", b"x".to_vec())] {
            archive
                .start_file(name, zip::write::SimpleFileOptions::default())
                .unwrap();
            archive.write_all(&content).unwrap();
        }
        archive.finish().unwrap();
        let python = dir.join("python");
        let script = format!(
            "#!/bin/sh\necho \"in $PWD: $@\" >> {dir}/calls\n\
             while [ \"$1\" != --dest ]; do shift; done\n\
             [ {exit} = 0 ] && cp {dir}/*.whl \"$2\"\necho no route >&2\nexit {exit}\n",
            dir = dir.display()
        );
        fs::write(&python, script).unwrap();
        fs::set_permissions(&python, fs::Permissions::from_mode(0o755)).unwrap();
        (
            python.display().to_string(),
            crate::files::sha256_of(&wheel).unwrap(),
        )
    }

    fn store(dir: &Path, python: String, wheel_sha256: &str) -> ModelStore {
        let source = format!("pypi:p==1#{wheel_sha256}!p/model");
        ModelStore::with_lock(dir.join("store"), lock(&[&source])).with_pull_options(PullOptions {
            python: vec!["/no/such/python".into(), python],
            ..PullOptions::default()
        })
    }

    #[test]
    fn only_the_listed_files_leave_the_wheel() {
        let temp = tempfile::tempdir().unwrap();
        let (python, sha256) = fake_pip(temp.path(), 0);
        let dir = pull(&store(temp.path(), python, &sha256)).unwrap();
        let mut names: Vec<_> = fs::read_dir(&dir)
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        names.sort();
        assert_eq!(names, ["verified", "w"]);
        let calls = fs::read_to_string(temp.path().join("calls")).unwrap();
        let (folder, command) = calls.split_once(": ").unwrap();
        let ours = temp.path().join("store");
        assert!(
            folder.starts_with(&format!("in {}", ours.display())),
            "{calls}"
        );
        assert!(
            command.starts_with("-I -m pip download --no-deps --only-binary=:all:"),
            "{calls}"
        );
        assert!(calls.trim_end().ends_with("p==1"), "{calls}");
    }

    #[test]
    fn a_wheel_that_is_already_there_is_not_downloaded_again() {
        let temp = tempfile::tempdir().unwrap();
        let (python, sha256) = fake_pip(temp.path(), 0);
        let store = store(temp.path(), python, &sha256);
        let key = store.lock().get("m").unwrap().key();
        let partial = temp.path().join(format!("store/.partial/m-{key}/wheel"));
        fs::create_dir_all(&partial).unwrap();
        fs::copy(
            temp.path().join("p-1-py3-none-any.whl"),
            partial.join("p.whl"),
        )
        .unwrap();
        pull(&store).unwrap();
        assert!(!temp.path().join("calls").exists());
    }

    #[test]
    fn a_wheel_of_another_hash_is_refused() {
        let temp = tempfile::tempdir().unwrap();
        let (python, _) = fake_pip(temp.path(), 0);
        let error = pull(&store(temp.path(), python, &"0".repeat(64)))
            .unwrap_err()
            .to_string();
        assert!(error.contains("the wheel's sha256 is"), "{error}");
    }

    #[test]
    fn what_pip_said_is_in_the_error() {
        let temp = tempfile::tempdir().unwrap();
        let (python, sha256) = fake_pip(temp.path(), 3);
        let error = pull(&store(temp.path(), python, &sha256))
            .unwrap_err()
            .to_string();
        assert!(error.contains("pip failed: no route"), "{error}");
    }
}
