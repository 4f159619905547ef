"""Programs about sequences of numbers, two algorithms each; see programs.py for the notation."""

TABLE = """
# thermometer
warm_spell < array
  A station writes down one temperature a day. Find the longest stretch of days in a row on which
  it was above zero.
  < The first line has the number of days n (0 to 200). The second line has the n temperatures,
  < integers from -1000 to 1000; it is empty if n is 0.
  > The length of the longest such stretch in days, 0 if there is none.
  = running counter:
    best = here = 0
    for x in xs:
        here = here + 1 if x > 0 else 0
        best = max(best, here)
    print(best)
  = split at cold days:
    marks = "".join("w" if x > 0 else " " for x in xs)
    print(max(map(len, marks.split()), default=0))
  ! if x > 0 ==> if x >= 0
  ! best = max(best, here) ==> best = here or best
biggest_jump < array
  How much did the temperature change at most from one day to the next, up or down?
  < n, how many readings follow (0 to 200), then in the next line the readings in order, each
  < an integer of absolute value 1000 or less (an empty line for no readings).
  > The greatest absolute difference of two readings that follow each other; 0 for fewer than two.
  = neighbouring pairs:
    print(max((abs(a - b) for a, b in zip(xs, xs[1:])), default=0))
  = loop with the last reading:
    best, last = 0, None
    for x in xs:
        if last is not None:
            step = x - last if x > last else last - x
            best = step if step > best else best
        last = x
    print(best)
  ! abs(a - b) for ==> b - a for
  ! zip(xs, xs[1:]) ==> zip(sorted(xs), sorted(xs)[1:])
record_days < array
  A day sets a record if it is warmer than every day before it; the first day always does.
  < Line one: n, 0 to 200. Line two: n integers between -1000 and 1000, one for each day, oldest
  < first. Without days the line is empty.
  > The number of days that set a record.
  = keep the maximum:
    count, top = 0, -10**9
    for x in xs:
        if x > top:
            count, top = count + 1, x
    print(count)
  = compare with all before:
    print(sum(all(y < x for y in xs[:i]) for i, x in enumerate(xs)))
  ! if x > top ==> if x >= top
  ! count + 1, x ==> count + 1, x + 1
# till
change_coins < number
  A machine owes a customer n cents and holds coins of 50, 20, 10, 5, 2 and 1 cents without end.
  < One line with n, 1 to 10000.
  > The smallest number of coins that make exactly n cents.
  = greatest coin first:
    count = 0
    for coin in (50, 20, 10, 5, 2, 1):
        count += n // coin
        n %= coin
    print(count)
  = digits by table:
    small = [0, 1, 1, 2, 2, 1, 2, 2, 3, 3]
    tens = [0, 1, 1, 2, 2]
    print(n // 50 + tens[n % 50 // 10] + small[n % 10])
  ! (50, 20, 10, 5, 2, 1) ==> (50, 20, 10, 5, 1)
  ! (50, 20, 10, 5, 2, 1) ==> (50, 10, 5, 2, 1)
average_price < prices
  A shopper wants to know what one item cost on average.
  < The number of items n (1 to 50), then n lines with a price each, from 0.01 to 99.99, always
  < with a point and two decimals.
  > The mean price with two decimals. It is rounded to the nearest hundredth; exactly half a
  > hundredth is rounded up.
  = whole hundredths:
    total = sum(int(p.replace(".", "")) for p in prices)
    mean = (2 * total + n) // (2 * n)
    print(f"{mean // 100}.{mean % 100:02}")
  = remainder decides:
    whole = part = 0
    for p in prices:
        a, b = p.split(".")
        whole, part = whole + int(a), part + int(b)
    mean, rest = divmod(100 * whole + part, n)
    mean += 2 * rest >= n
    print(str(mean // 100) + "." + str(mean % 100).zfill(2))
  ! (2 * total + n) // (2 * n) ==> total // n
  ! {mean % 100:02} ==> {mean % 100}
cheapest_basket < prices
  A shop gives away the most expensive item of a basket. What is left to pay?
  < First n, 1 to 50. Each of the n lines after it is an amount such as 3.07, at least 0.01 and at
  < most 99.99, always with two digits behind the point.
  > The sum of all amounts but the greatest, with two digits behind the point (0.00 for one item).
  = hundredths without the maximum:
    cents = [int(p.replace(".", "")) for p in prices]
    total = sum(cents) - max(cents)
    print(f"{total // 100}.{total % 100:02}")
  = sort and drop the last:
    cents = sorted(100 * int(p[:-3]) + int(p[-2:]) for p in prices)
    text = str(sum(cents[:-1])).zfill(3)
    print(text[:-2] + "." + text[-2:])
  ! max(cents) ==> cents[-1]
  ! {total % 100:02} ==> {total % 100}
# ledger
lowest_balance < array
  An account is opened with nothing in it and bookings are made one after the other.
  < n (0 to 200) stands alone in the first line. The second line lists the n booked amounts,
  < negative ones being withdrawals, none beyond 1000 either way; it may be empty.
  > The lowest balance that the account ever has, the opening balance 0 included.
  = running balance:
    low = total = 0
    for x in xs:
        total += x
        low = min(low, total)
    print(low)
  = minimum of the sums:
    print(min(sum(xs[:i]) for i in range(n + 1)))
  ! low = min(low, total) ==> low = min(low, x)
  ! low = total = 0 ==> low, total = 10**9 * (n > 0), 0
best_season < array
  A trader may join for one unbroken run of days and takes the gains and losses of these days. She
  may also stay away altogether.
  < How many days there are (n, at most 200, maybe 0) and below it the daily results as integers
  < from -1000 to 1000 on one line.
  > The greatest total she can reach, which is 0 if she stays away.
  = Kadane's scan:
    best = here = 0
    for x in xs:
        here = max(0, here + x)
        best = max(best, here)
    print(best)
  = lowest prefix sum:
    best = total = low = 0
    for x in xs:
        total += x
        best = max(best, total - low)
        low = min(low, total)
    print(best)
  ! max(0, here + x) ==> here + x
  ! max(0, here + x) ==> max(0, here) + max(0, x)
# windows
best_window < array_k
  Choose k neighbouring numbers so that their sum is as great as possible.
  < Two integers n and k with 1 <= k <= n <= 200; the next line has n integers of absolute value at
  < most 1000.
  > The greatest sum.
  = sliding sum:
    here = best = sum(xs[:k])
    for i in range(k, n):
        here += xs[i] - xs[i - k]
        best = max(best, here)
    print(best)
  = differences of prefix sums:
    sums = [0]
    for x in xs:
        sums.append(sums[-1] + x)
    print(max(b - a for a, b in zip(sums, sums[k:])))
  ! xs[i] - xs[i - k] ==> max(0, xs[i] - xs[i - k])
  ! range(k, n) ==> range(k, n - 1)
calm_windows < array_k
  A window is a run of k neighbouring numbers. It is calm if all its numbers are equal.
  < First line: n, how many numbers, at most 200, and k, from 1 to n. Second line: the numbers,
  < each between -1000 and 1000.
  > How many of the n - k + 1 windows are calm?
  = length of the current run:
    count = run = 0
    for i in range(n):
        run = run + 1 if i and xs[i] == xs[i - 1] else 1
        count += run >= k
    print(count)
  = look at each window:
    print(sum(len(set(xs[i:i + k])) == 1 for i in range(n - k + 1)))
  ! run >= k ==> run == k
  ! else 1 ==> else 0
kth_smallest < array_k
  Sort the values; equal ones stay as often as they occur. Which value is then in place k, counted
  from one?
  < Line 1 gives n and k (k from 1 to n, n up to 200), line 2 the n values, integers from -1000 to
  < 1000 in any order.
  > That value.
  = sort:
    print(sorted(xs)[k - 1])
  = count the smaller ones:
    print(next(x for x in xs if 0 <= k - 1 - sum(y < x for y in xs) < xs.count(x)))
  ! sorted(xs) ==> (sorted(set(xs)) * n)
  ! sorted(xs)[k - 1] ==> sorted(xs)[-k]
# shelves
pack_boxes < counts
  Books of given thickness are put into boxes of width 1000 in the order given. A book that does
  not fit beside those in the current box starts a new one; older boxes are not used again.
  < n, from 1 to 200, then on its own line the thickness of each of the n books: positive integers
  < that do not exceed 1000.
  > The number of boxes that are used.
  = fill and count:
    boxes, room = 0, 0
    for x in xs:
        if x > room:
            boxes, room = boxes + 1, 1000
        room -= x
    print(boxes)
  = cut off a prefix again and again:
    boxes = 0
    while xs:
        size = len(xs)
        while sum(xs[:size]) > 1000:
            size -= 1
        xs, boxes = xs[size:], boxes + 1
    print(boxes)
  ! if x > room ==> if x >= room
  ! print(boxes) ==> print(-(-sum(xs) // 1000))
fair_split < counts
  Weights lie in a row. The row is cut at one place into a left and a right part, either of which
  may be empty. The parts should differ in weight as little as possible.
  < The count n (1 to 200) and, below it, the n weights from left to right, each from 1 to 1000.
  > The smallest possible absolute difference between the weights of the two parts.
  = move the cut:
    left, right = 0, sum(xs)
    best = right
    for x in xs:
        left, right = left + x, right - x
        best = min(best, abs(left - right))
    print(best)
  = all cuts by slices:
    print(min(abs(sum(xs[:i]) - sum(xs[i:])) for i in range(n + 1)))
  ! abs(left - right) ==> max(right - left, sum(xs) % 2)
  ! best = right ==> best = right - 2 * xs[-1] if n > 1 else right
equal_heaps < counts
  One move takes one stone from a heap and puts it on another. All heaps shall get equally high.
  < n, the number of heaps (at most 200, at least 1); the second line holds their heights, which
  < are integers from 1 to 1000.
  > The smallest number of moves, or -1 if it cannot be done.
  = stones above the mean:
    mean, rest = divmod(sum(xs), n)
    print(-1 if rest else sum(max(0, x - mean) for x in xs))
  = half of all differences:
    total = sum(xs)
    print(sum(abs(n * x - total) for x in xs) // (2 * n) if total % n == 0 else -1)
  ! max(0, x - mean) ==> abs(x - mean)
  ! -1 if rest else sum ==> sum
  ! moves to the next heap only:
    mean, rest = divmod(sum(xs), n)
    moves = surplus = 0
    for x in xs:
        surplus += x - mean
        moves += abs(surplus)
    print(-1 if rest else moves)
# range-questions
range_sums < queries
  Answer questions about the sum of a part of a list.
  < The first line has n and q, both from 1 to 60. The second line has the n elements, integers
  < from -1000 to 1000. Then come q lines "a b" with 1 <= a <= b <= n.
  > For each of the q lines the sum of the elements from place a to place b, both included, on a
  > line of its own. Places count from 1.
  = prefix sums:
    sums = [0]
    for x in xs:
        sums.append(sums[-1] + x)
    for a, b in asked:
        print(sums[b] - sums[a - 1])
  = slices:
    print("\\n".join(str(sum(xs[a - 1:b])) for a, b in asked))
  ! sums[a - 1] ==> sums[max(a - 1, 1)]
  ! sums[b] - sums[a - 1] ==> abs(sums[b] - sums[a - 1])
range_lows < queries
  Several people each ask for the lowest number in some stretch of a list.
  < n numbers and q people (1 to 60 of either) are announced in line one. Line two is the list,
  < with values of at most 1000 in absolute value. In each later line somebody names the first and
  < the last place of a stretch; places run from 1 to n and the first is never behind the last.
  > One line for each person, in order: the lowest number of the stretch.
  = minimum of slices:
    for a, b in asked:
        print(min(xs[a - 1:b]))
  = sparse table:
    table = [xs]
    while 2 ** len(table) <= n:
        half, row = 2 ** (len(table) - 1), table[-1]
        table.append([min(x, y) for x, y in zip(row, row[half:])])
    for a, b in asked:
        level = (b - a + 1).bit_length() - 1
        print(min(table[level][a - 1], table[level][b - 2 ** level]))
  ! xs[a - 1:b] ==> xs[a - 1:b - 1] or xs[a - 1:b]
  ! xs[a - 1:b] ==> xs[a:b] or xs[a - 1:b]
busy_places < queries
  Lamps stand in a row, all off, with a number painted on each. Every switch changes the state of
  all lamps from one place to another, both included.
  < n lamps and q switches, 1 to 60 each, then the painted numbers (-1000 to 1000), then for each
  < switch, which is pressed once, a line with the two places, the smaller one first, the lamps
  < being numbered from 1.
  > The sum of the numbers on those lamps that are on in the end.
  = toggle every lamp:
    lit = [False] * n
    for a, b in asked:
        for i in range(a - 1, b):
            lit[i] = not lit[i]
    print(sum(x for x, on in zip(xs, lit) if on))
  = parity of begins and ends:
    change = [0] * (n + 1)
    for a, b in asked:
        change[a - 1] += 1
        change[b] += 1
    total = state = 0
    for x, c in zip(xs, change):
        state = (state + c) % 2
        total += x * state
    print(total)
  ! not lit[i] ==> True
  ! range(a - 1, b) ==> range(a - 1, b - 1)
"""
