// Before the program, after write.cpp: reads arguments, and calls its function (wire.py).
#include <bits/stdc++.h>
namespace microcoder {

struct Value {
    char kind = 'n';  // n, t, f, i, d, s, l, m as wire.py writes them
    std::string text;
    std::vector<Value> items;
};

[[noreturn]] inline void refuse(const std::string& type) {
    finish("A\"an argument of the test does not fit the parameter of type " + type + "\"");
}

inline void require_kind(const Value& value, char kind, const char* type) {
    if (value.kind != kind) refuse(type);
}

inline Value parse(const std::string& data, size_t& at) {
    Value value;
    value.kind = data.at(at++);
    size_t end = data.find_first_of(value.kind == 's' ? ":" : " ", at);
    value.text = data.substr(at, end - at);
    at = end + 1;
    if (value.kind == 's') {
        size_t size = std::stoull(value.text);
        value.text = data.substr(at, size);
        at += size;
    } else if (value.kind == 'l' || value.kind == 'm') {
        size_t count = std::stoull(value.text) * (value.kind == 'm' ? 2 : 1);
        for (size_t i = 0; i < count; i++) value.items.push_back(parse(data, at));
    }
    return value;
}

template <class T, class = void> struct Reader {
    static_assert(sizeof(T) == 0, "a value of this type has no plain form");
    static T read(const Value&);
};

template <class T> T read(const Value& value) { return Reader<T>::read(value); }

template <> struct Reader<bool> {
    static bool read(const Value& value) {
        if (value.kind != 't') require_kind(value, 'f', "bool");
        return value.kind == 't';
    }
};

template <> struct Reader<std::string> {
    static std::string read(const Value& value) {
        require_kind(value, 's', "string");
        return value.text;
    }
};

template <> struct Reader<char> {
    static char read(const Value& value) {
        if (value.kind != 's' || value.text.size() != 1) refuse("char");
        return value.text[0];
    }
};

template <> struct Reader<std::string_view> {
    // A program runs once, so that nothing needs to be freed.
    static std::string_view read(const Value& value) {
        return *new std::string(Reader<std::string>::read(value));
    }
};

template <class T> struct Reader<T, std::enable_if_t<std::is_integral_v<T>>> {
    static T read(const Value& value) {
        if (value.kind == 'd') {
            double real = std::stod(value.text);
            if (real == std::floor(real) && std::abs(real) < 9e15) return static_cast<T>(real);
        }
        require_kind(value, 'i', "integer");
        errno = 0;
        bool is_negative = value.text[0] == '-';
        unsigned long long positive = is_negative ? 0 : std::strtoull(value.text.c_str(), nullptr, 10);
        long long negative = is_negative ? std::strtoll(value.text.c_str(), nullptr, 10) : 0;
        T result = is_negative ? static_cast<T>(negative) : static_cast<T>(positive);
        if (errno || std::to_string(result) != value.text) refuse("integer");
        return result;
    }
};

template <class T> struct Reader<T, std::enable_if_t<std::is_floating_point_v<T>>> {
    static T read(const Value& value) {
        if (value.kind != 'd') require_kind(value, 'i', "floating point number");
        return static_cast<T>(std::strtold(value.text.c_str(), nullptr));
    }
};

template <class S> struct Sequence {
    static S read(const Value& value) {
        require_kind(value, 'l', "list");
        S result;
        for (const Value& item : value.items)
            result.insert(result.end(), microcoder::read<typename S::value_type>(item));
        return result;
    }
};
template <class... T> struct Reader<std::vector<T...>> : Sequence<std::vector<T...>> {};
template <class... T> struct Reader<std::deque<T...>> : Sequence<std::deque<T...>> {};
template <class... T> struct Reader<std::list<T...>> : Sequence<std::list<T...>> {};
template <class... T> struct Reader<std::set<T...>> : Sequence<std::set<T...>> {};
template <class... T> struct Reader<std::unordered_set<T...>> : Sequence<std::unordered_set<T...>> {};
template <class... T> struct Reader<std::multiset<T...>> : Sequence<std::multiset<T...>> {};

template <class M> struct Map {
    static M read(const Value& value) {
        require_kind(value, 'm', "map");
        M result;
        for (size_t i = 0; i < value.items.size(); i += 2)
            result.emplace(read_key(value.items[i]),
                           microcoder::read<typename M::mapped_type>(value.items[i + 1]));
        return result;
    }

    // Keys of JSON are texts, those of integers, too.
    static typename M::key_type read_key(Value key) {
        bool is_integer = std::is_integral_v<typename M::key_type> && sizeof(typename M::key_type) > 1;
        if (is_integer && key.kind == 's') key.kind = 'i';
        return microcoder::read<typename M::key_type>(key);
    }
};
template <class... T> struct Reader<std::map<T...>> : Map<std::map<T...>> {};
template <class... T> struct Reader<std::unordered_map<T...>> : Map<std::unordered_map<T...>> {};

template <class T> struct Tuple {
    template <size_t... I> static T read_items(const Value& value, std::index_sequence<I...>) {
        return T{microcoder::read<std::tuple_element_t<I, T>>(value.items[I])...};
    }
    static T read(const Value& value) {
        constexpr size_t size = std::tuple_size_v<T>;
        if (value.kind != 'l' || value.items.size() != size) refuse("tuple");
        return read_items(value, std::make_index_sequence<size>());
    }
};
template <class A, class B> struct Reader<std::pair<A, B>> : Tuple<std::pair<A, B>> {};
template <class... T> struct Reader<std::tuple<T...>> : Tuple<std::tuple<T...>> {};
template <class T, size_t N> struct Reader<std::array<T, N>> : Tuple<std::array<T, N>> {};

template <class T> struct Reader<std::optional<T>> {
    static std::optional<T> read(const Value& value) {
        if (value.kind == 'n') return std::nullopt;
        return microcoder::read<T>(value);
    }
};

// Becomes the value that a parameter needs, where the problem does not say of which type it is.
struct Argument {
    const Value& value;
    std::function<void(std::string&)>& write_back;
    template <class T> operator T&() const {
        using Plain = std::remove_const_t<T>;
        T* item = new Plain(microcoder::read<Plain>(value));
        write_back = [item](std::string& out) { microcoder::write<Plain>(out, *item); };
        return *item;
    }
};

template <class F, class G> [[noreturn]] void report(F call, G write_first) {
    std::string out = "V";
    if constexpr (std::is_void_v<decltype(call())>) {
        call();
        write_first(out);
    } else {
        auto result = call();
        microcoder::write<std::decay_t<decltype(result)>>(out, result);
    }
    finish(out);
}

inline Value read_arguments() {
    std::string data, block(1 << 16, '\0');
    ssize_t count;
    while ((count = ::read(0, &block[0], block.size())) > 0) data.append(block, 0, count);
    size_t at = 0;
    Value arguments = parse(data, at);
    return arguments;
}

}  // namespace microcoder
