//! The program as a process: killed at any time, it loses nothing it has acknowledged and leaves nothing behind.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use event_store::testing::free_port;
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};

/// A running `jangbu`; killed when dropped.
struct Jangbu {
    child: Child,
    /// The first line it printed.
    said: String,
}

impl Jangbu {
    fn start(sub_command: &str, data: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_jangbu"))
            .arg(sub_command)
            .current_dir(data)
            .env("JANGBU_DATA_FOLDER", data)
            .env("JANGBU_SERVER_ADDRESS", "127.0.0.1:0")
            .env("JANGBU_SERVER_METRICS_ADDRESS", "")
            .env("JANGBU_SANDBOX_ADDRESS", "127.0.0.1:0")
            .env_remove("DATABASE_URL")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut said = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut said)
            .unwrap();
        Self {
            child,
            said: said.trim().to_owned(),
        }
    }

    fn signal(&self, name: &str) {
        let kill = format!("kill -{name} {}", self.child.id());
        assert!(
            Command::new("sh")
                .args(["-c", &kill])
                .status()
                .unwrap()
                .success()
        );
    }
}

impl Drop for Jangbu {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn soon(what: &str, mut look: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !look() {
        assert!(begun.elapsed() < Duration::from_secs(20), "{what}");
        thread::sleep(Duration::from_millis(25));
    }
}

fn run<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Runtime::new().unwrap().block_on(work)
}

/// The initial limit is often a thousand, which this number of idle connections uses up.
#[test]
fn the_program_has_as_many_files_open_as_the_system_lets_it() {
    let data = tempfile::tempdir().unwrap();
    let started = Command::new("sh")
        .args(["-c", "ulimit -Sn 256; exec \"$0\" sandbox"])
        .arg(env!("CARGO_BIN_EXE_jangbu"))
        .current_dir(data.path())
        .env("JANGBU_DATA_FOLDER", data.path())
        .env("JANGBU_SANDBOX_ADDRESS", "127.0.0.1:0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut child = started.unwrap();
    let mut said = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut said)
        .unwrap();
    let sandbox = Jangbu { child, said };
    let limits = format!("/proc/{}/limits", sandbox.child.id());
    let limits = std::fs::read_to_string(limits).unwrap();
    let open = limits
        .lines()
        .find(|line| line.starts_with("Max open files"));
    let words: Vec<&str> = open.unwrap().split_whitespace().collect();
    assert_eq!(words[3], words[4], "the soft limit is the hard one");
    assert_ne!(words[3], "256");
}

#[test]
fn the_sandbox_remembers_every_answered_charge_after_kill_9() {
    let data = tempfile::tempdir().unwrap();
    let mut answered = Vec::new();
    for round in 0..5 {
        let sandbox = Jangbu::start("sandbox", data.path());
        let (name, url) = sandbox.said.split_once(" at ").unwrap();
        assert_eq!(name, "Jangbu payment sandbox");
        answered.extend(run(charge_until_killed(&sandbox, url, round)));
    }
    assert!(
        answered.len() > 50,
        "only {} charges were answered",
        answered.len()
    );
    let sandbox = Jangbu::start("sandbox", data.path());
    let url = sandbox.said.split_once(" at ").unwrap().1;
    let all: Value = run(async {
        reqwest::get(format!("{url}/sandbox/charges"))
            .await
            .unwrap()
            .json()
            .await
            .unwrap()
    });
    let charges = all["charges"].as_array().unwrap();
    for tid in &answered {
        let charge = charges.iter().find(|charge| charge["tid"] == tid.as_str());
        assert_eq!(
            charge.map(|charge| &charge["status"]),
            Some(&json!("paid")),
            "{tid} was answered and forgotten"
        );
    }
}

/// Concurrent buyers; the sandbox is killed in the middle. Returns the tids whose approval was answered.
async fn charge_until_killed(sandbox: &Jangbu, url: &str, round: u32) -> Vec<String> {
    let answered = Arc::new(Mutex::new(Vec::new()));
    let count = Arc::new(AtomicUsize::new(0));
    let buyers: Vec<_> = (0..32)
        .map(|buyer| {
            let (url, answered, count) =
                (url.to_owned(), Arc::clone(&answered), Arc::clone(&count));
            tokio::spawn(async move {
                let http = reqwest::Client::new();
                for turn in 0.. {
                    let order = format!("order-{round}-{buyer}-{turn}");
                    let Some(tid) = charge(&http, &url, &order).await else {
                        return;
                    };
                    answered.lock().unwrap().push(tid);
                    count.fetch_add(1, Ordering::Relaxed);
                }
            })
        })
        .collect();
    while count.load(Ordering::Relaxed) < 40 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    sandbox.signal("KILL");
    for buyer in buyers {
        buyer.await.unwrap();
    }
    Arc::try_unwrap(answered).unwrap().into_inner().unwrap()
}

