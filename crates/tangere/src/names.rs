//! Names of enum values, as text for options and messages.

/// Defines `ALL`, `name`, `Display` and `FromStr` of an enum, from its values and their names in
/// the order in which help lists them. `FromStr` rejects an unknown name with an error about the
/// argument.
macro_rules! names {
    ($type:ident, $argument:ident { $($value:ident = $name:literal,)+ }) => {
        impl $type {
            /// All values, in the order in which help lists them.
            pub const ALL: [$type; [$($name),+].len()] = [$($type::$value),+];

            /// Returns the name of the enum value.
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$value => $name,)+
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::error::Error;

            fn from_str(text: &str) -> $crate::error::Result<Self> {
                let found = $type::ALL.into_iter().find(|one| one.name() == text);
                found.ok_or_else(|| {
                    $crate::error::Error::argument(
                        $crate::error::Argument::$argument,
                        format!("{text:?}"),
                        concat!("one of ", $crate::names::joined!($($name),+)),
                    )
                })
            }
        }
    };
}

/// Joins the names of enum values with commas.
macro_rules! joined {
    ($first:literal $(, $next:literal)*) => {
        concat!($first $(, ", ", $next)*)
    };
}

pub(crate) use {joined, names};
