//! The embedded engine's folders: restarts, damage, owners and rebuilds.

mod common;

#[expect(clippy::unwrap_used, clippy::panic, reason = "tests")]
mod folders {
    use std::fs;
    use std::path::Path;
    use std::sync::Arc;

    use search_index::{EmbeddedEngine, Engine, Error, ProductDocument, Query, Removal};
    use tempfile::TempDir;

    use crate::common::plain;

    fn bicycles(numbers: std::ops::Range<u32>) -> Vec<ProductDocument> {
        numbers.map(|number| plain(number, "산악 자전거")).collect()
    }

    async fn open(folder: &TempDir) -> EmbeddedEngine {
        EmbeddedEngine::open(folder.path()).await.unwrap()
    }

    async fn bicycles_found(engine: &dyn Engine) -> u64 {
        engine.search(Query::text("자전거")).await.unwrap().total
    }

    /// The index folders, by name.
    fn indexes(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.filter(|name| name != "lock").collect();
        names.sort();
        names
    }

    #[tokio::test]
    async fn a_restart_resumes_at_the_committed_position() {
        let folder = TempDir::new().unwrap();
        let engine = open(&folder).await;
        assert_eq!(engine.position().await.unwrap(), 0);
        engine.upsert(bicycles(1..4)).await.unwrap();
        engine.commit(7).await.unwrap();
        engine.upsert(bicycles(4..9)).await.unwrap();
        drop(engine);

        let engine = open(&folder).await;
        assert_eq!(engine.position().await.unwrap(), 7);
        assert_eq!(bicycles_found(&engine).await, 3);
        engine.upsert(bicycles(4..9)).await.unwrap();
        engine.commit(9).await.unwrap();
        assert_eq!(bicycles_found(&engine).await, 8);
    }

    #[tokio::test]
    async fn the_position_never_goes_back() {
        let engine = EmbeddedEngine::in_memory().unwrap();
        engine.commit(9).await.unwrap();
        engine.commit(3).await.unwrap();
        assert_eq!(engine.position().await.unwrap(), 9);
    }

    #[tokio::test]
    async fn a_removed_product_does_not_come_back_with_an_older_state() {
        let folder = TempDir::new().unwrap();
        let engine = open(&folder).await;
        let [bicycle] = bicycles(5..6).try_into().unwrap();
        let id = bicycle.id;
        engine.upsert(vec![bicycle.clone()]).await.unwrap();
        engine
            .remove(vec![Removal { id, position: 6 }])
            .await
            .unwrap();
        engine.commit(6).await.unwrap();
        drop(engine);

        let engine = open(&folder).await;
        engine.upsert(vec![bicycle.clone()]).await.unwrap();
        engine.commit(6).await.unwrap();
        assert_eq!(bicycles_found(&engine).await, 0);
        let console = Query {
            include_hidden: true,
            ..Query::default()
        };
        assert_eq!(engine.search(console).await.unwrap().total, 0);

        engine
            .upsert(vec![ProductDocument {
                position: 7,
                ..bicycle
            }])
            .await
            .unwrap();
        engine.commit(7).await.unwrap();
        assert_eq!(bicycles_found(&engine).await, 1);
    }

