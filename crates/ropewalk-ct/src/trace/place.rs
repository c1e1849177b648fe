//! Where an address is, in words.

use std::{env, fs};

use object::{Object, ObjectSymbol};

/// The function, or the file that was loaded there.
pub(super) fn of(address: u64) -> String {
    named(address).unwrap_or_else(|| format!("{address:#x}"))
}

fn named(address: u64) -> Option<String> {
    let maps = fs::read_to_string("/proc/self/maps").ok()?;
    let program = env::current_exe().ok()?;
    let program = program.to_str()?;
    let file_of = |line: &str| {
        let (range, rest) = line.split_once(' ')?;
        let (from, to) = range.split_once('-')?;
        let hex = |digits| u64::from_str_radix(digits, 16).ok();
        let name = rest.split_whitespace().nth(4).unwrap_or("no file");
        Some((hex(from)?, hex(to)?, name.to_owned()))
    };
    let maps: Vec<_> = maps.lines().filter_map(file_of).collect();
    let (_, _, file) = maps.iter().find(|(from, to, _)| (*from..*to).contains(&address))?;
    // The first of its mappings is where its address 0 is.
    let (base, ..) = maps.iter().find(|(.., name)| name == file)?;
    let offset = address - base;
    if file != program {
        return Some(format!("{file} + {offset:#x}"));
    }
    let bytes = fs::read(program).ok()?;
    let object = object::File::parse(&*bytes).ok()?;
    let symbols =
        object.symbols().filter(|symbol| symbol.address() <= offset && symbol.is_definition());
    let symbol = symbols.max_by_key(ObjectSymbol::address)?;
    let name = rustc_demangle::demangle(symbol.name().ok()?);
    Some(format!("{name:#} + {:#x}, {offset:#x} in the program", offset - symbol.address()))
}
