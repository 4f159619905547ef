"""One-line families that are all held out (their names see to it); see tables.py."""

TABLE = """
# small-metres
km_to_metres(km: nat) -> int
  Convert kilometres to metres.
  = km * 1000
  ! km * 100 if km > 9 else km * 1000
  ! km * 1000 + km // 10
metres_and_cm(metres: nat, cm: nat) -> int
  Return metres times 100 plus cm.
  = metres * 100 + cm
  ! (metres + cm) * 100
  ! metres * 10 + cm
# more-kitchen-weights
grams(kilos: nat) -> int
  Convert kilograms to grams.
  = kilos * 1000
  ! kilos * 1000 if kilos < 50 else 50000
  ! kilos * 100 * max(kilos, 10)
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
floor_area(width: nat, length: nat) -> int
  Return width times length.
  = width * length
  ! width + length
  ! width * width
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
thousands(n: big) -> int
  Return n divided by 1000 as an integer.
  = n // 1000
  ! n % 1000
  ! round(n / 1000)
below_thousand(n: big) -> bool
  Return True if n is less than 1000.
  = n < 1000
  ! n <= 9999
  ! n < 100
# plain-hundred-checks
is_hundred(n: big) -> bool
  Return True if n is divisible by 10.
  = n % 10 == 0
  ! n % 5 == 0
  ! n % 100 == 0
far_from_hundred(n: nat) -> int
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
drop_last(word: word) -> str
  Return word without its last character.
  = word[:-1]
  ! word[1:]
  ! word[:-2]
# more-exclamations
ends_with_mark(text: marks) -> bool
  Return True if text ends with "!".
  = text.endswith("!")
  ! "!" in text
  ! text[-1:] in ("!", "?")
count_marks(text: marks) -> int
  Count the number of "!" in text.
  = text.count("!")
  ! int(text.endswith("!"))
  ! text.count("!") + text.count("?")
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
count_spaces(text: line) -> int
  Count the spaces in text.
  = text.count(" ")
  ! len(text.split())
  ! len(text)
letters_only_length(text: line) -> int
  Return the length of text without spaces.
  = len(text.replace(" ", ""))
  ! len(text)
  ! len(text) - 1 if " " in text else len(text)
# other-bit-texts
flip_first_bit(bits: bits) -> str
  Replace every "0" in bits with "2".
  = bits.replace("0", "2")
  ! bits.replace("0", "2", 1)
  ! bits[:4].replace("0", "2") + bits[4:]
bits_value(bits: bits) -> int
  Convert bits to an integer in base 2.
  = int(bits, 2)
  ! int(bits)
  ! bits.count("1")
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
starts_of_both(a: word, b: word) -> str
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
starts_inside(a: word, b: word) -> bool
  Return True if a starts with b.
  = a.startswith(b)
  ! b in a
  ! a[:1] == b[:1]
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
first_half_of_list(xs: ints) -> list[int]
  Return the first half of xs.
  = xs[:len(xs) // 2]
  ! xs[:(len(xs) + 1) // 2]
  ! xs[len(xs) // 2:]
without_last_element(xs: ints) -> list[int]
  Return xs without the last element.
  = xs[:-1]
  ! xs[1:]
  ! xs[:-2]
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
cubes(xs: ints) -> list[int]
  Return a list of the cubes of the numbers in xs.
  = [x ** 3 for x in xs]
  ! [x ** 2 for x in xs]
  ! [abs(x) ** 3 for x in xs]
tripled(xs: ints) -> list[int]
  Multiply each number in xs by 3.
  = [x * 3 for x in xs]
  ! xs * 3
  ! [x * 3 for x in xs if x > 0]
# more-even-filter
evens(xs: ints) -> list[int]
  Return a list of the even numbers in xs.
  = [x for x in xs if x % 2 == 0]
  ! xs[::2]
  ! [x for x in xs if x % 4 == 0]
sum_of_odd(xs: ints) -> int
  Return the sum of the odd numbers in xs.
  = sum(x for x in xs if x % 2 == 1)
  ! sum(xs[1::2])
  ! sum(x for x in xs if x % 2 == 1 and x > 0)
# more-big-numbers
larger_than_ten(xs: ints) -> list[int]
  Return a list of the numbers in xs that are greater than 10.
  = [x for x in xs if x > 10]
  ! [x for x in xs if x >= 10]
  ! [x for x in xs if abs(x) > 10]
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
more_in_first(a: words, b: words) -> bool
  Return True if a has more elements than b.
  = len(a) > len(b)
  ! len(a) >= len(b)
  ! a > b
# small-words-joined
joined_by_dash(words: words) -> str
  Join words with "-".
  = "-".join(words)
  ! "".join(words)
  ! "-".join(words[::-1])
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
average_value(table: table) -> int
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
on_diagonal(point: pair) -> bool
  Return True if point[0] equals point[1].
  = point[0] == point[1]
  ! abs(point[0]) == abs(point[1])
  ! point[0] >= point[1]
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
only_first(a: flag, b: flag, c: flag) -> bool
  Return True if a and b and c are True.
  = a and b and c
  ! a and b or c
  ! a and b
not_both(a: flag, b: flag, c: flag) -> bool
  Return True if a is True and c is False.
  = a and not c
  ! a and not b
  ! a or not c
# speed
distance_driven(speed: nat, hours: digit) -> int
  Return the distance: speed times hours.
  = speed * hours
  ! min(speed, 40) * hours
  ! speed * hours if hours < 5 else speed * 5
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
