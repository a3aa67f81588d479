//! Properties for any text and any order of changes.

mod common;

#[expect(clippy::unwrap_used, reason = "tests")]
mod properties {
    use std::collections::HashMap;

    use proptest::prelude::*;
    use search_index::{EmbeddedEngine, Engine, Query, Removal, korean};
    use tokio::runtime::{Builder, Runtime};

    use crate::common::plain;

    fn runtime() -> Runtime {
        Builder::new_current_thread().build().unwrap()
    }

    /// Typical and arbitrary texts.
    fn text() -> impl Strategy<Value = String> {
        prop_oneof![
            "[가-힣]{1,8}( [가-힣]{1,8}){0,3}",
            "[가-힣ㄱ-ㅣa-zA-Z0-9 ()/-]{0,40}",
            "[\\u{1100}-\\u{11ff}ㄱ-ㅣ가-힣]{0,12}",
            any::<String>(),
        ]
    }

    async fn shop_of(names: &[String]) -> EmbeddedEngine {
        let engine = EmbeddedEngine::in_memory().unwrap();
        let documents = (1..)
            .zip(names)
            .map(|(number, name)| plain(number, name))
            .collect();
        engine.upsert(documents).await.unwrap();
        engine.commit(1).await.unwrap();
        engine
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_documents_own_name_finds_it(names in prop::collection::vec(text(), 1..12)) {
            runtime().block_on(async {
                let engine = shop_of(&names).await;
                for (number, name) in (1_u128..).zip(&names) {
                    if korean::words(name).is_empty() {
                        continue;
                    }
                    let found = engine.search(Query { limit: 100, ..Query::text(name) }).await.unwrap();
                    assert!(found.ids.iter().any(|id| id.as_u128() == number), "{name:?}");
                }
            });
        }

        #[test]
        fn any_query_is_answered(names in prop::collection::vec(text(), 0..6), queries in prop::collection::vec(text(), 1..12)) {
            runtime().block_on(async {
                let engine = shop_of(&names).await;
                for query in &queries {
                    engine.search(Query::text(query)).await.unwrap();
                }
            });
        }

        #[test]
        fn normalising_twice_changes_nothing(text in text()) {
            let once = korean::normalise(&text);
            prop_assert_eq!(korean::normalise(&once), once);
        }

        /// Changes arrive in any order, repeatedly, in any batches, some after a rebuild: each product ends up in the state of its highest
        /// position.
        #[test]
        fn the_newest_position_wins(
            changes in prop::collection::vec((1_u32..5, 1_i64..30, any::<bool>(), any::<bool>()), 1..40),
            rebuild_after in 0_usize..40,
        ) {
            runtime().block_on(async {
                let engine = EmbeddedEngine::in_memory().unwrap();
                let mut newest: HashMap<u32, (i64, bool)> = HashMap::new();
                let mut rebuild = None;
                for (at, (number, position, gone, commit)) in changes.into_iter().enumerate() {
                    if at == rebuild_after {
                        let building = engine.rebuild().await.unwrap();
                        // the rebuild adds every product in its current state
                        let states = newest.iter().filter(|(_, (_, gone))| !gone);
                        let states = states.map(|(number, (position, _))| state(*number, *position)).collect();
                        building.upsert(states).await.unwrap();
                        rebuild = Some(building);
                    }
                    // a position of a product is one change: the same event always yields the same
                    let gone = gone && position % 3 == 0;
                    let position = if gone { position } else { position - position % 3 + 1 };
                    let forgotten = newest.get(&number).is_some_and(|newest| newest.1 && position < newest.0);
                    if rebuild.is_some() && forgotten {
                        continue; // a new index does not know products removed before it was started
                    }
                    if gone {
                        let id = plain(number, "").id;
                        engine.remove(vec![Removal { id, position }]).await.unwrap();
                    } else {
                        engine.upsert(vec![state(number, position)]).await.unwrap();
                    }
                    let known = newest.entry(number).or_insert((position, gone));
                    if position >= known.0 {
                        *known = (position, gone);
                    }
                    if commit {
                        engine.commit(0).await.unwrap();
                    }
                }
                if let Some(building) = rebuild {
                    building.swap(0).await.unwrap();
                }
                engine.commit(0).await.unwrap();
                for number in 1..5 {
                    let expected = newest.get(&number).filter(|(_, gone)| !gone).map(|(position, _)| *position);
                    for position in 1..31 {
                        let found = engine.search(Query::text(format!("goods{number}at{position}x"))).await.unwrap();
                        assert_eq!(found.total == 1, expected == Some(position), "{number} at {position}");
                    }
                }
            });
        }
    }

    fn state(number: u32, position: i64) -> search_index::ProductDocument {
        search_index::ProductDocument {
            code: format!("goods{number}at{position}x"),
            position,
            ..plain(number, "")
        }
    }
}
