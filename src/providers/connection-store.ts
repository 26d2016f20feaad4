import type { Query } from '../platform/db/pool.ts';
import type { Secrets } from '../platform/secrets.ts';

/** What a gateway needs to speak for an organization. */
export type Credentials = { readonly secretKey: string; readonly webhookSecret: string | null };

/** The credentials of a connection, opened; null when there is none of that id. Its key may have been replaced since the last call. */
export async function findCredentials(
  query: Query,
  secrets: Pick<Secrets, 'decrypt'>,
  environmentId: string,
  connectionId: string,
): Promise<Credentials | null> {
  const [row] = await query<{ secretKey: string; webhookSecret: string | null }>(
    `SELECT "secretKey", "webhookSecret" FROM "PaymentConnection" WHERE "environmentId" = $1 AND id = $2`,
    [environmentId, connectionId],
  );
  if (row === undefined) return null;
  const { secretKey, webhookSecret } = row;
  return {
    secretKey: secrets.decrypt(secretKey),
    webhookSecret: webhookSecret === null ? null : secrets.decrypt(webhookSecret),
  };
}

/** The method an attempt charged, as the gateway knows it; null for one that was not made over a network. */
export async function findAttemptMethod(
  query: Query,
  environmentId: string,
  attemptId: string,
): Promise<string | null> {
  const [row] = await query<{ reference: string }>(
    `SELECT request->>'methodReference' AS reference FROM "ChargeAttempt" WHERE "environmentId" = $1 AND id = $2`,
    [environmentId, attemptId],
  );
  return row?.reference ?? null;
}

/** The ids of all connections of an environment, oldest first. */
export async function findConnectionIds(query: Query, environmentId: string): Promise<string[]> {
  const rows = await query<{ id: string }>(
    `SELECT id FROM "PaymentConnection" WHERE "environmentId" = $1 ORDER BY seq`,
    [environmentId],
  );
  return rows.map(({ id }) => id);
}