async fn charge(http: &reqwest::Client, url: &str, order: &str) -> Option<String> {
    let post = async |path: String, body: Value| -> Option<Value> {
        let call = http.post(format!("{url}{path}")).json(&body);
        let call = call.basic_auth(
            "S2_sandbox-client-key-not-real",
            Some("sandbox-secret-key-not-real"),
        );
        call.send().await.ok()?.json().await.ok()
    };
    let form = post(
        "/sandbox/authenticate".into(),
        json!({ "orderId": order, "amount": 1004 }),
    )
    .await?;
    let tid = form["tid"].as_str()?.to_owned();
    let answer = post(format!("/v1/payments/{tid}"), json!({ "amount": 1004 })).await?;
    (answer["resultCode"] == "0000").then_some(tid)
}

#[test]
fn a_second_sandbox_on_the_same_file_is_refused() {
    let data = tempfile::tempdir().unwrap();
    let _first = Jangbu::start("sandbox", data.path());
    let mut second = Jangbu::start("sandbox", data.path());
    assert_eq!(second.said, "");
    assert!(!second.child.wait().unwrap().success());
}

#[test]
fn a_wrong_setting_ends_the_program_with_its_name() {
    let data = tempfile::tempdir().unwrap();
    std::fs::write(data.path().join("jangbu.toml"), "[server]\naddress = 5\n").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_jangbu"))
        .arg("sandbox")
        .current_dir(data.path())
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        said,
        "jangbu: jangbu.toml: `server.address` must be a text in quotes, not 5\n"
    );
    assert!(!output.status.success());
}

#[test]
fn postgres_does_not_outlive_its_program_and_keeps_what_it_acknowledged() {
    let data = tempfile::tempdir().unwrap();
    let mut orderly = Jangbu::start("postgres", data.path());
    run(async {
        let mut connection = PgConnection::connect(&orderly.said).await.unwrap();
        sqlx::query("CREATE TABLE kept (what int)")
            .execute(&mut connection)
            .await
            .unwrap();
    });
    let first_server = server(data.path());
    orderly.signal("TERM");
    assert!(orderly.child.wait().unwrap().success());
    assert!(!alive(first_server), "an orderly end leaves nothing");

    let killed = Jangbu::start("postgres", data.path());
    let guest = Jangbu::start("postgres", data.path());
    assert_eq!(
        killed.said, guest.said,
        "a second process joins the first one's server"
    );
    run(async {
        let mut connection = PgConnection::connect(&guest.said).await.unwrap();
        sqlx::query("INSERT INTO kept VALUES (1)")
            .execute(&mut connection)
            .await
            .unwrap();
    });
    let second_server = server(data.path());
    killed.signal("KILL");
    soon("the server ends with its program", || !alive(second_server));
    soon("the other process takes over at the same address", || {
        let kept = run(async {
            let mut connection = PgConnection::connect(&guest.said).await.ok()?;
            let kept: (i64,) = sqlx::query_as("SELECT count(*) FROM kept")
                .fetch_one(&mut connection)
                .await
                .ok()?;
            Some(kept.0)
        });
        kept == Some(1)
    });
    let third_server = server(data.path());
    drop(killed);
    drop(guest);
    soon("nothing is left", || !alive(third_server));
}

fn server(data: &Path) -> u32 {
    let clusters = std::fs::read_dir(data)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let pid_file = clusters
        .map(|path| path.join("postmaster.pid"))
        .find(|file| file.exists())
        .unwrap();
    std::fs::read_to_string(pid_file)
        .unwrap()
        .lines()
        .next()
        .unwrap()
        .trim()
        .parse()
        .unwrap()
}

fn alive(pid: u32) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    !state.is_empty() && !state.contains(") Z")
}

/// A joining request of which the server has received the head and waits for the body.
struct Joining {
    server: TcpStream,
    body: String,
}

impl Joining {
    fn begin(address: &str, username: &str) -> Self {
        let body = json!({
            "username": username, "password": "abcd123!", "name": "홍길동", "nickname": username,
            "email": "hong@example.com", "phone": "010-1234-5678", "_terms": ["age", "service", "privacy"],
        })
        .to_string();
        let head = format!(
            "POST /api/v1/users HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nExpect: 100-continue\r\n\r\n",
            body.len()
        );
        let mut server = TcpStream::connect(address).unwrap();
        let patience = Some(Duration::from_secs(20));
        server.set_read_timeout(patience).unwrap();
        server.write_all(head.as_bytes()).unwrap();
        let mut begun = [0; b"HTTP/1.1 100 Continue\r\n\r\n".len()];
        server.read_exact(&mut begun).unwrap();
        assert!(begun.starts_with(b"HTTP/1.1 100"));
        Self { server, body }
    }

