//! Content of the shop, created by staff: `api/demo/data/storefront.json`.

use std::collections::BTreeMap;

use anyhow::Context;
use application::access::Session;
use axum::http::Method;
use serde::Deserialize;
use serde_json::{Value, json};
use time::Duration;
use time::format_description::well_known::Rfc3339;

use crate::client::{ApiClient, at};
use crate::people::People;

const STOREFRONT: &str = include_str!("../data/storefront.json");

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Storefront {
    brands: Vec<Brand>,
    banners: Vec<Value>,
    band_banners: Vec<Value>,
    banner_advertisements: Vec<Value>,
    popups: Vec<Value>,
    terms: Vec<Value>,
    faqs: Vec<Value>,
    notices: Vec<Value>,
    displays: Vec<ProductList>,
    showrooms: Vec<ProductList>,
    stores: Vec<Store>,
    category_details: Vec<Value>,
    main_links: Vec<Value>,
    materials: Vec<Value>,
    answer_templates: Vec<Value>,
    forms: Vec<Value>,
    codes: Vec<Value>,
    message_templates: Vec<Value>,
    review_displays: Vec<Value>,
    promotions: Vec<Promotion>,
}

/// An event, exhibition or tag event: its path, its period in days from now, and the codes of its products.
#[derive(Deserialize)]
struct Promotion {
    path: String,
    days: [i64; 2],
    products: Vec<String>,
    #[serde(flatten)]
    form: serde_json::Map<String, Value>,
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

/// A display or showroom with the codes of its products.
#[derive(Deserialize)]
struct ProductList {
    products: Vec<String>,
    #[serde(flatten)]
    form: serde_json::Map<String, Value>,
}

fn storefront() -> anyhow::Result<Storefront> {
    serde_json::from_str(STOREFRONT).context("data/storefront.json")
}

/// The brand of each product, both by their codes.
pub(crate) fn brand_of_products() -> anyhow::Result<BTreeMap<String, String>> {
    let brands = storefront()?.brands.into_iter();
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

/// Creates the brands and terms, which exist before the first product and the first member.
pub(crate) async fn create_brands_and_terms(
    client: &mut ApiClient,
    operator: &Session,
) -> anyhow::Result<()> {
    let storefront = storefront()?;
    for brand in storefront.brands {
        let mut form = brand.form;
        form.insert("code".to_owned(), json!(brand.code));
        form.insert("shows".to_owned(), json!(true));
        create(client, operator, "shop/brands", &Value::Object(form)).await?;
    }
    for terms in &storefront.terms {
        create(client, operator, "terms", terms).await?;
    }
    Ok(())
}

/// Creates banners, popups, displays, showrooms and stores; `ids` are those of all products, by their codes.
pub(crate) async fn dress(
    client: &mut ApiClient,
    people: &People,
    ids: &BTreeMap<&str, &str>,
) -> anyhow::Result<()> {
    let storefront = storefront()?;
    let operator = &people.operator;
    for (path, documents) in [
        ("banners", storefront.banners),
        ("bandBanners", storefront.band_banners),
        ("bannerAdvertisements", storefront.banner_advertisements),
        ("popups", storefront.popups),
        ("center/faqs", storefront.faqs),
        ("center/notifications", storefront.notices),
        ("shop/category-details", storefront.category_details),
        ("main/links", storefront.main_links),
        ("shop/materials", storefront.materials),
        ("center/answerTemplates", storefront.answer_templates),
        ("forms", storefront.forms),
        ("shop/codes", storefront.codes),
        ("message-templates", storefront.message_templates),
        ("main/reviews", storefront.review_displays),
    ] {
        for document in &documents {
            create(client, operator, path, document).await?;
        }
    }
    for (path, all) in [
        ("shop/displays", storefront.displays),
        ("shop/showrooms", storefront.showrooms),
    ] {
        for ProductList { products, mut form } in all {
            form.insert("_products".to_owned(), ids_of(ids, &products)?);
            form.insert("shows".to_owned(), json!(true));
            create(client, operator, path, &Value::Object(form)).await?;
        }
    }
    for promotion in storefront.promotions {
        let Promotion {
            path,
            days,
            products,
            mut form,
        } = promotion;
        form.insert("_products".to_owned(), ids_of(ids, &products)?);
        form.insert("shows".to_owned(), json!(true));
        for (field, days) in ["startsAt", "endsAt"].into_iter().zip(days) {
            let moment = client.now + Duration::days(days);
            form.insert(field.to_owned(), json!(moment.format(&Rfc3339)?));
        }
        create(client, operator, &path, &Value::Object(form)).await?;
    }
    for Store { seller, mut form } in storefront.stores {
        let of = people.sellers.get(&seller);
        let of = of.with_context(|| format!("no seller {seller}"))?;
        form.insert("_seller".to_owned(), json!(of.user));
        form.insert("shows".to_owned(), json!(true));
        create(client, operator, "shop/stores", &Value::Object(form)).await?;
    }
    Ok(())
}

/// The ids of products, by their codes.
fn ids_of(ids: &BTreeMap<&str, &str>, codes: &[String]) -> anyhow::Result<Value> {
    let id = |code: &String| {
        let id = ids.get(code.as_str());
        id.with_context(|| format!("no product {code}"))
    };
    let found = codes.iter().map(id).collect::<anyhow::Result<Vec<_>>>()?;
    Ok(json!(found))
}

/// Fills the display of best sellers with those of the page of that name, in that order.
pub(crate) async fn line_up_best_sellers(
    client: &mut ApiClient,
    operator: &Session,
) -> anyhow::Result<()> {
    let bests = "/api/v1/shop/bests?limit=8";
    let bests = client
        .request(None, Method::GET, bests, &Value::Null)
        .await?;
    let bests = bests.pointer("/products").and_then(Value::as_array);
    let ids: Vec<&Value> = bests
        .into_iter()
        .flatten()
        .filter_map(|product| product.get("_id"))
        .collect();
    let path = "/api/console/shop/displays";
    let listed = client
        .request(
            Some(operator),
            Method::GET,
            &format!("{path}?code=BEST_SELLER"),
            &Value::Null,
        )
        .await?;
    let display = at(&listed, "displays/0/_id")?;
    let version = listed.pointer("/displays/0/version");
    let change = json!({ "_products": ids, "version": version });
    client
        .put(operator, &format!("{path}/{display}"), &change)
        .await
        .map(drop)
}

async fn create(
    client: &mut ApiClient,
    operator: &Session,
    path: &str,
    document: &Value,
) -> anyhow::Result<()> {
    client
        .post(Some(operator), &format!("/api/console/{path}"), document)
        .await
        .map(drop)
}
