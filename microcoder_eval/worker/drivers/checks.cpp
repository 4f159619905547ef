
// Between the program and its tests: says which value is asked for, and writes it (wire.py). C++11.
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <list>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <unistd.h>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>
#if __cplusplus >= 201703L
#include <optional>
#endif
namespace microcoder {

inline bool is(int number) {
    static int wanted = -1;
    if (wanted < 0) {
        char text[16] = {0};
        wanted = ::read(0, text, sizeof text - 1) > 0 ? std::atoi(text) : 0;
    }
    return number == wanted;
}

template <class T, class = void> struct Codec {
    static_assert(sizeof(T) == 0, "a value of this type has no plain form");
    static void write(std::string&, const T&);
};
template <class T> void write(std::string& out, const T& value) { Codec<T>::write(out, value); }

template <> struct Codec<std::string> {
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
    static void write(std::string& out, char value) { microcoder::write(out, std::string(1, value)); }
};
template <> struct Codec<const char*> {
    static void write(std::string& out, const char* value) { microcoder::write(out, std::string(value)); }
};
template <> struct Codec<bool> {
    static void write(std::string& out, bool value) { out += value ? "true" : "false"; }
};
template <class T> struct Codec<T, typename std::enable_if<std::is_integral<T>::value>::type> {
    static void write(std::string& out, T value) { out += std::to_string(value); }
};
template <class T> struct Codec<T, typename std::enable_if<std::is_floating_point<T>::value>::type> {
    static void write(std::string& out, T value) {
        char text[48];
        std::snprintf(text, sizeof text, "%.17g", static_cast<double>(value));
        bool is_finite = std::isfinite(value);
        out += is_finite ? text : std::string("{\"$float\":\"") + (text[0] == '-' && value == value ? "-" : "")
            + (value == value ? "inf" : "nan") + "\"}";
        if (is_finite && std::string(text).find_first_of(".e") == std::string::npos) out += ".0";
    }
};

template <class S> void write_items(std::string& out, const S& items) {
    bool is_first = true;
    out += '[';
    for (const typename S::value_type& item : items) {
        if (!is_first) out += ',';
        is_first = false;
        write<typename S::value_type>(out, item);
    }
    out += ']';
}
template <class S> struct List {
    static void write(std::string& out, const S& value) { write_items(out, value); }
};
template <class S> struct Set {
    static void write(std::string& out, const S& value) {
        out += "{\"$set\":";
        write_items(out, value);
        out += '}';
    }
};
template <class M> struct Map {
    static void write(std::string& out, const M& value) {
        out += "{\"$dict\":";
        write_items(out, value);
        out += '}';
    }
};
template <class... T> struct Codec<std::vector<T...>> : List<std::vector<T...>> {};
template <class... T> struct Codec<std::deque<T...>> : List<std::deque<T...>> {};
template <class... T> struct Codec<std::list<T...>> : List<std::list<T...>> {};
template <class T, std::size_t N> struct Codec<std::array<T, N>> : List<std::array<T, N>> {};
template <class... T> struct Codec<std::set<T...>> : Set<std::set<T...>> {};
template <class... T> struct Codec<std::unordered_set<T...>> : Set<std::unordered_set<T...>> {};
template <class... T> struct Codec<std::map<T...>> : Map<std::map<T...>> {};
template <class... T> struct Codec<std::unordered_map<T...>> : Map<std::unordered_map<T...>> {};

template <class A, class B> struct Codec<std::pair<A, B>> {
    static void write(std::string& out, const std::pair<A, B>& value) {
        out += '[';
        microcoder::write<typename std::remove_const<A>::type>(out, value.first);
        out += ',';
        microcoder::write<B>(out, value.second);
        out += ']';
    }
};
template <class T, std::size_t I> struct Tail {
    static void write(std::string& out, const T& value) {
        Tail<T, I - 1>::write(out, value);
        out += I > 1 ? "," : "";
        microcoder::write<typename std::tuple_element<I - 1, T>::type>(out, std::get<I - 1>(value));
    }
};
template <class T> struct Tail<T, 0> {
    static void write(std::string&, const T&) {}
};
template <class... T> struct Codec<std::tuple<T...>> {
    static void write(std::string& out, const std::tuple<T...>& value) {
        out += '[';
        Tail<std::tuple<T...>, sizeof...(T)>::write(out, value);
        out += ']';
    }
};
#if __cplusplus >= 201703L
template <class T> struct Codec<std::optional<T>> {
    static void write(std::string& out, const std::optional<T>& value) {
        if (value) microcoder::write<T>(out, *value);
        else out += "null";
    }
};
#endif

template <class T> void report(const T& value) {
    std::string data = "\n\x1eV";
    write<typename std::decay<T>::type>(data, value);
    std::fflush(nullptr);
    for (std::size_t start = 0; start < data.size();) {
        ssize_t count = ::write(1, data.data() + start, data.size() - start);
        if (count <= 0) _exit(3);
        start += count;
    }
    _exit(0);
}

}  // namespace microcoder
