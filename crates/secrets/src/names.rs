//! Names under which credentials are kept.

/// Names of files that hold credentials, lower case.
const NAMES: &[&str] = &[
    ".bash_history",
    ".boto",
    ".cdsapirc",
    ".cifscreds",
    ".credentials",
    ".databrickscfg",
    ".dbshell",
    ".dockercfg",
    ".dockerconfigjson",
    ".env.json",
    ".envrc",
    ".esmtprc",
    ".fetchmailrc",
    ".ftpconfig",
    ".ftppass",
    ".git-credentials",
    ".htdigest",
    ".htpasswd",
    ".irb_history",
    ".ivy2-credentials",
    ".mongorc.js",
    ".msmtprc",
    ".my.cnf",
    ".mylogin.cnf",
    ".mysql_history",
    ".netrc",
    ".node_repl_history",
    ".npmrc",
    ".offlineimaprc",
    ".passwd",
    ".pgpass",
    ".psql_history",
    ".pypirc",
    ".python_history",
    ".rediscli_auth",
    ".rediscli_history",
    ".remote-sync.json",
    ".s3cfg",
    ".secret",
    ".secrets",
    ".secrets.toml",
    ".sentryclirc",
    ".sh_history",
    ".sqlite_history",
    ".terraformrc",
    ".token",
    ".trc",
    ".vault-password",
    ".vault-token",
    ".vault_pass",
    ".vault_password",
    ".wakatime.cfg",
    ".zsh_history",
    "_netrc",
    "access_tokens.json",
    "accesstokens.json",
    "api_key.txt",
    "apikey.txt",
    "application_default_credentials.json",
    "cdsapirc",
    "chap-secrets",
    "client_secret.json",
    "client_secrets.json",
    "cookies.txt",
    "credentials",
    "credentials.db",
    "credentials.ini",
    "credentials.json",
    "credentials.properties",
    "credentials.toml",
    "credentials.xml",
    "credentials.yaml",
    "credentials.yml",
    "dbeaver-data-sources.xml",
    "debian.cnf",
    "env.dev",
    "env.development",
    "env.local",
    "env.prod",
    "env.production",
    "env.staging",
    "filezilla.xml",
    "gcp-key.json",
    "htpasswd",
    "id_dsa",
    "id_ecdsa",
    "id_ecdsa_sk",
    "id_ed25519",
    "id_ed25519_sk",
    "id_rsa",
    "kaggle.json",
    "kubeconfig",
    "kubeconfig.yaml",
    "local.settings.json",
    "logins.json",
    "master.key",
    "oauth-credentials.json",
    "pap-secrets",
    "password.txt",
    "passwords.txt",
    "pgpass.conf",
    "proftpdpasswd",
    "rclone.conf",
    "recentservers.xml",
    "robomongo.json",
    "secret.json",
    "secret.toml",
    "secret.txt",
    "secret.yaml",
    "secret.yml",
    "secrets.ini",
    "secrets.json",
    "secrets.properties",
    "secrets.toml",
    "secrets.txt",
    "secrets.yaml",
    "secrets.yml",
    "secring.gpg",
    "service-account.json",
    "service_account.json",
    "serviceaccount.json",
    "settings-security.xml",
    "sftp-config.json",
    "shadow",
    "sitemanager.xml",
    "token.txt",
    "vault-password.txt",
    "vault.yaml",
    "vault.yml",
    "vault_pass.txt",
    "vault_password.txt",
    "wallet.dat",
    "webservers.xml",
    "wg0.conf",
    "wp-config.php",
    "wpa_supplicant.conf",
];

/// Files that hold credentials by the folder that they lie in.
const PATHS: &[&str] = &[
    ".aws/config",
    ".azure/accesstokens.json",
    ".bundle/config",
    ".cache/huggingface/token",
    ".cargo/credentials",
    ".codex/auth.json",
    ".composer/auth.json",
    ".config/doctl/config.yaml",
    ".config/gh/hosts.yml",
    ".config/hub",
    ".config/rclone/rclone.conf",
    ".dbt/profiles.yml",
    ".docker/config.json",
    ".fly/config.yml",
    ".gem/credentials",
    ".gradle/gradle.properties",
    ".huggingface/token",
    ".ivy2/.credentials",
    ".kaggle/kaggle.json",
    ".kube/config",
    ".m2/settings.xml",
    ".netlify/config.json",
    ".ngrok2/ngrok.yml",
    ".oci/config",
    ".sbt/.credentials",
    ".snowsql/config",
    ".ssh/config",
    ".terraform.d/credentials.tfrc.json",
    ".travis/config.yml",
    ".vercel/auth.json",
    ".vscode/sftp.json",
    "etc/shadow",
];

