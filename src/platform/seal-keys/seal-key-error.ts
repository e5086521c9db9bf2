/** Why nothing can be signed now: one line for the operator, without any key. */
export class SealKeyError extends Error {}
