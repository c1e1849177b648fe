//! nginx with one worker on the first core, and on the second a client: of OpenSSL's own provider, of the provider that the
//! server has, and of ropewalk, for which alone the server is always what ends it. Two servers are up side by side, one for
//! either side, and asked by turns: what a neighbour costs at a time, both have.

use std::{
    collections::BTreeMap,
    fs,
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use serde_json::json;

use super::{
    Run, certificate,
    openssls::{Cores, SIDES, Side},
};
use crate::{
    external::{
        openssl_tests::built::Built,
        quantile::{median, quantile},
    },
    process::{self, SOON, program},
    tools::{
        Cache, Way,
        apt::{Apt, Sources},
        first, must_be_installed,
    },
};

const SUITES: [&str; 3] =
    ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"];

/// Debian's suites, whose nginx is built where there is none for an OpenSSL; the newest that can be fetched.
const DEBIAN: [&str; 3] = ["sid", "trixie", "bookworm"];

/// Each suite, printed and kept as JSON.
pub(super) fn each(run: &mut Run<'_>) -> Result<()> {
    let Run { root, module, openssl, effort, wanted, ref mut kept } = *run;
    let folder = tempfile::tempdir()?;
    let mut installed = None;
    for suite in SUITES {
        let row = format!("nginx {suite}");
        if !wanted(&row) {
            continue;
        }
        if installed.is_none() {
            must_be_installed(&["nginx", "wrk", "curl"])?;
            certificate(folder.path())?;
            fs::write(folder.path().join("large"), vec![b'r'; LARGE])?;
            fs::write(folder.path().join("small"), [b'r'; 1024])?;
            installed = Some(match &openssl.built {
                None => "nginx".into(),
                Some(built) => built_with(root, built)?.display().to_string(),
            });
        }
        let nginx = installed.as_deref().context("it is there")?;
        let (mut pairs, mut shares) = (Pairs::default(), Vec::new());
        for round in 0..effort.rounds {
            // Two processes of the same program differ for as long as they live, by the addresses of their
            // memory.
            let mut servers = BTreeMap::new();
            for side in in_turn(round) {
                let command = openssl.command(module, side, Cores::All, nginx);
                servers.insert(side, Server::start(command, folder.path(), side, suite)?);
            }
            for turn in 0..TURNS {
                pairs.measure(turn, |side| {
                    let got = servers[&side].download(client("curl"))?;
                    Ok([
                        ("MB/s of a large file", got.rate),
                        ("MB of it in a second of the worker", got.of_worker),
                    ])
                })?;
                let curl = |of: Side| {
                    let mut curl = openssl.command(module, of, Cores::Second, "curl");
                    if openssl.built.is_some() {
                        // curl is Debian's, and so is the OpenSSL that it has.
                        curl.env_remove("LD_LIBRARY_PATH").env_remove("OPENSSL_MODULES");
                    }
                    curl
                };
                pairs.measure(turn, |side| {
                    let got = servers[&side].download(curl(side))?;
                    Ok([("MB/s of it, curl as the server", got.rate)])
                })?;
                // The same client for either server, and one that does not end it: what is told apart is the server.
                pairs.measure(turn, |side| {
                    let got = servers[&side].download(curl(Side::Ropewalk))?;
                    Ok([("MB/s of it, a curl that has ropewalk", got.rate)])
                })?;
                for (what, stay) in
                    [("requests/s of 1 KiB", true), ("handshakes/s with 1 KiB", false)]
                {
                    pairs.measure(turn, |side| {
                        Ok([(what, servers[&side].requests(effort.seconds, stay)?)])
                    })?;
                }
            }
            shares = SIDES
                .map(|side| servers[&side].share_of_crypto(folder.path()))
                .into_iter()
                .collect::<Result<_>>()?;
        }
        for (what, pairs) in &pairs.0 {
            let of = |i: usize| median(&pairs.iter().map(|pair| pair[i]).collect::<Vec<_>>());
            let ratios: Vec<_> =
                pairs.iter().map(|[default, ropewalk]| ropewalk / default).collect();
            let [low, ratio, high] = [0.25, 0.5, 0.75].map(|part| quantile(&ratios, part));
            let ([default, ropewalk], number) = ([of(0), of(1)], pairs.len());
            println!(
                "{row:34} {what:48} {ratio:.2} ({low:.2} to {high:.2} of {number}; {ropewalk:.4}, default {default:.4})"
            );
            kept.add(&json!({
                "openssl": openssl.version, "row": row, "unit": what, "default": default, "ropewalk": ropewalk,
                "pairs": number, "ratio": ratio, "quartiles": [low, high],
            }))?;
        }
        if let [Some(default), Some(ropewalk)] = shares[..] {
            let what = "share of OpenSSL and ropewalk in the large file";
            println!("{row:34} {what:48} {ropewalk:.2}, default {default:.2}");
            kept.add(&json!({
                "openssl": openssl.version, "row": row, "unit": what, "default": default, "ropewalk": ropewalk,
            }))?;
        }
    }
    Ok(())
}

/// How often each is measured in a round.
const TURNS: u32 = 5;

/// The order alternates, since the core is warmer, or slower, for the second.
fn in_turn(turn: u32) -> [Side; 2] {
    let [default, ropewalk] = SIDES;
    if turn.is_multiple_of(2) { [default, ropewalk] } else { [ropewalk, default] }
}

/// What was measured of both, one after the other: by OpenSSL's own provider and by ropewalk.
#[derive(Default)]
struct Pairs(BTreeMap<&'static str, Vec<[f64; 2]>>);

impl Pairs {
    /// One more of each.
    fn measure<const N: usize>(
        &mut self,
        turn: u32,
        of: impl Fn(Side) -> Result<[(&'static str, f64); N]>,
    ) -> Result<()> {
        let mut both = BTreeMap::new();
        for side in in_turn(turn) {
            both.insert(side, of(side)?);
        }
        for ((what, default), (_, ropewalk)) in
            both[&Side::Default].iter().zip(&both[&Side::Ropewalk])
        {
            self.0.entry(what).or_default().push([*default, *ropewalk]);
        }
        Ok(())
    }
}

/// Bytes of the large file, and how often it is fetched over one connection.
const LARGE: usize = 100 << 20;
const TIMES: usize = 5;

/// MB a second, as curl says, and of what the worker ran.
struct Download {
    rate: f64,
    of_worker: f64,
}

/// A server that goes with this.
struct Server {
    child: Child,
    port: u16,
}

impl Drop for Server {
    fn drop(&mut self) {
        // Its worker ends with it only where it is asked to.
        _ = process::output(program("kill").arg(self.child.id().to_string()), SOON);
        _ = self.child.wait();
    }
}

impl Server {
    /// One that has what it writes in a folder of its own below that of the files.
    fn start(mut command: Command, files: &Path, side: Side, suite: &str) -> Result<Self> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let at = &files.join(side.name());
        fs::create_dir_all(at)?;
        let (folder, files) = (at.display(), files.display());
        let configuration = format!(
            "daemon off;\nmaster_process on;\nworker_processes 1;\nworker_cpu_affinity 01;\nuser root;\n\
             pid {folder}/pid;\nerror_log {folder}/error.log;\nevents {{ worker_connections 1024; }}\nhttp {{\n \
             access_log off;\n sendfile off;\n output_buffers 2 512k;\n keepalive_requests 1000000;\n \
             ssl_buffer_size 16k;\n server {{\n  listen 127.0.0.1:{port} ssl;\n  ssl_certificate {files}/cert.pem;\n  \
             ssl_certificate_key {files}/key.pem;\n  ssl_protocols TLSv1.3;\n  ssl_conf_command Ciphersuites {suite};\n  \
             root {files};\n }}\n}}\n"
        );
        let file = at.join("nginx.conf");
        fs::write(&file, configuration)?;
        // Where one that was built puts what it needs for a moment.
        command.arg("-p").arg(at).arg("-c").arg(&file).arg("-e").arg(at.join("error.log"));
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut server = Self { child: command.spawn().context("cannot start nginx")?, port };
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            let waits = server.child.try_wait()?.is_none() && begun.elapsed() < SOON;
            ensure!(
                waits,
                "nginx does not listen: {}",
                fs::read_to_string(at.join("error.log")).unwrap_or_default()
            );
            thread::sleep(Duration::from_millis(50));
        }
        Ok(server)
    }

    /// A file of 100 MiB to one client, some times over one connection.
    fn download(&self, mut curl: Command) -> Result<Download> {
        let before = self.worker_seconds()?;
        self.fetch(&mut curl, TIMES);
        let times = process::output(
            curl.args(["--write-out", "%{time_total}\n"]),
            Duration::from_secs(120),
        )?;
        let seconds = self.worker_seconds()? - before;
        let times: Vec<f64> = times.lines().filter_map(|line| line.parse().ok()).collect();
        ensure!(times.len() == TIMES, "curl has fetched {} files of {TIMES}", times.len());
        let megabytes = (TIMES * LARGE) as f64 / 1e6;
        Ok(Download { rate: megabytes / times.iter().sum::<f64>(), of_worker: megabytes / seconds })
    }

    /// Tells curl what to fetch.
    fn fetch(&self, curl: &mut Command, times: usize) {
        curl.args(["--insecure", "--silent", "--show-error"]);
        for _ in 0..times {
            curl.arg(format!("https://localhost:{}/large", self.port));
            curl.args(["--output", "/dev/null"]);
        }
    }

    fn worker(&self) -> Result<String> {
        let mut children = program("pgrep");
        children.args(["--parent", &self.child.id().to_string()]);
        let children = process::output(&mut children, SOON)?;
        Ok(children.split_whitespace().next().context("nginx has no worker")?.to_owned())
    }

    /// How long the worker has run on a core.
    fn worker_seconds(&self) -> Result<f64> {
        let text = fs::read_to_string(format!("/proc/{}/schedstat", self.worker()?))?;
        let nanoseconds: f64 = text.split(' ').next().unwrap_or_default().parse()?;
        Ok(nanoseconds / 1e9)
    }

    /// Requests a second of a file of 1 KiB, over connections that stay or are new for each.
    fn requests(&self, seconds: u32, stay: bool) -> Result<f64> {
        let mut wrk = client("wrk");
        wrk.args(["--threads", "1", "--connections", "8", "--duration", &format!("{seconds}s")]);
        if !stay {
            wrk.args(["--header", "Connection: close"]);
        }
        wrk.arg(format!("https://127.0.0.1:{}/small", self.port));
        let said = process::output(&mut wrk, Duration::from_secs(300))?;
        let line = said.lines().find_map(|line| line.trim().strip_prefix("Requests/sec:"));
        Ok(line.context("wrk says nothing of requests")?.trim().parse()?)
    }

    /// The share of its time that the worker spends in libcrypto and in our module while it serves the large file: where
    /// there is a program that can tell.
    fn share_of_crypto(&self, at: &Path) -> Result<Option<f64>> {
        if process::output(program("perf").arg("--version"), SOON).is_err() {
            return Ok(None);
        }
        let samples = at.join("samples");
        let mut perf = program("perf");
        perf.args(["record", "--quiet", "--event", "cpu-clock", "--freq", "2999"]);
        perf.args(["--pid", &self.worker()?, "--output"]).arg(&samples).arg("--");
        let mut curl = client("curl");
        self.fetch(&mut curl, TIMES);
        perf.arg(curl.get_program()).args(curl.get_args()).env("OPENSSL_CONF", "/dev/null");
        process::output(&mut perf, Duration::from_secs(120))?;
        let mut report = program("perf");
        report.args(["report", "--quiet", "--stdio", "--sort", "dso", "--input"]).arg(&samples);
        let said = process::output(&mut report, SOON)?;
        let ours = ["libcrypto.so", "ropewalk.so"];
        let shares = said.lines().filter_map(|line| {
            let (share, object) = line.trim().split_once("%")?;
            let is = ours.iter().any(|name| object.trim().starts_with(name));
            is.then(|| share.trim().parse::<f64>().ok()).flatten()
        });
        Ok(Some(shares.sum::<f64>() / 100.0))
    }
}

fn client(name: &str) -> Command {
    let mut command = program("taskset");
    command.args(["-c", "1", name]).env("OPENSSL_CONF", "/dev/null");
    command
}

/// nginx, built with an OpenSSL that Debian has none for.
fn built_with(root: &Path, openssl: &Built) -> Result<PathBuf> {
    let cache = Cache::at(root.join("target/outside"))?;
    let (cache, name) = (&cache, format!("nginx-{}", openssl.version));
    let ways = DEBIAN.map(|suite| {
        let name = name.clone();
        Way::new(suite, move || {
            let open = |folder: &Path| {
                let nginx = folder.join("nginx");
                let mut asked = program(&nginx);
                asked.arg("-v").env("LD_LIBRARY_PATH", &openssl.libraries);
                process::output(&mut asked, SOON).map(|_| nginx)
            };
            cache.built(&name, |folder| fill(folder, suite, openssl), open)
        })
    });
    first("nginx", ways, "no suite of Debian's has sources of it that can be fetched")
}

fn fill(folder: &Path, suite: &str, openssl: &Built) -> Result<()> {
    const LIMIT: Duration = Duration::from_secs(900);
    let source = Apt::new(folder, &Sources::ToBuild(suite), &[])?.source("nginx", folder)?;
    let mut configure = program("sh");
    configure.args(["./configure", "--with-http_ssl_module"]);
    configure.args(["--without-http_rewrite_module", "--without-http_gzip_module"]);
    // What it does with answers of OCSP looks into structures that OpenSSL 4 hides.
    configure.arg(format!(
        "--with-cc-opt=-O2 -I{} -DOPENSSL_NO_OCSP -Wno-error",
        openssl.headers.display()
    ));
    configure.arg(format!("--with-ld-opt=-L{}", openssl.libraries.display()));
    process::output(configure.current_dir(&source), LIMIT)?;
    process::output(program("make").arg("-j2").current_dir(&source), LIMIT)?;
    fs::rename(source.join("objs/nginx"), folder.join("nginx"))?;
    fs::remove_dir_all(folder.join("sources"))?;
    fs::remove_dir_all(folder.join("apt")).map_err(Into::into)
}
