use super::*;

fn with_file(file: &str) -> String {
    format!(
        "schema = 1\ndefault = \"m\"\n[model.m]\ntitle = \"M\"\narch = \"bert\"\ndim = 8\n\
         pooling = \"mean\"\nmax_tokens = 8\nmax_query_tokens = 8\nquery_prefix = \"\"\n\
         document_prefix = \"\"\nlicence = \"MIT\"\nupstream = \"u\"\nsources = []\n\
         files = [{file}]\n"
    )
}

#[test]
fn the_builtin_lock_says_of_every_model_what_it_is() {
    let lock = ModelLock::builtin();
    assert_eq!(lock.default_entry().name, "minilm-l6");
    let coderank = lock.get("coderank-embed").unwrap();
    assert_eq!(coderank.arch, Architecture::NomicBert);
    assert_eq!(coderank.pooling, Pooling::Cls);
    for entry in lock.entries() {
        for name in ["model.safetensors", "tokenizer.json", "config.json"] {
            assert!(entry.file(name).is_some(), "{} lacks {name}", entry.name);
        }
        assert!(!entry.sources.is_empty());
        assert!(!entry.roles().is_empty(), "{} is for nothing", entry.name);
        for head in &entry.token_heads {
            assert!(head.dim > 0, "{}", entry.name);
        }
    }
}

#[test]
fn unpinned_and_travelling_files_are_refused() {
    let sha = "0".repeat(64);
    let check = |file: &str, expected: &str| {
        let error = ModelLock::parse(&with_file(file)).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    check(
        "{ name = \"a\", size_bytes = 1, sha256 = \"\" }",
        "no sha256",
    );
    check(
        &format!("{{ name = \"../a\", size_bytes = 1, sha256 = \"{sha}\" }}"),
        "plain file",
    );
    check(
        &format!("{{ name = \"a/../b\", size_bytes = 1, sha256 = \"{sha}\" }}"),
        "plain file",
    );
}

#[test]
fn what_is_not_pinned_must_be_owned_to() {
    let text = with_file("{ name = \"a/w\" }");
    let error = ModelLock::parse(&text).unwrap_err().to_string();
    assert!(error.contains("no sha256"), "{error}");
    let lock = ModelLock::parse(&format!("{text}import_only = true\n")).unwrap();
    let entry = lock.get("m").unwrap();
    let unpinned: Vec<&str> = entry.unpinned().map(|file| file.name.as_str()).collect();
    assert_eq!(unpinned, ["a/w"]);
}

#[test]
fn sources_parse() {
    let sha = "a".repeat(64);
    assert_eq!(
        ModelSource::parse(&format!("pypi:p==1.0#{sha}!p/model")),
        Some(ModelSource::Pypi {
            requirement: "p==1.0".into(),
            wheel_sha256: sha,
            folder: "p/model".into()
        })
    );
    assert_eq!(
        ModelSource::parse("hf:o/n@c0ffee"),
        Some(ModelSource::Hub {
            repository: "o/n".into(),
            revision: "c0ffee".into()
        })
    );
    assert_eq!(ModelSource::parse("pypi:p#00!x"), None);
    assert_eq!(ModelSource::parse("ftp:x"), None);
}
