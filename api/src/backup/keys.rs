//! `jangbu keys backup` and `restore`: the keys of personal data, still wrapped with the master key.

use application::members::closing;
use std::collections::BTreeSet;
use std::path::Path;

use anyhow::anyhow;
use domain::Purpose;
use domain::center::{Contact, Inquiry};
use domain::ids::{MemberId, OrderId};
use domain::member::Member;
use domain::record::{Record, Resource};
use event_store::backup::Contents;
use event_store::{KeysMerged, MasterKey, Store};
use uuid::Uuid;

use super::archive::{Archive, Draft};
use super::{bar, begun, copy_in, copy_out, outside};
use crate::app::{AppState, in_our_words, migrate};
use crate::settings::Settings;
use crate::settings::keys::Keys;

/// Writes all keys, and the list of erased members, into a new file; returns the number of keys.
///
/// # Errors
/// The file exists already; database and disk errors.
pub async fn backup(app: &AppState, file: &Path) -> anyhow::Result<u64> {
    let mut draft = Draft::begin(file)?;
    let mut manifest = begun(app, Contents::Keys)?;
    copy_out(app, &mut draft, &mut manifest, &bar(0, "키 백업")).await?;
    draft.finish(&manifest)?;
    let keys = manifest.tables.iter().map(|entry| entry.rows).sum::<u64>();
    // One row belongs to the key ring itself.
    Ok(keys.saturating_sub(1))
}

/// The members and purposes whose keys were destroyed according to the log: they are not restored, whatever a backup contains.
///
/// # Errors
/// Database errors.
pub async fn forgotten(store: &Store) -> anyhow::Result<Vec<(Uuid, Purpose)>> {
    let mut forgotten = Vec::new();
    let mut left = BTreeSet::new();
    for stream in store.streams_with("member", &["MemberLeft"]).await? {
        let member: Uuid = stream.id.parse()?;
        let state = store.load::<Member>(&stream.id).await?.state;
        if state.left {
            left.insert(MemberId(member));
            forgotten.push((member, Purpose::Profile));
            if state.statutory_until.is_none() {
                forgotten.push((member, Purpose::Statutory));
            }
        }
    }
    for order in erased_guests(store).await? {
        forgotten.push((order.0, Purpose::Statutory));
    }
    let mut erased = erased_of::<Contact>(store, &left, |contact| contact.user).await?;
    erased.extend(erased_of::<Inquiry>(store, &left, |inquiry| inquiry.user).await?);
    forgotten.extend(erased.into_iter().map(|id| (id, Purpose::Statutory)));
    Ok(forgotten)
}

/// The contacts or inquiries that were removed, and those of closed accounts: their keys belong to the records themselves.
async fn erased_of<R: Resource>(
    store: &Store,
    left: &BTreeSet<MemberId>,
    author: fn(&R::Data) -> Option<MemberId>,
) -> anyhow::Result<Vec<Uuid>> {
    let [created, _, removed] = R::EVENT_TYPES;
    let mut erased = Vec::new();
    for stream in store.streams_with(R::KIND, &[removed]).await? {
        erased.push(stream.id.parse()?);
    }
    if left.is_empty() {
        return Ok(erased);
    }
    for stream in store.streams_with(R::KIND, &[created]).await? {
        let record = store.load::<Record<R>>(&stream.id).await?.state;
        let user = record.data().ok().and_then(|data| author(&data));
        if user.is_some_and(|user| left.contains(&user)) {
            erased.push(stream.id.parse()?);
        }
    }
    Ok(erased)
}

/// The guests' orders whose retention period has ended: their keys belong to the orders themselves.
async fn erased_guests(store: &Store) -> anyhow::Result<Vec<OrderId>> {
    let streams = store.streams_with("order", &["GuestRecordsErased"]).await?;
    let orders = streams.iter().map(|stream| Ok(stream.id.parse()?));
    orders.collect()
}

/// Restores keys, except those of erased members; `wrapped_by` is the secrets file of the time of the backup, if the master key has changed
/// since.
///
/// # Errors
/// The backup is damaged, or the master key does not open it; database errors. Then nothing is changed.
pub async fn restore(
    settings: &Settings,
    database: &str,
    file: &Path,
    wrapped_by: Option<&Path>,
) -> anyhow::Result<KeysMerged> {
    let mut archive = Archive::open(file, Contents::Keys)?;
    archive.check(|_| {})?;
    let store = Store::connect(database, event_store::StoreOptions::default()).await?;
    let store = in_our_words(store);
    migrate(&store).await?;
    let present = MasterKey::from_bytes(settings.keys()?.master_key);
    let then = match wrapped_by {
        None => present.clone(),
        Some(file) => MasterKey::from_bytes(Keys::read(file)?.master_key),
    };
    let forgotten = forgotten(&store).await?;
    let mut incoming = store.restore(Contents::Keys, &[]).await?;
    copy_in(&mut archive, &mut incoming, &bar(0, "키 복원")).await?;
    let merged = incoming.merge_keys(&present, &then, &forgotten).await?;
    // Repeats the other steps of closing an account, in case the shop's backup was made before they were executed.
    let app = outside(settings, database).await?;
    for (member, _) in forgotten {
        closing::complete(&app, MemberId(member))
            .await
            .map_err(|error| anyhow!("{member}: {error:?}"))?;
    }
    for order in erased_guests(&store).await? {
        closing::erase_guest_records(&app, order)
            .await
            .map_err(|error| anyhow!("{order}: {error:?}"))?;
    }
    Ok(merged)
}

/// `jangbu keys backup FILE`.
///
/// # Errors
/// As [`backup`].
pub async fn backup_from_terminal(
    settings: &Settings,
    database: &str,
    file: &Path,
) -> anyhow::Result<()> {
    let app = outside(settings, database).await?;
    let keys = backup(&app, file).await?;
    println!(
        "키 {keys}개를 백업했습니다: {}. 마스터 키는 들어 있지 않습니다.",
        file.display()
    );
    Ok(())
}

/// `jangbu keys restore FILE`.
///
/// # Errors
/// As [`restore`].
pub async fn restore_from_terminal(
    settings: &Settings,
    database: &str,
    file: &Path,
    wrapped_by: Option<&Path>,
) -> anyhow::Result<()> {
    let merged = restore(settings, database, file, wrapped_by).await?;
    println!(
        "키 {}개가 돌아왔고 {}개는 이미 있었습니다. 잊힌 사람의 키 {}개는 파기된 채로 둡니다.",
        merged.restored, merged.here, merged.stayed_destroyed
    );
    for (subject, purpose) in &merged.destroyed {
        println!(
            "{subject} ({purpose}): 백업은 이 키가 파기된 것을 알고 있어 여기서도 파기했습니다. 회원이면 `jangbu forget {subject}`"
        );
    }
    Ok(())
}
