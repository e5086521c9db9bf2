import type { Pool } from 'undici';

export interface Question {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly token: string;
  readonly body?: unknown;
  /** The status that is no failure; 200 unless said. */
  readonly expected?: number;
}

/** One request over a connection of the pool, its response read whole. */
export async function ask(
  http: Pool,
  { method = 'POST', path, token, body, expected = 200 }: Question,
): Promise<string> {
  const answer = await http.request({
    method,
    path,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.body.text();
  if (answer.statusCode !== expected) throw new Error(`${path}: ${answer.statusCode} ${text.slice(0, 300)}`);
  return text;
}
