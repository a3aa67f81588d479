//! Changing the master key: `jangbu keys rotate`.

use api::audit::rotate;
use api::settings::keys::Keys;
use domain::member::Member;
use event_store::{KeyRing, MasterKey, Store, StoreOptions};

use crate::support::TestApp;

#[tokio::test(flavor = "multi_thread")]
async fn another_master_key_opens_everything_and_a_change_cut_off_is_finished() {
    let shop = TestApp::start().await;
    let who = shop.sign_up("rotated1").await;
    let (settings, database, folder) = shop.close();
    assert!(!settings.sets_master_key(), "the test is about made keys");
    let store = Store::connect(&database, StoreOptions::default())
        .await
        .unwrap();
    let (file, next) = Keys::files(&settings.data_folder);
    let old_text = std::fs::read_to_string(&file).unwrap();
    let old = settings.keys().unwrap();
    let opens = async |keys: &Keys| -> bool {
        let master = MasterKey::from_bytes(keys.master_key);
        let Ok(ring) = KeyRing::load(store.pool().clone(), master).await else {
            return false;
        };
        let member = store.load::<Member>(&who.id).await.unwrap().state;
        let profile = ring.open(&member.profile.unwrap()).await.unwrap();
        profile.value().unwrap().username == who.username
    };

    let told = rotate::run(&store, &settings).await.unwrap();
    assert!(told.contains("다시 감쌌습니다"), "{told}");
    let new = settings.keys().unwrap();
    assert_ne!(new.master_key, old.master_key);
    assert_eq!(
        (new.token_key, new.chain_key),
        (old.token_key, old.chain_key)
    );
    assert!(!next.exists());
    assert_eq!((opens(&old).await, opens(&new).await), (false, true));

    // Interrupted after the keys were wrapped: the key file is not replaced yet.
    std::fs::rename(&file, &next).unwrap();
    std::fs::write(&file, &old_text).unwrap();
    let told = rotate::run(&store, &settings).await.unwrap();
    assert!(told.contains("중단되었던"), "{told}");
    assert_eq!(settings.keys().unwrap().master_key, new.master_key);
    assert!(opens(&settings.keys().unwrap()).await);

    // Interrupted before: the new keys were generated and nothing is wrapped with them.
    let made = new.with_master([7; 32]);
    std::fs::write(&next, made.to_text().unwrap()).unwrap();
    rotate::run(&store, &settings).await.unwrap();
    assert_eq!(settings.keys().unwrap().master_key, [7; 32]);
    assert!(opens(&settings.keys().unwrap()).await);

    // Keys of another shop change nothing.
    std::fs::write(&file, old.with_master([8; 32]).to_text().unwrap()).unwrap();
    assert!(rotate::run(&store, &settings).await.is_err());
    assert!(opens(&made).await);
    drop(folder);
}
