//! `cargo xtask outside`: what benchmarks that are not ours say of the OpenSSL provider: `openssl speed` of every row it
//! serves, and nginx under `wrk` and `curl`, each with OpenSSL's own provider and with ours in turn.

use std::{
    collections::BTreeMap,
    fs,
    io::Write as _,
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};
use serde_json::json;

use crate::process::{self, SOON, must_answer, program};

/// What `openssl speed` is asked for: its option, and the name.
const ROWS: &[(&str, &str)] = &[
    ("-evp", "aes-128-gcm"),
    ("-evp", "aes-256-gcm"),
    ("-evp", "chacha20-poly1305"),
    ("-evp", "aes-128-ccm"),
    ("-evp", "aes-128-ctr"),
    ("-evp", "aes-256-ctr"),
    ("-evp", "chacha20"),
    ("-evp", "aes-128-xts"),
    ("-evp", "aes-256-xts"),
    ("-evp", "aes-128-cbc"),
    ("-evp", "aes-256-cbc"),
    ("-decrypt", "aes-128-cbc"),
    ("-decrypt", "aes-256-cbc"),
    ("-evp", "aes-128-ecb"),
    ("-aead", "aes-128-gcm"),
    ("-aead", "aes-256-gcm"),
    ("-aead", "chacha20-poly1305"),
    ("-mb", "aes-128-cbc-hmac-sha1"),
    ("-mb", "aes-128-cbc-hmac-sha256"),
    ("-evp", "sha1"),
    ("-evp", "sha256"),
    ("-evp", "sha512"),
    ("-evp", "sha3-256"),
    ("-evp", "shake128"),
    ("-evp", "md5"),
    ("-hmac", "sha256"),
    ("-hmac", "sha1"),
    ("-cmac", "aes-128-cbc"),
];

/// How often each is measured by either side, in turn; the best counts, as a neighbour only ever costs.
const ROUNDS: usize = 3;

/// Who serves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Default,
    Ropewalk,
}

const SIDES: [Side; 2] = [Side::Default, Side::Ropewalk];

impl Side {
    fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Ropewalk => "ropewalk",
        }
    }
}

/// A folder with the module and its configuration.
struct Module {
    folder: tempfile::TempDir,
}

impl Module {
    fn build(root: &Path) -> Result<Self> {
        let mut cargo = process::cargo();
        cargo.args(["build", "--release", "--package", "ropewalk-openssl"]).current_dir(root);
        let files = process::files(&mut cargo)?;
        let is =
            |path: &&PathBuf| path.file_name().is_some_and(|name| name == "libropewalk_openssl.so");
        let built = files.iter().find(is).context("cargo has made no module")?;
        let folder = tempfile::tempdir()?;
        let module = folder.path().join("ropewalk.so");
        fs::copy(built, &module)?;
        let text = format!(
            "openssl_conf = begin\n[begin]\nproviders = providers\nalg_section = algorithms\n[providers]\n\
             default = beside\nropewalk = module\n[beside]\nactivate = 1\n[module]\nmodule = {}\nactivate = 1\n\
             [algorithms]\ndefault_properties = ?provider=ropewalk\n",
            module.display()
        );
        fs::write(folder.path().join("openssl.cnf"), text)?;
        Ok(Self { folder })
    }

    /// A program that a side serves.
    fn command(&self, side: Side, name: &str) -> Command {
        let mut command = program(name);
        match side {
            Side::Default => command.env("OPENSSL_CONF", "/dev/null"),
            Side::Ropewalk => command.env("OPENSSL_CONF", self.folder.path().join("openssl.cnf")),
        };
        command.env_remove("ROPEWALK_STATS").env_remove("ROPEWALK_CPU");
        command
    }
}

