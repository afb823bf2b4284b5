#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What users and scripts may rely on: exit code, where the text goes, what it says.
set -uo pipefail
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

# expect CODE STREAM TEXT ARGUMENTS...: runs the program; its exit code, and a text in one of its streams.
expect() {
  local code=$1 stream=$2 text=$3 status
  shift 3
  "$program" "$@" >out.txt 2>err.txt
  status=$?
  if [ "$status" != "$code" ]; then
    printf 'FAILED: alembert %s: exit code %s, not %s\n' "$*" "$status" "$code"
    cat out.txt err.txt
    failed=1
  elif ! grep -qF -- "$text" "$stream.txt"; then
    printf "FAILED: alembert %s: '%s' is not in its std%s:\n" "$*" "$text" "$stream"
    cat out.txt err.txt
    failed=1
  fi
}

expect 0 out 'alembert 0.' --version
expect 0 out 'demo' help
expect 0 out '--list' help demo
expect 0 out 'demo' --help
# The help of every command shows how it is called.
for command in simulate explain check flatten plot animate sweep demo linearise view completion; do
  expect 0 out "  alembert $command" help "$command"
done
expect 2 err "no command 'dmeo'" help dmeo
expect 2 err 'alembert help'
expect 2 err 'alembert help' dmeo
expect 2 err 'alembert help' demo --no-such-option
expect 0 out 'double-pendulum' demo --list
expect 2 err "no demo named 'nothing'" demo nothing
expect 0 out "page, for a browser: here/pendulum.html" demo pendulum --output here
for file in here/pendulum.html here/pendulum.svg here/pendulum.png here/pendulum.csv; do
  [ -s "$file" ] || { printf 'FAILED: demo pendulum wrote no %s\n' "$file"; failed=1; }
done
[ "$(wc -l <here/pendulum.csv)" = 5002 ] || { echo 'FAILED: pendulum.csv has not 5001 rows'; failed=1; }
expect 0 out 'x-y.png' plot here/pendulum.csv --xy x,y --output x-y.png
expect 0 out 'here/pendulum.svg' plot here/pendulum.csv --panel x,y --panel lambda
expect 0 out '|' plot here/pendulum.csv x --terminal
expect 2 err "no variable 'xx'" plot here/pendulum.csv xx
expect 2 err '.svg, .png or .pdf' plot here/pendulum.csv x --output x.gif
expect 2 err '.csv, .mat or .h5' plot x-y.png x
expect 2 err 'R002' plot nothing.csv x
expect 2 err 'two names' plot here/pendulum.csv --xy x
[ -s x-y.png ] || { echo 'FAILED: no x-y.png'; failed=1; }

printf 'model Ball\n  Real h;\nequation\n  der(h) = 1;\nend Ball;\n' >ball.mo
printf 'model Bad\n  Real h\nequation\n  h = 1 +;\nend Bad;\n' >bad.mo
printf 'model Worse\n  Real 3;\nend Worse;\n' >worse.mo
expect 0 out '1 class in 1 file: no mistakes in the text' check ball.mo --parse-only

printf 'model Slow\n  Real x(start = 1, fixed = true), y(start = 0, fixed = true);\nequation\n  der(x) = y;\n  der(y) = -x;\nend Slow;\n' >slow.mo
# Colours on terminals and where they are asked for; a bar on terminals for what takes its time.
red=$'\033[1;31merror[M0'
expect 1 err "$red" check bad.mo --color always
expect 1 err 'error[M0' check bad.mo
grep -q $'\033' err.txt && { echo 'FAILED: colours in a file'; failed=1; }
if script -qc true /dev/null </dev/null >/dev/null 2>&1; then # a machine may have no terminals
  on_terminal() { NO_COLOR= script -qc "$program $*" /dev/null </dev/null >seen.txt; }
  on_terminal check bad.mo
  grep -qF "$red" seen.txt || { echo 'FAILED: no colours on a terminal'; failed=1; }
  on_terminal check bad.mo --color never
  grep -q $'\033' seen.txt && { echo 'FAILED: colours that nobody wants'; failed=1; }
  on_terminal simulate slow.mo --stop 1000000 --tolerance 1e-10
  grep -qF ' of 1e+06 s' seen.txt || { echo 'FAILED: no bar'; failed=1; }
