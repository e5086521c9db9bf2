import { wireWords } from '../../http/wire-words.ts';

/** Kinds of books as requests and answers name them. */
export const bookKinds = wireWords({ JOURNAL: 'DIARIO', LEDGER: 'RAZAO', TRIAL_BALANCES: 'BALANCETES' });
