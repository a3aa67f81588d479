//! Concurrent appends share a transaction, with the same results as alone.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use event_store::testing::Database;
use event_store::{
    Append, AppendError, Appended, Expected, LockSet, NewEvent, ReservationChange, Store,
    StoreError, StoreOptions, StreamId,
};
use futures::future::join_all;
use sqlx::Executor;
use sqlx::postgres::PgConnectOptions;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};

use crate::support::{Pile, PileEvent, Wait, counted, key, of, pile, take_any};

const SOON: Duration = Duration::from_secs(10);

const TAKEN: PileEvent = PileEvent::Taken { many: 1 };

fn commanded(name: &str, body: u8, stream: &str) -> Append {
    let mut append = of(vec![take_any(stream)]);
    append.command = Some(key(name, body));
    append
}

async fn number(store: &Store, sql: &str) -> i64 {
    sqlx::query_scalar(sql)
        .fetch_one(store.pool())
        .await
        .unwrap()
}

async fn events(store: &Store) -> i64 {
    number(store, "SELECT count(*) FROM events").await
}

async fn transactions(store: &Store) -> i64 {
    number(store, "SELECT count(DISTINCT transaction_id) FROM events").await
}

async fn with_writers(url: &str, writers: usize) -> Store {
    let options = StoreOptions {
        notify: false,
        writers,
        ..StoreOptions::default()
    };
    Store::connect(url, options).await.unwrap()
}

fn written(answers: &[Result<Appended, AppendError>]) -> usize {
    answers.iter().filter(|answer| answer.is_ok()).count()
}

/// All possible outcomes of appends, in one transaction.
#[tokio::test]
async fn each_gets_its_own_answer() {
    let store = Database::create().await.store().await;
    counted(&store, "a", 5).await;
    let name = |owner: &str| {
        let mut append = of(vec![take_any(owner)]);
        append.reservations = vec![ReservationChange::Take {
            scope: "nickname".to_owned(),
            key_hash: [7; 32],
            owner: owner.to_owned(),
        }];
        append
    };
    let resting = |on: &str, version| {
        let mut append = of(vec![take_any("resting")]);
        append.conditions = vec![(StreamId::of::<Pile>(on), version)];
        append
    };
    let at = |version| of(vec![pile("a", Expected::Exact(version), &[TAKEN])]);
    let before = store.head().await.unwrap();

    let appends = [
        commanded("one", 1, "b"),
        commanded("one", 1, "b"),
        commanded("one", 2, "b"),
        at(1),
        at(1),
        at(2),
        resting("none", 0),
        resting("a", 1),
        name("kim"),
        name("lee"),
        of(vec![]),
        of(vec![take_any("d"), take_any("e")]),
    ];
    let answers = join_all(appends.map(|append| store.append(append))).await;
    let answers: [_; 12] = answers.try_into().unwrap();
    let [
        one,
        again,
        other_body,
        first,
        late,
        next,
        rests,
        moved,
        kim,
        lee,
        nothing,
        two,
    ] = answers;
    let moved_a = |answer| match answer {
        Err(AppendError::Conflict { stream }) => assert_eq!(stream, StreamId::of::<Pile>("a")),
        other => panic!("{other:?}"),
    };
    let one = one.unwrap();
    assert_eq!(one.versions, [(StreamId::of::<Pile>("b"), 1)]);
    match again {
        Err(AppendError::CommandRepeated(stored)) => assert_eq!(
            (stored.first_position, stored.last_position),
            (one.first_position, one.last_position)
        ),
        other => panic!("{other:?}"),
    }
    assert!(matches!(other_body, Err(AppendError::CommandBodyDiffers)));
    let a = StreamId::of::<Pile>("a");
    assert_eq!(first.unwrap().versions, [(a.clone(), 2)]);
    moved_a(late);
    assert_eq!(next.unwrap().versions, [(a, 3)]);
    rests.unwrap();
    moved_a(moved);
    kim.unwrap();
    assert!(matches!(lee, Err(AppendError::ReservationTaken { scope }) if scope == "nickname"));
    assert_eq!(nothing.unwrap().last_position, 0);
    let two = two.unwrap();
    assert_eq!(two.last_position, two.first_position + 1);

    let written = store.read_all(before, i64::MAX, 100).await.unwrap();
    let streams: Vec<&str> = written
        .iter()
        .map(|event| event.stream.id.as_str())
        .collect();
    assert_eq!(streams, ["b", "a", "a", "resting", "kim", "d", "e"]);
    assert_eq!(transactions(&store).await, 2, "the count, and the group");
    let told = *store.appended_signal().borrow();
    assert_eq!(told, two.last_position);
}

