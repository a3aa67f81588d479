//! The tail's connection compared with the pool's, on a real server with TLS: a server the pool refuses is refused by the tail.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use embedded_postgres::os_user::OsUser;
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, PgConnection};
use tempfile::TempDir;
use tokio::time::timeout;
use tokio_postgres::Client;

use super::connect::{ClientConnection, connect};
use super::{Failure, Tail, with_causes};
use crate::notify::CHANNEL;
use crate::testing::{Database, Server, until};

const PATIENCE: Duration = Duration::from_secs(30);
/// Characters that must be escaped in a URL, and a percent sign that is not an escape.
const PASSWORD: &str = "한 p@ss/w:rd?+%41";

/// A server with TLS whose certificate is valid for `localhost` only, signed by a certificate authority created for this test.
struct Secure {
    server: Server,
    files: TempDir,
}

/// A certificate authority with its certificate in a file.
struct Authority {
    issuer: Issuer<'static, KeyPair>,
    file: PathBuf,
}

impl Authority {
    fn create(name: &str, folder: &Path) -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let file = folder.join(format!("{name}.crt"));
        fs::write(&file, params.self_signed(&key).unwrap().pem()).unwrap();
        Self {
            issuer: Issuer::new(params, key),
            file,
        }
    }

    /// Creates a certificate and its key, in files that only their owner can read.
    fn certify(&self, common_name: &str, folder: &Path) -> (PathBuf, PathBuf) {
        let mut params = CertificateParams::new(vec![common_name.to_owned()]).unwrap();
        params
            .distinguished_name
            .push(DnType::CommonName, common_name);
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        let files = (
            folder.join(format!("{common_name}.crt")),
            folder.join(format!("{common_name}.key")),
        );
        fs::write(&files.0, certificate.pem()).unwrap();
        fs::write(&files.1, key.serialize_pem()).unwrap();
        fs::set_permissions(&files.1, fs::Permissions::from_mode(0o600)).unwrap();
        files
    }
}

impl Secure {
    async fn start() -> Self {
        let files = TempDir::new().unwrap();
        let folder = files.path();
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
        let authority = Authority::create("ours", folder);
        Authority::create("theirs", folder);
        let (certificate, key) = authority.certify("localhost", folder);
        authority.certify("certified", folder);
        let access = folder.join("access");
        fs::write(
            &access,
            "hostssl all guarded 127.0.0.1/32 scram-sha-256\nhostssl all certified 127.0.0.1/32 cert\n\
             host all shop 127.0.0.1/32 trust\nlocal all all trust\n",
        )
        .unwrap();
        let socket = folder.join("socket");
        fs::create_dir(&socket).unwrap();
        for path in [&key, &access, &socket] {
            OsUser::of_process().take(path).unwrap();
        }
        let settings = [
            "ssl=on".to_owned(),
            format!("ssl_cert_file={}", certificate.display()),
            format!("ssl_key_file={}", key.display()),
            format!("ssl_ca_file={}", authority.file.display()),
            format!("hba_file={}", access.display()),
            format!("unix_socket_directories={}", socket.display()),
        ];
        let server = tokio::task::spawn_blocking(move || {
            Server::start(&settings.each_ref().map(String::as_str))
        });
        let server = server.await.unwrap().unwrap();
        let guarded = format!("CREATE ROLE guarded LOGIN PASSWORD '{PASSWORD}'");
        let roles = ["CREATE ROLE certified LOGIN", &guarded];
        server.execute(&roles).await.unwrap();
        Self { server, files }
    }

    fn file(&self, name: &str) -> String {
        self.files.path().join(name).display().to_string()
    }

    /// Options for this host with the parameters of this URL.
    fn options(&self, host: &str, parameters: &str) -> PgConnectOptions {
        let url = self.server.url("postgres").replace("127.0.0.1", host);
        format!("{url}?{parameters}").parse().unwrap()
    }

    /// The same with the certificate authority of this file.
    fn verifying(&self, host: &str, mode: &str, authority: &str) -> PgConnectOptions {
        let file = self.file(authority);
        self.options(host, &format!("sslmode={mode}&sslrootcert={file}"))
    }
}

/// The tail's connection, polled in the background.
async fn tail(options: &PgConnectOptions) -> Result<Client, Failure> {
    let ClientConnection { client, connection } = timeout(PATIENCE, connect(options)).await??;
    tokio::spawn(connection);
    Ok(client)
}

const ENCRYPTED: &str = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";

/// For both connections, whether each is encrypted, or its error.
async fn both(options: &PgConnectOptions) -> [Result<bool, String>; 2] {
    let by_tail = async {
        let client = tail(options).await?;
        Ok::<bool, Failure>(client.query_one(ENCRYPTED, &[]).await?.get(0))
    };
    let by_pool = async {
        let mut connection = PgConnection::connect_with(options).await?;
        sqlx::query_scalar(ENCRYPTED)
            .fetch_one(&mut connection)
            .await
    };
    [
        by_tail.await.map_err(|error| with_causes(&*error)),
        by_pool
            .await
            .map_err(|error: sqlx::Error| with_causes(&error)),
    ]
}

async fn accepted(options: &PgConnectOptions, encrypted: bool) {
    let both = both(options).await;
    assert_eq!(both, [Ok(encrypted), Ok(encrypted)], "{options:?}");
}

async fn refused(options: &PgConnectOptions, reason: &str) {
    for (whose, refusal) in ["the tail", "the pool"].iter().zip(both(options).await) {
        let Err(refusal) = refusal else {
            panic!("{whose} trusts this server: {options:?}");
        };
        assert!(refusal.contains(reason), "{whose}: {refusal} ({options:?})");
    }
}

