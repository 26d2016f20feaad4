import { type Scope, scopes } from '../../context.ts';
import { takeNumbers } from '../../outbox/write.ts';
import type { Transaction } from '../../platform/db/pool.ts';
import type { Row } from '../../platform/db/rows.ts';
import { tenantClient } from '../../platform/db/tenant.ts';
import { newId, newSecret } from '../../platform/ids.ts';
import { hashSecret } from '../../platform/secrets.ts';

export type ApiKeyRow = Row<'ApiKey'>;

/** A key together with its secret, which exists in this answer only: the database holds its hash (PLT-10). */
export type MintedKey = { readonly key: ApiKeyRow; readonly secret: string };

/** What a new key is to be; a null `expiresAt` never expires. */
export type KeyWish = {
  readonly name: string;
  readonly scopes?: readonly Scope[];
  readonly expiresAt?: Date | null;
  /** A secret that was chosen elsewhere; a random one of 256 bits unless given. */
  readonly secret?: string;
};

/** How many characters of the secret stay readable (PLT-11). */
const prefixLength = 18;

/** A random secret in the form its environment is recognized by (PLT-11). */
export const newKeySecret = (livemode: boolean): string => newSecret(livemode ? 'ck_live_' : 'ck_sandbox_');

/**
 * Makes a key of the environment inside an open transaction: the key's row and the global row its hash is looked up in.
 * `now` is operational time. Answers null, and writes nothing, when another key has the given secret already; a rival that is about to
 * use it is waited for.
 */
export async function mintKey(
  { prisma, query }: Transaction,
  environment: { readonly id: string; readonly livemode: boolean },
  wish: KeyWish,
  now: Date,
): Promise<MintedKey | null> {
  const secret = wish.secret ?? newKeySecret(environment.livemode);
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
      name: wish.name,
      prefix: secret.slice(0, prefixLength),
      scopes: [...(wish.scopes ?? scopes)],
      expiresAt: wish.expiresAt ?? null,
      lastUsedAt: null,
      createdAt: now,
    },
  });
  return { key, secret };
}
