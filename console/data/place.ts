import { useLocation, useNavigate, useParams } from '@tanstack/react-router';
import { type Month, monthFromIso } from '../../src/accounting/period.ts';

/** Where the user is: every address of a screen begins with it. */
export interface Place {
  readonly company: string;
  readonly branch: string;
  readonly month: Month;
  /** Last part of the address: 'balancete'. */
  readonly screen: string;
}

/** The company, branch and month of the address. */
export function usePlace(): Place {
  const { company = '', branch = '', month = '', screen = '' } = useParams({ strict: false }) as Record<string, string>;
  return { company, branch, month: monthFromIso(month) ?? ('1900-01' as Month), screen };
}

export type Search = Readonly<Record<string, string | undefined>>;

export interface Destination extends Partial<Place> {
  readonly search?: Search;
  /** In the place of the entry of the history, not after it. */
  readonly replace?: boolean;
}

/** Goes to a place; what is not said stays as it is: on the same screen the search parameters, too. */
export function useGo(): (to: Destination) => void {
  const navigate = useNavigate();
  const here = usePlace();
  const now = useLocation({ select: (location) => location.search as Search });
  return ({ search, replace = false, ...to }) => {
    const there = { ...here, ...to };
    void navigate({ href: addressOf(there, search ?? (there.screen === here.screen ? now : {})), replace });
  };
}

/** '/0001/0001/2026-10/razao?conta=12': for links. */
export function addressOf({ company, branch, month, screen }: Place, search: Search = {}): string {
  const given = Object.entries(search).filter((each): each is [string, string] => each[1] !== undefined);
  const query = new URLSearchParams(given).toString();
  const path = [company, branch, month, screen].map(encodeURIComponent).join('/');
  return `/${path}${query === '' ? '' : `?${query}`}`;
}
