import type { KeyPolicy } from '../../../domain/limits/key-policy.ts';
import { type Scope, scopes } from '../../../domain/limits/permissions.ts';
import { takeNumbers } from '../../../outbox/write.ts';
import type { Transaction } from '../../../platform/db/pool.ts';
import type { Row } from '../../../platform/db/rows.ts';
import { tenantClient } from '../../../platform/db/tenant.ts';
import { newId, newSecret } from '../../../platform/ids.ts';
import { hashSecret } from '../../../platform/secrets.ts';

export type ApiKeyRow = Row<'ApiKey'>;

/** New API key with its secret. The database stores only a hash of the secret (PLT-10). */
export type MintedKey = { readonly key: ApiKeyRow; readonly secret: string };

/** Properties of a new key. A key without `expiresAt` never expires. */
export type KeyOptions = {
  readonly name: string;
  readonly scopes?: readonly Scope[];
  /** Permissions by area. By default, the scopes apply to all areas. */
  readonly permissions?: readonly string[];
  readonly expiresAt?: Date | null;
  /** Limits of the key. Defaults to no limits. */
  readonly policy?: KeyPolicy | null;
  /** Secret of the key. Defaults to a random secret with 256 bits. */
  readonly secret?: string;
};

/** Number of characters of the secret that are stored in plain text (PLT-11). */
const prefixLength = 18;

/** Returns a random secret with the environment's prefix (PLT-11). */
const newKeySecret = (livemode: boolean): string => newSecret(livemode ? 'ck_live_' : 'ck_sandbox_');

/**
 * Creates an API key inside an open transaction: the row in the environment, and the global row for lookups by hash. `now` is real time. If
 * another key already has the given secret, returns `null` and changes nothing. Waits for concurrent transactions that use the same secret.
 */
export async function mintKey(
  { prisma, query }: Transaction,
  environment: { readonly id: string; readonly livemode: boolean },
  options: KeyOptions,
  now: Date,
): Promise<MintedKey | null> {
  const secret = options.secret ?? newKeySecret(environment.livemode);
  const id = newId('key');
  const { count } = await prisma.apiKeyHash.createMany({
    data: [{ hash: hashSecret(secret), environmentId: environment.id, apiKeyId: id }],
    skipDuplicates: true,
  });
  if (count === 0) return null;
  const { seq } = await takeNumbers(query, environment.id, { seq: 1 });
  const key = await tenantClient(prisma, environment.id).apiKey.create({
    data: {
      id,
      seq,
      name: options.name,
      prefix: secret.slice(0, prefixLength),
      scopes: [...(options.scopes ?? scopes)],
      permissions: [...(options.permissions ?? [])],
      expiresAt: options.expiresAt ?? null,
      lastUsedAt: null,
      policy: options.policy ?? null,
      createdAt: now,
    },
  });
  return { key, secret };
}
