// SPDX-License-Identifier: Apache-2.0
package Circuits "Circuits of the test set for initial value problem solvers (CWI, Bari)"
  model TransistorAmplifier "Two transistors; as published, with a singular mass matrix that no structure shows"
    parameter Real Ub = 6, UF = 0.026, alpha = 0.99, beta = 1e-6, R0 = 1000, R = 9000, C[5] = {1e-6, 2e-6, 3e-6, 4e-6, 5e-6};
    Real y[8](start = {0, 3, 3, 6, 3, 3, 6, 0});
    Real Ue = 0.1*sin(200*3.14159265358979323846*time);
    Real g23 = beta*(exp((y[2] - y[3])/UF) - 1), g56 = beta*(exp((y[5] - y[6])/UF) - 1);
  equation
    C[1]*(der(y[2]) - der(y[1])) + Ue/R0 - y[1]/R0 = 0;
    C[1]*(der(y[1]) - der(y[2])) + Ub/R - 2*y[2]/R - (1 - alpha)*g23 = 0;
    -C[2]*der(y[3]) + g23 - y[3]/R = 0;
    C[3]*(der(y[5]) - der(y[4])) + Ub/R - y[4]/R - alpha*g23 = 0;
    C[3]*(der(y[4]) - der(y[5])) + Ub/R - 2*y[5]/R - (1 - alpha)*g56 = 0;
    -C[4]*der(y[6]) + g56 - y[6]/R = 0;
    C[5]*(der(y[8]) - der(y[7])) + Ub/R - y[7]/R - alpha*g56 = 0;
    C[5]*(der(y[7]) - der(y[8])) - y[8]/R = 0;
    annotation(experiment(StopTime = 0.2));
  end TransistorAmplifier;

  model RingModulator "A low frequency on a high one; stray capacitances of 2 pF make it stiff and oscillatory"
    parameter Real C = 1.6e-8, Cs = 2e-12, Cp = 1e-8, Lh = 4.45, Ls1 = 2e-3, Ls2 = 5e-4, Ls3 = 5e-4;
    parameter Real gamma = 40.67286402e-9, delta = 17.7493332;
    parameter Real R = 25e3, Rp = 50, Rg1 = 36.3, Rg2 = 17.3, Rg3 = 17.3, Ri = 50, Rc = 600;
    constant Real pi = 3.14159265358979323846;
    Real y[15](each start = 0, each fixed = true, nominal = {if i < 8 then 1 else 1e-3 for i in 1:15}) "voltages, then currents";
    Real U1 = 0.5*sin(2000*pi*time), U2 = 2*sin(20000*pi*time);
    Real q1 = gamma*(exp(delta*(y[3] - y[5] - y[7] - U2)) - 1), q2 = gamma*(exp(delta*(-y[4] + y[6] - y[7] - U2)) - 1);
    Real q3 = gamma*(exp(delta*(y[4] + y[5] + y[7] + U2)) - 1), q4 = gamma*(exp(delta*(-y[3] - y[6] + y[7] + U2)) - 1);
  equation
    C*der(y[1]) = y[8] - y[10]/2 + y[11]/2 + y[14] - y[1]/R;
    C*der(y[2]) = y[9] - y[12]/2 + y[13]/2 + y[15] - y[2]/R;
    Cs*der(y[3]) = y[10] - q1 + q4;
    Cs*der(y[4]) = -y[11] + q2 - q3;
    Cs*der(y[5]) = y[12] + q1 - q3;
    Cs*der(y[6]) = -y[13] - q2 + q4;
    Cp*der(y[7]) = -y[7]/Rp + q1 + q2 - q3 - q4;
    Lh*der(y[8]) = -y[1];
    Lh*der(y[9]) = -y[2];
    Ls2*der(y[10]) = y[1]/2 - y[3] - Rg2*y[10];
    Ls3*der(y[11]) = -y[1]/2 + y[4] - Rg3*y[11];
    Ls2*der(y[12]) = y[2]/2 - y[5] - Rg2*y[12];
    Ls3*der(y[13]) = -y[2]/2 + y[6] - Rg3*y[13];
    Ls1*der(y[14]) = -y[1] + U1 - (Ri + Rg1)*y[14];
    Ls1*der(y[15]) = -y[2] - (Rc + Rg1)*y[15];
    annotation(experiment(StopTime = 1e-3));
  end RingModulator;

  model NandGate "Three field-effect transistors: capacitances depend on voltages, pulses have corners"
    parameter Real RGS = 4, RGD = 4, RBS = 10, RBD = 10, CGS = 6e-5, CGD = 6e-5, C9 = 5e-5, VDD = 5, VBB = -2.5;
    Real y[14](start = {5, 5, -2.5, -2.5, 5, 3.62385, 5, -2.5, -2.5, 3.62385, 0, 3.62385, -2.5, -2.5}, each fixed = true);
    Real V1(start = 0) "pulses, by straight lines", V2(start = 0);
    Real s1 = mod(time, 20), s2 = mod(time, 40);
    Real iD = depletion(y[2] - y[1], y[5] - y[1], y[3] - y[5], y[5] - y[2], y[4] - VDD);
    Real iE = enhancement(y[7] - y[6], V1 - y[6], y[8] - y[10], V1 - y[7], y[9] - y[5]);
    Real iF = enhancement(y[12] - y[11], V2 - y[11], y[13], V2 - y[12], y[14] - y[10]);
    Real c35 = junction(y[3] - y[5]), c4 = junction(y[4] - VDD), c95 = junction(y[9] - y[5]);
    Real c810 = junction(y[8] - y[10]), c1410 = junction(y[14] - y[10]), c13 = junction(y[13]);

    function channel "Current from source to drain, forwards"
      input Real VDS, VG, VB, VT0, gamma, Phi, beta;
      output Real i;
    protected
      Real a = VG - (VT0 + gamma*(sqrt(Phi - VB) - sqrt(Phi)));
    algorithm
      i := if a <= 0 then 0 elseif a <= VDS then -beta*a^2*(1 + 0.02*VDS) else -beta*VDS*(2*a - VDS)*(1 + 0.02*VDS);
    end channel;

    function depletion
      input Real VDS, VGS, VBS, VGD, VBD;
      output Real i = if VDS > 0 then channel(VDS, VGS, VBS, -2.43, 0.2, 1.28, 5.35e-4) else -channel(-VDS, VGD, VBD, -2.43, 0.2, 1.28, 5.35e-4);
    algorithm
    end depletion;

    function enhancement "Ten times less backwards"
      input Real VDS, VGS, VBS, VGD, VBD;
      output Real i = if VDS > 0 then channel(VDS, VGS, VBS, 0.2, 0.035, 1.01, 1.748e-3) else -channel(-VDS, VGD, VBD, 0.2, 0.035, 1.01, 1.748e-4);
    algorithm
    end enhancement;

    function leak "Current of a junction"
      input Real V;
      output Real i = if V <= 0 then -1e-14*(exp(V/25.85) - 1) else 0;
    algorithm
    end leak;

    function junction "Capacitance of a junction"
      input Real V;
      output Real c = if V <= 0 then 2.4e-5/sqrt(1 - V/0.87) else 2.4e-5*(1 + V/(2*0.87));
    algorithm
    end junction;
  equation
    V1 = if s1 < 5 then 0 elseif s1 < 10 then s1 - 5 elseif s1 < 15 then 5 else 20 - s1;
    V2 = if s2 < 15 then 0 elseif s2 < 20 then s2 - 15 elseif s2 < 35 then 5 else 40 - s2;
    CGS*(der(y[1]) - der(y[5])) = -(y[1] - y[5])/RGS - iD;
    CGD*(der(y[2]) - der(y[5])) = -(y[2] - VDD)/RGD + iD;
    c35*(der(y[3]) - der(y[5])) = -(y[3] - VBB)/RBS + leak(y[3] - y[5]);
    c4*der(y[4]) = -(y[4] - VBB)/RBD + leak(y[4] - VDD);
    -CGS*der(y[1]) - CGD*der(y[2]) - c35*der(y[3]) + (CGS + CGD + c35 + c95 + C9)*der(y[5]) - c95*der(y[9])
      = -(y[5] - y[1])/RGS - leak(y[3] - y[5]) - (y[5] - y[7])/RGD - leak(y[9] - y[5]);
    CGS*der(y[6]) = CGS*der(V1) - (y[6] - y[10])/RGS - iE;
    CGD*der(y[7]) = CGD*der(V1) - (y[7] - y[5])/RGD + iE;
    c810*(der(y[8]) - der(y[10])) = -(y[8] - VBB)/RBS + leak(y[8] - y[10]);
    c95*(der(y[9]) - der(y[5])) = -(y[9] - VBB)/RBD + leak(y[9] - y[5]);
    -c810*der(y[8]) + (c810 + c1410 + C9)*der(y[10]) - c1410*der(y[14])
      = -(y[10] - y[6])/RGS - leak(y[8] - y[10]) - (y[10] - y[12])/RGD - leak(y[14] - y[10]);
    CGS*der(y[11]) = CGS*der(V2) - y[11]/RGS - iF;
    CGD*der(y[12]) = CGD*der(V2) - (y[12] - y[10])/RGD + iF;
    c13*der(y[13]) = -(y[13] - VBB)/RBS + leak(y[13]);
    c1410*(der(y[14]) - der(y[10])) = -(y[14] - VBB)/RBD + leak(y[14] - y[10]);
    annotation(experiment(StopTime = 80));
  end NandGate;
end Circuits;
