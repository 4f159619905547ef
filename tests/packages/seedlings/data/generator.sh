#!/usr/bin/env bash

PPATH=$(realpath ..)
. ../../testdata_tools/gen.sh

ulimit -s unlimited
use_solution sum.cpp

compile gen_row.py
compile gen_same.cpp opt

MANY=40

# Rows of one size.
rows() {
    for N in {1..2}; do
        tc $1-row-$N gen_row pots=$2 low="$3"
    done
}

samplegroup
sample few
sample_manual gaps

group group1 30
include_group sample
tc_manual by_hand/lonely.in
rows small $((MANY / 4)) 0

group group2 50
include_group group1
rows mixed $MANY -9; tc lonely
for i in {1..2}; do
    tc same$i gen_same $MANY \
        "$i"
done

group group3 20
tc mixed-row-1
for KIND in {1..2} five; do tc large-$KIND gen_row pots=$((2*MANY)) low=1000000000; done

wait
if which dot > /dev/null; then
    for F in sample/*.in; do
        N=$(head -n 1 $F)
        dot -T png < $F > $N.png
    done
fi
