//! The `ropewalk` command.

use ropewalk_lab::{peers, tasks};

fn main() {
    for peer in peers::PEERS {
        let Ok(library) = peer.open("") else { continue };
        for task in tasks::TASKS {
            for backend in library.backends(task, 1) {
                let cell = tasks::Cell { task, bytes: 64, count: 1, mode: tasks::Mode::Message };
                if let Ok(mut job) = library.prepare(&cell, &backend) {
                    job.run(1);
                    println!("{} {backend}: {:02x?}", task.full_name(), &job.answer()[..8]);
                }
            }
        }
    }
}
