// Before the program: reads arguments, writes what its function returns (wire.py).
#include <bits/stdc++.h>
#include <unistd.h>
namespace microcoder {

struct Value {
    char kind = 'n';  // n, t, f, i, d, s, l, m as wire.py writes them
    std::string text;
    std::vector<Value> items;
};

[[noreturn]] inline void finish(const std::string& report) {
    std::cout.flush();
    std::fflush(nullptr);
    std::string data = "\n\x1e" + report;
    for (size_t start = 0; start < data.size();) {
        ssize_t count = ::write(1, data.data() + start, data.size() - start);
        if (count <= 0) _exit(3);
        start += count;
    }
    _exit(0);
}

[[noreturn]] inline void refuse(const std::string& type) {
    finish("A\"an argument of the test does not fit the parameter of type " + type + "\"");
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

template <class T, class = void> struct Codec {
    static_assert(sizeof(T) == 0, "a value of this type has no plain form");
    static T read(const Value&);
    static void write(std::string&, const T&);
};

template <class T> T read(const Value& value) { return Codec<T>::read(value); }
template <class T> void write(std::string& out, const T& value) { Codec<T>::write(out, value); }

template <> struct Codec<bool> {
    static bool read(const Value& value) {
        if (value.kind != 't' && value.kind != 'f') refuse("bool");
        return value.kind == 't';
    }
    static void write(std::string& out, bool value) { out += value ? "true" : "false"; }
};

template <> struct Codec<std::string> {
    static std::string read(const Value& value) {
        if (value.kind != 's') refuse("string");
        return value.text;
    }
    static void write(std::string& out, const std::string& value) {
        char code[8];
        out += '"';
        for (unsigned char c : value) {
            if (c == '"' || c == '\\') out += '\\';
            if (c >= 32) { out += c; continue; }
            std::snprintf(code, sizeof code, "\\u%04x", c);
            out += code;
        }
        out += '"';
    }
};

template <> struct Codec<char> {
    static char read(const Value& value) {
        if (value.kind != 's' || value.text.size() != 1) refuse("char");
        return value.text[0];
    }
    static void write(std::string& out, char value) {
        Codec<std::string>::write(out, std::string(1, value));
    }
};

template <> struct Codec<std::string_view> {
    // A program runs once, so that nothing needs to be freed.
    static std::string_view read(const Value& value) {
        return *new std::string(Codec<std::string>::read(value));
    }
    static void write(std::string& out, std::string_view value) {
        Codec<std::string>::write(out, std::string(value));
    }
};

template <> struct Codec<const char*> {
    static void write(std::string& out, const char* value) { Codec<std::string>::write(out, value); }
};

template <class T> struct Codec<T, std::enable_if_t<std::is_integral_v<T>>> {
    static T read(const Value& value) {
        if (value.kind == 'd') {
            double real = std::stod(value.text);
            if (real == std::floor(real) && std::abs(real) < 9e15) return static_cast<T>(real);
        }
        if (value.kind != 'i') refuse("integer");
        errno = 0;
        bool is_negative = value.text[0] == '-';
        unsigned long long positive = is_negative ? 0 : std::strtoull(value.text.c_str(), nullptr, 10);
        long long negative = is_negative ? std::strtoll(value.text.c_str(), nullptr, 10) : 0;
        T result = is_negative ? static_cast<T>(negative) : static_cast<T>(positive);
        if (errno || std::to_string(result) != value.text) refuse("integer");
        return result;
    }
    static void write(std::string& out, T value) { out += std::to_string(value); }
};

template <class T> struct Codec<T, std::enable_if_t<std::is_floating_point_v<T>>> {
    static T read(const Value& value) {
        if (value.kind != 'd' && value.kind != 'i') refuse("floating point number");
        return static_cast<T>(std::strtold(value.text.c_str(), nullptr));
    }
    static void write(std::string& out, T value) {
        if (!std::isfinite(value)) {
            out += std::isnan(value) ? R"({"$float":"nan"})"
                   : value > 0       ? R"({"$float":"inf"})"
                                     : R"({"$float":"-inf"})";
            return;
        }
        char text[48];
        std::snprintf(text, sizeof text, "%.17g", static_cast<double>(value));
        out += text;
        if (!std::strpbrk(text, ".e")) out += ".0";
    }
};

template <class S, class T> struct Sequence {
    static S read(const Value& value) {
        if (value.kind != 'l') refuse("list");
        S result;
        for (const Value& item : value.items) result.insert(result.end(), microcoder::read<T>(item));
        return result;
    }
    static void write(std::string& out, const S& value) {
        out += '[';
        bool is_first = true;
        for (const T& item : value) {
            if (!is_first) out += ',';
            is_first = false;
            microcoder::write<T>(out, item);
        }
        out += ']';
    }
};
template <class T> struct Codec<std::vector<T>> : Sequence<std::vector<T>, T> {};
template <class T> struct Codec<std::deque<T>> : Sequence<std::deque<T>, T> {};
template <class T> struct Codec<std::list<T>> : Sequence<std::list<T>, T> {};

template <class S, class T> struct Set : Sequence<S, T> {
    static void write(std::string& out, const S& value) {
        out += "{\"$set\":";
        Sequence<S, T>::write(out, value);
        out += '}';
    }
};
template <class T, class... R> struct Codec<std::set<T, R...>> : Set<std::set<T, R...>, T> {};
template <class T, class... R>
struct Codec<std::unordered_set<T, R...>> : Set<std::unordered_set<T, R...>, T> {};
template <class T, class... R> struct Codec<std::multiset<T, R...>> : Sequence<std::multiset<T, R...>, T> {};

template <class M> struct Map {
    using Key = typename M::key_type;
    using Item = typename M::mapped_type;
    static M read(const Value& value) {
        if (value.kind != 'm') refuse("map");
        M result;
        for (size_t i = 0; i < value.items.size(); i += 2)
            result.emplace(microcoder::read<Key>(value.items[i]), microcoder::read<Item>(value.items[i + 1]));
        return result;
    }
    static void write(std::string& out, const M& value) {
        out += "{\"$dict\":[";
        bool is_first = true;
        for (const auto& entry : value) {
            out += is_first ? "[" : ",[";
            is_first = false;
            microcoder::write<Key>(out, entry.first);
            out += ',';
            microcoder::write<Item>(out, entry.second);
            out += ']';
        }
        out += "]}";
    }
};
template <class... T> struct Codec<std::map<T...>> : Map<std::map<T...>> {};
template <class... T> struct Codec<std::unordered_map<T...>> : Map<std::unordered_map<T...>> {};

template <class T> struct Tuple {
    template <size_t... I> static T read_items(const Value& value, std::index_sequence<I...>) {
        return T{microcoder::read<std::tuple_element_t<I, T>>(value.items[I])...};
    }
    static T read(const Value& value) {
        constexpr size_t size = std::tuple_size_v<T>;
        if (value.kind != 'l' || value.items.size() != size) refuse("tuple");
        return read_items(value, std::make_index_sequence<size>());
    }
    template <size_t... I>
    static void write_items(std::string& out, const T& value, std::index_sequence<I...>) {
        ((out += I ? "," : "", microcoder::write<std::tuple_element_t<I, T>>(out, std::get<I>(value))), ...);
    }
    static void write(std::string& out, const T& value) {
        out += '[';
        write_items(out, value, std::make_index_sequence<std::tuple_size_v<T>>());
        out += ']';
    }
};
template <class A, class B> struct Codec<std::pair<A, B>> : Tuple<std::pair<A, B>> {};
template <class... T> struct Codec<std::tuple<T...>> : Tuple<std::tuple<T...>> {};
template <class T, size_t N> struct Codec<std::array<T, N>> : Tuple<std::array<T, N>> {};

template <class T> struct Codec<std::optional<T>> {
    static std::optional<T> read(const Value& value) {
        if (value.kind == 'n') return std::nullopt;
        return microcoder::read<T>(value);
    }
    static void write(std::string& out, const std::optional<T>& value) {
        if (value) microcoder::write<T>(out, *value);
        else out += "null";
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
