"""Test code in C++, Go, Java, JavaScript and Rust, whose assertions become reported values."""
