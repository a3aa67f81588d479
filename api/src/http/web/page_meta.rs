//! Metadata of pages, from the read models.

mod promotions;
mod words;

use crate::http::AppResult;
use axum::http::StatusCode;
use domain::catalogue::tree::CategoryTree;
use domain::ids::ProductId;
use domain::record::Resource;
use domain::site::Currency;
use domain::storefront::exhibition::Exhibition;
use domain::storefront::shop_event::ShopEvent;
use domain::storefront::{Brand, Showroom, Terms};
use projections::categories::category_tree;
use projections::products::{self, ProductCard, ProductFilter};
use projections::{Page as Rows, records, slug_redirects};
use serde_json::json;

use self::promotions::promotion;
use self::words::WORDS;
use super::html_head::{About, FirstPicture, Link, Site, decoded, encoded};
use super::pages::{Page, known};
use super::structured_data::{breadcrumbs, collection, offer};
use crate::app::AppState;

/// Default description of the shop.
const SLOGAN: &str = "오래 타고, 오래 남는 것들. 자전거와 탈것을 만드는 사람들의 상점.";
/// Displayed width of product pictures on cards and pages: the `sizes` of the app's `ProductCard` and `Zoom`.
const CARD_SIZES: &str =
    "(width < 40rem) calc(50vw - 1.75rem), (width < 48rem) 33vw, (width < 64rem) 25vw, 18rem";
const PRODUCT_SIZES: &str = "(width < 64rem) calc(100vw - 2.5rem), 36rem";
/// Number of products linked from a page without scripts, the same as in lists.
const LISTED: i64 = 20;

/// The site, and the metadata of the page at a path; without a page, that of "not found".
pub(super) async fn page(
    app: &AppState,
    page: Option<&Page>,
    path: &str,
    query: Option<&str>,
) -> (Site, About) {
    let site = site(app).await;
    let Some(page) = page else {
        return (site, missing(path, StatusCode::NOT_FOUND));
    };
    let about = match of(app, &site, page, path, query).await {
        Ok(about) => about,
        Err(error) => {
            tracing::error!(?error, path, "a page without its data");
            About {
                status: StatusCode::SERVICE_UNAVAILABLE,
                index: false,
                ..plain(page, path)
            }
        }
    };
    (site, about)
}

async fn site(app: &AppState) -> Site {
    let short = known("/").and_then(|home| home.title.clone());
    let short = short.unwrap_or_default();
    let setting = match records::site_setting(app.pool()).await {
        Ok(setting) => setting.map(|found| found.data),
        Err(error) => {
            tracing::error!(?error, "a page without the site's setting");
            None
        }
    };
    let (name, currency) = match setting {
        Some(setting) => (setting.name, setting.currency.code),
        None => (short.clone(), Currency::default().code),
    };
    Site {
        url: app.settings.server.public_url.clone(),
        short,
        name,
        currency,
    }
}

async fn of(
    app: &AppState,
    site: &Site,
    page: &Page,
    path: &str,
    query: Option<&str>,
) -> AppResult<About> {
    let last = decoded(path.rsplit('/').next().unwrap_or_default());
    match page.path.as_str() {
        "/" => home(app, site, page).await,
        "/shop/products" => list(app, site, page, path, query).await,
        "/shop/products/:productId" => product(app, site, path, &last).await,
        "/shop/brands" => brands(app, page, path).await,
        "/shop/brands/:code" => brand(app, site, path, &last).await,
        "/shop/showrooms" => showrooms(app, page, path).await,
        "/shop/showrooms/:code" => showroom(app, site, path, &last).await,
        "/sub/event/ongoing/:eventId" | "/sub/event/ended/:eventId" => {
            promotion::<ShopEvent>(app, site, path, &last).await
        }
        "/sub/event/exhibition/:exhibitionId" => {
            promotion::<Exhibition>(app, site, path, &last).await
        }
        "/terms/:code" => terms(app, page, path, &last).await,
        _ => Ok(plain(page, path)),
    }
}

/// Metadata of a page without a record.
fn plain(page: &Page, path: &str) -> About {
    let words = WORDS.iter().find(|(about, _)| *about == page.path);
    About {
        status: StatusCode::OK,
        title: page.title.clone().unwrap_or_default(),
        description: words.map_or(SLOGAN, |(_, words)| words).to_owned(),
        picture: None,
        first: Vec::new(),
        kind: "website",
        address: path.to_owned(),
        index: page.index,
        facts: Vec::new(),
        links: front(),
    }
}

/// Metadata of a missing or removed record.
fn missing(path: &str, status: StatusCode) -> About {
    About {
        status,
        title: "페이지를 찾을 수 없습니다".to_owned(),
        description: String::new(),
        picture: None,
        first: Vec::new(),
        kind: "website",
        address: path.to_owned(),
        index: false,
        facts: Vec::new(),
        links: front(),
    }
}