    /// Any file of the index may be deleted, truncated, emptied or overwritten: the index is then created again, and can be fed.
    #[tokio::test]
    async fn a_damaged_index_begins_anew_at_position_0() {
        let whole = TempDir::new().unwrap();
        let engine = open(&whole).await;
        engine.upsert(bicycles(1..50)).await.unwrap();
        engine.commit(50).await.unwrap();
        drop(engine);
        let files = fs::read_dir(whole.path().join("index-1")).unwrap();
        let files: Vec<_> = files
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        let matters = |file: &&String| !file.starts_with('.') || *file == ".managed.json";
        assert!(files.iter().filter(matters).count() >= 4, "{files:?}");
        for file in files.iter().filter(matters) {
            for damage in ["lost", "cut", "emptied", "overwritten"] {
                let folder = TempDir::new().unwrap();
                let index = folder.path().join("index-1");
                fs::create_dir(&index).unwrap();
                for file in &files {
                    fs::copy(whole.path().join("index-1").join(file), index.join(file)).unwrap();
                }
                let path = index.join(file);
                let bytes = fs::read(&path).unwrap();
                match damage {
                    "lost" => fs::remove_file(&path).unwrap(),
                    "cut" => fs::write(
                        &path,
                        bytes
                            .iter()
                            .take(bytes.len() / 2)
                            .copied()
                            .collect::<Vec<_>>(),
                    )
                    .unwrap(),
                    "emptied" => fs::write(&path, []).unwrap(),
                    _ => fs::write(
                        &path,
                        bytes.iter().map(|byte| byte ^ 0x55).collect::<Vec<_>>(),
                    )
                    .unwrap(),
                }
                let engine = open(&folder).await;
                let (position, found) = (
                    engine.position().await.unwrap(),
                    bicycles_found(&engine).await,
                );
                assert!(
                    (position, found) == (0, 0) || (position, found) == (50, 49),
                    "{file} {damage}: {position}, {found}"
                );
                // only the list of managed files may be missing without damage
                assert!(
                    position == 0 || file == ".managed.json",
                    "{file} {damage} went unnoticed"
                );
                engine.upsert(bicycles(1..50)).await.unwrap();
                engine.commit(50).await.unwrap();
                assert_eq!(bicycles_found(&engine).await, 49, "{file} {damage}");
            }
        }
    }

    #[tokio::test]
    async fn a_lost_folder_begins_anew() {
        let folder = TempDir::new().unwrap();
        let engine = open(&folder).await;
        engine.commit(50).await.unwrap();
        drop(engine);
        fs::remove_dir_all(folder.path().join("index-1")).unwrap();
        assert_eq!(open(&folder).await.position().await.unwrap(), 0);
    }

    #[tokio::test]
    async fn a_folder_has_one_owner() {
        let folder = TempDir::new().unwrap();
        let engine = open(&folder).await;
        engine.commit(5).await.unwrap();
        let Err(Error::InUse(path)) = EmbeddedEngine::open(folder.path()).await else {
            panic!("opened twice");
        };
        assert!(path.contains(folder.path().to_str().unwrap()));
        drop(engine);
        assert_eq!(open(&folder).await.position().await.unwrap(), 5);
    }

    #[tokio::test]
    async fn a_rebuild_is_swapped_in_and_the_old_folder_goes() {
        let folder = TempDir::new().unwrap();
        let engine = open(&folder).await;
        engine.upsert(bicycles(1..4)).await.unwrap();
        engine.commit(3).await.unwrap();

        let rebuild = engine.rebuild().await.unwrap();
        assert_eq!(indexes(folder.path()), ["index-1", "index-2"]);
        assert!(matches!(engine.rebuild().await, Err(Error::Rebuilding)));
        rebuild.upsert(bicycles(1..3)).await.unwrap();
        assert_eq!(
            bicycles_found(&engine).await,
            3,
            "searches stay in the live index"
        );
        rebuild.swap(3).await.unwrap();
        assert_eq!(bicycles_found(&engine).await, 2);
        assert_eq!(indexes(folder.path()), ["index-2"]);

        engine.upsert(bicycles(5..6)).await.unwrap();
        engine.commit(5).await.unwrap();
        drop(engine);
        let engine = open(&folder).await;
        assert_eq!(engine.position().await.unwrap(), 5);
        assert_eq!(bicycles_found(&engine).await, 3);
        assert!(engine.rebuild().await.is_ok());
    }

