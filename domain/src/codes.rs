//! Enums whose values are the specification's codes.

/// Defines such an enum.
macro_rules! codes {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $code:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, Hash, ::serde::Serialize, ::serde::Deserialize,
        )]
        pub enum $name { $($(#[$vdoc])* #[serde(rename = $code)] $variant),+ }

        impl $name {
            /// All values, in the specification's order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The specification's code.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$variant => $code),+ }
            }

            /// The value with this code.
            pub fn from_code(code: &str) -> Option<Self> {
                match code { $($code => Some(Self::$variant),)+ _ => None }
            }
        }

        // Implemented by hand: a derived schema would list the variant names instead of the codes used on the wire.
        impl ::utoipa::PartialSchema for $name {
            fn schema() -> ::utoipa::openapi::RefOr<::utoipa::openapi::Schema> {
                ::utoipa::openapi::ObjectBuilder::new()
                    .schema_type(::utoipa::openapi::schema::Type::String)
                    .enum_values(Some(Self::ALL.iter().map(|one| one.code())))
                    .into()
            }
        }

        impl ::utoipa::ToSchema for $name {}
    };
}

pub(crate) use codes;
