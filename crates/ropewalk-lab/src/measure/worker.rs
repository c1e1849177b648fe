//! Controls a worker process. The command survives any fault of the library in it.

use std::{
    fs,
    io::{self, BufRead, BufReader, Read, Write},
    os::unix::process::{CommandExt, ExitStatusExt},
    process::{Child, ChildStderr, ChildStdin, Command, ExitStatus, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use super::protocol::{Reply, Request};
use crate::filename::shown;

/// A running worker process. It is killed when this is dropped.
pub struct Worker {
    child: Child,
    requests: ChildStdin,
    replies: Receiver<String>,
    complaints: Arc<Mutex<Vec<u8>>>,
}

/// Why there is no reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lost {
    /// The worker has ended, with the cause.
    Died(String),
    /// The worker did not answer in time and was killed.
    Hung(String),
    /// The user has interrupted.
    Interrupted,
}

/// The interval of the checks for an interruption.
const LOOK: Duration = Duration::from_millis(50);

/// Time for a process that has closed its output to end by itself, on a busy machine.
const LAST_BREATH: Duration = Duration::from_secs(10);

/// The length of an invalid reply that is shown.
const SHOWN: usize = 60;

impl Worker {
    /// Starts `command`, which speaks the protocol.
    ///
    /// # Errors
    /// If the system does not start it.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        let mut child = command
            // Ctrl-C is for the command, which then ends the workers.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let requests = child.stdin.take().expect("piped");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        let stderr = child.stderr.take().expect("piped");
        let (send, replies) = mpsc::channel();
        let complaints = Arc::new(Mutex::new(Vec::new()));
        // From here on the child is killed on errors.
        let worker = Self { child, requests, replies, complaints: complaints.clone() };
        let reader = move || {
            let _ = output.lines().map_while(Result::ok).try_for_each(|line| send.send(line));
        };
        thread::Builder::new().spawn(reader)?;
        thread::Builder::new().spawn(move || listen(stderr, &complaints))?;
        Ok(worker)
    }

    /// Sends a request and waits for its reply.
    ///
    /// # Errors
    /// If there is no reply.
    pub fn ask(
        &mut self,
        request: &Request,
        patience: Duration,
        stop: &AtomicBool,
    ) -> Result<Reply, Lost> {
        self.tell(request);
        self.reply(patience, stop)
    }

    /// Sends a request, without waiting for its reply.
    pub fn tell(&mut self, request: &Request) {
        let mut line = serde_json::to_string(request).expect("plain data");
        line.push('\n');
        // If this fails the worker has ended, and waiting for its reply returns the cause.
        let _ = self.requests.write_all(line.as_bytes());
    }

    /// Waits for a reply.
    ///
    /// # Errors
    /// If there is no reply.
    pub fn reply(&mut self, patience: Duration, stop: &AtomicBool) -> Result<Reply, Lost> {
        let start = Moment { at: Instant::now(), waited: waited(self.child.id()) };
        loop {
            if stop.load(Relaxed) {
                return Err(Lost::Interrupted);
            }
            match self.replies.recv_timeout(LOOK) {
                Ok(line) => {
                    return serde_json::from_str(&line).map_err(|_| {
                        let start: String = line.chars().take(SHOWN).collect();
                        Lost::Died(format!("said \"{}\", which is no reply", shown(start)))
                    });
                }
                Err(RecvTimeoutError::Disconnected) => return Err(Lost::Died(self.epitaph())),
                Err(RecvTimeoutError::Timeout) if self.silent(start) >= patience => {
                    let _ = self.child.kill();
                    return Err(Lost::Hung(format!(
                        "no answer in {:.1} s, killed",
                        patience.as_secs_f64()
                    )));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// The time without a reply, excluding the time in which it waited for a processor.
    fn silent(&mut self, since: Moment) -> Duration {
        let waited = waited(self.child.id()).saturating_sub(since.waited);
        since.at.elapsed().saturating_sub(waited)
    }

    /// Why a worker that has closed its output ended.
    fn epitaph(&mut self) -> String {
        let start = Instant::now();
        let status = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break end(status),
                Ok(None) if start.elapsed() < LAST_BREATH => thread::sleep(LOOK / 10),
                _ => break "closed its output".into(),
            }
        };
        // The thread that reads them holds the other reference until the end of the output.
        while Arc::strong_count(&self.complaints) > 1 && start.elapsed() < LAST_BREATH {
            thread::sleep(LOOK / 10);
        }
        let complaints = self.complaints.lock().expect("its holder does not panic");
        match last_words(&String::from_utf8_lossy(&complaints)) {
            Some(words) => format!("{status}: {words}"),
            None => status,
        }
    }
}

/// The time of a request.
#[derive(Clone, Copy)]
struct Moment {
    at: Instant,
    /// See [`waited`].
    waited: Duration,
}

/// The time in which the first thread of a process was ready but had no processor, if the kernel reports it.
fn waited(process: u32) -> Duration {
    let told = fs::read_to_string(format!("/proc/{process}/schedstat")).unwrap_or_default();
    let waited = told.split_whitespace().nth(1).and_then(|ns| ns.parse().ok());
    Duration::from_nanos(waited.unwrap_or(0))
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Collects the standard error of a worker, with its error messages.
fn listen(mut stderr: ChildStderr, complaints: &Mutex<Vec<u8>>) {
    const KEPT: usize = 4096;
    let mut buffer = [0; KEPT];
    while let Ok(n @ 1..) = stderr.read(&mut buffer) {
        let mut kept = complaints.lock().expect("its holder does not panic");
        kept.extend_from_slice(&buffer[..n]);
        let old = kept.len().saturating_sub(KEPT);
        kept.drain(..old);
    }
}

fn end(status: ExitStatus) -> String {
    match (status.signal(), status.code()) {
        (Some(signal), _) => match signal_hook::low_level::signal_name(signal) {
            Some(name) => format!("killed by {name}"),
            None => format!("killed by signal {signal}"),
        },
        (None, Some(code)) => format!("ended by itself with status {code}"),
        (None, None) => "ended by itself".into(),
    }
}

/// The most informative line: the message of a panic, or otherwise the last.
fn last_words(complaints: &str) -> Option<&str> {
    let mut lines = complaints.lines().map(str::trim).filter(|line| !line.is_empty());
    let panic = lines.clone().skip_while(|line| !line.contains("panicked at")).nth(1);
    panic.or_else(|| lines.next_back())
}

#[cfg(test)]
mod tests {
    use super::*;

    static GO: AtomicBool = AtomicBool::new(false);

    /// Longer than any machine takes.
    const LONG: Duration = Duration::from_secs(3600);

    fn sh(script: &str) -> Worker {
        Worker::start(Command::new("sh").args(["-c", script])).unwrap()
    }

    fn lost(script: &str) -> String {
        match sh(script).reply(LONG, &GO) {
            Err(Lost::Died(why)) => why,
            other => panic!("{script}: {other:?}"),
        }
    }

    #[test]
    fn death_is_named() {
        assert_eq!(lost("kill -SEGV $$"), "killed by SIGSEGV");
        assert_eq!(
            lost("echo no such thing >&2; exit 3"),
            "ended by itself with status 3: no such thing"
        );
        assert_eq!(lost("echo hello"), "said \"hello\", which is no reply");
    }

    #[test]
    fn patience_ends() {
        let hung = sh("sleep 3600").reply(Duration::from_millis(100), &GO);
        assert_eq!(hung.unwrap_err(), Lost::Hung("no answer in 0.1 s, killed".into()));
    }

    #[test]
    fn a_user_who_wants_to_stop_does_not_wait() {
        let stop = AtomicBool::new(true);
        let lost = sh("sleep 3600").reply(LONG, &stop);
        assert_eq!(lost.unwrap_err(), Lost::Interrupted);
    }

    #[test]
    fn last_words_say_something() {
        assert_eq!(last_words("one\ntwo \n\n"), Some("two"));
        let panic = "before\nthread 'main' panicked at src/lib.rs:1:2:\nrotten\nnote: more\n";
        assert_eq!(last_words(panic), Some("rotten"));
        assert_eq!(last_words("\n\n"), None);
    }
}
