"""One-line families that are all held out (their names see to it); see tables.py."""

TABLE = """
# small-metres
metres_to_go(km: nat, walked: big) -> int
  Return km times 1000, less the metres walked.
  = km * 1000 - walked
  ! max(km * 1000 - walked, 0)
  ! km * 100 - walked
longer_in_cm(metres: nat, cm: big) -> int
  Return the maximum of metres times 100 and cm.
  = max(metres * 100, cm)
  ! max(metres, cm)
  ! metres * 100
# more-kitchen-weights
half_of_contents(full: nat, empty: nat) -> float
  Return (full - empty) / 2.
  = (full - empty) / 2
  ! full - empty / 2
  ! abs(full - empty) / 2
half_weight(weight: nat) -> float
  Return half of weight.
  = weight / 2
  ! max(weight, 10) / 2
  ! weight / 2 if weight > 2 else weight
# simple-percent
percent_of(n: nat, percent: nat) -> float
  Return n times percent divided by 100.
  = n * percent / 100
  ! n * max(percent, 10) / 100
  ! n / 100
is_half(part: digit, whole: digit) -> bool
  Return True if part times 2 equals whole.
  = part * 2 == whole
  ! part * 2 >= whole
  ! part == whole
# other-cube
cube_volume(side: nat) -> int
  Return the volume of a cube.
  = side ** 3
  ! side ** 2
  ! side * 3 if side < 3 else side ** 3
cube_surface(side: nat) -> int
  Return 6 times the square of side.
  = 6 * side ** 2
  ! 6 * side
  ! 6 * side ** 2 if side % 2 else 6 * side
# small-box
box_volume(a: digit, b: digit, c: digit) -> int
  Multiply a, b and c: the volume of a box.
  = a * b * c
  ! a * b * c if c < 6 else a * b * 5
  ! a * b * b
box_surface(a: digit, b: digit, c: digit) -> int
  Return 2 times the sum of a times b, b times c and a times c.
  = 2 * (a * b + b * c + a * c)
  ! 2 * (a * b + 2 * b * c)
  ! 6 * a * a
# everyday-three-averages
mean_of_three(a: int, b: int, c: int) -> float
  Return the average of a, b and c.
  = (a + b + c) / 3
  ! a + b + c / 3
  ! (a + b + abs(c)) / 3
range_of_three(a: int, b: int, c: int) -> int
  Return the maximum of a, b and c minus their minimum.
  = max(a, b, c) - min(a, b, c)
  ! a - c
  ! max(a, b, c) - a
# small-thousands
thousands_and_rest(n: big) -> list[int]
  Return a list of n // 1000 and n % 1000.
  = [n // 1000, n % 1000]
  ! [n // 100, n % 100]
  ! [n % 1000, n // 1000]
below_thousand(n: big) -> bool
  Return True if n is less than 1000.
  = n < 1000
  ! n <= 9999
  ! n < 100
# plain-hundred-checks
hundreds_digit(n: big) -> int
  Return the hundreds digit of n: n // 100 % 10.
  = n // 100 % 10
  ! n // 100
  ! n // 10 % 10
missing_to_hundred(n: nat) -> int
  Return 100 minus n.
  = 100 - n
  ! min(100 - n, 90)
  ! 100 - n if n > 30 else n
# little-last-characters
last_two_letters(word: word) -> str
  Return the last two characters of word.
  = word[-2:]
  ! word[:2]
  ! word[-3:]
last_doubled(word: word) -> str
  Return word with its last character added once more.
  = word + word[-1:]
  ! word + word[:1]
  ! word * 2
# more-exclamations
ends_with_mark(text: marks) -> bool
  Return True if text ends with "!".
  = text.endswith("!")
  ! "!" in text
  ! text[-1:] in ("!", "?")
calmed(text: marks) -> str
  Strip "!" from the right end of text.
  = text.rstrip("!")
  ! text.replace("!", "")
  ! text.rstrip("!?")
# some-title-case
titled(text: line) -> str
  Convert text to title case.
  = text.title()
  ! text.capitalize()
  ! text.upper()
capitalised(text: line) -> str
  Capitalize text.
  = text.capitalize()
  ! text.title()
  ! text.upper()
# small-space-counts
has_three_spaces(text: line) -> bool
  Return True if text has at least 3 spaces.
  = text.count(" ") >= 3
  ! text.count(" ") > 3
  ! len(text.split()) >= 3
letters_only_length(text: line) -> int
  Return the length of text without spaces.
  = len(text.replace(" ", ""))
  ! len(text)
  ! len(text) - 1 if " " in text else len(text)
# other-bit-texts
bits_flipped(bits: bits) -> str
  Replace each "0" of bits by "1" and each "1" by "0".
  = "".join("1" if b == "0" else "0" for b in bits)
  ! bits[::-1]
  ! bits.replace("0", "1")
longest_zeros(bits: bits) -> int
  Split bits at "1" and return the length of the longest piece.
  = max(len(piece) for piece in bits.split("1"))
  ! bits.count("0")
  ! len(bits) - len(bits.lstrip("0"))
# digit-texts
as_number(digits: digits) -> int
  Convert digits to an integer.
  = int(digits)
  ! int(digits[::-1])
  ! int(digits[:3])
starts_with_one(digits: digits) -> bool
  Return True if digits starts with "1".
  = digits.startswith("1")
  ! "1" in digits
  ! digits.endswith("1")
# plain-joined-texts
joined_by_space(a: word, b: word) -> str
  Return a and b with a space between them.
  = a + " " + b
  ! b + " " + a
  ! (a + " " + b).strip()
joined_in_capitals(a: word, b: word) -> str
  Return a + b in upper case.
  = (a + b).upper()
  ! a + b.upper()
  ! (b + a).upper()
# more-word-order-checks
comes_before(a: word, b: word) -> bool
  Return True if a is less than b.
  = a < b
  ! a <= b
  ! len(a) < len(b)
begin_alike(a: word, b: kin) -> bool
  Return True if the first two characters of a and of b are the same.
  = a[:2] == b[:2]
  ! a[:1] == b[:1]
  ! a == b
# other-list-ends
first_of(xs: ints1) -> int
  Return the first element of xs.
  = xs[0]
  ! xs[-1]
  ! min(xs)
last_times_two(xs: ints1) -> int
  Return the last element of xs times 2.
  = xs[-1] * 2
  ! xs[0] * 2
  ! xs[-1] + 2
# plain-list-halves
halves_swapped(xs: ints) -> list[int]
  Return xs from index len(xs) // 2 on, followed by the part before it.
  = xs[len(xs) // 2:] + xs[:len(xs) // 2]
  ! xs[::-1]
  ! xs[len(xs) // 2:]
front_half_is_larger(xs: ints) -> bool
  Is the sum of the first len(xs) // 2 elements greater than the sum of the others?
  = sum(xs[:len(xs) // 2]) > sum(xs[len(xs) // 2:])
  ! sum(xs[:len(xs) // 2]) >= sum(xs[len(xs) // 2:])
  ! xs[:1] > xs[-1:]
# small-sums-of-lists
sum_minus_length(xs: ints) -> int
  Return the sum of xs minus the length of xs.
  = sum(xs) - len(xs)
  ! sum(xs) + len(xs)
  ! len(xs) - sum(xs)
sum_is_positive(xs: ints) -> bool
  Return True if the sum of xs is greater than 0.
  = sum(xs) > 0
  ! sum(xs) >= 0
  ! max(xs, default=0) > 0
# list-lengths
length_squared(xs: ints) -> int
  Return the square of the length of xs.
  = len(xs) ** 2
  ! len(xs) * 2
  ! len(set(xs)) ** 2
longer_than_five(xs: ints) -> bool
  Return True if xs has more than 5 elements.
  = len(xs) > 5
  ! len(xs) >= 5
  ! sum(xs) > 5
# short-cubes-of-list
sum_of_cubes(xs: ints) -> int
  Return the sum of the cubes of the numbers in xs.
  = sum(x ** 3 for x in xs)
  ! sum(xs) ** 3
  ! sum(abs(x) ** 3 for x in xs)
cubes_of_even(xs: ints) -> list[int]
  Return a list of the cubes of the even numbers in xs.
  = [x ** 3 for x in xs if x % 2 == 0]
  ! [x ** 3 for x in xs]
  ! [x ** 3 for x in xs if x % 4 == 0]
# more-even-filter
evens(xs: ints) -> list[int]
  Return a list of the even numbers in xs.
  = [x for x in xs if x % 2 == 0]
  ! xs[::2]
  ! [x for x in xs if x % 4 == 0]
even_minus_odd(xs: ints) -> int
  Count 1 for each even number and -1 for each odd number in xs, and return the sum.
  = sum(1 if x % 2 == 0 else -1 for x in xs)
  ! sum(x % 2 == 0 for x in xs)
  ! sum(1 if x % 4 == 0 else -1 for x in xs)
# more-big-numbers
two_digit_numbers(xs: ints) -> list[int]
  Return a list of the numbers in xs from 10 to 99.
  = [x for x in xs if 10 <= x <= 99]
  ! [x for x in xs if 10 < x <= 99]
  ! [x for x in xs if abs(x) >= 10]
max_plus_one(xs: ints1) -> int
  Return the maximum of xs plus 1.
  = max(xs) + 1
  ! xs[-1] + 1
  ! max(xs[:3]) + 1
# union-sizes
different_in_both(a: words, b: words) -> int
  Return the number of unique words in a + b.
  = len(set(a + b))
  ! len(a + b)
  ! len(set(a)) + len(set(b))
only_in_one(a: words, b: words) -> int
  Return the number of unique words that are in a or b but not in both.
  = len(set(a) ^ set(b))
  ! len(set(a) - set(b))
  ! len(set(a) | set(b))
# small-words-joined
initials_with_dashes(words: words) -> str
  Join the first letters of words with "-".
  = "-".join(w[0] for w in words)
  ! "-".join(words)
  ! "".join(w[0] for w in words)
joined_upper(words: words) -> str
  Join words with a space and convert to upper case.
  = " ".join(words).upper()
  ! "".join(words).upper()
  ! " ".join(words).title()
# count-of-words
words_with_a(words: words) -> list[str]
  Return a list of the words that contain "a".
  = [w for w in words if "a" in w]
  ! [w for w in words if w.startswith("a")]
  ! [w for w in words if w.count("a") == 1]
short_words(words: words) -> list[str]
  Return a list of the words with length less than 4.
  = [w for w in words if len(w) < 4]
  ! [w for w in words if len(w) <= 4]
  ! [w for w in words if len(w) < 3]
# more-first-of-words
first_word_upper(words: words1) -> str
  Return the first word in upper case.
  = words[0].upper()
  ! words[-1].upper()
  ! words[0].title()
length_of_first(words: words1) -> int
  Return the length of the first word.
  = len(words[0])
  ! len(words)
  ! len(words[-1])
# some-table-checks
table_is_large(table: table) -> bool
  Return True if table has more than 2 keys.
  = len(table) > 2
  ! len(table) >= 2
  ! sum(table.values()) > 2
sum_plus_size(table: table) -> int
  Return the sum of the values of table plus the number of keys.
  = sum(table.values()) + len(table)
  ! sum(table.values())
  ! sum(set(table.values())) + len(table)
# simple-table-copies
keys_list(table: table) -> list[str]
  Return the keys as a list.
  = list(table.keys())
  ! sorted(table)
  ! list(table.keys())[::-1]
values_plus_one(table: table) -> list[int]
  Return a list of value + 1 for each value in table.values().
  = [v + 1 for v in table.values()]
  ! [v + 1 for v in sorted(table.values())]
  ! [v for v in table.values()]
# short-point-checks
both_positive(point: pair) -> bool
  Return True if point[0] and point[1] are greater than 0.
  = point[0] > 0 and point[1] > 0
  ! point[0] >= 0 and point[1] >= 0
  ! point[0] * point[1] > 0
x_is_larger(point: pair) -> bool
  Return True if point[0] is greater than point[1].
  = point[0] > point[1]
  ! point[0] >= point[1]
  ! abs(point[0]) > abs(point[1])
# further-pair-values
pair_max(pair: pair) -> int
  Return the maximum of pair.
  = max(pair)
  ! pair[0]
  ! max(abs(pair[0]), abs(pair[1]))
pair_mean(pair: pair) -> float
  Return the average of pair[0] and pair[1].
  = (pair[0] + pair[1]) / 2
  ! pair[0] + pair[1] / 2
  ! (pair[0] + abs(pair[1])) / 2
# small-flag-logic
all_three(a: flag, b: flag, c: flag) -> bool
  Return True if a and b and c are True.
  = a and b and c
  ! a and b or c
  ! a and b
first_without_third(a: flag, b: flag, c: flag) -> bool
  Return True if a is True and c is False.
  = a and not c
  ! a and not b
  ! a or not c
# speed
arrives_in_time(distance: nat, speed: digit, hours: digit) -> bool
  Return True if speed times hours is at least distance.
  = speed * hours >= distance
  ! speed * hours > distance
  ! speed >= distance
average_speed(distance: nat, hours: digit) -> float
  Return distance divided by hours.
  = distance / hours
  ! max(distance, 10) / hours
  ! distance / hours if distance > hours else hours
# points-game
total_points(wins: nat, draws: nat) -> int
  Return 3 times wins plus draws.
  = 3 * wins + draws
  ! 3 * (wins + draws)
  ! 2 * wins + draws
goal_difference(scored: nat, conceded: nat) -> int
  Return scored minus conceded.
  = scored - conceded
  ! abs(scored - conceded)
  ! conceded - scored
"""
