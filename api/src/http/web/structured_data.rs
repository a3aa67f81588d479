//! Structured data of pages: schema.org objects for search engines.

use domain::Amount;
use domain::storefront::Brand;
use projections::products::{ProductCard, ProductDetail};
use serde_json::{Value, json};

use super::html_head::{Link, Site};
use super::page_meta::path_of;

pub(super) fn breadcrumbs(site: &Site, trail: &[Link]) -> Value {
    let home = Link {
        to: "/".to_owned(),
        text: site.short.clone(),
    };
    let items: Vec<Value> = [&home]
        .into_iter()
        .chain(trail)
        .zip(1_u32..)
        .map(|(link, position)| {
            json!({ "@type": "ListItem", "position": position, "name": link.text, "item": site.at(&link.to) })
        })
        .collect();
    json!({ "@context": "https://schema.org", "@type": "BreadcrumbList", "itemListElement": items })
}

pub(super) fn collection(site: &Site, name: &str, address: &str, cards: &[ProductCard]) -> Value {
    let items: Vec<Value> = cards
        .iter()
        .zip(1_u32..)
        .map(|(card, position)| {
            json!({ "@type": "ListItem", "position": position, "name": card.name, "url": site.at(&path_of(card.id)) })
        })
        .collect();
    json!({
        "@context": "https://schema.org", "@type": "CollectionPage", "name": name, "url": site.at(address),
        "mainEntity": { "@type": "ItemList", "itemListElement": items },
    })
}

pub(super) fn offer(
    site: &Site,
    product: &ProductDetail,
    described: &str,
    brand: Option<&Brand>,
) -> Value {
    let card = &product.card;
    let mut pictures: Vec<String> = [&card.thumb]
        .into_iter()
        .chain(&product.images)
        .filter(|picture| !picture.url.is_empty())
        .map(|picture| site.at(&picture.url))
        .collect();
    pictures.dedup();
    let availability = match card.sold_out {
        true => "https://schema.org/OutOfStock",
        false => "https://schema.org/InStock",
    };
    let mut fact = json!({
        "@context": "https://schema.org", "@type": "Product",
        "name": card.name, "sku": card.code, "description": described, "image": pictures,
        "offers": {
            "@type": "Offer", "url": site.at(&path_of(card.id)), "price": decimal(card.sale_price),
            "priceCurrency": site.currency, "availability": availability,
        },
    });
    if let (Some(brand), Some(fields)) = (brand, fact.as_object_mut()) {
        fields.insert(
            "brand".to_owned(),
            json!({ "@type": "Brand", "name": brand.name }),
        );
    }
    let stars = &card.meta;
    if let (true, Some(fields)) = (stars.review_count > 0, fact.as_object_mut()) {
        // Hundredths of a star, formatted as stars.
        let average = decimal(Amount::new(stars.star));
        let rating = json!({
            "@type": "AggregateRating", "ratingValue": average, "reviewCount": stars.review_count,
            "bestRating": 5, "worstRating": 1,
        });
        fields.insert("aggregateRating".to_owned(), rating);
    }
    fact
}

/// `1234.50`: without currency sign and grouping.
fn decimal(amount: Amount) -> String {
    amount.to_string().replace('$', "")
}