#[tokio::test]
async fn a_server_is_verified_as_the_pool_verifies_it() {
    let secure = Secure::start().await;
    for mode in ["verify-ca", "verify-full"] {
        accepted(&secure.verifying("localhost", mode, "ours.crt"), true).await;
        let stranger = secure.verifying("localhost", mode, "theirs.crt");
        refused(&stranger, "UnknownIssuer").await;
        let public = secure.options("localhost", &format!("sslmode={mode}"));
        refused(&public, "UnknownIssuer").await;
        // sqlx verifies the name in both modes
        let elsewhere = secure.verifying("127.0.0.1", mode, "ours.crt");
        refused(&elsewhere, "not valid for name").await;
        let nowhere = secure.verifying("localhost", mode, "missing.crt");
        refused(&nowhere, "No such file").await;
    }
    for mode in ["prefer", "require"] {
        accepted(&secure.verifying("127.0.0.1", mode, "theirs.crt"), true).await;
    }
    for mode in ["disable", "allow"] {
        accepted(&secure.verifying("localhost", mode, "ours.crt"), false).await;
    }
}

#[tokio::test]
async fn a_server_without_tls_is_refused_where_tls_is_required() {
    let server = tokio::task::spawn_blocking(|| Server::start(&[]));
    let server = server.await.unwrap().unwrap();
    let options = |mode: &str| -> PgConnectOptions {
        let url = server.url("postgres");
        format!("{url}?sslmode={mode}").parse().unwrap()
    };
    accepted(&options("prefer"), false).await;
    for mode in ["require", "verify-ca", "verify-full"] {
        refused(&options(mode), "server does not support TLS").await;
    }
}

#[tokio::test]
async fn the_tail_goes_where_the_pool_goes_and_as_who() {
    let secure = Secure::start().await;
    // a password
    let guarded = |password: &str| {
        let options = secure.options("127.0.0.1", "sslmode=require");
        options.username("guarded").password(password)
    };
    accepted(&guarded(PASSWORD), true).await;
    refused(&guarded("wrong"), "password authentication failed").await;
    // a client's certificate
    let (certificate, key) = (secure.file("certified.crt"), secure.file("certified.key"));
    let certified = secure
        .verifying("localhost", "verify-full", "ours.crt")
        .username("certified");
    let with_key = certified.clone().ssl_client_key(&key);
    accepted(&with_key.clone().ssl_client_cert(&certificate), true).await;
    refused(&with_key, "together").await;
    refused(&certified, "certificate").await;
    // PEM instead of a file
    let inline = fs::read_to_string(secure.file("ours.crt")).unwrap();
    let options = secure.options("localhost", "sslmode=verify-full");
    accepted(&options.ssl_root_cert_from_pem(inline.into_bytes()), true).await;
    // a socket, whatever the host; there is no TLS on it
    let socket = secure.file("socket");
    let local = secure.options("nowhere.invalid", &format!("host={socket}"));
    accepted(&local, false).await;
    refused(
        &local.clone().ssl_mode(sqlx::postgres::PgSslMode::Require),
        "server does not support TLS",
    )
    .await;
    let by_host = PgConnectOptions::new()
        .host(&socket)
        .port(local.get_port())
        .username("shop")
        .database("postgres");
    accepted(&by_host, false).await;

    let named = secure
        .options("127.0.0.1", "application_name=the%20shop")
        .options([("lock_timeout", "1234ms"), ("geqo", "off")]);
    let client = tail(&named).await.unwrap();
    let row = client
        .query_one(
            "SELECT current_setting('application_name'), current_setting('lock_timeout'), current_setting('geqo'),
                    current_user::text, current_database()::text",
            &[],
        )
        .await
        .unwrap();
    let settings: Vec<String> = (0..row.len()).map(|at| row.get(at)).collect();
    assert_eq!(settings, ["the shop", "1234ms", "off", "shop", "postgres"]);
}

/// The server process of the connection that listens in this database.
async fn listening(pool: &sqlx::PgPool) -> Option<i32> {
    sqlx::query_scalar(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query = 'LISTEN event_store_appended'",
    )
    .fetch_optional(pool)
    .await
    .unwrap()
}

#[tokio::test]
async fn a_lost_connection_is_opened_again_and_wakes_its_followers() {
    let database = Database::create().await;
    let pool = database.pool(2).await;
    let tail = Tail::follow((*pool.connect_options()).clone(), PATIENCE, CHANNEL);
    for _ in 0..2 {
        // one notification once it listens, for earlier appends
        timeout(PATIENCE, tail.notified()).await.unwrap();
        let process = listening(&pool).await.unwrap();
        let quiet = timeout(Duration::from_millis(300), tail.notified()).await;
        assert!(quiet.is_err(), "nobody appended");
        for _ in 0..3 {
            sqlx::query("SELECT pg_notify('event_store_appended', '')")
                .execute(&pool)
                .await
                .unwrap();
        }
        timeout(PATIENCE, tail.notified()).await.unwrap();
        // They may come one by one.
        while timeout(Duration::from_millis(300), tail.notified())
            .await
            .is_ok()
        {}
        sqlx::query("SELECT pg_terminate_backend($1)")
            .bind(process)
            .execute(&pool)
            .await
            .unwrap();
        until("another connection listens", async || {
            listening(&pool).await.is_some_and(|other| other != process)
        })
        .await;
    }
    drop(tail);
    until("its connection is closed", async || {
        listening(&pool).await.is_none()
    })
    .await;
}
