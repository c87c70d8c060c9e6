//! The SCIP indexers that are known: what they read, how they are run, where they come from.
//!
//! A row says everything that is specific to one of them; `plan` and `run` know none by name.

/// A program that writes a SCIP index.
pub(super) struct Indexer {
    /// Its name, as people know it.
    pub(super) id: &'static str,
    /// Languages of the view that it covers.
    pub(super) languages: &'static [&'static str],
    /// Files that make a folder a project of it; the first name that the view has decides.
    pub(super) manifests: &'static [&'static str],
    /// How projects are told from manifests.
    pub(super) projects: Projects,
    /// The program's name.
    pub(super) program: &'static str,
    /// Its arguments. `{out}` is the index to write, `{name}` the project's name; [`ScratchFolder`] files
    /// replace `{config}`.
    pub(super) args: &'static [&'static str],
    /// A file that it needs and that must not be written into the repository.
    pub(super) scratch: Option<ScratchFolder>,
    /// How to get it.
    pub(super) source: IndexerSource,
    /// The parts that the repository brings or names and that are run along; `None` where it only reads.
    pub(super) runs_code: Option<&'static str>,
}

/// Which folders an indexer is started in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Projects {
    /// The root, manifest or not.
    Root,
    /// The topmost folders with a manifest, none without.
    Topmost,
    /// The root, with every manifest as an argument; the scratch file where there is none.
    Listed,
}

/// A file of ours that is passed to an indexer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct ScratchFolder {
    /// Its file name.
    pub(super) name: &'static str,
    /// Its text; `{root}` is the repository's root inside a JSON string.
    pub(super) text: &'static str,
}

/// Where an indexer comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum IndexerSource {
    /// A package that npm puts into a folder of ours, with its version.
    Npm(&'static str),
    /// By hand.
    ByHand(&'static str),
}

/// What npm is told before the package. `{tools}` is the folder of ours; no script of a package runs.
pub(super) const NPM_INSTALL: &[&str] = &[
    "install",
    "--prefix",
    "{tools}",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
];

/// Where npm puts programs, below that folder.
pub(super) const NPM_PROGRAMS: &str = "node_modules/.bin";

/// All indexers, by name of language.
pub(super) static INDEXERS: &[Indexer] = &[
    Indexer {
        id: "scip-typescript",
        languages: &["typescript", "tsx", "javascript"],
        manifests: &["tsconfig.json"],
        projects: Projects::Listed,
        program: "scip-typescript",
        args: &["index", "--no-progress-bar", "--output", "{out}"],
        scratch: Some(ScratchFolder {
            name: "tsconfig.json",
            text: r#"{
  "compilerOptions": {
    "allowJs": true, "noEmit": true, "skipLibCheck": true, "jsx": "preserve",
    "module": "esnext", "moduleResolution": "node", "target": "esnext", "esModuleInterop": true
  },
  "include": ["{root}/**/*"],
  "exclude": ["{root}/**/node_modules", "{root}/**/dist", "{root}/**/build"]
}
"#,
        }),
        source: IndexerSource::Npm("@sourcegraph/scip-typescript@0.4.0"),
        runs_code: None,
    },
    Indexer {
        id: "scip-python",
        languages: &["python"],
        manifests: &[],
        projects: Projects::Root,
        program: "scip-python",
        args: &[
            "index",
            "--quiet",
            "--project-name",
            "{name}",
            "--project-version",
            "0",
            // Without it, the pip of the user's environment is asked for its packages.
            "--environment",
            "{config}",
            "--output",
            "{out}",
        ],
        scratch: Some(ScratchFolder {
            name: "environment.json",
            text: "[]\n",
        }),
        source: IndexerSource::Npm("@sourcegraph/scip-python@0.6.6"),
        runs_code: None,
    },
    Indexer {
        id: "rust-analyzer",
        languages: &["rust"],
        manifests: &["Cargo.toml"],
        projects: Projects::Topmost,
        program: "rust-analyzer",
        args: &["scip", ".", "--output", "{out}"],
        scratch: None,
        source: IndexerSource::ByHand("rustup component add rust-analyzer"),
        runs_code: Some(
            "build scripts, procedural macros, and what .cargo/config.toml and rust-toolchain.toml name",
        ),
    },
    Indexer {
        id: "scip-go",
        languages: &["go"],
        manifests: &["go.mod"],
        projects: Projects::Topmost,
        program: "scip-go",
        args: &["--output", "{out}"],
        scratch: None,
        source: IndexerSource::ByHand(
            "go install github.com/sourcegraph/scip-go/cmd/scip-go@latest",
        ),
        runs_code: Some("the C compiler of cgo packages"),
    },
    Indexer {
        id: "scip-java",
        languages: &["java", "kotlin", "scala"],
        manifests: &[
            "pom.xml",
            "settings.gradle",
            "settings.gradle.kts",
            "build.gradle",
            "build.gradle.kts",
            "build.sbt",
        ],
        projects: Projects::Topmost,
        program: "scip-java",
        args: &["index", "--output", "{out}"],
        scratch: None,
        source: IndexerSource::ByHand("coursier install scip-java"),
        runs_code: Some("the whole build with its plugins"),
    },
    Indexer {
        id: "scip-clang",
        languages: &["c", "cpp"],
        manifests: &["compile_commands.json"],
        projects: Projects::Topmost,
        program: "scip-clang",
        args: &[
            "--compdb-path=compile_commands.json",
            "--index-output-path={out}",
        ],
        scratch: None,
        source: IndexerSource::ByHand("https://github.com/sourcegraph/scip-clang/releases"),
        // It asks the first word of each command for `-print-resource-dir`.
        runs_code: Some("each compiler that compile_commands.json names"),
    },
    Indexer {
        id: "scip-ruby",
        languages: &["ruby"],
        manifests: &[],
        projects: Projects::Root,
        program: "scip-ruby",
        // `sorbet/config` of the repository may name files to write and hosts to report to.
        args: &[
            ".",
            "--no-config",
            "--index-file",
            "{out}",
            "--gem-metadata",
            "{name}@0",
        ],
        scratch: None,
        source: IndexerSource::ByHand("gem install scip-ruby"),
        runs_code: None,
    },
    Indexer {
        id: "scip-dotnet",
        languages: &["csharp"],
        manifests: &[],
        projects: Projects::Root,
        program: "scip-dotnet",
        args: &["index", "--output", "{out}"],
        scratch: None,
        source: IndexerSource::ByHand("dotnet tool install --global scip-dotnet"),
        runs_code: Some("MSBuild targets and package restore"),
    },
];

/// The indexer of that name.
pub(super) fn by_id(id: &str) -> Option<&'static Indexer> {
    INDEXERS.iter().find(|indexer| indexer.id == id)
}
