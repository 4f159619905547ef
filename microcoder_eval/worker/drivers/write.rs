
#[allow(dead_code, unused, non_snake_case, bare_trait_objects)]
pub mod microcoder_write {
    // Writes a value, and ends the process with it (wire.py). In every edition of Rust.
    use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
    use std::io::Write as IoWrite;

    pub fn finish(report: &str) -> ! {
        let mut out = ::std::io::stdout();
        let _ = out.flush();
        let _ = out.write_all(format!("\n\u{1e}{}", report).as_bytes());
        let _ = out.flush();
        ::std::process::exit(0)
    }

    pub fn report<T: Write + ?Sized>(value: &T) -> ! {
        let mut out = String::from("V");
        value.write(&mut out);
        finish(&out)
    }

    pub trait Write {
        fn write(&self, out: &mut String);
        fn write_option(value: Option<&Self>, out: &mut String) {
            match value {
                None => out.push_str("null"),
                Some(inner) => inner.write(out),
            }
        }
    }

    fn write_items<'a, T: Write + 'a, I: Iterator<Item = &'a T>>(items: I, out: &mut String) {
        out.push('[');
        for (i, item) in items.enumerate() {
            if i > 0 { out.push(','); }
            item.write(out);
        }
        out.push(']');
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
    impl<'a, T: Write + ?Sized> Write for &'a mut T { fn write(&self, out: &mut String) { (**self).write(out) } }
    impl<T: Write + ?Sized> Write for Box<T> {
        fn write(&self, out: &mut String) { (**self).write(out) }
        fn write_option(value: Option<&Self>, out: &mut String) { T::write_option(value.map(|inner| &**inner), out) }
    }
    impl<T: Write> Write for Option<T> {
        fn write(&self, out: &mut String) { T::write_option(self.as_ref(), out) }
    }
    // An error is its text, as in Go.
    impl<T: Write, E: ::std::fmt::Display> Write for Result<T, E> {
        fn write(&self, out: &mut String) {
            match *self { Ok(ref value) => value.write(out), Err(ref error) => error.to_string().write(out) }
        }
    }
    impl<T: Write> Write for [T] { fn write(&self, out: &mut String) { write_items(self.iter(), out) } }
    impl<T: Write, const N: usize> Write for [T; N] { fn write(&self, out: &mut String) { write_items(self.iter(), out) } }
    impl<T: Write> Write for Vec<T> { fn write(&self, out: &mut String) { write_items(self.iter(), out) } }
    impl<T: Write> Write for VecDeque<T> { fn write(&self, out: &mut String) { write_items(self.iter(), out) } }

    macro_rules! collections { ($($t:ident)*; $($m:ident)*) => {
        $( impl<T: Write> Write for $t<T> {
            fn write(&self, out: &mut String) { out.push_str("{\"$set\":"); write_items(self.iter(), out); out.push('}') }
        } )*
        $( impl<K: Write, V: Write> Write for $m<K, V> {
            fn write(&self, out: &mut String) {
                let pairs: Vec<(&K, &V)> = self.iter().collect();
                out.push_str("{\"$dict\":");
                pairs.write(out);
                out.push('}')
            }
        } )*
    } }
    collections!(HashSet BTreeSet; HashMap BTreeMap);

    macro_rules! tuples { ($($($t:ident $i:tt)*;)*) => { $(
        impl<$($t: Write),*> Write for ($($t,)*) {
            fn write(&self, out: &mut String) {
                out.push('[');
                $( if $i > 0 { out.push(',') } self.$i.write(out); )*
                out.push(']');
            }
        }
    )* } }
    tuples! { A 0; A 0 B 1; A 0 B 1 C 2; A 0 B 1 C 2 D 3; A 0 B 1 C 2 D 3 E 4; A 0 B 1 C 2 D 3 E 4 F 5; }
}
