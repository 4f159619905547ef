# /// attack
# id = "A113"
# name = "random numbers without a seed"
# category = "interpreter"
# does = "uses every generator without a seed, which must not make it fail or take long"
# stopped_by = "random is seeded again in each fork, numpy's by the server"
# verdict = "AC"
# needs = ["numpy"]
# problem.tests = [{input="5\n", output="10\n"}, {input="100\n", output="4950\n"}]
# ///
import os
import random
import secrets
import uuid

import numpy

n = int(input())
drawn = {random.random(), random.SystemRandom().random(), numpy.random.rand(), secrets.token_hex()}
drawn |= {uuid.uuid4(), os.urandom(8), numpy.random.default_rng().random(), random.getrandbits(64)}
items = list(range(n))
random.shuffle(items)
numpy.random.shuffle(items)
print(sum(items) if len(drawn) == 8 else 0)
