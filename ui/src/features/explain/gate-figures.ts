// The figures that the gate looks at, and how far their thresholds can be moved.

import type { GateCheck, GateThresholds } from "../../ipc";

export interface Figure {
  check: GateCheck["name"];
  key: keyof GateThresholds;
  label: string;
  about: string;
  most: number;
  step: number;
  unit: string;
}

export const FIGURES: Figure[] = [
  {
    check: "entropy",
    key: "max_entropy",
    label: "Top-10 entropy",
    about: "1 = all alike",
    most: 1,
    step: 0.05,
    unit: "",
  },
  {
    check: "margin",
    key: "min_margin",
    label: "Top-1 margin",
    about: "first over second",
    most: 8,
    step: 0.1,
    unit: " σ",
  },
  {
    check: "peak",
    key: "min_peak",
    label: "Top-1 peak",
    about: "first over background",
    most: 16,
    step: 0.5,
    unit: " σ",
  },
  {
    check: "agreement",
    key: "min_agreement",
    label: "Text–vector agreement",
    about: "of their ranks",
    most: 1,
    step: 0.05,
    unit: "",
  },
];
