
#[allow(dead_code, unused, non_snake_case)]
mod microcoder_driver {
    use super::microcoder_write::{finish, Write};
    use super::*;
    use std::cell::RefCell as Cell_;
    use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
    use std::hash::Hash;
    use std::io::Read as _;
    use std::rc::Rc as Rc_;

    pub enum Value {
        Null,
        Bool(bool),
        Int(i128),
        Real(f64),
        Text(String),
        List(Vec<Value>),
        Map(Vec<(Value, Value)>),
    }
    use Value::*;

    fn refuse(name: &str) -> ! {
        finish(&format!("A\"an argument of the test does not fit the parameter of type {}\"", name))
    }

    fn parse(data: &[u8], at: &mut usize) -> Value {
        let kind = data[*at];
        let end = if kind == b's' { b':' } else { b' ' };
        let start = *at + 1;
        let mut stop = start;
        while data[stop] != end {
            stop += 1;
        }
        let text = std::str::from_utf8(&data[start..stop]).unwrap();
        *at = stop + 1;
        let count = || text.parse::<usize>().unwrap();
        match kind {
            b'n' => Null,
            b't' => Bool(true),
            b'f' => Bool(false),
            b'i' => text.parse().map(Int).unwrap_or_else(|_| refuse("integer")),
            b'd' => Real(text.parse().unwrap()),
            b's' => {
                let from = *at;
                *at += count();
                Text(String::from_utf8_lossy(&data[from..*at]).into_owned())
            }
            b'l' => List((0..count()).map(|_| parse(data, at)).collect()),
            _ => Map((0..count()).map(|_| { let key = parse(data, at); (key, parse(data, at)) }).collect()),
        }
    }

    pub fn read_arguments() -> Vec<Value> {
        let mut data = Vec::new();
        let _ = std::io::stdin().read_to_end(&mut data);
        match parse(&data, &mut 0) {
            List(items) => items,
            _ => Vec::new(),
        }
    }

    pub trait Read: Sized {
        fn read(value: &Value) -> Self;
        fn read_key(value: &Value) -> Self { Self::read(value) }
        fn read_option(value: &Value) -> Option<Self> {
            if let Null = value { None } else { Some(Self::read(value)) }
        }
    }

    pub fn read<T: Read>(value: &Value) -> T {
        T::read(value)
    }

