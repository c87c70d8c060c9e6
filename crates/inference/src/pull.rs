//! How a model is pulled, and what is told of it meanwhile.

/// How [`ModelStore::pull`](crate::ModelStore::pull) reaches the network. Nothing of it is read from the environment here;
/// pip is a child process and sees the user's own.
#[derive(Debug, Clone)]
pub struct PullOptions {
    /// Base address of the hub, for `hf:` sources.
    pub hub_url: String,
    /// Asks the hub before any other source: it is the user's own mirror.
    pub hub_first: bool,
    /// Proxy for `hf:` sources, as in `https_proxy`.
    pub proxy: Option<String>,
    /// The Python that has pip: program names, the first that starts is taken.
    pub python: Vec<String>,
}

/// One report of a running pull.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PullProgress {
    /// The source being tried.
    pub source: String,
    /// What it is doing.
    pub stage: PullStage,
    /// Bytes on disk of what is being fetched.
    pub done_bytes: u64,
    /// Bytes there will be.
    pub total_bytes: u64,
}

/// What a pull is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PullStage {
    /// Waiting for another process that pulls the same model.
    Waiting,
    /// Bytes are coming in.
    Downloading,
    /// Files are unpacked and hashed.
    Checking,
    /// The source failed, the next is tried.
    SourceFailed {
        /// Why.
        reason: String,
    },
    /// The model is in the store.
    Done,
}

impl Default for PullOptions {
    fn default() -> Self {
        Self {
            hub_url: "https://huggingface.co".into(),
            hub_first: false,
            proxy: None,
            python: vec!["python3".into(), "python".into()],
        }
    }
}
