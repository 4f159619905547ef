"""One-line families about lists of integers; see tables.py for the notation."""

TABLE = """
# element-sums
sum_of_positive(xs: ints) -> int
  Add up the positive numbers of the list.
  = sum(x for x in xs if x > 0)
  ! sum(xs)
  ! sum(abs(x) for x in xs)
sum_of_even(xs: ints) -> int
  Return the total of all even elements.
  = sum(x for x in xs if x % 2 == 0)
  ! sum(xs[::2])
  ! sum(x for x in xs if x % 2 == 0 and x > 0)
sum_of_squares(xs: ints) -> int
  Square each element and return the sum.
  = sum(x * x for x in xs)
  ! sum(xs) ** 2
  ! sum(x * x for x in set(xs))
sum_of_absolutes(xs: ints) -> int
  Add the absolute values of the elements.
  = sum(abs(x) for x in xs)
  ! abs(sum(xs))
  ! sum(x for x in xs if x > 0)
# map-numbers
doubled(xs: ints) -> list[int]
  Return a list with each x in xs times 2.
  = [x * 2 for x in xs]
  ! xs * 2
  ! [x * 2 for x in xs if x > 0]
incremented(xs: ints) -> list[int]
  Add one to every number of the list.
  = [x + 1 for x in xs]
  ! [max(x + 1, 0) for x in xs]
  ! [x + 1 if x >= 0 else x - 1 for x in xs]
negated(xs: ints) -> list[int]
  Change the sign of every element.
  = [-x for x in xs]
  ! [-abs(x) for x in xs]
  ! [-x for x in xs if x]
# map-with-number
scaled(xs: ints, factor: int) -> list[int]
  Multiply all elements by the factor.
  = [x * factor for x in xs]
  ! [x + factor for x in xs]
  ! [x * factor if x > 0 else x for x in xs]
shifted(xs: ints, step: int) -> list[int]
  Return a list of x - step for each x in xs.
  = [x - step for x in xs]
  ! [step - x for x in xs]
  ! [max(x - step, 0) for x in xs]
# squares-of-list
squared(xs: ints) -> list[int]
  Return the squares of the numbers, in order.
  = [x ** 2 for x in xs]
  ! [x * 2 for x in xs]
  ! [x * abs(x) for x in xs]
remainders(xs: nats) -> list[int]
  Return a list of x % 3 for each x in xs.
  = [x % 3 for x in xs]
  ! [x // 3 for x in xs]
  ! [x % 3 for x in xs if x % 3]
halved(xs: nats) -> list[int]
  Return a list of x // 2 for each x in xs.
  = [x // 2 for x in xs]
  ! [x // 2 for x in xs if x % 2 == 0]
  ! [round(x / 2) for x in xs]
# filter-sign
positives(xs: ints) -> list[int]
  Keep only numbers greater than zero.
  = [x for x in xs if x > 0]
  ! [x for x in xs if x >= 0]
  ! [abs(x) for x in xs]
count_negative(xs: ints) -> int
  Count the numbers in xs that are negative.
  = sum(x < 0 for x in xs)
  ! sum(x <= 0 for x in xs)
  ! -sum(x for x in xs if x < 0)
# filter-parity
odd_ones(xs: ints) -> list[int]
  Select the odd numbers.
  = [x for x in xs if x % 2 == 1]
  ! xs[1::2]
  ! [x for x in xs if x % 2 == 1 and x > 0]
count_even(xs: ints) -> int
  Count the elements that are even.
  = sum(x % 2 == 0 for x in xs)
  ! len(xs[::2])
  ! sum(x % 2 == 0 for x in xs if x)
# filter-threshold
above(xs: ints, limit: int) -> list[int]
  Return a list of the numbers in xs greater than limit.
  = [x for x in xs if x > limit]
  ! [x for x in xs if x < limit]
  ! [x for x in xs if x >= limit]
count_below(xs: ints, limit: int) -> int
  Count the numbers in xs that are less than limit.
  = sum(x < limit for x in xs)
  ! sum(x > limit for x in xs)
  ! sum(x <= limit for x in xs)
# remove-value
without_zeros(xs: nats) -> list[int]
  Remove all zeros from the list.
  = [x for x in xs if x != 0]
  ! [x for x in xs if x > 1]
  ! [x for x in xs if x % 10 != 0]
without_value(xs: ints, value: digit) -> list[int]
  Leave out every element that equals value.
  = [x for x in xs if x != value]
  ! [x for x in xs if x > value]
  ! xs[:xs.index(value)] + xs[xs.index(value) + 1:] if value in xs else xs
# extremes
spread(xs: ints1) -> int
  Return the difference of the greatest and the smallest element.
  = max(xs) - min(xs)
  ! xs[-1] - xs[0]
  ! max(xs) - xs[0]
min_plus_max(xs: ints1) -> int
  Return the sum of the minimum and the maximum of xs.
  = min(xs) + max(xs)
  ! xs[0] + xs[-1]
  ! min(xs) + max(xs) if len(xs) > 1 else xs[0]
largest_or_zero(xs: ints) -> int
  Return the maximum of the list, or 0 if the list is empty.
  = max(xs) if xs else 0
  ! xs[0] if xs else 0
  ! max(xs + [0])
# second
largest_doubled(xs: ints2) -> int
  Return 2 times the maximum of xs.
  = 2 * max(xs)
  ! 2 * xs[0]
  ! sum(sorted(xs)[-2:])
first_pair_sum(xs: ints2) -> int
  Return the sum of the first two elements of xs.
  = xs[0] + xs[1]
  ! sum(sorted(xs)[:2])
  ! xs[0] + xs[-1]
three_largest_sum(xs: ints3) -> int
  Return the sum of the three largest elements of xs.
  = sum(sorted(xs)[-3:])
  ! sum(xs[-3:])
  ! sum(sorted(set(xs))[-3:])
# place-of-extreme
place_of_max(xs: ints1) -> int
  Return the index of the maximum; the lowest index if it occurs several times.
  = xs.index(max(xs))
  ! xs.index(xs[-1])
  ! len(xs) - 1 - xs[::-1].index(max(xs))
place_of_min(xs: ints1) -> int
  Return the index of the minimum of xs.
  = xs.index(min(xs))
  ! xs.index(max(xs))
  ! xs.index(min(xs, key=abs))
# ends-of-list
first_and_last_sum(xs: ints1) -> int
  Add the element at the front and the element at the back.
  = xs[0] + xs[-1]
  ! sum(xs)
  ! xs[0] + xs[-1] if len(xs) > 1 else xs[0]
ends_equal(xs: ints1) -> bool
  Is the first element equal to the last one?
  = xs[0] == xs[-1]
  ! xs[0] == xs[1]
  ! xs[0] in xs[1:]
inner_part(xs: ints2) -> list[int]
  Return xs without the first and the last element.
  = xs[1:-1]
  ! xs[1:][:2]
  ! [x for x in xs if x != xs[0] and x != xs[-1]]
# take-drop
take(xs: ints, n: small) -> list[int]
  Return the first n elements, or all if there are fewer.
  = xs[:n]
  ! xs[n:]
  ! xs[:n] if n <= len(xs) else []
drop(xs: ints, n: small) -> list[int]
  Return xs without its first n elements.
  = xs[n:]
  ! xs[:n]
  ! xs[-n:]
last_element(xs: ints1) -> int
  Return the last element of xs.
  = xs[-1]
  ! xs[0]
  ! max(xs)
# reverse-list
reversed_list(xs: ints) -> list[int]
  Return the elements from last to first.
  = xs[::-1]
  ! sorted(xs, reverse=True)
  ! [xs[-i] for i in range(len(xs))]
first_below_last(xs: ints1) -> bool
  Return True if the first element of xs is less than the last element of xs.
  = xs[0] < xs[-1]
  ! xs[0] <= xs[-1]
  ! xs == sorted(xs)
# sort-list
ascending(xs: ints) -> list[int]
  Return the numbers in increasing order.
  = sorted(xs)
  ! sorted(set(xs))
  ! sorted(xs, key=abs)
descending(xs: ints) -> list[int]
  Sort xs in descending order.
  = sorted(xs, reverse=True)
  ! xs[::-1]
  ! sorted(set(xs), reverse=True)
by_absolute(xs: ints) -> list[int]
  Sort the numbers by their absolute value; ties stay in the given order.
  = sorted(xs, key=abs)
  ! sorted(xs)
  ! sorted(abs(x) for x in xs)
# sortedness
min_is_max(xs: ints2) -> bool
  Return True if the minimum of xs is equal to the maximum of xs.
  = min(xs) == max(xs)
  ! xs[0] == xs[-1]
  ! len(xs) == 2
is_descending(xs: ints) -> bool
  Return True if xs is sorted in descending order.
  = xs == sorted(xs, reverse=True)
  ! xs[:1] >= xs[-1:]
  ! all(a > b for a, b in zip(xs, xs[1:]))
# duplicates
has_duplicates(xs: ints) -> bool
  Return True if xs contains duplicates.
  = len(set(xs)) < len(xs)
  ! xs[:1] == xs[1:2]
  ! any(a == b for a, b in zip(xs, xs[1:]))
count_distinct(xs: ints) -> int
  How many different numbers are in the list?
  = len(set(xs))
  ! len(xs)
  ! sum(xs.count(x) == 1 for x in xs)
sorted_distinct(xs: ints) -> list[int]
  Return the sorted list of the unique elements of xs.
  = sorted(set(xs))
  ! sorted(xs)
  ! list(dict.fromkeys(xs))
# occurrence
how_often(xs: ints, value: digit) -> int
  Count how many times value is in xs.
  = xs.count(value)
  ! int(value in xs)
  ! str(xs).count(str(value))
occurs_once(xs: ints, value: digit) -> bool
  Return True if the count of value in xs is 1.
  = xs.count(value) == 1
  ! value in xs
  ! xs.count(value) <= 1
# membership
not_in_list(xs: ints, value: digit) -> bool
  Return True if the list does not hold value.
  = value not in xs
  ! value > max(xs, default=0)
  ! str(value) not in str(xs)
zero_inside(xs: nats) -> bool
  Return True if 0 is in xs.
  = 0 in xs
  ! 0 in xs[:2]
  ! "0" in str(xs)
# all-of-list
all_positive(xs: ints) -> bool
  Are all numbers greater than zero? For an empty list the answer is True.
  = all(x > 0 for x in xs)
  ! sum(xs) > 0
  ! all(x >= 0 for x in xs)
all_the_same(xs: ints1) -> bool
  Return True if all elements of xs are equal.
  = len(set(xs)) == 1
  ! xs[0] == xs[-1]
  ! xs == xs[::-1]
# any-of-list
has_forty(xs: ints) -> bool
  Return True if 40 is in xs.
  = 40 in xs
  ! xs[:1] == [40]
  ! max(xs, default=0) > 30
any_above_thirty(xs: ints) -> bool
  Return True if some element is greater than 30.
  = any(x > 30 for x in xs)
  ! sum(xs) > 30
  ! any(x >= 30 for x in xs)
# mean-of-list
mean(xs: ints1) -> float
  Return the arithmetic mean of the numbers as a float.
  = sum(xs) / len(xs)
  ! (min(xs) + max(xs)) / 2
  ! float(sum(xs) // len(xs))
half_of_sum(xs: ints) -> float
  Return the sum of xs divided by 2.
  = sum(xs) / 2
  ! sum(xs[:2]) / 2
  ! max(sum(xs), 0) / 2
# median
median_odd(xs: ints1) -> int
  Return the median of xs: the element at index len(xs) // 2 of sorted xs.
  = sorted(xs)[len(xs) // 2]
  ! xs[len(xs) // 2]
  ! sorted(set(xs))[len(set(xs)) // 2]
middle_element(xs: ints1) -> int
  Return the element at the middle index, len(xs) // 2, of the list as it is.
  = xs[len(xs) // 2]
  ! sorted(xs)[len(xs) // 2]
  ! xs[(len(xs) - 1) // 2]
# neighbours
differences(xs: ints) -> list[int]
  Return a list of the differences xs[i + 1] - xs[i].
  = [b - a for a, b in zip(xs, xs[1:])]
  ! [a - b for a, b in zip(xs, xs[1:])]
  ! [abs(b - a) for a, b in zip(xs, xs[1:])]
pair_sums(xs: ints) -> list[int]
  Return a list of the sums xs[i] + xs[i + 1].
  = [a + b for a, b in zip(xs, xs[1:])]
  ! [a + b for a, b in zip(xs[::2], xs[1::2])]
  ! [abs(a) + abs(b) for a, b in zip(xs, xs[1:])]
first_two_equal(xs: ints2) -> bool
  Return True if xs[0] is equal to xs[1].
  = xs[0] == xs[1]
  ! xs[0] == xs[-1]
  ! xs[0] <= xs[1]
# every-kth
even_places(xs: ints) -> list[int]
  Return the elements with an even index.
  = xs[::2]
  ! [x for x in xs if x % 2 == 0]
  ! xs[:-1:2]
first_four(xs: ints) -> list[int]
  Return the first 4 elements of xs.
  = xs[:4]
  ! xs[:5]
  ! sorted(xs)[:4]
# rotation
rotate_left(xs: ints) -> list[int]
  Return xs from index 1 on, followed by the first element.
  = xs[1:] + xs[:1]
  ! xs[-1:] + xs[:-1]
  ! xs[1:] + [xs[0]]
rotate_right(xs: ints) -> list[int]
  Rotate the list xs to the right by one place.
  = xs[-1:] + xs[:-1]
  ! xs[1:] + xs[:1]
  ! [xs[-1]] + xs[:-1]
# append
with_zero_at_end(xs: ints) -> list[int]
  Return the list with a zero added behind its last element.
  = xs + [0]
  ! [0] + xs
  ! xs if 0 in xs else xs + [0]
with_total(xs: ints) -> list[int]
  Return xs with the sum of xs added at the end.
  = xs + [sum(xs)]
  ! xs + [max(xs, default=0)]
  ! xs + [sum(xs)] if xs else []
front_and_back(xs: ints, value: digit) -> list[int]
  Return a list with value at the start, then xs, then value again.
  = [value] + xs + [value]
  ! sorted([value] + xs + [value])
  ! [value] + xs + [value] if xs else [value]
# repeat-list
list_twice(xs: ints) -> list[int]
  Return the list xs repeated 2 times.
  = xs + xs
  ! [x * 2 for x in xs]
  ! [x for x in xs for _ in range(2)]
each_twice(xs: ints) -> list[int]
  Return a list in which each x of xs is repeated twice, like 1, 1, 2, 2.
  = [x for x in xs for _ in range(2)]
  ! xs * 2
  ! sorted(xs + xs)
# products
product(xs: nats1) -> int
  Return the product of all numbers in xs. The module math is imported.
  = math.prod(xs)
  ! sum(xs)
  ! math.prod(set(xs))
product_of_ends(xs: ints1) -> int
  Multiply the first by the last element.
  = xs[0] * xs[-1]
  ! min(xs) * max(xs)
  ! xs[0] * xs[-1] if len(xs) > 1 else xs[0]
# two-lists
elementwise_sum(a: ints2, b: ints2) -> list[int]
  Add the lists position by position; stop where the shorter one ends.
  = [x + y for x, y in zip(a, b)]
  ! [x + y for x, y in zip(sorted(a), sorted(b))]
  ! [x + y for x, y in zip(a, b)] + a[len(b):]
dot(a: ints, b: ints) -> int
  Multiply elements at equal positions and sum the products, up to the shorter length.
  = sum(x * y for x, y in zip(a, b))
  ! sum(a) * sum(b)
  ! sum(a[i] * b[i] for i in range(len(a)))
common_numbers(a: ints, b: ints) -> list[int]
  Return the sorted list of the elements in both a and b, without duplicates.
  = sorted(set(a) & set(b))
  ! sorted(set(a) | set(b))
  ! sorted(x for x in a if x in b)
# merge-lists
sorted_union(a: ints, b: ints) -> list[int]
  Put all elements of both lists into one sorted list.
  = sorted(a + b)
  ! sorted(a) + sorted(b)
  ! sorted(set(a + b))
total_length(a: ints, b: ints) -> int
  Return the sum of the lengths of a and b.
  = len(a) + len(b)
  ! len(set(a + b))
  ! max(len(a), len(b))
# to-text
joined_numbers(xs: ints) -> str
  Write the numbers in one string with a blank between neighbours.
  = " ".join(str(x) for x in xs)
  ! "".join(str(x) for x in xs)
  ! " ".join(str(x) for x in xs if x)
as_texts(xs: ints) -> list[str]
  Convert each number to a string.
  = [str(x) for x in xs]
  ! [str(abs(x)) for x in xs]
  ! list("".join(str(x) for x in xs))
sum_expression(xs: ints1) -> str
  Join the numbers of xs with " + " as a string.
  = " + ".join(str(x) for x in xs)
  ! "+".join(str(x) for x in xs)
  ! " + ".join(str(x) for x in xs).replace("+ -", "- ")
# list-size
has_even_size(xs: ints) -> bool
  Is the number of elements even?
  = len(xs) % 2 == 0
  ! sum(xs) % 2 == 0
  ! len(xs) % 2 == 0 and len(xs) > 0
size_and_sum(xs: ints) -> list[int]
  Return a list of two values: the number of elements and their sum.
  = [len(xs), sum(xs)]
  ! [sum(xs), len(xs)]
  ! [len(set(xs)), sum(xs)]
# enumerate
times_index(xs: ints) -> list[int]
  Multiply every element by its index, counted from zero.
  = [i * x for i, x in enumerate(xs)]
  ! [(i + 1) * x for i, x in enumerate(xs)]
  ! [xs.index(x) * x for x in xs]
indices_of(xs: ints, value: digit) -> list[int]
  Return a list of the indices i where xs[i] equals value.
  = [i for i, x in enumerate(xs) if x == value]
  ! [xs.index(value)] if value in xs else []
  ! [i for i, x in enumerate(xs, 1) if x == value]
# sum-parts
sum_without_first(xs: ints) -> int
  Add all elements but the first one.
  = sum(xs[1:])
  ! sum(xs[:-1])
  ! sum(x for x in xs if x != xs[0])
front_minus_back(xs: ints2) -> int
  Subtract the last element from the first.
  = xs[0] - xs[-1]
  ! xs[-1] - xs[0]
  ! abs(xs[0] - xs[-1])
sum_of_first_two(xs: ints) -> int
  Return the sum of the two elements in front, or of as many as there are.
  = sum(xs[:2])
  ! sum(xs[-2:])
  ! xs[0] + xs[1] if len(xs) > 1 else 0
# absolute-list
absolute_values(xs: ints) -> list[int]
  Replace each number by its absolute value.
  = [abs(x) for x in xs]
  ! [-x for x in xs]
  ! [max(x, 0) for x in xs]
each_plus(xs: ints, step: digit) -> list[int]
  Add step to each x in xs.
  = [x + step for x in xs]
  ! [x + step for x in xs if x > 0]
  ! [abs(x) + step for x in xs]
zero_for_negative(xs: ints) -> list[int]
  Return a list with the maximum of x and 0 for each x in xs.
  = [max(x, 0) for x in xs]
  ! [x for x in xs if x >= 0]
  ! [abs(x) for x in xs]
"""
