//! The functions of the C library and the rows of messages that they take, as the header has them.

use std::sync::OnceLock;

use regex::Regex;

pub(super) const TEXT: &str = include_str!("../../../../ropewalk-c/include/ropewalk.h");

/// What is declared.
pub(crate) struct Header {
    pub(crate) functions: Vec<Function>,
    rows: Vec<Row>,
    objects: Vec<Object>,
}

#[derive(Debug)]
pub(crate) struct Function {
    /// Without what each name begins with.
    pub(crate) name: String,
    pub(crate) returns: Returns,
    pub(crate) parameters: Vec<Parameter>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Returns {
    Status,
    Number,
    Words,
    Nothing,
}

#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// Whether what it points to is written.
    pub(crate) written: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Bytes, as many as another parameter says.
    Bytes,
    /// A number of bytes or messages.
    Size,
    U32,
    U64,
    /// The number of an algorithm: `hash`, `mac`, `aead` or `cipher`; or of a form: `key_form` or `rsa_padding`.
    Algorithm(String),
    /// Room for such a number, or for a length.
    Room(usize),
    /// A string that ends with a zero.
    Words,
    Error,
    /// A key or a state.
    Object(String),
    /// Messages.
    Rows(String),
}

/// One of many messages.
pub(crate) struct Row {
    name: String,
    pub(crate) members: Vec<Parameter>,
}

impl Row {
    /// Where each member lies, and how many bytes it has; and the bytes of a message.
    pub(crate) fn layout(&self) -> (Vec<(usize, usize)>, usize) {
        let mut end = 0_usize;
        let place = |member: &Parameter| {
            let len = if matches!(member.kind, Kind::U32 | Kind::Algorithm(_)) { 4 } else { 8 };
            let at = end.next_multiple_of(len);
            end = at + len;
            (at, len)
        };
        let places = self.members.iter().map(place).collect();
        (places, end.next_multiple_of(8))
    }
}

struct Object {
    name: String,
    words: usize,
}

impl Header {
    /// That of this tree.
    pub(crate) fn get() -> &'static Self {
        static HEADER: OnceLock<Header> = OnceLock::new();
        HEADER.get_or_init(|| Self::parse(TEXT))
    }

    fn parse(text: &str) -> Self {
        let text = regex(r"(?s)/\*.*?\*/|//[^\n]*").replace_all(text, "");
        let sizes: Vec<(String, usize)> = regex(r"#define ROPEWALK_(\w+)_WORDS (\d+)")
            .captures_iter(&text)
            .map(|found| (found[1].to_lowercase(), found[2].parse().expect("digits")))
            .collect();
        let mut header = Self { functions: Vec::new(), rows: Vec::new(), objects: Vec::new() };
        header.objects.extend(sizes.into_iter().map(|(name, words)| Object { name, words }));
        for found in regex(r"(?s)typedef struct ropewalk_(\w+) \{(.*?)\}").captures_iter(&text) {
            let (name, members) = (found[1].to_owned(), &found[2]);
            if name != "error" && !members.contains('[') {
                let members = members.split(';').filter(|member| !member.trim().is_empty());
                let members = members.map(|member| header.parameter(member)).collect();
                header.rows.push(Row { name, members });
            }
        }
        for found in
            regex(r"(?m)^(\w[\w ]*?[ *]+)ropewalk_(\w+)\(([^;{]*?)\);").captures_iter(&text)
        {
            let parameters = found[3].split(',').filter(|parameter| parameter.trim() != "void");
            header.functions.push(Function {
                name: found[2].to_owned(),
                returns: returns(found[1].trim()),
                parameters: parameters.map(|parameter| header.parameter(parameter)).collect(),
            });
        }
        header
    }

    /// A parameter of a function or a member of a message.
    fn parameter(&self, text: &str) -> Parameter {
        let found = regex(r"(?s)^(.*?)(\w+)$").captures(text.trim()).expect("a type and a name");
        let kind = found[1].split_whitespace().collect::<Vec<_>>().join(" ");
        let plain = kind.replace("const ", "").replace("struct ", "");
        let is_object = |name: &str| self.objects.iter().any(|object| object.name == name);
        let parsed = match plain.as_str() {
            "void *" => Kind::Bytes,
            // What is written into it ends with a zero too, and has a length.
            "char *" if !kind.contains("const") => Kind::Bytes,
            "char *" => Kind::Words,
            "size_t" => Kind::Size,
            "size_t *" => Kind::Room(8),
            "uint32_t" => Kind::U32,
            "uint64_t" => Kind::U64,
            "uint64_t *" => Kind::Room(8),
            "ropewalk_error *" => Kind::Error,
            other => match other.strip_prefix("ropewalk_").expect("a type of this header") {
                "hash *" | "mac *" | "aead *" | "cipher *" => Kind::Room(4),
                number @ ("hash" | "mac" | "aead" | "cipher" | "key_form" | "rsa_padding") => {
                    Kind::Algorithm(number.into())
                }
                pointer => {
                    let name = pointer.strip_suffix(" *").expect("a pointer");
                    match is_object(name) {
                        true => Kind::Object(name.into()),
                        false => Kind::Rows(name.into()),
                    }
                }
            },
        };
        Parameter { name: found[2].to_owned(), kind: parsed, written: !kind.contains("const") }
    }

    pub(crate) fn function(&self, name: &str) -> &Function {
        let found = self.functions.iter().find(|function| function.name == name);
        found.unwrap_or_else(|| panic!("the header has no {name}"))
    }

    pub(crate) fn row(&self, name: &str) -> &Row {
        let found = self.rows.iter().find(|row| row.name == name);
        found.unwrap_or_else(|| panic!("the header has no {name}"))
    }

    /// Kinds of keys and states, and the bytes of each.
    pub(crate) fn objects(&self) -> impl Iterator<Item = (&str, usize)> {
        self.objects.iter().map(|object| (object.name.as_str(), 8 * object.words))
    }
}

fn returns(text: &str) -> Returns {
    match text {
        "ropewalk_status" => Returns::Status,
        "size_t" | "uint32_t" => Returns::Number,
        "const char *" => Returns::Words,
        "void" => Returns::Nothing,
        other => panic!("{other} is returned"),
    }
}

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern")
}
