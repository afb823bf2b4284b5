// SPDX-License-Identifier: Apache-2.0
package Chemistry "Reactions of the test set for initial value problem solvers (CWI, Bari) and of Hairer and Wanner"
  model Hires "Light and the growth of plants: 8 stiff equations"
    Real y[8](start = {1, 0, 0, 0, 0, 0, 0, 0.0057}, each fixed = true, each nominal = 1e-3);
  equation
    der(y[1]) = -1.71*y[1] + 0.43*y[2] + 8.32*y[3] + 0.0007;
    der(y[2]) = 1.71*y[1] - 8.75*y[2];
    der(y[3]) = -10.03*y[3] + 0.43*y[4] + 0.035*y[5];
    der(y[4]) = 8.32*y[2] + 1.71*y[3] - 1.12*y[4];
    der(y[5]) = -1.745*y[5] + 0.43*y[6] + 0.43*y[7];
    der(y[6]) = -280*y[6]*y[8] + 0.69*y[4] + 1.71*y[5] - 0.43*y[6] + 0.69*y[7];
    der(y[7]) = 280*y[6]*y[8] - 1.81*y[7];
    der(y[8]) = -der(y[7]);
    annotation(experiment(StopTime = 321.8122));
  end Hires;

  model Pollution "Air pollution: 25 reactions of 20 substances"
    Real y[20](start = {0, 0.2, 0, 0.04, 0, 0, 0.1, 0.3, 0.01, 0, 0, 0, 0, 0, 0, 0, 0.007, 0, 0, 0}, each fixed = true, each nominal = 1e-3);
    Real r[25] "speeds of the reactions";
  equation
    r = {0.35*y[1], 26.6*y[2]*y[4], 12300*y[5]*y[2], 0.00086*y[7], 0.00082*y[7], 15000*y[7]*y[6], 0.00013*y[9],
      24000*y[9]*y[6], 16500*y[11]*y[2], 9000*y[11]*y[1], 0.022*y[13], 12000*y[10]*y[2], 1.88*y[14], 16300*y[1]*y[6],
      4.8e6*y[3], 0.00035*y[4], 0.0175*y[4], 1e8*y[16], 4.44e11*y[16], 1240*y[17]*y[6], 2.1*y[19], 5.78*y[19],
      0.0474*y[1]*y[4], 1780*y[19]*y[1], 3.12*y[20]};
    der(y[1]) = -r[1] - r[10] - r[14] - r[23] - r[24] + r[2] + r[3] + r[9] + r[11] + r[12] + r[22] + r[25];
    der(y[2]) = -r[2] - r[3] - r[9] - r[12] + r[1] + r[21];
    der(y[3]) = -r[15] + r[1] + r[17] + r[19] + r[22];
    der(y[4]) = -r[2] - r[16] - r[17] - r[23] + r[15];
    der(y[5]) = -r[3] + 2*r[4] + r[6] + r[7] + r[13] + r[20];
    der(y[6]) = -r[6] - r[8] - r[14] - r[20] + r[3] + 2*r[18];
    der(y[7]) = -r[4] - r[5] - r[6] + r[13];
    der(y[8]) = r[4] + r[5] + r[6] + r[7];
    der(y[9]) = -r[7] - r[8];
    der(y[10]) = -r[12] + r[7] + r[9];
    der(y[11]) = -r[9] - r[10] + r[8] + r[11];
    der(y[12]) = r[9];
    der(y[13]) = -r[11] + r[10];
    der(y[14]) = -r[13] + r[12];
    der(y[15]) = r[14];
    der(y[16]) = -r[18] - r[19] + r[16];
    der(y[17]) = -r[20];
    der(y[18]) = r[20];
    der(y[19]) = -r[21] - r[22] - r[24] + r[23] + r[25];
    der(y[20]) = -r[25] + r[24];
    annotation(experiment(StopTime = 60));
  end Pollution;

  model Robertson "Three substances, speeds nine orders apart; mass is kept, as an equation"
    Real y[3](start = {1, 0, 0}, fixed = {true, true, false}, nominal = {1e-6, 1e-12, 1});
  equation
    der(y[1]) = -0.04*y[1] + 1e4*y[2]*y[3];
    der(y[2]) = 0.04*y[1] - 1e4*y[2]*y[3] - 3e7*y[2]^2;
    y[1] + y[2] + y[3] = 1;
    annotation(experiment(StopTime = 40));
  end Robertson;

  model RobertsonODE "The same as three differential equations"
    Real y[3](start = {1, 0, 0}, each fixed = true, nominal = {1e-6, 1e-12, 1});
  equation
    der(y[1]) = -0.04*y[1] + 1e4*y[2]*y[3];
    der(y[2]) = 0.04*y[1] - 1e4*y[2]*y[3] - 3e7*y[2]^2;
    der(y[3]) = 3e7*y[2]^2;
    annotation(experiment(StopTime = 40));
  end RobertsonODE;

  model Oregonator "The reaction of Belousov and Zhabotinsky"
    Real y[3](start = {1, 2, 3}, each fixed = true);
  equation
    der(y[1]) = 77.27*(y[2] + y[1]*(1 - 8.375e-6*y[1] - y[2]));
    der(y[2]) = (y[3] - (1 + y[1])*y[2])/77.27;
    der(y[3]) = 0.161*(y[1] - y[3]);
    annotation(experiment(StopTime = 360));
  end Oregonator;

  model E5 "Concentrations down to 1e-22: nominal values tell how small they are"
    parameter Real A = 7.89e-10, B = 1.1e7, C = 1.13e3, M = 1e6;
    Real y[4](start = {1.76e-3, 0, 0, 0}, fixed = {true, false, true, true}, nominal = {1e-16, 1e-18, 1e-18, 1e-18});
  equation
    der(y[1]) = -A*y[1] - B*y[1]*y[3];
    der(y[2]) = A*y[1] - M*C*y[2]*y[3];
    y[2] = y[3] + y[4] "in place of der(y[3]): that would lose this sum by rounding";
    der(y[4]) = B*y[1]*y[3] - C*y[4];
    annotation(experiment(StopTime = 1e13));
  end E5;

  model ChemicalAkzo "Five substances and an equilibrium: index 1"
    Real y[6](start = {0.444, 0.00123, 0, 0.007, 0, 0.36}, fixed = {true, true, true, true, true, false}, each nominal = 1e-3);
    Real r1 = 18.7*y[1]^4*sqrt(y[2]), r2 = 0.58*y[3]*y[4], r3 = 0.58/34.4*y[1]*y[5];
    Real r4 = 0.09*y[1]*y[4]^2, r5 = 0.42*y[6]^2*sqrt(y[2]), F = 3.3*(0.9/737 - y[2]);
  equation
    der(y[1]) = -2*r1 + r2 - r3 - r4;
    der(y[2]) = -r1/2 - r4 - r5/2 + F;
    der(y[3]) = r1 - r2 + r3;
    der(y[4]) = -r2 + r3 - 2*r4;
    der(y[5]) = r2 - r3 + r5;
    0 = 115.83*y[1]*y[4] - y[6];
    annotation(experiment(StopTime = 180));
  end ChemicalAkzo;

  model MedicalAkzo "Antibodies go into a tissue: two equations on 200 lines"
    parameter Integer N = 200;
    parameter Real k = 100, c = 4, d = 1/N;
    Real u[N](each start = 0, each fixed = true, each nominal = 1e-3) "antibodies";
    Real v[N](each start = 1, each fixed = true) "what they bind to";
    Real phi = if time <= 5 then 2 else 0 "at the boundary";
  equation
    for j in 1:N - 1 loop
      der(u[j]) = 2*(j*d - 1)^3/c^2*(u[j + 1] - (if j == 1 then phi else u[max(j - 1, 1)]))/(2*d)
        + (j*d - 1)^4/c^2*((if j == 1 then phi else u[max(j - 1, 1)]) - 2*u[j] + u[j + 1])/d^2 - k*u[j]*v[j];
    end for;
    der(u[N]) = -k*u[N]*v[N];
    for j in 1:N loop
      der(v[j]) = -k*u[j]*v[j];
    end for;
    annotation(experiment(StopTime = 20));
  end MedicalAkzo;

  model VanDerPol "A stiff oscillator"
    parameter Real mu = 1000;
    Real y(start = 2, fixed = true), v(start = 0, fixed = true);
  equation
    der(y) = v;
    der(v) = mu*(1 - y^2)*v - y;
    annotation(experiment(StopTime = 2000));
  end VanDerPol;
end Chemistry;
