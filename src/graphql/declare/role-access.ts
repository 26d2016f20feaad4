import { type QuittanceError, specificError } from '../../domain/errors/errors.ts';
import {
  hasRole,
  hasRoleScope,
  isLimited,
  type MemberRole,
  type Role,
} from '../../domain/limits/member-roles.ts';
import { type Access, operationOf, type ScopeAccess, scopesOf } from './key-access.ts';

// Access of members by role.

/** Returns the minimum role that a member needs. Defaults to `admin` for shared settings and API keys. */
export const roleOf = (access: ScopeAccess): Role =>
  access.role ?? (access.settings === true || scopesOf(access).includes('keys') ? 'admin' : 'member');

/** Returns the error for a role without access. `least` is the ranked role that has access. */
export const lacksRole = (role: MemberRole, least: Role): QuittanceError =>
  isLimited(role)
    ? specificError('forbidden', 'limited_role', { values: { role } })
    : specificError('forbidden', 'role', { values: { role: least } });

/** True if a role covers an access: a sufficient rank, or a limited role with the scopes. */
export function coversRole(access: ScopeAccess, role: MemberRole): boolean {
  const least = roleOf(access);
  if (!isLimited(role)) return hasRole(role, least);
  if (least !== 'member' && access.also !== role) return false;
  const operation = operationOf(access);
  return scopesOf(access).every((scope) => hasRoleScope(role, scope, operation));
}

/** True if members with a role can call an operation. */
export const isOpenToRole = (access: Access, role: MemberRole): boolean =>
  'scope' in access
    ? coversRole(access, role)
    : !('member' in access) || access.member === 'any' || hasRole(role, access.member);

/** Returns the lowest role of members with this access. */
export const leastRoleOf = (access: Access): Role =>
  'scope' in access
    ? roleOf(access)
    : 'member' in access && access.member !== 'any'
      ? access.member
      : 'member';
