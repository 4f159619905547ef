
struct MicrocoderGuard(Vec<u8>);
impl MicrocoderGuard {
    fn new() -> Self {
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
