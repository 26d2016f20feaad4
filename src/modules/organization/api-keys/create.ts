import { specificError } from '../../../domain/errors/errors.ts';
import { dayMs } from '../../../domain/time/period.ts';
import { type Caller, type Context, type Scope, scopes } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { type ApiKeyRow, mintKey } from './mint.ts';

export type NewKeyInput = {
  readonly name: string;
  /** Number of days until the key expires, in real time. If omitted, the key never expires. */
  readonly expiresInDays?: number | null | undefined;
  /**
   * Scopes of the key, without duplicates. Defaults to the scopes of the API key that sends the request, or to all scopes for members
   * (PLT-13).
   */
  readonly scopes?: readonly Scope[] | null | undefined;
};

/** Returns the scopes that a caller can grant. An API key can grant only its own scopes. */
const grantable = (caller: Caller): readonly Scope[] =>
  caller.kind === 'key' ? scopes.filter((scope) => caller.scopes.includes(scope)) : scopes;

/** Returns a new key's scopes in canonical order. Throws `forbidden` if the calling key lacks a requested scope. */
function grantedScopes(caller: Caller, wanted: readonly Scope[] | null | undefined): readonly Scope[] {
  if (caller.kind === 'key' && caller.policy !== undefined) throw specificError('forbidden', 'policy_keys');
  const own = grantable(caller);
  if (!wanted) return own;
  const missing = wanted.find((scope) => !own.includes(scope));
  if (missing !== undefined)
    throw specificError('forbidden', 'wider_scope', { values: { scope: missing }, param: 'scopes' });
  return own.filter((scope) => wanted.includes(scope));
}

/**
 * Creates an API key in the caller's environment. The returned key is the only one that contains the secret (PLT-10). Doesn't send an
 * event. Throws `forbidden` if the calling key lacks a requested scope.
 */
export const createApiKey = (
  ctx: Context,
  input: NewKeyInput,
): Promise<ApiKeyRow & { readonly apiKey: string }> =>
  // API keys don't depend on the environment's time, so the test clock isn't locked.
  inTransaction(
    ctx,
    async ({ transaction, environment, wall, caller }) => {
      const now = wall.now();
      const minted = await mintKey(
        transaction,
        environment,
        {
          name: input.name,
          scopes: grantedScopes(caller, input.scopes),
          expiresAt: input.expiresInDays ? new Date(now.getTime() + input.expiresInDays * dayMs) : null,
        },
        now,
      );
      if (minted === null) throw new Error('A random secret was drawn twice.');
      return { ...minted.key, apiKey: minted.secret };
    },
    { clockLock: 'none' },
  );
