import type { Sql } from '../../platform/database/sql.ts';
import { SQL } from '../../platform/database/statement.ts';
import type { RoutineCode } from './access.ts';

/** What only machines have. */
export interface MachineFields {
  readonly networks: readonly string[];
  readonly routines: readonly RoutineCode[];
}

export async function saveMachineFields(sql: Sql, id: number, { networks, routines }: MachineFields): Promise<void> {
  await sql.run(SQL`
    INSERT INTO service_account (user_id, networks, routines) VALUES (${id}, ${networks}::text[], ${routines}::text[])
    ON CONFLICT (user_id) DO UPDATE SET networks = EXCLUDED.networks, routines = EXCLUDED.routines`);
}

export interface NewSecret {
  readonly hash: Buffer;
  readonly description: string | undefined;
  readonly createdAt: Date;
  readonly expiresAt: Date | undefined;
}

export async function insertSecret(sql: Sql, accountId: number, secret: NewSecret): Promise<number> {
  const { id } = await sql.one<{ id: number }>(SQL`
    INSERT INTO service_secret (user_id, secret_hash, description, created_at, expires_at)
    VALUES (${accountId}, ${secret.hash}, ${secret.description ?? null}, ${secret.createdAt}, ${secret.expiresAt ?? null})
    RETURNING service_secret.id`);
  return id;
}

/** Whether the account had it. */
export async function deleteSecret(sql: Sql, accountId: number, id: number): Promise<boolean> {
  const deleted = await sql.run(SQL`
    DELETE FROM service_secret WHERE service_secret.user_id = ${accountId} AND service_secret.id = ${id}`);
  return deleted === 1;
}

/** Written once a minute at most: a machine may ask for a token with each of its requests. */
export async function touchSecret(sql: Sql, id: number, at: Date): Promise<void> {
  await sql.run(SQL.named('touch-secret')`
    UPDATE service_secret SET last_used_at = ${at}
     WHERE service_secret.id = ${id}
       AND (service_secret.last_used_at IS NULL OR service_secret.last_used_at < ${at}::timestamptz - interval '1 minute')`);
}

export interface Client {
  readonly id: number;
  readonly username: string;
  readonly active: boolean;
  readonly expiresAt: Date | null;
  readonly networks: readonly string[];
  readonly secrets: readonly {
    readonly id: number;
    /** Base64. */
    readonly hash: string;
    readonly isExpired: boolean;
  }[];
}

/** Who asks for a token, by the client id. */
export function selectClient(sql: Sql, clientId: string, now: Date): Promise<Client | undefined> {
  return sql.maybe<Client>(SQL.named('client')`
    SELECT app_user.id, app_user.username, app_user.active, app_user.expires_at AS "expiresAt", service_account.networks,
           coalesce((SELECT jsonb_agg(jsonb_build_object('id', service_secret.id,
                                        'hash', encode(service_secret.secret_hash, 'base64'),
                                        'isExpired', coalesce(service_secret.expires_at <= ${now}, false)))
                       FROM service_secret WHERE service_secret.user_id = app_user.id), '[]') AS secrets
      FROM app_user JOIN service_account ON service_account.user_id = app_user.id
     WHERE app_user.username_key = username_key(${clientId}) AND app_user.kind = 'SERVICE'`);
}
