import { specificError, validationError } from '../../../domain/errors/errors.ts';
import {
  allPermissions,
  missingPermission,
  permissionFor,
  permissionsOf,
  type Scope,
  scopes,
  scopesIn,
} from '../../../domain/limits/permissions.ts';
import { dayMs } from '../../../domain/time/period.ts';
import type { Caller, Context } from '../../../request/context.ts';
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
  /** Permissions by area. Can't be combined with scopes. */
  readonly permissions?: readonly string[] | null | undefined;
};

/** Scopes and permissions of a key. The permissions are empty if the scopes apply to all areas. */
type Grant = { readonly scopes: readonly Scope[]; readonly permissions: readonly string[] };

/** Returns a grant with permissions in canonical order. */
export function grantOf(permissions: readonly string[]): Grant {
  const ordered = allPermissions.filter((permission) => permissions.includes(permission));
  const granted = scopesIn(ordered);
  const isPlain = ordered.every((permission) => permission.startsWith('*:'));
  return { scopes: granted, permissions: isPlain ? [] : ordered };
}

/** Throws `validation_error` if a permission doesn't exist. */
export function requireKnown(permissions: readonly string[]): void {
  const known = allPermissions;
  const unknown = permissions.find((permission) => !known.includes(permission));
  if (unknown !== undefined)
    throw validationError([
      {
        field: 'permissions',
        message: `contains an unknown permission: ${unknown}. Use an area and a scope`,
      },
    ]);
}

/**
 * Returns the scopes and permissions of a new key. Defaults to the permissions of the calling key, or to all permissions if a member creates the
 * key. Throws `validation_error` if a permission doesn't exist, and `forbidden` if the calling key lacks a permission or has a policy.
 */
function granted(caller: Caller, { scopes: wantedScopes, permissions: wanted }: NewKeyInput): Grant {
  if (caller.kind === 'key' && caller.policy !== undefined) throw specificError('forbidden', 'policy_keys');
  if (wantedScopes && wanted)
    throw validationError([{ field: 'permissions', message: "can't be combined with `scopes`" }]);
  const own = caller.kind === 'key' ? permissionsOf(caller) : permissionsOf({ scopes });
  if (wanted) {
    requireKnown(wanted);
    const permission = missingPermission(wanted, own);
    if (permission !== null)
      throw specificError('forbidden', 'wider_permission', { values: { permission }, param: 'permissions' });
    return grantOf(wanted);
  }
  if (!wantedScopes) return grantOf(own);
  const scope = wantedScopes.find((each) => missingPermission([permissionFor(null, each)], own) !== null);
  if (scope !== undefined)
    throw specificError('forbidden', 'wider_scope', { values: { scope }, param: 'scopes' });
  return grantOf(permissionsOf({ scopes: wantedScopes }));
}

/**
 * Creates an API key in the caller's environment. The returned key is the only one that contains the secret (PLT-10). Doesn't send an
 * event. Throws `forbidden` if the calling key lacks a requested permission.
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
          ...granted(caller, input),
          expiresAt: input.expiresInDays ? new Date(now.getTime() + input.expiresInDays * dayMs) : null,
        },
        now,
      );
      if (minted === null) throw new Error('A random secret was drawn twice.');
      return { ...minted.key, apiKey: minted.secret };
    },
    { clockLock: 'none' },
  );
