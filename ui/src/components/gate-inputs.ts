// What the learned gate looks at, in words.

export const GATE_INPUTS = {
  entropy: "Entropy",
  margin: "Margin, ln(1 + σ)",
  peak: "Peak, ln(1 + σ)",
  agreement: "Agreement",
  words: "Words, ln",
  identifier: "Is an identifier",
  message: "Is a message",
} as const;

export type GateInput = keyof typeof GATE_INPUTS;
