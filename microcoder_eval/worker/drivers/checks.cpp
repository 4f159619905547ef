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

template <class Type, bool is_wrapped> struct Comparable { typedef Type type; };
template <class Type> struct Comparable<Type, true> { typedef typename std::make_signed<Type>::type type; };

// What T becomes where it is compared with a literal of type L. Where that makes the literal
// unsigned, too, the result is signed, as -1 stays -1 outside.
template <class Type, class Literal> struct Compared {
    typedef decltype(+(true ? std::declval<Type>() : std::declval<Literal>())) Common;
    typedef typename Comparable<Common, std::is_unsigned<Common>::value && std::is_signed<Literal>::value>::type type;
};
template <class Type> struct IsNumber {
    static const bool value = std::is_arithmetic<Type>::value
        || (std::is_enum<Type>::value && std::is_convertible<Type, int>::value);
};
template <class Literal, class Type> typename std::enable_if<IsNumber<Type>::value, Compared<Type, Literal>>::type::type convert(Type value) {
    typedef typename Compared<Type, Literal>::Common Common;
    // A long double between two doubles equals neither.
    bool is_between = std::is_same<Common, long double>::value && static_cast<double>(value) != value;
    return is_between ? static_cast<Common>(NAN) : static_cast<Common>(value);
}
template <class Literal, class Type> typename std::enable_if<!IsNumber<Type>::value, Type>::type convert(Type value) { return value; }

template <class Type> void report(const Type& value) {
    std::string out = "V";
    write<typename std::decay<Type>::type>(out, value);
    finish(out);
}

}  // namespace microcoder
