//! Programs that a test starts, talks to and ends: none outlives its test, and every wait has a limit.

use std::{
    env, fs,
    io::{Read, Write as _},
    net::{Ipv4Addr, TcpListener},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Arc, Condvar, Mutex, mpsc},
    thread,
    time::{Duration, Instant},
};

use wait_timeout::ChildExt as _;

use super::machine;

/// Longer than any test here takes on a loaded machine.
pub(crate) const LIMIT: Duration = Duration::from_secs(300);

/// Whether this machine has a program that answers; with `CI=true` a missing one is a failure. Programs for another machine
/// cannot use it.
pub(crate) fn has(question: &mut Command) -> bool {
    let program = question.get_program().display().to_string();
    if machine::is_another() {
        println!("{program} is for programs of this machine: nothing is tested with it");
        return false;
    }
    let answered = question.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if answered.status().is_ok_and(|status| status.success()) {
        return true;
    }
    let ci = env::var("CI").is_ok_and(|ci| ci == "true");
    assert!(!ci, "{program} is missing");
    println!("{program} is missing: nothing is tested with it");
    false
}

/// A program, and its output.
pub(crate) struct Running {
    line: String,
    child: Child,
    input: Option<mpsc::Sender<Vec<u8>>>,
    out: Printed,
    err: Printed,
}

/// The result of a program.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) line: String,
    pub(crate) status: ExitStatus,
    pub(crate) out: Vec<u8>,
    pub(crate) err: Vec<u8>,
}

impl Running {
    /// Starts it.
    pub(crate) fn start(mut command: Command) -> Self {
        let line = format!("{command:?}");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{line}: {error}"));
        let (input, pieces) = mpsc::channel::<Vec<u8>>();
        let mut stdin = child.stdin.take().expect("a pipe");
        // A blocking write would wait for a program that hangs.
        thread::spawn(move || {
            for piece in pieces {
                if stdin.write_all(&piece).and_then(|()| stdin.flush()).is_err() {
                    return;
                }
            }
        });
        let out = Printed::of(child.stdout.take().expect("a pipe"));
        let err = Printed::of(child.stderr.take().expect("a pipe"));
        Self { line, child, input: Some(input), out, err }
    }

    /// Starts a server on a free port, and waits until it listens.
    pub(crate) fn serve(mut command: impl FnMut(u16) -> Command) -> (Self, u16) {
        let mut complaint = String::new();
        // Another process may take the port before the server does.
        for _ in 0..5 {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
            let port = listener.local_addr().expect("it has an address").port();
            drop(listener);
            let mut server = Self::start(command(port));
            let end = Instant::now() + LIMIT;
            while server.is_running() && Instant::now() < end {
                if listens(server.child.id(), port) {
                    return (server, port);
                }
                thread::sleep(Duration::from_millis(5));
            }
            complaint = format!("{}: {}", server.line, server.complaint());
        }
        panic!("it does not listen: {complaint}");
    }

    /// Its process number.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.child.try_wait().expect("a child").is_none()
    }

    /// Queues more input.
    pub(crate) fn send(&self, piece: &[u8]) {
        // It may have ended; its output shows that.
        _ = self.input.as_ref().expect("the input is open").send(piece.to_vec());
    }

    /// Closes its input.
    pub(crate) fn close(&mut self) {
        self.input = None;
    }

    /// Its output once it has `len` bytes, or an error that gives the reason.
    pub(crate) fn printed(&mut self, len: usize) -> Result<Vec<u8>, String> {
        self.out.wait(len).ok_or_else(|| {
            let printed = self.out.now().len();
            format!("{} printed {printed} bytes, not {len}: {}", self.line, self.complaint())
        })
    }

    /// Its standard error so far.
    pub(crate) fn complaint(&self) -> String {
        String::from_utf8_lossy(&self.err.now()).into_owned()
    }

    /// Its result, after the end of its input.
    pub(crate) fn end(mut self) -> Ended {
        self.close();
        let status = self.child.wait_timeout(LIMIT).expect("a child");
        let Some(status) = status else {
            panic!("{} does not end: {}", self.line, self.complaint());
        };
        let [out, err] = [&self.out, &self.err].map(|printed| {
            // Later output of its child processes is discarded.
            printed.wait(usize::MAX);
            printed.now()
        });
        Ended { line: self.line.clone(), status, out, err }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended before.
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

impl Ended {
    /// Checks that it succeeded.
    pub(crate) fn well(self) -> Self {
        let error = String::from_utf8_lossy(&self.err);
        let out = String::from_utf8_lossy(&self.out[..self.out.len().min(2000)]);
        assert!(self.status.success(), "{}: {}: {error}{out}", self.line, self.status);
        self
    }

    /// Its output as text.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.out).into_owned()
    }
}

/// Runs a program to its end.
pub(crate) fn run(command: Command, input: &[u8]) -> Ended {
    let running = Running::start(command);
    running.send(input);
    running.end()
}

/// The same program with memory checks: it fails after a wrong access or a leak.
pub(crate) fn watched(command: &Command) -> Command {
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["-q", "--error-exitcode=9", "--leak-check=full"]);
    valgrind.args(["--errors-for-leak-kinds=definite", "--"]);
    valgrind.arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => valgrind.env(name, value),
            None => valgrind.env_remove(name),
        };
    }
    valgrind
}

/// The output of a pipe, read continuously.
struct Printed(Arc<(Mutex<State>, Condvar)>);

#[derive(Default)]
struct State {
    bytes: Vec<u8>,
    ended: bool,
}

impl Printed {
    fn of(mut pipe: impl Read + Send + 'static) -> Self {
        let shared = Arc::<(Mutex<State>, Condvar)>::default();
        let printed = Self(shared.clone());
        thread::spawn(move || {
            let mut piece = [0; 1 << 14];
            let (state, changed) = &*shared;
            loop {
                let len = pipe.read(&mut piece).unwrap_or(0);
                let mut state = state.lock().expect("no holder of the lock panics");
                state.bytes.extend_from_slice(&piece[..len]);
                state.ended = len == 0;
                changed.notify_all();
                if state.ended {
                    return;
                }
            }
        });
        printed
    }

    /// Waits for `len` bytes.
    fn wait(&self, len: usize) -> Option<Vec<u8>> {
        let (state, changed) = &*self.0;
        let state = state.lock().expect("no holder of the lock panics");
        let more = |state: &mut State| !state.ended && state.bytes.len() < len;
        let (state, _) = changed.wait_timeout_while(state, LIMIT, more).expect("likewise");
        (state.bytes.len() >= len).then(|| state.bytes.clone())
    }

    fn now(&self) -> Vec<u8> {
        self.0.0.lock().expect("no holder of the lock panics").bytes.clone()
    }
}

/// Whether that process listens on the port, by the kernel's tables. A test connection would count as a client, and could
/// reach another process on the port.
fn listens(process: u32, port: u16) -> bool {
    let table = fs::read_to_string("/proc/net/tcp").expect("Linux has one");
    let local = format!("0100007F:{port:04X}");
    let socket = table.lines().find_map(|line| {
        let mut fields = line.split_whitespace().skip(1);
        let listens = fields.next() == Some(&local) && fields.nth(1) == Some("0A");
        fields.nth(5).filter(|_| listens)
    });
    let Some(socket) = socket.map(|inode| format!("socket:[{inode}]")) else { return false };
    let Ok(files) = fs::read_dir(format!("/proc/{process}/fd")) else { return false };
    files
        .flatten()
        .any(|file| fs::read_link(file.path()).is_ok_and(|to| to.as_os_str() == &*socket))
}
