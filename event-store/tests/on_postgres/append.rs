//! Atomicity: stream versions, conditions, command ids, reservations.

use event_store::testing::Database;
use event_store::{
    Append, AppendError, Expected, MAX_LOCKS, ReservationChange, Store, StoreError, StreamId,
};
use futures::future::join_all;
use serde_json::json;
use time::{Duration, OffsetDateTime};

use crate::support::{Pile, PileEvent, counted, deadlocks, key, of, pile, take_any};

const TAKEN: PileEvent = PileEvent::Taken { many: 1 };

async fn events(store: &Store) -> i64 {
    let count = sqlx::query_scalar("SELECT count(*) FROM events");
    count.fetch_one(store.pool()).await.unwrap()
}

#[tokio::test]
async fn many_streams_get_versions_and_rising_positions() {
    let store = Database::create().await.store().await;
    counted(&store, "a", 5).await;
    let appended = store
        .append(of(vec![
            pile(
                "b",
                Expected::NoStream,
                &[PileEvent::Counted { left: 3 }, TAKEN],
            ),
            pile("a", Expected::Exact(1), &[TAKEN]),
        ]))
        .await
        .unwrap();
    assert_eq!(
        appended.versions,
        [
            (StreamId::of::<Pile>("b"), 2),
            (StreamId::of::<Pile>("a"), 2)
        ]
    );
    assert_eq!((appended.first_position, appended.last_position), (2, 4));
    let log = store.read_all(0, 100, 100).await.unwrap();
    let order: Vec<_> = log
        .iter()
        .map(|event| (event.position, event.stream.id.as_str(), event.version))
        .collect();
    assert_eq!(order, [(1, "a", 1), (2, "b", 1), (3, "b", 2), (4, "a", 2)]);
    assert_eq!(store.load::<Pile>("b").await.unwrap().state.left, 2);
}

#[tokio::test]
async fn a_moved_head_refuses_everything() {
    let store = Database::create().await.store().await;
    counted(&store, "a", 5).await;
    for expected in [
        Expected::NoStream,
        Expected::Exact(0),
        Expected::Exact(2),
        Expected::Exact(7),
    ] {
        let append = of(vec![
            pile("new", Expected::NoStream, &[TAKEN]),
            pile("a", expected, &[TAKEN]),
        ]);
        match store.append(append).await {
            Err(AppendError::Conflict { stream }) => assert_eq!(stream, StreamId::of::<Pile>("a")),
            other => panic!("{expected:?}: {other:?}"),
        }
    }
    assert_eq!(
        events(&store).await,
        1,
        "a refused append left something behind"
    );
}

#[tokio::test]
async fn twenty_writers_who_saw_the_same_head_and_one_wins() {
    let store = Database::create().await.store().await;
    counted(&store, "a", 5).await;
    let writers = (0..20).map(|_| {
        let append = of(vec![pile("a", Expected::Exact(1), &[TAKEN])]);
        store.append(append)
    });
    let answers = join_all(writers).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
    for answer in answers {
        assert!(matches!(answer, Ok(_) | Err(AppendError::Conflict { .. })));
    }
    assert_eq!(events(&store).await, 2);
}

