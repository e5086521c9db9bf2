import type { AccountMask } from '../../src/accounting/account-code.ts';

/**
 * What an installation begins with (the table account_mask): the central bank's mask since 01/2025, the one before it,
 * and the bare 8 digits of the funds' COFI.
 */
export const FIRST_MASKS: readonly AccountMask[] = [
  { name: 'COSIF', digits: [1, 1, 1, 2, 2, 2], separated: true },
  { name: 'COSIF_2024', digits: [1, 1, 1, 2, 2], separated: true },
  { name: 'COFI', digits: [1, 1, 1, 2, 2], separated: false },
];
