
#[allow(dead_code, unused)]
mod microcoder_checks {
    // Says which value is asked for; write.rs writes it.
    pub use super::microcoder_write::report;
    use std::io::Read;
    use std::sync::atomic::{AtomicUsize, Ordering};

    static WANTED: AtomicUsize = AtomicUsize::new(::std::usize::MAX);

    pub fn is(number: usize) -> bool {
        if WANTED.load(Ordering::SeqCst) == ::std::usize::MAX {
            let mut text = String::new();
            let _ = ::std::io::stdin().read_to_string(&mut text);
            WANTED.store(text.trim().parse().unwrap_or(0), Ordering::SeqCst);
        }
        WANTED.load(Ordering::SeqCst) == number
    }
}
