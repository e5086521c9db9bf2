import { createRequire } from 'node:module';
import type argon2 from '@node-rs/argon2';

// vitest.config.ts puts this in the place of @node-rs/argon2: the tests hash hundreds of passwords that nobody guesses.
// The program itself has no such switch. A hash names its own cost, so that real ones and quick ones are both verified.

const real = createRequire(import.meta.url)('@node-rs/argon2') as typeof argon2;

let isReal = false;

/** Hashes at the program's own cost, for a file that tests it; returns what ends that. */
export function hashAtRealCost(): () => void {
  isReal = true;
  return () => {
    isReal = false;
  };
}

export const hash: typeof argon2.hash = (password, options, signal) =>
  real.hash(password, isReal ? options : { ...options, memoryCost: 8, timeCost: 1 }, signal);

export const verify: typeof argon2.verify = real.verify;
