
#[allow(dead_code, unused, non_snake_case, bare_trait_objects)]
mod microcoder_checks {
    // Says which value is asked for, and writes it (wire.py). In every edition of Rust.
    use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
    use std::io::{Read, Write as IoWrite};
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

    pub fn report<T: Write + ?Sized>(value: &T) -> ! {
        let mut out = String::from("\n\u{1e}V");
        value.write(&mut out);
        let mut stream = ::std::io::stdout();
        let _ = stream.flush();
        let _ = stream.write_all(out.as_bytes());
        let _ = stream.flush();
        ::std::process::exit(0)
    }

    pub trait Write { fn write(&self, out: &mut String); }

    fn write_items<'a, T: Write + 'a, I: Iterator<Item = &'a T>>(items: I, out: &mut String) {
        out.push('[');
        for (i, item) in items.enumerate() {
            if i > 0 { out.push(','); }
            item.write(out);
        }
        out.push(']');
    }

    fn write_pairs<'a, K: Write + 'a, V: Write + 'a, I: Iterator<Item = (&'a K, &'a V)>>(pairs: I, out: &mut String) {
        out.push_str("{\"$dict\":[");
        for (i, (key, item)) in pairs.enumerate() {
            out.push_str(if i > 0 { ",[" } else { "[" });
            key.write(out);
            out.push(',');
            item.write(out);
            out.push(']');
        }
        out.push_str("]}");
    }

    macro_rules! integers { ($($t:ty)*) => { $(
        impl Write for $t { fn write(&self, out: &mut String) { out.push_str(&self.to_string()) } }
    )* } }
    integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize bool);

    macro_rules! reals { ($($t:ty)*) => { $(
        impl Write for $t {
            fn write(&self, out: &mut String) {
                if self.is_finite() { out.push_str(&format!("{:?}", self)) }
                else if self.is_nan() { out.push_str("{\"$float\":\"nan\"}") }
                else { out.push_str(if *self > 0.0 { "{\"$float\":\"inf\"}" } else { "{\"$float\":\"-inf\"}" }) }
            }
        }
    )* } }
    reals!(f32 f64);

    impl Write for () { fn write(&self, out: &mut String) { out.push_str("null") } }
    impl Write for str {
        fn write(&self, out: &mut String) {
            out.push('"');
            for c in self.chars() {
                if c == '"' || c == '\\' { out.push('\\'); }
                if (c as u32) < 32 { out.push_str(&format!("\\u{:04x}", c as u32)); }
                else { out.push(c); }
            }
            out.push('"');
        }
    }
    impl Write for String { fn write(&self, out: &mut String) { self.as_str().write(out) } }
    impl Write for char { fn write(&self, out: &mut String) { self.to_string().write(out) } }
    impl<'a, T: Write + ?Sized> Write for &'a T { fn write(&self, out: &mut String) { (**self).write(out) } }
    impl<T: Write + ?Sized> Write for Box<T> { fn write(&self, out: &mut String) { (**self).write(out) } }
    impl<T: Write> Write for Vec<T> { fn write(&self, out: &mut String) { write_items(self.iter(), out) } }
    impl<T: Write> Write for VecDeque<T> { fn write(&self, out: &mut String) { write_items(self.iter(), out) } }
    impl<T: Write> Write for [T] { fn write(&self, out: &mut String) { write_items(self.iter(), out) } }
    impl<T: Write, const N: usize> Write for [T; N] { fn write(&self, out: &mut String) { write_items(self.iter(), out) } }
    impl<T: Write> Write for Option<T> {
        fn write(&self, out: &mut String) {
            match *self { Some(ref value) => value.write(out), None => out.push_str("null") }
        }
    }
    impl<T: Write> Write for HashSet<T> {
        fn write(&self, out: &mut String) { out.push_str("{\"$set\":"); write_items(self.iter(), out); out.push('}') }
    }
    impl<T: Write> Write for BTreeSet<T> {
        fn write(&self, out: &mut String) { out.push_str("{\"$set\":"); write_items(self.iter(), out); out.push('}') }
    }
    impl<K: Write, V: Write> Write for HashMap<K, V> { fn write(&self, out: &mut String) { write_pairs(self.iter(), out) } }
    impl<K: Write, V: Write> Write for BTreeMap<K, V> { fn write(&self, out: &mut String) { write_pairs(self.iter(), out) } }

    macro_rules! tuples { ($($($t:ident $i:tt)*;)*) => { $(
        impl<$($t: Write),*> Write for ($($t,)*) {
            fn write(&self, out: &mut String) {
                out.push('[');
                $( if $i > 0 { out.push(',') } self.$i.write(out); )*
                out.push(']');
            }
        }
    )* } }
    tuples! { A 0; A 0 B 1; A 0 B 1 C 2; A 0 B 1 C 2 D 3; A 0 B 1 C 2 D 3 E 4; }
}