#[tokio::test]
async fn any_head_is_taken_as_it_is_by_everybody() {
    let store = Database::create().await.store().await;
    let writers = (0..50).map(|_| store.append(of(vec![take_any("a"), take_any("b")])));
    for answer in join_all(writers).await {
        answer.unwrap();
    }
    for id in ["a", "b"] {
        let events = store.read_stream(&StreamId::of::<Pile>(id)).await.unwrap();
        let versions: Vec<u64> = events.iter().map(|event| event.version).collect();
        assert_eq!(versions, (1..=50).collect::<Vec<u64>>());
        assert!(events.is_sorted_by_key(|event| event.position));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn many_streams_in_any_order_never_deadlock() {
    let store = Database::create().await.store().await;
    let orders = [
        ["a", "b", "c"],
        ["c", "b", "a"],
        ["b", "a", "c"],
        ["c", "a", "b"],
    ];
    let writers = (0..200).zip(orders.iter().cycle()).map(|(_, order)| {
        let streams = order.map(take_any);
        store.append(of(streams.into()))
    });
    for answer in join_all(writers).await {
        answer.unwrap();
    }
    assert_eq!(events(&store).await, 600);
    assert_eq!(deadlocks(&store).await, 0);
}

#[tokio::test]
async fn a_condition_holds_or_nothing_is_written() {
    let store = Database::create().await.store().await;
    counted(&store, "rules", 1).await;
    let mut append = of(vec![take_any("a")]);
    append.conditions = vec![
        (StreamId::of::<Pile>("rules"), 1),
        (StreamId::of::<Pile>("none"), 0),
    ];
    store.append(append.clone()).await.unwrap();
    store.append(of(vec![take_any("rules")])).await.unwrap();
    match store.append(append).await {
        Err(AppendError::Conflict { stream }) => assert_eq!(stream.id, "rules"),
        other => panic!("{other:?}"),
    }
    assert_eq!(events(&store).await, 3);
}

/// Two decisions, each depending on what the other one changes: at most one may be written.
#[tokio::test]
async fn conditions_allow_no_write_skew() {
    let store = Database::create().await.store().await;
    for round in 0..30 {
        let (a, b) = (format!("a{round}"), format!("b{round}"));
        let skewed = |written: &str, rests_on: &str| -> Append {
            let mut append = of(vec![take_any(written)]);
            append.conditions = vec![(StreamId::of::<Pile>(rests_on), 0)];
            append
        };
        let (one, two) = tokio::join!(store.append(skewed(&a, &b)), store.append(skewed(&b, &a)));
        assert!(one.is_ok() != two.is_ok(), "{one:?} {two:?}");
    }
}

#[tokio::test]
async fn a_repeated_command_gets_the_stored_answer_and_another_body_is_refused() {
    let store = Database::create().await.store().await;
    let mut append = of(vec![take_any("a")]);
    append.command = Some(key("k1", 1));
    append.command_result = Some(json!({"orderId": 7}));
    assert_eq!(store.command(&key("k1", 1)).await.unwrap(), None);
    let first = store.append(append.clone()).await.unwrap();
    match store.append(append.clone()).await {
        Err(AppendError::CommandRepeated(stored)) => {
            assert_eq!(stored.result, json!({"orderId": 7}));
            assert_eq!(stored.last_position, first.last_position);
            assert_eq!(store.command(&key("k1", 1)).await.unwrap(), Some(stored));
        }
        other => panic!("{other:?}"),
    }
    append.command = Some(key("k1", 2));
    let other_body = store.append(append).await;
    assert!(matches!(other_body, Err(AppendError::CommandBodyDiffers)));
    let other_body = store.command(&key("k1", 2)).await;
    assert!(matches!(other_body, Err(AppendError::CommandBodyDiffers)));
    assert_eq!(events(&store).await, 1);
}

#[tokio::test]
async fn twenty_times_the_same_command_at_once_is_done_once() {
    let store = Database::create().await.store().await;
    let sent = (0..20).map(|_| {
        let mut append = of(vec![take_any("a")]);
        append.command = Some(key("k1", 1));
        store.append(append)
    });
    let answers = join_all(sent).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
    for answer in answers {
        assert!(matches!(
            answer,
            Ok(_) | Err(AppendError::CommandRepeated(_))
        ));
    }
    assert_eq!(events(&store).await, 1);
}

#[tokio::test]
async fn a_refused_command_may_come_again_and_an_expired_one_is_new() {
    let store = Database::create().await.store().await;
    let mut append = of(vec![pile("a", Expected::Exact(1), &[TAKEN])]);
    let mut expiring = key("k1", 1);
    expiring.expires_at = Some(OffsetDateTime::now_utc() - Duration::seconds(1));
    append.command = Some(expiring);
    let refused = store.append(append.clone()).await;
    assert!(matches!(refused, Err(AppendError::Conflict { .. })));
    counted(&store, "a", 9).await;
    store.append(append.clone()).await.unwrap();
    append.streams = vec![take_any("a")];
    store.append(append).await.unwrap();
    assert_eq!(store.forget_expired_commands(100).await.unwrap(), 1);
}

#[tokio::test]
async fn of_twenty_who_want_one_name_exactly_one_gets_it() {
    let store = Database::create().await.store().await;
    let name = |owner: usize| ReservationChange::Take {
        scope: "nickname".to_owned(),
        key_hash: [7; 32],
        owner: format!("member-{owner}"),
    };
    let wishes = (0..20).map(|owner| {
        let mut append = of(vec![take_any(&format!("member-{owner}"))]);
        append.reservations = vec![name(owner)];
        store.append(append)
    });
    let answers = join_all(wishes).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
    for answer in &answers {
        match answer {
            Ok(_) => {}
            Err(AppendError::ReservationTaken { scope }) => assert_eq!(scope, "nickname"),
            Err(other) => panic!("{other}"),
        }
    }
    assert_eq!(
        events(&store).await,
        1,
        "who did not get the name wrote events"
    );
}

#[tokio::test]
async fn a_name_is_given_back_by_its_owner_only_and_can_change_hands_in_one_append() {
    let store = Database::create().await.store().await;
    let scope = || "nickname".to_owned();
    let take = |owner: &str| ReservationChange::Take {
        scope: scope(),
        key_hash: [7; 32],
        owner: owner.to_owned(),
    };
    let release = |owner: &str| ReservationChange::Release {
        scope: scope(),
        key_hash: [7; 32],
        owner: owner.to_owned(),
    };
    let try_ = async |changes: Vec<ReservationChange>| {
        let mut append = of(vec![]);
        append.reservations = changes;
        store.append(append).await
    };
    try_(vec![take("kim")]).await.unwrap();
    try_(vec![take("kim")]).await.unwrap();
    try_(vec![release("lee")]).await.unwrap();
    assert!(try_(vec![take("lee")]).await.is_err());
    try_(vec![release("kim"), take("lee")]).await.unwrap();
    assert!(try_(vec![take("kim")]).await.is_err());
    try_(vec![release("lee")]).await.unwrap();
    try_(vec![take("kim")]).await.unwrap();
}

#[tokio::test]
async fn what_is_known_about_a_change_comes_back() {
    let store = Database::create().await.store().await;
    let mut append = of(vec![take_any("a")]);
    append.metadata.reason = Some("파손".to_owned());
    append.metadata.command = Some("take-one".to_owned());
    append.metadata.command_id = Some(uuid::Uuid::now_v7());
    store.append(append.clone()).await.unwrap();
    let events = store.read_stream(&StreamId::of::<Pile>("a")).await.unwrap();
    let event = events.first().unwrap();
    assert_eq!(event.metadata, append.metadata);
    assert_eq!(
        event.event_id,
        append
            .streams
            .first()
            .unwrap()
            .events
            .first()
            .unwrap()
            .event_id
    );
    let (correlation, occurred): (uuid::Uuid, OffsetDateTime) =
        sqlx::query_as("SELECT correlation_id, occurred_at FROM events")
            .fetch_one(store.pool())
            .await
            .unwrap();
    assert_eq!(correlation, append.metadata.correlation_id);
    assert_eq!(occurred, append.metadata.occurred_at);
}

#[tokio::test]
async fn nonsense_is_refused_before_the_database_is_asked() {
    let store = Database::create().await.store().await;
    let twice = store.append(of(vec![take_any("a"), take_any("a")])).await;
    assert!(matches!(
        twice,
        Err(AppendError::Store(StoreError::StreamTwice(_)))
    ));
    let many = (0..=MAX_LOCKS).map(|number| take_any(&number.to_string()));
    let many = store.append(of(many.collect())).await;
    assert!(matches!(
        many,
        Err(AppendError::Store(StoreError::TooManyLocks { .. }))
    ));
    let most = (0..MAX_LOCKS).map(|number| take_any(&number.to_string()));
    store.append(of(most.collect())).await.unwrap();
}
