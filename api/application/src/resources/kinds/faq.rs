//! Frequently asked questions of the customer centre.

use domain::center::Faq;

use super::super::schema::{Field, FieldChoice, Filter, ResourceSchema, choice};
use super::super::{AdminResource, ConsoleRecord, admin_resource};

/// What a question is about, as in `domain::center::Topic`.
pub(super) const TOPICS: &[FieldChoice] = &[
    choice("ORDER", "주문·결제"),
    choice("DELIVERY", "배송"),
    choice("CLAIM", "취소·교환·반품"),
    choice("BENEFIT", "쿠폰·적립금"),
    choice("MEMBER", "회원"),
    choice("OTHER", "기타"),
];

impl ConsoleRecord for Faq {
    const RESOURCE: AdminResource = AdminResource {
        schema: ResourceSchema {
            search: &["name", "reply"],
            sorts: &["index", "name", "createdAt", "updatedAt"],
            default_sort: "-index",
            filters: &[
                Filter::one_of("category", TOPICS),
                Filter::boolean("shows"),
                Filter::period("createdAt"),
            ],
            ..ResourceSchema::of(&[
                Field::one_of("category", "분류", TOPICS).required(),
                Field::text("name", "질문").required().letters(1_000),
                Field::html("reply", "답변").required(),
                Field::integer("index", "순서"),
                Field::boolean("shows", "노출"),
            ])
        },
        ..admin_resource!(Faq: "faq" at "/api/console/center/faqs", "faq", "faqs")
    };
}
