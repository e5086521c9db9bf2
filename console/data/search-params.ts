import { useLocation } from '@tanstack/react-router';
import { type Search, useGo } from './place.ts';

/**
 * The parameters of the address and what changes some of them: `const [search, setSearch] = useSearchParams()`. An
 * `undefined` removes one. A change replaces the entry of the history; `{ push: true }` makes a new one, to which Esc
 * returns.
 */
export function useSearchParams(): [Search, (changes: Search, options?: { push?: boolean }) => void] {
  const search = useLocation({ select: (location) => location.search as Search });
  const go = useGo();
  const change = (changes: Search, { push = false } = {}) => go({ search: { ...search, ...changes }, replace: !push });
  return [search, change];
}
