//! The schema of a kind of record: the console builds its lists, forms, filters, exports and imports from it.
//!
//! A kind declares a [`ResourceSchema`]. The declared names are the only ones that ever become part of a
//! query.

use serde::Serialize;
use utoipa::ToSchema;

/// The schema of a kind.
#[derive(Clone, Copy, Debug)]
pub struct ResourceSchema {
    /// The fields that a search covers.
    pub search: &'static [&'static str],
    /// The fields it can be sorted by.
    pub sorts: &'static [&'static str],
    /// The default sort order.
    pub default_sort: &'static str,
    /// The filters.
    pub filters: &'static [Filter],
    /// Its fields, without those that every record has.
    pub fields: &'static [Field],
    /// The supported actions.
    pub actions: &'static [Action],
    /// Whether so many records are expected that its lists need indexes of their own.
    pub grows: bool,
}

impl ResourceSchema {
    /// A kind with these fields, newest first, with all actions.
    pub const fn of(fields: &'static [Field]) -> Self {
        Self {
            search: &["name"],
            sorts: &["createdAt", "updatedAt", "name"],
            default_sort: "-createdAt",
            filters: &[],
            fields,
            actions: &Action::ALL,
            grows: false,
        }
    }

    /// The paths of its HTML fields; `items.*.content` for every row of a list.
    pub fn html(&self) -> Vec<String> {
        fn among(fields: &[Field], before: &str, found: &mut Vec<String>) {
            for field in fields {
                let path = format!("{before}{}", field.name);
                if field.holds == FieldType::Html {
                    found.push(path.clone());
                }
                among(field.of, &format!("{path}.*."), found);
            }
        }
        let mut found = Vec::new();
        among(self.fields, "", &mut found);
        found
    }

    /// The field with this name, also one that every record has.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields
            .iter()
            .chain(EVERYWHERE)
            .find(|field| field.name == name)
    }
}

/// Fields every record has besides its own.
pub const EVERYWHERE: &[Field] = &[
    Field::of("createdAt", "등록일", FieldType::Datetime).read_only(),
    Field::of("updatedAt", "수정일", FieldType::Datetime).read_only(),
];

/// An action on the records of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ResourceAction)]
pub enum Action {
    /// Create a record.
    Create,
    /// Change a record.
    Update,
    /// Mark a record as removed.
    Delete,
    /// Restore an earlier document.
    Restore,
    /// Export the list as a table.
    Export,
    /// Create and change records from a table.
    Import,
    /// Change or remove many records at once.
    Bulk,
}

impl Action {
    /// All actions.
    pub const ALL: [Self; 7] = [
        Self::Create,
        Self::Update,
        Self::Delete,
        Self::Restore,
        Self::Export,
        Self::Import,
        Self::Bulk,
    ];
}

/// Type of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum FieldType {
    /// Single-line text.
    Text,
    /// Multi-line text.
    Longtext,
    /// Formatted text (HTML).
    Html,
    /// A whole number.
    Integer,
    /// An amount in hundredths.
    Amount,
    /// A whole percent, 0 to 100.
    Percent,
    /// Yes or no.
    Boolean,
    /// A day.
    Date,
    /// A timestamp.
    Datetime,
    /// One of `values`.
    Enum,
    /// A picture: `{ url, alt }`.
    Image,
    /// Pictures.
    Images,
    /// The URL of a file.
    File,
    /// The id or code of a record of `resource`.
    Reference,
    /// Ids or codes.
    References,
    /// Rows with the fields of `of`.
    List,
    /// A list of words.
    Tags,
    /// Whole numbers.
    Numbers,
    /// `#rrggbb`.
    Color,
    /// A URL.
    Url,
    /// Coordinates: `{ latitude, longitude }`.
    Point,
    /// Anything else.
    Json,
}

/// One of the values of an enum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FieldChoice {
    /// Value on the wire.
    pub value: &'static str,
    /// Label for users.
    pub label: &'static str,
}

/// A choice: `choice("PC", "PC")`.
pub const fn choice(value: &'static str, label: &'static str) -> FieldChoice {
    FieldChoice { value, label }
}

