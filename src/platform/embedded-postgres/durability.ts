import { StartError } from '../config.ts';

/** Throws for a server that would lose acknowledged entries at a power failure. */
export async function assertDurable(client: SettingsReader): Promise<void> {
  const { rows } = await client.query(
    `SELECT pg_settings.name FROM pg_settings
      WHERE pg_settings.name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND pg_settings.setting = 'off'
      ORDER BY pg_settings.name`,
  );
  if (rows.length === 0) return;
  const names = rows.map((row) => row.name).join(', ');
  throw new StartError(`the database is not durable: turn on ${names} in PostgreSQL's settings`);
}

/** Any connection or pool of the driver. */
export interface SettingsReader {
  query(text: string): Promise<{ rows: { name: string }[] }>;
}
