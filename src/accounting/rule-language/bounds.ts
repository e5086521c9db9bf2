/**
 * Every limit of the rule language: scripts are written by users and run unattended, so nothing here may grow without
 * one. The first group is met when compiling, the second when running.
 */
export const BOUNDS = {
  sourceBytes: 65_536,
  blockNesting: 64,
  expressionNesting: 64,
  numberDigits: 38,
  diagnostics: 1_000,

  evaluatedNodes: 10_000,
  resultDigits: 60,
  divisionDecimals: 20,
  roundingDecimals: 12,
  insertedDecimals: 10,
  extremeArguments: 50,
  reads: 1_000,
  /** A thousand years: before every base month. */
  monthsBack: 12_000,
  messages: 1_000,
  messageBytes: 4_096,
  textBytes: 65_536,
} as const;
