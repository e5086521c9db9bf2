import { queryOptions } from '@tanstack/react-query';
import { sessionFetch } from './session.ts';

// Open sessions of the console, by the console's own API, which the client does not have.

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

/** Key: invalidated by whoever ends a session. */
export const SESSIONS_KEY = 'console sessions';

/** The open ones: the own, or, for an administrator, those of all users. */
export const sessionsQuery = (of: 'me' | 'everyone') =>
  queryOptions({
    queryKey: [SESSIONS_KEY, of],
    queryFn: async ({ signal }): Promise<readonly ConsoleSession[]> => {
      const response = await asked(`${SESSIONS}?everyone=${of === 'everyone'}&size=1000`, { signal });
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
