//! Opens a tokio-postgres connection to the target of sqlx options.

use std::path::PathBuf;
use std::time::Duration;

use percent_encoding::percent_decode_str;
use sqlx::ConnectOptions;
use sqlx::postgres::{PgConnectOptions, PgSslMode};
use tokio_postgres::config::SslMode;
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{Client, Config, Connection, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::Failure;
use super::tls::client_config;

/// Idle time after which the operating system tests the connection: neither side sends anything while there are no appends, so a dead
/// server would go unnoticed.
const KEEPALIVE: Duration = Duration::from_secs(30);

/// A client and the connection that drives it.
pub(super) struct ClientConnection {
    pub(super) client: Client,
    /// Makes progress only while it is polled.
    pub(super) connection:
        Connection<Socket, <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream>,
}

/// Connects as sqlx does with the same options.
pub(super) async fn connect(options: &PgConnectOptions) -> Result<ClientConnection, Failure> {
    let hidden = Hidden::of(options)?;
    let config = config(options, &hidden);
    let tls = client_config(options.get_ssl_mode(), &hidden).await?;
    let (client, connection) = config.connect(MakeRustlsConnect::new(tls)).await?;
    Ok(ClientConnection { client, connection })
}

fn config(options: &PgConnectOptions, hidden: &Hidden) -> Config {
    let mut config = Config::new();
    match options.get_socket() {
        Some(folder) => config.host_path(folder),
        // Without the brackets of an IPv6 address in a URL.
        None => config.host(options.get_host().trim_matches(['[', ']'])),
    };
    config
        .port(options.get_port())
        .user(options.get_username())
        .keepalives_idle(KEEPALIVE)
        .ssl_mode(match options.get_ssl_mode() {
            // As in sqlx, which does not implement `allow`.
            PgSslMode::Disable | PgSslMode::Allow => SslMode::Disable,
            PgSslMode::Prefer => SslMode::Prefer,
            PgSslMode::Require | PgSslMode::VerifyCa | PgSslMode::VerifyFull => SslMode::Require,
        });
    if let Some(password) = &hidden.password {
        config.password(password);
    }
    if let Some(database) = options.get_database() {
        config.dbname(database);
    }
    if let Some(name) = options.get_application_name() {
        config.application_name(name);
    }
    if let Some(settings) = options.get_options() {
        config.options(settings);
    }
    config
}

/// PEM text, or the path of a file.
pub(super) enum Pem {
    Inline(String),
    File(PathBuf),
}

impl Pem {
    /// From the form in which sqlx displays it.
    fn displayed(text: &str) -> Self {
        match text.strip_prefix("file: ") {
            Some(path) => Self::File(path.into()),
            None => Self::Inline(text.to_owned()),
        }
    }

    pub(super) async fn read(&self) -> Result<Vec<u8>, Failure> {
        match self {
            Self::Inline(text) => Ok(text.clone().into_bytes()),
            Self::File(path) => tokio::fs::read(path)
                .await
                .map_err(|error| format!("{}: {error}", path.display()).into()),
        }
    }
}

/// Options that sqlx exposes only in its URL form, whether they came from a URL, the environment or the password file.
#[derive(Default)]
pub(super) struct Hidden {
    password: Option<String>,
    pub(super) root_certificates: Option<Pem>,
    pub(super) certificate: Option<Pem>,
    pub(super) key: Option<Pem>,
}

impl Hidden {
    fn of(options: &PgConnectOptions) -> Result<Self, Failure> {
        // Options with getters are replaced: some hosts and users cannot be written in a URL, and sqlx panics on those.
        let url = options.clone().host("host").username("user").to_url_lossy();
        let mut hidden = Self::default();
        if let Some(password) = url.password() {
            hidden.password = Some(percent_decode_str(password).decode_utf8()?.into_owned());
        }
        for (name, value) in url.query_pairs() {
            let place = match &*name {
                "sslrootcert" => &mut hidden.root_certificates,
                "sslcert" => &mut hidden.certificate,
                "sslkey" => &mut hidden.key,
                _ => continue,
            };
            *place = Some(Pem::displayed(&value));
        }
        Ok(hidden)
    }
}
