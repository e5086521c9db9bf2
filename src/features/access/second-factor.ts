import { createHash, randomBytes } from 'node:crypto';
import { reject } from '../../accounting/problem.ts';
import type { Config } from '../../platform/config.ts';
import type { Context } from '../../platform/context.ts';
import { base32, otpauthUri, stepOfCode } from '../../platform/totp.ts';
import { recordAudit } from './audit.sql.ts';
import type { LocalUser } from './credentials.sql.ts';
import { ELEVATION } from './elevation-reasons.ts';
import { deleteTotp, saveTotp, selectTotp, takeRecoveryCode, takeStep } from './second-factor.sql.ts';
import type { UserRow } from './users.read.sql.ts';
import { endTokens } from './users.sql.ts';
import { readUser } from './users.ts';

const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;

/** Shown once, to whoever enrols. */
export interface Enrolment {
  readonly secret: string;
  readonly uri: string;
  readonly recoveryCodes: readonly string[];
}

/** A second factor for the user, in force from the first sign-in with a right code on. */
export async function enrol(context: Context, config: Config, user: LocalUser): Promise<Enrolment> {
  if (config.adminMfa === 'off' || !user.admin) reject('MFA_NOT_OFFERED');
  const secret = randomBytes(SECRET_BYTES);
  const recoveryCodes = Array.from({ length: RECOVERY_CODES }, () => base32(randomBytes(RECOVERY_BYTES)));
  await context.elevated(ELEVATION.signIn, (system) =>
    system.transaction(async (sql) => {
      const saved = await saveTotp(sql, user.id, secret.toString('base64'), recoveryCodes.map(hashOf));
      if (!saved) reject('MFA_ALREADY_ENROLLED');
      const caller = { id: user.id, username: user.username, admin: user.admin };
      await recordAudit(sql, { ...context, caller }, { action: 'ENROL_MFA', entity: 'user', entityId: user.id });
    }),
  );
  return { secret: base32(secret), uri: otpauthUri(secret, user.username, 'Partidas'), recoveryCodes };
}

export type SecondFactor = 'PASSED' | 'CODE_MISSING' | 'WRONG_CODE' | 'NOT_ENROLLED';

/** Checks the code of a user whose password was right. An enrolment without any right code yet requests none. */
export async function checkSecondFactor(
  context: Context,
  config: Config,
  user: LocalUser,
  code: string | undefined,
): Promise<SecondFactor> {
  if (config.adminMfa === 'off') return 'PASSED';
  const held = await context.elevated(ELEVATION.signIn, (system) => selectTotp(system, user.id));
  const isRequired = config.adminMfa === 'required' && user.admin;
  if (!held) return isRequired ? 'NOT_ENROLLED' : 'PASSED';
  if (code === undefined) return isRequired || held.confirmedAt ? 'CODE_MISSING' : 'PASSED';
  const step = stepOfCode(Buffer.from(held.secret, 'base64'), code, context.now());
  const isTaken = await context.elevated(ELEVATION.signIn, (system) =>
    step === undefined
      ? takeRecoveryCode(system, user.id, hashOf(code))
      : takeStep(system, user.id, { secret: held.secret, step, at: context.now() }),
  );
  return isTaken ? 'PASSED' : 'WRONG_CODE';
}

/** For a user whose device is lost; the tokens end too. The user's own token is not enough to remove the factor. */
export async function resetSecondFactor(context: Context, id: number): Promise<UserRow> {
  if (id === context.caller.id) reject('MFA_OWN_RESET');
  const user = await context.elevated(ELEVATION.userRights, (system) =>
    system.transaction(async (sql) => {
      const found = await readUser(sql, id);
      if (await deleteTotp(sql, id)) {
        await endTokens(sql, id);
        await recordAudit(sql, context, { action: 'RESET_MFA', entity: 'user', entityId: id });
      }
      return found;
    }),
  );
  context.rightsChanged();
  return user;
}

/** Eighty random bits cannot be guessed, however cheap the hash. */
function hashOf(code: string): string {
  return createHash('sha256').update(code.trim().toUpperCase()).digest('base64url');
}
