// Writes a value, and ends the process with it (wire.py). C++11.
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <iostream>
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
#include <string_view>
#endif
namespace microcoder {

[[noreturn]] inline void finish(const std::string& report) {
    std::cout.flush();
    std::fflush(nullptr);
    std::string data = "\n\x1e" + report;
    for (std::size_t start = 0; start < data.size();) {
        ssize_t count = ::write(1, data.data() + start, data.size() - start);
        if (count <= 0) _exit(3);
        start += count;
    }
    _exit(0);
}

template <class T, class = void> struct Writer {
    static_assert(sizeof(T) == 0, "a value of this type has no plain form");
    static void write(std::string&, const T&);
};
template <class T> void write(std::string& out, const T& value) { Writer<T>::write(out, value); }

template <> struct Writer<std::string> {
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
template <> struct Writer<char> {
    static void write(std::string& out, char value) { microcoder::write(out, std::string(1, value)); }
};
template <> struct Writer<const char*> {
    static void write(std::string& out, const char* value) { microcoder::write(out, std::string(value)); }
};
template <> struct Writer<bool> {
    static void write(std::string& out, bool value) { out += value ? "true" : "false"; }
};
template <class T> struct Writer<T, typename std::enable_if<std::is_integral<T>::value>::type> {
    static void write(std::string& out, T value) { out += std::to_string(value); }
};
template <class T> struct Writer<T, typename std::enable_if<std::is_floating_point<T>::value>::type> {
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
template <class S> struct ListWriter {
    static void write(std::string& out, const S& value) { write_items(out, value); }
};
template <class S> struct SetWriter {
    static void write(std::string& out, const S& value) {
        out += "{\"$set\":";
        write_items(out, value);
        out += '}';
    }
};
template <class M> struct MapWriter {
    static void write(std::string& out, const M& value) {
        out += "{\"$dict\":";
        write_items(out, value);
        out += '}';
    }
};
template <class... T> struct Writer<std::vector<T...>> : ListWriter<std::vector<T...>> {};
template <class... T> struct Writer<std::deque<T...>> : ListWriter<std::deque<T...>> {};
template <class... T> struct Writer<std::list<T...>> : ListWriter<std::list<T...>> {};
template <class T, std::size_t N> struct Writer<std::array<T, N>> : ListWriter<std::array<T, N>> {};
template <class... T> struct Writer<std::multiset<T...>> : ListWriter<std::multiset<T...>> {};
template <class... T> struct Writer<std::set<T...>> : SetWriter<std::set<T...>> {};
template <class... T> struct Writer<std::unordered_set<T...>> : SetWriter<std::unordered_set<T...>> {};
template <class... T> struct Writer<std::map<T...>> : MapWriter<std::map<T...>> {};
template <class... T> struct Writer<std::unordered_map<T...>> : MapWriter<std::unordered_map<T...>> {};

template <class A, class B> struct Writer<std::pair<A, B>> {
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
template <class... T> struct Writer<std::tuple<T...>> {
    static void write(std::string& out, const std::tuple<T...>& value) {
        out += '[';
        Tail<std::tuple<T...>, sizeof...(T)>::write(out, value);
        out += ']';
    }
};
#if __cplusplus >= 201703L
template <> struct Writer<std::string_view> {
    static void write(std::string& out, std::string_view value) { microcoder::write(out, std::string(value)); }
};
template <class T> struct Writer<std::optional<T>> {
    static void write(std::string& out, const std::optional<T>& value) {
        if (value) microcoder::write<T>(out, *value);
        else out += "null";
    }
};
#endif

}  // namespace microcoder