fi
expect 1 err "bad.mo:2:9: error[M011]: expected ';' after a declaration." check bad.mo --parse-only
expect 1 err 'bad.mo:4:10: error[M010]: expected an expression' check bad.mo
expect 1 err 'worse.mo:2:8: error[M010]: expected the name of a component' check bad.mo worse.mo
expect 2 err "no file or folder 'nothing.mo'" check nothing.mo
expect 2 err "no file or folder 'nowhere'" check ball.mo --library nowhere
expect 2 err 'nothing to read' check
mkdir -p Lib/Inner
printf 'package Lib\nend Lib;\n' >Lib/package.mo
printf 'within Lib;\npackage Inner\nend Inner;\n' >Lib/Inner/package.mo
printf 'within Lib.Inner;\nmodel A Real x end A;\n' >Lib/Inner/A.mo
printf 'within Lib;\nmodel B Real 7; end B;\n' >Lib/B.mo
expect 1 err 'Lib/Inner/A.mo:2:15: error[M011]' check Lib --parse-only
expect 1 err 'Lib/B.mo:2:14: error[M010]' check Lib --parse-only
rm Lib/B.mo
printf 'within Lib.Inner;\nmodel A Real x; end A;\n' >Lib/Inner/A.mo
expect 0 out '3 classes in 3 files' check Lib --parse-only

# A model as text, through every command that takes one.
cat >pendulum.mo <<'END'
model Pendulum "in Cartesian coordinates"
  parameter Real g = 1;
  Real x(start = 1, fixed = true), y(start = 0);
  Real lambda;
equation
  der(der(x)) = lambda*x;
  der(der(y)) = lambda*y - g;
  x^2 + y^2 = 1;
  annotation(experiment(StopTime = 10, Tolerance = 1e-8));
end Pendulum;
END
expect 0 out '3 equations for 3 unknowns' check pendulum.mo
expect 0 out 'no mistakes in the text' check pendulum.mo --parse-only
expect 0 out 'x^2 + y^2 = 1;' flatten pendulum.mo
expect 0 out 'Structural index 3, 2 degrees of freedom' explain pendulum.mo --picture incidence.svg
expect 0 out '"structural_index": 3' explain pendulum.mo --json
expect 0 out 'Matching: 2 of 3 equations with highest derivatives as written' explain pendulum.mo

# One equation too many: left out where it repeats others, else named.
sed 's/x^2 + y^2 = 1;/&\n  3*x^2 + 3*y^2 = 3;/' pendulum.mo >twice.mo
expect 0 out '4 equations for 3 unknowns' check twice.mo
expect 0 out 'Left out, because other equations say the same' explain twice.mo
expect 0 out 'state switch' simulate twice.mo --output twice.csv
sed 's/= 3;/= 4;/' twice.mo >against.mo
expect 1 err 'against.mo:9:3: note: equation '"'3*x^2 + 3*y^2 = 4'" simulate against.mo
sed 's/3\*x^2 + 3\*y^2 = 3;/x*y*lambda = time;/' twice.mo >many.mo
expect 1 err 'error[S001]: too many equations: 4 equations for 3 unknowns' explain many.mo

# What clocks drive: when they tick, and what is solved then. One counts events, and leaves out two.
cat >clocks.mo <<'MODEL'
model Clocks
  Real x(start = 1, fixed = true);
  Real u, y, slow, n(start = 0), turns(start = 0), third;
equation
  der(x) = -x;
  u = sample(x, Clock(1, 10));
  y = 2*u;
  n = previous(n) + slow;
  slow = subSample(y, 3);
  when Clock(sin(10*time) > 0.5) then
    turns = previous(turns) + 1;
  end when;
  third = shiftSample(subSample(turns, 3), 2);
end Clocks;
MODEL
expect 0 out 'ticks every 1/10 s' explain clocks.mo
expect 0 out 'ticks every 3/10 s' explain clocks.mo
expect 0 out 'from n = previous(n) + slow' explain clocks.mo
expect 0 out 'ticks at every event of its condition' explain clocks.mo
expect 0 out 'ticks at every 3rd event of its condition, the first 6 left out' explain clocks.mo
expect 0 out '"ticks": "every 3/10 s"' explain clocks.mo --json

