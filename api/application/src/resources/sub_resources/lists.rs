//! Lists of elements: parsed from declared parameters only, as lists of records are.

use domain::ids::StockId;
use domain::record::Document;
use domain::validation::FieldError;
use projections::record_elements::{
    ElementColumn, ElementListQuery, ElementOrder, ElementRow, elements, index,
};
use projections::stock::stock;
use projections::{ListPage, Page};
use serde_json::json;

use super::declared::SUB_RESOURCES;
use super::{INDEX, Identity, SELLER, STOCK, SubResource, VERSION, is_id};
use crate::access::RowScope;
use crate::app::App;
use crate::error::{AppError, AppResult, Code};
use crate::resources::element_ids::{ID, text};
use crate::resources::list_query::{SEARCH, SORT, last, refused};
use crate::resources::load::moment;
use crate::resources::schema::{FieldType, FilterType};

/// Query parameters besides filters.
const BESIDE: [&str; 5] = [SEARCH, SORT, SELLER, "skip", "limit"];

/// Creates the indexes for the lists of elements; false while a read model has no tables.
///
/// # Errors
/// Database errors.
pub async fn create_element_indexes(app: &App) -> AppResult<bool> {
    for part in SUB_RESOURCES {
        if !index(app.pool(), part.resource()?.source, part.list).await? {
            return Ok(false);
        }
    }
    Ok(true)
}

impl SubResource {
    /// The elements of a list query, within these rows.
    ///
    /// # Errors
    /// `access_denied`, `invalid_query`.
    pub async fn list(
        &self,
        app: &App,
        rows: RowScope,
        pairs: &[(String, String)],
        page: Page,
    ) -> AppResult<ListPage<Document>> {
        let Some(query) = self.list_query(rows, pairs)? else {
            return Ok(ListPage {
                total_count: 0,
                rows: Vec::new(),
            });
        };
        let found = elements(app.pool(), &query, page).await?;
        let shown = found.rows.into_iter().map(|row| self.listed(row));
        let mut rows: Vec<Document> = shown.collect::<AppResult<_>>()?;
        if self.counted {
            add_stock(app, &mut rows).await?;
        }
        Ok(ListPage {
            total_count: found.total_count,
            rows,
        })
    }

    fn listed(&self, row: ElementRow) -> AppResult<Document> {
        let ElementRow {
            owner,
            element,
            place,
        } = row;
        let mut label = owner.data;
        label.insert(VERSION.to_owned(), json!(owner.version));
        label.insert("createdAt".to_owned(), json!(moment(owner.created_at)?));
        label.insert("updatedAt".to_owned(), json!(moment(owner.updated_at)?));
        Ok(self.shown(&owner.id, element, place.saturating_sub(1), &label))
    }

    /// The list query of a request; none if it matches nothing.
    fn list_query(
        &self,
        rows: RowScope,
        pairs: &[(String, String)],
    ) -> AppResult<Option<ElementListQuery>> {
        let resource = self.resource()?;
        let rows = resource.may_see(rows)?;
        let named = |name: &str| {
            let mut filters = self.filters.iter();
            filters.find(|filter| self.on_wire(filter.name) == name)
        };
        let known = |name: &str| {
            BESIDE.contains(&name) || name == self.owner_field || named(name).is_some()
        };
        let unknown = pairs.iter().filter(|(name, _)| !known(name));
        let unknown: Vec<FieldError> = unknown
            .map(|(name, _)| FieldError::new(name, "unknown_filter", "알 수 없는 조회 조건입니다."))
            .collect();
        if !unknown.is_empty() {
            return Err(AppError::new(Code::InvalidQuery).with_fields(unknown));
        }
        let owner = last(pairs, self.owner_field).map(str::to_owned);
        let seller = match (rows.seller(), last(pairs, SELLER)) {
            (Some(seller), _) => Some(seller),
            (None, None) => None,
            (None, Some(seller)) => match seller.parse() {
                Ok(seller) => Some(seller),
                Err(_) => return Ok(None),
            },
        };
        if owner.as_deref().is_some_and(|owner| is_id(owner).is_err()) {
            return Ok(None);
        }
        let mut tests = Vec::new();
        for (name, value) in pairs {
            let value = value.trim();
            let Some(filter) = named(name).filter(|_| !value.is_empty()) else {
                continue;
            };
            let fits = match filter.by {
                FilterType::Boolean => value.parse::<bool>().is_ok(),
                FilterType::Enum => filter.values.iter().any(|one| one.value == value),
                _ => true,
            };
            if !fits {
                return Err(refused(name, "type", "형식이 올바르지 않습니다."));
            }
            tests.push((self.column(filter.name)?, value.to_owned()));
        }
        let search = match last(pairs, SEARCH) {
            Some(text) => {
                let columns = self.search.iter().map(|name| self.column(name));
                Some((columns.collect::<AppResult<_>>()?, text.to_owned()))
            }
            None => None,
        };
        let sort = last(pairs, SORT).unwrap_or("-createdAt");
        let (sort, descending) = match sort.strip_prefix('-') {
            Some(sort) => (sort, true),
            None => (sort, false),
        };
        let order = match sort {
            "createdAt" => ElementOrder::Created,
            "updatedAt" => ElementOrder::Updated,
            _ if owner.is_none() => {
                // All elements of the shop would have to be read and sorted.
                let message = "한 대상 안에서만 이 기준으로 정렬할 수 있습니다.";
                return Err(refused(SORT, "needs_owner", message));
            }
            INDEX => ElementOrder::Place,
            name => match self.sorts.iter().find(|known| **known == name) {
                Some(name) => ElementOrder::By(self.column(name)?),
                None => return Err(refused(SORT, "unknown_sort", "알 수 없는 정렬 기준입니다.")),
            },
        };
        Ok(Some(ElementListQuery {
            source: resource.source,
            list: self.list,
            owner,
            seller,
            search,
            tests,
            order,
            descending,
        }))
    }

    /// The column of a field of the elements, by its name in the document.
    fn column(&self, name: &'static str) -> AppResult<ElementColumn> {
        if matches!(self.identity, Identity::Text(_)) {
            return Ok(ElementColumn::Itself);
        }
        let list = self.resource()?.schema.field(self.list);
        let mut fields = list.into_iter().flat_map(|list| list.of);
        let field = fields.find(|field| field.name == name);
        Ok(match field.map(|field| field.holds) {
            Some(
                FieldType::Boolean | FieldType::Amount | FieldType::Integer | FieldType::Percent,
            ) => ElementColumn::Value(name),
            _ => ElementColumn::Text(name),
        })
    }

    /// All query parameters of its list.
    pub fn parameters(&self) -> Vec<String> {
        let filters = self.filters.iter().map(|filter| self.on_wire(filter.name));
        [SEARCH, SORT, SELLER, self.owner_field]
            .into_iter()
            .chain(filters)
            .map(str::to_owned)
            .collect()
    }
}

/// Adds the stock of goods.
async fn add_stock(app: &App, elements: &mut [Document]) -> AppResult<()> {
    let id = |element: &Document| -> Option<StockId> {
        let id = text(element, ID)?;
        id.split_once('.')?.1.parse().ok()
    };
    let ids: Vec<StockId> = elements.iter().filter_map(id).collect();
    let counted = stock(app.pool(), &ids).await?;
    for element in elements {
        let pile = id(element).and_then(|id| counted.iter().find(|pile| pile.id == id));
        let available = pile.map(|pile| pile.available);
        element.insert(STOCK.to_owned(), json!(available));
    }
    Ok(())
}
