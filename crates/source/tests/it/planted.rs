//! Planted secrets, drawn again for each seed, in the files that tools document; and ordinary settings.

use crate::drawn::Draw;
use whyrank_source::{FileFilter, SkipReason, shown};

/// Files as the documentation of tools that keep secrets has them.
const PLANTED: &[(&str, &str)] = &[
    (
        "conf/registry.npmrc",
        "//registry.npmjs.org/:_authToken=⟨h8⟩-⟨h4⟩-⟨h4⟩-⟨h4⟩-⟨h12⟩\n",
    ),
    (
        "home/netrc.txt",
        "machine api.heroku.com\n  login me@corp.io\n  password ⟨h36⟩\n",
    ),
    (
        "home/upload.ini",
        "[pypi]\nusername = __token__\npassword = pypi-AgEIcHlwaS5vcmc⟨w90⟩\n",
    ),
    (
        "docker/config-prod.json",
        "{\"auths\": {\"registry.corp.io\": {\"auth\": \"ZGVwbG95OnM4S2QyTHE5WnhWMQ==\"}}}\n",
    ),
    (
        "k8s/cluster.yaml",
        "apiVersion: v1\nkind: Config\nusers:\n- name: admin\n  user:\n    token: ⟨a40⟩\n",
    ),
    (
        "k8s/db.yaml",
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ntype: Opaque\ndata:\n  conn: czhLZDJMcTlaeFYx\n",
    ),
    (
        "k8s/smtp.yaml",
        "kind: Secret\napiVersion: v1\nstringData:\n  relay: \"⟨p14⟩\"\n",
    ),
    (
        "k8s/deploy.yaml",
        "spec:\n  containers:\n  - name: web\n    env:\n    - name: DB_PASSWORD\n      value: ⟨p12⟩\n",
    ),
    (
        "infra/main.tf",
        "resource \"aws_db_instance\" \"db\" {\n  username = \"app\"\n  password = \"⟨p16⟩\"\n}\n",
    ),
    (
        "infra/variables.tf",
        "variable \"db_password\" {\n  type    = string\n  default = \"⟨p14⟩\"\n}\n",
    ),
    (
        "infra/state.json",
        "{\"resources\": [{\"type\": \"aws_iam_access_key\", \"instances\": [{\"attributes\": {\"secret\": \"⟨b40⟩\"}}]}]}\n",
    ),
    (
        "ansible/group_vars/all.yml",
        "db_user: app\ndb_pass: ⟨p12⟩\n",
    ),
    (
        "ansible/group_vars/vault-all.yml",
        "$ANSIBLE_VAULT;1.1;AES256\n⟨h80⟩\n⟨h80⟩\n",
    ),
    (
        "ansible/hosts.ini",
        "[web]\nweb1 ansible_host=10.0.0.4 ansible_user=root ansible_ssh_pass=⟨p12⟩\n",
    ),
    (
        "config/database.yml",
        "production:\n  adapter: postgresql\n  username: app\n  password: ⟨p14⟩\n",
    ),
    ("config/credentials/production.key", "⟨h32⟩\n"),
    (
        "config/cable.yml",
        "production:\n  adapter: redis\n  url: redis://:⟨a24⟩@cache.corp.io:6379/1\n",
    ),
    (
        "public/wp-settings-local.php",
        "<?php\ndefine( 'DB_PASSWORD', '⟨p14⟩' );\n",
    ),
    (
        "public/wp-salts.php",
        "<?php\ndefine('AUTH_KEY', '⟨a64⟩');\n",
    ),
    ("nginx/users", "deploy:$apr1$⟨a8⟩$⟨a22⟩\n"),
    (
        "gcloud/adc.json",
        "{\"client_id\": \"⟨d12⟩.apps.googleusercontent.com\", \"client_secret\": \"⟨w24⟩\", \"refresh_token\": \"1//0⟨w60⟩\", \"type\": \"authorized_user\"}\n",
    ),
    (
        "gcloud/sa-prod.json",
        "{\"type\": \"service_account\", \"private_key_id\": \"⟨h40⟩\", \"private_key\": \"-----BEGIN PRIVATE KEY-----\\n⟨b64⟩\\n⟨b64⟩\\n⟨b64⟩\\n-----END PRIVATE KEY-----\\n\"}\n",
    ),
    (
        "aws/profile",
        "[default]\naws_access_key_id = AKIA⟨u16⟩\naws_secret_access_key = ⟨b40⟩\n",
    ),
    ("aws/only-secret", "[prod]\naws_secret_access_key=⟨b40⟩\n"),
    (
        "azure/profile.json",
        "{\"subscriptions\": [], \"servicePrincipal\": {\"clientSecret\": \"⟨a3⟩8Q~⟨a34⟩\"}}\n",
    ),
    (
        "azure/settings.json",
        "{\"IsEncrypted\": false, \"Values\": {\"AzureWebJobsStorage\": \"DefaultEndpointsProtocol=https;AccountName=corp;AccountKey=⟨b86⟩==;EndpointSuffix=core.windows.net\"}}\n",
    ),
    (
        "azure/bus.config",
        "<add key=\"Bus\" value=\"Endpoint=sb://corp.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=⟨b43⟩=\" />\n",
    ),
    (
        "composer/auth-prod.json",
        "{\"http-basic\": {\"repo.corp.io\": {\"username\": \"ci\", \"password\": \"⟨a20⟩\"}}}\n",
    ),
    (
        "android/gradle.properties",
        "org.gradle.jvmargs=-Xmx2g\nRELEASE_STORE_PASSWORD=⟨p12⟩\nRELEASE_KEY_ALIAS=upload\n",
    ),
    (
        "android/signing.gradle",
        "android { signingConfigs { release {\n  storePassword '⟨p12⟩'\n  keyAlias 'upload'\n} } }\n",
    ),
    (
        "maven/settings.xml",
        "<settings><servers><server><id>corp</id><username>ci</username><password>⟨p14⟩</password></server></servers></settings>\n",
    ),
    (
        "dotnet/nuget.config",
        "<configuration><packageSourceCredentials><corp><add key=\"Username\" value=\"ci\" /><add key=\"ClearTextPassword\" value=\"⟨l24⟩\" /></corp></packageSourceCredentials></configuration>\n",
    ),
    (
        "dotnet/appsettings.Production.json",
        "{\"ConnectionStrings\": {\"Main\": \"Server=db;Database=app;User Id=sa;Password=⟨p12⟩;\"}}\n",
    ),
    (
        "dotnet/web.config",
        "<connectionStrings><add name=\"m\" connectionString=\"Data Source=db;User ID=app;Pwd=⟨p12⟩\" /></connectionStrings>\n",
    ),
    (
        "rust/cargo-creds.toml",
        "[registries.corp]\ntoken = \"⟨a32⟩\"\n",
    ),
    ("ruby/gem-creds", "---\n:rubygems_api_key: rubygems_⟨h48⟩\n"),
    ("git/stored", "https://deploy:⟨a20⟩@git.corp.io\n"),
    (
        "backup/s3cmd.conf",
        "[default]\naccess_key = ⟨u20⟩\nsecret_key = ⟨b40⟩\n",
    ),
    (
        "backup/rclone-prod.conf.txt",
        "[b2]\ntype = b2\naccount = ⟨h12⟩\nkey = K00⟨a28⟩\n\n[ftp]\ntype = sftp\npass = ⟨w32⟩\n",
    ),
    (
        "backup/boto.cfg",
        "[Credentials]\ngs_secret_access_key = ⟨b40⟩\n",
    ),
    (
        "ftp/sites.xml",
        "<FileZilla3><Servers><Server><Host>h</Host><User>u</User><Pass encoding=\"base64\">czhLZDJMcTlaeFYx</Pass></Server></Servers></FileZilla3>\n",
    ),
    (
        "keys/deploy",
        "-----BEGIN OPENSSH PRIVATE KEY-----\n⟨PEM⟩\n-----END OPENSSH PRIVATE KEY-----\n",
    ),
    (
        "keys/ed.txt",
        "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEI⟨b43⟩\n-----END PRIVATE KEY-----\n",
    ),
    (
        "keys/release.asc",
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n⟨PEM⟩\n=⟨b4⟩\n-----END PGP PRIVATE KEY BLOCK-----\n",
    ),
    (
        "keys/session",
        "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 1\n⟨b44⟩\n",
    ),
    (
        "keys/jwks.json",
        "{\"keys\": [{\"kty\": \"OKP\", \"crv\": \"Ed25519\", \"d\": \"⟨w43⟩\", \"x\": \"⟨w43⟩\"}]}\n",
    ),
    (
        "vpn/office.conf.txt",
        "client\n<tls-auth>\n-----BEGIN OpenVPN Static key V1-----\n⟨h32⟩\n⟨h32⟩\n⟨h32⟩\n⟨h32⟩\n-----END OpenVPN Static key V1-----\n</tls-auth>\n",
    ),
    (
        "vpn/tunnel.conf",
        "[Interface]\nPrivateKey = ⟨b43⟩=\nAddress = 10.0.0.2/24\n",
    ),
    ("vpn/ipsec.txt", ": PSK \"⟨a24⟩\"\n"),
    (
        "hashicorp/cli.rc",
        "credentials \"app.terraform.io\" {\n  token = \"⟨a14⟩.atlasv1.⟨a60⟩\"\n}\n",
    ),
    ("hashicorp/vault.txt", "VAULT_TOKEN=hvs.⟨w92⟩\n"),
    ("db/pgpass.txt", "db.corp.io:5432:app:app:⟨p14⟩\n"),
    ("db/client.cnf", "[client]\nuser=root\npassword=⟨p12⟩\n"),
    (
        "db/mongo.conf",
        "uri = mongodb+srv://app:⟨a18⟩@cluster0.ab1cd.mongodb.net/prod\n",
    ),
    ("db/redis-prod.conf", "bind 0.0.0.0\nrequirepass ⟨a28⟩\n"),
    ("db/replica.conf", "masterauth ⟨a20⟩\n"),
    (
        "db/grants.sql",
        "CREATE USER 'app'@'%' IDENTIFIED BY '⟨p14⟩';\n",
    ),
    (
        "db/roles.sql",
        "ALTER ROLE app WITH LOGIN PASSWORD '⟨p14⟩';\n",
    ),
    (
        "mq/rabbitmq.conf",
        "default_user = app\ndefault_pass = ⟨a16⟩\n",
    ),
    (
        "mq/definitions.json",
        "{\"users\": [{\"name\": \"app\", \"password_hash\": \"⟨b47⟩=\", \"hashing_algorithm\": \"rabbit_password_hashing_sha256\"}]}\n",
    ),
    (
        "monitoring/grafana.ini",
        "[security]\nadmin_user = admin\nadmin_password = ⟨p12⟩\nsecret_key = ⟨a20⟩\n",
    ),
    (
        "monitoring/alertmanager.yml",
        "global:\n  smtp_auth_username: a\n  smtp_auth_password: ⟨p14⟩\n",
    ),
    (
        "chat/slack.yml",
        "hook: https://hooks.slack.com/services/T⟨u8⟩/B⟨u8⟩/⟨a24⟩\n",
    ),
    ("chat/bot.json", "{\"slack\": \"xoxb-⟨d12⟩-⟨d12⟩-⟨a24⟩\"}\n"),
    ("chat/discord.json", "{\"token\": \"M⟨a23⟩.G⟨a5⟩.⟨w38⟩\"}\n"),
    (
        "chat/hook.txt",
        "https://discord.com/api/webhooks/⟨d18⟩/⟨w68⟩\n",
    ),
    ("chat/telegram.ini", "bot = ⟨d10⟩:AA⟨w33⟩\n"),
    ("pay/stripe.properties", "stripe.key=sk_live_⟨a24⟩\n"),
    (
        "sms/twilio.yaml",
        "account_sid: AC⟨h32⟩\nauth_token: ⟨h32⟩\n",
    ),
    ("mail/sendgrid.conf", "k = SG.⟨w22⟩.⟨w43⟩\n"),
    ("ai/keys.toml", "a = \"sk-ant-api03-⟨w93⟩AA\"\n"),
    (
        "ai/openai.sh",
        "curl https://api.openai.com/v1/models -H \"Authorization: Bearer sk-proj-⟨a74⟩T3BlbkFJ⟨a74⟩\"\n",
    ),
    ("ai/hf.cfg", "token: hf_⟨a34⟩\n"),
    ("ci/github.txt", "ghp_⟨a36⟩\n"),
    ("ci/fine.txt", "github_pat_⟨a22⟩_⟨a59⟩\n"),
    ("ci/gitlab.yml", "variables:\n  DEPLOY: glpat-⟨w20⟩\n"),
    (
        "ci/bitbucket.yml",
        "  clone: https://x-token-auth:⟨w32⟩@bitbucket.org/corp/app.git\n",
    ),
    ("ci/variables.sh", "export SONAR_TOKEN=⟨h40⟩\n"),
    (
        "ci/Jenkinsfile",
        "withEnv(['NEXUS_PASSWORD=⟨p12⟩']) { sh 'make' }\n",
    ),
    (
        "ci/deploy.sh",
        "sshpass -p '⟨p12⟩' scp a b:\ncurl -u ci:⟨p14⟩ https://nexus/\n",
    ),
    ("ci/backup.sh", "mysqldump -u root -p⟨p12⟩ app > app.sql\n"),
    (
        "ci/Dockerfile",
        "FROM x\nENV API_TOKEN ⟨a32⟩\nARG DB_PASSWORD=⟨p12⟩\n",
    ),
    (
        "ci/compose.yml",
        "services:\n  db:\n    environment:\n      - POSTGRES_PASSWORD=⟨p14⟩\n",
    ),
    (
        "ci/session.log",
        "GET / Cookie: a Authorization: Bearer eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ⟨w60⟩.⟨w86⟩\n",
    ),
    ("app/firebase.json", "{\"apiKey\": \"AIza⟨w35⟩\"}\n"),
    (
        "app/application.yml",
        "spring:\n  datasource:\n    username: app\n    password: ⟨p14⟩\n",
    ),
    (
        "app/application.properties",
        "jwt.secret=⟨b64⟩\nspring.mail.password=⟨l16⟩\n",
    ),
    (
        "app/persistence.xml",
        "<property name=\"javax.persistence.jdbc.password\" value=\"⟨p12⟩\"/>\n",
    ),
    (
        "app/Info.plist",
        "<key>ApiSecret</key>\n<string>⟨a32⟩</string>\n",
    ),
    ("app/laravel.txt", "APP_KEY=base64:⟨b43⟩=\n"),
    (
        "app/settings.py",
        "DATABASES = {'default': {'NAME': 'app', 'PASSWORD': '⟨p14⟩'}}\n",
    ),
    ("app/settings_secret.py", "SECRET_KEY = '⟨a50⟩'\n"),
    ("app/client.js", "const apiSecret = \"⟨a40⟩\";\n"),
    (
        "app/Config.java",
        "private static final String DB_PASSWORD = \"⟨p14⟩\";\n",
    ),
    (
        "app/db.go",
        "dsn := \"postgres://app:⟨a20⟩@db.corp.io/app?sslmode=disable\"\n",
    ),
    (
        "app/key.rb",
        "KEY = <<~PEM\n-----BEGIN EC PRIVATE KEY-----\n⟨b64⟩\n⟨b64⟩\n⟨b28⟩==\n-----END EC PRIVATE KEY-----\nPEM\n",
    ),
    (".env.production.local", "A=1\n"),
    ("env.prod", "A=1\n"),
    ("deploy/.ENVRC.private.env", "A=1\n"),
];

