#pragma once

constexpr int ACCEPTED = 42;
constexpr int WRONG_ANSWER = 43;
