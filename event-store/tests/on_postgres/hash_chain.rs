//! The hash chain: every kind of tampering with the log is detected and identified.

use event_store::hash_chain::{ChainCheck, ChainCheckOptions, Forgery, check};
use event_store::testing::Database;
use event_store::{ChainCheckpoint, ChainError, ChainFault, ChainKey, Expected, PublicKey, Store};
use sqlx::PgConnection;

use crate::support::{PileEvent, counted, of, pile, take_any};

fn key(byte: u8) -> ChainKey {
    ChainKey::from_bytes(&[byte; 32])
}

/// Three blocks of ten events each; one position between the second and the third is unused.
async fn sealed() -> (Store, ChainCheckpoint) {
    let store = Database::create().await.store().await;
    let mut newest = None;
    for block in 0..3 {
        if block == 2 {
            let mut gone = event_store::begin(store.pool()).await.unwrap();
            sqlx::query("SELECT nextval('events_global_position_seq')")
                .execute(&mut *gone)
                .await
                .unwrap();
            gone.rollback().await.unwrap();
        }
        let name = format!("pile-{block}");
        counted(&store, &name, 100).await;
        for _ in 0..9 {
            store.append(of(vec![take_any(&name)])).await.unwrap();
        }
        let done = store.seal_log(&key(1), newest.as_ref()).await.unwrap();
        assert_eq!((done.blocks, done.events), (1, 10));
        newest = done.newest;
    }
    (store, newest.unwrap())
}

async fn checked(
    connection: &mut PgConnection,
    trusted: &[PublicKey],
    marks: &[ChainCheckpoint],
) -> ChainCheck {
    let asked = ChainCheckOptions {
        trusted,
        marks,
        up_to: i64::MAX,
        after: None,
    };
    check(connection, asked, |_| {}).await.unwrap()
}

/// The faults found after `done`, which is rolled back.
async fn found(store: &Store, mark: &ChainCheckpoint, done: &[&str]) -> Vec<ChainFault> {
    let mut transaction = event_store::begin(store.pool()).await.unwrap();
    for sql in done {
        let changed = sqlx::query(sql).execute(&mut *transaction).await.unwrap();
        assert!(changed.rows_affected() > 0, "{sql}");
    }
    let check = checked(&mut transaction, &[key(1).public()], &[*mark]).await;
    transaction.rollback().await.unwrap();
    check.faults
}

#[tokio::test]
async fn whatever_is_done_to_the_past_is_named() {
    let (store, mark) = sealed().await;
    let mut connection = store.pool().acquire().await.unwrap();
    let clean = checked(&mut connection, &[key(1).public()], &[mark]).await;
    assert_eq!((clean.blocks, clean.events, clean.sealed_to), (3, 30, 31));
    assert_eq!(clean.faults, []);

    // one byte of an old event, of its payload and of its metadata
    for change in [
        "UPDATE events SET payload = replace(payload::text, '1', '2')::json WHERE global_position = 5",
        "UPDATE events SET metadata = replace(metadata::text, 'system', 'System')::json WHERE global_position = 5",
        "UPDATE events SET recorded_at = recorded_at + interval '1 microsecond' WHERE global_position = 5",
    ] {
        let faults = found(&store, &mark, &[change]).await;
        let [
            ChainFault::Changed {
                position: 5,
                stream,
                version: 5,
                ..
            },
        ] = faults.as_slice()
        else {
            panic!("{change}: {faults:?}");
        };
        assert_eq!(stream.to_string(), "pile/pile-0");
    }

    let faults = found(
        &store,
        &mark,
        &["DELETE FROM events WHERE global_position = 15"],
    )
    .await;
    assert!(
        matches!(
            faults.as_slice(),
            [ChainFault::Removed {
                position: 15,
                block: 2,
                ..
            }]
        ),
        "{faults:?}"
    );

    let slip = "INSERT INTO events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata, global_position)
         OVERRIDING SYSTEM VALUE VALUES ('pile', 'pile-9', 1, 'Counted', '1.0', '{\"Counted\":{\"left\":1}}', '{}', 21)";
    let faults = found(&store, &mark, &[slip]).await;
    assert!(
        matches!(
            faults.as_slice(),
            [ChainFault::Added {
                position: 21,
                block: 3,
                version: 1,
                ..
            }]
        ),
        "{faults:?}"
    );

    // the event is changed and the block matches it, but cannot be signed
    let forge = "UPDATE log_blocks SET leaves = set_byte(leaves, 100, get_byte(leaves, 100) # 1),
                        hash = sha256(leaves) WHERE number = 2";
    let faults = found(&store, &mark, &[forge]).await;
    for why in [Forgery::Hash, Forgery::Signature] {
        assert!(
            faults.contains(&ChainFault::Forged { block: 2, why }),
            "{faults:?}"
        );
    }
    assert!(
        faults.contains(&ChainFault::Forged {
            block: 3,
            why: Forgery::Link
        }),
        "{faults:?}"
    );
    let copied = "UPDATE log_blocks SET signature = (SELECT signature FROM log_blocks WHERE number = 1) WHERE number = 2";
    assert_eq!(
        found(&store, &mark, &[copied]).await,
        [ChainFault::Forged {
            block: 2,
            why: Forgery::Signature
        }]
    );

    assert_eq!(
        found(&store, &mark, &["DELETE FROM log_blocks WHERE number = 2"]).await,
        [ChainFault::Missing { block: 2 }]
    );
    // the newest events and their block: detectable only with a checkpoint of the block
    let cut = [
        "DELETE FROM log_blocks WHERE number = 3",
        "DELETE FROM events WHERE global_position > 20",
    ];
    assert_eq!(
        found(&store, &mark, &cut).await,
        [ChainFault::Departed { mark }]
    );
}