    /// Changes made during a rebuild are in both indexes, whether they were committed before the swap or not, and the rebuild's later
    /// documents do not overwrite them.
    #[tokio::test]
    async fn a_rebuild_misses_no_change() {
        let folder = TempDir::new().unwrap();
        let engine = open(&folder).await;
        engine.upsert(bicycles(1..2)).await.unwrap();
        engine.commit(1).await.unwrap();
        engine.upsert(bicycles(2..3)).await.unwrap(); // pending while the rebuild begins
        let rebuild = engine.rebuild().await.unwrap();
        engine.commit(2).await.unwrap();
        engine.upsert(bicycles(3..4)).await.unwrap();
        engine.commit(3).await.unwrap();
        let renamed = ProductDocument {
            position: 4,
            ..plain(1, "접이식 킥보드")
        };
        engine.upsert(vec![renamed]).await.unwrap(); // pending while the rebuild is swapped in
        rebuild.upsert(bicycles(1..2)).await.unwrap();
        rebuild.swap(1).await.unwrap();
        assert_eq!(engine.position().await.unwrap(), 3);
        engine.commit(4).await.unwrap();
        assert_eq!(engine.position().await.unwrap(), 4);
        assert_eq!(bicycles_found(&engine).await, 2);
        assert_eq!(engine.search(Query::text("킥보드")).await.unwrap().total, 1);
    }

    #[tokio::test]
    async fn a_rebuild_given_up_leaves_nothing() {
        let folder = TempDir::new().unwrap();
        let engine = open(&folder).await;
        engine.upsert(bicycles(1..4)).await.unwrap();
        engine.commit(3).await.unwrap();
        let rebuild = engine.rebuild().await.unwrap();
        rebuild.upsert(bicycles(1..20_000)).await.unwrap(); // enough to be written before the swap
        drop(rebuild);
        assert_eq!(indexes(folder.path()), ["index-1"]);
        assert_eq!(bicycles_found(&engine).await, 3);
        engine.rebuild().await.unwrap().swap(3).await.unwrap();
        assert_eq!(bicycles_found(&engine).await, 0);
    }

    /// As after a crash in the middle of a rebuild: its folder exists, with commits, but never became the live one.
    #[tokio::test]
    async fn a_rebuild_cut_short_is_not_mistaken_for_the_live_index() {
        let (folder, crashed) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        let engine = open(&folder).await;
        engine.upsert(bicycles(1..4)).await.unwrap();
        engine.commit(3).await.unwrap();
        let rebuild = engine.rebuild().await.unwrap();
        rebuild.upsert(bicycles(1..20_000)).await.unwrap();
        for index in indexes(folder.path()) {
            fs::create_dir(crashed.path().join(&index)).unwrap();
            for file in fs::read_dir(folder.path().join(&index)).unwrap() {
                let file = file.unwrap();
                fs::copy(
                    file.path(),
                    crashed.path().join(&index).join(file.file_name()),
                )
                .unwrap();
            }
        }
        assert_eq!(indexes(crashed.path()), ["index-1", "index-2"]);
        let after = open(&crashed).await;
        assert_eq!(indexes(crashed.path()), ["index-1"]);
        assert_eq!(
            (
                after.position().await.unwrap(),
                bicycles_found(&after).await
            ),
            (3, 3)
        );
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn searches_go_on_while_the_index_is_written_and_swapped() {
        let folder = TempDir::new().unwrap();
        let engine: Arc<dyn Engine> = Arc::new(open(&folder).await);
        engine.upsert(bicycles(1..100)).await.unwrap();
        engine.commit(100).await.unwrap();
        let (stop, stopped) = tokio::sync::watch::channel(false);
        let readers: Vec<_> = (0..3)
            .map(|_| {
                let (engine, stopped) = (Arc::clone(&engine), stopped.clone());
                tokio::spawn(async move {
                    let mut searches = 0_u32;
                    while !*stopped.borrow() {
                        assert_eq!(bicycles_found(engine.as_ref()).await, 99);
                        searches += 1;
                    }
                    searches
                })
            })
            .collect();
        for round in 0..8 {
            engine.upsert(bicycles(1..100)).await.unwrap();
            engine.commit(100 + round).await.unwrap();
            let rebuild = engine.rebuild().await.unwrap();
            rebuild.upsert(bicycles(1..100)).await.unwrap();
            rebuild.swap(100).await.unwrap();
        }
        stop.send(true).unwrap();
        for reader in readers {
            assert!(reader.await.unwrap() > 0);
        }
        assert_eq!(indexes(folder.path()).len(), 1);
        assert_eq!(engine.position().await.unwrap(), 107);
    }
}
