import type { KeyPresetName } from '../../../domain/limits/preset-scopes.ts';
import type { Query } from '../../../platform/db/pool.ts';

/** Sign-in that waits for the decision of a member. */
export type PendingLogin = {
  readonly machineName: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
};

/** Approval of a sign-in by a member. */
export type LoginApproval = {
  readonly memberId: string;
  readonly keyEnvironmentId: string;
  readonly preset: KeyPresetName;
};

/** State of a sign-in at a request of the command line. Fields of the approval are `null` unless a member approved the sign-in. */
export type PolledLogin = { readonly [field in keyof LoginApproval]: LoginApproval[field] | null } & {
  readonly deniedAt: Date | null;
};

const open = `"userCodeHash" = $1 AND "expiresAt" > $2 AND "memberId" IS NULL AND "deniedAt" IS NULL`;
const shown = '"machineName", "createdAt", "expiresAt"';

/** Returns the sign-in with the code. `null` if it doesn't exist, has expired, or was decided. */
export async function findPending(
  query: Query,
  userCodeHash: string,
  now: Date,
): Promise<PendingLogin | null> {
  const [found] = await query<PendingLogin>(`SELECT ${shown} FROM "DeviceLogin" WHERE ${open}`, [
    userCodeHash,
    now,
  ]);
  return found ?? null;
}

/** Approves a pending sign-in. Returns `null` if it doesn't exist, has expired, or was decided. The first of concurrent decisions applies. */
export async function storeApproval(
  query: Query,
  userCodeHash: string,
  { memberId, keyEnvironmentId, preset }: LoginApproval,
  now: Date,
): Promise<PendingLogin | null> {
  const [approved] = await query<PendingLogin>(
    `UPDATE "DeviceLogin" SET "memberId" = $3, "keyEnvironmentId" = $4, preset = $5 WHERE ${open} RETURNING ${shown}`,
    [userCodeHash, now, memberId, keyEnvironmentId, preset],
  );
  return approved ?? null;
}

/** Denies a pending sign-in. Returns `null` if it doesn't exist, has expired, or was decided. */
export async function storeDenial(
  query: Query,
  userCodeHash: string,
  now: Date,
): Promise<PendingLogin | null> {
  const [denied] = await query<PendingLogin>(
    `UPDATE "DeviceLogin" SET "deniedAt" = $2 WHERE ${open} RETURNING ${shown}`,
    [userCodeHash, now],
  );
  return denied ?? null;
}

/**
 * Records a request of the command line, and returns the state of the sign-in. Returns `too_fast` if the previous request was made after
 * `earliest`, and `null` if the sign-in doesn't exist or has expired.
 */
export async function notePoll(
  query: Query,
  deviceCodeHash: string,
  now: Date,
  earliest: Date,
): Promise<PolledLogin | 'too_fast' | null> {
  const [polled] = await query<PolledLogin>(
    `UPDATE "DeviceLogin" SET "polledAt" = $2
     WHERE "deviceCodeHash" = $1 AND "expiresAt" > $2 AND ("polledAt" IS NULL OR "polledAt" <= $3)
     RETURNING "memberId", "keyEnvironmentId", preset, "deniedAt"`,
    [deviceCodeHash, now, earliest],
  );
  if (polled !== undefined) return polled;
  const known = await query('SELECT 1 FROM "DeviceLogin" WHERE "deviceCodeHash" = $1 AND "expiresAt" > $2', [
    deviceCodeHash,
    now,
  ]);
  return known.length > 0 ? 'too_fast' : null;
}

/** Deletes an approved sign-in, and returns the name of its machine. `null` if it was already deleted. */
export async function takeApproved(query: Query, deviceCodeHash: string): Promise<string | null> {
  const [taken] = await query<{ machineName: string }>(
    'DELETE FROM "DeviceLogin" WHERE "deviceCodeHash" = $1 AND "memberId" IS NOT NULL RETURNING "machineName"',
    [deviceCodeHash],
  );
  return taken?.machineName ?? null;
}

/** Returns true if the member belongs to the organization, and may create API keys. */
export async function mayCreateKeys(
  query: Query,
  memberId: string,
  organizationId: string,
): Promise<boolean> {
  const found = await query(
    `SELECT 1 FROM "Member" WHERE id = $1 AND "organizationId" = $2 AND role IN ('owner', 'admin')`,
    [memberId, organizationId],
  );
  return found.length > 0;
}
