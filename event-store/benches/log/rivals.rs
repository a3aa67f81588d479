//! The rivals that are compared.

use std::sync::Arc;

use cqrs_es::CqrsFramework;
use cqrs_es::persist::PersistedEventStore;
use event_store::Store;
use event_store::testing::Database;
use postgres_es::PostgresEventRepository;
use uuid::Uuid;

use crate::pile::{Pile, command};
use crate::rounds::{Anything, Rival};

/// Our append of one event.
pub fn one_event(store: &Store) -> Rival {
    ours(store, 1)
}

/// Our append of the events of placing an order: four streams at once.
pub fn checkout(store: &Store) -> Rival {
    ours(store, 4)
}

fn ours(store: &Store, streams: u32) -> Rival {
    let store = store.clone();
    Rival::here(move || {
        let store = store.clone();
        Box::pin(async move {
            store.append(command(streams)?).await?;
            Ok(())
        })
    })
}

/// This many commands in sequence, each on a new stream.
pub fn stock(store: &Store, commands: u32) -> Rival {
    let repository = PostgresEventRepository::new(store.pool().clone());
    let persisted = PersistedEventStore::<_, Pile>::new_event_store(repository);
    let framework = Arc::new(CqrsFramework::new(persisted, vec![], ()));
    Rival::here(move || {
        let framework = Arc::clone(&framework);
        Box::pin(async move {
            for _ in 0..commands {
                framework.execute(&Uuid::now_v7().to_string(), 1).await?;
            }
            Ok(())
        })
    })
}

/// Loads a stream.
pub fn load(store: &Store, id: &str) -> Rival {
    let (store, id) = (store.clone(), id.to_owned());
    Rival::here(move || {
        let (store, id) = (store.clone(), id.clone());
        Box::pin(async move {
            store.load::<Pile>(&id).await?;
            Ok(())
        })
    })
}

/// The same rows as [`one_event`], inserted by pgbench alone: one of our rows is its template.
pub async fn pgbench(database: &Database, store: &Store) -> Result<Rival, Anything> {
    store.append(command(1)?).await?;
    let (payload, metadata): (String, String) = sqlx::query_as(
        "SELECT payload::text, metadata::text FROM events ORDER BY global_position DESC LIMIT 1",
    )
    .fetch_one(store.pool())
    .await?;
    let script = format!(
        "WITH event AS (INSERT INTO events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata, \
             event_id, correlation_id, occurred_at) \
         VALUES ('pile', gen_random_uuid()::text, 1, 'Taken', '1.0', '{}', '{}', gen_random_uuid(), gen_random_uuid(), clock_timestamp()) \
         RETURNING global_position) \
         INSERT INTO command_dedup (scope, key, body_hash, first_position, last_position, expires_at) \
         SELECT 'bench', gen_random_uuid()::text, '\\x{}', global_position, global_position, clock_timestamp() + interval '1 day' FROM event;\n",
        without_variables(&payload),
        without_variables(&metadata),
        "07".repeat(32),
    );
    Ok(Rival::Pgbench {
        script,
        url: database.url().to_owned(),
    })
}

/// pgbench reads a colon before a letter or digit as a variable, even inside a text.
fn without_variables(json: &str) -> String {
    let spaced = json.replace("\":", "\": ");
    let mut rest = spaced.chars().peekable();
    let mut text = String::new();
    while let Some(letter) = rest.next() {
        let is_variable = rest.peek().is_some_and(|next| next.is_alphanumeric());
        if letter == ':' && is_variable {
            text.push_str("\\u003a");
        } else {
            text.push(letter);
        }
    }
    text
}
