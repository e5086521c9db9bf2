import type { RoutineCode } from '../../src/features/access/access.ts';
import type { Bank } from './banks.ts';
import { bodyOf, type Client, type Platform } from './platform.ts';

let made = 0;

/** A service account of the branch with a token. */
export async function createMachine(
  platform: Platform,
  { company, branch }: Pick<Bank, 'company' | 'branch'>,
  routines: readonly RoutineCode[],
): Promise<Client> {
  const path = '/api/admin/service-accounts';
  const fields = { clientId: `servico-${++made}`, permissions: [{ company, branch }], routines };
  const { id, clientId } = await bodyOf(platform.admin.post('authentication', path, fields));
  const { secret } = await bodyOf(platform.admin.post('authentication', `${path}/${id}/secrets`, {}));
  const answer = await fetch(`${platform.address('authentication')}/api/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: secret }),
  });
  return platform.withToken(((await answer.json()) as { access_token: string }).access_token);
}
