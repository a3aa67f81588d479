//! The goods: `api/seed/catalogue.json`, offered by their sellers.

use std::collections::BTreeMap;

use anyhow::Context;
use projections::{Page, products};
use serde::Deserialize;
use serde_json::{Value, json};
use time::Duration;

use super::desk::{Desk, at};
use super::details;
use super::front;
use super::people::People;
use super::variants;
use super::{GOODS, Size};
use crate::app::AppState;
use crate::http::tokens::Session;

const CATALOGUE: &str = include_str!("../../seed/catalogue.json");

#[derive(Deserialize)]
struct Catalogue {
    sellers: Vec<Seller>,
    categories: Vec<Category>,
    products: Vec<Product>,
    sets: Vec<Set>,
}

/// A product made of others of its seller.
#[derive(Deserialize)]
struct Set {
    code: String,
    name: String,
    /// `PRODUCT_BUNDLE` or `VARIETY_BUNDLE`.
    #[serde(rename = "type")]
    kind: String,
    category: String,
    seller: String,
    price: i64,
    desc: String,
    /// Its long description, HTML.
    story: String,
    parts: Vec<Part>,
    hashtags: Vec<String>,
    flags: Vec<String>,
    size: Value,
}

/// So many of one product, by its code.
#[derive(Deserialize)]
struct Part {
    code: String,
    quantity: u32,
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
    /// Code of the product whose picture it shows; those below it show the same.
    picture: Option<String>,
}

/// A product as a seller offers it.
#[derive(Clone, Deserialize)]
pub(super) struct Product {
    pub code: String,
    pub name: String,
    pub category: String,
    pub seller: String,
    pub price: i64,
    pub desc: String,
    pub options: Vec<Value>,
    pub discount: Value,
    pub stock: u32,
    pub hashtags: Vec<String>,
    pub flags: Vec<String>,
    pub origin: Value,
    pub size: Value,
    /// Code of the product whose picture it shows, where it has none of its own.
    #[serde(default)]
    pub pictured_as: Option<String>,
    /// More of its long description, HTML.
    #[serde(default)]
    pub story: String,
}

/// A product that is for sale now.
#[derive(Clone, Debug)]
pub(super) struct Good {
    /// Its id.
    pub id: String,
    /// The ways to buy it and how many pieces of each are left; none where the product has no options.
    pub options: Vec<(String, u32)>,
    /// Pieces left where it has no options.
    pub left: u32,
    /// List price, hundredths.
    pub price: i64,
}

/// Goods by code.
pub(super) type Goods = BTreeMap<String, Good>;

fn catalogue() -> anyhow::Result<Catalogue> {
    serde_json::from_str(CATALOGUE).context("seed/catalogue.json")
}

/// The sellers of a demonstration.
pub(super) fn sellers(size: Size) -> anyhow::Result<Vec<Seller>> {
    let mut sellers = catalogue()?.sellers;
    if size == Size::Large {
        sellers.extend(variants::sellers());
    }
    Ok(sellers)
}

/// The companies that make what they sell, by the seller's key: all of them make their own.
fn makers(size: Size) -> anyhow::Result<BTreeMap<String, String>> {
    let sellers = sellers(size)?.into_iter();
    Ok(sellers
        .map(|seller| (seller.key, seller.company_name))
        .collect())
}

/// Puts the categories in place: brands and products name them.
pub(super) async fn sort_out(desk: &mut Desk, operator: &Session) -> anyhow::Result<()> {
    for category in catalogue()?.categories {
        let picture = category
            .picture
            .map(|code| format!("/pictures/{code}.webp"));
        let form = json!({
            "code": category.code, "name": long_enough(category.name), "parent": category.parent.unwrap_or_default(),
            "visual": { "url": picture },
        });
        desk.post(Some(operator), "/api/console/shop/categories", &form)
            .await?;
    }
    Ok(())
}

/// Puts the products in place.
pub(super) async fn fill(desk: &mut Desk, people: &People, size: Size) -> anyhow::Result<Goods> {
    let brands = front::brand_of()?;
    let makers = makers(size)?;
    let products = offered(catalogue()?.products, size);
    let mut goods = Goods::new();
    for (place, product) in (0_i32..).zip(products) {
        desk.go(GOODS - Duration::minutes(if size == Size::Large { 26 } else { 120 }) * place);
        let seller = people
            .sellers
            .get(&product.seller)
            .with_context(|| format!("no seller {}", product.seller))?;
        let (code, price, left) = (product.code.clone(), product.price, product.stock);
        let stocks: Vec<u32> = product.options.iter().map(stock_of).collect();
        let form = product.form(&brands, &makers);
        let answer = desk
            .post(Some(seller), "/api/console/shop/products", &form)
            .await?;
        let options = answer
            .pointer("/product/options")
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default();
        let options = options
            .iter()
            .zip(stocks)
            .map(|(option, left)| Ok((at(option, "_id")?, left)))
            .collect::<anyhow::Result<_>>()?;
        let id = at(&answer, "product/_id")?;
        goods.insert(
            code,
            Good {
                id,
                options,
                left,
                price,
            },
        );
    }
    Ok(goods)
}

