//! Being asked to stop, by Ctrl-C or by another process.

use std::ffi::c_int;
use std::fs;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

/// Whether a signal asked this process to stop.
#[derive(Clone, Debug)]
pub struct Interrupt {
    /// The signal, or zero.
    signal: Arc<AtomicUsize>,
}

impl Interrupt {
    /// From now on the signals no longer end the process but are noted here.
    pub fn catch() -> io::Result<Interrupt> {
        let interrupt = Interrupt::never();
        // What `nohup` starts is to outlive its terminal.
        let hangup = if is_ignored(SIGHUP) { None } else { Some(SIGHUP) };
        for signal in [SIGINT, SIGTERM].into_iter().chain(hangup) {
            let number = usize::try_from(signal).map_err(io::Error::other)?;
            flag::register_usize(signal, Arc::clone(&interrupt.signal), number)?;
        }
        Ok(interrupt)
    }

    /// Notes no signal: they end the process as usual.
    pub fn never() -> Interrupt {
        Interrupt { signal: Arc::default() }
    }

    pub fn is_requested(&self) -> bool {
        self.exit_code().is_some()
    }

    /// How a process that was asked to stop ends, as shells count it: 130 after Ctrl-C.
    pub fn exit_code(&self) -> Option<u8> {
        match self.signal.load(Ordering::Relaxed) {
            0 => None,
            signal => Some(u8::try_from(128 + signal).unwrap_or(u8::MAX)),
        }
    }
}

/// Whether whoever started this process wanted a signal to be ignored, as Linux tells it.
fn is_ignored(signal: c_int) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}
