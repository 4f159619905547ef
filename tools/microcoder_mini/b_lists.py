"""Short bodies about lists and grids, two algorithms each; see tables.py for the notation."""

TABLE = """
# runs
longest_run(xs: ints) -> int
  Return the length of the longest run of equal neighbouring elements, 0 for an empty list.
  = one pass with a counter:
    best = count = 0
    for i, x in enumerate(xs):
        count = count + 1 if i and xs[i - 1] == x else 1
        best = max(best, count)
    return best
  = all blocks, longest first:
    for size in range(len(xs), 0, -1):
        for i in range(len(xs) - size + 1):
            if len(set(xs[i:i + size])) == 1:
                return size
    return 0
  ! else 1 ==> else 0
  ! best = max(best, count) ==> best = count
run_lengths(xs: ints) -> list[int]
  Cut the list into blocks of equal neighbours and return the sizes of the blocks in order.
  = one pass:
    sizes = []
    for i, x in enumerate(xs):
        if i and xs[i - 1] == x:
            sizes[-1] += 1
        else:
            sizes.append(1)
    return sizes
  = differences of the borders:
    n = len(xs)
    cuts = [i for i in range(n + 1) if i in (0, n) or xs[i] != xs[i - 1]]
    return [b - a for a, b in zip(cuts, cuts[1:])]
  ! sizes[-1] += 1 ==> sizes[0] += 1
  ! xs[i - 1] == x ==> xs[i - 1] >= x
# best-sum
best_block_sum(xs: ints1) -> int
  Among all blocks of one or more neighbouring elements find the greatest sum.
  = Kadane's scan:
    best = here = xs[0]
    for x in xs[1:]:
        here = max(x, here + x)
        best = max(best, here)
    return best
  = all blocks:
    n = len(xs)
    return max(sum(xs[i:j]) for i in range(n) for j in range(i + 1, n + 1))
  ! best = here = xs[0] ==> best = here = max(xs[0], 0)
  ! max(x, here + x) ==> max(0, here + x)
# balance-point
balance_index(xs: ints) -> int
  Return the lowest index whose element has equal sums to its left and to its right, -1 if none.
  = running sum:
    left, total = 0, sum(xs)
    for i, x in enumerate(xs):
        if left == total - left - x:
            return i
        left += x
    return -1
  = sums of slices:
    fitting = [i for i in range(len(xs)) if sum(xs[:i]) == sum(xs[i + 1:])]
    return fitting[0] if fitting else -1
  ! total - left - x ==> total - left
  ! return -1 ==> return len(xs) - 1
# two-sum
has_pair_with_sum(xs: ints, goal: int) -> bool
  Do two elements at different positions add up to the goal?
  = set of what was seen:
    seen = set()
    for x in xs:
        if goal - x in seen:
            return True
        seen.add(x)
    return False
  = all pairs:
    n = len(xs)
    return any(xs[i] + xs[j] == goal for i in range(n) for j in range(i))
  ! seen = set() ==> seen = set(xs)
  ! return False ==> return goal in seen
  ! values instead of positions:
    return any(goal - x in xs and goal - x != x for x in xs)
count_pairs_with_gap(xs: ints, gap: digit) -> int
  Count the pairs of positions whose elements differ by exactly gap.
  = all pairs:
    n = len(xs)
    return sum(abs(xs[i] - xs[j]) == gap for i in range(n) for j in range(i))
  = table of counts:
    counts = {}
    for x in xs:
        counts[x] = counts.get(x, 0) + 1
    return sum(c * counts.get(x + gap, 0) for x, c in counts.items())
  ! abs(xs[i] - xs[j]) == gap ==> xs[i] - xs[j] == gap
  ! range(n) for ==> range(n - 1) for
# merging
alternate_sorted(a: ints, b: ints) -> list[int]
  Sort both lists, then take alternately from a and b, beginning with a; append what remains.
  = index loop:
    a, b, made = sorted(a), sorted(b), []
    for i in range(max(len(a), len(b))):
        made += a[i:i + 1]
        made += b[i:i + 1]
    return made
  = zip and rest:
    a, b = sorted(a), sorted(b)
    n = min(len(a), len(b))
    return [x for pair in zip(a, b) for x in pair] + a[n:] + b[n:]
  ! max(len(a), len(b)) ==> min(len(a), len(b))
  ! sorted(b), [] ==> b, []
# order-kept-unique
unique_in_order(xs: ints) -> list[int]
  Return each different number once, in the order of first occurrence.
  = set of what was seen:
    seen, made = set(), []
    for x in xs:
        if x not in seen:
            seen.add(x)
            made.append(x)
    return made
  = first index test:
    return [x for i, x in enumerate(xs) if xs.index(x) == i]
  ! return made ==> return sorted(made)
  ! if x not in seen ==> if x not in made[-1:]
last_unique_order(xs: ints) -> list[int]
  Keep only the last occurrence of every number; the survivors stay in order.
  = from the back:
    made = []
    for x in reversed(xs):
        if x not in made:
            made.insert(0, x)
    return made
  = look ahead:
    return [x for i, x in enumerate(xs) if x not in xs[i + 1:]]
  ! reversed(xs) ==> xs
  ! made.insert(0, x) ==> made.append(x)
# frequency
most_common(xs: ints1) -> int
  Return the number that occurs most often; of several such numbers the smallest.
  = table of counts:
    counts = {}
    for x in xs:
        counts[x] = counts.get(x, 0) + 1
    top = max(counts.values())
    return min(x for x, c in counts.items() if c == top)
  = sort key:
    return max(sorted(xs), key=xs.count)
  ! return min( ==> return max(
  ! if c == top) ==> if c)
by_frequency(xs: ints) -> list[int]
  Return the different numbers, most frequent first; equally frequent ones from small to great.
  = sort by a pair:
    return sorted(set(xs), key=lambda x: (-xs.count(x), x))
  = two stable sorts:
    made = sorted(set(xs))
    made.sort(key=xs.count, reverse=True)
    return made
  ! (-xs.count(x), x) ==> (-xs.count(x), -x)
  ! (-xs.count(x), x) ==> (xs.count(x), x)
# peaks
count_peaks(xs: ints) -> int
  How many elements are greater than both neighbours? The first and last element have only one
  neighbour and never count.
  = index loop:
    count = 0
    for i in range(1, len(xs) - 1):
        if xs[i] > xs[i - 1] and xs[i] > xs[i + 1]:
            count += 1
    return count
  = three shifted lists:
    return sum(a < b > c for a, b, c in zip(xs, xs[1:], xs[2:]))
  ! xs[i] > xs[i - 1] and ==> xs[i] >= xs[i - 1] and
  ! range(1, len(xs) - 1) ==> range(1, len(xs) - 2)
# rising
longest_rise(xs: ints) -> int
  Return the length of the longest block in which each element exceeds the one before it.
  = one pass:
    best = here = 0
    for i, x in enumerate(xs):
        here = here + 1 if i and x > xs[i - 1] else 1
        best = max(best, here)
    return best
  = table from the back:
    sizes = [1] * len(xs)
    for i in range(len(xs) - 2, -1, -1):
        if xs[i] < xs[i + 1]:
            sizes[i] = sizes[i + 1] + 1
    return max(sizes, default=0)
  ! x > xs[i - 1] ==> x >= xs[i - 1]
  ! best = here = 0 ==> best = here = 1
longest_subsequence(xs: ints) -> int
  Elements may be left out: how long is the longest strictly increasing selection in list order?
  = quadratic table:
    sizes = []
    for i, x in enumerate(xs):
        sizes.append(1 + max((sizes[j] for j in range(i) if xs[j] < x), default=0))
    return max(sizes, default=0)
  = lowest ends by length:
    ends = []
    for x in xs:
        place = sum(end < x for end in ends)
        ends[place:place + 1] = [x]
    return len(ends)
  ! xs[j] < x ==> xs[j] <= x
  ! return max(sizes, default=0) ==> return sizes[-1] if sizes else 0
  ! greedy, from the first element:
    count, last = 0, -100
    for x in xs:
        if x > last:
            count, last = count + 1, x
    return count
# prefix
prefix_sums(xs: ints) -> list[int]
  Return the list of sums of the first 1, 2, 3, ... elements.
  = running total:
    made, total = [], 0
    for x in xs:
        total += x
        made.append(total)
    return made
  = sums of slices:
    return [sum(xs[:i + 1]) for i in range(len(xs))]
  ! total += x ==> total = x + max(total, 0)
  ! made, total = [], 0 ==> made, total = [], int(len(xs) > 4)
first_below_zero(xs: ints) -> int
  An account starts at 0 and the amounts are booked in order. After how many bookings is it below
  zero for the first time? Return 0 if that never happens.
  = running total:
    total = 0
    for i, x in enumerate(xs, 1):
        total += x
        if total < 0:
            return i
    return 0
  = sums of slices:
    return next((i for i in range(len(xs) + 1) if sum(xs[:i]) < 0), 0)
  ! total < 0 ==> total <= 0
  ! if total < 0 ==> if x < 0
# rotation-search
rotate_by(xs: ints, k: nat) -> list[int]
  Move the first element to the end of the list, k times in a row.
  = slice by the remainder:
    if not xs:
        return []
    k %= len(xs)
    return xs[k:] + xs[:k]
  = one step at a time:
    for _ in range(k):
        xs = xs[1:] + xs[:1]
    return xs
  ! k %= len(xs) ==> k = min(k, len(xs))
  ! xs[k:] + xs[:k] ==> xs[-k:] + xs[:-k]
# chunks
chunks(xs: ints, size: digit) -> list[list[int]]
  Cut the list into pieces of size elements; the last piece may be shorter.
  = slices:
    return [xs[i:i + size] for i in range(0, len(xs), size)]
  = fill the last piece:
    made = []
    for x in xs:
        if not made or len(made[-1]) == size:
            made.append([])
        made[-1].append(x)
    return made
  ! range(0, len(xs), size) ==> range(0, len(xs) - size + 1, size)
  ! i + size] ==> i + min(size, 4)]
windows_max(xs: ints, size: digit) -> list[int]
  Return the maximum of each block of size neighbouring elements, from left to right.
  = slices:
    return [max(xs[i:i + size]) for i in range(len(xs) - size + 1)]
  = pairwise growth:
    made = xs
    for _ in range(size - 1):
        made = [max(a, b) for a, b in zip(made, made[1:])]
    return made
  ! len(xs) - size + 1) ==> len(xs) - size)
  ! len(xs) - size + 1) ==> len(xs))
# grid-turn
transposed(grid: grid) -> list[list[int]]
  Make the columns of the grid its rows: the first column becomes the first row.
  = zip:
    return [list(column) for column in zip(*grid)]
  = indices:
    return [[row[j] for row in grid] for j in range(len(grid[0]))]
  ! zip(*grid) ==> zip(*grid[::-1])
  ! zip(*grid) ==> zip(*grid[:3])
turned_right(grid: grid) -> list[list[int]]
  Turn the grid by a quarter to the right, so that its left column becomes its top row with the
  lowest cell first.
  = zip of reversed rows:
    return [list(column) for column in zip(*grid[::-1])]
  = indices:
    n = len(grid)
    return [[grid[n - 1 - i][j] for i in range(n)] for j in range(len(grid[0]))]
  ! zip(*grid[::-1]) ==> zip(*grid)
  ! zip(*grid[::-1]) ==> list(zip(*grid))[::-1]
# grid-search
saddle_count(grid: grid) -> int
  Count the cells that are the minimum of their row and at the same time the maximum of their
  column; several equal cells all count.
  = test each cell:
    columns = list(zip(*grid))
    return sum(x == min(row) and x == max(columns[j]) for row in grid for j, x in enumerate(row))
  = compare limits:
    lows = [min(row) for row in grid]
    highs = [max(column) for column in zip(*grid)]
    return sum(low == high == x for low, row in zip(lows, grid) for high, x in zip(highs, row))
  ! x == max(columns[j]) ==> x == max(row)
  ! x == min(row) and ==> x <= sum(row) and
border_sum(grid: grid) -> int
  Add the cells of the outermost rows and columns; each cell counts once.
  = test each cell:
    h, w = len(grid), len(grid[0])
    total = 0
    for i in range(h):
        for j in range(w):
            if i in (0, h - 1) or j in (0, w - 1):
                total += grid[i][j]
    return total
  = all without the inner cells:
    return sum(map(sum, grid)) - sum(sum(row[1:-1]) for row in grid[1:-1])
  ! or j in (0, w - 1) ==> or j == 0
  ! i in (0, h - 1) ==> i == 0
  ! one row counted twice:
    inner = sum(row[0] + row[-1] for row in grid[1:-1]) if len(grid[0]) > 1 else 0
    return sum(grid[0]) + sum(grid[-1]) + inner
  ! one column counted twice:
    ends = sum(grid[0]) + (sum(grid[-1]) if len(grid) > 1 else 0)
    return ends + sum(row[0] + row[-1] for row in grid[1:-1])
# spiral
diagonal_sum(grid: grid) -> int
  Add the cells whose row index equals their column index.
  = shorter side:
    return sum(grid[i][i] for i in range(min(len(grid), len(grid[0]))))
  = all cells:
    return sum(x for i, row in enumerate(grid) for j, x in enumerate(row) if i == j)
  ! range(min(len(grid), len(grid[0]))) ==> range(len(grid[0][:len(grid) - 1]) or 1)
  ! grid[i][i] ==> grid[0][i]
zigzag(grid: grid) -> list[int]
  Read the first row from left to right, the second from right to left, and so on in turns.
  = row by row:
    made = []
    for i, row in enumerate(grid):
        made += row[::-1] if i % 2 else row
    return made
  = flip a switch:
    made, step = [], 1
    for row in grid:
        made.extend(row[::step])
        step = -step
    return made
  ! if i % 2 ==> if i
  ! if i % 2 ==> if i % 2 == 0
# intervals
covered_length(pairs: pairs) -> int
  Each pair (a, b) covers the whole numbers from a to b - 1, none if b <= a. How many different
  numbers are covered?
  = set of numbers:
    covered = set()
    for a, b in pairs:
        covered.update(range(a, b))
    return len(covered)
  = sweep over sorted pairs:
    total, end = 0, -100
    for a, b in sorted(pairs):
        total += max(0, b - max(a, end))
        end = max(end, b)
    return total
  ! range(a, b) ==> range(a, b + 1)
  ! range(a, b) ==> range(min(a, b), max(a, b))
  ! overlaps counted twice:
    return sum(max(0, b - a) for a, b in pairs)
  ! the end of the last pair only:
    total, end = 0, -100
    for a, b in sorted(pairs):
        total += max(0, b - max(a, end))
        end = b
    return total
most_overlapping(pairs: pairs) -> int
  Each pair is a visit from a to b, both included, its smaller value being the beginning. How many
  visits are under way at the busiest moment?
  = look at every beginning:
    visits = [(min(p), max(p)) for p in pairs]
    return max((sum(a <= t <= b for a, b in visits) for t, _ in visits), default=0)
  = sorted events:
    events = sorted([(min(p), 0) for p in pairs] + [(max(p), 1) for p in pairs])
    best = here = 0
    for _, kind in events:
        here += 1 - 2 * kind
        best = max(best, here)
    return best
  ! a <= t <= b ==> a <= t < b
  ! (min(p), max(p)) ==> p
# partition
can_split_evenly(xs: nats) -> bool
  Can the numbers be divided into two groups with equal sums? A group may be empty.
  = set of reachable sums:
    sums = {0}
    for x in xs:
        sums |= {s + x for s in sums}
    return max(sums) % 2 == 0 and max(sums) // 2 in sums
  = all selections:
    n, total = len(xs), sum(xs)
    return any(2 * sum(x for i, x in enumerate(xs) if m >> i & 1) == total for m in range(2 ** n))
  ! return max(sums) % 2 == 0 and ==> return
  ! and max(sums) // 2 in sums ==> and len(sums) > 0
  ! greedy, the greatest first:
    left = right = 0
    for x in sorted(xs, reverse=True):
        if left <= right:
            left += x
        else:
            right += x
    return left == right
# buying
fewest_coins(amount: nat) -> int
  Coins of 1, 5, 12 and 20 are at hand in any number. With how few coins can the amount be paid
  exactly?
  = table of amounts:
    best = [0]
    for total in range(1, amount + 1):
        best.append(1 + min(best[total - c] for c in (1, 5, 12, 20) if c <= total))
    return best[amount]
  = breadth first:
    reached, count = {0}, 0
    while amount not in reached:
        reached |= {r + c for r in reached for c in (1, 5, 12, 20) if r + c <= amount}
        count += 1
    return count
  ! (1, 5, 12, 20) ==> (1, 5, 20)
  ! (1, 5, 12, 20) ==> (1, 5, 12)
"""
