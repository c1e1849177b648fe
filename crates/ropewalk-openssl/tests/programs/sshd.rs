//! A distribution's sshd. Before authentication, its process for a client is in a sandbox with few system calls, in which
//! files cannot be extended.

use std::{env, fs, os::unix::fs::PermissionsExt as _, path::PathBuf, process::Command};

use super::{
    Module,
    common::running::{Running, has, run},
};

/// Ciphers of each kind: those of the module and others.
const CIPHERS: [&str; 3] =
    ["aes128-gcm@openssh.com", "aes256-ctr", "chacha20-poly1305@openssh.com"];

/// Counts are printed at the end of each process, to a standard error that is a file.
#[test]
fn sshd_lets_in_while_counts_are_printed() {
    let programs = ["sshd", "ssh", "ssh-keygen"];
    if !programs
        .iter()
        .all(|name| has(Command::new("sh").args(["-c", &format!("command -v {name}")])))
    {
        return;
    }
    let id = Command::new("id").arg("-u").output().expect("id answers");
    if id.stdout != b"0\n" {
        println!("sshd has its sandbox where root starts it: nothing is tested with it");
        return;
    }
    // This path is compiled in.
    fs::create_dir_all("/run/sshd").expect("root may");
    let module = Module::new();
    fs::set_permissions(module.path(""), fs::Permissions::from_mode(0o755)).expect("it is ours");
    for name in ["host", "user"] {
        let mut keygen = module.command_without("ssh-keygen");
        keygen.args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(module.path(name));
        run(keygen, b"").well();
    }
    let sshd = on_path("sshd");
    let log = module.path("log");
    let (server, port) = Running::serve(|port| {
        fs::write(module.path("sshd_config"), configuration(&module, port)).expect("a file");
        // Its processes inherit its standard error, which must be a file.
        let mut shell = module.command("sh");
        shell.args(["-c", "exec \"$@\" 2> \"$LOG\"", "sh"]).env("LOG", &log);
        shell.arg(&sshd).args(["-D", "-e", "-f"]).arg(module.path("sshd_config"));
        shell
    });
    for cipher in CIPHERS {
        let mut ssh = module.command_without("ssh");
        ssh.args(["-F", "none", "-p", &port.to_string(), "-i"]).arg(module.path("user"));
        for option in [
            "StrictHostKeyChecking=no",
            "UserKnownHostsFile=/dev/null",
            "IdentitiesOnly=yes",
            "BatchMode=yes",
        ] {
            ssh.args(["-o", option]);
        }
        ssh.args(["-c", cipher, "root@127.0.0.1", "echo in"]);
        let ended = run(ssh, b"");
        let log = fs::read_to_string(&log).unwrap_or_default();
        assert!(ended.status.success(), "{cipher}: {ended:?}: {log}");
        assert_eq!(ended.text(), "in\n", "{cipher}");
    }
    let mut kill = Command::new("kill");
    kill.arg(server.id().to_string());
    run(kill, b"").well();
    server.end();
    let log = fs::read_to_string(&log).expect("a log");
    assert!(log.contains("\nropewalk: "), "no process of it has printed counts: {log}");
}

fn on_path(name: &str) -> PathBuf {
    let folders = env::var_os("PATH").expect("there is a PATH");
    let found =
        env::split_paths(&folders).map(|folder| folder.join(name)).find(|file| file.is_file());
    found.expect("the shell finds it")
}

fn configuration(module: &Module, port: u16) -> String {
    let at = |name: &str| module.path(name).display().to_string();
    format!(
        "Port {port}\nListenAddress 127.0.0.1\nHostKey {}\nAuthorizedKeysFile {}\nStrictModes no\nUsePAM no\n\
         PidFile none\nPermitRootLogin prohibit-password\n",
        at("host"),
        at("user.pub")
    )
}