/// Links to the main pages.
fn front() -> Vec<Link> {
    ["/", "/shop/products", "/shop/brands", "/shop/showrooms"]
        .into_iter()
        .filter_map(|to| {
            Some(Link {
                to: to.to_owned(),
                text: known(to)?.title.clone()?,
            })
        })
        .collect()
}

async fn home(app: &AppState, site: &Site, page: &Page) -> AppResult<About> {
    let (tree, _) = category_tree(app.pool()).await?;
    let cards = listed(app, ProductFilter::default(), 0).await?;
    let roots = tree.tree().into_iter().filter(|branch| branch.shows);
    let categories = roots.map(|branch| Link {
        to: list_of(&branch.code),
        text: branch.name,
    });
    let organisation = json!({
        "@context": "https://schema.org", "@type": "Organization",
        "name": site.name, "url": site.at("/"), "logo": site.at("/share.png"),
    });
    let search = json!({
        "@type": "SearchAction",
        "target": {
            "@type": "EntryPoint",
            "urlTemplate": site.at("/search?searchValue={search_term_string}"),
        },
        "query-input": "required name=search_term_string",
    });
    let website = json!({
        "@context": "https://schema.org", "@type": "WebSite",
        "name": site.name, "url": site.at("/"), "inLanguage": "ko", "potentialAction": search,
    });
    let plain = plain(page, "/");
    Ok(About {
        facts: vec![organisation, website],
        links: plain
            .links
            .iter()
            .cloned()
            .chain(categories)
            .chain(cards.iter().map(link))
            .collect(),
        ..plain
    })
}

/// The value of a query parameter, if present.
fn query_parameter(query: Option<&str>, name: &str) -> Option<String> {
    form_urlencoded::parse(query.unwrap_or_default().as_bytes())
        .find(|(found, value)| found == name && !value.is_empty())
        .map(|(_, value)| value.into_owned())
}

async fn list(
    app: &AppState,
    site: &Site,
    page: &Page,
    path: &str,
    query: Option<&str>,
) -> AppResult<About> {
    let (tree, _) = category_tree(app.pool()).await?;
    let requested = query_parameter(query, "category");
    let category = requested
        .as_deref()
        .and_then(|code| tree.by_code(code))
        .filter(|category| category.facts.shows);
    if requested.is_some() && category.is_none() {
        return Ok(missing(path, StatusCode::NOT_FOUND));
    }
    let number = query_parameter(query, "page").and_then(|text| text.parse::<i64>().ok());
    let number = number.unwrap_or(1).clamp(1, 10_000);
    let filter = ProductFilter {
        categories: category
            .map(|found| found.code.clone())
            .into_iter()
            .collect(),
        ..ProductFilter::default()
    };
    let cards = listed(app, filter, (number - 1) * LISTED).await?;
    let plain = plain(page, path);
    let mut address = match category {
        Some(category) => list_of(&category.code),
        None => path.to_owned(),
    };
    if number > 1 {
        let joint = if category.is_some() { '&' } else { '?' };
        address.push_str(&format!("{joint}page={number}"));
    }
    let (title, description, trail) = match category {
        Some(category) => (
            category.facts.name.clone(),
            format!("{} 상품을 장부에서 만나보세요.", category.facts.name),
            above(&tree, &category.code),
        ),
        None => (plain.title.clone(), plain.description.clone(), Vec::new()),
    };
    let own = tree.tree();
    let siblings = match category {
        Some(category) => own
            .into_iter()
            .find_map(|branch| under(branch, &category.code))
            .unwrap_or_default(),
        None => own,
    };
    let further = siblings
        .into_iter()
        .filter(|branch| branch.shows)
        .map(|branch| Link {
            to: list_of(&branch.code),
            text: branch.name,
        });
    let whole = form_urlencoded::parse(query.unwrap_or_default().as_bytes())
        .all(|(name, _)| name == "category" || name == "page");
    let picture = category.and_then(|category| category.facts.visual.url.clone());
    Ok(About {
        // Search pages are not indexed: there is one for every text.
        index: query_parameter(query, "searchValue").is_none(),
        picture: picture.or_else(|| pictured(&cards)),
        // Any other order has a different product on top.
        first: pictured(&cards)
            .filter(|_| whole)
            .map(|url| FirstPicture::of(&url, CARD_SIZES))
            .unwrap_or_default(),
        facts: vec![
            breadcrumbs(site, &trail),
            collection(site, &title, &address, &cards),
        ],
        links: plain
            .links
            .iter()
            .cloned()
            .chain(further)
            .chain(cards.iter().map(link))
            .collect(),
        title,
        description,
        address,
        ..plain
    })
}

