//! A program run to its end, and what it cost.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde::Serialize;
use whyrank_benchmark::{BenchError, Watch};

use crate::cpu;

const POLL: Duration = Duration::from_millis(3);

/// What a process cost.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct ProcessCost {
    /// Seconds of processor time; none where they cannot be told.
    pub(super) cpu_s: Option<f64>,
    /// Peak resident memory in MB; none where it cannot be told.
    pub(super) peak_mb: Option<f64>,
    /// Seconds by the clock.
    pub(super) wall_s: f64,
}

/// Runs a program that must succeed, alone among the children of this process.
pub(super) fn measured(command: &mut Command, watch: &Watch) -> anyhow::Result<ProcessCost> {
    let name = command.get_program().to_string_lossy().into_owned();
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let (started, cpu) = (Instant::now(), cpu::children_ms());
    let mut child = command
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("{name} cannot be started; name another with --program"))?;
    let stderr = child.stderr.take().map(|mut pipe| {
        std::thread::spawn(move || {
            let mut said = String::new();
            drop(pipe.read_to_string(&mut said));
            said
        })
    });
    let (is_ok, peak_kb) = wait(&mut child, watch)?;
    let wall_s = started.elapsed().as_secs_f64();
    if !is_ok {
        let said = stderr.and_then(|reader| reader.join().ok());
        bail!("{name} failed: {}", said.unwrap_or_default().trim_end());
    }
    let cpu = cpu.zip(cpu::children_ms());
    Ok(ProcessCost {
        cpu_s: cpu.map(|(before, after)| (after - before) / 1e3),
        peak_mb: peak_kb.map(|kb| kb as f64 * 1024.0 / 1e6),
        wall_s,
    })
}

/// Whether it succeeded, and its peak memory. It is ended when the user cancels.
fn wait(child: &mut Child, watch: &Watch) -> anyhow::Result<(bool, Option<u64>)> {
    let mut peak_kb = None;
    loop {
        peak_kb = peak_kb.max(peak_kb_of(child.id()));
        if let Some(status) = child.try_wait()? {
            return Ok((status.success(), peak_kb));
        }
        if watch.is_cancelled() {
            child.kill()?;
            child.wait()?;
            return Err(BenchError::Cancelled.into());
        }
        std::thread::sleep(POLL);
    }
}

/// The most memory that a program had at once so far; none where the system does not tell.
fn peak_kb_of(id: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
