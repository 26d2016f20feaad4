import { QuittanceError } from '../../../domain/errors/errors.ts';
import { narrowPolicy } from '../../../domain/limits/key-policy.ts';
import { keyPreset } from '../../../domain/limits/key-presets.ts';
import { dayMs } from '../../../domain/time/period.ts';
import type { Transaction } from '../../../platform/db/pool.ts';
import { newSecret } from '../../../platform/ids.ts';
import { hashSecret } from '../../../platform/secrets.ts';
import { type App, findSystemContext } from '../../../request/context.ts';
import { inTransaction, recordEvents } from '../../../request/transaction.ts';
import { grantOf } from '../api-keys/create.ts';
import { deleteApiKey } from '../api-keys/delete.ts';
import { mintKey } from '../api-keys/mint.ts';
import { mayCreateKeys } from '../device-logins/store.ts';
import { provesChallenge } from './rules.ts';
import { hashClientId } from './sign.ts';
import {
  findAccessToken,
  findCode,
  findRefreshToken,
  noteRefresh,
  prolongKey,
  type StoredCode,
  type TokenKey,
  takeCode,
} from './store.ts';

/** Validity period of an access token, in seconds. */
const accessS = 3_600;
/** Number of days until an unused refresh token and its API key expire. */
const refreshDays = 30;
/** Time for which a used refresh token works again, because the app may not have received the response. */
const repeatMs = 30_000;

/** Tokens of a connected app. */
export type Tokens = {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresInSeconds: number;
};

const endOf = (now: Date): Date => new Date(now.getTime() + refreshDays * dayMs);

/** Creates tokens of an API key. The access token is a second secret of the key. */
async function issueTokens(
  { prisma }: Transaction,
  { environmentId, apiKeyId }: TokenKey,
  clientHash: string,
  now: Date,
): Promise<Tokens> {
  const accessToken = newSecret('ck_oauth_');
  const refreshToken = newSecret('cr_oauth_');
  const expiresAt = new Date(now.getTime() + accessS * 1_000);
  await prisma.apiKeyHash.create({
    data: { hash: hashSecret(accessToken), environmentId, apiKeyId, expiresAt },
  });
  await prisma.oAuthRefreshToken.create({
    data: {
      tokenHash: hashSecret(refreshToken),
      clientHash,
      keyEnvironmentId: environmentId,
      apiKeyId,
      usedAt: null,
      expiresAt: endOf(now),
    },
  });
  return { accessToken, refreshToken, expiresInSeconds: accessS };
}

/** Ends a connection: deletes its API key, and with the key all access tokens. */
async function endConnection(
  app: App,
  requestId: string,
  { environmentId, apiKeyId }: TokenKey,
): Promise<void> {
  const system = await findSystemContext(app, environmentId, requestId);
  if (system === null) return;
  try {
    await deleteApiKey(system, apiKeyId);
  } catch (error) {
    if (!(error instanceof QuittanceError) || error.code !== 'api_key_not_found') throw error;
  }
}

/** Request for the tokens of an authorization code. */
export type Exchange = {
  readonly code: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly verifier: string;
};

/**
 * Exchanges an authorization code for tokens, and creates the API key of the connection. Concurrent requests create one key. A code that is
 * exchanged again ends the connection, because the code may have been stolen. `null` if the code or its proof is invalid, or if the member who
 * approved the connection may no longer create API keys.
 */
export async function exchangeCode(
  app: App,
  requestId: string,
  { code, clientId, redirectUri, verifier }: Exchange,
): Promise<Tokens | null> {
  const codeHash = hashSecret(code);
  const found = await findCode(app.database.query, codeHash, app.wall.now());
  if (
    found === null ||
    found.clientHash !== hashClientId(clientId) ||
    found.redirectUri !== redirectUri ||
    !provesChallenge(verifier, found.codeChallenge)
  )
    return null;
  const made = found.apiKeyId === null ? await createConnection(app, requestId, codeHash, found) : null;
  if (made !== null || found.apiKeyId === null) return made;
  const key = { environmentId: found.keyEnvironmentId, apiKeyId: found.apiKeyId };
  await endConnection(app, requestId, key);
  app.log.warn({ requestId, ...key }, 'An authorization code was used twice, and its connection was ended.');
  return null;
}

