//! The emulator of whole machines, with processors that the user-mode emulator lacks.
//!
//! Debian's build of it calls a debugger after each instruction and is twenty times slower, so it is built from
//! source.

mod disk;

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::{Read, Write},
    path::{Path, PathBuf},
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};

use super::{
    Cache, Way, apt,
    building::{keep_only, must_be_here},
    first,
};
use crate::{
    expect::Whole,
    process::{self, SOON, program},
};
pub(super) use disk::Archive;

/// Long enough for every test, on a slow machine.
const LIMIT: Duration = Duration::from_secs(3600);

/// Long enough for a build on a slow machine.
const BUILD: Duration = Duration::from_secs(1800);

/// The memory of the emulated machine. Programs and libraries are in it twice, while it starts.
const MEBIBYTES: u32 = 1024;

/// The kernel for virtual machines: it has few drivers.
const KERNEL: &str = "linux-image-cloud-amd64";

/// Files that the emulator needs from other packages, and the shell that runs first.
const PACKAGES: [&str; 3] = ["bochsbios", "vgabios", "busybox-static"];

/// Folders of these packages.
const KEPT: [(&str, &str); 4] = [
    ("usr/share/bochs", "BIOS-bochs-latest"),
    ("usr/share/vgabios", "vgabios.bin"),
    ("usr/bin", "busybox"),
    ("boot", "vmlinuz-"),
];

/// A program to run there, and a filter for its cases.
pub struct Run {
    /// Its path here.
    pub program: PathBuf,
    /// Empty for all.
    pub cases: String,
}

/// An emulator, and a system for the emulated machine.
pub struct Bochs {
    emulator: PathBuf,
    bios: PathBuf,
    vga_bios: PathBuf,
    busybox: PathBuf,
    kernel: PathBuf,
}

impl Bochs {
    /// Builds one that knows these models.
    ///
    /// # Errors
    /// [`CannotRun`](crate::stage::CannotRun) if it cannot be built, or the system cannot be fetched.
    pub fn get(root: &Path, models: &[Whole]) -> Result<Self> {
        let cache = Cache::open(root)?;
        let open = |folder: &Path| Self::open(folder, models);
        let build = || {
            for name in ["make", "c++", "as", "ld", "strip"] {
                must_be_here(name, "--version")?;
            }
            cache.tool("bochs", fill, open)
        };
        let ways = [Way::new("built from the sources of Debian's stable", build)];
        let advice = "this needs a Debian, make and a compiler of C++";
        first("emulator of whole machines", ways, advice)
    }

    fn open(folder: &Path, models: &[Whole]) -> Result<Self> {
        let at = |index: usize| {
            let name = KEPT[index].1;
            let files = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
            let files = files.collect::<Result<Vec<_>>>()?;
            let is = |path: &PathBuf| {
                path.file_name().is_some_and(|file| file.to_string_lossy().starts_with(name))
            };
            files.into_iter().find(is).with_context(|| format!("it has no {name}"))
        };
        let bochs = Self {
            emulator: folder.join("bochs"),
            bios: at(0)?,
            vga_bios: at(1)?,
            busybox: at(2)?,
            kernel: at(3)?,
        };
        // It prints the list to standard error.
        let mut help = program("sh");
        help.args(["-c", "exec \"$0\" --help cpu 2>&1"]).arg(&bochs.emulator);
        let help = process::answer(&mut help, SOON)?;
        let known: Vec<_> = help.split_whitespace().collect();
        if let Some(whole) = models.iter().find(|whole| !known.contains(&whole.model.name)) {
            bail!("it does not know {}", whole.model.name);
        }
        Ok(bochs)
    }

    /// Runs programs one after the other on a machine with such a processor, and prints their output.
    ///
    /// # Errors
    /// Fails if one of them fails or does not end, or the processor lacks a flag of the model's.
    pub fn run(&self, whole: &Whole, runs: &[Run], environment: &[(&str, String)]) -> Result<()> {
        let folder = tempfile::tempdir()?;
        let at = |name: &str| folder.path().join(name);
        let files = self.files(runs, environment)?;
        let kernel = fs::read(&self.kernel)?;
        fs::write(at("disk"), disk::image(disk::boot_sector()?, kernel, COMMAND_LINE, &files)?)?;
        fs::write(at("settings"), self.settings(whole, folder.path()))?;
        File::create(at("serial"))?;
        let mut emulator = program(&self.emulator);
        emulator.arg("-q").arg("-f").arg(at("settings")).current_dir(&folder);
        emulator.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = emulator.spawn().context("cannot start the emulator")?;
        let said = follow(&mut child, &at("serial"));
        // It must not outlive this process, even after an error.
        let _ = child.kill();
        child.wait()?;
        judge(&said?, whole, runs)
    }

