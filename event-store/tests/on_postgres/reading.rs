//! Reading: as of a moment, and upcasting of old events.

use event_store::testing::Database;
use event_store::{
    At, Expected, NewEvent, StreamAppend, StreamId, UpcastEvent, Upcasters, log_snapshot,
};
use serde_json::json;
use time::Duration;

use crate::support::{Pile, PileEvent, counted, of, pile, take_any};

#[tokio::test]
async fn as_of_a_version_a_position_and_a_time() {
    let store = Database::create().await.store().await;
    counted(&store, "a", 10).await;
    let mut moments = Vec::new();
    for _ in 0..5 {
        let append = of(vec![take_any("a"), take_any("other")]);
        let time = append.metadata.occurred_at;
        let appended = store.append(append).await.unwrap();
        moments.push((time, appended));
    }
    for ((time, appended), left) in moments.iter().zip([9, 8, 7, 6, 5]) {
        let (_, version) = appended.versions.first().unwrap();
        for at in [
            At::Version(*version),
            At::Position(appended.last_position),
            At::Position(appended.first_position),
            At::Time(*time),
            At::Time(*time + Duration::seconds(59)),
        ] {
            let loaded = store.load_at::<Pile>("a", at).await.unwrap();
            assert_eq!(
                (loaded.state.left, loaded.version),
                (left, *version),
                "{at:?}"
            );
        }
        assert_eq!(
            store.position_at(*time).await.unwrap(),
            appended.last_position
        );
    }
    let before = store.load_at::<Pile>("a", At::Position(0)).await.unwrap();
    assert!(!before.exists());
    let (first, _) = moments.first().unwrap();
    assert_eq!(
        store.position_at(*first - Duration::days(1)).await.unwrap(),
        0
    );
    assert!(!store.load::<Pile>("never").await.unwrap().exists());
}

#[tokio::test]
async fn old_events_are_read_in_new_words_everywhere() {
    let upcasters = Upcasters::new()
        .with("Sold", "0.9", |payload| {
            let many = payload.pointer("/Sold/pieces").unwrap().as_i64().unwrap();
            (0..many)
                .map(|_| UpcastEvent::new("Taken", "1.0", json!({"Taken": {"many": 1}})))
                .collect()
        })
        .with("Looked", "0.9", |_| Vec::new());
    let store = Database::create()
        .await
        .store()
        .await
        .with_upcasters(upcasters);
    counted(&store, "a", 10).await;
    let old = |event_type: &str, payload| NewEvent {
        event_type: event_type.to_owned(),
        event_version: "0.9".to_owned(),
        payload,
        event_id: uuid::Uuid::now_v7(),
    };
    let append = of(vec![StreamAppend {
        stream: StreamId::of::<Pile>("a"),
        expected: Expected::Exact(1),
        events: vec![
            old("Sold", json!({"Sold": {"pieces": 3}})),
            old("Looked", json!({"Looked": {}})),
        ],
    }]);
    store.append(append).await.unwrap();
    let loaded = store.load::<Pile>("a").await.unwrap();
    assert_eq!(loaded.state.left, 7);
    assert_eq!(
        loaded.version, 3,
        "an event that vanished still counts as the head"
    );
    let log = store.read_all(0, 100, 100).await.unwrap();
    let sold: Vec<_> = log
        .iter()
        .filter(|event| event.version == 2)
        .map(|event| (event.position, event.event::<Pile>().unwrap()))
        .collect();
    assert_eq!(sold, vec![(2, PileEvent::Taken { many: 1 }); 3]);
    let next = of(vec![pile(
        "a",
        Expected::Exact(loaded.version),
        &[PileEvent::Taken { many: 1 }],
    )]);
    store.append(next).await.unwrap();
}

#[tokio::test]
async fn events_of_some_types_are_found_in_every_stream() {
    let store = Database::create().await.store().await;
    counted(&store, "a", 10).await;
    store.append(of(vec![take_any("b")])).await.unwrap();
    counted(&store, "c", 20).await;
    let found = store.read_types(&["Counted"]).await.unwrap();
    let found: Vec<_> = found
        .iter()
        .map(|event| (event.stream.id.as_str(), event.event::<Pile>().unwrap()))
        .collect();
    let counted = |left| PileEvent::Counted { left };
    assert_eq!(found, [("a", counted(10)), ("c", counted(20))]);
    let every = store.read_types(&["Counted", "Taken"]).await.unwrap();
    assert_eq!(every, store.read_all(0, i64::MAX, 9).await.unwrap());
    assert_eq!(store.read_types(&["Sold"]).await.unwrap(), []);
}

