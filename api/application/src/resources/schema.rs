//! What a kind of record is, said once: the console builds its lists, forms, filters, exports and imports from it.
//!
//! A kind declares a [`ResourceSchema`] (see [`super::kinds`]). The declared names are the only ones that ever become part of a
//! query.

use serde::Serialize;
use utoipa::ToSchema;

/// What a kind says about itself.
#[derive(Clone, Copy, Debug)]
pub struct ResourceSchema {
    /// The fields a search looks into.
    pub search: &'static [&'static str],
    /// The fields it can be sorted by.
    pub sorts: &'static [&'static str],
    /// The usual order.
    pub default_sort: &'static str,
    /// What it can be narrowed by.
    pub filters: &'static [Filter],
    /// Its fields; what every record has besides comes on top.
    pub fields: &'static [Field],
    /// What can be done with it.
    pub actions: &'static [Action],
    /// So many are expected that lists need indexes of their own.
    pub grows: bool,
}

impl ResourceSchema {
    /// A kind with these fields, newest first, that can do everything.
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

    /// The paths of its fields of HTML; `items.*.content` for every row of a list.
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

    /// The field of this name, also one every record has.
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

/// What can be done with the records of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ResourceAction)]
pub enum Action {
    /// Make one.
    Create,
    /// Change one.
    Update,
    /// Mark one as removed.
    Delete,
    /// Bring an earlier document back.
    Restore,
    /// Take the list along as a table.
    Export,
    /// Make and change many from a table.
    Import,
    /// Change or remove many at once.
    Bulk,
}

impl Action {
    /// All of them.
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

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum FieldType {
    /// A line of text.
    Text,
    /// Several lines.
    Longtext,
    /// Formatted text.
    Html,
    /// A whole number.
    Integer,
    /// Hundredths.
    Amount,
    /// A whole percent, 0 to 100.
    Percent,
    /// Yes or no.
    Boolean,
    /// A day.
    Date,
    /// A moment.
    Datetime,
    /// One of `values`.
    Enum,
    /// A picture: `{ url, alt }`.
    Image,
    /// Pictures.
    Images,
    /// The address of a file.
    File,
    /// The id or code of a record of `resource`.
    Reference,
    /// Ids or codes.
    References,
    /// Rows with the fields of `of`.
    List,
    /// Words.
    Tags,
    /// Whole numbers.
    Numbers,
    /// `#rrggbb`.
    Color,
    /// An address.
    Url,
    /// A point on the map: `{ latitude, longitude }`.
    Point,
    /// Anything else.
    Json,
}

/// One of the values of an enum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FieldChoice {
    /// On the wire.
    pub value: &'static str,
    /// What people call it.
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
    /// What people call it.
    pub label: &'static str,
    /// What it holds.
    #[serde(rename = "type")]
    pub holds: FieldType,
    /// It may not be empty.
    pub required: bool,
    /// Nobody types it.
    pub read_only: bool,
    /// Scopes that may look at it only.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub read_only_for: &'static [&'static str],
    /// The most it may be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<i64>,
    /// The least it may be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<i64>,
    /// The most letters: of a picture of what it shows, of words of each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u32>,
    /// The values of an enum; of a text, what it usually is: any other stays possible.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub values: &'static [FieldChoice],
    /// What it refers to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource: Option<&'static str>,
    /// It refers to what the record's own seller has, and to nobody else's.
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

/// Letters of an address at most.
pub const ADDRESS_MOST: u32 = 500;

impl FieldType {
    /// The most letters of what people write in it, unless the field says otherwise; none: nobody writes, or what is written is
    /// read as something else.
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
    /// A field that holds this.
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

    /// Money or a whole percentage, as the field `unit` says.
    pub const fn worth(name: &'static str, label: &'static str, unit: &'static str) -> Self {
        let mut field = Self::integer(name, label).least(0);
        field.unit = Some(unit);
        field
    }

    /// A line of text.
    pub const fn text(name: &'static str, label: &'static str) -> Self {
        Self::of(name, label, FieldType::Text)
    }

    /// Several lines.
    pub const fn longtext(name: &'static str, label: &'static str) -> Self {
        Self::of(name, label, FieldType::Longtext)
    }

    /// Formatted text.
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

    /// A moment.
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

    /// Words.
    pub const fn tags(name: &'static str, label: &'static str) -> Self {
        Self::of(name, label, FieldType::Tags)
    }

    /// Rows with these fields.
    pub const fn list(name: &'static str, label: &'static str, of: &'static [Field]) -> Self {
        let mut field = Self::of(name, label, FieldType::List);
        field.of = of;
        field
    }

    /// It may not be empty.
    #[must_use]
    pub const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// It refers to what the record's own seller has.
    #[must_use]
    pub const fn own(mut self) -> Self {
        self.own = true;
        self
    }

    /// Nobody types it.
    #[must_use]
    pub const fn read_only(mut self) -> Self {
        self.read_only = true;
        self
    }

    /// The least it may be.
    #[must_use]
    pub const fn least(mut self, least: i64) -> Self {
        self.min = Some(least);
        self
    }

    /// The most it may be.
    #[must_use]
    pub const fn most(mut self, most: i64) -> Self {
        self.max = Some(most);
        self
    }

    /// Of a text, what it usually is, by name.
    #[must_use]
    pub const fn named(mut self, values: &'static [FieldChoice]) -> Self {
        self.values = values;
        self
    }

    /// The most letters.
    #[must_use]
    pub const fn letters(mut self, most: u32) -> Self {
        self.max_length = Some(most);
        self
    }
}

/// How a list can be narrowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum FilterType {
    /// `name=value`, one of `values`.
    Enum,
    /// `name=true` or `name=false`.
    Boolean,
    /// `nameFrom`, `nameTo`: moments, or Seoul days (the last one included).
    Period,
    /// `nameMin`, `nameMax`: whole numbers, both included.
    Range,
    /// `name=id`, the id or code of a record of `resource`.
    Reference,
}

/// One thing a list can be narrowed by. Its name is a field's.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Filter {
    /// The field.
    pub name: &'static str,
    /// How.
    #[serde(rename = "type")]
    pub by: FilterType,
    /// What an enum can be.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub values: &'static [FieldChoice],
    /// What a reference refers to.
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

    /// One of these.
    pub const fn one_of(name: &'static str, values: &'static [FieldChoice]) -> Self {
        let mut filter = Self::by(name, FilterType::Enum);
        filter.values = values;
        filter
    }

    /// Yes or no.
    pub const fn boolean(name: &'static str) -> Self {
        Self::by(name, FilterType::Boolean)
    }

    /// From and to.
    pub const fn period(name: &'static str) -> Self {
        Self::by(name, FilterType::Period)
    }

    /// At least and at most.
    pub const fn range(name: &'static str) -> Self {
        Self::by(name, FilterType::Range)
    }

    /// With this one of `resource`.
    pub const fn reference(name: &'static str, resource: &'static str) -> Self {
        let mut filter = Self::by(name, FilterType::Reference);
        filter.resource = Some(resource);
        filter
    }

    /// What it is called in a query.
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
