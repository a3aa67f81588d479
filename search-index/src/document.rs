//! The indexed documents: one for each product.

use domain::Amount;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::korean::IndexTokens;

/// A product as it is indexed. The projection `search_documents` creates it; an engine only stores it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProductDocument {
    /// The product's id.
    pub id: Uuid,
    /// The product code as shoppers see and type it.
    pub code: String,
    /// The name, as shown.
    pub name: String,
    /// The hashtags and search keywords.
    pub keywords: Vec<String>,
    /// The short description, as shown. Matches in it count least.
    #[serde(default)]
    pub desc: String,
    /// The brand's name, if it has one.
    pub brand: Option<String>,
    /// The brand's code, for filters and facets.
    #[serde(default)]
    pub brand_code: Option<String>,
    /// The id of the seller; none for the shop's own goods.
    pub seller_id: Option<Uuid>,
    /// The seller's public nickname; none for the shop's own goods. Never a real name.
    pub seller_name: Option<String>,
    /// The codes of its categories and of all their ancestors.
    pub categories: Vec<String>,
    /// The product groups it is in (new, hot and the like).
    #[serde(default)]
    pub groups: Vec<String>,
    /// The list price.
    pub price: Amount,
    /// The price after the discount, equal to `price` without one. Price filters and price sorting use it.
    pub sale_price: Amount,
    /// The product's type (`NORMAL_PRODUCT`, `VARIETY_BUNDLE` or `PRODUCT_BUNDLE`).
    #[serde(rename = "type")]
    pub kind: String,
    /// Whether shoppers may see it.
    pub shows: bool,
    /// Whether it is sold out. Sold-out products are found and shown with a badge.
    pub sold_out: bool,
    /// The names of the seasons in which one unit ships free on the mainland: seasons are spans of time, and a query lists the current
    /// ones.
    #[serde(default)]
    pub free_in: Vec<String>,
    /// Number of visible reviews.
    #[serde(default)]
    pub reviews: i64,
    /// Units sold, rounded down to a power of two, so that a document does not change with every sale.
    #[serde(default)]
    pub sells: i64,
    /// When it was created, in milliseconds since 1970 UTC.
    pub created_at: i64,
    /// The position in the log of this state. A state of an older position never replaces a newer one.
    #[serde(rename = "_position")]
    pub position: i64,
}

/// A deleted product. Engines remember its position until the next rebuild, so that replaying older changes does not restore it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Removal {
    /// The product's id.
    pub id: Uuid,
    /// The position in the log at which it was removed.
    #[serde(rename = "_position")]
    pub position: i64,
}

impl ProductDocument {
    /// The tokens of the name alone; a match in the name weighs more than one elsewhere.
    pub fn name_tokens(&self) -> IndexTokens {
        IndexTokens::of([self.name.as_str()])
    }

    /// The tokens of everything a product is searched by: name, keywords, brand, seller and code.
    pub fn all_tokens(&self) -> IndexTokens {
        let code_in_one: String = self.code.chars().filter(|c| c.is_alphanumeric()).collect();
        let texts = [self.name.as_str(), self.code.as_str(), code_in_one.as_str()];
        let keywords = self.keywords.iter().map(String::as_str);
        let names = self
            .brand
            .iter()
            .chain(&self.seller_name)
            .map(String::as_str);
        IndexTokens::of(texts.into_iter().chain(keywords).chain(names))
    }

    /// The source of suggestions: the name, the brand's names and the keywords, as written.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let name = std::iter::once(&self.name);
        let names = name.chain(&self.brand).chain(&self.keywords);
        names.map(String::as_str)
    }

    /// The tokens of the short description: its words and their parts, because in Korean a word there nearly always has an ending (`자전거를`).
    pub fn desc_tokens(&self) -> IndexTokens {
        IndexTokens::of([self.desc.as_str()])
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn the_wire_uses_the_specifications_words() {
        let json = serde_json::json!({
            "id": "0193b7a2-0000-7000-8000-000000000001", "code": "BK-1", "name": "로드 자전거", "keywords": ["출퇴근"], "desc": "가볍다",
            "brand": "삼천리", "brandCode": "samchuly", "sellerId": null, "sellerName": null, "categories": ["BIKE"],
            "groups": ["NEW"], "price": 50000, "salePrice": 45000, "type": "NORMAL_PRODUCT", "shows": true,
            "soldOut": false, "freeIn": ["always"], "reviews": 3, "sells": 8, "createdAt": 1, "_position": 7
        });
        let document: ProductDocument = serde_json::from_value(json.clone()).unwrap();
        assert_eq!(document.sale_price, Amount::new(45_000));
        assert_eq!(serde_json::to_value(document).unwrap(), json);
    }
}
