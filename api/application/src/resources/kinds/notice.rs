//! Announcements of the customer centre.

use domain::center::Notice;

use super::super::schema::{Field, FieldChoice, FieldType, Filter, ResourceSchema, choice};
use super::super::{AdminResource, ConsoleRecord, admin_resource};
use super::{ENABLED, ENDED_AT, HAS_PERIOD, STARTED_AT};

/// What an announcement is about, as in `domain::center::NoticeCategory`.
const CATEGORIES: &[FieldChoice] = &[
    choice("GENERAL", "안내"),
    choice("EVENT", "이벤트"),
    choice("DELIVERY", "배송"),
    choice("SERVICE", "서비스"),
];

impl ConsoleRecord for Notice {
    const RESOURCE: AdminResource = AdminResource {
        schema: ResourceSchema {
            search: &["name", "content"],
            filters: &[
                Filter::one_of("category", CATEGORIES),
                Filter::boolean("pinned"),
                Filter::boolean("display.enabled"),
                Filter::period("display.startedAt"),
                Filter::period("display.endedAt"),
                Filter::period("createdAt"),
            ],
            ..ResourceSchema::of(&[
                Field::text("name", "제목").required(),
                Field::one_of("category", "분류", CATEGORIES).required(),
                Field::html("content", "내용").required(),
                Field::list(
                    "files",
                    "첨부파일",
                    &[
                        Field::text("name", "이름"),
                        Field::of("url", "파일", FieldType::File).required(),
                    ],
                ),
                Field::boolean("pinned", "상단 고정"),
                ENABLED,
                HAS_PERIOD,
                STARTED_AT,
                ENDED_AT,
            ])
        },
        ..admin_resource!(
            Notice: "notice" at "/api/console/center/notifications", "notification", "notifications"
        )
    };
}
