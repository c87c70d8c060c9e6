//! Files of a hub repository at a commit, over HTTPS. A broken download goes on where it stopped,
//! in this pull or in the next.

use std::fs::{self, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use ureq::http::StatusCode;
use ureq::http::header::RANGE;
use ureq::tls::{RootCerts, TlsConfig};

use crate::fetch::{FetchError, Pull, accept};
use crate::lock::{ModelFile, ModelSource};
use crate::pull::{PullOptions, PullStage};

/// Attempts in a row that may bring nothing.
const MAX_ATTEMPTS: usize = 3;
/// A body that takes longer is asked for again from where it stopped, so cancel is never far.
const BODY_TIMEOUT: Duration = Duration::from_secs(60);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);

/// A file that is being downloaded.
struct Download<'d> {
    url: String,
    file: &'d ModelFile,
    /// The path of what is there of it already.
    part: PathBuf,
}

impl Pull<'_> {
    pub(super) fn download_from_hub(
        &mut self,
        source: &ModelSource,
        repository: &str,
        revision: &str,
        file: &ModelFile,
    ) -> Result<(), FetchError> {
        let hub_url = self.options.hub_url.trim_end_matches('/');
        let agent = agent(self.options)?;
        let download = Download {
            url: format!("{hub_url}/{repository}/resolve/{revision}/{}", file.name),
            file,
            part: self.partial.join(format!("{}.part", file.name)),
        };
        let part = &download.part;
        let mut n_idle_attempts = 0;
        while size_of(part) < file.size_bytes {
            let before = size_of(part);
            let broken = self.download_rest(source, &agent, &download)?;
            n_idle_attempts = if size_of(part) > before {
                0
            } else {
                n_idle_attempts + 1
            };
            match broken {
                Some(source) if n_idle_attempts == MAX_ATTEMPTS => {
                    return Err(FetchError::Stalled {
                        n_attempts: MAX_ATTEMPTS,
                        source,
                    });
                }
                Some(_) => {}
                None => break,
            }
        }
        self.report(source, PullStage::Checking, file.size_bytes);
        accept(file, part, self.partial)
    }

    /// Asks for what the part lacks and appends it. Returns the error that cut the body short, if any.
    fn download_rest(
        &mut self,
        source: &ModelSource,
        agent: &ureq::Agent,
        Download { url, file, part }: &Download<'_>,
    ) -> Result<Option<std::io::Error>, FetchError> {
        self.check_cancel()?;
        let mut have = size_of(part);
        let mut response = agent
            .get(url)
            .header(RANGE, format!("bytes={have}-"))
            .call()
            .map_err(|source| FetchError::Transport {
                url: url.into(),
                source,
            })?;
        match response.status() {
            StatusCode::PARTIAL_CONTENT => {}
            StatusCode::OK => have = 0,
            other => {
                return Err(FetchError::Status {
                    url: url.into(),
                    status: other.as_u16(),
                });
            }
        }
        let file_error = |source| FetchError::File {
            path: part.into(),
            source,
        };
        let mut out = OpenOptions::new()
            .create(true)
            .append(true)
            .open(part)
            .map_err(file_error)?;
        if have == 0 {
            out.set_len(0).map_err(file_error)?;
        }
        // One byte more than pinned is enough to be found wrong.
        let mut body = response
            .body_mut()
            .as_reader()
            .take(file.size_bytes + 1 - have);
        let mut buffer = vec![0; 1 << 16];
        loop {
            self.check_cancel()?;
            let n_bytes = match body.read(&mut buffer) {
                Ok(0) => return Ok(None),
                Ok(n_bytes) => n_bytes,
                Err(error) => return Ok(Some(error)),
            };
            out.write_all(&buffer[..n_bytes]).map_err(file_error)?;
            have += n_bytes as u64;
            self.report(source, PullStage::Downloading, have);
        }
    }
}

fn agent(options: &PullOptions) -> Result<ureq::Agent, FetchError> {
    let proxy = options
        .proxy
        .as_deref()
        .map(ureq::Proxy::new)
        .transpose()
        .map_err(FetchError::Address)?;
    let tls = TlsConfig::builder()
        .root_certs(RootCerts::PlatformVerifier)
        .build();
    let config = ureq::Agent::config_builder()
        .proxy(proxy)
        .tls_config(tls)
        .user_agent("whyrank")
        .http_status_as_error(false)
        .timeout_connect(Some(CONNECT_TIMEOUT))
        .timeout_recv_response(Some(CONNECT_TIMEOUT))
        .timeout_recv_body(Some(BODY_TIMEOUT))
        .build();
    Ok(config.into())
}

fn size_of(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |metadata| metadata.len())
}
