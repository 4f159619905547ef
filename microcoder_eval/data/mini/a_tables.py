"""One-line families about pairs, dictionaries and grids; see tables.py for the notation."""

TABLE = """
# pair-swap
swapped(pair: pair) -> tuple[int, int]
  Return the pair with its two values exchanged.
  = (pair[1], pair[0])
  ! (pair[0], pair[1])
pair_ordered(pair: pair) -> tuple[int, int]
  Return the two values as a pair, the smaller one first.
  = (min(pair), max(pair))
  ! (max(pair), min(pair))
# pair-arithmetic
pair_sum(pair: pair) -> int
  Add the two values of the pair.
  = pair[0] + pair[1]
  ! pair[0] * 2
pair_gap(pair: pair) -> int
  Return the second value minus the first.
  = pair[1] - pair[0]
  ! abs(pair[1] - pair[0])
pair_product_positive(pair: pair) -> bool
  Is the product of the two values greater than zero?
  = pair[0] * pair[1] > 0
  ! pair[0] + pair[1] > 0
# pair-equal
is_twin(pair: pair) -> bool
  Do both places of the pair hold the same value?
  = pair[0] == pair[1]
  ! pair[0] >= pair[1]
contains_value(pair: pair, value: digit) -> bool
  Is value the first or the second value of the pair?
  = value in pair
  ! value == pair[0]
# points
move_point(point: pair, dx: int, dy: int) -> tuple[int, int]
  Move the point (x, y) by dx and dy and return where it is then.
  = (point[0] + dx, point[1] + dy)
  ! (point[0] + dx, point[1] + dx)
grid_distance(p: pair, q: pair) -> int
  Return the distance along the streets: difference of the x plus difference of the y.
  = abs(p[0] - q[0]) + abs(p[1] - q[1])
  ! abs(p[0] + p[1] - q[0] - q[1])
on_axis(point: pair) -> bool
  Does the point lie on the x axis or the y axis, so that a coordinate is 0?
  = 0 in point
  ! point == (0, 0)
# pair-lists
firsts(pairs: pairs) -> list[int]
  Return the first value of each pair.
  = [p[0] for p in pairs]
  ! [p[1] for p in pairs]
sums_of_pairs(pairs: pairs) -> list[int]
  List the sum of every pair.
  = [a + b for a, b in pairs]
  ! [a * 2 for a, b in pairs]
swapped_all(pairs: pairs) -> list[tuple[int, int]]
  Exchange the two values in every pair of the list.
  = [(b, a) for a, b in pairs]
  ! pairs[::-1]
# sort-pairs
by_second(pairs: pairs) -> list[tuple[int, int]]
  Sort the pairs by their second value; equal ones keep their order.
  = sorted(pairs, key=lambda p: p[1])
  ! sorted(pairs)
by_sum(pairs: pairs) -> list[tuple[int, int]]
  Arrange the pairs by the sum of their values, lowest sum first, ties in the given order.
  = sorted(pairs, key=sum)
  ! sorted(pairs)
# filter-pairs
rising_pairs(pairs: pairs) -> list[tuple[int, int]]
  Keep the pairs whose first value is less than the second.
  = [(a, b) for a, b in pairs if a < b]
  ! [(a, b) for a, b in pairs if a > b]
count_with_zero_sum(pairs: pairs) -> int
  How many pairs have a sum greater than ten?
  = sum(a + b > 10 for a, b in pairs)
  ! sum(a > 10 for a, b in pairs)
# zip-lists
make_pairs(a: ints, b: ints) -> list[tuple[int, int]]
  Pair up the elements of both lists in order, as long as both last.
  = list(zip(a, b))
  ! list(zip(b, a))
indexed(words: words) -> list[tuple[int, str]]
  Return (index, word) for each word, counting from zero.
  = list(enumerate(words))
  ! list(enumerate(words, 1))
# table-lookup
value_or_zero(table: table, key: word) -> int
  Return the value stored under key, or 0 if there is no such key.
  = table.get(key, 0)
  ! table.get(key, 1) if table else 0
has_key(table: table, key: word) -> bool
  Is key one of the keys of the dictionary?
  = key in table
  ! table.get(key, 0) > 5
# table-size
number_of_keys(table: table) -> int
  How many keys does the dictionary have?
  = len(table)
  ! sum(v > 0 for v in table.values())
total_value(table: table) -> int
  Sum the values of the dictionary.
  = sum(table.values())
  ! sum(set(table.values()))
# table-keys
sorted_keys(table: table) -> list[str]
  Return the keys in alphabetical order.
  = sorted(table)
  ! list(table)
key_lengths(table: table) -> int
  How many letters do all the keys have together?
  = sum(len(k) for k in table)
  ! len(table)
# table-values
sorted_values(table: table) -> list[int]
  Return the values of the dictionary from small to great.
  = sorted(table.values())
  ! list(table.values())
value_occurs(table: table, n: digit) -> bool
  Does any key have the value n?
  = n in table.values()
  ! n > max(table.values(), default=0)
largest_value(table: table) -> int
  Return the greatest value, or 0 when the dictionary is empty.
  = max(table.values(), default=0)
  ! sum(table.values())
# table-filter
positive_entries(table: table) -> dict[str, int]
  Keep the entries whose value is greater than zero.
  = {k: v for k, v in table.items() if v > 0}
  ! {k: v for k, v in table.items() if v >= 0}
keys_with_value(table: table, n: digit) -> list[str]
  List the keys with exactly the value n, in the order of the dictionary.
  = [k for k, v in table.items() if v == n]
  ! [k for k, v in table.items() if v > n]
# table-map
values_doubled(table: table) -> dict[str, int]
  Return the same keys with doubled values.
  = {k: v * 2 for k, v in table.items()}
  ! {k * 2: v for k, v in table.items()}
keys_upper(table: table) -> dict[str, int]
  Return the dictionary with its keys in capital letters.
  = {k.upper(): v for k, v in table.items()}
  ! {k.title(): v for k, v in table.items()}
# table-best
best_key(table: table) -> str
  Return the key with the highest value (the earliest of several), "" for an empty dictionary.
  = max(table, key=table.get, default="")
  ! max(table, default="")
keys_by_value(table: table) -> list[str]
  Return the keys sorted by their values, lowest value first, ties in the dictionary's order.
  = sorted(table, key=table.get)
  ! sorted(table)
# table-invert
flipped(table: table) -> dict[int, str]
  Exchange keys and values; of keys with equal values the last one wins.
  = {v: k for k, v in table.items()}
  ! {v: k for k, v in reversed(table.items())}
without_key(table: table, key: word) -> dict[str, int]
  Return a copy of the dictionary that lacks the given key.
  = {k: v for k, v in table.items() if k != key}
  ! {k: v for k, v in table.items() if k == key}
# table-entries
entry_texts(table: table) -> list[str]
  Write every entry as "key=value" and return the texts in order.
  = [f"{k}={v}" for k, v in table.items()]
  ! [f"{v}={k}" for k, v in table.items()]
entry_pairs(table: table) -> list[tuple[str, int]]
  Return the entries as a list of (key, value).
  = list(table.items())
  ! sorted(table.items())
# build-table
squares_table(n: small) -> dict[int, int]
  Build a dictionary from each of the numbers 1 to n to its square.
  = {i: i * i for i in range(1, n + 1)}
  ! {i: i * i for i in range(n)}
index_table(words: words) -> dict[str, int]
  Map each word to the index of its last occurrence.
  = {w: i for i, w in enumerate(words)}
  ! {w: words.index(w) for w in words}
# merge-tables
merged(a: table, b: table) -> dict[str, int]
  Unite both dictionaries; where a key is in both, the value from b counts.
  = {**a, **b}
  ! {**b, **a}
shared_keys(a: table, b: table) -> list[str]
  Which keys are in both dictionaries? Return them sorted.
  = sorted(a.keys() & b.keys())
  ! sorted(a.keys() | b.keys())
# grid-rows
row_sums(grid: grid) -> list[int]
  Return the sum of each row.
  = [sum(row) for row in grid]
  ! [sum(row) for row in zip(*grid)]
row_maxima(grid: grid) -> list[int]
  Return the greatest number of every row.
  = [max(row) for row in grid]
  ! [max(row) for row in zip(*grid)]
# grid-columns
first_column(grid: grid) -> list[int]
  Return the leftmost number of each row, from top to bottom.
  = [row[0] for row in grid]
  ! grid[0]
column(grid: grid, n: bit) -> list[int]
  Return column n as a list; negative zero does not matter, grids with one column only have n = 0.
  = [row[n % len(row)] for row in grid]
  ! [row[0] for row in grid]
# grid-total
grid_sum(grid: grid) -> int
  Add all numbers of the grid.
  = sum(sum(row) for row in grid)
  ! sum(grid[0])
grid_max(grid: grid) -> int
  Which number is the greatest in the whole grid?
  = max(max(row) for row in grid)
  ! max(grid[0])
# grid-shape
cell_count(grid: grid) -> int
  How many cells does the grid have?
  = len(grid) * len(grid[0])
  ! len(grid) * 2
is_square_grid(grid: grid) -> bool
  Does the grid have as many rows as columns?
  = len(grid) == len(grid[0])
  ! len(grid) >= len(grid[0])
# grid-flip
upside_down(grid: grid) -> list[list[int]]
  Return the rows from bottom to top.
  = grid[::-1]
  ! [row[::-1] for row in grid]
mirrored_grid(grid: grid) -> list[list[int]]
  Reverse each row of the grid.
  = [row[::-1] for row in grid]
  ! grid[::-1]
# grid-flatten
flattened(grid: grid) -> list[int]
  Put the numbers of all rows, one row after another, into one list.
  = [x for row in grid for x in row]
  ! [x for row in zip(*grid) for x in row]
sorted_cells(grid: grid) -> list[int]
  Return all numbers of the grid in increasing order.
  = sorted(x for row in grid for x in row)
  ! sorted(grid[0])
# grid-map
grid_plus_one(grid: grid) -> list[list[int]]
  Add one to each cell.
  = [[x + 1 for x in row] for row in grid]
  ! [[x + 1 for x in grid[0]] for row in grid]
negative_cells(grid: grid) -> int
  How many cells hold a negative number?
  = sum(x < 0 for row in grid for x in row)
  ! sum(x < 0 for x in grid[0])
# grid-cells
corner_sum(grid: grid) -> int
  Add the top left cell and the bottom right cell.
  = grid[0][0] + grid[-1][-1]
  ! grid[0][-1] + grid[-1][0]
cell(grid: grid) -> int
  Return the last number of the first row.
  = grid[0][-1]
  ! grid[-1][0]
"""
