use super::*;
use std::os::unix::fs::PermissionsExt as _;

fn program(folder: &Path, name: &str) -> PathBuf {
    fs::create_dir_all(folder).unwrap();
    let file = folder.join(name);
    fs::write(&file, "#!/bin/sh\n").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    file
}

fn system_path() -> SearchPath {
    SearchPath::of(vec!["/usr/bin".into(), "/bin".into()], None)
}

fn shell(folder: &Path, script: &str) -> Program {
    Program::new("/bin/sh", folder).args(["-c", script])
}

#[test]
fn a_program_of_the_checkout_is_never_found() {
    let root = tempfile::tempdir().unwrap();
    let checkout = root.path().join("checkout");
    program(&checkout.join("bin"), "scip-go");
    let outside = root.path().join("tools");
    fs::create_dir_all(&outside).unwrap();
    std::os::unix::fs::symlink(checkout.join("bin/scip-go"), outside.join("scip-go")).unwrap();
    let folders = vec![".".into(), "".into(), checkout.join("bin"), outside.clone()];
    let path = SearchPath::of(folders, Some(&checkout));
    assert_eq!(path.find("scip-go"), None);
    let other = program(&outside, "scip-clang");
    assert_eq!(path.find("scip-clang"), Some(other));
    assert_eq!(path.find("../tools/scip-clang"), None);
    assert_eq!(path.joined(), outside.as_os_str());
}

#[test]
fn a_relative_program_is_not_started() {
    let folder = tempfile::tempdir().unwrap();
    program(folder.path(), "sh");
    let relative = Program::new("sh", folder.path());
    let error = relative
        .start(&system_path(), Streams::piped())
        .unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
}

/// The test starts itself with an environment as large as a person's, and again from there.
#[test]
fn a_program_gets_what_is_listed_and_nothing_else() {
    const AS_PARENT: &str = "WHYRANK_TEST_AS_STARTER";
    const PASS: [&str; 8] = [
        "HOME=/h",
        "JAVA_HOME=/j",
        "LANG=C",
        "LC_ALL=C",
        "PIP_PROXY=p",
        "SSL_CERT_FILE=/c",
        "https_proxy=p",
        "no_proxy=n",
    ];
    const STAY: &str = "BASH_ENV CLASSPATH DOTNET_STARTUP_HOOKS DYLD_INSERT_LIBRARIES GCONV_PATH \
        GIT_SSH_COMMAND GOFLAGS GTK_MODULES JAVA_TOOL_OPTIONS LD_AUDIT LD_LIBRARY_PATH \
        LD_PRELOAD NODE_OPTIONS NODE_PATH PERL5OPT PIP_INDEX_URL PYTHONPATH RUBYOPT \
        RUSTC_WRAPPER npm_config_registry";
    if std::env::var_os(AS_PARENT).is_some() {
        let env = Program::new("/usr/bin/env", "/");
        let said = env.output(&system_path(), Duration::from_secs(60)).unwrap();
        println!("{said}");
        return;
    }
    let pairs = PASS.iter().map(|pair| pair.split_once('=').unwrap());
    let started = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "program::tests::a_program_gets_what_is_listed_and_nothing_else",
        ])
        .arg("--nocapture")
        .env_clear()
        .envs(STAY.split(' ').map(|name| (name, "")))
        .envs(pairs)
        .env(AS_PARENT, "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&started.stdout);
    let is_variable = |line: &&str| {
        line.split_once('=')
            .is_some_and(|(name, _)| !name.contains(' '))
    };
    let mut got: Vec<&str> = said.lines().filter(is_variable).collect();
    got.sort_unstable();
    let own = [
        "PATH=/usr/bin:/bin",
        "PYTHONSAFEPATH=1",
        "WHYRANK_TEST_AS_STARTER=1",
    ];
    let mut expected = [&PASS[..], &own].concat();
    expected.sort_unstable();
    assert_eq!(got, expected);
}

#[test]
fn cancelling_ends_what_the_program_started() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("mark");
    let script = format!("(sleep 3; touch {}) & echo begun; wait", mark.display());
    let log = folder.path().join("log");
    let ended = shell(folder.path(), &script)
        .run_logged(&system_path(), &log, &mut |line| line != "begun")
        .unwrap();
    assert!(matches!(ended, Ended::Cancelled));
    assert!(!mark.exists());
    assert_eq!(crate::files::last_lines(&log, 3), "begun");
}

#[test]
fn what_takes_too_long_gives_no_output() {
    let folder = tempfile::tempdir().unwrap();
    let slow = shell(folder.path(), "echo begun; sleep 60");
    let error = slow
        .output(&system_path(), Duration::from_millis(50))
        .unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    let fast = shell(folder.path(), "echo '  1.2 '");
    let said = fast
        .output(&system_path(), Duration::from_secs(60))
        .unwrap();
    assert_eq!(said, "1.2");
}

/// The test starts itself as the parent, kills it, and reads the end of a pipe that all of its
/// descendants hold.
#[test]
fn a_killed_parent_takes_its_programs_along() {
    const AS_PARENT: &str = "WHYRANK_TEST_AS_PARENT";
    if std::env::var_os(AS_PARENT).is_some() {
        let streams = Streams {
            stdin: Stdio::null(),
            stdout: Stdio::inherit(),
            stderr: Stdio::null(),
        };
        let child = shell(Path::new("/"), "sleep 600 & echo begun; wait");
        let _running = child.start(&system_path(), streams).unwrap();
        loop {
            std::thread::park();
        }
    }
    let mut parent = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "program::tests::a_killed_parent_takes_its_programs_along",
        ])
        .arg("--nocapture")
        .env(AS_PARENT, "1")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = io::BufReader::new(parent.stdout.take().unwrap());
    let mut line = String::new();
    while !line.contains("begun") {
        line.clear();
        assert!(io::BufRead::read_line(&mut output, &mut line).unwrap() > 0);
    }
    parent.kill().unwrap();
    parent.wait().unwrap();
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || send.send(output.read_to_end(&mut Vec::new())));
    let ended = receive.recv_timeout(Duration::from_secs(30));
    assert!(ended.is_ok(), "a descendant still holds the pipe");
}
