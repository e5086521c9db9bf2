import { queryOptions } from '@tanstack/react-query';
import { api } from '../../data/client.ts';
import { sessionFetch } from '../../data/session.ts';

// What the four parts of the screen read. Whatever changes a right asks for all of them again: USERS_KEY.

export const USERS_KEY = 'users';

export type User = Awaited<ReturnType<typeof api.authentication.listUsers>>['content'][number];
export type Group = Awaited<ReturnType<typeof api.masterdata.listGroups>>[number];
export type Matrix = Awaited<ReturnType<typeof api.authentication.getAccessMatrix>>;
export type Permission = { readonly company: string; readonly branch: string | null };

/** Most users that the members of a group are chosen from, and that the matrix shows at once. */
const MOST_USERS = 1_000;

export const usersQuery = (search: string) =>
  queryOptions({
    queryKey: [USERS_KEY, 'list', search],
    queryFn: async ({ signal }) => {
      const query = { page: 0, size: MOST_USERS, ...(search === '' ? {} : { search }) };
      return api.authentication.listUsers({ query }, { signal });
    },
  });

export const groupsQuery = queryOptions({
  queryKey: [USERS_KEY, 'groups'],
  queryFn: ({ signal }) => api.masterdata.listGroups({}, { signal }),
});

export const matrixQuery = (search: string) =>
  queryOptions({
    queryKey: [USERS_KEY, 'matrix', search],
    queryFn: ({ signal }) => {
      const query = { page: 0, size: MOST_USERS, ...(search === '' ? {} : { search }) };
      return api.authentication.getAccessMatrix({ query }, { signal });
    },
  });

export interface ConsoleSession {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly how: string;
  readonly address: string;
  readonly agent: string;
  readonly createdAt: string;
  readonly usedAt: string;
  readonly current: boolean;
}

const SESSIONS = '/api/console/sessions';

export const sessionsQuery = queryOptions({
  queryKey: [USERS_KEY, 'sessions'],
  queryFn: async ({ signal }): Promise<readonly ConsoleSession[]> => {
    const response = await asked(`${SESSIONS}?everyone=true&size=1000`, { signal });
    return ((await response.json()) as { content: ConsoleSession[] }).content;
  },
});

export async function endSession(id: number): Promise<void> {
  await asked(`${SESSIONS}/${id}`, { method: 'DELETE' });
}

export async function endOtherSessions(): Promise<number> {
  const response = await asked(SESSIONS, { method: 'DELETE' });
  return ((await response.json()) as { ended: number }).ended;
}

/** Of the console's own API, which the client does not have. */
async function asked(address: string, options: RequestInit): Promise<Response> {
  const response = await sessionFetch(address, { ...options, headers: { 'accept-language': 'pt-BR' } });
  if (response.ok) return response;
  const { detail } = (await response.json().catch(() => ({}))) as { detail?: string };
  throw new Error(detail ?? `O servidor respondeu ${response.status}.`);
}

/** 'Chrome 140, Linux': what a User-Agent says in short. */
export function browserText(agent: string): string {
  const [, name, version] = /(Edg|Firefox|Chrome|Safari)\/(\d+)/.exec(agent.replace(/Chrome(?=.*Edg)/, '')) ?? [];
  const system = /Windows|Android|iPhone|iPad|Mac OS X|Linux/.exec(agent)?.[0];
  const browser = name === undefined ? agent.slice(0, 40) : `${name === 'Edg' ? 'Edge' : name} ${version}`;
  return [browser, system].filter((part) => part !== undefined).join(', ');
}
