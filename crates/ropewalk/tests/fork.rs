//! Parent and child give different random bytes, in either order. A program of its own, with one thread while it forks: what is
//! safe in a child is then safe.

#[cfg(not(unix))]
fn main() {}

#[cfg(unix)]
fn main() {
    // The generator is new; bytes have been made ahead; and they are used up.
    let befores: [(&str, fn()); 3] = [
        ("a new process", || ()),
        ("bytes made ahead", || assert_ne!(bytes(), [0; 64])),
        ("a long request", || ropewalk::random::fill(&mut vec![0; 3 << 20]).unwrap()),
    ];
    for (what, before) in befores {
        before();
        family(what);
    }
    println!("3 passed, 0 failed");
}

#[cfg(unix)]
fn bytes() -> [u8; 64] {
    ropewalk::random::array().unwrap()
}

/// This process, two children, a child of theirs, and a thread in each: no two give the same block.
#[cfg(unix)]
fn family(what: &str) {
    let (mut reader, writer) = std::io::pipe().unwrap();
    let report = |mut writer: &std::io::PipeWriter| {
        // The thread is the first to find that its process is a new one.
        let thread = std::thread::spawn(bytes);
        let all = [thread.join().unwrap(), bytes(), bytes()].concat();
        std::io::Write::write_all(&mut writer, &all).unwrap();
    };
    let children = [(); 2].map(|()| {
        child(|| {
            let grandchild = child(|| report(&writer));
            report(&writer);
            wait(grandchild);
        })
    });
    report(&writer);
    children.into_iter().for_each(wait);
    drop(writer);

    let mut all = Vec::new();
    std::io::Read::read_to_end(&mut reader, &mut all).unwrap();
    assert_eq!(all.len(), 5 * 3 * 64, "{what}: each has reported");
    let blocks: std::collections::HashSet<_> = all.as_chunks::<16>().0.iter().collect();
    assert_eq!(blocks.len(), all.len() / 16, "{what}: a block comes twice");
}

/// Does something in a child, which then ends.
#[cfg(unix)]
fn child(work: impl FnOnce()) -> nix::unistd::Pid {
    // SAFETY: this program has no thread but this one: those of a family have been joined.
    match unsafe { nix::unistd::fork() }.unwrap() {
        nix::unistd::ForkResult::Parent { child } => child,
        nix::unistd::ForkResult::Child => {
            work();
            std::process::exit(0);
        }
    }
}

#[cfg(unix)]
fn wait(child: nix::unistd::Pid) {
    let status = nix::sys::wait::waitpid(child, None).unwrap();
    assert_eq!(status, nix::sys::wait::WaitStatus::Exited(child, 0));
}