#[tokio::test]
async fn a_chain_made_anew_is_not_the_one_and_is_not_gone_on_with() {
    let (store, mark) = sealed().await;
    let change = "UPDATE events SET payload = replace(payload::text, '1', '2')::json WHERE global_position = 5";
    for sql in ["TRUNCATE log_blocks", change] {
        sqlx::query(sql).execute(store.pool()).await.unwrap();
    }
    store.seal_log(&key(2), None).await.unwrap();
    let mut connection = store.pool().acquire().await.unwrap();
    let faults = checked(&mut connection, &[key(1).public()], &[mark])
        .await
        .faults;
    assert_eq!(
        faults,
        [
            ChainFault::Departed { mark },
            ChainFault::Forged {
                block: 1,
                why: Forgery::Key
            }
        ]
    );
    // the shop's own sealer does not sign it either
    sqlx::query("TRUNCATE log_blocks")
        .execute(store.pool())
        .await
        .unwrap();
    let refused = store.seal_log(&key(1), Some(&mark)).await;
    assert!(
        matches!(refused, Err(ChainError::Departed(seen)) if seen == mark),
        "{refused:?}"
    );
}

#[tokio::test]
async fn a_block_signed_by_somebody_else_and_a_mark_of_a_block_that_is_not_there_yet_are_named() {
    let (store, mark) = sealed().await;
    sqlx::query("DELETE FROM log_blocks WHERE number = 3")
        .execute(store.pool())
        .await
        .unwrap();
    // the very same block: only the signing key differs
    let again = store.seal_log(&key(2), None).await.unwrap();
    assert_eq!(again.newest, Some(mark));
    let mut connection = store.pool().acquire().await.unwrap();
    let trusted = [key(1).public()];
    let found = checked(&mut connection, &trusted, &[mark]).await;
    assert_eq!(
        found.faults,
        [ChainFault::Forged {
            block: 3,
            why: Forgery::Key,
        }]
    );
    let both = [key(1).public(), key(2).public()];
    assert_eq!(checked(&mut connection, &both, &[mark]).await.faults, []);

    let future = ChainCheckpoint {
        number: 4,
        position: 41,
        ..mark
    };
    let found = checked(&mut connection, &both, &[future]).await;
    assert_eq!(found.faults, [ChainFault::Departed { mark: future }]);
    // such a checkpoint can be neither resumed from nor extended
    let asked = ChainCheckOptions {
        trusted: &both,
        marks: &[],
        up_to: i64::MAX,
        after: Some(future),
    };
    let found = check(&mut connection, asked, |_| {}).await.unwrap();
    assert_eq!(found.faults, [ChainFault::Departed { mark: future }]);
    let refused = store.seal_log(&key(1), Some(&future)).await;
    assert!(
        matches!(refused, Err(ChainError::Departed(seen)) if seen == future),
        "{refused:?}"
    );
}

#[tokio::test]
async fn a_check_goes_on_where_it_was_cut_off_and_stops_where_it_is_told() {
    let (store, newest) = sealed().await;
    let mut connection = store.pool().acquire().await.unwrap();
    let trusted = [key(1).public()];
    let mut asked = ChainCheckOptions {
        trusted: &trusted,
        marks: &[],
        up_to: 15,
        after: None,
    };
    let mut steps = Vec::new();
    let half = check(&mut connection, asked, |step| steps.push(step))
        .await
        .unwrap();
    assert_eq!((half.blocks, half.sealed_to), (2, 20));
    let reached = steps.last().unwrap();
    assert!(reached.clean);
    asked = ChainCheckOptions {
        up_to: i64::MAX,
        after: Some(reached.mark.to_string().parse().unwrap()),
        ..asked
    };
    let rest = check(&mut connection, asked, |_| {}).await.unwrap();
    assert_eq!((rest.blocks, rest.sealed_to, rest.faults), (1, 31, vec![]));
    assert_eq!(
        newest.to_string().parse::<ChainCheckpoint>().unwrap(),
        newest
    );
}

#[tokio::test]
async fn two_sealers_make_one_chain() {
    let store = Database::create().await.store().await;
    for number in 0..4 {
        let event = PileEvent::Counted { left: number };
        let append = of(vec![pile("pile", Expected::Any, &[event])]);
        store.append(append).await.unwrap();
        let signer = key(1);
        let (one, other) =
            tokio::join!(store.seal_log(&signer, None), store.seal_log(&signer, None));
        one.unwrap();
        other.unwrap();
    }
    store.seal_log(&key(1), None).await.unwrap();
    let mut connection = store.pool().acquire().await.unwrap();
    let check = checked(&mut connection, &[key(1).public()], &[]).await;
    assert_eq!((check.events, check.faults), (4, vec![]));
}
