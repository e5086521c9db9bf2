/**
 * What stands between the program and the database: nothing; or a pooler that gives a connection of the server to others
 * between two transactions, and keeps prepared statements for each of its clients (`named`) or does not (`unnamed`).
 */
export const POOLERS = ['none', 'unnamed', 'named'] as const;
export type Pooler = (typeof POOLERS)[number];
