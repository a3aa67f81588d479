//! The kinds of records the console keeps: where they are, who keeps them, and what changes together with them.

use domain::catalogue::Product;
use domain::coupon::{Campaign, CampaignAct, Coupon};
use domain::event::{Context, Ledger};
use domain::ids::{MemberId, ProductId, StockId};
use domain::record::{Document, FieldError, Resource};
use domain::shipping::{Island, ShippingGroup};
use domain::site::{Level, SiteSetting};
use domain::stock::{Stock, StockAct};
use event_store::{Expected, StreamAppend};
use projections::products::{self, ProductFilter, ProductSort};
use projections::records::{self, RecordRow};
use projections::{Listed, Page, stock};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use uuid::Uuid;

use super::declared::{catalogue, coupons, delivery, site};
use super::describe::Description;
use super::draft::Count;
use crate::app::AppState;
use crate::http::body::typed;
use crate::http::{ApiError, ApiResult};

/// What the commands about a kind are called.
#[derive(Clone, Copy, Debug)]
pub struct Commands {
    /// Making one.
    pub create: &'static str,
    /// Changing one.
    pub revise: &'static str,
    /// Marking one as removed.
    pub remove: &'static str,
    /// Bringing an earlier document back.
    pub restore: &'static str,
}

/// A kind of record the console keeps.
pub trait Kept: Resource<Data = Self> + DeserializeOwned + utoipa::ToSchema {
    /// Where they are.
    const PATH: &'static str;
    /// One, on the wire.
    const ONE: &'static str;
    /// Many, on the wire.
    const MANY: &'static str;
    /// What its commands are called.
    const COMMANDS: Commands;
    /// What it says about itself.
    const DESCRIPTION: Description;
    /// Sellers keep their own; otherwise only staff gets in.
    const FOR_SELLERS: bool = false;
    /// The reservation that makes its code unique.
    const CODES: Option<&'static str> = None;
    /// The read models its list is made of.
    const READS: &'static [&'static str] = &[records::NAME];

    /// Whose it is; none: the platform's.
    fn seller(&self) -> Option<MemberId> {
        None
    }

    /// Its code, where [`Kept::CODES`] are unique.
    fn code(&self) -> Option<&str> {
        None
    }

    /// The id of a new one.
    fn new_id() -> String {
        Uuid::now_v7().to_string()
    }

    /// Gives new parts their ids, takes counts out of the document, says who set it up.
    ///
    /// # Errors
    /// `invalid_body` for parts of another shape.
    fn complete(_id: &str, _by: MemberId, _fields: &mut Document) -> ApiResult<Vec<Count>> {
        Ok(Vec::new())
    }

    /// A page of rows, newest first.
    fn rows(
        app: &AppState,
        seller: Option<MemberId>,
        search: Option<&str>,
        page: Page,
    ) -> impl Future<Output = ApiResult<Listed<RecordRow>>> + Send {
        async move {
            Ok(match seller {
                None => records::record_list(app.pool(), Self::KIND, search, page).await?,
                Some(seller) => {
                    records::record_list_of(app.pool(), Self::KIND, seller, search, page).await?
                }
            })
        }
    }

    /// What is written to ledgers in the same append.
    fn beside(
        &self,
        _app: &AppState,
        _id: &str,
        _counts: &[Count],
        _context: &Context,
    ) -> impl Future<Output = ApiResult<Vec<StreamAppend>>> + Send {
        async { Ok(Vec::new()) }
    }

    /// What it shows of ledgers, added to its document.
    fn shown_with(
        &self,
        _app: &AppState,
        _id: &str,
    ) -> impl Future<Output = ApiResult<Document>> + Send {
        async { Ok(Document::new()) }
    }
}