async function createConnection(
  app: App,
  requestId: string,
  codeHash: string,
  {
    keyEnvironmentId: environmentId,
    clientHash,
    clientName,
    memberId,
    preset,
    permissions,
    limits,
  }: StoredCode,
): Promise<Tokens | null> {
  const system = await findSystemContext(app, environmentId, requestId);
  const granted = system === null ? null : keyPreset(preset, system.livemode);
  if (system === null || granted === null) return null;
  const now = app.wall.now();
  const policy = narrowPolicy(granted.policy, limits);
  return inTransaction(
    system,
    async (tx) => {
      const { transaction, environment } = tx;
      if (!(await mayCreateKeys(transaction.query, memberId, environment.organizationId))) return null;
      const grant = permissions.length === 0 ? { scopes: granted.scopes } : grantOf(permissions);
      const options = { name: clientName, ...grant, policy, expiresAt: endOf(now) };
      // The secret of the key isn't returned, so that only access tokens can use the key.
      const minted = await mintKey(transaction, environment, options, now);
      if (minted === null) throw new Error('A random secret was drawn twice.');
      const apiKeyId = minted.key.id;
      if (!(await takeCode(transaction.query, codeHash, apiKeyId))) throw new CodeTakenError();
      await recordEvents(tx, [
        {
          kind: 'app.connected',
          occurredAt: tx.clock.now(),
          customerId: null,
          subscriptionId: null,
          data: { apiKeyId, name: clientName, preset, connectedBy: memberId },
        },
      ]);
      transaction.afterCommit(() =>
        app.log.info({ requestId, environmentId, memberId, apiKeyId }, 'An app was connected.'),
      );
      return issueTokens(transaction, { environmentId, apiKeyId }, clientHash, now);
    },
    { clockLock: 'none' },
  ).catch((error: unknown) => {
    if (error instanceof CodeTakenError) return null;
    throw error;
  });
}

/** Rolls back the exchange of a code that a concurrent request has exchanged. */
class CodeTakenError extends Error {
  override name = 'CodeTakenError';
}

/**
 * Issues new tokens for a refresh token, and extends the API key. A refresh token works once, and again within 30 seconds. A later use ends
 * the connection, because the token may have been stolen. `null` if the token is invalid or has expired, or if the API key doesn't exist.
 */
export async function refreshTokens(
  app: App,
  requestId: string,
  { refreshToken, clientId }: { readonly refreshToken: string; readonly clientId: string },
): Promise<Tokens | null> {
  const tokenHash = hashSecret(refreshToken);
  const now = app.wall.now();
  const found = await findRefreshToken(app.database.query, tokenHash, now);
  if (found === null || found.clientHash !== hashClientId(clientId)) return null;
  const { keyEnvironmentId: environmentId, apiKeyId, clientHash, usedAt } = found;
  const key = { environmentId, apiKeyId };
  const isRepeated = (first: Date): boolean => now.getTime() - first.getTime() > repeatMs;
  if (usedAt !== null && isRepeated(usedAt)) {
    await endConnection(app, requestId, key);
    app.log.warn({ requestId, ...key }, 'A refresh token was used twice, and its connection was ended.');
    return null;
  }
  const system = await findSystemContext(app, environmentId, requestId);
  if (system === null) return null;
  return inTransaction(
    system,
    async ({ transaction }) => {
      const { query } = transaction;
      if (!(await prolongKey(query, key, endOf(now), now))) return null;
      await noteRefresh(query, tokenHash, now);
      return issueTokens(transaction, key, clientHash, now);
    },
    { clockLock: 'none' },
  );
}

/** Ends the connection of an access token or a refresh token. Unknown tokens are ignored (RFC 7009). */
export async function revokeToken(app: App, requestId: string, token: string): Promise<void> {
  const { query } = app.database;
  const hash = hashSecret(token);
  const refresh = await findRefreshToken(query, hash, app.wall.now());
  const key =
    refresh === null
      ? await findAccessToken(query, hash)
      : { environmentId: refresh.keyEnvironmentId, apiKeyId: refresh.apiKeyId };
  if (key !== null) await endConnection(app, requestId, key);
}
