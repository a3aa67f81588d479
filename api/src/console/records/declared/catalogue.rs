//! Products and the category tree.

use super::UNITS;
use crate::console::records::schema::{
    Choice, Descriptor, Field, FieldType, Filter, ResourceSchema, STAFF, choice,
};

const TYPES: &[Choice] = &[
    choice("NORMAL_PRODUCT", "일반 상품"),
    choice("VARIETY_BUNDLE", "선택 세트"),
    choice("PRODUCT_BUNDLE", "고정 세트"),
];

const OPTION_SORTS: &[Choice] = &[choice("COLOR", "색상"), choice("OTHER", "기타")];

const OPTION: &[Field] = &[
    Field::text("_id", "옵션 번호").read_only(),
    Field::of("hexa", "색상 코드", FieldType::Color),
    Field::text("name", "옵션명").required(),
    Field::text("value", "옵션값").required(),
    Field::amount("price", "추가 금액").required(),
    Field::boolean("enabled", "판매").required(),
];

const PART: &[Field] = &[
    Field::reference("_product", "상품", "product").required(),
    // of the product: no kind of its own
    Field::of("_option", "옵션", FieldType::Reference),
    Field::integer("quantity", "수량").required().least(1),
];

const COUNT: &[Field] = &[
    Field::text("_stock", "재고 번호").read_only(),
    Field::integer("available", "재고").read_only(),
    Field::integer("sells", "판매 수량").read_only(),
];

/// A product.
pub const PRODUCT: ResourceSchema = ResourceSchema {
    search: &["name", "code"],
    sorts: &["createdAt", "updatedAt", "name", "code", "price", "index"],
    filters: &[
        Filter::boolean("shows"),
        Filter::one_of("type", TYPES),
        Filter::reference("categories", "category"),
        Filter::reference("brand", "brand"),
        Filter::reference("_seller", "seller"),
        Filter::range("price"),
        Filter::period("createdAt"),
    ],
    grows: true,
    ..ResourceSchema::of(&[
        Field::text("code", "상품코드").required(),
        Field::text("name", "상품명").required(),
        Field::one_of("type", "상품 유형", TYPES),
        Field::reference("_seller", "판매자", "seller").required(),
        Field::amount("price", "정가").required(),
        Field::one_of("discount.unit", "할인 방식", UNITS),
        Field::worth("discount.value", "할인 값", "discount.unit"),
        Field::amount("discount.limit", "최대 할인 금액"),
        Field::amount("salePrice", "판매가").read_only(),
        Field::percent("discountRate", "할인율").read_only(),
        Field::boolean("optionsConf.enabled", "옵션 사용"),
        Field::one_of("optionsConf.sort", "옵션 종류", OPTION_SORTS),
        Field::tags("optionsConf.criteria", "옵션 기준"),
        Field::list("options", "옵션", OPTION),
        Field::list("bundleds", "세트 구성", PART),
        Field::text("bundleFault", "세트 판매 상태").read_only(),
        Field::references("categories", "카테고리", "category"),
        Field::reference("brand", "브랜드", "brand"),
        Field::text("desc", "간단 설명").letters(1_000),
        Field::html("content", "상세 설명"),
        Field::image("thumb", "대표 이미지"),
        Field::of("images", "추가 이미지", FieldType::Images),
        Field::boolean("shows", "노출").required(),
        Field::integer("index", "노출 순서"),
        Field::tags("hashtags", "해시태그"),
        Field::tags("flags", "표시"),
        Field::tags("groups", "모음"),
        Field::references("relateds", "관련 상품", "product"),
        Field::text("relatedGroupCode", "관련 상품 묶음"),
        Field::text("size", "크기"),
        Field::text("origin", "원산지"),
        Field::text("manufacturer", "제조사"),
        Field::reference("_shipping", "배송 그룹", "shipping").own(),
        Field::text("seo.title", "메타 제목"),
        Field::text("seo.meta.author", "메타 작성자"),
        Field::text("seo.meta.description", "메타 설명").letters(1_000),
        Field::text("seo.meta.keywords", "메타 키워드").letters(1_000),
        Field::list("stock", "재고", COUNT).read_only(),
    ])
};

/// A brand.
pub const BRAND: ResourceSchema = ResourceSchema {
    search: &["name", "nameEn", "code"],
    sorts: &["index", "name", "code", "createdAt", "updatedAt"],
    default_sort: "-index",
    filters: &[
        Filter::boolean("shows"),
        Filter::reference("categories", "category"),
        Filter::period("createdAt"),
    ],
    ..ResourceSchema::of(&[
        Field::text("code", "브랜드 코드").required().letters(50),
        Field::text("name", "브랜드명").required(),
        Field::text("nameEn", "영문명"),
        Field::text("initial", "초성").letters(1),
        Field::image("label", "로고"),
        Field::longtext("desc", "소개"),
        Field::references("categories", "카테고리", "category"),
        Field::integer("index", "노출 순서"),
        Field::boolean("shows", "노출"),
    ])
};

/// An entry of the category tree: the tree has its own calls.
pub fn category() -> Descriptor {
    Descriptor {
        name: "category",
        path: "/api/console/shop/categories",
        one: "category",
        many: "categories",
        title: "카테고리",
        scopes: STAFF,
        ledger: false,
        tree: true,
        search: &[],
        sorts: &[],
        default_sort: "",
        filters: &[],
        fields: vec![
            Field::text("code", "카테고리 코드").required(),
            Field::text("name", "카테고리명").required(),
        ],
        actions: &[],
        staff_only: &[],
    }
}
