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

template <class T> void report(const T& value) {
    std::string out = "V";
    write<typename std::decay<T>::type>(out, value);
    finish(out);
}

}  // namespace microcoder
