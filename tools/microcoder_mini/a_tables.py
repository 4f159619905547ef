"""One-line families about pairs, dictionaries and grids; see tables.py for the notation."""

TABLE = """
# pair-swap
swapped(pair: pair) -> tuple[int, int]
  Return the tuple (second, first) of the pair.
  = (pair[1], pair[0])
  ! (pair[0], pair[1])
  ! (max(pair), min(pair))
pair_ordered(pair: pair) -> tuple[int, int]
  Return a tuple of the minimum and the maximum of pair.
  = (min(pair), max(pair))
  ! (max(pair), min(pair))
  ! tuple(sorted(pair, key=abs))
# pair-arithmetic
pair_squares(pair: pair) -> int
  Return the sum of the squares of both values.
  = pair[0] ** 2 + pair[1] ** 2
  ! (pair[0] + pair[1]) ** 2
  ! pair[0] ** 2 + pair[1]
pair_gap(pair: pair) -> int
  Return the second value minus the first.
  = pair[1] - pair[0]
  ! abs(pair[1] - pair[0])
  ! max(pair[1] - pair[0], 0)
pair_product(pair: pair) -> int
  Multiply the two values of pair.
  = pair[0] * pair[1]
  ! pair[0] * abs(pair[1])
  ! sum(pair)
# pair-equal
is_twin(pair: pair) -> bool
  Do both places of the pair hold the same value?
  = pair[0] == pair[1]
  ! pair[0] >= pair[1]
  ! pair[0] == pair[1] > 0
contains_value(pair: pair, value: digit) -> bool
  Return True if value is in pair.
  = value in pair
  ! value == pair[0]
  ! pair[0] <= value <= pair[1]
# points
move_point(point: pair, dx: int, dy: int) -> tuple[int, int]
  Move the point (x, y) by dx and dy and return where it is then.
  = (point[0] + dx, point[1] + dy)
  ! (point[0] + dx, point[1] + dx)
  ! (max(point[0] + dx, 0), max(point[1] + dy, 0))
distance_on_x(p: pair, q: pair) -> int
  Return the absolute difference of p[0] and q[0].
  = abs(p[0] - q[0])
  ! p[0] - q[0]
  ! abs(p[0] - q[1])
on_axis(point: pair) -> bool
  Return True if point[0] or point[1] is 0.
  = 0 in point
  ! point == (0, 0)
  ! point[1] == 0
# pair-lists
firsts(pairs: pairs) -> list[int]
  Return a list of the first element of each pair in pairs.
  = [p[0] for p in pairs]
  ! [p[1] for p in pairs]
  ! [min(p) for p in pairs]
sums_of_pairs(pairs: pairs) -> list[int]
  List the sum of every pair.
  = [a + b for a, b in pairs]
  ! [a * 2 for a, b in pairs]
  ! [a + b for a, b in pairs if a + b > 0]
swapped_all(pairs: pairs) -> list[tuple[int, int]]
  Return a list of (b, a) for each (a, b) in pairs.
  = [(b, a) for a, b in pairs]
  ! pairs[::-1]
  ! [(max(p), min(p)) for p in pairs]
# sort-pairs
by_second(pairs: pairs) -> list[tuple[int, int]]
  Sort the pairs by their second value; equal ones keep their order.
  = sorted(pairs, key=lambda p: p[1])
  ! sorted(pairs)
  ! sorted(pairs, key=lambda p: p[::-1])
pairs_sorted(pairs: pairs) -> list[tuple[int, int]]
  Return the sorted list of pairs.
  = sorted(pairs)
  ! sorted(pairs, key=sum)
  ! sorted(pairs, reverse=True)
# filter-pairs
many_pairs(pairs: pairs) -> bool
  Return True if there are more than 3 pairs.
  = len(pairs) > 3
  ! len(pairs) >= 3
  ! len(pairs) > 5
count_large_sums(pairs: pairs) -> int
  Count the pairs (a, b) with a + b greater than 10.
  = sum(a + b > 10 for a, b in pairs)
  ! sum(a > 10 for a, b in pairs)
  ! sum(a > 10 or b > 10 for a, b in pairs)
# zip-lists
make_pairs(a: ints, b: ints) -> list[tuple[int, int]]
  Pair up the elements of both lists in order, as long as both last.
  = list(zip(a, b))
  ! list(zip(b, a))
  ! [(x, y) for x in a for y in b]
indexed(words: words) -> list[tuple[int, str]]
  Return a list of the tuples (index, word), using enumerate.
  = list(enumerate(words))
  ! list(enumerate(words, 1))
  ! [(words.index(w), w) for w in words]
# table-lookup
value_or_zero(table: table, key: word) -> int
  Return the value of key in table, or 0 if key is not in table.
  = table.get(key, 0)
  ! table.get(key, 1) if table else 0
  ! max(table.get(key, 0), 0)
has_key(table: table, key: word) -> bool
  Return True if key is in table.
  = key in table
  ! table.get(key, 0) > 5
  ! any(key in k for k in table)
  ! bool(table.get(key))
# table-size
keys_and_values(table: table) -> int
  Return the number of keys plus the number of different values.
  = len(table) + len(set(table.values()))
  ! 2 * len(table)
  ! len(table) + sum(table.values())
total_value(table: table) -> int
  Sum the values of the dictionary.
  = sum(table.values())
  ! sum(set(table.values()))
  ! sum(abs(v) for v in table.values())
# table-keys
sorted_keys(table: table) -> list[str]
  Return the sorted list of the keys of table.
  = sorted(table)
  ! list(table)
  ! sorted(table, key=len)
key_lengths(table: table) -> int
  Return the sum of the lengths of the keys of table.
  = sum(len(k) for k in table)
  ! len(table)
  ! len(" ".join(table))
# table-values
sorted_values(table: table) -> list[int]
  Return the values of the dictionary from small to great.
  = sorted(table.values())
  ! list(table.values())
  ! sorted(set(table.values()))
value_occurs(table: table, n: digit) -> bool
  Return True if n is in the values of table.
  = n in table.values()
  ! n > max(table.values(), default=0)
  ! any(v >= n for v in table.values())
largest_value(table: table) -> int
  Return the maximum of the values of table, or 0 if table is empty.
  = max(table.values(), default=0)
  ! sum(table.values())
  ! table[max(table)] if table else 0
# table-filter
positive_entries(table: table) -> dict[str, int]
  Keep the entries whose value is greater than zero.
  = {k: v for k, v in table.items() if v > 0}
  ! {k: v for k, v in table.items() if v >= 0}
  ! {k: v for k, v in table.items() if v}
keys_with_value(table: table, n: digit) -> list[str]
  List the keys with exactly the value n, in the order of the dictionary.
  = [k for k, v in table.items() if v == n]
  ! [k for k, v in table.items() if v > n]
  ! sorted(k for k, v in table.items() if v == n)
# table-map
values_doubled(table: table) -> dict[str, int]
  Return the same keys with doubled values.
  = {k: v * 2 for k, v in table.items()}
  ! {k * 2: v for k, v in table.items()}
  ! {k: v * 2 for k, v in table.items() if v > 0}
keys_upper(table: table) -> dict[str, int]
  Return a dictionary with each key of table in upper case and the same value.
  = {k.upper(): v for k, v in table.items()}
  ! {k.title(): v for k, v in table.items()}
  ! {k.upper(): v for k, v in table.items() if v}
# table-best
sum_or_zero(table: table) -> int
  Return the maximum of 0 and the sum of the values of table.
  = max(0, sum(table.values()))
  ! sum(table.values())
  ! max(0, *table.values(), 0)
smallest_or_zero(table: table) -> int
  Return the minimum of the values of table and 0.
  = min([*table.values(), 0])
  ! min(table.values(), default=0)
  ! max([*table.values(), 0])
# table-invert
values_list(table: table) -> list[int]
  Return a list of the values of table.
  = list(table.values())
  ! sorted(table.values())
  ! list(set(table.values()))
table_is_small(table: table) -> bool
  Return True if table has less than 3 keys.
  = len(table) < 3
  ! len(table) <= 3
  ! len(set(table.values())) < 3
# table-entries
entry_texts(table: table) -> list[str]
  Return a list of strings "key=value" for the items of table.
  = [f"{k}={v}" for k, v in table.items()]
  ! [f"{v}={k}" for k, v in table.items()]
  ! [f"{k}={v}" for k, v in sorted(table.items())]
entry_pairs(table: table) -> list[tuple[str, int]]
  Return the entries as a list of (key, value).
  = list(table.items())
  ! sorted(table.items())
  ! sorted(table.items(), key=lambda entry: entry[1])
# build-table
squares_table(n: small) -> dict[int, int]
  Build a dictionary from each of the numbers 1 to n to its square.
  = {i: i * i for i in range(1, n + 1)}
  ! {i: i * i for i in range(n)}
  ! {i * i: i for i in range(1, n + 1)}
index_table(words: words) -> dict[str, int]
  Map each word to the index of its last occurrence.
  = {w: i for i, w in enumerate(words)}
  ! {w: words.index(w) for w in words}
  ! {w: i for i, w in enumerate(words) if words.count(w) == 1}
# merge-tables
merged(a: table, b: table) -> dict[str, int]
  Merge the dictionaries a and b; values of b override those of a.
  = {**a, **b}
  ! {**b, **a}
  ! {k: a.get(k, 0) + b.get(k, 0) for k in {**a, **b}}
shared_keys(a: table, b: table) -> list[str]
  Which keys are in both dictionaries? Return them sorted.
  = sorted(a.keys() & b.keys())
  ! sorted(a.keys() | b.keys())
  ! [k for k in a if k in b]
# grid-rows
row_sums(grid: grid) -> list[int]
  Return the sum of each row.
  = [sum(row) for row in grid]
  ! [sum(row) for row in zip(*grid)]
  ! [row[0] + row[-1] for row in grid]
row_maxima(grid: grid) -> list[int]
  Return the greatest number of every row.
  = [max(row) for row in grid]
  ! [max(row) for row in zip(*grid)]
  ! [max(row[0], row[-1]) for row in grid]
# grid-columns
first_column(grid: grid) -> list[int]
  Return a list of the first element of each row of grid.
  = [row[0] for row in grid]
  ! grid[0]
  ! [grid[i][0] for i in range(len(grid[0]))]
column(grid: grid, n: bit) -> list[int]
  Return a list of row[n % len(row)] for each row of grid.
  = [row[n % len(row)] for row in grid]
  ! [row[0] for row in grid]
  ! [row[-n] for row in grid]
# grid-total
grid_sum(grid: grid) -> int
  Return the sum of the sums of all rows of grid.
  = sum(sum(row) for row in grid)
  ! sum(grid[0])
  ! sum(sum(set(row)) for row in grid)
grid_max(grid: grid) -> int
  Return the maximum of the maximums of the rows of grid.
  = max(max(row) for row in grid)
  ! max(grid[0])
  ! max(max(grid))
# grid-shape
cell_count(grid: grid) -> int
  Return the number of rows times the number of columns of grid.
  = len(grid) * len(grid[0])
  ! len(grid) * 2
  ! len(grid) ** 2
is_square_grid(grid: grid) -> bool
  Does the grid have as many rows as columns?
  = len(grid) == len(grid[0])
  ! len(grid) >= len(grid[0])
  ! len(grid) <= len(grid[0])
# grid-flip
upside_down(grid: grid) -> list[list[int]]
  Return the list of rows of grid in reverse order.
  = grid[::-1]
  ! [row[::-1] for row in grid]
  ! sorted(grid, reverse=True)
mirrored_grid(grid: grid) -> list[list[int]]
  Return a list of the reversed rows of grid.
  = [row[::-1] for row in grid]
  ! grid[::-1]
  ! [sorted(row, reverse=True) for row in grid]
# grid-flatten
flattened(grid: grid) -> list[int]
  Flatten the grid into one list.
  = [x for row in grid for x in row]
  ! [x for row in zip(*grid) for x in row]
  ! grid[0] + grid[-1]
sorted_cells(grid: grid) -> list[int]
  Return a sorted list of all numbers x in all rows of grid.
  = sorted(x for row in grid for x in row)
  ! sorted(grid[0])
  ! sorted({x for row in grid for x in row})
# grid-map
grid_plus_one(grid: grid) -> list[list[int]]
  Return a grid with x + 1 for each x in each row.
  = [[x + 1 for x in row] for row in grid]
  ! [[x + 1 for x in grid[0]] for row in grid]
  ! [[x + 1 for x in row if x >= 0] for row in grid]
negative_cells(grid: grid) -> int
  Count the numbers less than 0 in all rows of grid.
  = sum(x < 0 for row in grid for x in row)
  ! sum(x < 0 for x in grid[0])
  ! sum(min(row) < 0 for row in grid)
# grid-cells
corner_sum(grid: grid) -> int
  Add the top left cell and the bottom right cell.
  = grid[0][0] + grid[-1][-1]
  ! grid[0][-1] + grid[-1][0]
  ! grid[0][0] + grid[-1][len(grid) - 1]
row_count(grid: grid) -> int
  Return the number of rows of grid.
  = len(grid)
  ! len(grid[0])
  ! len(grid) * len(grid[0])
"""
