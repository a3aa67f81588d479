//! Records of the console: `/api/console/...`, one path per kind.

mod addresses;
mod bulk;
mod calls;
mod categories;
mod declarations;
mod documents;
mod elements;
mod foreign_goods;
mod holidays;
mod html;
mod levels;
mod lists;
mod new_kind;
mod recipe;
mod references;
mod restoring;
mod sellers;
mod setting;
mod stock;
mod tables;
mod uploads;

use crate::support::{Account, Reply, TestApp};

pub async fn show(shop: &TestApp, who: &Account, path: &str) -> Reply {
    shop.get(path).as_(who).send().await
}
