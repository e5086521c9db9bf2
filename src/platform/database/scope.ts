/**
 * What a transaction may see: visible companies, whole companies, single branches. Every transaction and every single
 * statement brings its own; the policies of every tenant table compare with it. Without one nothing is visible.
 */
export interface Scope {
  readonly companies: readonly number[] | '*';
  readonly wholeCompanies: readonly number[];
  readonly branches: readonly number[];
}

/**
 * The commands that set a scope until the end of the transaction. SET takes no parameter: what stands in their text is
 * whole numbers or '*' and is proved to be here. What is empty is left out: a connection has nothing of its own.
 */
export function scopeCommands({ companies, wholeCompanies, branches }: Scope): string[] {
  return [
    ...(companies === '*' ? [`SET LOCAL app.companies = '*'`] : setIds('app.companies', companies)),
    ...setIds('app.whole_companies', wholeCompanies),
    ...setIds('app.branches', branches),
  ];
}

function setIds(setting: string, ids: readonly number[]): string[] {
  if (ids.length === 0) return [];
  for (const id of ids) if (!Number.isSafeInteger(id)) throw new Error(`not an id: ${id}`);
  return [`SET LOCAL ${setting} = '${ids.join(',')}'`];
}