    fn settings(&self, whole: &Whole, folder: &Path) -> String {
        let Self { bios, vga_bios, .. } = self;
        let [bios, vga_bios, folder] = [bios, vga_bios, folder].map(|path| path.display());
        // The clock counts instructions. A second with few of them shortens the kernel's waits for the serial port.
        format!(
            "display_library: nogui\n\
             cpu: model={}, count=1, ips=100000000, reset_on_triple_fault=0, add_features=\"{}\"\n\
             memory: guest={MEBIBYTES}, host={MEBIBYTES}\n\
             romimage: file=\"{bios}\"\n\
             vgaromimage: file=\"{vga_bios}\"\n\
             boot: disk\n\
             ata0: enabled=1, ioaddr1=0x1f0, ioaddr2=0x3f0, irq=14\n\
             ata0-master: type=disk, path=\"{folder}/disk\", mode=flat\n\
             com1: enabled=1, mode=file, dev=\"{folder}/serial\"\n\
             clock: sync=none\n\
             log: \"{folder}/log\"\n\
             panic: action=fatal\n\
             error: action=ignore\n\
             info: action=ignore\n\
             debug: action=ignore\n",
            whole.model.name, whole.added
        )
    }

    /// The programs, their libraries, and the script that starts them.
    fn files(&self, runs: &[Run], environment: &[(&str, String)]) -> Result<Vec<u8>> {
        let folder = tempfile::tempdir()?;
        let mut archive = Archive::default();
        for name in ["bin", "dev", "proc", "sys", "tmp", "tests"] {
            archive.folder(name)?;
        }
        archive.program("bin/busybox", &fs::read(&self.busybox)?)?;
        let mut libraries = Vec::new();
        let programs: BTreeSet<_> = runs.iter().map(|run| &run.program).collect();
        for path in programs {
            let small = folder.path().join("small");
            process::output(program("strip").arg("-g").arg("-o").args([&small, path]), SOON)?;
            archive.program(&format!("tests/{}", name(path)), &fs::read(&small)?)?;
            let loads = process::output(program("ldd").arg(path), SOON)?;
            libraries.extend(loads.split_whitespace().filter(is_path).map(PathBuf::from));
        }
        let tests: String = runs.iter().enumerate().map(|(n, run)| run.line(n)).collect();
        libraries.sort();
        libraries.dedup();
        libraries.iter().try_for_each(|library| archive.library(library))?;
        let exported = environment.iter().map(|(name, value)| format!("export {name}='{value}'\n"));
        let exported: String = exported.collect();
        archive.program("init", format!("{START}{exported}{tests}{STOP}").as_bytes())?;
        archive.finish()
    }
}

impl Run {
    /// A line of the script. Names come from cargo, and need no quotes.
    fn line(&self, number: usize) -> String {
        let (name, cases) = (name(&self.program), &self.cases);
        format!(
            "echo; echo running {name} {cases}\n\
             /tests/{name} --test-threads 1 {cases} 2>&1; echo {ENDED} $? {number}\n"
        )
    }
}

/// Disables mitigations, which an emulated machine does not need, and most messages.
const COMMAND_LINE: &str = "console=ttyS0,115200 quiet loglevel=1 mitigations=off nokaslr";

/// The first program of the machine.
const START: &str = "#!/bin/busybox sh
/bin/busybox mount -t proc none /proc
/bin/busybox mount -t sysfs none /sys
/bin/busybox mount -t devtmpfs none /dev
/bin/busybox mount -t tmpfs none /tmp
/bin/busybox grep -m1 ^flags /proc/cpuinfo
";

/// The last command.
const STOP: &str = "/bin/busybox poweroff -f\n";

/// The start of a line that reports the result of a program.
const ENDED: &str = "ended with";

/// Prints the output of the serial port until the machine is off, except for the line of flags. Returns all of it.
fn follow(child: &mut Child, serial: &Path) -> Result<String> {
    let mut serial = File::open(serial)?;
    let (mut said, mut shown) = (Vec::new(), 0);
    let start = Instant::now();
    loop {
        let off = child.try_wait()?.is_some();
        serial.read_to_end(&mut said)?;
        while let Some(length) = said[shown..].iter().position(|&byte| byte == b'\n') {
            let line = &said[shown..shown + length + 1];
            if !line.starts_with(b"flags") {
                std::io::stdout().write_all(line)?;
            }
            shown += length + 1;
        }
        if off {
            return Ok(String::from_utf8_lossy(&said).into_owned());
        }
        ensure!(start.elapsed() < LIMIT, "it was not done after {} s", LIMIT.as_secs());
        thread::sleep(Duration::from_millis(200));
    }
}

