"""One-line families about lists of integers; see tables.py for the notation."""

TABLE = """
# element-sums
sum_of_positive(xs: ints) -> int
  Add up the positive numbers of the list.
  = sum(x for x in xs if x > 0)
  ! sum(xs)
sum_of_even(xs: ints) -> int
  Return the total of all even elements.
  = sum(x for x in xs if x % 2 == 0)
  ! sum(xs[::2])
sum_of_squares(xs: ints) -> int
  Square each element and return the sum.
  = sum(x * x for x in xs)
  ! sum(xs) ** 2
sum_of_absolutes(xs: ints) -> int
  Add the absolute values of the elements.
  = sum(abs(x) for x in xs)
  ! abs(sum(xs))
# map-numbers
doubled(xs: ints) -> list[int]
  Return a new list with each number doubled.
  = [x * 2 for x in xs]
  ! xs * 2
incremented(xs: ints) -> list[int]
  Add one to every number of the list.
  = [x + 1 for x in xs]
  ! [max(x + 1, 0) for x in xs]
negated(xs: ints) -> list[int]
  Change the sign of every element.
  = [-x for x in xs]
  ! [-abs(x) for x in xs]
# map-with-number
scaled(xs: ints, factor: int) -> list[int]
  Multiply all elements by the factor.
  = [x * factor for x in xs]
  ! [x + factor for x in xs]
shifted(xs: ints, step: int) -> list[int]
  Subtract step from each of the numbers.
  = [x - step for x in xs]
  ! [step - x for x in xs]
# squares-of-list
squared(xs: ints) -> list[int]
  Return the squares of the numbers, in order.
  = [x ** 2 for x in xs]
  ! [x * 2 for x in xs]
remainders(xs: nats) -> list[int]
  Give for each number its remainder after division by three.
  = [x % 3 for x in xs]
  ! [x // 3 for x in xs]
halved(xs: nats) -> list[int]
  Divide each number by two, rounding down.
  = [x // 2 for x in xs]
  ! [x // 2 for x in xs if x % 2 == 0]
# filter-sign
positives(xs: ints) -> list[int]
  Keep only numbers greater than zero.
  = [x for x in xs if x > 0]
  ! [x for x in xs if x >= 0]
count_negative(xs: ints) -> int
  How many elements are below zero?
  = sum(x < 0 for x in xs)
  ! sum(x <= 0 for x in xs)
# filter-parity
odd_ones(xs: ints) -> list[int]
  Select the odd numbers.
  = [x for x in xs if x % 2 == 1]
  ! xs[1::2]
count_even(xs: ints) -> int
  Count the elements that are even.
  = sum(x % 2 == 0 for x in xs)
  ! len(xs[::2])
# filter-threshold
above(xs: ints, limit: int) -> list[int]
  Return the numbers that are greater than the limit.
  = [x for x in xs if x > limit]
  ! [x for x in xs if x < limit]
count_below(xs: ints, limit: int) -> int
  How many numbers are smaller than the limit?
  = sum(x < limit for x in xs)
  ! sum(x > limit for x in xs)
# remove-value
without_zeros(xs: nats) -> list[int]
  Remove all zeros from the list.
  = [x for x in xs if x != 0]
  ! [x for x in xs if x > 1]
without_value(xs: ints, value: digit) -> list[int]
  Leave out every element that equals value.
  = [x for x in xs if x != value]
  ! [x for x in xs if x > value]
# extremes
spread(xs: ints1) -> int
  Return the difference of the greatest and the smallest element.
  = max(xs) - min(xs)
  ! xs[-1] - xs[0]
min_plus_max(xs: ints1) -> int
  Add the smallest element to the greatest.
  = min(xs) + max(xs)
  ! xs[0] + xs[-1]
largest_or_zero(xs: ints) -> int
  Return the maximum of the list, or 0 if the list is empty.
  = max(xs) if xs else 0
  ! xs[0] if xs else 0
# second
second_largest(xs: ints2) -> int
  Return the second number of the list in decreasing order; equal numbers count separately.
  = sorted(xs)[-2]
  ! sorted(xs)[1]
two_smallest(xs: ints2) -> list[int]
  Return the two lowest numbers, the lowest one first.
  = sorted(xs)[:2]
  ! xs[:2]
three_largest_sum(xs: ints3) -> int
  Add the three greatest numbers.
  = sum(sorted(xs)[-3:])
  ! sum(xs[-3:])
# place-of-extreme
place_of_max(xs: ints1) -> int
  Return the index of the maximum; the lowest index if it occurs several times.
  = xs.index(max(xs))
  ! xs.index(xs[-1])
place_of_min(xs: ints1) -> int
  At which index is the smallest number found first?
  = xs.index(min(xs))
  ! xs.index(max(xs))
# ends-of-list
first_and_last_sum(xs: ints1) -> int
  Add the element at the front and the element at the back.
  = xs[0] + xs[-1]
  ! sum(xs)
ends_equal(xs: ints1) -> bool
  Is the first element equal to the last one?
  = xs[0] == xs[-1]
  ! xs[0] == xs[1]
inner_part(xs: ints2) -> list[int]
  Return the list without its two outermost elements.
  = xs[1:-1]
  ! xs[1:][:2]
# take-drop
take(xs: ints, n: small) -> list[int]
  Return the first n elements, or all if there are fewer.
  = xs[:n]
  ! xs[n:]
drop(xs: ints, n: small) -> list[int]
  Return what is left of the list after the first n elements.
  = xs[n:]
  ! xs[:n]
last_three(xs: ints) -> list[int]
  Return the final three elements; a shorter list is returned whole.
  = xs[-3:]
  ! xs[3:]
# reverse-list
reversed_list(xs: ints) -> list[int]
  Return the elements from last to first.
  = xs[::-1]
  ! sorted(xs, reverse=True)
palindrome_list(xs: ints) -> bool
  Does the list stay the same when it is reversed?
  = xs == xs[::-1]
  ! xs[:1] == xs[-1:]
# sort-list
ascending(xs: ints) -> list[int]
  Return the numbers in increasing order.
  = sorted(xs)
  ! sorted(set(xs))
descending(xs: ints) -> list[int]
  Arrange the numbers so that the greatest comes first.
  = sorted(xs, reverse=True)
  ! xs[::-1]
by_absolute(xs: ints) -> list[int]
  Sort the numbers by their absolute value; ties stay in the given order.
  = sorted(xs, key=abs)
  ! sorted(xs)
# sortedness
is_sorted(xs: ints) -> bool
  Is each element at least as large as the one before it?
  = xs == sorted(xs)
  ! xs == sorted(set(xs))
is_descending(xs: ints) -> bool
  Return True when the numbers never rise from left to right.
  = xs == sorted(xs, reverse=True)
  ! xs[:1] >= xs[-1:]
# duplicates
has_duplicates(xs: ints) -> bool
  Does any number occur twice or more?
  = len(set(xs)) < len(xs)
  ! xs[:1] == xs[1:2]
count_distinct(xs: ints) -> int
  How many different numbers are in the list?
  = len(set(xs))
  ! len(xs)
sorted_distinct(xs: ints) -> list[int]
  Return each different number once, from small to great.
  = sorted(set(xs))
  ! sorted(xs)
# occurrence
how_often(xs: ints, value: digit) -> int
  How many times does value occur in the list?
  = xs.count(value)
  ! int(value in xs)
occurs_once(xs: ints, value: digit) -> bool
  Is value in the list exactly one time?
  = xs.count(value) == 1
  ! value in xs
# membership
not_in_list(xs: ints, value: digit) -> bool
  Return True if the list does not hold value.
  = value not in xs
  ! value > max(xs, default=0)
zero_inside(xs: nats) -> bool
  Is there a zero among the numbers?
  = 0 in xs
  ! 0 in xs[:2]
# all-of-list
all_positive(xs: ints) -> bool
  Are all numbers greater than zero? For an empty list the answer is True.
  = all(x > 0 for x in xs)
  ! sum(xs) > 0
all_the_same(xs: ints1) -> bool
  Do all elements have one and the same value?
  = len(set(xs)) == 1
  ! xs[0] == xs[-1]
# any-of-list
any_negative(xs: ints) -> bool
  Is at least one number less than zero?
  = any(x < 0 for x in xs)
  ! sum(xs) < 0
any_above_thirty(xs: ints) -> bool
  Return True if some element is greater than 30.
  = any(x > 30 for x in xs)
  ! sum(xs) > 30
# mean-of-list
mean(xs: ints1) -> float
  Return the arithmetic mean of the numbers as a float.
  = sum(xs) / len(xs)
  ! (min(xs) + max(xs)) / 2
below_mean(xs: ints1) -> list[int]
  Return the numbers that are smaller than the mean of the list.
  = [x for x in xs if x < sum(xs) / len(xs)]
  ! [x for x in xs if x <= sum(xs) / len(xs)]
# median
median_odd(xs: ints1) -> int
  Sort the numbers and return the one at index len(xs) // 2.
  = sorted(xs)[len(xs) // 2]
  ! xs[len(xs) // 2]
middle_element(xs: ints1) -> int
  Return the element at the middle index, len(xs) // 2, of the list as it is.
  = xs[len(xs) // 2]
  ! sorted(xs)[len(xs) // 2]
# neighbours
differences(xs: ints) -> list[int]
  Return each element minus the one before it, for all but the first.
  = [b - a for a, b in zip(xs, xs[1:])]
  ! [a - b for a, b in zip(xs, xs[1:])]
pair_sums(xs: ints) -> list[int]
  Add every element to its right neighbour and list the sums.
  = [a + b for a, b in zip(xs, xs[1:])]
  ! [a + b for a, b in zip(xs[::2], xs[1::2])]
equal_neighbours(xs: ints) -> bool
  Do two equal numbers stand side by side somewhere?
  = any(a == b for a, b in zip(xs, xs[1:]))
  ! len(set(xs)) < len(xs)
# every-kth
even_places(xs: ints) -> list[int]
  Return the elements with an even index.
  = xs[::2]
  ! [x for x in xs if x % 2 == 0]
every_third(xs: ints) -> list[int]
  Starting with the first element, take each third one.
  = xs[::3]
  ! xs[2::3]
# rotation
rotate_left(xs: ints) -> list[int]
  Move the first element to the end of the list.
  = xs[1:] + xs[:1]
  ! xs[-1:] + xs[:-1]
rotate_right(xs: ints) -> list[int]
  Take the last element away and put it in front.
  = xs[-1:] + xs[:-1]
  ! xs[1:] + xs[:1]
# append
with_zero_at_end(xs: ints) -> list[int]
  Return the list with a zero added behind its last element.
  = xs + [0]
  ! [0] + xs
with_total(xs: ints) -> list[int]
  Return the numbers followed by their sum.
  = xs + [sum(xs)]
  ! xs + [max(xs, default=0)]
front_and_back(xs: ints, value: digit) -> list[int]
  Put value at both ends of the list.
  = [value] + xs + [value]
  ! sorted([value] + xs + [value])
# repeat-list
list_twice(xs: ints) -> list[int]
  Return the list two times in a row as one list.
  = xs + xs
  ! [x * 2 for x in xs]
each_twice(xs: ints) -> list[int]
  Write every element two times in a row: 1, 2 becomes 1, 1, 2, 2.
  = [x for x in xs for _ in range(2)]
  ! xs * 2
# products
product(xs: nats1) -> int
  Multiply all numbers of the list.
  = math.prod(xs)
  ! sum(xs)
product_of_ends(xs: ints1) -> int
  Multiply the first by the last element.
  = xs[0] * xs[-1]
  ! min(xs) * max(xs)
# two-lists
elementwise_sum(a: ints2, b: ints2) -> list[int]
  Add the lists position by position; stop where the shorter one ends.
  = [x + y for x, y in zip(a, b)]
  ! [x + y for x, y in zip(sorted(a), sorted(b))]
dot(a: ints, b: ints) -> int
  Multiply elements at equal positions and sum the products, up to the shorter length.
  = sum(x * y for x, y in zip(a, b))
  ! sum(a) * sum(b)
common_numbers(a: ints, b: ints) -> list[int]
  Return the numbers that occur in both lists, each once, in increasing order.
  = sorted(set(a) & set(b))
  ! sorted(set(a) | set(b))
# merge-lists
sorted_union(a: ints, b: ints) -> list[int]
  Put all elements of both lists into one sorted list.
  = sorted(a + b)
  ! sorted(a) + sorted(b)
shorter_list(a: ints, b: ints) -> list[int]
  Return the list with fewer elements, or a when the sizes are equal.
  = a if len(a) <= len(b) else b
  ! a if sum(a) <= sum(b) else b
# to-text
joined_numbers(xs: ints) -> str
  Write the numbers in one string with a blank between neighbours.
  = " ".join(str(x) for x in xs)
  ! "".join(str(x) for x in xs)
as_texts(xs: ints) -> list[str]
  Convert each number to a string.
  = [str(x) for x in xs]
  ! [str(abs(x)) for x in xs]
sum_expression(xs: ints1) -> str
  Write the numbers with " + " between them.
  = " + ".join(str(x) for x in xs)
  ! "+".join(str(x) for x in xs)
# list-size
has_even_size(xs: ints) -> bool
  Is the number of elements even?
  = len(xs) % 2 == 0
  ! sum(xs) % 2 == 0
size_and_sum(xs: ints) -> list[int]
  Return a list of two values: the number of elements and their sum.
  = [len(xs), sum(xs)]
  ! [sum(xs), len(xs)]
# enumerate
times_index(xs: ints) -> list[int]
  Multiply every element by its index, counted from zero.
  = [i * x for i, x in enumerate(xs)]
  ! [(i + 1) * x for i, x in enumerate(xs)]
indices_of(xs: ints, value: digit) -> list[int]
  At which indices does value stand? Return all of them in increasing order.
  = [i for i, x in enumerate(xs) if x == value]
  ! [xs.index(value)] if value in xs else []
# sum-parts
sum_without_first(xs: ints) -> int
  Add all elements but the first one.
  = sum(xs[1:])
  ! sum(xs[:-1])
front_minus_back(xs: ints2) -> int
  Subtract the last element from the first.
  = xs[0] - xs[-1]
  ! xs[-1] - xs[0]
sum_of_first_two(xs: ints) -> int
  Return the sum of the two elements in front, or of as many as there are.
  = sum(xs[:2])
  ! sum(xs[-2:])
# absolute-list
absolute_values(xs: ints) -> list[int]
  Replace each number by its absolute value.
  = [abs(x) for x in xs]
  ! [-x for x in xs]
capped(xs: ints, cap: digit) -> list[int]
  Replace the numbers that are greater than cap by cap.
  = [min(x, cap) for x in xs]
  ! [max(x, cap) for x in xs]
zero_for_negative(xs: ints) -> list[int]
  Write 0 in place of each negative number.
  = [max(x, 0) for x in xs]
  ! [x for x in xs if x >= 0]
"""
