"""Programs about whole numbers, two algorithms each; see programs.py for the notation."""

TABLE = """
# tiles
square_tiles < two
  A floor of a times b decimetres is laid out with square tiles of equal size, none of them cut.
  The tiles shall be as large as possible.
  < a and b on one line, each from 1 to 10000.
  > The number of tiles that are needed.
  = Euclid's remainders:
    x, y = a, b
    while y:
        x, y = y, x % y
    print(a * b // x // x)
  = largest common divisor by trial:
    side = max(d for d in range(1, min(a, b) + 1) if a % d == 0 and b % d == 0)
    print((a // side) * (b // side))
  ! a * b // x // x ==> a * b // x
  ! while y ==> if y
cut_squares < two
  From a sheet of paper with sides a and b one cuts off the greatest possible square along an edge,
  then does the same with the rest, until nothing is left.
  < One line holds the two sides a and b, integers that are positive and do not exceed 10000.
  > How many squares come out in all.
  = quotients:
    count = 0
    while b:
        count += a // b
        a, b = b, a % b
    print(count)
  = one square after the other:
    count = 0
    while a and b:
        a, b = max(a, b) - min(a, b), min(a, b)
        count += 1
    print(count)
  ! count += a // b ==> count += 1
  ! count += a // b ==> count += a // b if a > b else 1
meeting_days < two
  Two lighthouses flash together now. From then on one flashes every a seconds, the other every b.
  < The two periods a and b (1 to 10000, in seconds) separated by a space.
  > After how many seconds do they flash together again for the first time?
  = product over greatest divisor:
    x, y = a, b
    while y:
        x, y = y, x % y
    print(a * b // x)
  = multiples of the greater period:
    step, time = max(a, b), max(a, b)
    while time % min(a, b):
        time += step
    print(time)
  ! a * b // x ==> a * b // max(1, x // 2)
  ! print(a * b // x) ==> print(a * b if a % b and b % a else max(a, b))
# factor-games
smallest_factor < number
  Find the smallest divisor of n that is greater than one.
  < A single integer n with 1 <= n <= 10000.
  > That divisor, or the word none if n is 1.
  = trial up to the root:
    d = 2
    while d * d <= n and n % d:
        d += 1
    print("none" if n == 1 else d if d * d <= n else n)
  = first of all candidates:
    print(next((d for d in range(2, n + 1) if n % d == 0), "none"))
  ! d if d * d <= n else n ==> d if d * d < n else n
  ! d if d * d <= n else n ==> d
divisor_gap < number
  The divisors of n are written in increasing order. How far apart are the two neighbouring ones
  with the smallest distance?
  < n is given alone on a line and lies between 1 and 10000.
  > The smallest distance, and 0 for n = 1, which has a single divisor.
  = list of all divisors:
    some = [d for d in range(1, n + 1) if n % d == 0]
    print(min((b - a for a, b in zip(some, some[1:])), default=0))
  = divisors in pairs:
    low = [d for d in range(1, 101) if d * d <= n and n % d == 0]
    some = sorted(set(low) | {n // d for d in low})
    gaps = sorted(some[i + 1] - some[i] for i in range(len(some) - 1))
    print(gaps[0] if gaps else 0)
  ! range(1, n + 1) ==> range(1, n)
  ! min((b - a ==> max((b - a
  ! the two smallest divisors only:
    some = [d for d in range(1, n + 1) if n % d == 0]
    print(some[1] - some[0] if n > 1 else 0)
  ! the two divisors around the root only:
    low = max((d for d in range(1, n) if d * d < n and n % d == 0), default=n)
    high = min(d for d in range(1, n + 1) if d > low and n % d == 0) if low < n else n
    print(high - low)
prime_between < two
  Count the prime numbers in a range whose ends may be given in either order.
  < Two integers from 1 to 10000, the ends of the range, which both belong to it.
  > The number of primes in the range.
  = sieve:
    top = max(a, b)
    prime = [False, False] + [True] * (top - 1)
    for d in range(2, 101):
        if d <= top and prime[d]:
            prime[d * d::d] = [False] * len(prime[d * d::d])
    print(sum(prime[min(a, b):]))
  = divide by small primes:
    small = [p for p in range(2, 100) if all(p % d for d in range(2, p))]
    low, high = sorted((a, b))
    some = range(max(low, 2), high + 1)
    print(sum(all(m == p or m % p for p in small) for m in some))
  ! prime[min(a, b):] ==> prime[a:]
  ! prime[min(a, b):] ==> prime[min(a, b) + 1:]
# digit-play
digit_swap < number
  Write n backwards; leading zeros of the result are dropped. Print the sum of both numbers.
  < One number n, not below 1 and not above 10000.
  > n plus its mirror image.
  = text:
    print(n + int(str(n)[::-1]))
  = arithmetic:
    rest, image = n, 0
    while rest:
        rest, last = divmod(rest, 10)
        image = 10 * image + last
    print(n + image)
  ! int(str(n)[::-1]) ==> int(str(n)[::-1].ljust(3, "0"))
  ! str(n)[::-1] ==> str(n)[-1] + str(n)[1:-1] + (str(n)[0] if n > 9 else "")
digit_steps < number
  Multiply the digits of a number and go on with the product, until one digit is left.
  < The number to begin with, from 1 to 10000.
  > How many multiplications of all digits were made (none for a number of one digit)?
  = digit by digit:
    count = 0
    while n > 9:
        product = 1
        for d in str(n):
            product *= int(d)
        n, count = product, count + 1
    print(count)
  = recursion by remainders:
    def product(m):
        return m if m < 10 else m % 10 * product(m // 10)
    def steps(m):
        return 0 if m < 10 else 1 + steps(product(m))
    print(steps(n))
  ! while n > 9 ==> if n > 9
  ! while n > 9 ==> while n > 10
clock_digits < number
  A counter shows 1, then 2, and so on up to n. How often does the digit 1 appear in all these
  numbers together?
  < n on a line by itself; it is at least 1 and at most 10000.
  > The number of ones. A number with two ones counts twice.
  = write all numbers:
    print(sum(str(m).count("1") for m in range(1, n + 1)))
  = count for each decimal place:
    total, place = 0, 1
    while place <= n:
        high, rest = divmod(n, 10 * place)
        total += high * place + min(max(rest - place + 1, 0), place)
        place *= 10
    print(total)
  ! str(m).count("1") for ==> "1" in str(m) for
  ! range(1, n + 1) ==> range(1, n)
# walks
steps_to_one < number
  From a number one may subtract 1, or halve it if it is even, or divide it by three if that leaves
  no remainder. Get to 1 quickly.
  < The start n, an integer in the range from 1 to 10000.
  > The smallest possible number of steps.
  = breadth first:
    count, here = 0, {n}
    while 1 not in here:
        new = {m - 1 for m in here}
        new |= {m // 2 for m in here if m % 2 == 0}
        new |= {m // 3 for m in here if m % 3 == 0}
        here, count = new, count + 1
    print(count)
  = table of smaller numbers:
    need = [0, 0]
    for m in range(2, n + 1):
        options = [need[m - 1]]
        if m % 2 == 0:
            options.append(need[m // 2])
        if m % 3 == 0:
            options.append(need[m // 3])
        need.append(1 + min(options))
    print(need[n])
  ! if m % 3 == 0 ==> if m % 3 == 0 and m % 2
  ! if m % 2 == 0 ==> if m % 4 == 0
ways_upstairs < number
  A staircase has n steps and is climbed with strides of one, two or three steps. Stairs that a
  stride passes over are not touched. In how many orders of strides can the top be reached? Only
  the last four decimal digits of the answer are wanted.
  < The height n, 1 <= n <= 10000.
  > The answer modulo 10000, without leading zeros.
  = three rolling values:
    a, b, c = 0, 0, 1
    for _ in range(n):
        a, b, c = b, c, (a + b + c) % 10000
    print(c)
  = matrix power:
    def times(p, q):
        return [[sum(x * y for x, y in zip(r, c)) % 10000 for c in zip(*q)] for r in p]
    power, base = [[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[1, 1, 1], [1, 0, 0], [0, 1, 0]]
    while n:
        if n % 2:
            power = times(power, base)
        base, n = times(base, base), n // 2
    print(power[0][0])
  ! (a + b + c) % 10000 ==> (b + c) % 10000 if c < 4 else (a + b + c) % 10000
  ! (a + b + c) % 10000 ==> (a + b + c) % 9999
josephus < two
  People with the numbers 1 to a stand in a circle. Counting begins with person 1, every b-th
  person still standing leaves, and counting goes on behind him. Only one stays.
  < In one line: a, how many people there are, and b; neither is below 1 or above 10000.
  > The number of the person who stays.
  = recurrence:
    place = 0
    for size in range(2, a + 1):
        place = (place + b) % size
    print(place + 1)
  = remove from a list:
    circle, at = list(range(1, a + 1)), 0
    while len(circle) > 1:
        at = (at + b - 1) % len(circle)
        circle.pop(at)
    print(circle[0])
  ! (place + b) % size ==> (place + b - 1) % size
  ! print(place + 1) ==> print(place or 1)
# binary
flip_to_zero < bits
  A row of zeros and ones is read as a binary number. One step subtracts one from it if it is odd
  and halves it if it is even.
  < The binary number in one line, 1 to 100 digits, possibly with leading zeros.
  > After how many steps is the number zero?
  = count bits:
    bits = word.lstrip("0")
    print(len(bits) + bits.count("1") - 1 if bits else 0)
  = simulate:
    number, count = int(word, 2), 0
    while number:
        number, count = number - 1 if number % 2 else number // 2, count + 1
    print(count)
  ! word.lstrip("0") ==> word
  ! bits.count("1") - 1 ==> bits.count("1")
longest_alternation < bits
  How long is the longest block of neighbouring digits in which no two neighbours are equal?
  < A text of 0s and 1s. It has from 1 to 100 characters.
  > The length of that block; a single digit is a block of length 1.
  = running counter:
    best = here = 1
    for a, b in zip(word, word[1:]):
        here = here + 1 if a != b else 1
        best = max(best, here)
    print(best)
  = cut between equal digits:
    for pair in ("00", "00", "11", "11"):
        word = word.replace(pair, pair[0] + " " + pair[1])
    print(max(map(len, word.split())))
  ! best = max(best, here) ==> best = here
  ! else 1 ==> else 0
cheap_sorting < bits
  Two neighbouring digits may change places. All zeros shall end up in front of all ones.
  < The digits, without spaces between them: at least one, at most a hundred, each 0 or 1.
  > The least number of swaps of neighbours.
  = ones before each zero:
    ones = total = 0
    for c in word:
        if c == "1":
            ones += 1
        else:
            total += ones
    print(total)
  = distance of each zero from its goal:
    places = [i for i, c in enumerate(word) if c == "0"]
    print(sum(places) - sum(range(len(places))))
  ! total += ones ==> total += min(ones, 2)
  ! total += ones ==> total += ones > 0
"""
