//! A terminal, and its screen.

use std::{
    fs::File,
    io::Read as _,
    process::{Command, Stdio},
};

use rustix::{
    pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, unlockpt},
    termios::{Winsize, tcsetwinsize},
};

/// The last screen of a terminal of that size, line by line.
pub(crate) fn last_screen(mut command: Command, columns: u16, rows: u16) -> Vec<String> {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&master, size).unwrap();
    let end = || {
        let opened = ioctl_tiocgptpeer(&master, OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        Stdio::from(opened)
    };
    let mut child = command.stdin(end()).stdout(end()).stderr(end()).spawn().unwrap();
    // It keeps the other ends open otherwise.
    drop(command);
    let mut terminal = vt100::Parser::new(rows, columns, 0);
    let mut master = File::from(master);
    let mut bytes = [0; 4096];
    // Linux reports an error once the other end is closed.
    while let Ok(read @ 1..) = master.read(&mut bytes) {
        terminal.process(&bytes[..read]);
    }
    child.wait().unwrap();
    let contents = terminal.screen().contents();
    contents.lines().map(|line| line.trim_end().to_owned()).collect()
}
