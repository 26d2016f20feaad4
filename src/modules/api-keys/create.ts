import { type Context, type Scope, scopes } from '../../context.ts';
import { inTransaction } from '../../transaction.ts';
import { type ApiKeyRow, mintKey } from './mint.ts';

const dayMs = 86_400_000;

/** What a creating call says of a key. */
export type NewKeyInput = {
  readonly name: string;
  /** Whole days from now on the machine's clock; without it the key never expires. */
  readonly expiresInDays?: number | null | undefined;
  /** Each scope counts once; all of them by default (PLT-13). */
  readonly scopes?: readonly Scope[] | null | undefined;
};

/** Makes a key of the caller's environment and answers it with its secret, this one time (PLT-10). Sends no event. */
export const createApiKey = (
  ctx: Context,
  input: NewKeyInput,
): Promise<ApiKeyRow & { readonly apiKey: string }> =>
  // A key has no business time, so the test clock is not held up by making one.
  inTransaction(
    ctx,
    async ({ transaction, environment, wall }) => {
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