macro_rules! kept {
    ($kind:literal, $path:literal, $one:literal, $many:literal) => {
        const PATH: &'static str = $path;
        const ONE: &'static str = $one;
        const MANY: &'static str = $many;
        const COMMANDS: Commands = Commands {
            create: concat!("create-", $kind),
            revise: concat!("revise-", $kind),
            remove: concat!("remove-", $kind),
            restore: concat!("restore-", $kind),
        };
    };
}

impl Kept for Product {
    kept!(
        "product",
        "/api/console/shop/products",
        "product",
        "products"
    );
    const DESCRIPTION: Description = catalogue::PRODUCT;
    const FOR_SELLERS: bool = true;
    const CODES: Option<&'static str> = Some("product-code");
    const READS: &'static [&'static str] = &[products::NAME, stock::NAME];

    fn seller(&self) -> Option<MemberId> {
        Some(self.seller)
    }

    fn code(&self) -> Option<&str> {
        Some(&self.code)
    }

    /// Counts come as `stock: [{ _stock, quantity }]`, or for a new product as `stock: 12` and `options[].stock`.
    fn complete(id: &str, _by: MemberId, fields: &mut Document) -> ApiResult<Vec<Count>> {
        let mut counts = match fields.remove("stock") {
            Some(Value::Array(counts)) => typed(Value::Array(counts))?,
            Some(number @ Value::Number(_)) => {
                vec![Count {
                    stock: typed(json!(id))?,
                    quantity: typed(number)?,
                }]
            }
            None | Some(Value::Null) => Vec::new(),
            Some(_) => {
                return Err(ApiError::invalid_field(
                    "stock",
                    "type",
                    "형식이 올바르지 않습니다.",
                ));
            }
        };
        let options = fields.get_mut("options").and_then(Value::as_array_mut);
        for option in options
            .into_iter()
            .flatten()
            .filter_map(Value::as_object_mut)
        {
            if option.get("_id").is_none_or(Value::is_null) {
                option.insert("_id".to_owned(), json!(Uuid::now_v7()));
            }
            if let (Some(number @ Value::Number(_)), Some(stock)) =
                (option.remove("stock"), option.get("_id"))
            {
                counts.push(Count {
                    stock: typed(stock.clone())?,
                    quantity: typed(number)?,
                });
            }
        }
        Ok(counts)
    }

    async fn rows(
        app: &AppState,
        seller: Option<MemberId>,
        search: Option<&str>,
        page: Page,
    ) -> ApiResult<Listed<RecordRow>> {
        let filter = ProductFilter {
            seller,
            search: search.map(str::to_owned),
            hidden_too: true,
            sort: ProductSort::Latest,
            ..ProductFilter::default()
        };
        let found = products::product_row_list(app.pool(), &filter, page).await?;
        let mut rows = Vec::with_capacity(found.rows.len());
        for row in found.rows {
            let ids = row.product()?.stock_ids(row.id);
            let counted = stock::stock(app.pool(), &ids).await?;
            let counts = counted
                .iter()
                .map(|pile| shown_count(pile.id, pile.available, pile.sells))
                .collect();
            let mut data = row.data;
            data.insert("stock".to_owned(), Value::Array(counts));
            rows.push(RecordRow {
                kind: Self::KIND.to_owned(),
                id: row.id.to_string(),
                version: row.version,
                data,
                removed: row.removed,
                created_at: row.created_at,
                updated_at: row.updated_at,
                position: row.position,
            });
        }
        Ok(Listed {
            total_count: found.total_count,
            rows,
        })
    }

    async fn beside(
        &self,
        app: &AppState,
        id: &str,
        counts: &[Count],
        context: &Context,
    ) -> ApiResult<Vec<StreamAppend>> {
        let product: ProductId = id.parse().map_err(|_| ApiError::not_found())?;
        let own = self.stock_ids(product);
        let mut appends = Vec::new();
        for (line, count) in counts.iter().enumerate() {
            if !own.contains(&count.stock) {
                let complaint = FieldError::new(
                    format!("stock.{line}._stock"),
                    "unknown",
                    "이 상품의 재고가 아닙니다.",
                );
                return Err(ApiError::invalid(vec![complaint]));
            }
            let pile = app.store.load::<Stock>(&count.stock.to_string()).await?;
            let events = pile.state.decide(
                StockAct::Count {
                    product,
                    quantity: count.quantity,
                },
                context,
            )?;
            if !events.is_empty() {
                appends.push(StreamAppend::new::<Stock>(
                    count.stock,
                    Expected::Exact(pile.version),
                    &events,
                )?);
            }
        }
        Ok(appends)
    }

    async fn shown_with(&self, app: &AppState, id: &str) -> ApiResult<Document> {
        let product: ProductId = id.parse().map_err(|_| ApiError::not_found())?;
        let mut counts = Vec::new();
        for pile in self.stock_ids(product) {
            let state = app.store.load::<Stock>(&pile.to_string()).await?.state;
            let sells: u64 = state.taken.values().map(|pieces| u64::from(*pieces)).sum();
            counts.push(shown_count(pile, state.available, sells));
        }
        Ok(Document::from_iter([(
            "stock".to_owned(),
            Value::Array(counts),
        )]))
    }
}

