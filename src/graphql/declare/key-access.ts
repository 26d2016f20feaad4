import { type QuittanceError, specificError } from '../../domain/errors/errors.ts';
import type { CalledOperation, LimitedRole, Role } from '../../domain/limits/member-roles.ts';
import { type Area, hasScope, permissionFor, type Scope } from '../../domain/limits/permissions.ts';
import type { Caller, Page } from '../../request/context.ts';

// Access that operations declare, and the scopes and permissions of API keys.

/**
 * Access that a root field requires, over GraphQL and REST. - `scope`: API keys need all listed scopes. Members need
 * `role`, which defaults to `admin` for shared settings and API keys, otherwise to `member`. - `proof`: requires a
 * sign-in or password check in the last 15 minutes. Applies to members in the live environment, and always to `person`
 * fields. - `also`: limited role that has access in addition to `role`. Other limited roles have access only if
 * `role` is `member`. - `environment`: limits calls to one environment. Other calls fail with `sandbox_only` or `forbidden`. -
 * `settings`: changes settings that both environments share. Sandbox keys are rejected; admins can change them in both
 * environments (PLT-4a). - `page`: requires the token for a hosted page, as a bearer token or in the argument or input
 * field `token`. An API key in the same request is ignored. `countedIn` applies a rate limit by IP address to visitors
 * to pages with public URLs. - `member`, `person`, and `authenticated`: for members with this role (`any` includes limited roles), for all signed-in
 * people, or for all members, people, and API keys. - `anonymous`: public. `isKeyed` requires an `Idempotency-Key` (a
 * UUID) and limits callers by IP address. `countedIn` applies another rate limit by IP address.
 */
export type Access =
  | ScopeAccess
  | { readonly member: Role | 'any'; readonly environment?: 'live'; readonly proof?: true }
  | PersonAccess
  | { readonly authenticated: true }
  | { readonly page: Page; readonly countedIn?: 'purchases' }
  | { readonly anonymous: true; readonly isKeyed?: true; readonly countedIn?: 'password' };

/** Access for all signed-in users. `proof` requires a sign-in in the last 15 minutes. */
export type PersonAccess = { readonly person: true; readonly proof?: true };

/** Access for API keys by scope, and for members by role. */
export type ScopeAccess = {
  /** Required scope. If several scopes are listed, all of them are required. */
  readonly scope: Scope | readonly Scope[];
  readonly environment?: 'live' | 'sandbox';
  readonly role?: Role;
  readonly also?: LimitedRole;
  readonly proof?: true;
  readonly settings?: true;
};

/** Returns all scopes that an API key needs for this access. */
export const scopesOf = ({ scope }: ScopeAccess): readonly Scope[] =>
  typeof scope === 'string' ? [scope] : scope;

export type Key = Extract<Caller, { kind: 'key' }>;

type Called = CalledOperation & { readonly area: Area | null };

/** Operations of the access of root fields. Each root field has its own object. */
const accessOperations = new WeakMap<Access, Called>();

const read: Called = { area: null, mutation: null };

/** Returns the operation of an access. Access without an operation is for reading. */
export const operationOf = (access: Access): Called => accessOperations.get(access) ?? read;

/**
 * Returns a copy of an access for an area. API keys with permissions need the scopes in this area. `mutation` is the name of the mutation,
 * or `null` if the operation only reads.
 */
export function accessIn<A extends Access>(area: Area | null, access: A, mutation: string | null = null): A {
  const own = { ...access };
  accessOperations.set(own, { area, mutation });
  return own;
}

/** Returns the first required scope that an API key lacks. Undefined if the key has all required scopes. */
export function lackingScope(access: ScopeAccess, key: Key): Scope | undefined {
  const { area } = operationOf(access);
  for (const scope of scopesOf(access)) if (!hasScope(key, scope, area)) return scope;
  return undefined;
}

/** Returns the error for a missing scope. Names the permission if the key has permissions. */
export function lacks({ permissions }: Key, scope: string, area: string | null): QuittanceError {
  if (permissions === undefined) return specificError('forbidden', 'scope', { values: { scope } });
  const permission = permissionFor(area, scope);
  return specificError('forbidden', 'permission', {
    values: { permission },
    details: { reason: 'permission', permission },
  });
}

/** Throws `forbidden` if an API key lacks a required scope. */
export function demandScopes(access: ScopeAccess, key: Key): void {
  const scope = lackingScope(access, key);
  if (scope !== undefined) throw lacks(key, scope, operationOf(access).area);
}
