
struct MicrocoderGuard(Vec<u8>);
impl MicrocoderGuard {
    // first_line: of the tests. A panic there is an assertion's; any other is the program's.
    fn new(first_line: u32) -> Self {
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| match info.location() {
            Some(place) if place.file() == file!() && place.line() >= first_line => {
                eprintln!("Assertion failed: {}", info)
            }
            _ => report(info),
        }));
        let mut key = Vec::new();
        let _ = std::io::Read::read_to_end(&mut std::io::stdin(), &mut key);
        MicrocoderGuard(key)
    }
}
impl Drop for MicrocoderGuard {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let mut out = std::io::stdout();
            let _ = std::io::Write::write_all(&mut out, &self.0);
            let _ = std::io::Write::flush(&mut out);
        }
    }
}
