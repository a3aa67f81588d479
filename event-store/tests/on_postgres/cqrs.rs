//! cqrs-es on our log, and an unmodified postgres-es on our table.

use std::collections::HashMap;

use cqrs_es::persist::{PersistedEventRepository, PersistedEventStore, PersistenceError};
use cqrs_es::{AggregateError, CqrsFramework, EventStore};
use event_store::testing::Database;
use event_store::{Expected, PgEventRepository, PgEventStore, Store, StreamId};
use postgres_es::PostgresEventRepository;

use crate::support::{Pile, PileCommand, PileEvent, SoldOut, context, counted, of, pile, take_any};

type Stock = CqrsFramework<Pile, PersistedEventStore<PostgresEventRepository, Pile>>;

fn stock(store: &Store) -> Stock {
    let repository = PostgresEventRepository::new(store.pool().clone());
    CqrsFramework::new(PersistedEventStore::new_event_store(repository), vec![], ())
}

#[tokio::test]
async fn a_stock_postgres_es_reads_and_writes_our_table() {
    let store = Database::create().await.store().await;
    let theirs = stock(&store);
    // they start the stream, we continue, they continue
    theirs
        .execute("a", (PileCommand::Count(10), context()))
        .await
        .unwrap();
    let loaded = store.load::<Pile>("a").await.unwrap();
    assert_eq!((loaded.state.left, loaded.version), (10, 1));
    let ours = of(vec![pile(
        "a",
        Expected::Exact(1),
        &[PileEvent::Taken { many: 4 }],
    )]);
    store.append(ours).await.unwrap();
    theirs
        .execute("a", (PileCommand::Take(6), context()))
        .await
        .unwrap();
    let refused = theirs.execute("a", (PileCommand::Take(1), context())).await;
    assert!(matches!(refused, Err(AggregateError::UserError(SoldOut))));
    let metadata = HashMap::from([("who".to_owned(), "kim".to_owned())]);
    theirs
        .execute_with_metadata("a", (PileCommand::Count(1), context()), metadata)
        .await
        .unwrap();
    let events = store.read_stream(&StreamId::of::<Pile>("a")).await.unwrap();
    let versions: Vec<u64> = events.iter().map(|event| event.version).collect();
    assert_eq!(versions, [1, 2, 3, 4]);
    // their events have no id; ours is derived from the position, so all are different
    assert!(
        events
            .windows(2)
            .all(|pair| pair.first().map(|event| event.event_id)
                != pair.last().map(|event| event.event_id))
    );
    let settled = store.settle().await.unwrap();
    assert_eq!(store.read_all(0, settled, 10).await.unwrap().len(), 4);
}

#[tokio::test]
async fn both_at_once_lose_nothing() {
    let store = Database::create().await.store().await;
    counted(&store, "a", 1_000).await;
    let theirs = async {
        let stock = stock(&store);
        let mut done = 0;
        for _ in 0..100 {
            match stock.execute("a", (PileCommand::Take(1), context())).await {
                Ok(()) => done += 1,
                Err(error) => assert!(matches!(error, AggregateError::AggregateConflict)),
            }
        }
        done
    };
    let ours = async {
        for _ in 0..100 {
            // any version: an append by postgres-es in between is no conflict
            store.append(of(vec![take_any("a")])).await.unwrap();
        }
    };
    let (theirs, ()): (i64, ()) = tokio::join!(theirs, ours);
    let loaded = store.load::<Pile>("a").await.unwrap();
    assert_eq!(loaded.state.left, 1_000 - theirs - 100);
    assert!(theirs > 0);
}

#[tokio::test]
async fn the_framework_works_over_our_store() {
    let store = Database::create().await.store().await;
    let framework = CqrsFramework::<Pile, _>::new(PgEventStore::new(store.clone()), vec![], ());
    framework
        .execute("a", (PileCommand::Count(10), context()))
        .await
        .unwrap();
    let metadata = HashMap::from([
        ("reason".to_owned(), "파손".to_owned()),
        ("shelf".to_owned(), "B".to_owned()),
    ]);
    framework
        .execute_with_metadata("a", (PileCommand::Take(3), context()), metadata)
        .await
        .unwrap();
    assert_eq!(store.load::<Pile>("a").await.unwrap().state.left, 7);
    let envelopes = EventStore::<Pile>::load_events(&PgEventStore::new(store.clone()), "a")
        .await
        .unwrap();
    let second = envelopes.last().unwrap();
    assert_eq!(second.sequence, 2);
    assert_eq!(second.metadata.get("shelf").unwrap(), "B");
    let events = store.read_stream(&StreamId::of::<Pile>("a")).await.unwrap();
    assert_eq!(
        events.last().unwrap().metadata.reason.as_deref(),
        Some("파손")
    );

    // an outdated context
    let ours = PgEventStore::new(store.clone());
    let context = EventStore::<Pile>::load_aggregate(&ours, "a")
        .await
        .unwrap();
    framework
        .execute("a", (PileCommand::Take(1), crate::support::context()))
        .await
        .unwrap();
    let answer = EventStore::<Pile>::commit(
        &ours,
        vec![PileEvent::Taken { many: 1 }],
        context,
        HashMap::new(),
    )
    .await;
    assert!(matches!(answer, Err(AggregateError::AggregateConflict)));
}

#[tokio::test]
async fn streams_come_in_the_order_of_the_log() {
    let store = Database::create().await.store().await;
    counted(&store, "a", 1).await;
    store.append(of(vec![take_any("a")])).await.unwrap();
    counted(&store, "b", 1).await;
    store.append(of(vec![take_any("b")])).await.unwrap();
    let repository = PgEventRepository::new(&store);
    let mut all = repository.stream_all_events::<Pile>().await.unwrap();
    let mut order = Vec::new();
    while let Some(event) = all.next::<Pile>(&[]).await {
        let event = event.unwrap();
        order.push((event.aggregate_id, event.sequence));
    }
    let expected = [("a", 1), ("a", 2), ("b", 1), ("b", 2)].map(|(id, nr)| (id.to_owned(), nr));
    assert_eq!(order, expected);
    let mut one = repository.stream_events::<Pile>("b").await.unwrap();
    let mut count = 0;
    while one.next::<Pile>(&[]).await.is_some() {
        count += 1;
    }
    assert_eq!(count, 2);
    assert_eq!(
        repository
            .get_last_events::<Pile>("a", 1)
            .await
            .unwrap()
            .len(),
        1
    );
}

#[tokio::test]
async fn a_stream_that_fails_says_so_and_snapshots_are_refused() {
    let store = Database::create().await.store().await;
    let repository = PgEventRepository::new(&store);
    let snapshot = Some(("a".to_owned(), serde_json::Value::Null, 1));
    assert!(repository.persist::<Pile>(&[], snapshot).await.is_err());
    sqlx::query("DROP TABLE events CASCADE")
        .execute(store.pool())
        .await
        .unwrap();
    let mut all = repository.stream_all_events::<Pile>().await.unwrap();
    let first = all.next::<Pile>(&[]).await;
    assert!(matches!(
        first,
        Some(Err(PersistenceError::UnknownError(_)))
    ));
}