/// The SQL functions of the log used by other crates with their own tables.
#[tokio::test]
async fn the_functions_of_the_log_answer_as_the_log_is_read() {
    let store = Database::create().await.store().await;
    counted(&store, "a", 10).await;
    let newest = store.append(of(vec![take_any("a"), take_any("b")])).await;
    let newest = newest.unwrap();
    counted(&store, "c", 10).await;
    let asked: Vec<Option<i64>> = sqlx::query_scalar(
        "SELECT stream_position(kind, id) FROM (VALUES (1, 'pile', 'a'), (2, 'pile', 'b'), (3, 'pile', 'd'), (4, 'order', 'a'))
             AS asked(nr, kind, id) ORDER BY nr",
    )
    .fetch_all(store.pool())
    .await
    .unwrap();
    let (first, last) = (newest.first_position, newest.last_position);
    assert_eq!(asked, [Some(first), Some(last), None, None]);

    for event in store.read_all(0, i64::MAX, 9).await.unwrap() {
        let recorded_at: time::OffsetDateTime =
            sqlx::query_scalar("SELECT position_recorded_at($1)")
                .bind(event.position)
                .fetch_one(store.pool())
                .await
                .unwrap();
        assert_eq!(recorded_at, event.recorded_at);
        let (stream, version, kind): (String, i64, String) = sqlx::query_as(
            "SELECT stream_kind || ' ' || stream_id, version, type FROM event_outlines WHERE position = $1",
        )
        .bind(event.position)
        .fetch_one(store.pool())
        .await
        .unwrap();
        let expected = format!("{} {}", event.stream.kind, event.stream.id);
        assert_eq!((stream, version), (expected, event.version.cast_signed()));
        assert_eq!(kind, event.event_type);
    }
    let never: Option<time::OffsetDateTime> =
        sqlx::query_scalar("SELECT position_recorded_at(9999)")
            .fetch_one(store.pool())
            .await
            .unwrap();
    assert_eq!(never, None);
}

#[tokio::test]
async fn a_transaction_asks_the_log_as_it_began() {
    let store = Database::create().await.store().await;
    let mut transaction = event_store::begin(store.pool()).await.unwrap();
    assert_eq!(
        log_snapshot::newest_position(&mut transaction)
            .await
            .unwrap(),
        0
    );
    assert_eq!(
        log_snapshot::drawn_position(&mut transaction)
            .await
            .unwrap(),
        0
    );
    drop(transaction);

    let one = counted(&store, "a", 10).await.last_position;
    let both = store.append(of(vec![take_any("a"), take_any("b")])).await;
    let both = both.unwrap();
    let mut transaction = event_store::begin(store.pool()).await.unwrap();
    sqlx::query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        .execute(&mut *transaction)
        .await
        .unwrap();
    let newest = log_snapshot::newest_position(&mut transaction)
        .await
        .unwrap();
    assert_eq!(newest, both.last_position);
    let later = counted(&store, "c", 10).await.last_position;
    let newest = log_snapshot::newest_position(&mut transaction)
        .await
        .unwrap();
    assert_eq!(newest, both.last_position);
    let drawn = log_snapshot::drawn_position(&mut transaction)
        .await
        .unwrap();
    assert_eq!(drawn, later, "a sequence has no snapshot");
    let mut after = log_snapshot::positions_after(&mut transaction, one)
        .await
        .unwrap();
    after.sort_unstable();
    assert_eq!(after, [both.first_position, both.last_position]);
    for (position, cut) in [
        (one, None),
        (both.first_position, Some(both.first_position)),
        (both.last_position, None),
    ] {
        let found = log_snapshot::append_across(&mut transaction, position).await;
        assert_eq!(found.unwrap(), cut, "{position}");
    }
}
