#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sweeps from outside, and what may happen to them: killed in the middle, a full disk, a case that
# never ends, a case without numbers, ranks. Whatever happens, the results are the same bytes.
set -uo pipefail
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

fail() { printf 'FAILED: %s\n' "$1"; failed=1; }
same() { cmp -s "$1" "$2" || fail "$3: $1 and $2 differ"; }
journals() { find . -name '*.journal*' | wc -l; }

cat >osc.mo <<'MODEL'
model Osc
  parameter Real k = 4;
  parameter Real d = 0.3;
  parameter Integer n = 1;
  Real x(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -k*x - n*d*v;
  annotation(experiment(StopTime = 10));
end Osc;
MODEL
# Its right-hand side has no value where k < 0, and never ends (in practice) where k is large.
cat >bad.mo <<'MODEL'
model Bad
  parameter Real k = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -sqrt(k)*x + sin(k*k*time);
end Bad;
MODEL

# ---- the same bytes with any number of workers, and in any form ----
"$program" sweep osc.mo --vary "k=linspace(1,9,7)" --vary "x=1,2" -j 1 --output one.csv --quiet ||
  fail 'a sweep over a grid'
"$program" sweep osc.mo --vary "k=linspace(1,9,7)" --vary "x=1,2" -j 3 --output three.csv --quiet
same one.csv three.csv 'workers'
same one.summary.csv three.summary.csv 'workers'
[ "$(wc -l <one.csv)" = $((14 * 501 + 1)) ] || fail 'a row a case and time'
[ "$(wc -l <one.summary.csv)" = 15 ] || fail 'a row a case'
[ -s one.svg ] || fail 'no picture'
head -1 one.csv | grep -qF 'case,k,x(start),time,x,' || fail 'names of the columns'
"$program" sweep osc.mo --vary "k=normal(4,1)" --samples 8 --seed 3 -j 1 --output a.h5 --quiet --no-plot
"$program" sweep osc.mo --vary "k=normal(4,1)" --samples 8 --seed 3 -j 2 --output b.h5 --quiet --no-plot
same a.h5 b.h5 'HDF5'
"$program" sweep osc.mo --vary "k=normal(4,1)" --samples 8 --seed 4 -j 2 --output c.h5 --quiet --no-plot
cmp -s a.h5 c.h5 && fail 'another seed gives other cases'
# A parameter that decides about the structure makes another model.
"$program" sweep osc.mo --vary n=1,2 --output n.csv --quiet || fail 'a structural parameter'
"$program" simulate osc.mo --set n=2 --output n2.csv --quiet
[ "$(tail -1 n.csv | cut -d, -f4-7)" = "$(tail -1 n2.csv | cut -d, -f2-5)" ] || fail 'n = 2 as by simulate'
# A damping of 0 takes der(x) out of an equation; the cases have it all the same.
cat >spring.mo <<'MODEL'
model Spring
  parameter Real d = 0;
  Real x(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
  Real f = 4*x + d*der(x);
equation
  der(x) = v;
  der(v) = -f;
end Spring;
MODEL
"$program" sweep spring.mo --vary d=0,1 --output d.csv --quiet || fail 'a parameter that is 0 in the model'
"$program" simulate spring.mo --set d=1 --output d1.csv --quiet
[ "$(tail -1 d.csv | cut -d, -f4)" = "$(tail -1 d1.csv | cut -d, -f2)" ] || fail 'd = 1 as by simulate'
printf 'k,d\n1,0\n2,0.5\n' >cases.csv
"$program" sweep osc.mo --table cases.csv --output t.csv --json --no-plot >t.json || fail 'a table'
grep -q '"cases": 2' t.json || fail 'the report tells the number of cases'
[ "$(journals)" = 0 ] || fail 'journals are left'

# What the flattener adds for itself is no result.
cat >switched.mo <<'EOF'
model Switched
  parameter Real k = 1;
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = k;
  when x > 0.5 then
    n = pre(n) + 1;
    assert(pre(n) < 3, "too many");
  end when;
end Switched;
EOF
"$program" sweep switched.mo --vary k=1,2 --intervals 2 --no-plot --quiet --output s.csv || fail 'a sweep with events'
[ "$(head -1 s.csv)" = 'case,k,time,x,der(x),n' ] || fail 'columns that the model does not have'

# ---- a Real that a size is made from makes another model of each case ----
cat >sized.mo <<'EOF'
model Sized
  parameter Real L = 1;
  parameter Integer n = integer(2*L);
  Real x[n](each start = 1, each fixed = true);
  Real y = sum(x);
equation
  for i in 1:n loop
    der(x[i]) = 0;
  end for;
end Sized;
EOF
"$program" sweep sized.mo --vary L=1,3 --variables y --intervals 1 --no-plot --quiet --output sized.csv ||
  fail 'a sweep over what a size is made from'
grep -q '^2,3,done,1,6,' sized.summary.csv || fail 'the second case has six entries'

# A start that is a component's default gives way to another one's, but not when it is varied.
cat >parallel.mo <<'EOF'
model Parallel
  Alembert.Electrical.Capacitor a(C = 1), b(C = 1);
  Alembert.Electrical.Resistor r(R = 2);
  Alembert.Electrical.Ground g;
equation
  connect(a.p, b.p);
  connect(a.p, r.p);
  connect(a.n, b.n);
  connect(a.n, r.n);
  connect(a.n, g.p);
end Parallel;
EOF
"$program" sweep parallel.mo --vary b.v_start=3,5 --variables b.v --intervals 1 --no-plot --quiet --output parallel.csv ||
  fail 'a sweep over a start of a component'
[ "$(sed -n 2p parallel.csv)$(sed -n 4p parallel.csv)" = "1,3,0,32,5,0,5" ] ||
  fail "varied starts of components do not count: $(cat parallel.csv)"

# ---- mistakes in the command ----
"$program" sweep osc.mo --vary "k=linspac(1,2,3)" 2>err.txt; [ $? = 2 ] || fail 'a wrong function: exit code'
grep -q 'U020' err.txt || fail 'a wrong function is told'
"$program" sweep osc.mo --vary "k=normal(1,2)" 2>err.txt; grep -q -- '--samples' err.txt || fail 'samples are asked for'
"$program" sweep osc.mo --vary nothing=1,2 2>err.txt; [ $? = 2 ] || fail 'an unknown name: exit code'

# ---- cases that fail do not stop the rest ----
"$program" sweep bad.mo --vary k=1,-1,1e8,4 --time-limit 1 --output f.csv --no-plot >out.txt 2>err.txt ||
  fail 'cases that fail end the sweep'
grep -q '^2,-1,\(failed\|stopped\)' f.summary.csv || fail 'the case without numbers is told'
grep -q '^3,1e+08,time limit.*time limit of 1 s' f.summary.csv || fail 'the endless case is told'
[ "$(grep -c ',done,' f.summary.csv)" = 2 ] || fail 'the other cases are done'
grep -q 'case 2 (k = -1)' err.txt || fail 'failures are told on standard error'

# ---- killed in the middle: goes on, and runs nothing twice ----
cases="k=linspace(1,9,1500)"
"$program" sweep osc.mo --vary "$cases" --output whole.csv --quiet --no-plot --intervals 50
for _ in 1 2 3 4 5; do # it may have ended before it is caught
  rm -f cut.csv*
  "$program" sweep osc.mo --vary "$cases" --output cut.csv --quiet --no-plot --intervals 50 -j 2 &
  victim=$!
  for _ in $(seq 200); do
    [ "$(stat -c %s cut.csv.journal 2>/dev/null || echo 0)" -gt 60000 ] && break
    sleep 0.005
  done
  kill -9 $victim 2>/dev/null; wait $victim 2>/dev/null
  [ -s cut.csv.journal ] && break
done
if [ -s cut.csv.journal ]; then
  [ -e cut.csv ] && fail 'a killed sweep leaves a result'
  truncate -s -7 cut.csv.journal # as if the last record had been torn
  "$program" sweep osc.mo --vary "$cases" --output cut.csv --json --no-plot --intervals 50 >cut.json ||
    fail 'a sweep goes on after it was killed'
  grep -q '"resumed": 0' cut.json && fail 'finished cases are run again'
else
  fail 'the sweep was not caught in the middle'
fi
same whole.csv cut.csv 'killed'
[ "$(journals)" = 0 ] || fail 'journals are left after a restart'

# ---- a full disk: the file may not grow beyond 100 blocks of 1024 bytes ----
(ulimit -f 100; "$program" sweep osc.mo --vary "$cases" --output full.csv --quiet --no-plot --intervals 50 2>err.txt)
[ $? = 3 ] || fail 'a full disk: exit code'
grep -q 'R001' err.txt || fail 'a full disk is told'
[ -e full.csv ] && fail 'a full disk leaves half a result'
"$program" sweep osc.mo --vary "$cases" --output full.csv --json --no-plot --intervals 50 >full.json
grep -q '"resumed": 0' full.json && fail 'what was finished before the disk was full is lost'
same whole.csv full.csv 'full disk'

# ---- ranks ----
# A capacity of zero is another structure: the voltage follows at once.
cat >capacity.mo <<'END'
model Capacity
  parameter Real C = 1;
  Real v(start = 1), i, u;
equation
  u = time + 1;
  i = C*der(v);
  u - v = i;
end Capacity;
END
"$program" sweep capacity.mo --vary C=0,1 --output capacity.csv --quiet --no-plot ||
  fail 'a sweep with a capacity of zero'
grep -q '^1,0,done,1,2,' capacity.summary.csv || fail 'the case of zero'
grep -q '^2,1,done,1,1.3678794' capacity.summary.csv || fail 'the case beside it' # t + e^-t

if command -v mpirun >/dev/null; then
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  mpi="mpirun --oversubscribe -n 3"
  $mpi "$program" sweep osc.mo --vary "$cases" --output ranks.csv --quiet --no-plot --intervals 50 -j 1 ||
    fail 'a sweep over ranks'
  same whole.csv ranks.csv 'ranks'
  for _ in 1 2 3 4 5; do
    rm -f lost.csv*
    $mpi "$program" sweep osc.mo --vary "$cases" --output lost.csv --quiet --no-plot --intervals 50 -j 1 >/dev/null 2>&1 &
    victim=$!
    for _ in $(seq 1000); do
      [ "$(stat -c %s lost.csv.journal.1 2>/dev/null || echo 0)" -gt 20000 ] && break
      sleep 0.005
    done
    # One rank, by its number.
    for process in $(pgrep -P "$victim"); do
      grep -qz '^OMPI_COMM_WORLD_RANK=1$' "/proc/$process/environ" 2>/dev/null && kill -9 "$process"
    done
    wait $victim 2>/dev/null
    [ -s lost.csv.journal.1 ] && break
  done
  if [ -s lost.csv.journal.1 ]; then
    "$program" sweep osc.mo --vary "$cases" --output lost.csv --json --no-plot --intervals 50 >lost.json
    grep -q '"resumed": 0' lost.json && fail 'cases of lost ranks are run again'
  else
    fail 'the rank was not caught in the middle'
  fi
  same whole.csv lost.csv 'lost rank'
else
  echo 'no mpirun: ranks are not tested'
fi

[ "$failed" = 0 ] && echo 'sweeps: all as expected'
exit "$failed"