    /// Sends the body; returns everything received until the connection was closed.
    fn end(mut self) -> String {
        self.server.write_all(self.body.as_bytes()).unwrap();
        let mut answer = String::new();
        self.server.read_to_string(&mut answer).unwrap();
        answer
    }
}

#[test]
fn a_shop_told_to_stop_answers_what_it_has_begun_takes_nothing_new_and_ends_well() {
    let data = tempfile::tempdir().unwrap();
    let mut shop = Jangbu::start("serve", data.path());
    let address = shop.said.strip_prefix("Jangbu at http://").unwrap();
    let address = address.to_owned();
    // Before that, tables of a read model may be missing, which are not created any more during the shutdown.
    let ready = format!("http://{address}/ready");
    soon("the shop is ready", || {
        let answer = run(reqwest::get(&ready));
        answer.is_ok_and(|answer| answer.status().is_success())
    });
    let (one, other) = (
        Joining::begin(&address, "hong1234"),
        Joining::begin(&address, "kim12345"),
    );
    let _never_ends = Joining::begin(&address, "nobody12");

    shop.signal("TERM");
    let told = Instant::now();
    soon("nobody new is let in", || {
        TcpStream::connect(&address).is_err()
    });
    for joining in [one, other] {
        let answer = joining.end();
        assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
        assert!(answer.ends_with('}'), "{answer}");
    }
    let server = server(data.path());
    assert!(alive(server), "who has begun may still write");
    assert!(shop.child.try_wait().unwrap().is_none(), "one is at work");
    // Ten seconds for running requests.
    let mut ended = None;
    soon("it ends without who never ends", || {
        ended = shop.child.try_wait().unwrap();
        ended.is_some()
    });
    assert!(ended.unwrap().success());
    assert!(told.elapsed() >= Duration::from_secs(9));
    assert!(!alive(server), "an orderly end leaves nothing");
}

/// Starts `jangbu seed`, with debug logging as JSON; returns the process and its log file.
fn seeding(data: &Path, log: &str) -> (Child, std::path::PathBuf) {
    let file = data.join(log);
    let child = Command::new(env!("CARGO_BIN_EXE_jangbu"))
        .arg("seed")
        .current_dir(data)
        .env("JANGBU_DATA_FOLDER", data.join("shop"))
        .env("JANGBU_LOG_FORMAT", "json")
        .env(
            "JANGBU_LOG_LEVEL",
            "info,api=debug,domain=debug,event_store=debug,projections=debug,embedded_postgres=debug,integrations=debug,sandbox=debug",
        )
        .env(
            "JANGBU_SANDBOX_ADDRESS",
            format!("127.0.0.1:{}", free_port()),
        )
        .env_remove("DATABASE_URL")
        .stdout(Stdio::piped())
        .stderr(std::fs::File::create(&file).unwrap())
        .spawn()
        .unwrap();
    (child, file)
}

/// An interrupted seeding leaves no usable shop: the next run reports this in one line, with the way to start over. Its log is JSON per
/// request, and contains no personal data.
#[test]
fn a_seeding_killed_half_way_says_how_to_start_over_and_its_log_names_nobody() {
    let data = tempfile::tempdir().unwrap();
    let (mut killed, log) = seeding(data.path(), "first.log");
    let mut said = BufReader::new(killed.stdout.take().unwrap()).lines();
    let part = said.find(|line| line.as_ref().unwrap().contains("쿠폰과 적립금"));
    assert!(part.is_some(), "{}", std::fs::read_to_string(&log).unwrap());
    killed.kill().unwrap();
    killed.wait().unwrap();

    let (again, second) = seeding(data.path(), "second.log");
    let ended = again.wait_with_output().unwrap();
    let complaint = std::fs::read_to_string(second).unwrap();
    assert!(!ended.status.success());
    let told: Vec<&str> = complaint
        .lines()
        .filter(|line| line.starts_with("jangbu:"))
        .collect();
    assert_eq!(told.len(), 1, "{complaint}");
    assert!(told[0].contains("make clean-data"), "{complaint}");

    let log = std::fs::read_to_string(log).unwrap();
    let answered: Vec<Value> = log
        .lines()
        .map(|line| {
            serde_json::from_str(line).unwrap_or_else(|error| unreachable!("{error}: {line}"))
        })
        .filter(|line: &Value| line["fields"]["message"] == "answered")
        .collect();
    assert!(answered.len() > 100, "{} requests", answered.len());
    assert!(answered.iter().all(|line| line["level"] == "DEBUG"));
    assert!(
        answered
            .iter()
            .all(|line| line["fields"]["request_id"].is_string())
    );
    for (username, name, nickname, phone, _, address, _, _) in demo::people::SHOPPERS {
        for word in [username, name, nickname, phone, address] {
            assert!(!log.contains(word), "{word}");
        }
    }
    assert!(!log.contains(demo::people::PASSWORD));
}
