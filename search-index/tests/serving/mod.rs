//! The Meilisearch engine: feeding, rebuilding, unavailability, and errors.

#[expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
mod serving_tests {
    use search_index::{Engine, Error, Meilisearch, ProductDocument, Query, Removal};
    use serde_json::json;

    use crate::common::plain;
    use crate::fake::{Fake, KEY};

    async fn engine() -> (Fake, Meilisearch) {
        let (fake, url) = Fake::start().await;
        let engine = Meilisearch::new(&url, Some(KEY), "products").unwrap();
        (fake, engine)
    }

    fn bike(position: i64) -> ProductDocument {
        ProductDocument {
            position,
            ..plain(1, &format!("자전거 {position}호"))
        }
    }

    async fn total(engine: &Meilisearch, text: &str) -> u64 {
        engine.search(Query::text(text)).await.unwrap().total
    }

    #[tokio::test]
    async fn an_index_is_made_and_set_up_by_the_first_who_asks() {
        let (fake, engine) = engine().await;
        assert_eq!(engine.position().await.unwrap(), 0);
        let settings = fake.settings("products");
        assert_eq!(settings["rankingRules"][0], "sort");
        assert_eq!(
            settings["typoTolerance"]["minWordSizeForTypos"],
            json!({"oneTypo": 6, "twoTypos": 10})
        );
        let searchable = settings["searchableAttributes"].as_array().unwrap();
        let place = |name| searchable.iter().position(|one| one == name).unwrap();
        assert!(place("nameWords") < place("words") && place("initials") < place("desc"));
    }

    #[tokio::test]
    async fn the_newest_position_wins_and_the_log_is_gone_on_with() {
        let (_fake, engine) = engine().await;
        engine.upsert(vec![bike(5)]).await.unwrap();
        engine.commit(5).await.unwrap();
        engine.upsert(vec![bike(3)]).await.unwrap();
        engine.commit(3).await.unwrap();
        assert_eq!(engine.position().await.unwrap(), 5);
        assert_eq!(
            (total(&engine, "5호").await, total(&engine, "3호").await),
            (1, 0)
        );
        let id = bike(0).id;
        engine
            .remove(vec![Removal { id, position: 7 }])
            .await
            .unwrap();
        engine.commit(7).await.unwrap();
        engine.upsert(vec![bike(6)]).await.unwrap();
        engine.commit(7).await.unwrap();
        assert_eq!(total(&engine, "자전거").await, 0);
    }

    #[tokio::test]
    async fn a_rebuild_takes_the_live_ones_place_with_what_came_meanwhile() {
        let (fake, engine) = engine().await;
        engine
            .upsert(vec![bike(1), plain(2, "없어질 킥보드")])
            .await
            .unwrap();
        engine.commit(2).await.unwrap();
        let building = engine.rebuild().await.unwrap();
        assert!(matches!(engine.rebuild().await, Err(Error::Rebuilding)));
        building.upsert(vec![bike(1)]).await.unwrap();
        engine
            .upsert(vec![ProductDocument {
                position: 4,
                ..plain(3, "새 헬멧")
            }])
            .await
            .unwrap();
        engine.commit(4).await.unwrap();
        assert_eq!(total(&engine, "킥보드").await, 1);
        building.swap(2).await.unwrap();
        assert_eq!(
            (
                total(&engine, "킥보드").await,
                total(&engine, "헬멧").await,
                total(&engine, "자전거").await
            ),
            (0, 1, 1)
        );
        assert_eq!(engine.position().await.unwrap(), 4);
        assert_eq!(fake.indexes(), ["products"]);
    }

    #[tokio::test]
    async fn a_rebuild_that_is_dropped_leaves_the_live_one_alone() {
        let (_fake, engine) = engine().await;
        engine.upsert(vec![bike(1)]).await.unwrap();
        engine.commit(1).await.unwrap();
        drop(engine.rebuild().await.unwrap());
        let mut again = engine.rebuild().await;
        while matches!(again, Err(Error::Rebuilding)) {
            tokio::task::yield_now().await;
            again = engine.rebuild().await;
        }
        assert!(again.is_ok());
        assert_eq!(total(&engine, "자전거").await, 1);
    }

    #[tokio::test]
    async fn a_task_that_fails_says_why_and_nothing_is_lost() {
        let (fake, engine) = engine().await;
        engine.position().await.unwrap();
        engine.upsert(vec![bike(1)]).await.unwrap();
        fake.refuse("the disk of the server is full");
        let error = engine.commit(1).await.unwrap_err();
        assert!(
            error.to_string().contains("the disk of the server is full"),
            "{error}"
        );
        engine.commit(1).await.unwrap();
        assert_eq!(total(&engine, "자전거").await, 1);
    }

    #[tokio::test]
    async fn a_server_that_lost_its_data_is_fed_from_the_beginning() {
        let (fake, engine) = engine().await;
        engine.upsert(vec![bike(9)]).await.unwrap();
        engine.commit(9).await.unwrap();
        fake.lose();
        tokio::time::sleep(std::time::Duration::from_millis(2_100)).await;
        assert_eq!(engine.position().await.unwrap(), 0);
    }

    #[tokio::test]
    async fn a_server_that_is_away_or_wants_another_key_is_an_error_not_a_wait() {
        let (_fake, url) = Fake::start().await;
        let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let nowhere = format!("http://{}", closed.local_addr().unwrap());
        drop(closed);
        for (url, key) in [(nowhere.as_str(), KEY), (url.as_str(), "another-key")] {
            let engine = Meilisearch::new(url, Some(key), "products").unwrap();
            let found = engine.search(Query::text("자전거")).await;
            assert!(matches!(found, Err(Error::Unavailable(_))), "{found:?}");
            assert!(engine.position().await.is_err());
            assert!(engine.upsert(vec![bike(1)]).await.is_err());
        }
        assert!(Meilisearch::new(&url, Some("no\nkey"), "products").is_err());
    }
}