fn shown_count(stock: StockId, available: impl Into<i64>, sells: impl serde::Serialize) -> Value {
    json!({ "_stock": stock, "available": available.into(), "sells": sells })
}

impl Kept for ShippingGroup {
    kept!(
        "shipping",
        "/api/console/shop/shippings",
        "shipping",
        "shippings"
    );
    const DESCRIPTION: Description = delivery::SHIPPING;
    const FOR_SELLERS: bool = true;

    fn seller(&self) -> Option<MemberId> {
        Some(self.seller)
    }
}

impl Kept for Island {
    kept!("island", "/api/console/shop/islands", "island", "islands");
    const DESCRIPTION: Description = delivery::ISLAND;
}

impl Kept for Coupon {
    kept!("coupon", "/api/console/shop/coupons", "coupon", "coupons");
    const DESCRIPTION: Description = coupons::COUPON;
    const FOR_SELLERS: bool = true;

    fn seller(&self) -> Option<MemberId> {
        self.seller
    }

    fn complete(_id: &str, by: MemberId, fields: &mut Document) -> ApiResult<Vec<Count>> {
        fields.entry("_issuer").or_insert_with(|| json!(by));
        Ok(Vec::new())
    }

    /// A limited coupon is counted by its campaign.
    async fn beside(
        &self,
        app: &AppState,
        id: &str,
        _counts: &[Count],
        context: &Context,
    ) -> ApiResult<Vec<StreamAppend>> {
        let (draws, uses) = (self.issue.limit.shop.count_sum, self.usage.limit.shop);
        let campaign = app.store.load::<Campaign>(id).await?;
        let limited = draws.is_some() || uses.count_sum.is_some() || uses.price_sum.is_some();
        if campaign.version == 0 && !limited {
            return Ok(Vec::new());
        }
        let act = CampaignAct::Limit {
            draws,
            uses: uses.count_sum,
            amount: uses.price_sum,
        };
        let events = campaign.state.decide(act, context)?;
        if events.is_empty() {
            return Ok(Vec::new());
        }
        Ok(vec![StreamAppend::new::<Campaign>(
            id,
            Expected::Exact(campaign.version),
            &events,
        )?])
    }
}

impl Kept for SiteSetting {
    kept!(
        "site-setting",
        "/api/console/setting",
        "setting",
        "settings"
    );
    const DESCRIPTION: Description = site::SETTING;

    fn new_id() -> String {
        "main".to_owned()
    }
}

impl Kept for Level {
    kept!("level", "/api/console/levels", "level", "levels");
    const DESCRIPTION: Description = site::LEVEL;
    const CODES: Option<&'static str> = Some("level-code");

    fn code(&self) -> Option<&str> {
        Some(&self.code)
    }
}
