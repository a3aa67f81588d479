//! Memory and delay of open alarm streams: `cargo bench -p api --bench alarm_streams [-- STREAMS]`.
//!
//! The streams are read by another process, so that the memory of this one is that of the shop. The delay counts from the append of an
//! event to its arrival at the reader: the policy, the table, the notification, the look and the socket are in it.

mod served;

use std::process::Stdio;
use std::time::Duration;

use application::access::Session;
use application::clock::{Clock, SystemClock};
use domain::Amount;
use domain::ids::MemberId;
use domain::member::{AccessLevel, MemberType};
use domain::points::{Points, PointsEvent, stream_id};
use event_store::testing::at;
use event_store::{Append, Expected, Metadata, StreamAppend};
use reqwest::{Client, Response};
use served::{Anything, BenchServer};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{ChildStdin, ChildStdout, Command};
use tokio::sync::mpsc;
use uuid::Uuid;

/// Events sent one by one, and the pause between two.
const EVENTS: usize = 1_000;
const APART: Duration = Duration::from_millis(20);
/// Longer than any event takes.
const PATIENCE: Duration = Duration::from_secs(60);
/// Word that makes this program the reader of the streams.
const READER: &str = "reader";
/// Line of the reader once all streams are open.
const OPEN: &str = "open";

#[tokio::main]
async fn main() -> Result<(), Anything> {
    api::serve::raise_open_files();
    if std::env::args().any(|word| word == READER) {
        return read_streams().await;
    }
    let streams = std::env::args()
        .find_map(|word| word.parse::<usize>().ok())
        .unwrap_or(1_000);
    let shop = BenchServer::start().await?;
    let mut command = Command::new(std::env::current_exe()?);
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = piped.arg(READER).kill_on_drop(true).spawn()?;
    let mut stdin = child.stdin.take().ok_or("no stdin")?;
    let stdout = child.stdout.take().ok_or("no stdout")?;
    let mut lines = BufReader::new(stdout).lines();

    let members: Vec<MemberId> = (0..streams).map(|_| MemberId(Uuid::now_v7())).collect();
    let before = resident()?;
    open(&shop, &mut stdin, &members).await?;
    if next(&mut lines).await? != OPEN {
        return Err("the streams did not open".into());
    }
    let after = resident()?;
    println!("## {streams} open alarm streams of one process\n");
    println!("| | |");
    println!("|---|---|");
    println!("| memory of the process before | {} MB |", before / 1_024);
    println!("| with all streams open | {} MB |", after / 1_024);
    let each = after.saturating_sub(before) / u64::try_from(streams)?.max(1);
    println!("| more for each stream | {each} KB |");

    for number in 0..EVENTS {
        let member = members.get(number % streams).ok_or("no member")?;
        append(&shop, std::slice::from_ref(member)).await?;
        tokio::time::sleep(APART).await;
    }
    let delays = delays(&mut lines, EVENTS).await?;
    let row = |name: &str, delays: &[Duration]| {
        let [half, most] = [50, 99].map(|percent| at(delays, percent));
        let longest = delays.last().copied().unwrap_or_default();
        println!("| {name}: p50, p99, longest | {half}, {most}, {longest:.1?} |");
    };
    row("append to reader, one event every 20 ms", &delays);
    append(&shop, &members).await?;
    let all = self::delays(&mut lines, streams).await?;
    row("append to reader, one event for every stream at once", &all);
    println!(
        "| memory of the process after it | {} MB |",
        resident()? / 1_024
    );
    println!();
    child.kill().await?;
    shop.stop().await
}

/// Has the reader open a stream for each member.
async fn open(
    shop: &BenchServer,
    stdin: &mut ChildStdin,
    members: &[MemberId],
) -> Result<(), Anything> {
    let mut text = format!("{}\n", shop.url);
    for member in members {
        let session = Session {
            user: *member,
            user_type: MemberType::Person,
            scope: vec![],
            level: AccessLevel::Root,
        };
        let token = shop
            .app
            .tokens
            .access(&session, Uuid::now_v7(), SystemClock.now())
            .map_err(|error| format!("{error:?}"))?;
        text += &format!("{token}\n");
    }
    stdin.write_all(text.as_bytes()).await?;
    stdin.write_all(b"\n").await?;
    Ok(())
}

/// Appends an event that notifies each of these members.
async fn append(shop: &BenchServer, members: &[MemberId]) -> Result<(), Anything> {
    let now = SystemClock.now();
    let event = PointsEvent::PointsExpiryAnnounced {
        last_day: now.date(),
        amount: Amount::new(100),
    };
    for part in members.chunks(100) {
        let streams = part.iter().map(|member| {
            let events = std::slice::from_ref(&event);
            StreamAppend::new::<Points>(stream_id(*member), Expected::Any, events)
        });
        let streams = streams.collect::<Result<Vec<_>, _>>()?;
        let metadata = Metadata::new(serde_json::json!({ "type": "System" }), SystemClock.now());
        shop.app
            .store
            .append(Append::new(metadata, streams))
            .await?;
    }
    Ok(())
}

/// The reader's next delays, sorted.
async fn delays(
    lines: &mut Lines<BufReader<ChildStdout>>,
    many: usize,
) -> Result<Vec<Duration>, Anything> {
    let mut delays = Vec::new();
    while delays.len() < many {
        delays.push(Duration::from_micros(next(lines).await?.parse()?));
    }
    delays.sort_unstable();
    Ok(delays)
}

async fn next(lines: &mut Lines<BufReader<ChildStdout>>) -> Result<String, Anything> {
    let line = tokio::time::timeout(PATIENCE, lines.next_line()).await??;
    line.ok_or_else(|| "the reader ended".into())
}

/// Resident memory of this process in kilobytes.
fn resident() -> Result<u64, Anything> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    Ok(number.ok_or("no VmRSS")?.parse()?)
}

/// Opens a stream for each token on standard input, and prints the delay of each alarm in microseconds.
async fn read_streams() -> Result<(), Anything> {
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    let url = lines.next_line().await?.ok_or("no address")?;
    let (tell, mut told) = mpsc::unbounded_channel();
    let mut open = Vec::new();
    while let Some(token) = lines.next_line().await?.filter(|line| !line.is_empty()) {
        // A client of its own: a connection of its own, as a browser has.
        let ask = Client::new().get(format!("{url}/api/v1/me/alarms/stream"));
        let mut response = ask.bearer_auth(token).send().await?;
        response.chunk().await?;
        open.push(response);
    }
    println!("{OPEN}");
    for response in open {
        tokio::spawn(read(response, tell.clone()));
    }
    while let Some(delay) = told.recv().await {
        println!("{delay}");
    }
    Ok(())
}

async fn read(mut response: Response, tell: mpsc::UnboundedSender<i128>) -> Result<(), Anything> {
    while let Some(chunk) = response.chunk().await? {
        let now = OffsetDateTime::now_utc();
        let text = String::from_utf8_lossy(&chunk).into_owned();
        for rest in text.split("\"createdAt\":\"").skip(1) {
            let created = rest.split('"').next().unwrap_or_default();
            let created = OffsetDateTime::parse(created, &Rfc3339)?;
            tell.send((now - created).whole_microseconds())?;
        }
    }
    Ok(())
}
