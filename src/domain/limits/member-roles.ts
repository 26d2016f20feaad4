// Roles of organization members (PLT-6). Ranked roles include each other. Limited roles have a part of a member's permissions.
import { includesPermission, permissionFor, type Scope } from './permissions.ts';

/** Ranked roles, from the fewest permissions to the most. */
export const roles = ['member', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

/** Roles with a part of a member's permissions. */
export const limitedRoles = ['read_only', 'support', 'finance'] as const;
export type LimitedRole = (typeof limitedRoles)[number];

/** All roles that a member can have. */
export const memberRoles = [...limitedRoles, ...roles] as const;
export type MemberRole = (typeof memberRoles)[number];

export const isLimited = (role: MemberRole): role is LimitedRole =>
  (limitedRoles as readonly string[]).includes(role);

/** Returns true if a role has at least the permissions of the ranked role `least`. Limited roles never do. */
export const hasRole = (role: MemberRole, least: string): boolean =>
  !isLimited(role) && roles.indexOf(role) >= (roles as readonly string[]).indexOf(least);

/** Operation that a member calls: its area, and its name if it's a mutation. */
export type CalledOperation = { readonly area: string | null; readonly mutation: string | null };

type Grant = {
  /** Permissions for reading. */
  readonly reads: readonly string[];
  /** Permissions for mutations. */
  readonly writes: readonly string[];
  /** Mutations in addition to `writes`. */
  readonly also?: readonly string[];
  /** Mutations that `writes` doesn't include. */
  readonly except?: readonly string[];
};

/** Mutations that give a customer money, credit, or balance without a payment. */
const givingAway = [
  'customerCreditCreate',
  'customerCreditRevoke',
  'lotExpirySet',
  'lotGrant',
  'lotRevoke',
  'subscriptionBalanceAdjust',
];

const grants: Readonly<Record<LimitedRole, Grant>> = {
  read_only: { reads: ['*:read', '*:finance'], writes: [] },
  support: {
    // Everything except payouts and the balance.
    reads: ['*:read', 'catalog:finance', 'metrics:finance', 'subscriptions:finance'],
    writes: ['customers:write', 'subscriptions:write', 'usage:write'],
    also: ['invoiceSend', 'portalSessionCreate'],
    except: givingAway,
  },
  finance: {
    reads: ['*:read', '*:finance'],
    writes: ['invoices:write', 'payments:write', 'payments:finance', 'exports:write'],
    also: ['invoiceSend', ...givingAway],
  },
};

/** Returns true if a limited role can read data of an area that requires a scope. */
export const mayRead = (role: LimitedRole, scope: string, area: string | null): boolean =>
  includesPermission(grants[role].reads, permissionFor(area, scope));

/** Returns true if a limited role has a scope for an operation. */
export function hasRoleScope(role: LimitedRole, scope: Scope, { area, mutation }: CalledOperation): boolean {
  if (mutation === null || scope === 'read') return mayRead(role, scope, area);
  const { writes, also = [], except = [] } = grants[role];
  if (also.includes(mutation)) return true;
  return !except.includes(mutation) && writes.includes(permissionFor(area, scope));
}
