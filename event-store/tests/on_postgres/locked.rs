//! Decisions under locks.

use std::time::Duration;

use domain::unit_of_work::UnitOfWork;
use event_store::testing::Database;
use event_store::{
    Append, AppendError, Expected, LockSet, LockedError, LockedStreams, StreamId, TransactionStep,
};
use futures::future::join_all;
use sqlx::PgConnection;

use crate::runner::eventually;
use crate::support::{
    Pile, SoldOut, Wait, context, counted, deadlocks, key, of, pile, take_any, take_one_of,
};

fn exclusive(ids: &[&str]) -> LockSet {
    LockSet::exclusive(ids.iter().map(StreamId::of::<Pile>))
}

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_want_one_of_twenty_and_exactly_twenty_get_it() {
    let store = Database::create().await.store().await;
    counted(&store, "hot", 20).await;
    let hot = exclusive(&["hot"]);
    let take = |locked: &LockedStreams, (): ()| take_one_of(&["hot"], locked);
    let wishes = (0..200).map(|_| store.append_locked(None, &hot, &(), take));
    let answers = join_all(wishes).await;
    let refused = answers
        .iter()
        .filter(|answer| matches!(answer, Err(LockedError::Refused(SoldOut))));
    assert_eq!(refused.count(), 180);
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 20);
    let loaded = store.load::<Pile>("hot").await.unwrap();
    assert_eq!((loaded.state.left, loaded.version), (0, 21));
}

/// Carts with the same products in different orders would deadlock if they locked in cart order.
#[tokio::test(flavor = "multi_thread")]
async fn carts_in_any_order_never_deadlock_and_take_all_or_nothing() {
    let store = Database::create().await.store().await;
    for id in ["a", "b", "c"] {
        counted(&store, id, 30).await;
    }
    let orders = [["a", "b", "c"], ["c", "b", "a"], ["b", "a", "c"]];
    let carts = (0..60).zip(orders.iter().cycle()).map(|(_, order)| {
        let store = store.clone();
        async move {
            let take = |locked: &LockedStreams, (): ()| take_one_of(order, locked);
            store
                .append_locked(None, &exclusive(order), &(), take)
                .await
        }
    });
    let answers = join_all(carts).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 30);
    for id in ["a", "b", "c"] {
        assert_eq!(store.load::<Pile>(id).await.unwrap().state.left, 0);
    }
    assert_eq!(deadlocks(&store).await, 0);
}

#[tokio::test]
async fn a_command_that_comes_twice_is_not_told_about_its_own_purchase() {
    let store = Database::create().await.store().await;
    counted(&store, "last", 1).await;
    let last = exclusive(&["last"]);
    let take = |locked: &LockedStreams, (): ()| take_one_of(&["last"], locked);
    let send = || store.append_locked(Some(key("k1", 1)), &last, &(), take);
    let (one, two) = tokio::join!(send(), send());
    assert!(one.is_ok() != two.is_ok());
    let repeated = one.err().or(two.err()).unwrap();
    assert!(matches!(
        repeated,
        LockedError::Append(AppendError::CommandRepeated(_))
    ));
}