#[tokio::test]
async fn who_has_to_wait_keeps_nobody_waiting() {
    let store = Database::create().await.store().await;
    let hold = LockSet::exclusive([StreamId::of::<Pile>("held")]);
    let (wait, held, release) = Wait::until();
    let holder = store.clone();
    let holder = tokio::spawn(async move {
        let take = |_: &_, ()| Ok(of(vec![take_any("held")]));
        holder.append_locked(None, &hold, &wait, take).await
    });
    held.await.unwrap();
    let waiting = store.clone();
    let waiting = tokio::spawn(async move { waiting.append(of(vec![take_any("held")])).await });
    let others = (0..20).map(|other| store.append(of(vec![take_any(&other.to_string())])));
    let others = timeout(SOON, join_all(others)).await.unwrap();
    assert_eq!(written(&others), 20);
    assert!(!waiting.is_finished());
    release.send(()).unwrap();
    holder.await.unwrap().unwrap();
    let second = waiting.await.unwrap().unwrap();
    assert_eq!(second.versions, [(StreamId::of::<Pile>("held"), 2)]);
}

#[tokio::test]
async fn one_that_cannot_be_written_harms_nobody() {
    let store = Database::create().await.store().await;
    let appends = (0..20).map(|number| {
        let mut append = of(vec![take_any(&number.to_string())]);
        if number == 7 {
            let mut event = NewEvent::of(&TAKEN).unwrap();
            event.event_type = "no text\0of Postgres".to_owned();
            append.streams.first_mut().unwrap().events.push(event);
        }
        store.append(append)
    });
    let answers = join_all(appends).await;
    for (number, answer) in answers.iter().enumerate() {
        match answer {
            Err(AppendError::Store(StoreError::Database(_))) => assert_eq!(number, 7),
            Ok(_) => assert_ne!(number, 7),
            other => panic!("{number}: {other:?}"),
        }
    }
    assert_eq!(events(&store).await, 19);
}

/// Makes the commit of every transaction with more than one append end like this.
async fn groups_end(store: &Store, how: &str) {
    let trigger = format!(
        "CREATE FUNCTION ends() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN
             IF (SELECT count(*) FROM events WHERE transaction_id = pg_current_xact_id()) > 1 THEN {how}; END IF;
             RETURN NULL;
         END $$;
         CREATE CONSTRAINT TRIGGER ends AFTER INSERT ON events DEFERRABLE INITIALLY DEFERRED
             FOR EACH ROW EXECUTE FUNCTION ends()"
    );
    store.pool().execute(trigger.as_str()).await.unwrap();
}

/// Twenty concurrent appends: even ones with a command, odd ones without.
async fn twenty(store: &Store) -> Vec<Result<Appended, AppendError>> {
    let appends = (0..20).map(|number| {
        let mut append = commanded(&number.to_string(), 1, &number.to_string());
        append.command.take_if(|_| number % 2 == 1);
        store.append(append)
    });
    join_all(appends).await
}

#[tokio::test]
async fn a_refused_commit_is_not_taken_for_one() {
    let store = Database::create().await.store().await;
    groups_end(&store, "RAISE EXCEPTION 'not so many'").await;
    let answers = twenty(&store).await;
    assert_eq!(written(&answers), 20);
    assert_eq!((events(&store).await, transactions(&store).await), (20, 20));
}

