//! Sealed values of an earlier program can still be decrypted: one for each label.
//!
//! `fixtures/seals.json` is never regenerated. A label that is missing there is added, sealed by the program that first writes it.

use domain::inquire::Question;
use domain::member::Profile;
use domain::personal::{BankAccount, DepositTerms, Party};
use domain::{Purpose, SealLabel, Sealed};
use event_store::testing::Database;
use event_store::{KeyRing, MasterKey, SealContent};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use uuid::Uuid;

use application::members::registration_documents::Contents;

const FIXTURE: &str = include_str!("fixtures/seals.json");

async fn opens<T: Serialize + DeserializeOwned + SealLabel>(ring: &KeyRing, fixture: &Value) {
    let one = fixture["seals"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["label"] == T::LABEL)
        .unwrap_or_else(|| panic!("no seal was made as {}", T::LABEL));
    let seal: Sealed<T> = serde_json::from_value(one["seal"].clone()).unwrap();
    let SealContent::Value(value) = ring.open(&seal).await.unwrap() else {
        panic!("the seal of {} is erased", T::LABEL);
    };
    let shown = serde_json::to_value(&value).unwrap();
    for (name, sealed) in one["value"].as_object().into_iter().flatten() {
        assert_eq!(&shown[name], sealed, "{} of {}", name, T::LABEL);
    }
    if one["value"].is_string() {
        assert_eq!(shown, one["value"]);
    }
}

#[tokio::test]
async fn what_was_sealed_under_any_label_opens() {
    let fixture: Value = serde_json::from_str(FIXTURE).unwrap();
    let store = Database::create().await.store().await;
    for key in fixture["keys"].as_array().unwrap() {
        let subject: Uuid = serde_json::from_value(key["subject"].clone()).unwrap();
        let purpose: Purpose = serde_json::from_value(key["purpose"].clone()).unwrap();
        let wrapped = hex::decode(key["wrapped"].as_str().unwrap()).unwrap();
        sqlx::query("INSERT INTO keys.data_key (subject, purpose, wrapped) VALUES ($1, $2, $3)")
            .bind(subject)
            .bind(purpose.as_str())
            .bind(wrapped)
            .execute(store.pool())
            .await
            .unwrap();
    }
    let master = MasterKey::from_base64(fixture["master"].as_str().unwrap()).unwrap();
    let ring = KeyRing::new(store.pool().clone(), master);
    opens::<BankAccount>(&ring, &fixture).await;
    opens::<Contents>(&ring, &fixture).await;
    opens::<DepositTerms>(&ring, &fixture).await;
    opens::<Party>(&ring, &fixture).await;
    opens::<Profile>(&ring, &fixture).await;
    opens::<Question>(&ring, &fixture).await;
    opens::<String>(&ring, &fixture).await;
    assert_eq!(fixture["seals"].as_array().unwrap().len(), 7);
}
