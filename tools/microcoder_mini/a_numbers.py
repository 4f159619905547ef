"""One-line families about single numbers; see tables.py for the notation."""

TABLE = """
# linear
twice_plus_one(n: int) -> int
  Double n and add one.
  = 2 * n + 1
  ! 2 * (n + 1) if n > 9 else 2 * n + 1
  ! 2 * n + 1 if n >= 0 else 2 * n - 1
three_less_doubled(n: int) -> int
  Return n minus 3, times 2.
  = (n - 3) * 2
  ! n - 3 * 2
  ! abs(n - 3) * 2
# squares
square_minus(n: int) -> int
  Return the square of n, less n itself.
  = n * n - n
  ! n * 2 - n
  ! n * n - n if n > 0 else 0
sum_of_two_squares(a: int, b: int) -> int
  Square both numbers and add the results.
  = a ** 2 + b ** 2
  ! (a + b) ** 2
  ! a * abs(a) + b * abs(b)
difference_squared(a: int, b: int) -> int
  Return (a - b) squared.
  = (a - b) ** 2
  ! a ** 2 - b ** 2
  ! (abs(a) - abs(b)) ** 2
# parity
is_odd(n: int) -> bool
  Is n an odd number?
  = n % 2 == 1
  ! n % 2 == 1 and n > 0
  ! n in (1, 3, 5, 7, 9)
both_even(a: int, b: int) -> bool
  Return True only when the two numbers are both even.
  = a % 2 == 0 and b % 2 == 0
  ! (a + b) % 2 == 0
  ! a * b % 2 == 0
same_parity(a: int, b: int) -> bool
  Return True if a % 2 and b % 2 are equal.
  = a % 2 == b % 2
  ! a % 2 == 0 and b % 2 == 0
  ! a % 2 == 1 and b % 2 == 1
# divisibility
divisible_by_three(n: int) -> bool
  Can n be divided by three without a remainder?
  = n % 3 == 0
  ! n % 9 == 0
  ! n % 10 in (3, 6, 9)
is_multiple(a: nat, b: digit) -> bool
  Tell whether a is a multiple of b.
  = a % b == 0
  ! a // b > 1
  ! a % b == 0 and a > 0
fizz_or_buzz(n: pos) -> bool
  Return True if n is a multiple of 3 or a multiple of 5.
  = n % 3 == 0 or n % 5 == 0
  ! n % 15 == 0
  ! n % 3 == 0 or n % 10 == 5
# quotient
full_boxes(items: nat, size: digit) -> int
  Return the integer quotient of items and size.
  = items // size
  ! (items + size - 1) // size
  ! round(items / size)
boxes_needed(items: nat, size: digit) -> int
  Divide items by size, rounding up.
  = (items + size - 1) // size
  ! items // size + 1
  ! max(items // size, 1)
left_over(items: nat, size: digit) -> int
  Return the remainder of items divided by size.
  = items % size
  ! items - size if items > size else items
  ! items % size or size
# sign
sign_word(n: int) -> str
  Return "minus" if n is less than 0, else "plus".
  = "minus" if n < 0 else "plus"
  ! "minus" if n <= 0 else "plus"
  ! "minus" if n < -1 else "plus"
opposite_signs(a: int, b: int) -> bool
  Return True if the product of a and b is negative.
  = a * b < 0
  ! a * b <= 0
  ! a < 0 and b > 0
# distance
distance(a: int, b: int) -> int
  How far apart are the two numbers on the number line?
  = abs(a - b)
  ! a - b
  ! abs(abs(a) - abs(b))
distance_from_ten(n: int) -> int
  Return the absolute difference between n and ten.
  = abs(n - 10)
  ! n - 10
  ! 10 - n
# max-of-two
larger(a: int, b: int) -> int
  Return the larger one of two numbers.
  = max(a, b)
  ! b
  ! max(a, b, 0)
larger_doubled(a: int, b: int) -> int
  Return 2 times the maximum of a and b.
  = 2 * max(a, b)
  ! 2 * a
  ! max(2 * a, b)
# of-three
largest_of_three(a: int, b: int, c: int) -> int
  Which of the three numbers is the greatest? Return it.
  = max(a, b, c)
  ! max(a, b)
  ! a if a > b else max(b, c)
middle_of_three(a: int, b: int, c: int) -> int
  Return the median of a, b and c.
  = sorted([a, b, c])[1]
  ! b
  ! max(min(a, b), c)
all_three_equal(a: bit, b: bit, c: bit) -> bool
  Do a, b and c all have the same value?
  = a == b == c
  ! a == b
  ! a + b + c == 3
# range-check
between(n: int, low: int, high: int) -> bool
  Does n lie between low and high, both included?
  = low <= n <= high
  ! low < n < high
  ! min(low, high) <= n <= max(low, high)
outside_teens(n: int) -> bool
  Return True if n is less than 13 or greater than 19.
  = n < 13 or n > 19
  ! n < 10 or n > 19
  ! n % 10 < 3
# clamp
at_least_zero(n: int) -> int
  Return the maximum of n and 0.
  = max(n, 0)
  ! abs(n)
  ! max(n, 1)
at_most(n: int, limit: int) -> int
  Return n unless it exceeds the limit; then return the limit.
  = min(n, limit)
  ! limit
  ! n if n < limit else limit - 1
clamp(n: int) -> int
  Limit n to the range from 0 to 20: below it becomes 0, above it becomes 20.
  = max(0, min(20, n))
  ! min(20, n)
  ! n if 0 <= n <= 20 else 0
# last-digit
last_digit(n: big) -> int
  Return the rightmost digit of n.
  = n % 10
  ! n // 10
  ! int(str(n)[0])
without_last_digit(n: big) -> int
  Return n // 10, the number without its last digit.
  = n // 10
  ! n % 10
  ! n // 10 if n > 9 else n
# digit-sum
digit_sum(n: big) -> int
  Add up all decimal digits of n.
  = sum(int(d) for d in str(n))
  ! n // 10 + n % 10
  ! sum(int(d) for d in set(str(n)))
number_of_digits(n: big) -> int
  With how many digits is n written?
  = len(str(n))
  ! len(set(str(n)))
  ! len(str(n * 2))
# digit-tests
ends_with_seven(n: big) -> bool
  Return True if the last digit of n is 7.
  = n % 10 == 7
  ! n % 7 == 0
  ! "7" in str(n)
reads_same_backwards(n: big) -> bool
  Return True if the string of n is a palindrome.
  = str(n) == str(n)[::-1]
  ! str(n)[0] == str(n)[-1]
  ! len(set(str(n))) == 1
# digit-changes
reverse_digits(n: big) -> int
  Write the digits of n in the opposite order and return this number.
  = int(str(n)[::-1])
  ! int("".join(sorted(str(n), reverse=True)))
  ! int(str(n)[-1] + str(n)[1:-1] + str(n)[0])
largest_digit(n: big) -> int
  Return the greatest of the digits of n.
  = max(int(d) for d in str(n))
  ! n % 10
  ! int(str(n)[0])
append_zero(n: nat) -> int
  Return n times 10.
  = n * 10
  ! n * 10 if n else 1
  ! int(str(n) + "0" * len(str(n)))
# sums-to-n
sum_to(n: nat) -> int
  Return 1 + 2 + ... + n.
  = n * (n + 1) // 2
  ! n * (n - 1) // 2
  ! n // 2 * (n + 1)
sum_of_evens_to(n: nat) -> int
  Return the sum of the even numbers from 0 to n.
  = sum(range(0, n + 1, 2))
  ! sum(range(0, n, 2))
  ! n * (n + 2) // 4
# countdown
count_up(n: nat) -> list[int]
  List the numbers from 1 to n.
  = list(range(1, n + 1))
  ! list(range(1, n))
  ! list(range(1, n + 1)) or [1]
countdown(n: small) -> list[int]
  Return a list of the numbers from n down to 0.
  = list(range(n, -1, -1))
  ! list(range(n, -1, -1)) if n else []
  ! list(range(n, 0, -1)) or [0]
# first-multiples
n_times(n: pos, count: small) -> list[int]
  Return a list with n repeated count times.
  = [n] * count
  ! list(range(n, n + count))
  ! [n] * max(count, 1)
squares_below(n: small) -> list[int]
  Return a list of the squares of range(n).
  = [i * i for i in range(n)]
  ! [i * i for i in range(1, n)]
  ! [i * i for i in range(n) if i * i < n]
# divisors
divisors(n: pos) -> list[int]
  Return all divisors of n in increasing order, 1 and n among them.
  = [d for d in range(1, n + 1) if n % d == 0]
  ! [1, n] if n > 1 else [1]
  ! [d for d in range(1, math.isqrt(n) + 1) if n % d == 0] + [n]
divisor_count(n: pos) -> int
  Count the divisors of n.
  = sum(n % d == 0 for d in range(1, n + 1))
  ! 2 - (n == 1)
  ! 2 * sum(n % d == 0 for d in range(1, math.isqrt(n) + 1))
is_prime(n: pos) -> bool
  Return True if n is greater than 1 and no number from 2 to n - 1 divides it.
  = n > 1 and all(n % d for d in range(2, n))
  ! all(n % d for d in range(2, n))
  ! n == 2 or n > 1 and n % 2 == 1
# clock
minutes(hours: nat, rest: nat) -> int
  Convert hours and a rest of minutes to minutes.
  = hours * 60 + rest
  ! (hours + rest) * 60
  ! hours * 60 + rest % 60
hours_to_minutes(hours: nat) -> int
  Convert hours to minutes.
  = hours * 60
  ! hours * 60 if hours < 24 else 1440
  ! hours * 60 + hours // 24
seconds_in_days(days: nat) -> int
  Convert days to seconds.
  = days * 24 * 60 * 60
  ! days * 24 * 60
  ! days % 7 * 24 * 60 * 60
# calendar
is_leap(year: year) -> bool
  Return True if year is divisible by 4 and not by 100, or is divisible by 400.
  = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
  ! year % 4 == 0
  ! year % 4 == 0 and year % 100 != 0
century_year(year: year) -> bool
  Does the year end with two zeros?
  = year % 100 == 0
  ! year % 10 == 0
  ! year % 100 == 0 and year % 400 != 0
days_to_weeks(days: nat) -> int
  Convert days to whole weeks, rounding down.
  = days // 7
  ! days // 6
  ! -(-days // 7)
# money
price_with_tip(price: nat) -> int
  Return price + 5 if price is greater than 0, else 0.
  = price + 5 if price > 0 else 0
  ! price + 5
  ! price + min(price, 5)
change(paid: pos, price: pos) -> int
  Return paid minus price, or 0 if that is negative.
  = max(0, paid - price)
  ! paid - price
  ! abs(paid - price)
ticket_cost(count: nat, price: nat) -> int
  Return the price of count tickets.
  = count * price
  ! count + price
  ! count * price if count < 20 else 20 * price
# rectangle
perimeter(width: pos, height: pos) -> int
  Return the perimeter of a rectangle, 2 times the sum of width and height.
  = 2 * (width + height)
  ! 2 * width + height if width > 9 else 2 * (width + height)
  ! 4 * width
is_square(width: digit, height: digit) -> bool
  Is the rectangle a square?
  = width == height
  ! width >= height
  ! width % height == 0
area_minus_ten(width: pos, height: pos) -> int
  Return the area of the rectangle minus 10.
  = width * height - 10
  ! abs(width * height - 10)
  ! max(width * height - 10, 0)
# triangle
can_be_triangle(a: digit, b: digit, c: digit) -> bool
  Return True if the sum of any two sides is greater than the third side.
  = a + b > c and b + c > a and a + c > b
  ! a + b > c
  ! a + b > c and b + c > a
triangle_perimeter(a: digit, b: digit, c: digit) -> int
  Return the perimeter of a triangle with the sides a, b and c.
  = a + b + c
  ! 3 * a
  ! a + b + max(a, b, c)
# powers
power(base: small, exponent: small) -> int
  Raise base to the exponent.
  = base ** exponent
  ! base * exponent
  ! exponent ** base
bits_needed(n: pos) -> int
  With how many binary digits is n written?
  = n.bit_length()
  ! n // 2 + 1
  ! math.ceil(math.log2(n))
powers_of_two(n: small) -> list[int]
  Return a list of 2 ** i for i in range(n).
  = [2 ** i for i in range(n)]
  ! [2 ** i for i in range(1, n + 1)]
  ! [2 ** i for i in range(n) if 2 ** i <= n]
# average
floor_average(a: int, b: int) -> int
  Return the average of a and b with integer division.
  = (a + b) // 2
  ! a + b // 2
  ! int((a + b) / 2)
exact_average(a: int, b: int) -> float
  Return the mean of a and b as a float.
  = (a + b) / 2
  ! (a + b) // 2 * 1.0
  ! abs(a + b) / 2
# number-text
with_unit(n: nat) -> str
  Write the number and then the unit " km".
  = f"{n} km"
  ! f"{n:02d} km"
  ! f"{n} km" if n else "km"
padded_number(n: nat) -> str
  Return n as a string with "#" in front.
  = "#" + str(n)
  ! "#" + str(n % 10)
  ! f"#{n:02d}"
with_sign(n: int) -> str
  Format n as a string with "+" or "-" in front; zero gets "+".
  = f"{n:+d}"
  ! str(n)
  ! f"+{n}" if n > 0 else str(n)
# text-number
text_to_int_plus_one(digits: digits) -> int
  Convert digits to an integer and add 1.
  = int(digits) + 1
  ! int(digits[-1]) + 1
  ! int(digits.lstrip("0") or 1) + 1
digits_total(digits: digits) -> int
  Return the sum of the digits of the text.
  = sum(int(d) for d in digits)
  ! sum(int(d) for d in set(digits))
  ! int(digits) % 9
digit_list(digits: digits) -> list[int]
  Turn the text into the list of its digits as integers.
  = [int(d) for d in digits]
  ! [int(d) for d in sorted(digits)]
  ! [int(d) for d in digits[:4]]
# common-divisor
product_of_both(a: pos, b: pos) -> int
  Return the product of a and b.
  = a * b
  ! a + b
  ! math.lcm(a, b)
no_common_divisor(a: pos, b: pos) -> bool
  Return True if the gcd of a and b is 1. The module math is imported.
  = math.gcd(a, b) == 1
  ! a % b != 0 and b % a != 0
  ! a % 2 == 1 or b % 2 == 1
# rounding
round_down_to_ten(n: nat) -> int
  Return n // 10 times 10.
  = n // 10 * 10
  ! round(n / 10) * 10
  ! n // 10
next_even(n: int) -> int
  Return n if it is even, otherwise the number after it.
  = n if n % 2 == 0 else n + 1
  ! n + 1
  ! n // 2 * 2
round_up_to_five(n: nat) -> int
  Round n up to the next multiple of 5.
  = (n + 4) // 5 * 5
  ! n // 5 * 5 + 5
  ! round(n / 5) * 5
"""
