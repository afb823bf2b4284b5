// SPDX-License-Identifier: Apache-2.0
// Recursion by known and by undecided arguments.
// expect a = 120
// expect b = 8
// expect c = 24
// expect d = 13
model Recursion
  function fact
    input Integer n;
    output Integer r;
  algorithm
    r := if n <= 1 then 1 else n * fact(n - 1);
  end fact;
  function fib
    input Integer n;
    output Integer r;
  algorithm
    if n < 2 then
      r := n;
      return;
    end if;
    r := fib(n - 1) + fib(n - 2);
  end fib;
  Integer a = fact(5);
  Integer b = fib(6);
  Integer c = if time > 0.5 then fact(4) else 0;
  Integer d = fib(integer(7 * time + 0.5));
end Recursion;
