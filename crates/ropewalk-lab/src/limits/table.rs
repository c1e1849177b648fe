//! One list of an architecture's instructions defines its rates, and the probes that measure them.

/// Defines a struct with one rate a line, on every target, and its `measure`, which returns none on another
/// architecture. A line has the features that the instructions need and the arguments of `probe!`, which is
/// specific to the architecture.
macro_rules! rates {
    (
        $(#[$doc:meta])*
        $Rates:ident on $arch:tt {
            $( $(#[doc = $says:literal])+ $name:ident: [$($feature:tt)*] $shape:ident $($ops:literal)+; )+
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(default)]
        pub struct $Rates {
            $(
                $(#[doc = $says])+
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $name: Option<f64>,
            )+
        }

        impl $Rates {
            /// All rates, in the order of the list.
            pub(super) fn each(&self) -> Vec<$crate::limits::Rate> {
                vec![
                    $( $crate::limits::Rate {
                        name: stringify!($name),
                        says: concat!($($says),+),
                        cycles: self.$name,
                    }, )+
                ]
            }

            /// The same, mutably.
            pub(super) fn each_mut(&mut self) -> Vec<&mut Option<f64>> {
                vec![$(&mut self.$name,)+]
            }

            #[cfg(target_arch = $arch)]
            pub(super) fn measure(quiet: Option<f64>) -> Option<Self> {
                let probes = [
                    $( (true $(&& has!($arch, $feature))*).then(|| probe!($shape $($ops)+)), )+
                ];
                let [$($name),+] = super::sampling::cycles(&probes, quiet)?;
                Some(Self { $($name),+ })
            }

            #[cfg(not(target_arch = $arch))]
            pub(super) fn measure(_quiet: Option<f64>) -> Option<Self> {
                None
            }
        }
    };
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! has {
    ("x86_64", $feature:tt) => {
        std::arch::is_x86_feature_detected!($feature)
    };
    ("aarch64", $feature:tt) => {
        std::arch::is_aarch64_feature_detected!($feature)
    };
}