#[tokio::test]
async fn a_connection_that_dies_in_the_commit_leaves_nobody_in_error() {
    let store = Database::create().await.store().await;
    groups_end(&store, "PERFORM pg_terminate_backend(pg_backend_pid())").await;
    for (number, answer) in twenty(&store).await.into_iter().enumerate() {
        match answer {
            Ok(_) => assert_eq!(number % 2, 0),
            Err(AppendError::Unavailable(_)) => assert_eq!(number % 2, 1),
            other => panic!("{number}: {other:?}"),
        }
    }
    assert_eq!(events(&store).await, 10);
    store.append(of(vec![take_any("new")])).await.unwrap();
}

/// A proxy to Postgres that can drop the next reply.
struct Wire {
    url: String,
    lose: Arc<AtomicBool>,
}

impl Wire {
    async fn to(database: &Database) -> Self {
        let address: PgConnectOptions = database.url().parse().unwrap();
        let (host, port) = (address.get_host().to_owned(), address.get_port());
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let own = listener.local_addr().unwrap().port();
        let lose = Arc::new(AtomicBool::new(false));
        let losing = Arc::clone(&lose);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = TcpStream::connect((host.as_str(), port)).await.unwrap();
                tokio::spawn(pass(client, server, Arc::clone(&losing)));
            }
        });
        let url = database
            .url()
            .replace(&format!(":{port}/"), &format!(":{own}/"));
        Self { url, lose }
    }
}

async fn pass(client: TcpStream, server: TcpStream, lose: Arc<AtomicBool>) {
    let (mut said, mut to_client) = client.into_split();
    let (mut answered, mut to_server) = server.into_split();
    let asking = tokio::spawn(async move { copy(&mut said, &mut to_server).await });
    let mut some = [0; 8_192];
    while let Ok(many @ 1..) = answered.read(&mut some).await {
        if lose.swap(false, Ordering::Relaxed) {
            break;
        }
        let some = some.get(..many).unwrap();
        if to_client.write_all(some).await.is_err() {
            break;
        }
    }
    asking.abort();
}

#[tokio::test]
async fn a_lost_answer_is_found_again() {
    let database = Database::create().await;
    let direct = database.store().await;
    let wire = Wire::to(&database).await;
    let store = with_writers(&wire.url, 1).await;
    store.append(of(vec![take_any("first")])).await.unwrap();
    wire.lose.store(true, Ordering::Relaxed);
    let answers = twenty(&store).await;
    assert_eq!(
        (events(&direct).await, transactions(&direct).await),
        (21, 2)
    );
    for (number, answer) in answers.into_iter().enumerate() {
        match answer {
            Err(AppendError::CommandRepeated(stored)) => {
                assert_eq!(number % 2, 0);
                let position = stored.first_position;
                let one = direct.read_all(position - 1, position, 1).await.unwrap();
                assert_eq!(one.first().unwrap().stream.id, number.to_string());
            }
            Err(AppendError::Unavailable(_)) => assert_eq!(number % 2, 1),
            other => panic!("{number}: {other:?}"),
        }
    }
}

#[tokio::test]
async fn a_connection_that_died_idle_is_replaced() {
    let database = Database::create().await;
    database.store().await;
    let store = with_writers(database.url(), 1).await;
    store.append(of(vec![take_any("a")])).await.unwrap();
    let others = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                  WHERE datname = current_database() AND pid <> pg_backend_pid()";
    assert!(number(&store, others).await > 0);
    sleep(Duration::from_millis(1_200)).await;
    store.append(of(vec![take_any("a")])).await.unwrap();
}

