import { type Context, type Scope, scopes } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import type { DeletedShape } from '../../graphql/deleted.ts';
import { keyTopic } from '../../infra/credentials.ts';
import { inTransaction } from '../../transaction.ts';
import { type ApiKeyRow, mintKey } from './mint.ts';

const dayMs = 86_400_000;

/** What a creating call says of a key. */
export type NewKeyInput = {
  readonly name: string;
  /** Whole days from now on the machine's clock; without it the key never expires. */
  readonly expiresInDays?: number | null | undefined;
  /** Each scope counts once; all of them unless told (PLT-13). */
  readonly scopes?: readonly Scope[] | null | undefined;
};

/** Makes a key of the caller's environment and answers it with its secret, this one time (PLT-10). Sends no event. */
export const createApiKey = (context: Context, input: NewKeyInput): Promise<ApiKeyRow & { readonly apiKey: string }> =>
  // A key has no business time, so the test clock is not held up by making one.
  inTransaction(
    context,
    async ({ transaction, environment, wall }) => {
      if (transaction === null) throw new Error('A key is made in a transaction.');
      const now = wall.now();
      const wanted = input.scopes;
      const minted = await mintKey(
        transaction,
        environment,
        {
          name: input.name,
          scopes: wanted ? scopes.filter((scope) => wanted.includes(scope)) : scopes,
          expiresAt: input.expiresInDays ? new Date(now.getTime() + input.expiresInDays * dayMs) : null,
        },
        now,
      );
      if (minted === null) throw new Error('A random secret was drawn twice.');
      return { ...minted.key, apiKey: minted.secret };
    },
    { clockLock: 'none' },
  );

/** Revokes a key at once and for good; a key may revoke itself (PLT-14). Throws `api_key_not_found`. */
export const deleteApiKey = (context: Context, id: string): Promise<DeletedShape> =>
  inTransaction(
    context,
    async ({ db, transaction, environment, app }) => {
      if (transaction === null) throw new Error('A key is deleted in a transaction.');
      const { count } = await db.apiKey.deleteMany({ where: { id } });
      if (count === 0) throw new QuittanceError('api_key_not_found', 'No such API key.', { param: 'id' });
      await transaction.prisma.apiKeyHash.deleteMany({ where: { environmentId: environment.id, apiKeyId: id } });
      transaction.afterCommit(() => app.pubsub.hint(keyTopic(id)));
      return { id, object: 'api_key' };
    },
    { clockLock: 'none' },
  );