/// Settings without a secret, as public repositories have them.
const ORDINARY: &[(&str, &str)] = &[
    (
        "compose.yml",
        "environment:\n  POSTGRES_PASSWORD: postgres\n  PGUSER: app\n",
    ),
    (
        "ci.yml",
        "env:\n  GH_TOKEN: ${{ secrets.GITHUB_TOKEN }}\n  NPM_TOKEN: $NPM_TOKEN\n",
    ),
    (
        "values.yaml",
        "auth:\n  existingSecret: my-release-secret-2\n  password: \"\"\n  passwordKey: redis-password\n",
    ),
    (
        "app.config",
        "<add assembly=\"System.Web, PublicKeyToken=b77a5c561934e089\" />\n",
    ),
    (
        "package.json",
        "{\"dependencies\": {\"@octokit/auth-token\": \"^2.4.4\", \"csrf-token\": \"1.0.2\"}}\n",
    ),
    (
        "messages.properties",
        "login.password=Enter your password\nlogin.token=Token 2 of 3\n",
    ),
    (
        "schema.sql",
        "CREATE TABLE users (id INT, password VARCHAR(255) NOT NULL, api_key CHAR(40));\n",
    ),
    (
        "openapi.yaml",
        "password:\n  type: string\n  minLength: 8\ntoken:\n  $ref: '#/components/x1'\n",
    ),
    (
        "deploy.sh",
        "PASSWORD=\"$(cat /run/secrets/db1)\"\ncurl -u \"$USER:$PASS1\" https://a.b/c\n",
    ),
    (
        ".env.example",
        "DB_PASSWORD=changeme123\nAPI_KEY=your-api-key-1\n",
    ),
    (
        "main.tf",
        "password = var.db_password\ntoken = data.vault.x.data[\"token1\"]\n",
    ),
    (
        "settings.py",
        "SECRET_KEY = os.environ[\"SECRET_KEY\"]\nPASSWORD = get(\"DB_PASSWORD\")\n",
    ),
    (
        "auth.ts",
        "const token = jwt.sign({ id: 1 }, secret);\nconst password: string = req.body.password1;\n",
    ),
    (
        "guide.md",
        "Set `password: s3cret9` and `token=abc123def` first.\n",
    ),
    ("tests/fixtures/app.yml", "password: q8Zt3nLx\n"),
    ("a_test.go", "const password = \"Zq8!tLx3nB%w\"\n"),
    (
        "yarn.lock",
        "resolved \"https://r.io/a#⟨h40⟩\"\n  integrity sha512-⟨b86⟩==\n",
    ),
    (
        "vars.yml",
        "password: \"{{ vault_db_password1 }}\"\nurl: postgres://app:${PW}@db/app\n",
    ),
    (
        "config.toml",
        "token_url = \"https://a.b/oauth2/token\"\nkey = \"session:user:1\"\n",
    ),
    ("git.ini", "[user]\nsigningkey = 3AA5C34371567BD2\n"),
];

fn is_held_back(path: &str, text: &str) -> bool {
    match shown(path, text.as_bytes(), &FileFilter::default()) {
        Ok(shown) => shown != text,
        Err(reason) => reason == SkipReason::Secret,
    }
}

#[test]
fn planted_secrets_are_held_back_and_ordinary_settings_are_not() {
    for seed in [1, 20, 300] {
        let mut draw = Draw(seed);
        let served = PLANTED.iter().filter_map(|(path, template)| {
            let text = draw.fill(template);
            (!is_held_back(path, &text)).then(|| format!("{path}: {text}"))
        });
        let served: Vec<String> = served.collect();
        assert!(
            served.is_empty(),
            "seed {seed}, {} served\n{}",
            served.len(),
            served.join("\n")
        );
        let held = ORDINARY.iter().filter_map(|(path, template)| {
            let text = draw.fill(template);
            is_held_back(path, &text).then_some(format!("{path}: {text}"))
        });
        let held: Vec<String> = held.collect();
        assert!(
            held.is_empty(),
            "seed {seed}: held back\n{}",
            held.join("\n")
        );
    }
}
