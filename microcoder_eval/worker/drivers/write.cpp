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

template <class Type, class = void> struct Writer {
    static_assert(sizeof(Type) == 0, "a value of this type has no plain form");
    static void write(std::string&, const Type&);
};
template <class Type> void write(std::string& out, const Type& value) { Writer<Type>::write(out, value); }

template <> struct Writer<std::string> {
    static void write(std::string& out, const std::string& value) {
        char code[8];
        out += '"';
        for (unsigned char character : value) {
            if (character == '"' || character == '\\') out += '\\';
            if (character >= 32) { out += character; continue; }
            std::snprintf(code, sizeof code, "\\u%04x", character);
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
template <class Type> struct Writer<Type, typename std::enable_if<std::is_integral<Type>::value>::type> {
    static void write(std::string& out, Type value) { out += std::to_string(value); }
};
template <class Type> struct Writer<Type, typename std::enable_if<std::is_floating_point<Type>::value>::type> {
    static void write(std::string& out, Type value) {
        char text[48];
        std::snprintf(text, sizeof text, "%.17g", static_cast<double>(value));
        bool is_finite = std::isfinite(value);
        out += is_finite ? text : std::string("{\"$float\":\"") + (text[0] == '-' && value == value ? "-" : "")
            + (value == value ? "inf" : "nan") + "\"}";
        if (is_finite && std::string(text).find_first_of(".e") == std::string::npos) out += ".0";
    }
};

template <class Items> void write_items(std::string& out, const Items& items) {
    bool is_first = true;
    out += '[';
    for (const typename Items::value_type& item : items) {
        if (!is_first) out += ',';
        is_first = false;
        write<typename Items::value_type>(out, item);
    }
    out += ']';
}
template <class Items> struct ListWriter {
    static void write(std::string& out, const Items& value) { write_items(out, value); }
};
template <class Items> struct SetWriter {
    static void write(std::string& out, const Items& value) {
        out += "{\"$set\":";
        write_items(out, value);
        out += '}';
    }
};
template <class Table> struct MapWriter {
    static void write(std::string& out, const Table& value) {
        out += "{\"$dict\":";
        write_items(out, value);
        out += '}';
    }
};
template <class... Type> struct Writer<std::vector<Type...>> : ListWriter<std::vector<Type...>> {};
template <class... Type> struct Writer<std::deque<Type...>> : ListWriter<std::deque<Type...>> {};
template <class... Type> struct Writer<std::list<Type...>> : ListWriter<std::list<Type...>> {};
template <class Type, std::size_t Size> struct Writer<std::array<Type, Size>> : ListWriter<std::array<Type, Size>> {};
template <class... Type> struct Writer<std::multiset<Type...>> : ListWriter<std::multiset<Type...>> {};
template <class... Type> struct Writer<std::set<Type...>> : SetWriter<std::set<Type...>> {};
template <class... Type> struct Writer<std::unordered_set<Type...>> : SetWriter<std::unordered_set<Type...>> {};
template <class... Type> struct Writer<std::map<Type...>> : MapWriter<std::map<Type...>> {};
template <class... Type> struct Writer<std::unordered_map<Type...>> : MapWriter<std::unordered_map<Type...>> {};

template <class First, class Second> struct Writer<std::pair<First, Second>> {
    static void write(std::string& out, const std::pair<First, Second>& value) {
        out += '[';
        microcoder::write<typename std::remove_const<First>::type>(out, value.first);
        out += ',';
        microcoder::write<Second>(out, value.second);
        out += ']';
    }
};
template <class Type, std::size_t Index> struct Tail {
    static void write(std::string& out, const Type& value) {
        Tail<Type, Index - 1>::write(out, value);
        out += Index > 1 ? "," : "";
        microcoder::write<typename std::tuple_element<Index - 1, Type>::type>(out, std::get<Index - 1>(value));
    }
};
template <class Type> struct Tail<Type, 0> {
    static void write(std::string&, const Type&) {}
};
template <class... Type> struct Writer<std::tuple<Type...>> {
    static void write(std::string& out, const std::tuple<Type...>& value) {
        out += '[';
        Tail<std::tuple<Type...>, sizeof...(Type)>::write(out, value);
        out += ']';
    }
};
#if __cplusplus >= 201703L
template <> struct Writer<std::string_view> {
    static void write(std::string& out, std::string_view value) { microcoder::write(out, std::string(value)); }
};
template <class Type> struct Writer<std::optional<Type>> {
    static void write(std::string& out, const std::optional<Type>& value) {
        if (value) microcoder::write<Type>(out, *value);
        else out += "null";
    }
};
#endif

}  // namespace microcoder
