//! Appending.

use event_store::testing::Database;
use event_store::{Append, Expected, Metadata, NewEvent, StreamAppend, StreamId};

#[tokio::test]
async fn smoke() {
    let store = Database::create().await.store().await;
    let append = Append::new(
        Metadata::new(serde_json::Value::Null, time::OffsetDateTime::now_utc()),
        vec![StreamAppend {
            stream: StreamId::new("a", "b"),
            expected: Expected::NoStream,
            events: vec![NewEvent {
                event_type: "X".into(),
                event_version: "1.0".into(),
                payload: serde_json::json!({"X": 1}),
                event_id: uuid::Uuid::now_v7(),
            }],
        }],
    );
    println!("{:?}", store.append(append.clone()).await);
    println!("{:?}", store.append(append).await);
    println!("{:?}", store.settle().await);
    println!("{:?}", store.read_all(0, 10, 10).await);
}
