//! Creates categories, products and sets, as staff and the sellers do.

use std::collections::BTreeMap;

use anyhow::Context;
use application::App;
use application::access::Session;
use projections::{Page, products};
use serde_json::{Value, json};
use time::Duration;

use crate::catalogue::{self, Product, Set, descriptions};
use crate::client::{ApiClient, at};
use crate::people::People;
use crate::storefront::brand_of_products;
use crate::{GOODS, Size};

/// A product for sale.
#[derive(Clone, Debug)]
pub(crate) struct Good {
    /// Its id.
    pub id: String,
    /// Its options and the stock left of each; empty if the product has none.
    pub options: Vec<(String, u32)>,
    /// Stock left, if it has no options.
    pub left: u32,
    /// List price, hundredths.
    pub price: i64,
}

/// Products for sale, by code.
pub(crate) type Goods = BTreeMap<String, Good>;

/// Creates the categories, which brands and products refer to.
pub(crate) async fn create_categories(
    client: &mut ApiClient,
    operator: &Session,
) -> anyhow::Result<()> {
    for category in catalogue::categories()? {
        let picture = category
            .picture
            .map(|code| format!("/pictures/{code}.webp"));
        let form = json!({
            "code": category.code, "name": long_enough(category.name), "parent": category.parent.unwrap_or_default(),
            "visual": { "url": picture },
        });
        client
            .post(Some(operator), "/api/console/shop/categories", &form)
            .await?;
    }
    Ok(())
}

/// Creates the products, one after another.
pub(crate) async fn create_products(
    client: &mut ApiClient,
    people: &People,
    size: Size,
) -> anyhow::Result<Goods> {
    let brands = brand_of_products()?;
    let manufacturers = catalogue::manufacturers(size)?;
    let apart = Duration::minutes(if size == Size::Large { 26 } else { 120 });
    let mut goods = Goods::new();
    for (index, product) in (0_i32..).zip(catalogue::products(size)?) {
        client.go_back(GOODS - apart * index);
        let seller = people
            .sellers
            .get(&product.seller)
            .with_context(|| format!("no seller {}", product.seller))?;
        let (code, price, left) = (product.code.clone(), product.price, product.stock);
        let stocks: Vec<u32> = product.options.iter().map(stock_of).collect();
        let form = product_form(product, &brands, &manufacturers);
        let answer = client
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

/// Creates the sets of these products. No order of a demonstration contains one, because the stock left is counted by product.
pub(crate) async fn create_sets(
    client: &mut ApiClient,
    people: &People,
    size: Size,
    goods: &Goods,
) -> anyhow::Result<Goods> {
    let (brands, manufacturers) = (brand_of_products()?, catalogue::manufacturers(size)?);
    let mut sets = Goods::new();
    for set in catalogue::sets()? {
        let seller = people.sellers.get(&set.seller);
        let seller = seller.with_context(|| format!("no seller {}", set.seller))?;
        let (code, price) = (set.code.clone(), set.price);
        let form = set_form(set, &brands, &manufacturers, goods)?;
        let answer = client
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

/// The products for sale in a shop. Their stock left counts as 0, so each is restocked before it is first ordered.
pub(crate) async fn on_sale(app: &App) -> anyhow::Result<Goods> {
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
            // The stock of sets is that of other products.
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

/// The pictures of the product with this code: the first is the card's, the others show it from another side.
fn pictures(code: &str, alt: &str) -> Vec<Value> {
    let views = [("", ""), ("-2", " (다른 각도)")];
    views
        .into_iter()
        .map(|(view, more)| json!({ "url": format!("/pictures/{code}{view}.webp"), "alt": format!("{alt}{more}") }))
        .collect()
}

fn set_form(
    set: Set,
    brands: &BTreeMap<String, String>,
    manufacturers: &BTreeMap<String, String>,
    goods: &Goods,
) -> anyhow::Result<Value> {
    let parts = set
        .parts
        .iter()
        .map(|part| {
            let good = goods.get(&part.code);
            let good = good.with_context(|| format!("no product {}", part.code))?;
            let option = good.options.first().map(|(option, _)| option);
            Ok(json!({ "_product": good.id, "_option": option, "quantity": part.quantity }))
        })
        .collect::<anyhow::Result<Vec<Value>>>()?;
    let inside = set
        .parts
        .iter()
        .flat_map(|part| pictures(&part.code, &set.name).into_iter().take(1));
    let pictures: Vec<Value> = pictures(&set.code, &set.name)
        .into_iter()
        .chain(inside)
        .collect();
    let brand = set.parts.first().and_then(|part| brands.get(&part.code));
    Ok(json!({
        "code": set.code, "name": set.name, "type": set.kind, "price": set.price, "categories": [set.category],
        "brand": brand, "relatedGroupCode": set.category, "desc": set.desc,
        "content": format!("<p>{}</p>{}", set.desc, set.story), "thumb": pictures.first(), "images": pictures,
        "shows": true, "hashtags": set.hashtags, "flags": set.flags, "origin": "대한민국", "size": set.size,
        "manufacturer": manufacturers.get(&set.seller), "bundleds": parts,
    }))
}

fn product_form(
    product: Product,
    brands: &BTreeMap<String, String>,
    manufacturers: &BTreeMap<String, String>,
) -> Value {
    let shown = product.pictured_as.as_ref().unwrap_or(&product.code);
    let brand = brands.get(shown);
    let pictures = pictures(shown, &product.name);
    let first = product.options.first();
    let name = first.and_then(|option| option.get("name")?.as_str());
    let criteria: Vec<String> = name.map_or(vec![], parts);
    let coloured = product
        .options
        .iter()
        .any(|option| option.get("hexa").is_some_and(Value::is_string));
    let options: Vec<Value> = product.options.into_iter().map(enabled).collect();
    let has_options = !options.is_empty();
    let story = match product.story.as_str() {
        "" => descriptions::of(&product.category),
        story => story,
    };
    json!({
        "code": product.code, "name": product.name, "price": product.price, "discount": product.discount, "categories": [product.category],
        "brand": brand, "relatedGroupCode": product.category,
        "desc": product.desc, "content": format!("<p>{}</p>{story}", product.desc), "thumb": pictures.first(), "images": pictures, "shows": true,
        "hashtags": product.hashtags, "flags": product.flags, "origin": product.origin, "size": product.size,
        "manufacturer": manufacturers.get(&product.seller),
        "optionsConf": { "enabled": has_options, "sort": if coloured { "COLOR" } else { "OTHER" }, "criteria": criteria },
        "options": options, "stock": if has_options { Value::Null } else { json!(product.stock) },
    })
}

/// The parts of an option's name, such as `색상 / 사이즈`; its value has as many.
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
    use crate::catalogue::{manufacturers, sellers};

    /// Checks the catalogue of the large demonstration without seeding it: the shop accepts every product, no two are alike, and each has a
    /// seller.
    #[test]
    fn the_large_catalogue_is_three_hundred_sound_products_of_twelve_sellers() {
        let products = catalogue::products(Size::Large).unwrap();
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
            let makers = manufacturers(Size::Large).unwrap();
            let mut form = product_form(product, &brand_of_products().unwrap(), &makers);
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