    fn items_of<'a>(value: &'a Value, name: &str) -> &'a Vec<Value> {
        match value {
            List(items) => items,
            _ => refuse(name),
        }
    }

    macro_rules! integers { ($($t:ty)*) => { $(
        impl Read for $t {
            fn read(value: &Value) -> Self {
                let integer = match value {
                    Int(integer) => *integer,
                    Real(real) if real.fract() == 0.0 => *real as i128,
                    _ => refuse(stringify!($t)),
                };
                std::convert::TryFrom::try_from(integer).unwrap_or_else(|_| refuse(stringify!($t)))
            }
            // Keys of JSON are texts, those of integers, too.
            fn read_key(value: &Value) -> Self {
                match value {
                    Text(text) => text.parse().unwrap_or_else(|_| refuse(stringify!($t))),
                    _ => Self::read(value),
                }
            }
        }
    )* } }
    integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

    macro_rules! reals { ($($t:ty)*) => { $(
        impl Read for $t {
            fn read(value: &Value) -> Self {
                match value { Int(integer) => *integer as $t, Real(real) => *real as $t, _ => refuse(stringify!($t)) }
            }
        }
    )* } }
    reals!(f32 f64);

    impl Read for bool {
        fn read(value: &Value) -> Self { if let Bool(truth) = value { *truth } else { refuse("bool") } }
    }
    impl Read for String {
        fn read(value: &Value) -> Self { if let Text(text) = value { text.clone() } else { refuse("String") } }
    }
    // In a list of them; a program runs once, so that nothing needs to be freed.
    impl Read for &'static str {
        fn read(value: &Value) -> Self { Box::leak(String::read(value).into_boxed_str()) }
    }
    impl Read for char {
        fn read(value: &Value) -> Self {
            match value {
                Text(text) if text.chars().count() == 1 => text.chars().next().unwrap(),
                _ => refuse("char"),
            }
        }
    }

    macro_rules! lists { ($($t:ident [$($b:path),*])*) => { $(
        impl<T: Read $(+ $b)*> Read for $t<T> {
            fn read(value: &Value) -> Self { items_of(value, stringify!($t)).iter().map(T::read).collect() }
        }
    )* } }
    lists!(Vec [] VecDeque [] HashSet [Eq, Hash] BTreeSet [Ord]);
    impl<T: Read, const N: usize> Read for [T; N] {
        fn read(value: &Value) -> Self {
            Vec::<T>::read(value).try_into().unwrap_or_else(|_| refuse("an array of that length"))
        }
    }

    macro_rules! maps { ($($t:ident [$($b:path),*])*) => { $(
        impl<K: Read $(+ $b)*, V: Read> Read for $t<K, V> {
            fn read(value: &Value) -> Self {
                match value {
                    Map(pairs) => pairs.iter().map(|(key, item)| (K::read_key(key), V::read(item))).collect(),
                    _ => refuse(stringify!($t)),
                }
            }
        }
    )* } }
    maps!(HashMap [Eq, Hash] BTreeMap [Ord]);

    macro_rules! tuples { ($($count:literal: $($t:ident $i:tt)*;)*) => { $(
        impl<$($t: Read),*> Read for ($($t,)*) {
            fn read(value: &Value) -> Self {
                let items = items_of(value, "tuple");
                if items.len() != $count { refuse("tuple") }
                ($($t::read(&items[$i]),)*)
            }
        }
    )* } }
    tuples! { 1: A 0; 2: A 0 B 1; 3: A 0 B 1 C 2; 4: A 0 B 1 C 2 D 3; 5: A 0 B 1 C 2 D 3 E 4; 6: A 0 B 1 C 2 D 3 E 4 F 5; }

    impl<T: Read> Read for Option<T> {
        fn read(value: &Value) -> Self { T::read_option(value) }
    }

    impl Read for Box<ListNode> {
        fn read(value: &Value) -> Self { Self::read_option(value).unwrap_or_else(|| refuse("ListNode")) }
        fn read_option(value: &Value) -> Option<Self> {
            let mut head = None;
            if let Null = value { return head }
            for item in items_of(value, "ListNode").iter().rev() {
                head = Some(Box::new(ListNode { val: i32::read(item), next: head }));
            }
            head
        }
    }
    impl Write for ListNode {
        fn write(&self, out: &mut String) { Self::write_option(Some(self), out) }
        fn write_option(value: Option<&Self>, out: &mut String) {
            let mut values = Vec::new();
            let mut node = value;
            while let Some(inner) = node {
                values.push(inner.val);
                node = inner.next.as_ref().map(|next| &**next);
            }
            values.write(out)
        }
    }
    type Tree = Rc_<Cell_<TreeNode>>;
    impl Read for Tree {
        fn read(value: &Value) -> Self { Self::read_option(value).unwrap_or_else(|| refuse("TreeNode")) }
        fn read_option(value: &Value) -> Option<Self> {
            if let Null = value { return None }
            let mut nodes: Vec<Tree> = Vec::new();
            let mut parent = 0;
            for (i, item) in items_of(value, "TreeNode").iter().enumerate() {
                let node = match item {
                    Null => None,
                    item => Some(Rc_::new(Cell_::new(TreeNode { val: i32::read(item), left: None, right: None }))),
                };
                if i > 0 {
                    if parent >= nodes.len() { refuse("TreeNode") }
                    if i % 2 == 1 { nodes[parent].borrow_mut().left = node.clone() }
                    else { nodes[parent].borrow_mut().right = node.clone(); parent += 1 }
                }
                nodes.extend(node);
            }
            nodes.into_iter().next()
        }
    }
    impl Write for Tree {
        fn write(&self, out: &mut String) { Self::write_option(Some(self), out) }
        fn write_option(value: Option<&Self>, out: &mut String) {
            let mut values: Vec<Option<i32>> = Vec::new();
            let mut queue: VecDeque<Option<Tree>> = VecDeque::new();
            queue.push_back(value.cloned());
            while let Some(node) = queue.pop_front() {
                values.push(node.as_ref().map(|inner| inner.borrow().val));
                if let Some(inner) = node {
                    queue.push_back(inner.borrow().left.clone());
                    queue.push_back(inner.borrow().right.clone());
                }
            }
            while let Some(None) = values.last() { values.pop(); }
            values.write(out)
        }
    }

    pub fn call() -> ! {
        let arguments = read_arguments();
        let mut out = String::from("V");
        MICROCODER_CALL
        finish(&out)
    }
}
