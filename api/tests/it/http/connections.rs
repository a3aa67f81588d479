//! Idle connections: they are closed, and their number per address is limited.

use std::net::{IpAddr, SocketAddr};
use std::process::Command;
use std::time::{Duration, Instant};

use api::metrics::Search;
use api::serve::{listen, raise_open_files};
use reqwest::Client;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::{TestApp, served, until};

const HALF: &[u8] = b"GET /health HTTP/1.1\r\nhost: shop\r\n";

fn address_of(shop: &TestApp) -> SocketAddr {
    shop.url.strip_prefix("http://").unwrap().parse().unwrap()
}

/// A request that is started and not continued.
async fn half_open(shop: &TestApp) -> TcpStream {
    let mut stream = TcpStream::connect(address_of(shop)).await.unwrap();
    // Refused ones may be closed already.
    stream.write_all(HALF).await.ok();
    stream
}

/// Whether the server keeps it open.
fn is_open(stream: &TcpStream) -> bool {
    let mut answer = [0; 16];
    stream
        .try_read(&mut answer)
        .is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock)
}

async fn health_from(shop: &TestApp, address: &str) -> Option<u16> {
    let address: IpAddr = address.parse().unwrap();
    let client = Client::builder().local_address(address).build().unwrap();
    let answer = client.get(format!("{}/health", shop.url)).send().await;
    answer.ok().map(|answer| answer.status().as_u16())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_half_open_connections_of_one_address_stop_nobody_else() {
    raise_open_files();
    api::metrics::begin().unwrap();
    let shop = TestApp::with(&[
        ("JANGBU_LIMITS_CONNECTIONS", "50"),
        ("JANGBU_SERVER_HEADER_SECONDS", "600"),
    ])
    .await;
    let mut half = Vec::new();
    for _ in 0..1_000 {
        half.push(half_open(&shop).await);
    }
    let open = || half.iter().filter(|stream| is_open(stream)).count();
    until("all but fifty are closed", async || {
        (open() <= 50).then_some(())
    })
    .await;
    assert!(open() > 0, "those within the limit are waited for");
    assert_eq!(health_from(&shop, "127.0.0.2").await, Some(200));
    assert_eq!(health_from(&shop, "127.0.0.1").await, None);
    let operator = served(api::metrics::router(shop.app.clone(), Search::Here)).await;
    // Other shops of this process use the same counters.
    let number = async |name: &str| -> f64 {
        let page = reqwest::get(format!("{operator}/metrics")).await.unwrap();
        let page = page.text().await.unwrap();
        let mut lines = page.lines();
        let line = lines.find(|line| line.starts_with(&format!("{name} ")));
        line.unwrap().split(' ').nth(1).unwrap().parse().unwrap()
    };
    assert!(number("jangbu_connections_refused_total").await >= 940.0);
    let held = number("jangbu_connections").await;
    assert!(held >= 50.0, "{held}");
    // A closed connection is available again.
    half.clear();
    until("there is room again", async || {
        (health_from(&shop, "127.0.0.1").await == Some(200)).then_some(())
    })
    .await;
    until("they are counted no more", async || {
        (number("jangbu_connections").await <= held - 25.0).then_some(())
    })
    .await;
}

/// The initial limit of open files is often only a thousand, and each connection uses one.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_program_has_as_many_files_open_as_the_system_allows_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut sandbox = tokio::process::Command::new("sh")
        .args(["-c", "ulimit -S -n 256; exec \"$0\" sandbox"])
        .arg(env!("CARGO_BIN_EXE_jangbu"))
        .current_dir(folder.path())
        .env("JANGBU_DATA_FOLDER", folder.path())
        .env("JANGBU_SANDBOX_ADDRESS", "127.0.0.1:0")
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let process = format!("/proc/{}", sandbox.id().unwrap());
    until("the limit is raised", async || {
        // Until then it is the shell.
        let program = std::fs::read_link(format!("{process}/exe")).unwrap();
        if program.file_name()? != "jangbu" {
            return None;
        }
        let limits = std::fs::read_to_string(format!("{process}/limits")).unwrap();
        let mut lines = limits.lines();
        let files = lines.find_map(|line| line.strip_prefix("Max open files"))?;
        let [soft, hard] = files.split_whitespace().take(2).collect::<Vec<_>>()[..] else {
            return None;
        };
        assert_ne!(hard, "256", "nothing to raise");
        (soft == hard).then_some(())
    })
    .await;
    sandbox.kill().await.unwrap();
}

#[tokio::test]
async fn headers_that_do_not_come_are_not_waited_for() {
    let shop = TestApp::with(&[("JANGBU_SERVER_HEADER_SECONDS", "2")]).await;
    let begun = Instant::now();
    let mut silent = TcpStream::connect(address_of(&shop)).await.unwrap();
    let mut slow = half_open(&shop).await;
    let mut rest = Vec::new();
    let trickling = async {
        // Sending headers slowly does not extend the deadline.
        for number in 0.. {
            let line = format!("x-{number}: 1\r\n");
            if slow.write_all(line.as_bytes()).await.is_err() || !is_open(&slow) {
                return begun.elapsed();
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        unreachable!("it is cut off")
    };
    let both = async { tokio::join!(trickling, silent.read_to_end(&mut rest)) };
    let (took, ended) = tokio::time::timeout(Duration::from_secs(10), both)
        .await
        .unwrap();
    assert!(took >= Duration::from_millis(1_900), "{took:?}");
    assert!(ended.is_err() || rest.is_empty());
    // A connection that sends its requests in time stays open.
    let mut busy = TcpStream::connect(address_of(&shop)).await.unwrap();
    for _ in 0..4 {
        let request = [HALF, b"\r\n"].concat();
        busy.write_all(&request).await.unwrap();
        let mut answer = [0; 2_048];
        let read = busy.read(&mut answer).await.unwrap();
        assert!(answer[..read].starts_with(b"HTTP/1.1 200"));
        tokio::time::sleep(Duration::from_millis(700)).await;
    }
}

#[tokio::test]
async fn behind_a_proxy_its_address_has_as_many_connections_as_it_wants() {
    let shop = TestApp::with(&[
        ("JANGBU_LIMITS_CONNECTIONS", "1"),
        ("JANGBU_SERVER_BEHIND_PROXY", "true"),
    ])
    .await;
    let mut half = Vec::new();
    for _ in 0..8 {
        half.push(half_open(&shop).await);
    }
    assert_eq!(health_from(&shop, "127.0.0.1").await, Some(200));
    assert!(half.iter().all(is_open));
}

#[tokio::test]
async fn an_address_in_use_is_named() {
    let (_taken, address) = {
        let listener = listen(([127, 0, 0, 1], 0).into()).await.unwrap();
        let address = listener.local_addr().unwrap();
        (listener, address.to_string())
    };
    let folder = tempfile::tempdir().unwrap();
    let sandbox = Command::new(env!("CARGO_BIN_EXE_jangbu"))
        .arg("sandbox")
        .current_dir(folder.path())
        .env("JANGBU_DATA_FOLDER", folder.path())
        .env("JANGBU_SANDBOX_ADDRESS", &address)
        .output()
        .unwrap();
    let said = String::from_utf8(sandbox.stderr).unwrap();
    assert_eq!(sandbox.status.code(), Some(1));
    assert!(said.contains(&address) && said.contains("in use"), "{said}");
}
