import { useSyncExternalStore } from 'react';
import { claimUnsent, forgetUnsent } from './unsent-rows.ts';

// The session of the browser: an HttpOnly cookie that no script reads. What the page knows of it is what
// GET /api/console/session says.

const ADDRESS = '/api/console/session';

interface SessionUser {
  readonly username: string;
  readonly name: string;
  readonly admin: boolean;
}

export interface ReachedCompany {
  readonly code: string;
  readonly name: string;
  readonly branches: readonly { readonly code: string; readonly name: string }[];
}

/** Who is signed in, what this user reaches, and what it may not do. */
export interface SignedIn {
  readonly user: SessionUser;
  readonly companies: readonly ReachedCompany[];
  readonly deniedRoutines: readonly string[];
  /** When it ends at the latest, as ISO text. */
  readonly expiresAt: string;
}

/** `ended`: it was there and is over; the dialog over the screen opens it again. */
export type SessionState =
  | { readonly is: 'unknown' | 'none' }
  | { readonly is: 'open' | 'ended'; readonly who: SignedIn }
  | { readonly is: 'unreachable'; readonly why: string };

/** A sign-in that was refused; `retryAfter` in seconds where it was one too many. */
export class SignInRefused extends Error {
  readonly code: string;
  readonly retryAfter: number | undefined;

  constructor(message: string, code: string, retryAfter: number | undefined) {
    super(message);
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

let state: SessionState = { is: 'unknown' };
const listeners = new Set<() => void>();
/** Requests that wait until somebody has signed in again. */
let waiting: ((signedIn: boolean) => void)[] = [];
/** How often somebody has signed in on this page. */
let signIns = 0;

export function useSession(): SessionState {
  return useSyncExternalStore(subscribe, () => state);
}

/** Whether the signed-in user may use the routine; actions of denied ones are not shown. */
export function useMay(routine: string): boolean {
  const session = useSession();
  return 'who' in session && !session.who.deniedRoutines.includes(routine);
}

/** The companies that the user reaches, with their branches; readSession brings those that were added since. */
export function useCompanies(): readonly ReachedCompany[] {
  const session = useSession();
  return 'who' in session ? session.who.companies : [];
}

/** Asks the server who is signed in. */
export async function readSession(): Promise<void> {
  try {
    const response = await fetch(ADDRESS, { headers: { accept: 'application/json' } });
    if (response.ok) become({ is: 'open', who: await response.json() });
    else if (response.status === 401) become({ is: 'none' });
    else become({ is: 'unreachable', why: await detailOf(response) });
  } catch {
    become({ is: 'unreachable', why: 'O servidor não responde.' });
  }
}

/** Opens a session, also in the place of one that ended; throws SignInRefused. */
export async function signIn(credentials: { username: string; password: string; totp?: string }): Promise<void> {
  const response = await fetch(ADDRESS, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', 'accept-language': 'pt-BR' },
    body: JSON.stringify(credentials),
  });
  if (!response.ok) throw await refusalOf(response);
  resumeAs((await response.json()) as SignedIn);
}

/** After a sign-in in another tab: goes on where the session had ended; nothing while there is none. */
export async function resumeSession(): Promise<void> {
  const response = await fetch(ADDRESS, { headers: { accept: 'application/json' } }).catch(() => undefined);
  if (response?.ok) resumeAs((await response.json()) as SignedIn);
}

function resumeAs(who: SignedIn): void {
  const before = state;
  // Somebody else's screen, and what was typed on it, is nothing for whoever signs in now.
  if (before.is === 'ended' && before.who.user.username !== who.user.username) {
    forgetUnsent();
    location.assign('/');
    return;
  }
  signIns++;
  become({ is: 'open', who });
  release(true);
}

export async function signOut(): Promise<void> {
  await fetch(ADDRESS, { method: 'DELETE' });
  forgetUnsent();
  location.assign('/entrar');
}

/** fetch for the client: a request that meets an ended session waits for the dialog and is sent again. */
export const sessionFetch: typeof fetch = async (input, init) => {
  const sentIn = signIns;
  const response = await fetch(input, init);
  if (response.status !== 401 || !('who' in state)) return response;
  // Sent before somebody signed in again, and answered after: the new session has not ended.
  if (sentIn !== signIns) return sessionFetch(input, init);
  become({ is: 'ended', who: state.who });
  const signedIn = await new Promise<boolean>((resolve) => {
    waiting.push(resolve);
    init?.signal?.addEventListener('abort', () => resolve(false), { once: true });
  });
  return signedIn ? sessionFetch(input, init) : response;
};

function release(signedIn: boolean): void {
  const released = waiting;
  waiting = [];
  for (const go of released) go(signedIn);
}

function become(next: SessionState): void {
  state = next;
  if (next.is === 'open') claimUnsent(next.who.user.username);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

async function refusalOf(response: Response): Promise<SignInRefused> {
  const retryAfter = Number(response.headers.get('retry-after'));
  const { detail, code } = await problemOf(response);
  return new SignInRefused(detail, code, retryAfter > 0 ? retryAfter : undefined);
}

async function detailOf(response: Response): Promise<string> {
  return (await problemOf(response)).detail;
}

async function problemOf(response: Response): Promise<{ detail: string; code: string }> {
  const body = (await response.json().catch(() => undefined)) as { detail?: string; code?: string } | undefined;
  return { detail: body?.detail ?? `O servidor respondeu ${response.status}.`, code: body?.code ?? 'UNKNOWN' };
}