# At rest below its hinge it swings with sqrt(g): 1 for g = 1, 2 for g = 4.
expect 0 out 'At rest, with 2 states' linearise pendulum.mo --equilibrium --set y=-0.9 --set x=0.1
expect 0 out ' + 2i' linearise pendulum.mo --equilibrium --set y=-0.9 --set x=0.1 --set g=4
expect 0 out '"eigenvalues":[' linearise pendulum.mo --inputs g --outputs y --json
expect 2 err "no variable named 'z'" linearise pendulum.mo --states z
expect 2 err 'U004' linearise pendulum.mo --hold x
expect 0 out 'state switch' simulate pendulum.mo --set g=2 --output swing.csv --plot x,y
expect 0 out '"outcome": "done"' simulate pendulum.mo --json --intervals 10 --output swing.mat
expect 0 out 'swing.h5' simulate pendulum.mo --variables 'x,der*' --output swing.h5
expect 0 out '|' plot swing.mat x --terminal
for file in incidence.svg swing.csv Pendulum.svg swing.mat swing.h5; do
  [ -s "$file" ] || { printf 'FAILED: no %s\n' "$file"; failed=1; }
done
[ "$(wc -l <swing.csv)" = 502 ] || { echo 'FAILED: swing.csv has not 501 rows'; failed=1; }
expect 3 err 'formulation dynamic' simulate pendulum.mo --formulation dummy --output stop.csv
for formulation in projection baumgarte ggl; do
  expect 0 out "Formulation $formulation" simulate pendulum.mo --formulation $formulation \
    --output "$formulation.csv"
done
cat >talks.mo <<'END'
model Talks
  impure function print
    input String string = "";
    input String fileName = "";
    external "C" ModelicaInternal_print(string, fileName);
  end print;
equation
  when time > 0.5 then
    print("it is " + String(time));
  end when;
end Talks;
END
expect 0 out 'it is 0.5' simulate talks.mo --quiet --output talks.csv
expect 0 err 'it is 0.5' simulate talks.mo --json --output talks.csv
grep -q 'it is' out.txt && { echo 'FAILED: what a model prints is in the JSON'; failed=1; }
expect 0 out '"level": "velocity"' simulate pendulum.mo --formulation static --stop 0.1 --json --output short.csv
expect 0 out '"condition_before"' simulate pendulum.mo --json --output switches.csv
printf 'model Mute\n  Real x(start = 2);\nequation\n  der(x) = -x;\nend Mute;\n' >mute.mo
expect 0 out 'Guesses used as start conditions, as nothing else determined them: x = 2.' simulate mute.mo --output mute.csv
printf 'model Root\n  Real x(start = 1, fixed = true), y(start = 0, fixed = true);\nequation\n  der(x) = -1;\n  der(y) = sqrt(x);\nend Root;\n' >root.mo
expect 3 err "by equation 'der(y) = sqrt(x)'" simulate root.mo --stop 2 --output root.csv
grep -q 'sqrt(x)' out.txt && { cat out.txt; echo 'FAILED: what stopped a run is told twice'; failed=1; }
printf 'model Steps\n  Integer n(start = 0, fixed = true);\nequation\n  when time > 1 then\n    n = pre(n) + 1;\n  end when;\nend Steps;\n' >steps.mo
expect 0 out 'Conditions of events, counted above as an equation and an unknown each: 1' explain steps.mo
expect 0 out 'Discrete variables, which change at events only (1): n' explain steps.mo
expect 0 out 'Picture: ball.png' explain ball.mo --picture ball.png
expect 0 out 'Around the start, with 1 state: x = 2' linearise mute.mo
# The constraint once more, with a force of its own; then with another length.
sed 's/Real lambda/Real mu; Real lambda/; s/lambda\*/(lambda + mu)*/; s/^equation/equation 2*x^2 + 2*y^2 = 2;/' \
  pendulum.mo >twice.mo