/// One field of a record.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Field {
    /// Its path, e.g. `display.enabled`.
    pub name: &'static str,
    /// Label for users.
    pub label: &'static str,
    /// Its type.
    #[serde(rename = "type")]
    pub holds: FieldType,
    /// Whether it is required.
    pub required: bool,
    /// Whether it is read-only for everyone.
    pub read_only: bool,
    /// Scopes that can only read it.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub read_only_for: &'static [&'static str],
    /// Maximum value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<i64>,
    /// Minimum value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<i64>,
    /// Maximum length in characters: of a picture's alternative text, of each of a list of words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u32>,
    /// The values of an enum; for a text, suggested values: others are allowed.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub values: &'static [FieldChoice],
    /// The kind of record it refers to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource: Option<&'static str>,
    /// Whether it can refer only to records of the record's own seller.
    #[serde(skip)]
    pub own: bool,
    /// The fields of a row of a list.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    #[schema(no_recursion)]
    pub of: &'static [Field],
    /// The field that says whether it is money (`AMOUNT`) or a percentage.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<&'static str>,
}

/// Maximum length of an address in characters.
pub const ADDRESS_MOST: u32 = 500;

impl FieldType {
    /// Maximum length in characters of a text in it, unless the field has its own; none for types without text, or whose text is parsed.
    const fn letters(self) -> Option<u32> {
        match self {
            Self::Text | Self::Tags => Some(100),
            Self::Image | Self::Images => Some(200),
            Self::Url => Some(ADDRESS_MOST),
            Self::Longtext => Some(1_000),
            Self::Html => Some(50_000),
            _ => None,
        }
    }
}

impl Field {
    /// A field of this type.
    pub const fn of(name: &'static str, label: &'static str, holds: FieldType) -> Self {
        Self {
            name,
            label,
            holds,
            required: false,
            read_only: false,
            read_only_for: &[],
            max: None,
            min: None,
            max_length: holds.letters(),
            values: &[],
            resource: None,
            own: false,
            of: &[],
            unit: None,
        }
    }

    /// Money or a whole percentage, depending on the field `unit`.
    pub const fn worth(name: &'static str, label: &'static str, unit: &'static str) -> Self {
        let mut field = Self::integer(name, label).least(0);
        field.unit = Some(unit);
        field
    }

    /// Single-line text.
    pub const fn text(name: &'static str, label: &'static str) -> Self {
        Self::of(name, label, FieldType::Text)
    }

    /// Multi-line text.
    pub const fn longtext(name: &'static str, label: &'static str) -> Self {
        Self::of(name, label, FieldType::Longtext)
    }

    /// Formatted text (HTML).
    pub const fn html(name: &'static str, label: &'static str) -> Self {
        Self::of(name, label, FieldType::Html)
    }

    /// A whole number.
    pub const fn integer(name: &'static str, label: &'static str) -> Self {
        Self::of(name, label, FieldType::Integer)
    }

    /// Hundredths, zero or more.
    pub const fn amount(name: &'static str, label: &'static str) -> Self {
        Self::of(name, label, FieldType::Amount).least(0)
    }

    /// A whole percent, 0 to 100.
    pub const fn percent(name: &'static str, label: &'static str) -> Self {
        Self::of(name, label, FieldType::Percent).least(0).most(100)
    }

    /// Yes or no.
    pub const fn boolean(name: &'static str, label: &'static str) -> Self {
        Self::of(name, label, FieldType::Boolean)
    }

    /// A day.
    pub const fn date(name: &'static str, label: &'static str) -> Self {
        Self::of(name, label, FieldType::Date)
    }

    /// A timestamp.
    pub const fn datetime(name: &'static str, label: &'static str) -> Self {
        Self::of(name, label, FieldType::Datetime)
    }

    /// One of these.
    pub const fn one_of(
        name: &'static str,
        label: &'static str,
        values: &'static [FieldChoice],
    ) -> Self {
        let mut field = Self::of(name, label, FieldType::Enum);
        field.values = values;
        field
    }

    /// A picture.
    pub const fn image(name: &'static str, label: &'static str) -> Self {
        Self::of(name, label, FieldType::Image)
    }