/// Puts the sets in place, made of what is there. Nobody orders them in a story: what is left of their parts is counted there.
pub(super) async fn put_together(
    desk: &mut Desk,
    people: &People,
    size: Size,
    goods: &Goods,
) -> anyhow::Result<Goods> {
    let (brands, makers) = (front::brand_of()?, makers(size)?);
    let mut sets = Goods::new();
    for set in catalogue()?.sets {
        let seller = people.sellers.get(&set.seller);
        let seller = seller.with_context(|| format!("no seller {}", set.seller))?;
        let (code, price) = (set.code.clone(), set.price);
        let form = set.form(&brands, &makers, goods)?;
        let answer = desk
            .post(Some(seller), "/api/console/shop/products", &form)
            .await?;
        let good = Good {
            id: at(&answer, "product/_id")?,
            options: Vec::new(),
            left: 0,
            price,
        };
        sets.insert(code, good);
    }
    Ok(sets)
}

/// What is offered in a demonstration of this size.
fn offered(mut products: Vec<Product>, size: Size) -> Vec<Product> {
    if size == Size::Large {
        let more: Vec<Product> = products.iter().flat_map(variants::of).collect();
        products.extend(more);
    }
    products
}

/// What a shop has on sale; how many pieces are left is not asked, so each is delivered again before it is first sold.
pub(super) async fn on_sale(app: &AppState) -> anyhow::Result<Goods> {
    let mut goods = Goods::new();
    let mut page = Page {
        skip: 0,
        limit: Page::MAX,
    };
    loop {
        let filter = products::ProductFilter::default();
        let rows = products::product_row_list(app.pool(), &filter, page)
            .await?
            .rows;
        if rows.is_empty() {
            return Ok(goods);
        }
        page.skip += Page::MAX;
        for row in rows {
            let product = row.product()?;
            // sets hang on other products' piles
            if product.bundleds.is_empty() {
                let offered = product.options_conf.enabled;
                let options = product.options.iter();
                let options = options.filter(|option| offered && option.enabled);
                let good = Good {
                    id: row.id.to_string(),
                    options: options.map(|option| (option.id.to_string(), 0)).collect(),
                    left: 0,
                    price: product.price.hundredths(),
                };
                goods.insert(product.code, good);
            }
        }
    }
}

fn stock_of(option: &Value) -> u32 {
    let stock = option.get("stock").and_then(Value::as_u64).unwrap_or(0);
    u32::try_from(stock).unwrap_or(u32::MAX)
}

/// A name has more than one character (spec V135).
fn long_enough(name: String) -> String {
    if name.chars().count() > 1 {
        name
    } else {
        format!("{name} 전체")
    }
}

/// The pictures of a product, by the code of whose they are: the first is the card's, the others show it from elsewhere.
fn pictures(code: &str, alt: &str) -> Vec<Value> {
    let views = [("", ""), ("-2", " (다른 각도)")];
    views
        .into_iter()
        .map(|(view, more)| json!({ "url": format!("/pictures/{code}{view}.webp"), "alt": format!("{alt}{more}") }))
        .collect()
}

impl Set {
    fn form(
        self,
        brands: &BTreeMap<String, String>,
        makers: &BTreeMap<String, String>,
        goods: &Goods,
    ) -> anyhow::Result<Value> {
        let parts = self
            .parts
            .iter()
            .map(|part| {
                let good = goods.get(&part.code);
                let good = good.with_context(|| format!("no product {}", part.code))?;
                let option = good.options.first().map(|(option, _)| option);
                Ok(json!({ "_product": good.id, "_option": option, "quantity": part.quantity }))
            })
            .collect::<anyhow::Result<Vec<Value>>>()?;
        let inside = self
            .parts
            .iter()
            .flat_map(|part| pictures(&part.code, &self.name).into_iter().take(1));
        let pictures: Vec<Value> = pictures(&self.code, &self.name)
            .into_iter()
            .chain(inside)
            .collect();
        let brand = self.parts.first().and_then(|part| brands.get(&part.code));
        Ok(json!({
            "code": self.code, "name": self.name, "type": self.kind, "price": self.price, "categories": [self.category],
            "brand": brand, "relatedGroupCode": self.category, "desc": self.desc,
            "content": format!("<p>{}</p>{}", self.desc, self.story), "thumb": pictures.first(), "images": pictures,
            "shows": true, "hashtags": self.hashtags, "flags": self.flags, "origin": "대한민국", "size": self.size,
            "manufacturer": makers.get(&self.seller), "bundleds": parts,
        }))
    }
}