/// Measures all of it, and prints a table; into `keep` goes what was measured, one JSON object a line.
///
/// # Errors
/// Where a program is missing or fails.
pub fn run(root: &Path, seconds: u32, only: &[String], keep: Option<&Path>) -> Result<()> {
    if let Some(file) = keep {
        ensure!(!file.exists(), "{} is there already", file.display());
    }
    must_answer("openssl", program("openssl").arg("version"))?;
    let module = Module::build(root)?;
    let version = process::output(module.command(Side::Default, "openssl").arg("version"), SOON)?;
    let processor = processor();
    println!("{}, {processor}", version.trim());
    let mut lines = vec![json!({"openssl": version.trim(), "processor": processor})];
    let wanted =
        |name: &str| only.is_empty() || only.iter().any(|word| name.contains(word.as_str()));

    for (option, name) in ROWS {
        let row = format!("{option} {name}");
        if !wanted(&row) {
            continue;
        }
        let mut best: BTreeMap<(Side, usize), f64> = BTreeMap::new();
        for _ in 0..ROUNDS {
            for side in SIDES {
                for (bytes, rate) in speed(&module, side, option, name, seconds)? {
                    let place = best.entry((side, bytes)).or_default();
                    *place = place.max(rate);
                }
            }
        }
        let mut text = format!("{row:32}");
        for (&(_, bytes), rate) in best.iter().filter(|((side, _), _)| *side == Side::Default) {
            let ours = best.get(&(Side::Ropewalk, bytes)).copied().unwrap_or(0.0);
            text.push_str(&format!("  {bytes}: {:.2} ({:.0} MB/s)", ours / rate, ours / 1e6));
            lines.push(json!({
                "row": row, "bytes": bytes, "default": rate, "ropewalk": ours, "unit": "bytes a second",
            }));
        }
        println!("{text}");
    }
    if wanted("nginx") {
        lines.extend(nginx(&module, seconds)?);
    }
    if let Some(file) = keep {
        let mut out = fs::File::create_new(file)?;
        lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    }
    Ok(())
}

fn processor() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line =
            info.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name));
        line.and_then(|line| Some(line.split_once(':')?.1.trim().to_owned())).unwrap_or_default()
    };
    format!("{}, family {}, model {}", field("model name"), field("cpu family"), field("model"))
}

/// Bytes a second of each length, as `openssl speed` says.
fn speed(
    module: &Module,
    side: Side,
    option: &str,
    name: &str,
    seconds: u32,
) -> Result<Vec<(usize, f64)>> {
    let mut command = module.command(side, "openssl");
    command.args(["speed", "-mr", "-seconds", &seconds.to_string()]);
    match option {
        "-decrypt" | "-aead" | "-mb" => command.args([option, "-evp", name]),
        option => command.args([option, name]),
    };
    let output = command.stderr(Stdio::piped()).output().context("cannot start openssl")?;
    let said = String::from_utf8_lossy(&output.stdout);
    // A line of lengths, and one of bytes a second.
    let numbers = |mark: &str| -> Vec<f64> {
        let lines = said.lines().filter_map(|line| line.strip_prefix(mark)).next_back();
        let fields =
            lines.map(|line| line.split(':').filter_map(|field| field.parse().ok()).collect());
        fields.unwrap_or_default()
    };
    let lengths = numbers("+H:");
    let rates = numbers("+F:");
    if lengths.is_empty() || rates.len() < lengths.len() {
        let why = String::from_utf8_lossy(&output.stderr);
        bail!(
            "openssl speed {option} {name} with {}: {}",
            side.name(),
            why.lines().last().unwrap_or("nothing")
        );
    }
    let rates = &rates[rates.len() - lengths.len()..];
    Ok(lengths.iter().map(|&length| length as usize).zip(rates.iter().copied()).collect())
}

