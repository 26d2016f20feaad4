import type { PolicyAmounts } from '../../../domain/limits/key-policy.ts';
import type { KeyPresetName } from '../../../domain/limits/preset-scopes.ts';
import type { Query } from '../../../platform/db/pool.ts';

/** Authorization code. `apiKeyId` is `null` before the exchange. */
export type StoredCode = {
  readonly clientHash: string;
  readonly clientName: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly memberId: string;
  readonly keyEnvironmentId: string;
  readonly preset: KeyPresetName;
  /** Permissions that the API key keeps. Empty if the scopes of the preset apply to all areas. */
  readonly permissions: readonly string[];
  readonly limits: PolicyAmounts;
  readonly apiKeyId: string | null;
};

/** Returns an authorization code that hasn't expired. */
export async function findCode(query: Query, codeHash: string, now: Date): Promise<StoredCode | null> {
  const [found] = await query<StoredCode>(
    `SELECT "clientHash", "clientName", "redirectUri", "codeChallenge", "memberId", "keyEnvironmentId", preset, permissions, limits, "apiKeyId"
     FROM "OAuthCode" WHERE "codeHash" = $1 AND "expiresAt" > $2`,
    [codeHash, now],
  );
  return found ?? null;
}

/** Marks an authorization code as exchanged for an API key. Returns `false` if the code was already exchanged. */
export async function takeCode(query: Query, codeHash: string, apiKeyId: string): Promise<boolean> {
  const taken = await query(
    'UPDATE "OAuthCode" SET "apiKeyId" = $2 WHERE "codeHash" = $1 AND "apiKeyId" IS NULL RETURNING 1',
    [codeHash, apiKeyId],
  );
  return taken.length > 0;
}

/** Refresh token of a connected app. */
export type StoredRefreshToken = {
  readonly clientHash: string;
  readonly keyEnvironmentId: string;
  readonly apiKeyId: string;
  readonly usedAt: Date | null;
};

/** Returns a refresh token that hasn't expired. */
export async function findRefreshToken(
  query: Query,
  tokenHash: string,
  now: Date,
): Promise<StoredRefreshToken | null> {
  const [found] = await query<StoredRefreshToken>(
    'SELECT "clientHash", "keyEnvironmentId", "apiKeyId", "usedAt" FROM "OAuthRefreshToken" WHERE "tokenHash" = $1 AND "expiresAt" > $2',
    [tokenHash, now],
  );
  return found ?? null;
}

/** Records the first use of a refresh token. */
export async function noteRefresh(query: Query, tokenHash: string, now: Date): Promise<void> {
  await query('UPDATE "OAuthRefreshToken" SET "usedAt" = COALESCE("usedAt", $2) WHERE "tokenHash" = $1', [
    tokenHash,
    now,
  ]);
}

/** API key of a token. */
export type TokenKey = { readonly environmentId: string; readonly apiKeyId: string };

/** Returns the API key of an access token. `null` if the hash belongs to the secret of an API key. */
export async function findAccessToken(query: Query, hash: string): Promise<TokenKey | null> {
  const [found] = await query<TokenKey>(
    'SELECT "environmentId", "apiKeyId" FROM "ApiKeyHash" WHERE hash = $1 AND "expiresAt" IS NOT NULL',
    [hash],
  );
  return found ?? null;
}

/** Extends the API key of a connection. Returns `false` if the key doesn't exist or has expired. */
export async function prolongKey(
  query: Query,
  { environmentId, apiKeyId }: TokenKey,
  expiresAt: Date,
  now: Date,
): Promise<boolean> {
  const prolonged = await query(
    'UPDATE "ApiKey" SET "expiresAt" = $3 WHERE "environmentId" = $1 AND id = $2 AND "expiresAt" > $4 RETURNING 1',
    [environmentId, apiKeyId, expiresAt, now],
  );
  return prolonged.length > 0;
}