/// Links to the direct children of a category.
fn under(
    branch: domain::catalogue::tree::Branch,
    code: &str,
) -> Option<Vec<domain::catalogue::tree::Branch>> {
    match branch.code == code {
        true => Some(branch.children),
        false => branch
            .children
            .into_iter()
            .find_map(|child| under(child, code)),
    }
}

async fn product(app: &AppState, site: &Site, path: &str, id: &str) -> AppResult<About> {
    let Ok(id) = id.parse::<ProductId>() else {
        return Ok(missing(path, StatusCode::NOT_FOUND));
    };
    let Some(product) = app.cards().await?.detail(id).await? else {
        let rows = products::product_rows(app.pool(), &[id]).await?;
        let gone = rows.iter().any(|row| row.removed);
        let status = if gone {
            StatusCode::GONE
        } else {
            StatusCode::NOT_FOUND
        };
        return Ok(missing(path, status));
    };
    let (tree, _) = category_tree(app.pool()).await?;
    let brand = match &product.card.brand {
        Some(code) => shown_brand(app, code).await?,
        None => None,
    };
    let address = path_of(id);
    let first = product.images.first().unwrap_or(&product.card.thumb);
    let mut trail = match product.card.categories.first() {
        Some(code) => above(&tree, code),
        None => Vec::new(),
    };
    trail.push(link(&product.card));
    let described = [&product.seo.meta.description, &Some(product.desc.clone())]
        .into_iter()
        .flatten()
        .find(|text| !text.trim().is_empty())
        .cloned()
        .unwrap_or_else(|| format!("{} · {}", product.card.name, SLOGAN));
    let title = product.seo.title.clone().filter(|title| !title.is_empty());
    let brand_link = brand.as_ref().map(|brand| Link {
        to: brand_at(&brand.code),
        text: brand.name.clone(),
    });
    Ok(About {
        status: StatusCode::OK,
        title: title.unwrap_or_else(|| product.card.name.clone()),
        picture: Some(product.card.thumb.url.clone()).filter(|url| !url.is_empty()),
        first: FirstPicture::of(&first.url, PRODUCT_SIZES),
        kind: "product",
        address: address.clone(),
        index: true,
        facts: vec![
            offer(site, &product, &described, brand.as_ref()),
            breadcrumbs(site, &trail),
        ],
        links: front()
            .into_iter()
            .chain(trail.into_iter().filter(|link| link.to != address))
            .chain(brand_link)
            .chain(product.relateds.iter().map(link))
            .collect(),
        description: described,
    })
}

async fn shown_brand(app: &AppState, code: &str) -> AppResult<Option<Brand>> {
    let brands = records::all::<Brand>(app.pool()).await?.into_iter();
    Ok(brands
        .map(|found| found.data)
        .find(|brand| brand.shows && brand.code == code))
}

async fn brands(app: &AppState, page: &Page, path: &str) -> AppResult<About> {
    let brands = records::all::<Brand>(app.pool()).await?.into_iter();
    let links = brands.filter(|found| found.data.shows).map(|found| Link {
        to: brand_at(&found.data.code),
        text: found.data.name,
    });
    let plain = plain(page, path);
    Ok(About {
        links: plain.links.iter().cloned().chain(links).collect(),
        ..plain
    })
}

/// Redirects an earlier code to the record's present address, if it is visible.
async fn renamed<R: Resource>(
    app: &AppState,
    path: &str,
    code: &str,
    address: impl Fn(R::Data) -> Option<String>,
) -> AppResult<About> {
    let found = match slug_redirects::had(app.pool(), R::KIND, code).await? {
        Some(id) => records::found::<R>(app.pool(), &id).await?,
        None => None,
    };
    Ok(match found.and_then(|found| address(found.data)) {
        Some(address) => About {
            address,
            ..missing(path, StatusCode::MOVED_PERMANENTLY)
        },
        None => missing(path, StatusCode::NOT_FOUND),
    })
}

fn brand_at(code: &str) -> String {
    format!("/shop/brands/{}", encoded(code))
}

fn showroom_at(code: &str) -> String {
    format!("/shop/showrooms/{}", encoded(code))
}

async fn brand(app: &AppState, site: &Site, path: &str, code: &str) -> AppResult<About> {
    let Some(brand) = shown_brand(app, code).await? else {
        let address = |brand: Brand| brand.shows.then(|| brand_at(&brand.code));
        return renamed::<Brand>(app, path, code, address).await;
    };
    let filter = ProductFilter {
        brands: vec![brand.code.clone()],
        ..ProductFilter::default()
    };
    let cards = listed(app, filter, 0).await?;
    let address = brand_at(&brand.code);
    let sign = Some(brand.label.url).filter(|url| !url.is_empty());
    let words = Some(brand.desc).filter(|desc| !desc.trim().is_empty());
    let picture = sign.or_else(|| pictured(&cards));
    let description = words.unwrap_or_else(|| format!("{} 상품을 모았습니다.", brand.name));
    Ok(gathered(
        site,
        ("/shop/brands", brand.name, description),
        address,
        picture,
        &cards,
    ))
}

