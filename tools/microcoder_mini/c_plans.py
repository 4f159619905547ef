"""Programs about grids, networks and times, two algorithms each; see programs.py."""

TABLE = """
# islands
count_islands < grid
  A map shows land as # and water as a dot. Cells that touch along an edge belong to the same
  island; a touch at a corner does not connect.
  < Height h and width w on the first line (1 to 20 both), then h lines of w characters.
  > The number of islands.
  = flood each island:
    left = {(i, j) for i in range(h) for j in range(w) if rows[i][j] == "#"}
    count = 0
    while left:
        count, stack = count + 1, [left.pop()]
        while stack:
            i, j = stack.pop()
            near = {(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)} & left
            left -= near
            stack += near
    print(count)
  = merge sets:
    owner = {(i, j): (i, j) for i in range(h) for j in range(w) if rows[i][j] == "#"}
    def root(cell):
        while owner[cell] != cell:
            cell = owner[cell]
        return cell
    for i, j in owner:
        for other in ((i + 1, j), (i, j + 1)):
            if other in owner:
                owner[root(other)] = root((i, j))
    print(sum(owner[cell] == cell for cell in owner))
  ! (i, j - 1), (i, j + 1)} ==> (i, j - 1), (i, j + 1), (i + 1, j + 1)}
  ! (i, j - 1), (i, j + 1)} ==> (i, j + 1)}
  ! never upwards:
    left = {(i, j) for i in range(h) for j in range(w) if rows[i][j] == "#"}
    count = 0
    while left:
        count, stack = count + 1, [min(left)]
        left.remove(stack[0])
        while stack:
            i, j = stack.pop()
            near = {(i + 1, j), (i, j - 1), (i, j + 1)} & left
            left -= near
            stack += near
    print(count)
shore_length < grid
  A gardener fences beds. Each # is a bed of one square metre. A fence is needed along every side of
  a bed that borders on a free cell (a dot) or on the edge of the plot.
  < Two numbers h and w, neither above 20 nor below 1, and then the plot: h rows of w signs.
  > The length of the fence in metres.
  = four sides a bed:
    plot = ["." * (w + 2), *("." + row + "." for row in rows), "." * (w + 2)]
    total = 0
    for i in range(1, h + 1):
        for j in range(1, w + 1):
            if plot[i][j] == "#":
                sides = plot[i - 1][j] + plot[i + 1][j] + plot[i][j - 1] + plot[i][j + 1]
                total += sides.count(".")
    print(total)
  = changes along rows and columns:
    lines = ["." + row + "." for row in rows]
    lines += ["." + "".join(column) + "." for column in zip(*rows)]
    print(sum(a != b for line in lines for a, b in zip(line, line[1:])))
  ! plot[i][j - 1] + plot[i][j + 1] ==> plot[i][j - 1] + plot[i - 1][j]
  ! sides.count(".") ==> 4 - min(sides.count("#"), 2)
shortest_tunnel < grid
  A mole sits in the top left cell and wants to reach the bottom right cell. It moves up, down, left
  or right through earth, shown by dots; stones, shown by #, block it. If one of the two cells is a
  stone there is no way.
  < The size of the field as "h w", each 1 to 20; the field follows in h lines of length w.
  > The smallest number of moves, or -1 if there is no way. For a field of one free cell it is 0.
  = breadth first:
    goal = (h - 1, w - 1)
    far = {(0, 0): 0} if rows[0][0] == "." else {}
    queue = list(far)
    for i, j in queue:
        for a, b in ((i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)):
            if 0 <= a < h and 0 <= b < w and rows[a][b] == "." and (a, b) not in far:
                far[a, b] = far[i, j] + 1
                queue.append((a, b))
    print(far.get(goal, -1))
  = relax until nothing changes:
    free = [(i, j) for i in range(h) for j in range(w) if rows[i][j] == "."]
    far = {cell: 10**6 for cell in free}
    if (0, 0) in far:
        far[0, 0] = 0
    changed = True
    while changed:
        changed = False
        for i, j in free:
            near = [far.get(c, 10**6) for c in ((i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1))]
            if min(near) + 1 < far[i, j]:
                far[i, j], changed = min(near) + 1, True
    best = far.get((h - 1, w - 1), 10**6)
    print(best if best < 10**6 else -1)
  ! far.get(goal, -1) ==> h + w - 2 if goal in far else -1
  ! (i - 1, j), (i, j + 1), ==> (i, j + 1),
  ! depth first:
    far = {(0, 0): 0} if rows[0][0] == "." else {}
    stack = list(far)
    while stack:
        i, j = stack.pop()
        for a, b in ((i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)):
            if 0 <= a < h and 0 <= b < w and rows[a][b] == "." and (a, b) not in far:
                far[a, b] = far[i, j] + 1
                stack.append((a, b))
    print(far.get((h - 1, w - 1), -1))
full_lines < grid
  In a game blocks fill cells (#) of a wall. Every row that is filled completely disappears; the
  rows above it sink and empty rows (dots) come in from the top.
  < Rows and columns of the wall (1 to 20 each) in one line, then the rows from top to bottom.
  > The wall afterwards, with as many rows as before.
  = keep and pad:
    kept = [row for row in rows if "." in row]
    for row in ["." * w] * (h - len(kept)) + kept:
        print(row)
  = stable sort:
    cleared = [row if "." in row else "." * (w + 1) for row in rows]
    cleared.sort(key=len, reverse=True)
    print("\\n".join(row[:w] for row in cleared))
  ! * (h - len(kept)) + kept ==> * 0 + kept + ["." * w] * (h - len(kept))
  ! if "." in row] ==> if row.count(".") > 1 or w == 1 and row == "."]
# visits
rooms_needed < spans
  Each meeting occupies a room from its begin to its end, both inclusive: a meeting that begins at
  the very moment at which another ends needs a different room.
  < The number of meetings n, 1 to 60. Then n lines with begin and end, integers with
  < 0 <= begin <= end <= 1000.
  > The smallest number of rooms with which all meetings can take place.
  = most at one beginning:
    print(max(sum(a <= t <= b for a, b in spans) for t, _ in spans))
  = sorted events:
    events = sorted([(a, 0) for a, _ in spans] + [(b, 1) for _, b in spans])
    here = best = 0
    for _, ended in events:
        here += -1 if ended else 1
        best = max(best, here)
    print(best)
  ! a <= t <= b ==> a <= t < b
  ! for t, _ in spans ==> for t, _ in spans[:3]
most_visits < spans
  A guide wants to show as many exhibitions as possible. Two exhibitions can both be shown if one is
  over before the other begins, or ends on the very day on which the other begins.
  < n exhibitions are on offer (n is at least 1 and at most 60); each of the next n lines tells the
  < first and the last day of one, where the days are numbered 0 to 1000.
  > The greatest number of exhibitions of which any two can both be shown.
  = earliest end first:
    count, free = 0, 0
    for a, b in sorted(spans, key=lambda s: (s[1], s[0])):
        if a >= free:
            count, free = count + 1, b
    print(count)
  = table over sorted beginnings:
    spans.sort()
    best = []
    for i, (a, b) in enumerate(spans):
        best.append(1 + max((best[j] for j in range(i) if spans[j][1] <= a), default=0))
    print(max(best))
  ! if a >= free ==> if a > free or not count
  ! key=lambda s: (s[1], s[0]) ==> key=lambda s: (s[1] - s[0], s[1])
  ! shortest first:
    chosen = []
    for a, b in sorted(spans, key=lambda s: s[1] - s[0]):
        if all(b <= c or d <= a for c, d in chosen):
            chosen.append((a, b))
    print(len(chosen))
painted_length < spans
  A fence is painted in several places. How much of it is painted at all?
  < The first line: n, from 1 to 60. Every other line: two integers a <= b between 0 and 1000; the
  < fence is painted from metre a to metre b.
  > The painted length in metres; what is painted twice counts once.
  = sweep over sorted pieces:
    total, end = 0, 0
    for a, b in sorted(spans):
        total += max(0, b - max(a, end))
        end = max(end, b)
    print(total)
  = set of metres:
    print(len({metre for a, b in spans for metre in range(a, b)}))
  ! b - max(a, end) ==> b - a
  ! end = max(end, b) ==> end = b
free_hours < spans
  A caretaker is on duty from time 0 to time 1000. During each booking, ends included, he is busy;
  between two bookings, before the first and after the last he can rest.
  < The n bookings (1 <= n <= 60) follow the line with n, one on each line: its start and its stop,
  < integers not beyond 0 and 1000, the start never after the stop.
  > The length of his longest rest, 0 if he has none.
  = sweep:
    best = end = 0
    for a, b in sorted(spans):
        best = max(best, a - end)
        end = max(end, b)
    print(max(best, 1000 - end))
  = borders of gaps:
    stops = [0] + [b for _, b in spans]
    starts = [a for a, _ in spans] + [1000]
    gaps = [0]
    for s in stops:
        if not any(a <= s < b for a, b in spans):
            gaps.append(min((a for a in starts if a > s), default=s) - s)
    print(max(gaps))
  ! max(best, 1000 - end) ==> best
  ! end = max(end, b) ==> end = b
# roads
town_groups < roads
  Towns are connected by roads in both directions. Towns that can reach each other, on any number of
  roads, form a group; a town without roads is a group of its own.
  < n towns (1 to 30) numbered from 1, and m roads (0 to 60), in the first line; then m lines with
  < the two different towns that a road joins. A road may be listed several times.
  > The number of groups.
  = merge labels:
    label = list(range(n + 1))
    for a, b in roads:
        old, new = label[a], label[b]
        label = [new if x == old else x for x in label]
    print(len(set(label)) - 1)
  = depth first:
    near = {t: [] for t in range(1, n + 1)}
    for a, b in roads:
        near[a].append(b)
        near[b].append(a)
    seen, count = set(), 0
    for town in near:
        count += town not in seen
        stack = [town]
        while stack:
            here = stack.pop()
            if here not in seen:
                seen.add(here)
                stack += near[here]
    print(count)
  ! print(len(set(label)) - 1) ==> print(max(1, n - m))
  ! new if x == old ==> new if x == a
farthest_village < roads
  A rumour starts in village 1 and needs one day along each path, in either direction. When does it
  reach the last of the villages that it reaches at all?
  < One line with the number of villages (1 to 30) and the number of paths (0 to 60). A path is a
  < line with the numbers of its two ends, which differ; numbers start at 1. Repeated paths are
  < legal.
  > The day on which the last village hears of it: 0 if it never leaves village 1.
  = spread day by day:
    heard, day = {1}, -1
    size = 0
    while len(heard) > size:
        size, day = len(heard), day + 1
        heard |= {b for a, b in roads if a in heard} | {a for a, b in roads if b in heard}
    print(day)
  = relax distances:
    far = [0, 0] + [99] * (n - 1)
    for _ in range(n):
        for a, b in roads:
            far[a], far[b] = min(far[a], far[b] + 1), min(far[b], far[a] + 1)
    print(max(d for d in far if d < 99))
  ! | {a for a, b in roads if b in heard} ==> | set()
  ! day + 1 ==> min(day + 1, 2)
lonely_towns < roads
  For each place of a railway map one counts the lines that end there. Which places have the
  fewest?
  < Places (1 to 30) and lines (0 to 60) are counted in the first input line. Each further line
  < joins two different places, given by numbers from 1 on; the same line may be given more than
  < once and then counts as often.
  > The numbers of all places with the fewest lines, in increasing order, separated by spaces.
  = count in a list:
    ends = [0] * (n + 1)
    for a, b in roads:
        ends[a] += 1
        ends[b] += 1
    low = min(ends[1:])
    print(*[t for t in range(1, n + 1) if ends[t] == low])
  = count in the flat list:
    flat = [t for road in roads for t in road]
    towns = sorted(range(1, n + 1), key=flat.count)
    fewest = flat.count(towns[0])
    print(" ".join(str(t) for t in towns if flat.count(t) == fewest))
  ! for a, b in roads ==> for a, b in set(roads)
  ! low = min(ends[1:]) ==> low = min(ends)
# square-tables
magic_square < matrix
  A square of numbers is called even-handed if all rows and all columns have the same sum.
  < The side n from 1 to 12; n lines of n integers from -100 to 100 each.
  > YES if the square is even-handed, otherwise NO.
  = set of sums:
    sums = {sum(row) for row in cells} | {sum(column) for column in zip(*cells)}
    print("YES" if len(sums) == 1 else "NO")
  = compare with the first row:
    goal = sum(cells[0])
    good = True
    for i in range(n):
        if sum(cells[i]) != goal or sum(row[i] for row in cells) != goal:
            good = False
    print("YES" if good else "NO")
  ! len(sums) == 1 ==> len(sums) <= 2
  ! | {sum(column) for column in zip(*cells)} ==> | set()
best_path_sum < matrix
  A walker starts in the top left cell of a square table and ends in the bottom right one. Each step
  goes one cell to the right or one cell down. He collects the numbers of all cells he stands on,
  first and last included.
  < n (1 to 12), then the table row by row, n integers a row, none with more than 100 as its
  < absolute value.
  > The greatest sum he can collect.
  = table:
    best = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            before = [best[i - 1][j]] * (i > 0) + [best[i][j - 1]] * (j > 0)
            best[i][j] = cells[i][j] + max(before, default=0)
    print(best[-1][-1])
  = diagonal by diagonal:
    best = {0: cells[0][0]}
    for d in range(1, 2 * n - 1):
        rows = range(max(0, d - n + 1), min(n, d + 1))
        best = {
            i: cells[i][d - i] + max(best[k] for k in (i - 1, i) if k in best) for i in rows
        }
    print(best[n - 1])
  ! max(before, default=0) ==> max([0, *before])
  ! [best[i][j - 1]] * (j > 0) ==> [best[i][j - 1]] * (i == 0 and j > 0)
symmetry_score < matrix
  The mirror of a cell is the cell that changes places with it when rows become columns. A pair of a
  cell and its mirror is good if both hold the same number; cells on the main diagonal are their own
  mirrors and form no pair.
  < A table with as many rows as columns: its size (at most 12, at least 1) first, its rows of
  < integers between -100 and 100 below.
  > How many pairs are good?
  = lower half:
    print(sum(cells[i][j] == cells[j][i] for i in range(n) for j in range(i)))
  = compare with the transposed table:
    turned = [list(column) for column in zip(*cells)]
    same = sum(a == b for p, q in zip(cells, turned) for a, b in zip(p, q))
    print((same - n) // 2)
  ! for j in range(i)) ==> for j in range(min(i, 2)))
  ! cells[i][j] == cells[j][i] ==> abs(cells[i][j]) == abs(cells[j][i])
# timetable
waiting_time < clocks
  Somebody arrives at a stop at the first of some times of day and takes the bus that leaves first
  from then on, which may be one on the next day. A bus at that very minute can be caught.
  < n, from 1 to 50; then n lines, each with a time HH:MM of the 24-hour clock. The first one is the
  < arrival, all others are buses that go every day, in any order.
  > The minutes of waiting, or -1 if there is no bus at all.
  = remainders of a day:
    here, *buses = [60 * h + m for h, m in times]
    print(min(((bus - here) % 1440 for bus in buses), default=-1))
  = minute by minute:
    minutes = [60 * h + m for h, m in times]
    wait = 0
    while n > 1 and (minutes[0] + wait) % 1440 not in minutes[1:]:
        wait += 1
    print(wait if n > 1 else -1)
  ! (bus - here) % 1440 ==> max(bus - here, 0)
  ! (bus - here) % 1440 ==> (bus - here - 1) % 1440 + 1
closest_alarms < clocks
  Alarms ring every day at fixed times. What is the shortest pause between two of them, where the
  pause over midnight counts too?
  < The number of alarms is on the first line: at least 1, at most 50. Below it are the times in any
  < order, with two digits for hours (00 to 23), a colon, and two digits for minutes.
  > The shortest pause in minutes. It is 0 if two alarms ring at the same time, and 1440 for a
  > single alarm.
  = neighbours in sorted order:
    minutes = sorted(60 * h + m for h, m in times)
    minutes.append(minutes[0] + 1440)
    print(min(b - a for a, b in zip(minutes, minutes[1:])))
  = all pairs:
    minutes = [60 * h + m for h, m in times]
    pauses = [(a - b) % 1440 for i, a in enumerate(minutes) for b in minutes[:i]]
    pauses += [(b - a) % 1440 for i, a in enumerate(minutes) for b in minutes[:i]]
    print(min(pauses + [1440]))
  ! minutes[0] + 1440 ==> minutes[-1] + 1440
  ! sorted(60 * h + m for ==> sorted(100 * h + m for
mean_of_day < clocks
  What is the mean of several times of the same day, counted in minutes since midnight?
  < One integer n (1 to 50) and n lines of times between 00:00 and 23:59.
  > The mean as HH:MM with two digits each. It is rounded to the nearest minute, and half a minute
  > is rounded down.
  = round with integers:
    total = sum(60 * h + m for h, m in times)
    mean = -((n - 2 * total) // (2 * n))
    print(f"{mean // 60:02}:{mean % 60:02}")
  = quotient and remainder:
    mean, rest = divmod(sum(60 * h + m for h, m in times), n)
    if 2 * rest > n:
        mean += 1
    hours, minutes = divmod(mean, 60)
    print(str(hours).zfill(2) + ":" + str(minutes).zfill(2))
  ! -((n - 2 * total) // (2 * n)) ==> total // n
  ! {mean % 60:02} ==> {mean % 60}
"""
