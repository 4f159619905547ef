"""One-line families about conditions and truth values; see tables.py for the notation."""

TABLE = """
# ticket-price
ticket(age: nat) -> int
  Return 5 if age is less than 18, else 9.
  = 5 if age < 18 else 9
  ! 5 if age <= 18 else 9
  ! 5 if age < 18 or age > 50 else 9
group_price(people: nat) -> int
  Return 5 times people, minus 10 if people is greater than 9.
  = 5 * people - 10 if people > 9 else 5 * people
  ! 5 * people - 10 if people >= 20 else 5 * people
  ! 5 * people
# pass-mark
passed(points: nat) -> str
  Return "pass" for 30 points or more and "fail" for fewer.
  = "pass" if points >= 30 else "fail"
  ! "pass" if points > 40 else "fail"
  ! "pass" if points > 30 else "fail"
bonus(points: nat) -> int
  Return points + 10 if points is greater than 40, else points.
  = points + 10 if points > 40 else points
  ! points + 10 if points < 40 else points
  ! points + 10 if points >= 40 else points
# exclusive
exactly_one(a: flag, b: flag) -> bool
  Return True if a is not equal to b.
  = a != b
  ! a or b
  ! a and not b
neither(a: flag, b: flag) -> bool
  Return True if not a and not b.
  = not a and not b
  ! not (a and b)
  ! a == b
# implication
implies(a: flag, b: flag) -> bool
  Return True if not a or b.
  = not a or b
  ! a == b
  ! a or not b
any_of_three(a: flag, b: flag, c: flag) -> bool
  Return True if a or b or c is True.
  = a or b or c
  ! a or b
  ! a or b and c
# flag-lists
any_flag(flags: flags) -> bool
  Return True if any flag is True.
  = any(flags)
  ! all(flags)
  ! flags[:1] == [True]
all_true(flags: flags) -> bool
  Return True if all flags are True.
  = all(flags)
  ! any(flags)
  ! flags.count(True) > flags.count(False)
flags_reversed(flags: flags) -> list[bool]
  Reverse the list of flags.
  = flags[::-1]
  ! sorted(flags)
  ! [not f for f in flags]
# majority
count_true(flags: flags) -> int
  Count how many times True is in flags.
  = flags.count(True)
  ! len(flags)
  ! flags.count(False)
number_of_flags(flags: flags) -> int
  Return the length of flags.
  = len(flags)
  ! sum(flags)
  ! max(len(flags), 1)
# yes-no
yes_no(words: words) -> str
  Answer "yes" if the list has more than two words and "no" otherwise.
  = "yes" if len(words) > 2 else "no"
  ! "yes" if len(words) > 3 else "no"
  ! "yes" if len(set(words)) > 2 else "no"
on_off(level: int) -> str
  Return "on" if level is greater than 0, else "off".
  = "on" if level > 0 else "off"
  ! "on" if level >= 0 else "off"
  ! "on" if level else "off"
even_or_odd(n: int) -> str
  Return "even" or "odd", whichever n is.
  = "even" if n % 2 == 0 else "odd"
  ! "even" if n % 4 == 0 else "odd"
  ! "even" if n > 0 and n % 2 == 0 else "odd"
# weather
is_freezing(degrees: int) -> bool
  Return True if degrees is at most 0.
  = degrees <= 0
  ! degrees < 0
  ! degrees == 0
weather_word(degrees: int) -> str
  Return "hot" if degrees is at least 25, else "mild".
  = "hot" if degrees >= 25 else "mild"
  ! "hot" if degrees >= 20 else "mild"
  ! "hot" if degrees >= 30 else "mild"
to_fahrenheit(celsius: int) -> float
  Convert to Fahrenheit: multiply by 1.8 and add 32.
  = celsius * 1.8 + 32
  ! celsius + 32 * 1.0
  ! celsius * 9 // 5 + 32.0
# traffic
may_go(light: word, walker: flag) -> bool
  Return True if light equals "kite" and walker is False.
  = light == "kite" and not walker
  ! not walker
  ! light == "kite" or not walker
is_weekend(day: digit) -> bool
  Return True if day is 6 or 7.
  = day == 6 or day == 7
  ! day >= 6
  ! day in (1, 7)
# stock
enough(stock: nat, wanted: nat) -> bool
  Return True if stock is greater than or equal to wanted.
  = stock >= wanted
  ! stock > 0
  ! stock > wanted
after_sale(stock: nat, sold: nat) -> int
  Return stock minus sold, or 0 if this is negative.
  = max(stock - sold, 0)
  ! stock - sold
  ! abs(stock - sold)
missing_items(stock: nat, wanted: nat) -> int
  Return the maximum of wanted - stock and 0.
  = max(wanted - stock, 0)
  ! abs(wanted - stock)
  ! wanted - stock
# speed-limit
too_fast(speed: nat, limit: nat) -> bool
  Does the speed exceed the limit?
  = speed > limit
  ! speed > 30
  ! speed >= limit
fine(speed: nat, limit: nat) -> int
  Return 10 times (speed - limit) if speed is greater than limit, else 0.
  = max(0, speed - limit) * 10
  ! (speed - limit) * 10
  ! 10 if speed > limit else 0
# default-value
or_default(word: word, default: word1) -> str
  Return word if it is not empty, else default.
  = word or default
  ! word
  ! word if len(word) > 1 else default
zero_becomes(n: small, other: int) -> int
  Return other if n is 0, else n.
  = other if n == 0 else n
  ! n if n == 0 else other
  ! other if n < 2 else n
# conditional-sign
flip_if(n: int, flip: flag) -> int
  Return -n if flip is True, else n.
  = -n if flip else n
  ! -n
  ! abs(n) if flip else n
product_is_positive(a: int, b: int) -> bool
  Return True if a times b is positive.
  = a * b > 0
  ! a > 0 and b > 0
  ! a * b >= 0
# compare-three
two_largest_sum(a: int, b: int, c: int) -> int
  Return the sum of a, b and c minus their minimum.
  = a + b + c - min(a, b, c)
  ! a + b
  ! max(a, b) + max(b, c)
is_sum(a: digit, b: digit, c: digit) -> bool
  Return True if a is b + c, or b is a + c, or c is a + b.
  = a + b == c or a + c == b or b + c == a
  ! a + b == c
  ! a + b == c or b + c == a
# nearer
smaller_absolute(a: int, b: int) -> int
  Return the minimum of abs(a) and abs(b).
  = min(abs(a), abs(b))
  ! abs(min(a, b))
  ! abs(a)
winner(a: nat, b: nat) -> str
  Return "first" if a > b, "second" if b > a, else "draw".
  = "first" if a > b else "second" if b > a else "draw"
  ! "first" if a > b else "second"
  ! "first" if a > b else "draw"
# login
good_password(word: mixed) -> bool
  A password is good if it has at least six characters. Is it?
  = len(word) >= 6
  ! len(word) > 6
  ! len(set(word)) >= 6
longer_password(a: word, b: word) -> bool
  Return True if a is longer than b.
  = len(a) > len(b)
  ! len(a) >= len(b)
  ! a > b
# lift
floors_travelled(start: int, end: int) -> int
  Return the absolute difference of start and end.
  = abs(end - start)
  ! end - start
  ! abs(abs(end) - abs(start))
lift_weight(people: nat, bags: nat) -> int
  Return 80 times people plus 10 times bags.
  = 80 * people + 10 * bags
  ! 80 * people + bags
  ! 90 * (people + bags) - 10 * people
# dice
is_double(a: digit, b: digit) -> bool
  Did both dice show the same number?
  = a == b
  ! a + b == 2 * a or a + b == 10
  ! (a + b) % 2 == 0
dice_points(a: digit, b: digit) -> int
  Return a + b, doubled if a equals b.
  = 2 * (a + b) if a == b else a + b
  ! a + b
  ! (a + b) ** 2 if a == b else a + b
# steps
climb(height: nat, step: digit) -> int
  Return height divided by step, rounded up.
  = -(-height // step)
  ! height // step
  ! height // step + 1
halfway(start: int, end: int) -> float
  Return the point exactly halfway between start and end.
  = (start + end) / 2
  ! (end - start) / 2
  ! (start + end) // 2 * 1.0
# chess
square_is_dark(column: digit, row: digit) -> bool
  A square is dark if its column and row numbers add up to an even number. Is it dark?
  = (column + row) % 2 == 0
  ! column % 2 == 0
  ! column % 2 == 0 and row % 2 == 0
same_column(c1: small, r1: small, c2: small, r2: small) -> bool
  Return True if c1 is equal to c2.
  = c1 == c2
  ! c1 == c2 and r1 == r2
  ! c1 == c2 or r1 == r2
# sharing
coins_given(coins: nat, children: digit) -> int
  Return coins minus the remainder of coins divided by children.
  = coins - coins % children
  ! coins // children
  ! coins - children if coins % children else coins
share_and_rest(coins: nat, children: digit) -> tuple[int, int]
  Return the tuple of the quotient and the remainder of coins divided by children.
  = divmod(coins, children)
  ! (coins % children, coins // children)
  ! (round(coins / children), coins % children)
# age
age_gap(a: nat, b: nat) -> str
  Return "same" when both ages are equal and "different" when they are not.
  = "same" if a == b else "different"
  ! "same" if a <= b else "different"
  ! "same" if a // 10 == b // 10 else "different"
older_age(age1: nat, age2: nat) -> int
  Return the age of the older person.
  = max(age1, age2)
  ! age1
  ! age2 if age2 > 30 else max(age1, age2)
# battery
battery_bar(charge: digit) -> str
  Return the string "#" repeated charge times.
  = "#" * charge
  ! "#" * min(charge, 5)
  ! "# " * (charge - 1) + "#"
charge_now(charge: nat, used: nat) -> int
  Return charge minus used.
  = charge - used
  ! max(charge - used, 0)
  ! abs(charge - used)
# seats
seats_free(rows: digit, per_row: digit, taken: small) -> int
  Return rows times per_row, minus taken.
  = rows * per_row - taken
  ! rows + per_row - taken if rows > 2 else rows * per_row - taken
  ! rows * (per_row - taken)
place_in_row(seat: nat, per_row: digit) -> int
  Return the remainder of seat divided by per_row, plus 1.
  = seat % per_row + 1
  ! seat // per_row + 1
  ! (seat + 1) % per_row
"""
