declare const brand: unique symbol;

/** Ids of records that must not be taken for one another: one client's books would show in another's. */
export type CompanyId = number & { readonly [brand]: 'company' };
export type BranchId = number & { readonly [brand]: 'branch' };
export type ChartId = number & { readonly [brand]: 'chart' };
export type AccountId = number & { readonly [brand]: 'account' };

/**
 * A bare number as the id of a kind of record. The fields of the doors and rows of SQL declare their ids; this is for
 * the few places that hold a number without a kind.
 */
export function asId<Id extends CompanyId | BranchId | ChartId | AccountId>(value: number): Id {
  return value as Id;
}
