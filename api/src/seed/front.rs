//! The front of the shop: `api/seed/front.json`, set up by staff.

use std::collections::BTreeMap;

use anyhow::Context;
use axum::http::Method;
use serde::Deserialize;
use serde_json::{Value, json};

use super::catalogue::Good;
use super::desk::{Desk, at};
use super::people::People;
use crate::http::tokens::Session;

const FRONT: &str = include_str!("../../seed/front.json");

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Front {
    brands: Vec<Brand>,
    banners: Vec<Value>,
    band_banners: Vec<Value>,
    banner_advertisements: Vec<Value>,
    popups: Vec<Value>,
    terms: Vec<Value>,
    displays: Vec<LaidOut>,
    showrooms: Vec<LaidOut>,
    stores: Vec<Store>,
}

/// A store with the key of its seller.
#[derive(Deserialize)]
struct Store {
    seller: String,
    #[serde(flatten)]
    form: serde_json::Map<String, Value>,
}

/// A brand with the codes of its products.
#[derive(Deserialize)]
struct Brand {
    code: String,
    products: Vec<String>,
    #[serde(flatten)]
    form: serde_json::Map<String, Value>,
}

/// Something with products, named by their codes.
#[derive(Deserialize)]
struct LaidOut {
    products: Vec<String>,
    #[serde(flatten)]
    form: serde_json::Map<String, Value>,
}

fn front() -> anyhow::Result<Front> {
    serde_json::from_str(FRONT).context("seed/front.json")
}

/// Which brand each product has, by the product's code.
pub(super) fn brand_of() -> anyhow::Result<BTreeMap<String, String>> {
    let brands = front()?.brands.into_iter();
    Ok(brands
        .flat_map(|brand| {
            let code = brand.code;
            brand
                .products
                .into_iter()
                .map(move |product| (product, code.clone()))
        })
        .collect())
}

/// Brands and terms: what stands before the first product and the first order.
pub(super) async fn begin(desk: &mut Desk, operator: &Session) -> anyhow::Result<()> {
    let front = front()?;
    for brand in front.brands {
        let mut form = brand.form;
        form.insert("code".to_owned(), json!(brand.code));
        form.insert("shows".to_owned(), json!(true));
        put_up(desk, operator, "shop/brands", &Value::Object(form)).await?;
    }
    for terms in &front.terms {
        put_up(desk, operator, "terms", terms).await?;
    }
    Ok(())
}

/// Everything that shows goods, and where they are to be seen.
pub(super) async fn dress(
    desk: &mut Desk,
    people: &People,
    goods: &BTreeMap<String, Good>,
) -> anyhow::Result<()> {
    let front = front()?;
    let operator = &people.operator;
    for (path, documents) in [
        ("banners", front.banners),
        ("bandBanners", front.band_banners),
        ("bannerAdvertisements", front.banner_advertisements),
        ("popups", front.popups),
    ] {
        for document in &documents {
            put_up(desk, operator, path, document).await?;
        }
    }
    for (path, all) in [
        ("shop/displays", front.displays),
        ("shop/showrooms", front.showrooms),
    ] {
        for LaidOut { products, mut form } in all {
            let ids = products
                .iter()
                .map(|code| {
                    let good = goods.get(code);
                    good.map(|good| good.id.as_str())
                        .with_context(|| format!("no product {code}"))
                })
                .collect::<anyhow::Result<Vec<_>>>()?;
            form.insert("_products".to_owned(), json!(ids));
            form.insert("shows".to_owned(), json!(true));
            put_up(desk, operator, path, &Value::Object(form)).await?;
        }
    }
    for Store { seller, mut form } in front.stores {
        let of = people.sellers.get(&seller);
        let of = of.with_context(|| format!("no seller {seller}"))?;
        form.insert("_seller".to_owned(), json!(of.user));
        form.insert("shows".to_owned(), json!(true));
        put_up(desk, operator, "shop/stores", &Value::Object(form)).await?;
    }
    Ok(())
}

/// Shows as best sellers what sold best, in that order: the display and the page of that name say the same.
pub(super) async fn line_up_best_sellers(
    desk: &mut Desk,
    operator: &Session,
) -> anyhow::Result<()> {
    let bests = "/api/v1/shop/bests?limit=8";
    let bests = desk.ask(None, Method::GET, bests, &Value::Null).await?;
    let bests = bests.pointer("/products").and_then(Value::as_array);
    let ids: Vec<&Value> = bests
        .into_iter()
        .flatten()
        .filter_map(|product| product.get("_id"))
        .collect();
    let path = "/api/console/shop/displays";
    let listed = desk
        .ask(
            Some(operator),
            Method::GET,
            &format!("{path}?code=BEST_SELLER"),
            &Value::Null,
        )
        .await?;
    let display = at(&listed, "displays/0/_id")?;
    let version = listed.pointer("/displays/0/version");
    let change = json!({ "_products": ids, "version": version });
    desk.put(operator, &format!("{path}/{display}"), &change)
        .await
        .map(drop)
}

async fn put_up(
    desk: &mut Desk,
    operator: &Session,
    path: &str,
    document: &Value,
) -> anyhow::Result<()> {
    desk.post(Some(operator), &format!("/api/console/{path}"), document)
        .await
        .map(drop)
}
