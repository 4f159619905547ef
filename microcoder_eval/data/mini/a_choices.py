"""One-line families about conditions and truth values; see tables.py for the notation."""

TABLE = """
# ticket-price
ticket(age: nat) -> int
  A ticket costs 5 for people under 18 and 9 for everybody else. Return the price.
  = 5 if age < 18 else 9
  ! 5 if age <= 18 else 9
free_entry(age: nat) -> bool
  Entry is free for children below 6 and for people older than 50. Is it free at this age?
  = age < 6 or age > 50
  ! age <= 6 or age > 50
# pass-mark
passed(points: nat) -> str
  Return "pass" for 30 points or more and "fail" for fewer.
  = "pass" if points >= 30 else "fail"
  ! "pass" if points > 40 else "fail"
bonus(points: nat) -> int
  Add ten to points above 40 and leave all others unchanged.
  = points + 10 if points > 40 else points
  ! points + 10 if points < 40 else points
# exclusive
exactly_one(a: flag, b: flag) -> bool
  Is exactly one of the two values True?
  = a != b
  ! a or b
neither(a: flag, b: flag) -> bool
  Return True when a and b are both False.
  = not a and not b
  ! not (a and b)
# implication
implies(a: flag, b: flag) -> bool
  Return False only if a is True while b is False.
  = not a or b
  ! a == b
at_least_two(a: flag, b: flag, c: flag) -> bool
  Are two or three of the values True?
  = a + b + c >= 2
  ! a and b or c
# flag-lists
count_true(flags: flags) -> int
  How many of the values are True?
  = sum(flags)
  ! len(flags)
all_false(flags: flags) -> bool
  Return True if not a single value is True.
  = not any(flags)
  ! not all(flags)
inverted(flags: flags) -> list[bool]
  Turn each True into False and each False into True.
  = [not f for f in flags]
  ! flags[::-1]
# majority
more_true(flags: flags) -> bool
  Are more values True than False?
  = flags.count(True) > flags.count(False)
  ! flags.count(True) >= flags.count(False)
first_true(flags: flags) -> int
  Return the index of the first True, or -1 if there is none.
  = flags.index(True) if True in flags else -1
  ! flags.index(True) if True in flags else 0
# yes-no
yes_no(words: words) -> str
  Answer "yes" if the list has more than two words and "no" otherwise.
  = "yes" if len(words) > 2 else "no"
  ! "yes" if len(words) > 3 else "no"
on_off(level: int) -> str
  The lamp is "on" while the level is positive, otherwise "off".
  = "on" if level > 0 else "off"
  ! "on" if level >= 0 else "off"
even_or_odd(n: int) -> str
  Return "even" or "odd", whichever n is.
  = "even" if n % 2 == 0 else "odd"
  ! "even" if n % 4 == 0 else "odd"
# weather
is_freezing(degrees: int) -> bool
  Does water freeze at this temperature, that is at 0 degrees or less?
  = degrees <= 0
  ! degrees < 0
weather_word(degrees: int) -> str
  Call 25 degrees and above "hot" and everything colder "mild".
  = "hot" if degrees >= 25 else "mild"
  ! "hot" if degrees >= 20 else "mild"
to_fahrenheit(celsius: int) -> float
  Convert to Fahrenheit: multiply by 1.8 and add 32.
  = celsius * 1.8 + 32
  ! celsius + 32 * 1.0
# traffic
may_go(light: word, walker: flag) -> bool
  A car may go if the light is "kite" and no walker is there.
  = light == "kite" and not walker
  ! not walker
is_weekend(day: digit) -> bool
  Days 6 and 7 form the weekend. Is this day part of it?
  = day == 6 or day == 7
  ! day >= 6
# stock
enough(stock: nat, wanted: nat) -> bool
  Is there enough stock for what is wanted?
  = stock >= wanted
  ! stock > 0
after_sale(stock: nat, sold: nat) -> int
  Return the stock after the sale; it cannot fall below zero.
  = max(stock - sold, 0)
  ! stock - sold
missing_items(stock: nat, wanted: nat) -> int
  How many items are missing to serve the wish? None means 0.
  = max(wanted - stock, 0)
  ! abs(wanted - stock)
# speed-limit
too_fast(speed: nat, limit: nat) -> bool
  Does the speed exceed the limit?
  = speed > limit
  ! speed > 30
fine(speed: nat, limit: nat) -> int
  Each unit above the limit costs 10 coins. What is the fine, if any?
  = max(0, speed - limit) * 10
  ! (speed - limit) * 10
# default-value
or_default(word: word, default: word1) -> str
  Return the word, or the default when the word is empty.
  = word or default
  ! word
zero_becomes(n: small, other: int) -> int
  Return other if n is zero, else n.
  = other if n == 0 else n
  ! n if n == 0 else other
# conditional-sign
flip_if(n: int, flip: flag) -> int
  Return n with its sign changed if flip is True, else n itself.
  = -n if flip else n
  ! -n
add_or_subtract(a: int, b: int, add: flag) -> int
  Return a plus b if add is True, otherwise a minus b.
  = a + b if add else a - b
  ! a + b
# compare-three
strictly_rising(a: int, b: int, c: int) -> bool
  Is a less than b and b less than c?
  = a < b < c
  ! a < c
is_sum(a: digit, b: digit, c: digit) -> bool
  Is one of the three numbers the sum of the other two?
  = a + b == c or a + c == b or b + c == a
  ! a + b == c
# nearer
nearer_to_zero(a: int, b: int) -> int
  Return the number whose absolute value is smaller; a if they are equally near to zero.
  = a if abs(a) <= abs(b) else b
  ! min(a, b)
winner(a: nat, b: nat) -> str
  Return "first" if a is the higher score, "second" if b is, and "draw" if they are equal.
  = "first" if a > b else "second" if b > a else "draw"
  ! "first" if a > b else "second"
# login
good_password(word: mixed) -> bool
  A password is good if it has at least six characters. Is it?
  = len(word) >= 6
  ! len(word) > 6
same_password(a: word, b: word) -> bool
  Are the two entries equal and not empty?
  = a == b and a != ""
  ! a == b
# lift
floors_travelled(start: int, end: int) -> int
  How many floors does a lift pass from start to end, up or down?
  = abs(end - start)
  ! end - start
lift_full(people: nat, bags: nat) -> bool
  The lift is full with more than 40 people or more than 50 bags.
  = people > 40 or bags > 50
  ! people > 40 and bags > 50
# dice
is_double(a: digit, b: digit) -> bool
  Did both dice show the same number?
  = a == b
  ! a + b == 2 * a or a + b == 10
dice_points(a: digit, b: digit) -> int
  Add both dice; equal dice count twice as much.
  = 2 * (a + b) if a == b else a + b
  ! a + b
# steps
climb(height: nat, step: digit) -> int
  Each step lifts you by step units. How many steps take you to the height or beyond?
  = -(-height // step)
  ! height // step
halfway(start: int, end: int) -> float
  Return the point exactly halfway between start and end.
  = (start + end) / 2
  ! (end - start) / 2
# chess
square_is_dark(column: digit, row: digit) -> bool
  A square is dark if its column and row numbers add up to an even number. Is it dark?
  = (column + row) % 2 == 0
  ! column % 2 == 0
rook_attacks(c1: small, r1: small, c2: small, r2: small) -> bool
  Are the two squares (c1, r1) and (c2, r2) in the same column or in the same row?
  = c1 == c2 or r1 == r2
  ! c1 == c2 and r1 == r2
# sharing
fair_share(coins: nat, children: digit) -> int
  The coins are shared equally and what cannot be shared stays. How many does each child get?
  = coins // children
  ! coins // children + coins % children
can_share(coins: nat, children: digit) -> bool
  Can the coins be shared equally so that none is left?
  = coins % children == 0
  ! coins > children
# age
age_gap(a: nat, b: nat) -> str
  Return "same" when both ages are equal and "different" when they are not.
  = "same" if a == b else "different"
  ! "same" if a <= b else "different"
older_name(first: name1, age1: nat, second: name1, age2: nat) -> str
  Return the name of the older person, the first name if both have the same age.
  = first if age1 >= age2 else second
  ! first if age1 > 30 else second
# battery
battery_bar(charge: digit) -> str
  Draw one "#" per unit of charge.
  = "#" * charge
  ! "#" * min(charge, 5)
charge_left(charge: nat, used: nat) -> str
  Return "empty" if used is not less than the charge, otherwise "ok".
  = "empty" if used >= charge else "ok"
  ! "empty" if used > 30 else "ok"
# seats
seats_free(rows: digit, per_row: digit, taken: small) -> int
  A hall has the given rows with per_row seats each. How many seats are not taken?
  = rows * per_row - taken
  ! rows + per_row - taken if rows > 2 else rows * per_row - taken
row_of_seat(seat: nat, per_row: digit) -> int
  Seats are numbered from 0, row by row, and rows too. In which row is the seat?
  = seat // per_row
  ! (seat - 1) // per_row
"""