#[tokio::test]
async fn who_gave_up_before_it_was_begun_wrote_nothing() {
    let store = Database::create().await.store().await;
    store.append(of(vec![take_any("a")])).await.unwrap();
    let mut given_up = Box::pin(store.append(of(vec![take_any("a")])));
    assert!(futures::poll!(&mut given_up).is_pending());
    drop(given_up);
    store.append(of(vec![take_any("a")])).await.unwrap();
    assert_eq!(events(&store).await, 2);
}

#[tokio::test]
async fn without_writers_everybody_goes_alone() {
    let database = Database::create().await;
    database.store().await;
    let store = with_writers(database.url(), 0).await;
    assert_eq!(written(&twenty(&store).await), 20);
    assert_eq!(transactions(&store).await, 20);
}

/// A writer of one stream: each append is applied once, whatever fails on the way.
async fn busy(store: Store, writer: i64) -> u32 {
    let mut conflicts = 0;
    for turn in 0..25 {
        let many = writer * 1_000 + turn;
        let stream = format!("pile-{}", many % 8);
        let mut append = of(vec![pile(
            &stream,
            Expected::Any,
            &[PileEvent::Taken { many }],
        )]);
        append.command = Some(key(&many.to_string(), 1));
        loop {
            if turn % 3 == 0 {
                let version = store.load::<Pile>(&stream).await.unwrap().version;
                append.streams.first_mut().unwrap().expected = Expected::Exact(version);
            }
            let answers = match turn % 5 {
                // sent twice at the same time
                1 => {
                    let (one, two) =
                        tokio::join!(store.append(append.clone()), store.append(append.clone()));
                    vec![one, two]
                }
                // canceled half way, and sent again
                2 => {
                    let short = Duration::from_micros(u64::try_from(many % 1_500).unwrap());
                    drop(timeout(short, store.append(append.clone())).await);
                    vec![store.append(append.clone()).await]
                }
                // together with an append that the database refuses
                3 => {
                    let mut poison = of(vec![take_any("poison")]);
                    poison.metadata.reason = Some("\0".to_owned());
                    let mut event = NewEvent::of(&TAKEN).unwrap();
                    event.event_version = "\0".to_owned();
                    poison.streams.first_mut().unwrap().events.push(event);
                    let (poison, one) =
                        tokio::join!(store.append(poison), store.append(append.clone()));
                    assert!(matches!(poison, Err(AppendError::Store(_))), "{poison:?}");
                    vec![one]
                }
                _ => vec![store.append(append.clone()).await],
            };
            let mut done = false;
            for answer in answers {
                match answer {
                    Ok(_) | Err(AppendError::CommandRepeated(_)) => done = true,
                    Err(AppendError::Conflict { .. }) => conflicts += 1,
                    Err(other) => panic!("{many}: {other:?}"),
                }
            }
            if done {
                break;
            }
        }
    }
    conflicts
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_32_busy_writers_nothing_is_lost_and_nothing_doubled() {
    let store = Database::create().await.store().await;
    let writers: Vec<_> = (0..32)
        .map(|writer| tokio::spawn(busy(store.clone(), writer)))
        .collect();
    let mut conflicts = 0;
    for writer in writers {
        conflicts += writer.await.unwrap();
    }
    assert!(conflicts > 0, "they never met");
    let log = store.read_all(0, i64::MAX, i64::MAX).await.unwrap();
    let mut versions: BTreeMap<&str, u64> = BTreeMap::new();
    for event in &log {
        let version = versions.entry(&event.stream.id).or_default();
        *version += 1;
        assert_eq!(event.version, *version);
    }
    let mut taken: Vec<i64> = log
        .iter()
        .map(|event| match event.payload.read() {
            Ok(PileEvent::Taken { many }) => many,
            other => panic!("{other:?}"),
        })
        .collect();
    taken.sort_unstable();
    let all: Vec<i64> = (0..32)
        .flat_map(|writer| (0..25).map(move |turn| writer * 1_000 + turn))
        .collect();
    assert_eq!(taken, all);
    assert!(transactions(&store).await < 32 * 25, "none shared one");
}
