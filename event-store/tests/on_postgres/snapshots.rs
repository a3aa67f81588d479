//! Long streams are loaded from snapshots, with the same results.

use std::time::Duration;

use event_store::testing::Database;
use event_store::{Expected, LockSet, LockedStreams, Store, StreamId, Versioned};
use futures::future::join_all;

use crate::support::{Pile, PileEvent, counted, of, pile, take_any, take_one_of};

/// The versions of a stream's snapshots, with the rules that wrote them.
async fn written(store: &Store, id: &str) -> Vec<(String, i64)> {
    sqlx::query_as("SELECT rules, version FROM snapshots WHERE aggregate_id = $1 ORDER BY rules")
        .bind(id)
        .fetch_all(store.pool())
        .await
        .unwrap()
}

/// Loads until there is a snapshot of at least `version` events.
async fn loaded_from(store: &Store, id: &str, version: i64) -> Versioned<Pile> {
    for _ in 0..200 {
        let loaded = store.load::<Pile>(id).await.unwrap();
        if written(store, id)
            .await
            .iter()
            .any(|(_, of)| *of >= version)
        {
            return loaded;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("no snapshot of {version} events of {id}");
}

async fn take(store: &Store, id: &str, times: usize) {
    let taken = PileEvent::Taken { many: 1 };
    let streams = vec![pile(id, Expected::Any, &vec![taken; times])];
    store.append(of(streams)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_the_length_a_load_is_the_fold_of_the_whole_stream() {
    let plain = Database::create().await.store().await;
    let store = plain.clone().with_snapshots("these");
    counted(&store, "long", 1_000).await;
    counted(&store, "short", 1_000).await;
    // one event, fewer than a page, a page, around it, and far beyond
    for times in [1, 48, 49, 1, 1, 1, 49, 50, 51, 99, 100, 101, 250] {
        take(&store, "long", times).await;
        for _ in 0..2 {
            let (whole, quick) = (plain.load::<Pile>("long"), store.load::<Pile>("long"));
            let (whole, quick) = tokio::join!(whole, quick);
            assert_eq!(quick.unwrap(), whole.unwrap());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    let loaded = loaded_from(&store, "long", 700).await;
    assert_eq!((loaded.version, loaded.state.left), (802, 199));
    take(&store, "short", 98).await;
    store.load::<Pile>("short").await.unwrap();
    assert!(
        written(&store, "short").await.is_empty(),
        "a short one needs none"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_other_rules_folded_is_not_read_and_goes_after_a_while() {
    let plain = Database::create().await.store().await;
    let (old, new) = (
        plain.clone().with_snapshots("old"),
        plain.with_snapshots("new"),
    );
    counted(&old, "long", 1_000).await;
    take(&old, "long", 200).await;
    loaded_from(&old, "long", 201).await;
    sqlx::query("UPDATE snapshots SET state = '{\"left\": -7}'")
        .execute(old.pool())
        .await
        .unwrap();
    // proves that the snapshot is read at all: its wrong state is used
    assert_eq!(old.load::<Pile>("long").await.unwrap().state.left, -7);
    assert_eq!(new.load::<Pile>("long").await.unwrap().state.left, 800);
    for _ in 0..200 {
        if written(&new, "long").await.len() == 2 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let rules =
        |all: Vec<(String, i64)>| all.into_iter().map(|(rules, _)| rules).collect::<Vec<_>>();
    assert_eq!(rules(written(&new, "long").await), ["new", "old"]);
    let soon = time::OffsetDateTime::now_utc() + Duration::from_secs(60);
    assert_eq!(new.forget_foreign_snapshots(soon).await.unwrap(), 1);
    assert_eq!(rules(written(&new, "long").await), ["new"]);
}

/// A decision on a snapshot and the events after it equals one on all events.
#[tokio::test(flavor = "multi_thread")]
async fn of_four_hundred_who_want_one_of_three_hundred_as_many_get_it_as_there_are() {
    let store = Database::create()
        .await
        .store()
        .await
        .with_snapshots("these");
    counted(&store, "hot", 300).await;
    let hot = LockSet::exclusive([StreamId::of::<Pile>("hot")]);
    let take = |locked: &LockedStreams, (): ()| take_one_of(&["hot"], locked);
    let wishes = (0..400).map(|_| store.append_locked(None, &hot, &(), take));
    let answers = join_all(wishes).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 300);
    let loaded = loaded_from(&store, "hot", 150).await;
    assert_eq!((loaded.state.left, loaded.version), (0, 301));
}

/// Events and snapshots are written between the two reads of a load: the result is one moment, never a mixture.
#[tokio::test(flavor = "multi_thread")]
async fn a_load_beside_many_writers_is_one_moment_of_the_stream() {
    let store = Database::create()
        .await
        .store()
        .await
        .with_snapshots("these");
    counted(&store, "busy", 10_000).await;
    let writers = (0..4).map(|_| async {
        for _ in 0..100 {
            store.append(of(vec![take_any("busy")])).await.unwrap();
        }
    });
    let readers = (0..4).map(|_| async {
        for _ in 0..100 {
            let loaded = store.load::<Pile>("busy").await.unwrap();
            let taken = i64::try_from(loaded.version).unwrap() - 1;
            assert_eq!(loaded.state.left, 10_000 - taken);
        }
    });
    tokio::join!(join_all(writers), join_all(readers));
    assert_eq!(loaded_from(&store, "busy", 300).await.version, 401);
}
