//! Reading: as of a moment, and old events in new words.

use event_store::testing::Database;
use event_store::{At, Expected, NewEvent, StreamAppend, StreamId, UpcastEvent, Upcasters};
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
