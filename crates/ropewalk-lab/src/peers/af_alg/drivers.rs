//! The drivers of an algorithm, according to `/proc/crypto`.

/// The drivers of an algorithm that a program can request, in the order of their priorities: the kernel uses
/// the first.
pub(super) fn of(list: &str, kind: &str, name: &str) -> Vec<String> {
    let mut drivers: Vec<_> = list
        .split("\n\n")
        .filter(|entry| field(entry, "name") == Some(name))
        .filter(|entry| field(entry, "type").is_some_and(|of| serves(of, kind)))
        .filter(|entry| field(entry, "internal") != Some("yes"))
        .filter(|entry| field(entry, "selftest") == Some("passed"))
        .filter_map(|entry| {
            let priority: i64 = field(entry, "priority")?.parse().ok()?;
            Some((priority, field(entry, "driver")?))
        })
        .filter(|(_, driver)| driver.len() <= LONGEST_NAME)
        .collect();
    drivers.sort_by_key(|(priority, _)| -priority);
    drivers.into_iter().map(|(_, driver)| driver.to_owned()).collect()
}

/// The length of a name in an address.
const LONGEST_NAME: usize = 63;

/// Whether an entry of that type serves sockets of the other type.
fn serves(entry: &str, kind: &str) -> bool {
    match kind {
        "hash" => matches!(entry, "shash" | "ahash"),
        "skcipher" => matches!(entry, "skcipher" | "lskcipher"),
        kind => entry == kind,
    }
}

/// `name         : ctr(aes)`.
fn field<'a>(entry: &'a str, name: &str) -> Option<&'a str> {
    let mut fields = entry.lines().filter_map(|line| line.split_once(':'));
    fields.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str, driver: &str, priority: i32, kind: &str, internal: &str) -> String {
        format!(
            "name         : {name}\ndriver       : {driver}\nmodule       : kernel\n\
             priority     : {priority}\nrefcnt       : 1\nselftest     : passed\n\
             internal     : {internal}\ntype         : {kind}\n"
        )
    }

    #[test]
    fn the_first_is_what_the_kernel_takes() {
        let list = [
            entry("gcm(aes)", "generic-gcm-aesni-avx", 440, "aead", "no"),
            entry("ctr(aes)", "ctr(aes-generic)", 100, "skcipher", "no"),
            entry("ctr(aes)", "ctr-aes-aesni", 400, "skcipher", "no"),
            entry("ctr(aes)", "__ctr-aes-aesni", 400, "skcipher", "yes"),
            entry("ctr(aes)", "untested", 900, "skcipher", "no").replace("passed", "unknown"),
            entry("ctr(aes)", &"long".repeat(16), 800, "skcipher", "no"),
            entry("sha256", "sha256-ni", 250, "shash", "no"),
            entry("sha256", "sha256-engine", 300, "ahash", "no"),
            entry("ecb(arc4)", "arc4-generic", 100, "lskcipher", "no"),
        ]
        .join("\n");
        assert_eq!(of(&list, "skcipher", "ctr(aes)"), ["ctr-aes-aesni", "ctr(aes-generic)"]);
        assert_eq!(of(&list, "hash", "sha256"), ["sha256-engine", "sha256-ni"]);
        assert_eq!(of(&list, "aead", "gcm(aes)"), ["generic-gcm-aesni-avx"]);
        assert_eq!(of(&list, "skcipher", "ecb(arc4)"), ["arc4-generic"]);
        assert_eq!(of(&list, "skcipher", "gcm(aes)"), [""; 0]);
        assert_eq!(of("", "hash", "sha256"), [""; 0]);
    }
}
