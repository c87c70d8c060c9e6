//! Environment of programs that Whyrank starts: the variables of the person's that they get.
//!
//! INVARIANT: a variable passes because it is listed. None of those here makes a program load code of
//! another place, start a program that it names, or run through a shell.

use std::ffi::OsString;

// Names are parted by spaces.

/// The person, their folders and their language.
const PERSON: &str = "\
    HOME LANG LANGUAGE LOCALE_ARCHIVE LOGNAME NO_COLOR TEMP TERM TMP TMPDIR TZ USER \
    XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_RUNTIME_DIR XDG_STATE_HOME";

/// Variables that Windows' own libraries need.
const WINDOWS: &str = "\
    ALLUSERSPROFILE APPDATA COMMONPROGRAMFILES COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA \
    NUMBER_OF_PROCESSORS OS PATHEXT PROCESSOR_ARCHITECTURE PROGRAMDATA PROGRAMFILES \
    PROGRAMFILES(X86) PROGRAMW6432 SYSTEMDRIVE SYSTEMROOT USERDOMAIN USERNAME USERPROFILE \
    WINDIR";

/// The ways to the network, and whom it trusts; not which index code comes from.
const NETWORK: &str = "\
    ALL_PROXY CURL_CA_BUNDLE HTTPS_PROXY HTTP_PROXY NIX_SSL_CERT_FILE NODE_EXTRA_CA_CERTS \
    NO_PROXY NPM_CONFIG_CAFILE NPM_CONFIG_HTTPS_PROXY NPM_CONFIG_NOPROXY NPM_CONFIG_PROXY \
    PIP_CERT PIP_CLIENT_CERT PIP_DEFAULT_TIMEOUT PIP_PROXY PIP_RETRIES PIP_TIMEOUT \
    REQUESTS_CA_BUNDLE SSL_CERT_DIR SSL_CERT_FILE";

/// Places of tools that a person installed, which indexers and their compilers look for.
const TOOLS: &str = "\
    ANDROID_HOME ANDROID_SDK_ROOT ASDF_DATA_DIR ASDF_DIR CARGO_HOME CGO_ENABLED \
    COURSIER_CACHE DEVELOPER_DIR DOTNET_CLI_HOME DOTNET_ROOT GEM_HOME GEM_PATH GOARCH \
    GOCACHE GOMODCACHE GONOPROXY GONOSUMDB GOOS GOPATH GOPRIVATE GOPROXY GOROOT GOSUMDB \
    GRADLE_USER_HOME JAVA_HOME MAVEN_HOME MISE_DATA_DIR NUGET_PACKAGES NVM_DIR \
    PKG_CONFIG_PATH PYENV_ROOT PYENV_VERSION RBENV_ROOT RBENV_VERSION RUSTUP_HOME \
    RUSTUP_TOOLCHAIN SDKROOT SDKMAN_DIR VOLTA_HOME";

/// The ways to a desktop.
const DESKTOP: &str = "\
    DBUS_SESSION_BUS_ADDRESS DESKTOP_SESSION DISPLAY WAYLAND_DISPLAY XAUTHORITY \
    XDG_CURRENT_DESKTOP XDG_DATA_DIRS XDG_SESSION_TYPE";

/// Starts of names: the rest of the locale, and Whyrank's own settings.
const STARTS: &[&str] = &["LC_", "WHYRANK_"];

/// Says whether a program that is started gets a variable. `PATH` is set anew, without folders of a checkout.
pub(super) fn passes(name: &str) -> bool {
    // Windows knows no case, and proxies are written in either everywhere.
    let name = name.to_ascii_uppercase();
    let lists = [PERSON, WINDOWS, NETWORK, TOOLS, DESKTOP];
    let mut listed = lists.iter().flat_map(|list| list.split(' '));
    listed.any(|one| one == name) || STARTS.iter().any(|start| name.starts_with(start))
}

/// The variables that pass, of this process's own.
pub(super) fn passed() -> impl Iterator<Item = (OsString, OsString)> {
    std::env::vars_os().filter(|(name, _)| passes(&name.to_string_lossy()))
}