/// A server that goes with this.
struct Server {
    child: Child,
    port: u16,
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may be gone.
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// nginx with one worker, whose requests and bytes are counted by others.
fn nginx(module: &Module, seconds: u32) -> Result<Vec<serde_json::Value>> {
    for needed in ["nginx", "wrk", "curl"] {
        must_answer(needed, program("sh").args(["-c", &format!("command -v {needed}")]))?;
    }
    let folder = tempfile::tempdir()?;
    let at = folder.path();
    let make = program("openssl")
        .args([
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
            "-days",
            "30",
        ])
        .args(["-subj", "/CN=localhost", "-keyout", "key.pem", "-out", "cert.pem"])
        .current_dir(at)
        .stderr(Stdio::null())
        .status()?;
    ensure!(make.success(), "no certificate was made");
    fs::write(at.join("large"), vec![b'r'; 100 << 20])?;
    fs::write(at.join("small"), [b'r'; 1024])?;
    let mut lines = Vec::new();
    for cipher in
        ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"]
    {
        let mut best: BTreeMap<(Side, &str), f64> = BTreeMap::new();
        for _ in 0..ROUNDS {
            for side in SIDES {
                let server = serve(module, side, at, cipher)?;
                for (what, value) in [
                    ("large file, MB/s", download(&server)?),
                    ("requests a second", requests(&server, seconds, true)?),
                    ("handshakes a second", requests(&server, seconds, false)?),
                ] {
                    let place = best.entry((side, what)).or_default();
                    *place = place.max(value);
                }
            }
        }
        for (&(_, what), theirs) in best.iter().filter(|((side, _), _)| *side == Side::Default) {
            let ours = best.get(&(Side::Ropewalk, what)).copied().unwrap_or(0.0);
            println!(
                "nginx {cipher:32} {what:22} {:.2} ({ours:.0}, default {theirs:.0})",
                ours / theirs
            );
            lines.push(json!({"row": format!("nginx {cipher}"), "what": what, "default": theirs, "ropewalk": ours}));
        }
    }
    Ok(lines)
}

fn serve(module: &Module, side: Side, at: &Path, cipher: &str) -> Result<Server> {
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let folder = at.display();
    let configuration = format!(
        "daemon off;\nmaster_process on;\nworker_processes 1;\nworker_cpu_affinity 01;\nuser root;\npid {folder}/pid;\n\
         error_log {folder}/error.log;\nevents {{ worker_connections 1024; }}\nhttp {{\n access_log off;\n \
         sendfile off;\n output_buffers 2 512k;\n keepalive_requests 1000000;\n ssl_buffer_size 16k;\n server {{\n  \
         listen 127.0.0.1:{port} ssl;\n  ssl_certificate {folder}/cert.pem;\n  ssl_certificate_key \
         {folder}/key.pem;\n  ssl_protocols TLSv1.3;\n  ssl_conf_command Ciphersuites {cipher};\n  root {folder};\n }}\n}}\n"
    );
    let file = at.join("nginx.conf");
    fs::write(&file, configuration)?;
    let mut command = module.command(side, "nginx");
    command
        .arg("-c")
        .arg(&file)
        .arg("-e")
        .arg(at.join("error.log"))
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let server = Server { child: command.spawn().context("cannot start nginx")?, port };
    let begun = Instant::now();
    while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
        ensure!(begun.elapsed() < Duration::from_secs(10), "nginx does not listen");
        thread::sleep(Duration::from_millis(50));
    }
    Ok(server)
}

/// MB a second of a file of 100 MiB, to a client that OpenSSL's own provider serves, on the other core.
fn download(server: &Server) -> Result<f64> {
    let url = format!("https://localhost:{}/large", server.port);
    let mut curl = program("taskset");
    curl.args([
        "-c",
        "1",
        "curl",
        "--insecure",
        "--silent",
        "--show-error",
        "--output",
        "/dev/null",
    ]);
    curl.args(["--write-out", "%{speed_download}", &url]).env("OPENSSL_CONF", "/dev/null");
    let rate: f64 = process::output(&mut curl, Duration::from_secs(120))?.trim().parse()?;
    Ok(rate / 1e6)
}

/// Requests a second of a file of 1 KiB, over connections that stay or are new for each.
fn requests(server: &Server, seconds: u32, stay: bool) -> Result<f64> {
    let url = format!("https://127.0.0.1:{}/small", server.port);
    let mut wrk = program("taskset");
    wrk.args([
        "-c",
        "1",
        "wrk",
        "--threads",
        "1",
        "--connections",
        "8",
        "--duration",
        &format!("{seconds}s"),
    ]);
    if !stay {
        wrk.args(["--header", "Connection: close"]);
    }
    let said =
        process::output(wrk.arg(&url).env("OPENSSL_CONF", "/dev/null"), Duration::from_secs(300))?;
    let line = said.lines().find_map(|line| line.trim().strip_prefix("Requests/sec:"));
    Ok(line.context("wrk says nothing of requests")?.trim().parse()?)
}
