// Between the program and its tests, after write.cpp: says which value is asked for, and writes it. C++11.
namespace microcoder {

inline bool is(int number) {
    static int wanted = -1;
    if (wanted < 0) {
        char text[16] = {0};
        wanted = ::read(0, text, sizeof text - 1) > 0 ? std::atoi(text) : 0;
    }
    return number == wanted;
}

template <class T, bool is_wrapped> struct Comparable { typedef T type; };
template <class T> struct Comparable<T, true> { typedef typename std::make_signed<T>::type type; };

// What T becomes where it is compared with a literal of type L. Where that makes the literal
// unsigned, too, the result is signed, as -1 stays -1 outside.
template <class T, class L> struct Compared {
    typedef decltype(+(true ? std::declval<T>() : std::declval<L>())) Common;
    typedef typename Comparable<Common, std::is_unsigned<Common>::value && std::is_signed<L>::value>::type type;
};
template <class T> struct IsNumber {
    static const bool value = std::is_arithmetic<T>::value
        || (std::is_enum<T>::value && std::is_convertible<T, int>::value);
};
template <class L, class T> typename std::enable_if<IsNumber<T>::value, Compared<T, L>>::type::type convert(T value) {
    typedef typename Compared<T, L>::Common Common;
    // A long double between two doubles equals neither.
    bool is_between = std::is_same<Common, long double>::value && static_cast<double>(value) != value;
    return is_between ? static_cast<Common>(NAN) : static_cast<Common>(value);
}
template <class L, class T> typename std::enable_if<!IsNumber<T>::value, T>::type convert(T value) { return value; }

template <class T> void report(const T& value) {
    std::string out = "V";
    write<typename std::decay<T>::type>(out, value);
    finish(out);
}

}  // namespace microcoder
