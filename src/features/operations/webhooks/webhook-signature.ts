import { createHmac, randomBytes } from 'node:crypto';

/** Standard Webhooks: what comes before the base64 of a secret where people see it. */
export const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Base64, as it is stored. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64');
}

/**
 * Headers of a delivery by Standard Webhooks 1.0.0: HMAC-SHA256 over id, moment and body. While a secret is replaced there
 * is a signature of each, so that the receiver may know either.
 */
export function signedHeaders(
  secrets: readonly string[],
  { id, at, body }: { readonly id: string; readonly at: Date; readonly body: string },
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret, 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
