import type { Query } from '../platform/db/pool.ts';
import type { Secrets } from '../platform/secrets.ts';

/** Decrypted credentials of an organization's account at a payment provider. */
export type Credentials = { readonly secretKey: string; readonly webhookSecret: string | null };

/**
 * Returns the decrypted credentials of a connection. `null` if the connection doesn't exist. Not cached, because the key can be replaced at any time.
 */
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

/** Returns the provider's reference to the payment method that an attempt charged. `null` if no external provider was used. */
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

/** Returns the IDs of all connections in an environment, oldest first. */
export async function findConnectionIds(query: Query, environmentId: string): Promise<string[]> {
  const rows = await query<{ id: string }>(
    `SELECT id FROM "PaymentConnection" WHERE "environmentId" = $1 ORDER BY seq`,
    [environmentId],
  );
  return rows.map(({ id }) => id);
}
