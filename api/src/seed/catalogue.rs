//! The goods: `api/seed/catalogue.json`, offered by their sellers.

use std::collections::BTreeMap;

use anyhow::Context;
use serde::Deserialize;
use serde_json::{Value, json};
use time::Duration;

use super::desk::{Desk, at};
use super::front;
use super::people::People;

const CATALOGUE: &str = include_str!("../../seed/catalogue.json");

#[derive(Deserialize)]
struct Catalogue {
    sellers: Vec<Seller>,
    categories: Vec<Category>,
    products: Vec<Product>,
}

/// A seller.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Seller {
    pub key: String,
    pub username: String,
    pub nickname: String,
    pub company_name: String,
    pub ceo_name: String,
}

#[derive(Deserialize)]
struct Category {
    code: String,
    name: String,
    parent: Option<String>,
}

#[derive(Deserialize)]
struct Product {
    code: String,
    name: String,
    category: String,
    seller: String,
    price: i64,
    desc: String,
    options: Vec<Value>,
    discount: Value,
    stock: u32,
    hashtags: Vec<String>,
    flags: Vec<String>,
    origin: Value,
    size: Value,
}

/// A product that is for sale now.
#[derive(Clone, Debug)]
pub(super) struct Good {
    /// Its id.
    pub id: String,
    /// Ids of its options.
    pub options: Vec<String>,
}

fn catalogue() -> anyhow::Result<Catalogue> {
    serde_json::from_str(CATALOGUE).context("seed/catalogue.json")
}

/// The sellers of the catalogue.
pub(super) fn sellers() -> anyhow::Result<Vec<Seller>> {
    Ok(catalogue()?.sellers)
}

/// Puts categories and products in place; products by their code.
pub(super) async fn fill(
    desk: &mut Desk,
    people: &People,
) -> anyhow::Result<BTreeMap<String, Good>> {
    let catalogue = catalogue()?;
    for category in catalogue.categories {
        let form = json!({ "code": category.code, "name": long_enough(category.name), "parent": category.parent.unwrap_or_default() });
        desk.post(
            Some(&people.operator),
            "/api/console/shop/categories",
            &form,
        )
        .await?;
    }
    let brands = front::brand_of()?;
    let mut goods = BTreeMap::new();
    for (place, product) in (0_i32..).zip(catalogue.products) {
        desk.go(Duration::days(52) - Duration::hours(5) * place);
        let seller = people
            .sellers
            .get(&product.seller)
            .with_context(|| format!("no seller {}", product.seller))?;
        let code = product.code.clone();
        let answer = desk
            .post(
                Some(seller),
                "/api/console/shop/products",
                &product.form(brands.get(&code)),
            )
            .await?;
        let options = answer
            .pointer("/product/options")
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default();
        let options = options
            .iter()
            .map(|option| at(option, "_id"))
            .collect::<anyhow::Result<_>>()?;
        goods.insert(
            code,
            Good {
                id: at(&answer, "product/_id")?,
                options,
            },
        );
    }
    Ok(goods)
}

/// A name has more than one character (spec V135).
fn long_enough(name: String) -> String {
    if name.chars().count() > 1 {
        name
    } else {
        format!("{name} 전체")
    }
}

impl Product {
    fn form(self, brand: Option<&String>) -> Value {
        let picture = json!({ "url": format!("/pictures/{}.webp", self.code), "alt": self.name });
        let criteria: Vec<Value> = self
            .options
            .iter()
            .filter_map(|option| option.get("name").cloned())
            .take(1)
            .collect();
        let coloured = self
            .options
            .iter()
            .any(|option| option.get("hexa").is_some_and(Value::is_string));
        let options: Vec<Value> = self.options.into_iter().map(enabled).collect();
        let offered = !options.is_empty();
        json!({
            "code": self.code, "name": self.name, "price": self.price, "discount": self.discount, "categories": [self.category],
            "brand": brand, "relatedGroupCode": self.category,
            "desc": self.desc, "content": format!("<p>{}</p>", self.desc), "thumb": picture, "images": [picture], "shows": true,
            "hashtags": self.hashtags, "flags": self.flags, "origin": self.origin, "size": self.size,
            "optionsConf": { "enabled": offered, "sort": if coloured { "COLOR" } else { "OTHER" }, "criteria": criteria },
            "options": options, "stock": if offered { Value::Null } else { json!(self.stock) },
        })
    }
}

fn enabled(mut option: Value) -> Value {
    if let Some(fields) = option.as_object_mut() {
        fields.insert("enabled".to_owned(), json!(true));
    }
    option
}