#[tokio::test]
async fn another_stream_of_the_decision_that_moved_is_a_conflict() {
    let store = Database::create().await.store().await;
    counted(&store, "hot", 1).await;
    counted(&store, "points", 1).await;
    let answer = store
        .append_locked(None, &exclusive(&["hot"]), &(), |locked, ()| {
            let mut append = take_one_of(&["hot"], locked)?;
            append.streams.push(pile("points", Expected::NoStream, &[]));
            Ok::<_, SoldOut>(append)
        })
        .await;
    match answer {
        Err(LockedError::Append(AppendError::Conflict { stream })) => {
            assert_eq!(stream.id, "points");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(store.load::<Pile>("hot").await.unwrap().state.left, 1);
}

#[tokio::test]
async fn a_stream_that_was_not_locked_cannot_be_asked_for_and_a_refusal_leaves_no_lock() {
    let store = Database::create().await.store().await;
    let answer = store
        .append_locked(None, &exclusive(&["a"]), &(), |locked, ()| {
            let mut work = UnitOfWork::new(context());
            work.plan_read::<Pile>("b");
            assert!(!locked.load_plan(&mut work).unwrap());
            Err::<Append, _>(SoldOut)
        })
        .await;
    assert!(matches!(answer, Err(LockedError::Refused(SoldOut))));
    store.append(of(vec![take_any("a")])).await.unwrap();
}

/// Streams that are only read are locked in shared mode: sellers do not process orders one after the other.
#[tokio::test(flavor = "multi_thread")]
async fn many_hold_a_stream_still_at_once_and_nobody_writes_it_meanwhile() {
    let store = Database::create().await.store().await;
    for id in ["one", "two", "still"] {
        counted(&store, id, 5).await;
    }
    let hold = |id| exclusive(&[id]).shared([StreamId::of::<Pile>("still")]);
    let take = |id| {
        move |locked: &LockedStreams, (): ()| {
            let mut work = UnitOfWork::new(context());
            work.plan_read::<Pile>("still");
            assert!(locked.load_plan(&mut work).unwrap());
            assert_eq!(work.state::<Pile>("still").left, 5);
            take_one_of(&[id], locked)
        }
    };
    let (wait, begun, go_on) = Wait::until();
    let first = tokio::spawn({
        let (store, hold) = (store.clone(), hold("one"));
        async move { store.append_locked(None, &hold, &wait, take("one")).await }
    });
    begun.await.unwrap();
    let hold = hold("two");
    let second = store.append_locked(None, &hold, &(), take("two"));
    // within the timeout: it does not wait for the first
    let second = tokio::time::timeout(Duration::from_secs(5), second).await;
    second.unwrap().unwrap();
    let writing = tokio::spawn({
        let store = store.clone();
        async move { store.append(of(vec![take_any("still")])).await }
    });
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(!writing.is_finished(), "written while it was held still");
    go_on.send(()).unwrap();
    first.await.unwrap().unwrap();
    writing.await.unwrap().unwrap();
}

/// A request that times out is dropped at any point, most often while waiting for a lock.
#[tokio::test(flavor = "multi_thread")]
async fn who_gives_up_while_waiting_for_a_lock_leaves_no_transaction_open() {
    let store = Database::create().await.store().await;
    counted(&store, "hot", 20).await;
    let hold = exclusive(&["hot"]);
    let take = |locked: &LockedStreams, (): ()| take_one_of(&["hot"], locked);
    let (wait, begun, go_on) = Wait::until();
    let first = store.append_locked(None, &hold, &wait, take);
    let gives_up = async {
        begun.await.unwrap();
        let second = store.append_locked(None, &hold, &(), take);
        let in_time = tokio::time::timeout(Duration::from_millis(100), second).await;
        assert!(in_time.is_err(), "it did not wait");
        go_on.send(()).unwrap();
    };
    let (first, ()) = tokio::join!(first, gives_up);
    first.unwrap();
    eventually("a transaction is left open", async || {
        let open = "SELECT count(*) FROM pg_stat_activity \
                    WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()";
        let open: i64 = sqlx::query_scalar(open).fetch_one(store.pool()).await.unwrap();
        open == 0
    })
    .await;
    let third = store.append_locked(None, &hold, &(), take);
    let third = tokio::time::timeout(Duration::from_secs(5), third).await;
    third.unwrap().unwrap();
}

/// Takes a name from a table of this test.
struct TakeName(&'static str);

impl TransactionStep<SoldOut> for TakeName {
    type Output = u64;

    async fn run(&self, connection: &mut PgConnection) -> Result<u64, SoldOut> {
        let taken = sqlx::query("DELETE FROM names WHERE name = $1")
            .bind(self.0)
            .execute(connection)
            .await
            .unwrap()
            .rows_affected();
        if taken == 0 { Err(SoldOut) } else { Ok(taken) }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_step_writes_is_kept_with_the_events_or_not_at_all() {
    let store = Database::create().await.store().await;
    counted(&store, "hot", 20).await;
    sqlx::raw_sql("CREATE TABLE names (name text); INSERT INTO names VALUES ('once'), ('kept')")
        .execute(store.pool())
        .await
        .unwrap();
    let hold = exclusive(&["hot"]);
    let take = |locked: &LockedStreams, taken: u64| {
        assert_eq!(taken, 1);
        take_one_of(&["hot"], locked)
    };
    let left = async || {
        let names: Vec<String> = sqlx::query_scalar("SELECT name FROM names ORDER BY name")
            .fetch_all(store.pool())
            .await
            .unwrap();
        (names, store.load::<Pile>("hot").await.unwrap().state.left)
    };

    // a rejected decision rolls the step back
    let refuse = |_: &LockedStreams, _: u64| Err(SoldOut);
    let step = TakeName("kept");
    let refused = store.append_locked(None, &hold, &step, refuse).await;
    assert!(matches!(refused, Err(LockedError::Refused(SoldOut))));
    assert_eq!(
        left().await,
        (vec!["kept".to_owned(), "once".to_owned()], 20)
    );

    // of eight that take the same name one succeeds; repeating its command is answered before the step
    let step = TakeName("once");
    let wishes = (1..=8).map(|number| {
        let key = key(&format!("k{number}"), 1);
        store.append_locked(Some(key), &hold, &step, take)
    });
    let answers = join_all(wishes).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
    assert_eq!(left().await, (vec!["kept".to_owned()], 19));
    let winner = answers.iter().position(Result::is_ok).unwrap() + 1;
    let again = Some(key(&format!("k{winner}"), 1));
    let again = store.append_locked(again, &hold, &step, take).await;
    assert!(matches!(
        again,
        Err(LockedError::Append(AppendError::CommandRepeated(_)))
    ));

    // events that cannot be written roll it back too
    let wrong = |_: &LockedStreams, _: u64| Ok(of(vec![pile("hot", Expected::Exact(99), &[])]));
    let step = TakeName("kept");
    let failed = store.append_locked(None, &hold, &step, wrong).await;
    assert!(matches!(failed, Err(LockedError::Append(_))), "{failed:?}");
    assert_eq!(left().await, (vec!["kept".to_owned()], 19));
}
