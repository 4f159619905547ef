"""One-line families about single numbers; see tables.py for the notation."""

TABLE = """
# linear
twice_plus_one(n: int) -> int
  Double n and add one.
  = 2 * n + 1
  ! 2 * (n + 1) if n > 9 else 2 * n + 1
three_less(n: int) -> int
  Subtract three from n, then multiply the result by two.
  = (n - 3) * 2
  ! n - 3 * 2
# squares
square_minus(n: int) -> int
  Return the square of n, less n itself.
  = n * n - n
  ! n * 2 - n
sum_of_two_squares(a: int, b: int) -> int
  Square both numbers and add the results.
  = a ** 2 + b ** 2
  ! (a + b) ** 2
difference_squared(a: int, b: int) -> int
  Return the square of the difference of the numbers.
  = (a - b) ** 2
  ! a ** 2 - b ** 2
# parity
is_odd(n: int) -> bool
  Is n an odd number?
  = n % 2 == 1
  ! n % 2 == 1 and n > 0
both_even(a: int, b: int) -> bool
  Return True only when the two numbers are both even.
  = a % 2 == 0 and b % 2 == 0
  ! (a + b) % 2 == 0
same_parity(a: int, b: int) -> bool
  Are the numbers both even or both odd?
  = a % 2 == b % 2
  ! a % 2 == 0 and b % 2 == 0
# divisibility
divisible_by_three(n: int) -> bool
  Can n be divided by three without a remainder?
  = n % 3 == 0
  ! n % 9 == 0
is_multiple(a: nat, b: digit) -> bool
  Tell whether a is a multiple of b.
  = a % b == 0
  ! a // b > 1
fizz_or_buzz(n: pos) -> bool
  Is n divisible by three or by five?
  = n % 3 == 0 or n % 5 == 0
  ! n % 15 == 0
# quotient
full_boxes(items: nat, size: digit) -> int
  Boxes hold size items each. How many boxes can be filled completely?
  = items // size
  ! (items + size - 1) // size
boxes_needed(items: nat, size: digit) -> int
  How many boxes of the given size are needed so that all items have a place?
  = (items + size - 1) // size
  ! items // size + 1
left_over(items: nat, size: digit) -> int
  What remains when the items are packed into full boxes of that size?
  = items % size
  ! items - size if items > size else items
# sign
sign_word(n: int) -> str
  Return "minus" for a negative number and "plus" for any other.
  = "minus" if n < 0 else "plus"
  ! "minus" if n <= 0 else "plus"
opposite_signs(a: int, b: int) -> bool
  Is one of the numbers negative and the other positive?
  = a * b < 0
  ! a * b <= 0
# distance
distance(a: int, b: int) -> int
  How far apart are the two numbers on the number line?
  = abs(a - b)
  ! a - b
distance_from_ten(n: int) -> int
  Return the absolute difference between n and ten.
  = abs(n - 10)
  ! n - 10
# max-of-two
larger(a: int, b: int) -> int
  Return the larger one of two numbers.
  = max(a, b)
  ! b
larger_doubled(a: int, b: int) -> int
  Take the bigger of the two numbers and double it.
  = 2 * max(a, b)
  ! 2 * a
# of-three
largest_of_three(a: int, b: int, c: int) -> int
  Which of the three numbers is the greatest? Return it.
  = max(a, b, c)
  ! max(a, b)
middle_of_three(a: int, b: int, c: int) -> int
  Return the number that is in the middle when the three are sorted.
  = sorted([a, b, c])[1]
  ! b
all_three_equal(a: bit, b: bit, c: bit) -> bool
  Do a, b and c all have the same value?
  = a == b == c
  ! a == b
# range-check
between(n: int, low: int, high: int) -> bool
  Does n lie between low and high, both included?
  = low <= n <= high
  ! low < n < high
outside_teens(n: int) -> bool
  Return True unless n is one of 13, 14, 15, 16, 17, 18, 19.
  = n < 13 or n > 19
  ! n < 10 or n > 19
# clamp
at_least_zero(n: int) -> int
  Return n, but zero in place of a negative number.
  = max(n, 0)
  ! abs(n)
at_most(n: int, limit: int) -> int
  Return n unless it exceeds the limit; then return the limit.
  = min(n, limit)
  ! limit
clamp(n: int) -> int
  Limit n to the range from 0 to 20: below it becomes 0, above it becomes 20.
  = max(0, min(20, n))
  ! min(20, n)
# last-digit
last_digit(n: big) -> int
  Return the rightmost digit of n.
  = n % 10
  ! n // 10
without_last_digit(n: big) -> int
  Return the number that is left when the rightmost digit is cut off; a single digit leaves 0.
  = n // 10
  ! n % 10
# digit-sum
digit_sum(n: big) -> int
  Add up all decimal digits of n.
  = sum(int(d) for d in str(n))
  ! n // 10 + n % 10
number_of_digits(n: big) -> int
  With how many digits is n written?
  = len(str(n))
  ! len(set(str(n)))
  ! len(str(n * 2))
# digit-tests
contains_seven(n: big) -> bool
  Does the digit 7 occur in n?
  = "7" in str(n)
  ! n % 10 == 7
  ! n // 10 % 10 == 7
reads_same_backwards(n: big) -> bool
  Is the decimal form of n equal to its reverse?
  = str(n) == str(n)[::-1]
  ! str(n)[0] == str(n)[-1]
# digit-changes
reverse_digits(n: big) -> int
  Write the digits of n in the opposite order and return this number.
  = int(str(n)[::-1])
  ! int("".join(sorted(str(n), reverse=True)))
largest_digit(n: big) -> int
  Return the greatest of the digits of n.
  = max(int(d) for d in str(n))
  ! n % 10
append_zero(n: nat) -> int
  Return the number that arises when a 0 is written behind n.
  = n * 10
  ! n * 10 if n else 1
# sums-to-n
sum_to(n: nat) -> int
  Return 1 + 2 + ... + n.
  = n * (n + 1) // 2
  ! n * (n - 1) // 2
sum_of_evens_to(n: nat) -> int
  Add all even numbers from 0 to n, including n if it is even.
  = sum(range(0, n + 1, 2))
  ! sum(range(0, n, 2))
# countdown
count_up(n: nat) -> list[int]
  List the numbers from 1 to n.
  = list(range(1, n + 1))
  ! list(range(1, n))
countdown(n: small) -> list[int]
  Return the numbers n, n - 1, and so on down to 0.
  = list(range(n, -1, -1))
  ! list(range(n, -1, -1)) if n else []
# first-multiples
multiples(n: pos, count: small) -> list[int]
  Return the first count multiples of n, beginning with n itself.
  = [n * i for i in range(1, count + 1)]
  ! [n * i for i in range(count)]
squares_below(n: small) -> list[int]
  List the squares of 0, 1, 2, up to n - 1.
  = [i * i for i in range(n)]
  ! [i * i for i in range(1, n)]
# divisors
divisors(n: pos) -> list[int]
  Return all divisors of n in increasing order, 1 and n among them.
  = [d for d in range(1, n + 1) if n % d == 0]
  ! [1, n] if n > 1 else [1]
divisor_count(n: pos) -> int
  How many whole numbers from 1 to n divide n?
  = sum(n % d == 0 for d in range(1, n + 1))
  ! 2 - (n == 1)
is_prime(n: pos) -> bool
  Is n a prime number?
  = n > 1 and all(n % d for d in range(2, n))
  ! all(n % d for d in range(2, n))
# clock
minutes(hours: nat, rest: nat) -> int
  Convert hours and a rest of minutes to minutes.
  = hours * 60 + rest
  ! (hours + rest) * 60
full_hours(minutes: big) -> int
  How many complete hours are in that many minutes?
  = minutes // 60
  ! -(-minutes // 60)
seconds_in_days(days: nat) -> int
  Return the number of seconds in the given number of days.
  = days * 24 * 60 * 60
  ! days * 24 * 60
# calendar
is_leap(year: year) -> bool
  Leap years can be divided by 4, but not by 100 unless they can be divided by 400. Is it one?
  = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
  ! year % 4 == 0
century_year(year: year) -> bool
  Does the year end with two zeros?
  = year % 100 == 0
  ! year % 10 == 0
days_to_weeks(days: nat) -> int
  How many whole weeks fit into the days?
  = days // 7
  ! days // 6
# money
price_with_tip(price: nat) -> int
  Add five coins of tip to the price, but nothing if the price is 0.
  = price + 5 if price > 0 else 0
  ! price + 5
change(paid: pos, price: pos) -> int
  How much change is due? If too little was paid, the answer is 0.
  = max(0, paid - price)
  ! paid - price
total_cost(count: nat, price: nat) -> int
  What do count tickets cost at that price each, plus a fee of 2 for the order?
  = count * price + 2
  ! count * (price + 2)
# rectangle
perimeter(width: pos, height: pos) -> int
  Return the perimeter of a rectangle.
  = 2 * (width + height)
  ! 2 * width + height if width > 9 else 2 * (width + height)
is_square(width: digit, height: digit) -> bool
  Is the rectangle a square?
  = width == height
  ! width >= height
area_difference(width: pos, height: pos) -> int
  By how much does the area of the rectangle exceed 10? The result may be negative.
  = width * height - 10
  ! abs(width * height - 10)
# triangle
can_be_triangle(a: digit, b: digit, c: digit) -> bool
  A triangle exists if each side is shorter than the other two together. Does one exist?
  = a + b > c and b + c > a and a + c > b
  ! a + b > c
isosceles(a: digit, b: digit, c: digit) -> bool
  Are at least two of the three sides equally long?
  = a == b or b == c or a == c
  ! a == b or b == c
# powers
power(base: small, exponent: small) -> int
  Raise base to the exponent.
  = base ** exponent
  ! base * exponent
bits_needed(n: pos) -> int
  With how many binary digits is n written?
  = n.bit_length()
  ! n // 2 + 1
powers_of_two(n: small) -> list[int]
  Return the powers of two from 2 ** 0 up to, not including, 2 ** n.
  = [2 ** i for i in range(n)]
  ! [2 ** i for i in range(1, n + 1)]
# average
floor_average(a: int, b: int) -> int
  Return the mean of a and b, rounded down to a whole number.
  = (a + b) // 2
  ! a + b // 2
exact_average(a: int, b: int) -> float
  Return the mean of a and b as a float.
  = (a + b) / 2
  ! (a + b) // 2 * 1.0
# number-text
with_unit(n: nat) -> str
  Write the number and then the unit " km".
  = f"{n} km"
  ! f"{n:02d} km"
binary_form(n: nat) -> str
  Return n in base two as a text of zeros and ones.
  = format(n, "b")
  ! format(n, "06b")
with_sign(n: int) -> str
  Write n with a sign in front always, so 5 becomes "+5" and 0 becomes "+0".
  = f"{n:+d}"
  ! str(n)
# text-number
text_to_int_plus_one(digits: digits) -> int
  Read the digits as a number and return its successor.
  = int(digits) + 1
  ! int(digits[-1]) + 1
  ! int(digits.lstrip("0") or 1) + 1
digits_total(digits: digits) -> int
  Return the sum of the digits of the text.
  = sum(int(d) for d in digits)
  ! sum(int(d) for d in set(digits))
digit_list(digits: digits) -> list[int]
  Turn the text into the list of its digits as integers.
  = [int(d) for d in digits]
  ! [int(d) for d in sorted(digits)]
  ! [int(d) for d in digits[:4]]
# common-divisor
greatest_common_divisor(a: pos, b: pos) -> int
  Return the greatest whole number that divides both a and b.
  = math.gcd(a, b)
  ! min(a, b)
no_common_divisor(a: pos, b: pos) -> bool
  Is 1 the only positive number that divides both a and b?
  = math.gcd(a, b) == 1
  ! a % b != 0 and b % a != 0
# rounding
round_down_to_ten(n: nat) -> int
  Round n down to a multiple of ten.
  = n // 10 * 10
  ! round(n / 10) * 10
next_even(n: int) -> int
  Return n if it is even, otherwise the number after it.
  = n if n % 2 == 0 else n + 1
  ! n + 1
round_up_to_five(n: nat) -> int
  Return the smallest multiple of five that is not below n.
  = (n + 4) // 5 * 5
  ! n // 5 * 5 + 5
"""