expect 0 err 'says nothing that other constraints do not say' simulate twice.mo --output twice.csv
sed 's/= 2;/= 3;/' twice.mo >against.mo
expect 1 err 'error[S006]' simulate against.mo --output against.csv
expect 2 err "no variable 'z'" simulate pendulum.mo --variables z --output z.csv
# Brackets in patterns are those of names.
cat >grid.mo <<'END'
model Grid
  record Part Real q; Real r; end Part;
  Part s[2](q = {1, 2}, r = {3, 4});
  Real m[2, 2] = [1, 2; 3, 4]*time;
end Grid;
END
for chosen in 's[*].q=s[1].q,s[2].q' 's[1].*=s[1].q,s[1].r' 'm[1,*]=m[1,1],m[1,2]' 'm[?,1]=m[1,1],m[2,1]' \
  's*.r=s[1].r,s[2].r' 'm[2,2]=m[2,2]'; do
  expect 0 out 'grid.csv' simulate grid.mo --variables "${chosen%%=*}" --output grid.csv
  if [ "$(head -n 1 grid.csv | sed 's/"//g')" != "time,${chosen#*=}" ]; then
    printf 'FAILED: --variables %s chose %s\n' "${chosen%%=*}" "$(head -n 1 grid.csv)"
    failed=1
  fi
done
expect 2 err "no variable 'm[3,*]'" simulate grid.mo --variables 'm[3,*]' --output grid.csv
expect 2 err 'NAME=VALUE' simulate pendulum.mo --set g
expect 2 err "without blanks, as in --set g=3, and 'g' has no '='" simulate pendulum.mo --set g = 3
expect 2 err "'g=' has no value" simulate pendulum.mo --set g= 3
expect 0 err "'lambda' starts with" simulate pendulum.mo --set lambda=12345 --stop 0.1 --output guess.csv
expect 0 out 'to 1 s (the model gives no StopTime; --stop sets it)' simulate mute.mo --output mute.csv
expect 2 err "did you mean 'projection'?" simulate pendulum.mo --formulation projecton
expect 2 err 'There are: auto, always, never.' simulate pendulum.mo --color red
expect 2 err 'alembert simulate pendulum.mo --plot x,y' plot pendulum.mo x y
expect 2 err 'alembert plot guess.csv' simulate guess.csv
expect 2 err "Did you mean 'lambda'?" simulate pendulum.mo --set lamda=2
expect 2 err "is not an expression" simulate pendulum.mo --set 'g=1 2'
expect 2 err "There is 'Pendulum' only" simulate pendulum.mo --model Schaukel
expect 2 err "Did you mean 'Pendulum'" simulate pendulum.mo --model pendul
printf 'package Shop\n  model Lift\n    Real x = time;\n  end Lift;\n  model Crane\n    Real x = time;\n  end Crane;\nend Shop;\n' >shop.mo
expect 2 err "Did you mean 'Shop.Crane'?" check shop.mo --model Shop.Carne
expect 2 err "There are 'Shop.Lift', 'Shop.Crane'." check shop.mo --model Shop.Wheel # each once

# A method, formulation, checkpoint or result that does not fit is a mistake in the command.
expect 2 err 'error[I010]' simulate pendulum.mo --method verlet --formulation dummy
expect 2 err 'error[I014]' simulate pendulum.mo --method tsit5 --formulation ggl
expect 2 err 'error[S013]' simulate ball.mo --method rattle --step 0.1
printf 'something else' >not.checkpoint
expect 2 err 'error[I012]' simulate pendulum.mo --resume not.checkpoint
printf 'something else' >not.h5
expect 2 err 'error[R007]' plot not.h5 x

# What is wrong is told once, with its place in front.
printf 'model Circle\n  parameter Integer n = m;\n  parameter Integer m = n;\n  Real x[n] = ones(n);\nend Circle;\n' >circle.mo
expect 1 err "the value of 'n' depends on itself" check circle.mo
[ "$(sort err.txt | grep 'error\[' | uniq -d)" = "" ] || { cat err.txt; echo 'FAILED: a mistake told twice'; failed=1; }
# Starts that contradict make a wrong model, whoever finds out.
cat >starts.mo <<'EOF'
model Starts
  Real x(start = 1, fixed = true), y(start = 2, fixed = true);
equation
  der(x) = -x;
  y^3 = x;
end Starts;
EOF
cat >conditions.mo <<'EOF'
model Conditions
  Real x, y;
initial equation
  x = 1;
  x*y = 7;
equation
  der(x) = -x;
  y = 2*x;
end Conditions;
EOF
for wrong in starts conditions; do
  expect 1 err 'error[S016]' check $wrong.mo
  expect 1 err 'contradicts' simulate $wrong.mo --output $wrong.csv
  [ ! -e $wrong.csv ] || { echo "FAILED: $wrong.csv was written"; failed=1; }
done
printf 'model Mass\n  parameter Real m = 1;\n  Real x = m;\nequation\n  assert(m > 0, "a mass must be positive");\nend Mass;\n' >mass.mo
expect 1 err 'mass.mo:5:3: error[I018]: a mass must be positive; here m = -1. Change the value.' simulate mass.mo --set m=-1
expect 2 err "Did you mean 'g'?" linearise pendulum.mo --inputs G
expect 2 err "Did you mean 'lambda'?" linearise pendulum.mo --outputs lamda

# Every command that may say something can be told not to, and in which colours.
printf 'model Odd\n  Real x(unit = "m"), v(unit = "s");\nequation\n  x = time;\n  v = x;\nend Odd;\n' >odd.mo
expect 0 err 'warning[M340]' flatten odd.mo
expect 0 out 'v = x;' flatten odd.mo --quiet --color always
[ ! -s err.txt ] || { cat err.txt; echo 'FAILED: flatten --quiet warns'; failed=1; }
"$program" plot swing.csv x --output quiet.svg --quiet --color never >out.txt
[ -s quiet.svg ] && [ ! -s out.txt ] || { cat out.txt; echo 'FAILED: plot --quiet'; failed=1; }
for command in view animate; do expect 0 out '--quiet' help $command; done
expect 2 err "did you mean '--stop'" simulate pendulum.mo --stopp 5
expect 2 err "say with --plot" simulate pendulum.mo --plot-file p.png
expect 0 out "Plot: Pendulum.svg" simulate pendulum.mo --plot x,y
expect 2 err "no method named 'magic'" simulate pendulum.mo --method magic
expect 2 err "--stop takes a number, and 'soon' is none" simulate pendulum.mo --stop soon
expect 2 err "no command 'simulat'; did you mean 'simulate'?" simulat pendulum.mo
expect 2 err "no command 'integrate'. There are: simulate, " integrate pendulum.mo
expect 0 out "3  the run did not reach its end" help
expect 2 err 'name a command'
cat >chain.mo <<'END'
model Chain
  parameter Real k[3](each unit = "1/s") = {1, 2, 3};
  Real phi[3](each unit = "rad", each start = 1, each fixed = true);
equation
  der(phi) = -k.*phi;
end Chain;
END
expect 0 out 'Result' simulate chain.mo -s 'k[2]=0' --set 'phi[3]=2' --output chain.h5
expect 0 out 'Result' simulate chain.mo -s 'k[2]=0' --set 'phi[3]=2' --output chain.csv
[ "$(sed -n 2p chain.csv | tr -d '"')" != "" ] && head -1 chain.csv | grep -q 'phi\[3\]' ||
  { echo 'FAILED: chain.csv'; failed=1; }
expect 0 out 'chain.svg' plot chain.h5 'phi[1]' --units deg
expect 2 err "not a unit that is known" plot chain.h5 'phi[1]' --units degrees
expect 2 err '.csv files do not' plot chain.csv 'phi[1]' --units deg
# What shells are told.
expect 0 out 'complete -o default -F _alembert alembert' completion bash
expect 0 out '#compdef alembert' completion zsh
expect 0 out '__fish_seen_subcommand_from simulate' completion fish
expect 2 err 'Try' completion tcsh
completed() {  # what bash offers for the words
  "$program" completion bash >completion.sh
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) bash --norc -c '
    source ./completion.sh
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _alembert; echo "${COMPREPLY[*]}"' - "$@"
}
[ "$(completed alembert simu)" = simulate ] || { echo 'FAILED: completes commands'; failed=1; }
[ "$(completed alembert simulate --form)" = --formulation ] || { echo 'FAILED: completes options'; failed=1; }
[ "$(completed alembert simulate --color al)" = always ] || { echo 'FAILED: completes values'; failed=1; }
completed alembert simulate --method '' | grep -q cvode || { echo 'FAILED: completes methods'; failed=1; }
[ "$(completed alembert demo hydr)" = hydraulic ] || { echo 'FAILED: completes demos'; failed=1; }
expect 2 err 'must not be before' simulate pendulum.mo --stop -1
for option in --start --stop --tolerance --step; do
  expect 2 err "$option must be a finite number, and it is inf." simulate pendulum.mo $option inf
  expect 2 err "$option must be a finite number, and it is nan." simulate pendulum.mo $option nan
done
for option in --step --baumgarte-omega --baumgarte-zeta; do
  for number in 0 -1 nan; do
    [ "$option $number" = '--step nan' ] ||
      expect 2 err "$option must be a positive number, and it is $number." simulate pendulum.mo \
        --formulation baumgarte $option $number
  done
done
expect 2 err 'must be a positive number, and it is inf.' simulate pendulum.mo --baumgarte-zeta inf
expect 2 err '.csv, .mat or .h5' simulate pendulum.mo --output swing.txt
expect 2 err "no file or folder 'nothing.mo'" simulate nothing.mo
sed 's/lambda\*x;/lambda*z;/' pendulum.mo >wrong.mo
expect 1 err 'wrong.mo:6:24: error[M101]' simulate wrong.mo --output wrong.csv
[ -e wrong.csv ] && { echo 'FAILED: a wrong model left a result'; failed=1; }
# Put aside and taken up again: the same bytes; interrupted: whole up to then.
expect 0 out 'state switch' simulate pendulum.mo --stop 60 --output whole.csv
expect 0 out 'state switch' simulate pendulum.mo --stop 60 --output first.csv --checkpoint kept \
  --checkpoint-every 25
expect 0 out 'state switch' simulate pendulum.mo --stop 60 --output again.csv --resume kept
cmp whole.csv first.csv && cmp whole.csv again.csv || { echo 'FAILED: resumed'; failed=1; }
expect 2 err 'parameters it had' simulate pendulum.mo --set g=2 --resume kept --output other.csv
expect 2 err 'made with the tolerance 1e-08 and cannot go on with 1e-06' simulate pendulum.mo --stop 60 \
  --tolerance 1e-6 --resume kept --output other.csv
expect 0 err "'x' started with 1, not with the 0.5 of --set: a run that is taken up again has the starts" \
  simulate pendulum.mo --stop 60 --set x=0.5 --resume kept --output started.csv
expect 2 err 'not a checkpoint' simulate pendulum.mo --resume whole.csv --output other.csv
# What is refused changes nothing, whichever model was meant.
cp kept kept.before && cp kept.rows kept.rows.before
expect 2 err 'another model' simulate ball.mo --stop 60 --resume kept --output other.csv
expect 2 err 'another model' simulate chain.mo --stop 60 --resume kept --output other.csv
expect 2 err 'has reached time' simulate pendulum.mo --stop 3 --resume kept --output other.csv
cmp kept kept.before && cmp kept.rows kept.rows.before && [ ! -e other.csv ] ||
  { echo 'FAILED: a refused command changed a checkpoint'; failed=1; }
# Rows of another run, which was stopped before its first checkpoint, or damaged ones, are not joined.
expect 0 out 'Result' simulate pendulum.mo --set g=2 --stop 60 --output other.csv --checkpoint other
cp other.rows kept.rows
expect 2 err 'error[R009]' simulate pendulum.mo --stop 60 --resume kept --output again.csv
cp kept.rows.before kept.rows
printf 'x' | dd of=kept.rows bs=1 seek=1000 conv=notrunc 2>/dev/null
expect 2 err "'kept.rows' does not hold the rows of the run" simulate pendulum.mo --stop 60 --resume kept --output again.csv
mv kept.rows.before kept.rows
# A checkpoint takes the place of nothing but an earlier one.
cp pendulum.mo pendulum.before
expect 2 err "'./pendulum.mo' is the model" simulate pendulum.mo --output other.csv --checkpoint ./pendulum.mo
cmp pendulum.mo pendulum.before || { echo 'FAILED: a checkpoint was written over the model'; failed=1; }
expect 2 err 'both a checkpoint and a result' simulate pendulum.mo --output new.csv --checkpoint ./new.csv
[ ! -e new.csv ] || { echo 'FAILED: a refused run left a result'; failed=1; }
cp whole.csv whole.before
expect 2 err "would be written over 'whole.csv'" simulate pendulum.mo --output other.csv --checkpoint whole.csv
cmp whole.csv whole.before || { echo 'FAILED: a checkpoint was written over a result'; failed=1; }
printf 'a letter' >letter.rows
expect 2 err "would be written over 'letter.rows'" simulate pendulum.mo --output other.csv --checkpoint letter
[ "$(cat letter.rows)" = 'a letter' ] || { echo 'FAILED: rows were written over a letter'; failed=1; }
expect 2 err 'It is a folder' simulate pendulum.mo --output other.csv --checkpoint Lib
[ ! -e Lib.rows ] || { echo 'FAILED: a folder as checkpoint left rows behind'; failed=1; }
timeout -s INT 3 "$program" simulate pendulum.mo --stop 1e7 --intervals 1000000 --output cut.csv \
  >out 2>err
grep -q 'interrupted' err || { echo 'FAILED: an interrupt is told'; failed=1; }
for method in auto:bit-for-bit cvode:anew taylor:anew; do
  timeout -s INT 1 "$program" simulate slow.mo --method ${method%:*} --stop 1e9 --tolerance 1e-10 --intervals 10 \
    --output cut-too.csv --checkpoint cut-too >out 2>err
  grep -qF -- '--resume cut-too goes on from here' err || { cat err; echo "FAILED: $method, interrupted"; failed=1; }
  [ "$(grep -c 'starts anew' err)" = "$([ ${method#*:} = anew ] && echo 1 || echo 0)" ] ||
    { cat err; echo "FAILED: $method tells whether it starts anew"; failed=1; }
done
awk -F, 'NR == 1 { n = NF } NF != n { exit 1 }' cut.csv || { echo 'FAILED: cut.csv'; failed=1; }
# The same wish twice is one; a second one, later, ends at once.
"$program" simulate pendulum.mo --stop 1e7 --intervals 1000000 --output twice.csv >out 2>err &
victim=$!
sleep 1
kill -TERM $victim; kill -TERM $victim
wait $victim
[ $? = 3 ] && [ -s twice.csv ] || { echo 'FAILED: two signals at once'; failed=1; }
cat >blow.mo <<'END'
model Blow
  Real x(start = 1, fixed = true);
equation
  der(x) = x^2;
end Blow;
END
expect 3 err "'x' grows without bound" simulate blow.mo --stop 2
# Of attempts no more can be limited than there were.
expect 3 out '% of' simulate blow.mo --stop 2 --method taylor
[ "$(sed -n 's/^Step limited.*(\([0-9]*\) % of.*/\1/p' out.txt)" -le 100 ] ||
  { cat out.txt; echo 'FAILED: more than all attempts'; failed=1; }
# A place that is none is a mistake in the command; a disk that is full is not.
touch in-the-way
expect 2 err 'R015' demo pendulum --output in-the-way/below
expect 2 err "The folder 'nowhere' does not exist" simulate pendulum.mo --output nowhere/p.csv
expect 2 err 'R015' simulate pendulum.mo --checkpoint nowhere/p.checkpoint --output p.csv
ln -s /dev/full full.csv
expect 3 err 'error[R001]' simulate pendulum.mo --output full.csv
ln -s /dev/full full.h5
expect 2 err 'it is a device or a pipe, and HDF5 needs a file' simulate pendulum.mo --output full.h5

# What standard output does not take is told.
for report in 'explain --json' 'simulate --json --output p.csv'; do
  # shellcheck disable=SC2086  # words of one command
  "$program" $report pendulum.mo >/dev/full 2>err.txt
  status=$?
  if [ "$status" != 3 ] || ! grep -qF 'cannot write standard output' err.txt; then
    printf 'FAILED: %s to a full device: exit code %s\n' "$report" "$status"
    failed=1
  fi
done
# Files no longer than this stand in for a disk that is full: rows until then stay readable.
(ulimit -f 100; "$program" simulate pendulum.mo --intervals 20000 --output small.csv >out.txt 2>err.txt)
status=$?
if [ "$status" != 3 ] || ! grep -qF "'small.csv' has the rows up to time" err.txt; then
  printf 'FAILED: a full disk: exit code %s\n' "$status"
  cat err.txt
  failed=1
fi
expect 0 out '|' plot small.csv x --terminal
# HDF5 keeps none, and says so. Scripts are told as well.
(ulimit -f 100; "$program" simulate pendulum.mo --intervals 20000 --output small.h5 --json >out.txt 2>err.txt)
status=$?
if [ "$status" != 3 ] || ! grep -qF "No row of 'small.h5' could be kept: HDF5" err.txt ||
  ! grep -qF '"outcome": "not written"' out.txt || ! grep -qF '"code": "R001"' out.txt; then
  printf 'FAILED: a full disk and HDF5: exit code %s\n' "$status"
  cat out.txt err.txt
  failed=1
fi
[ "$(find . -name 'small.h5*')" = '' ] || { echo 'FAILED: a part of small.h5 was left'; failed=1; }
ln -s /dev/full full.svg
expect 3 out '"code": "R001"' simulate pendulum.mo --plot x --plot-file full.svg --json
# A run without a start is told to scripts too.
printf 'model Twice\n  Real x(start = 1, fixed = true);\ninitial equation\n  x = 2;\nequation\n  der(x) = 1;\nend Twice;\nmodel Root\n  parameter Real p = 0;\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = x/p;\nend Root;\n' >nostart.mo
expect 3 out '"outcome": "no start"' simulate nostart.mo --model Root --json
# A run that is refused leaves nothing.
expect 2 err 'I010' simulate pendulum.mo --method newmark --step 0.01 --checkpoint refused --output p.csv
[ ! -e refused.rows ] || { echo 'FAILED: a refused run left rows behind'; failed=1; }
# Rows are as far apart as was asked for, also where that does not divide the run.
expect 0 out 'Result' simulate ball.mo --step 0.3 --stop 1 --output ball.csv
[ "$(cut -d, -f1 ball.csv | tail -n +2 | tr '\n' ' ')" = '0 0.3 0.6 0.8999999999999999 1 ' ] ||
  { echo 'FAILED: --step 0.3 --stop 1 has other rows:'; cat ball.csv; failed=1; }
# Start values have a type, as parameters do.
printf 'model Count\n  Integer n(start = 1, fixed = true);\n  Real x(start = 0, fixed = true);\nequation\n  der(x) = 1;\n  when x > 0.5 then\n    n = pre(n) + 1;\n  end when;\nend Count;\n' >count.mo
expect 0 out 'Result' simulate count.mo --set n=2 --output count.csv
expect 2 err "--set n=2.5: the start of 'n' has type Integer, but this is Real." simulate count.mo --set n=2.5
expect 2 err "--set x=true: the start of 'x' has type Real, but this is Boolean." simulate count.mo --set n=2 --set x=true
# A value that is none is a mistake in the command, and told of the setting.
expect 2 err "--set g=nan: there is no 'nan' here. Give another value." simulate pendulum.mo --set x=1 --set g=nan
expect 2 err "--set g=true: 'g' has type Real, but this is Boolean." simulate pendulum.mo --set g=true
expect 2 err "--set k[2]=true: " simulate chain.mo --set 'k[2]=true'
expect 2 err "'g' is set twice, by 'g=2' and 'g=3': give one of them." simulate pendulum.mo --set g=2 --set g=3
expect 2 err "'k[2]' is set twice" simulate chain.mo --set 'k[2]=2' --set 'k[2]=3'
# What would be ignored is refused.
expect 2 err 'say with --checkpoint in which file' simulate pendulum.mo --checkpoint-every 1
expect 0 out 'Result' simulate pendulum.mo --step 0.1 --intervals 10 --output both.csv
expect 0 out 'Result' simulate pendulum.mo --method rattle --step 0.1 --intervals 10 --output both.csv

exit "$failed"