impl Product {
    fn form(self, brands: &BTreeMap<String, String>, makers: &BTreeMap<String, String>) -> Value {
        let shown = self.pictured_as.as_ref().unwrap_or(&self.code);
        let brand = brands.get(shown);
        let pictures = pictures(shown, &self.name);
        let first = self.options.first();
        let called = first.and_then(|option| option.get("name")?.as_str());
        let criteria: Vec<String> = called.map_or(vec![], parts);
        let coloured = self
            .options
            .iter()
            .any(|option| option.get("hexa").is_some_and(Value::is_string));
        let options: Vec<Value> = self.options.into_iter().map(enabled).collect();
        let offered = !options.is_empty();
        let story = match self.story.as_str() {
            "" => details::of(&self.category),
            told => told,
        };
        json!({
            "code": self.code, "name": self.name, "price": self.price, "discount": self.discount, "categories": [self.category],
            "brand": brand, "relatedGroupCode": self.category,
            "desc": self.desc, "content": format!("<p>{}</p>{story}", self.desc), "thumb": pictures.first(), "images": pictures, "shows": true,
            "hashtags": self.hashtags, "flags": self.flags, "origin": self.origin, "size": self.size,
            "manufacturer": makers.get(&self.seller),
            "optionsConf": { "enabled": offered, "sort": if coloured { "COLOR" } else { "OTHER" }, "criteria": criteria },
            "options": options, "stock": if offered { Value::Null } else { json!(self.stock) },
        })
    }
}

/// What an option is chosen by, one after the other: `색상 / 사이즈`; its value has as many parts.
fn parts(name: &str) -> Vec<String> {
    name.split(" / ").map(str::to_owned).collect()
}

fn enabled(mut option: Value) -> Value {
    if let Some(fields) = option.as_object_mut() {
        fields.insert("enabled".to_owned(), json!(true));
    }
    option
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use std::collections::BTreeSet;

    use domain::catalogue::Product as Record;
    use domain::forms::USERNAME;
    use domain::record::Resource;
    use uuid::Uuid;

    use super::*;

    /// The large demonstration without telling it: every product is one the shop accepts, no two are alike, and somebody sells it.
    #[test]
    fn the_large_catalogue_is_three_hundred_sound_products_of_twelve_sellers() {
        let products = offered(catalogue().unwrap().products, Size::Large);
        for seller in sellers(Size::Large).unwrap() {
            assert!(USERNAME.holds(&seller.username), "{}", seller.username);
        }
        let keys: BTreeSet<String> = sellers(Size::Large)
            .unwrap()
            .into_iter()
            .map(|seller| seller.key)
            .collect();
        assert_eq!((products.len(), keys.len()), (300, 12));
        let distinct = |of: fn(&Product) -> &String| {
            let all: BTreeSet<&String> = products.iter().map(of).collect();
            all.len()
        };
        assert_eq!(distinct(|product| &product.code), 300);
        assert_eq!(distinct(|product| &product.name), 300);
        let selling: BTreeSet<&String> = products.iter().map(|product| &product.seller).collect();
        assert_eq!(selling, keys.iter().collect());
        for product in products.clone() {
            let mut form = product.form(&front::brand_of().unwrap(), &makers(Size::Large).unwrap());
            let fields = form.as_object_mut().unwrap();
            fields.remove("stock");
            fields.insert("_seller".to_owned(), json!(Uuid::nil()));
            let options = fields.get_mut("options").and_then(Value::as_array_mut);
            for option in options.into_iter().flatten() {
                let option = option.as_object_mut().unwrap();
                option.insert("_id".to_owned(), json!(Uuid::now_v7()));
            }
            let record: Record = serde_json::from_value(form).unwrap();
            assert_eq!(Record::validate(&record), Ok(()));
            assert!(record.manufacturer.is_some(), "{}", record.code);
            for option in &record.options {
                let criteria = record.options_conf.criteria.len();
                assert_eq!(parts(&option.value).len(), criteria, "{}", record.code);
            }
        }
    }
}
