//! `jangbu keys rotate`: replaces the master key. The new key is on disk before any key is wrapped with it, so after an interruption both
//! keys are available, and the next run completes the rotation.

use std::fs;

use anyhow::bail;
use embedded_postgres::private_file;
use event_store::{KeyError, KeyRing, MasterKey, Store};

use crate::settings::Settings;
use crate::settings::keys::Keys;

/// Wraps all keys of personal data with a new master key; returns the next steps.
///
/// # Errors
/// The present master key does not belong to this database; database and disk errors.
pub async fn run(store: &Store, settings: &Settings) -> anyhow::Result<String> {
    let (file, next) = Keys::files(&settings.data_folder);
    let now = settings.keys()?;
    if !next.exists() {
        let fresh = now.with_master(rand::random());
        private_file::make_once(&next, &fresh.to_text()?)?;
    }
    let fresh = Keys::read(&next)?;
    let pool = store.pool().clone();
    let present = MasterKey::from_bytes(now.master_key);
    let count = match KeyRing::load(pool.clone(), present).await {
        Ok(ring) => Some(
            ring.rotate(&MasterKey::from_bytes(fresh.master_key))
                .await?,
        ),
        // Interrupted after the keys were wrapped and before the key file was replaced.
        Err(KeyError::OtherMaster) => {
            let wrapped = KeyRing::load(pool, MasterKey::from_bytes(fresh.master_key)).await;
            if wrapped.is_err() {
                bail!(
                    "neither the present master key nor the one in {} is that of this database",
                    next.display()
                );
            }
            None
        }
        Err(other) => return Err(other.into()),
    };
    let done = match count {
        Some(count) => format!("키 {count}개를 새 마스터 키로 다시 감쌌습니다."),
        None => "중단되었던 교체를 마쳤습니다.".to_owned(),
    };
    if settings.sets_master_key() {
        return Ok(format!(
            "{done} {}의 master_key와 chain_key를 설정 [secrets]에 옮긴 뒤 그 파일을 지우세요.",
            next.display()
        ));
    }
    fs::rename(&next, &file)?;
    Ok(format!(
        "{done} {}을 새로 백업하고 프로그램을 다시 시작하세요.",
        file.display()
    ))
}
