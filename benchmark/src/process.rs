//! Other programs, with a limit on their time and on what they print. Nothing here can hang.

use crate::watch::Watch;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What a program may print; the rest is dropped.
const MAX_OUTPUT: u64 = 32 << 20;
const POLL: Duration = Duration::from_millis(3);

/// What a program did.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) is_ok: bool,
}

/// Runs a program to its end. It is killed, with its children, when time is up or the user cancels.
pub(crate) fn run(
    command: &mut Command,
    input: Option<&str>,
    limit: Duration,
    watch: &Watch,
) -> Result<Output, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    command.stdin(if input.is_some() {
        Stdio::piped()
    } else {
        Stdio::null()
    });
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    own_group(command);
    let mut child = command
        .spawn()
        .map_err(|error| format!("cannot start {name}: {error}"))?;
    if let (Some(mut stdin), Some(text)) = (child.stdin.take(), input) {
        let text = text.to_owned();
        // A program that does not read must not hold us up.
        std::thread::spawn(move || drop(stdin.write_all(text.as_bytes())));
    }
    let stdout = child.stdout.take().map(drain);
    let stderr = child.stderr.take().map(drain);
    let is_ok = wait(&mut child, limit, watch).map_err(|why| format!("{name} {why}"))?;
    let text = |reader: Option<JoinHandle<String>>| {
        reader
            .and_then(|reader| reader.join().ok())
            .unwrap_or_default()
    };
    Ok(Output {
        stdout: text(stdout),
        stderr: text(stderr),
        is_ok,
    })
}

/// Runs a program of which only success counts.
pub(crate) fn must(
    command: &mut Command,
    folder: &Path,
    limit: Duration,
    watch: &Watch,
) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = run(command.current_dir(folder), None, limit, watch)?;
    if output.is_ok {
        Ok(output.stdout)
    } else {
        Err(format!("{name} failed: {}", last_lines(&output.stderr)))
    }
}

fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    lines[lines.len().saturating_sub(3)..].join(" | ")
}

/// Whether a program of this name is on the path.
pub(crate) fn is_there(name: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths)
        .any(|folder| folder.join(name).is_file() || folder.join(format!("{name}.exe")).is_file())
}

fn drain(mut pipe: impl Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        drop(pipe.by_ref().take(MAX_OUTPUT).read_to_end(&mut bytes));
        // Read on, so that the program is not stopped by a full pipe.
        drop(std::io::copy(&mut pipe, &mut std::io::sink()));
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

fn wait(child: &mut Child, limit: Duration, watch: &Watch) -> Result<bool, String> {
    let deadline = Instant::now() + limit;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status.success()),
            Ok(None) if Instant::now() > deadline => {
                kill(child);
                return Err(format!(
                    "did not answer within {} s and was stopped",
                    limit.as_secs()
                ));
            }
            Ok(None) if watch.is_cancelled() => {
                kill(child);
                return Err("was ended: the run was cancelled".to_owned());
            }
            Ok(None) => std::thread::sleep(POLL),
            Err(error) => return Err(format!("cannot be waited for: {error}")),
        }
    }
}

#[cfg(unix)]
pub(crate) fn own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
pub(crate) fn own_group(_: &mut Command) {}

/// Ends a program and what it started.
fn kill(child: &mut Child) {
    #[cfg(unix)]
    {
        use nix::sys::signal::{Signal, killpg};
        use nix::unistd::Pid;
        // It may have ended by itself in the meantime.
        let _ = killpg(Pid::from_raw(child.id() as i32), Signal::SIGKILL);
    }
    drop(child.kill());
    drop(child.wait());
}

/// CPU milliseconds of this process so far; `None` where they cannot be told.
pub(crate) fn own_cpu_ms() -> Option<f64> {
    cpu_ms(false)
}

/// The same for programs that it ran to their end.
pub(crate) fn children_cpu_ms() -> Option<f64> {
    cpu_ms(true)
}

#[cfg(unix)]
fn cpu_ms(of_children: bool) -> Option<f64> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;
    let who = if of_children {
        UsageWho::RUSAGE_CHILDREN
    } else {
        UsageWho::RUSAGE_SELF
    };
    let usage = getrusage(who).ok()?;
    Some(
        (usage.user_time().num_microseconds() + usage.system_time().num_microseconds()) as f64
            / 1e3,
    )
}

#[cfg(not(unix))]
fn cpu_ms(_: bool) -> Option<f64> {
    None
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn shell(line: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", line]);
        command
    }

    #[test]
    fn a_program_that_hangs_is_ended_with_its_children() {
        let started = Instant::now();
        let error = run(
            &mut shell("sleep 60 & wait"),
            None,
            Duration::from_millis(200),
            &Watch::default(),
        );
        assert!(error.unwrap_err().contains("did not answer"));
        assert!(started.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn a_program_that_reads_nothing_and_prints_much_is_fine() {
        let input = "x".repeat(1 << 20);
        let output = run(
            &mut shell("yes | head -c 1000000"),
            Some(&input),
            Duration::from_secs(30),
            &Watch::default(),
        );
        assert_eq!(output.unwrap().stdout.len(), 1_000_000);
    }

    #[test]
    fn a_missing_program_is_named() {
        let error = run(
            &mut Command::new("no-such-program-here"),
            None,
            Duration::from_secs(1),
            &Watch::default(),
        );
        assert!(error.unwrap_err().contains("no-such-program-here"));
    }

    #[test]
    fn cancelling_ends_a_program() {
        let watch = Watch::default();
        watch.cancel();
        let error = run(
            &mut shell("sleep 60"),
            None,
            Duration::from_secs(60),
            &watch,
        );
        assert!(error.unwrap_err().contains("cancelled"));
    }
}