/// Folders in which programs keep credentials, whatever the file is called.
const FOLDERS: &[&str] = &[
    ".aws/sso/cache/",
    ".azure/",
    ".config/gcloud/",
    ".gnupg/",
    "private-keys-v1.d/",
];

const EXTENSIONS: &[&str] = &[
    "agekey", "bks", "enc", "jceks", "jks", "kdb", "kdbx", "key", "keystore", "keytab", "ovpn",
    "p12", "p8", "pem", "pfx", "pk8", "pkcs12", "ppk", "psafe3", "secret", "secrets", "tfrc",
    "tfstate", "tfvars",
];

/// How names begin under which services hand out keys.
const STARTS: &[&str] = &[".env-", ".env.", ".env_", "client_secret_", "ssh_host_"];
/// How they end.
const ENDS: &[&str] = &[
    ".auto.tfvars.json",
    ".env",
    ".tfvars.json",
    ".pem.txt",
    "-credentials.json",
    "_credentials.json",
    "-firebase-adminsdk.json",
    "-service-account.json",
    "_rsa",
    "_ed25519",
    "_ecdsa",
    "_dsa",
];

/// Endings of copies; the file is judged by the name before them.
const COPIES: &[&str] = &[
    ".1", ".2", ".backup", ".bak", ".copy", ".old", ".orig", ".save", ".swp", "~",
];

/// Files that show which values there are, without the values.
const TEMPLATES: &[&str] = &["dist", "example", "sample", "template"];

/// Whether a path, in lower case, is one under which credentials are kept.
pub fn is_secret_path(path: &str) -> bool {
    let path = COPIES
        .iter()
        .find_map(|ending| path.strip_suffix(ending))
        .unwrap_or(path);
    let name = path.rsplit('/').next().unwrap_or(path);
    if name.split('.').any(|part| TEMPLATES.contains(&part)) || name.ends_with(".pub") {
        return false;
    }
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    let lies_there = |known: &&str| follows_slash(path.strip_suffix(*known));
    let lies_in = |known: &&str| {
        path.find(*known)
            .is_some_and(|at| follows_slash(Some(&path[..at])))
    };
    name == ".env"
        || NAMES.contains(&name)
        || extension.is_some_and(|extension| EXTENSIONS.contains(&extension))
        || STARTS.iter().any(|start| name.starts_with(start))
        || ENDS.iter().any(|end| name.ends_with(end))
        || is_handed_out(name)
        || name.contains("pgpass")
        || PATHS.iter().any(lies_there)
        || FOLDERS.iter().any(lies_in)
}

/// Whether what comes before a name is whole folders.
fn follows_slash(before: Option<&str>) -> bool {
    before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

/// Whether a cloud's console gives its files of keys such names, with an id within.
fn is_handed_out(name: &str) -> bool {
    let is_json = name.ends_with(".json");
    is_json && (name.contains("firebase-adminsdk") || name.contains("service-account-key"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_and_folders_of_secrets_are_secret_and_templates_are_not() {
        for path in [
            ".envrc",
            "app/.env~",
            "id_rsa.bak",
            "home/.ssh/config",
            ".aws/config",
            ".kube/config",
            ".docker/config.json",
            ".cargo/credentials.toml",
            "infra/terraform.tfstate",
            "infra/terraform.tfstate.backup",
            "config/secrets.yml",
            "config/credentials.yml.enc",
            "service-account.json",
            "shop-1a2b3-firebase-adminsdk-x7f2q-0c1d2e3f4a.json",
            "home/.config/gcloud/legacy_credentials/a/adc.json",
            "deploy_rsa",
            "infra/prod.tfvars",
        ] {
            assert!(is_secret_path(path), "{path}");
        }
        for path in [
            "config",
            "src/config.json",
            "docker/config.json",
            "infra/prod.tfvars.example",
            "secrets.example.yml",
            "src/secrets.rs",
            "config/credentials.rs",
            "deploy_rsa.pub",
            "src/shadow.rs",
            "my.azure/pipeline.yml",
        ] {
            assert!(!is_secret_path(path), "{path}");
        }
    }
}
