//! Builder methods of settings structs.

/// Defines a method `with_FIELD` for each field of a settings struct, which replaces that field.
/// Optional fields take a value or an `Option`.
macro_rules! builders {
    ($settings:ident $(<$dimension:ident>)? {
        $($(#[$document:meta])* $method:ident($field:ident: $value:ty),)+
    }) => {
        impl $(<const $dimension: usize>)? $settings $(<$dimension>)? {
            $(
                $(#[$document])*
                #[must_use]
                pub fn $method(mut self, $field: $value) -> Self {
                    self.$field = $field.into();
                    self
                }
            )+
        }
    };
}

pub(crate) use builders;