async fn shown_rooms(app: &AppState) -> AppResult<impl Iterator<Item = Showroom>> {
    let rooms = records::all::<Showroom>(app.pool()).await?.into_iter();
    Ok(rooms.map(|found| found.data).filter(|room| room.shows))
}

async fn showrooms(app: &AppState, page: &Page, path: &str) -> AppResult<About> {
    let links = shown_rooms(app).await?.map(|room| Link {
        to: showroom_at(&room.code),
        text: room.name,
    });
    let plain = plain(page, path);
    Ok(About {
        links: plain.links.iter().cloned().chain(links).collect(),
        ..plain
    })
}

async fn showroom(app: &AppState, site: &Site, path: &str, code: &str) -> AppResult<About> {
    let mut rooms = records::all::<Showroom>(app.pool()).await?.into_iter();
    // The page opens by code and by id, as the API does.
    let Some(room) =
        rooms.find(|found| found.data.shows && (found.data.code == code || found.id == code))
    else {
        let address = |room: Showroom| room.shows.then(|| showroom_at(&room.code));
        return renamed::<Showroom>(app, path, code, address).await;
    };
    let room = room.data;
    let cards = app.cards().await?.shown(&room.products).await?;
    let address = showroom_at(&room.code);
    let picture = Some(room.image.url).filter(|url| !url.is_empty());
    let words = Some(room.desc).filter(|desc| !desc.trim().is_empty());
    let description = words.unwrap_or_else(|| format!("{} 쇼룸의 상품입니다.", room.name));
    Ok(gathered(
        site,
        ("/shop/showrooms", room.name, description),
        address,
        picture.or_else(|| pictured(&cards)),
        &cards,
    ))
}

/// A page of products below a parent page; `named`: the parent, its own name, its description.
fn gathered(
    site: &Site,
    named: (&str, String, String),
    address: String,
    picture: Option<String>,
    cards: &[ProductCard],
) -> About {
    let (list, title, description) = named;
    let trail = [
        Link {
            to: list.to_owned(),
            text: known(list)
                .and_then(|page| page.title.clone())
                .unwrap_or_default(),
        },
        Link {
            to: address.clone(),
            text: title.clone(),
        },
    ];
    About {
        status: StatusCode::OK,
        first: Vec::new(),
        kind: "website",
        index: true,
        facts: vec![
            breadcrumbs(site, &trail),
            collection(site, &title, &address, cards),
        ],
        links: front().into_iter().chain(cards.iter().map(link)).collect(),
        title,
        description,
        picture,
        address,
    }
}

async fn terms(app: &AppState, page: &Page, path: &str, code: &str) -> AppResult<About> {
    let editions = records::all::<Terms>(app.pool()).await?;
    let editions = editions.iter().map(|found| &found.data);
    let Some(terms) = Terms::in_force(editions, code, app.clock.now()) else {
        return Ok(missing(path, StatusCode::NOT_FOUND));
    };
    Ok(About {
        title: terms.name.clone(),
        description: format!("{} 제{}판", terms.name, terms.edition),
        ..plain(page, path)
    })
}

async fn listed(app: &AppState, filter: ProductFilter, skip: i64) -> AppResult<Vec<ProductCard>> {
    let page = Rows {
        skip,
        limit: LISTED,
    };
    Ok(app.cards().await?.page(&filter, page).await?.rows)
}

fn pictured(cards: &[ProductCard]) -> Option<String> {
    cards
        .iter()
        .map(|card| card.thumb.url.clone())
        .find(|url| !url.is_empty())
}

pub(super) fn path_of(product: ProductId) -> String {
    format!("/shop/products/{product}")
}

fn list_of(category: &str) -> String {
    format!("/shop/products?category={}", encoded(category))
}

fn link(card: &ProductCard) -> Link {
    Link {
        to: path_of(card.id),
        text: card.name.clone(),
    }
}

/// The breadcrumb from the top of the tree to a category, itself included.
fn above(tree: &CategoryTree, code: &str) -> Vec<Link> {
    let mut codes = tree.ancestors(code);
    codes.reverse();
    codes.push(code);
    codes
        .into_iter()
        .filter_map(|code| tree.by_code(code))
        .map(|category| Link {
            to: list_of(&category.code),
            text: category.facts.name.clone(),
        })
        .collect()
}
