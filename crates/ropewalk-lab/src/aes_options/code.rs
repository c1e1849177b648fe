//! Bytes of machine code of an option, by the symbols of the running program.

use std::{env, fs, path::Path};

use anyhow::{Context, Result, ensure};
use object::{Object, ObjectSymbol, SymbolKind};
use procfs::process::{MMapPath, Process};

use super::ciphers::Code;

/// The functions of the running program.
pub struct Functions(Vec<Function>);

struct Function {
    /// As the linker has it.
    name: String,
    address: u64,
    size: u64,
}

impl Functions {
    /// Reads the program's file.
    ///
    /// # Errors
    /// If it cannot be read, or has no symbols.
    pub fn read() -> Result<Self> {
        let program = env::current_exe().context("the program's file")?;
        let bytes = fs::read(&program).context("the program's file")?;
        let object = object::File::parse(&*bytes).context("the program's file")?;
        let base = base(&program)?;
        let function = |symbol: object::Symbol<'_, '_>| {
            Some(Function {
                name: symbol.name().ok()?.to_owned(),
                address: base.wrapping_add(symbol.address()),
                size: symbol.size(),
            })
        };
        let symbols = object.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text);
        let functions: Vec<_> = symbols.filter_map(function).collect();
        ensure!(!functions.is_empty(), "the program has no symbols");
        Ok(Self(functions))
    }

    /// The code of an option. What it calls, such as `memcpy`, is not in it.
    pub fn bytes(&self, code: Code) -> Option<u64> {
        let sizes = match code {
            Code::At(addresses) => addresses()
                .iter()
                .map(|address| Some(self.at(*address as u64)?.size))
                .collect::<Option<Vec<_>>>()?,
            Code::Of(backend) => {
                let of_backend = self.0.iter().filter(|function| function.is_of(backend));
                of_backend.map(|function| function.size).collect()
            }
        };
        Some(sizes.iter().sum()).filter(|sum| *sum > 0)
    }

    fn at(&self, address: u64) -> Option<&Function> {
        self.0.iter().find(|function| function.address == address)
    }
}

impl Function {
    /// Whether it is in the module of a backend.
    fn is_of(&self, backend: &str) -> bool {
        // Demangling takes longer, and leaves identifiers as they are.
        let has_name = backend.split('/').all(|part| self.name.contains(part));
        let module = || format!("{}::", backend.replace('/', "::"));
        has_name && format!("{:#}", rustc_demangle::demangle(&self.name)).contains(&module())
    }
}

/// What is added to the addresses of the file.
fn base(program: &Path) -> Result<u64> {
    let maps =
        Process::myself().and_then(|process| process.maps()).context("the program's memory")?;
    let of_program = maps.into_iter().find(|map| match &map.pathname {
        MMapPath::Path(path) => path == program && map.offset == 0,
        _ => false,
    });
    Ok(of_program.context("the program's memory")?.address.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aes_options::ciphers::OPTIONS;

    #[test]
    fn every_option_has_code_in_this_program() {
        let functions = Functions::read().unwrap();
        for option in OPTIONS {
            let bytes = functions.bytes(option.code);
            assert!(bytes.is_some_and(|bytes| bytes > 100), "{}: {bytes:?}", option.name);
        }
    }
}