/// Checks that the processor has the model's flags, and every program succeeded.
fn judge(said: &str, whole: &Whole, runs: &[Run]) -> Result<()> {
    let lines = || said.lines().map(str::trim);
    let flags = lines().find_map(|line| line.strip_prefix("flags"));
    let flags: Vec<_> = flags.context("it did not start")?.split_whitespace().collect();
    if let Some(flag) = whole.model.flags.iter().find(|flag| !flags.contains(flag)) {
        bail!("its {} lacks {flag}", whole.model.name);
    }
    let ended: BTreeSet<_> = lines().filter_map(|line| line.strip_prefix(ENDED)).collect();
    let failed = runs.iter().enumerate().filter(|(n, _)| !ended.contains(&*format!(" 0 {n}")));
    let failed: Vec<_> =
        failed.map(|(_, run)| format!("{} {}", name(&run.program), run.cases)).collect();
    ensure!(failed.is_empty(), "failed: {}", failed.join(", "));
    Ok(())
}

fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

/// Whether a word in the output of `ldd` is the path of a library.
fn is_path(word: &&str) -> bool {
    word.starts_with('/')
}

/// The kernel must be new: an older one does not start on some of the models.
fn fill(folder: &Path) -> Result<()> {
    let apt = apt::Apt::new(folder, &apt::Sources::ToBuild("stable"), &[])?;
    let [root, kept] = ["root", "kept"].map(|name| folder.join(name));
    for made in [&root, &kept] {
        fs::create_dir(made)?;
    }
    apt.unpack(&PACKAGES, &root)?;
    // A package without files, which depends on the newest kernel.
    let depends = apt.unpack(&[KERNEL], &root)?;
    let kernel = depends.split([',', ' ', '\n']).find(|name| name.starts_with("linux-image-"));
    apt.unpack(&[kernel.context("no kernel")?], &root)?;
    for (below, start) in KEPT {
        keep(&root.join(below), start, &kept)?;
    }
    let sources = apt.source("bochs", folder)?;
    let mut configure = program("./configure");
    configure.current_dir(&sources).args([
        "--with-nogui",
        "--enable-cpu-level=6",
        "--enable-x86-64",
        "--enable-avx",
        "--enable-evex",
        "--enable-all-optimizations",
        "--enable-pci",
        "--disable-docbook",
    ]);
    process::output(configure.envs([("CFLAGS", "-O2"), ("CXXFLAGS", "-O2")]), BUILD)?;
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let mut make = program("make");
    process::output(make.current_dir(&sources).arg("-j").arg(cores.to_string()), BUILD)?;
    fs::copy(sources.join("bochs"), kept.join("bochs"))?;
    keep_only(folder, "kept")?;
    for entry in fs::read_dir(&kept)? {
        let entry = entry?;
        fs::rename(entry.path(), folder.join(entry.file_name()))?;
    }
    Ok(fs::remove_dir(kept)?)
}

/// Copies the file whose name begins with `start`.
fn keep(folder: &Path, start: &str, into: &Path) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("no {}", folder.display()))? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(start) {
            fs::copy(entry.path(), into.join(entry.file_name()))?;
            return Ok(());
        }
    }
    bail!("no {start} in it")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expect::Model;

    #[test]
    fn every_program_must_end_well() {
        let model = Model { arch: "x86_64", name: "some", flags: &["vaes"] };
        let whole = Whole { model, added: "" };
        let run = |program: &str| Run { program: program.into(), cases: String::new() };
        let runs = [run("/deps/a-1"), run("/deps/a-12")];
        let verdict = |said: &str| judge(said, &whole, &runs).is_ok();
        let flags = "flags\t\t: fpu vaes\r\n";
        assert!(verdict(&format!("{flags}ended with 0 0\r\nended with 0 1\r\n")));
        assert!(!verdict(&format!("{flags}ended with 0 0\r\nended with 101 1\r\n")));
        assert!(!verdict(&format!("{flags}ended with 0 1\r\n")));
        assert!(!verdict("flags\t\t: fpu\r\nended with 0 0\r\nended with 0 1\r\n"));
        assert!(!verdict(""));
    }
}