    /// The id or code of a record of `resource`.
    pub const fn reference(
        name: &'static str,
        label: &'static str,
        resource: &'static str,
    ) -> Self {
        let mut field = Self::of(name, label, FieldType::Reference);
        field.resource = Some(resource);
        field
    }

    /// Ids or codes of records of `resource`.
    pub const fn references(
        name: &'static str,
        label: &'static str,
        resource: &'static str,
    ) -> Self {
        let mut field = Self::of(name, label, FieldType::References);
        field.resource = Some(resource);
        field
    }

    /// A list of words.
    pub const fn tags(name: &'static str, label: &'static str) -> Self {
        Self::of(name, label, FieldType::Tags)
    }

    /// Rows with these fields.
    pub const fn list(name: &'static str, label: &'static str, of: &'static [Field]) -> Self {
        let mut field = Self::of(name, label, FieldType::List);
        field.of = of;
        field
    }

    /// Makes it required.
    #[must_use]
    pub const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// Restricts it to records of the record's own seller.
    #[must_use]
    pub const fn own(mut self) -> Self {
        self.own = true;
        self
    }

    /// Makes it read-only.
    #[must_use]
    pub const fn read_only(mut self) -> Self {
        self.read_only = true;
        self
    }

    /// Sets the minimum value.
    #[must_use]
    pub const fn least(mut self, least: i64) -> Self {
        self.min = Some(least);
        self
    }

    /// Sets the maximum value.
    #[must_use]
    pub const fn most(mut self, most: i64) -> Self {
        self.max = Some(most);
        self
    }

    /// Sets the suggested values of a text.
    #[must_use]
    pub const fn named(mut self, values: &'static [FieldChoice]) -> Self {
        self.values = values;
        self
    }

    /// Sets the maximum length.
    #[must_use]
    pub const fn letters(mut self, most: u32) -> Self {
        self.max_length = Some(most);
        self
    }
}

/// Type of a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum FilterType {
    /// `name=value`, one of `values`.
    Enum,
    /// `name=true` or `name=false`.
    Boolean,
    /// `nameFrom`, `nameTo`: timestamps, or days in Seoul (the last one included).
    Period,
    /// `nameMin`, `nameMax`: whole numbers, both included.
    Range,
    /// `name=id`, the id or code of a record of `resource`.
    Reference,
}

/// A filter of a list, named after its field.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Filter {
    /// The field.
    pub name: &'static str,
    /// Its type.
    #[serde(rename = "type")]
    pub by: FilterType,
    /// The values of an enum.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub values: &'static [FieldChoice],
    /// The kind of record of a reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource: Option<&'static str>,
}

impl Filter {
    const fn by(name: &'static str, by: FilterType) -> Self {
        Self {
            name,
            by,
            values: &[],
            resource: None,
        }
    }

    /// Filter by one of these values.
    pub const fn one_of(name: &'static str, values: &'static [FieldChoice]) -> Self {
        let mut filter = Self::by(name, FilterType::Enum);
        filter.values = values;
        filter
    }

    /// Filter by yes or no.
    pub const fn boolean(name: &'static str) -> Self {
        Self::by(name, FilterType::Boolean)
    }

    /// Filter by a period.
    pub const fn period(name: &'static str) -> Self {
        Self::by(name, FilterType::Period)
    }

    /// Filter by a range.
    pub const fn range(name: &'static str) -> Self {
        Self::by(name, FilterType::Range)
    }

    /// Filter by a record of `resource`.
    pub const fn reference(name: &'static str, resource: &'static str) -> Self {
        let mut filter = Self::by(name, FilterType::Reference);
        filter.resource = Some(resource);
        filter
    }

    /// Its query parameters.
    pub fn parameters(&self) -> Vec<String> {
        let ends: &[&str] = match self.by {
            FilterType::Enum | FilterType::Boolean | FilterType::Reference => &[""],
            FilterType::Period => &["From", "To"],
            FilterType::Range => &["Min", "Max"],
        };
        ends.iter()
            .map(|end| format!("{}{end}", self.name))
            .collect()
    }
}
