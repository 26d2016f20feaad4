// Permissions of API keys (AGT-70). A permission is an area and a scope, such as `usage:write`. The area `*` stands for all areas.

/** Scopes that an API key can have (PLT-13). */
export const scopes = ['read', 'write', 'finance', 'keys'] as const;
export type Scope = (typeof scopes)[number];

/** Areas of the product, which are also the names of toolsets. Each area is a folder of `src/modules`. */
export const areas = [
  'organization',
  'catalog',
  'customers',
  'subscriptions',
  'usage',
  'invoices',
  'payments',
  'messages',
  'metrics',
  'exports',
  'pages',
  'sandbox',
] as const;

export type Area = (typeof areas)[number];

/** Area that stands for all areas. */
const everywhere = '*';

/** Scopes of an API key, and its permissions. Without permissions, the scopes apply to all areas. */
export type Granted = { readonly scopes: readonly string[]; readonly permissions?: readonly string[] };

/** Returns the permissions of an API key. Scopes without permissions apply to all areas. */
export const permissionsOf = ({ scopes: own, permissions = [] }: Granted): readonly string[] =>
  permissions.length > 0 ? permissions : own.map((scope) => `${everywhere}:${scope}`);

/** All permissions, ordered by area and scope. */
export const allPermissions: readonly string[] = [everywhere, ...areas].flatMap((area) =>
  scopes.map((scope) => `${area}:${scope}`),
);

/** Returns the permission that an operation requires. Operations without an area require the permission for all areas. */
export const permissionFor = (area: string | null, scope: string): string => `${area ?? everywhere}:${scope}`;

/** Returns true if the permissions include a permission, or the same scope for all areas. */
export const includesPermission = (own: readonly string[], permission: string): boolean =>
  own.includes(permission) || own.includes(`${everywhere}:${permission.split(':')[1]}`);

/** Returns true if an API key has a scope in an area. */
export const hasScope = (key: Granted, scope: string, area: string | null): boolean =>
  key.permissions === undefined
    ? key.scopes.includes(scope)
    : includesPermission(key.permissions, permissionFor(area, scope));

/** Returns the scopes that occur in permissions, in canonical order. */
export const scopesIn = (permissions: readonly string[]): readonly Scope[] =>
  scopes.filter((scope) => permissions.some((permission) => permission.endsWith(`:${scope}`)));

/** Returns the first permission that another list doesn't include. `null` if the list includes all. */
export const missingPermission = (wanted: readonly string[], own: readonly string[]): string | null =>
  wanted.find((permission) => !includesPermission(own, permission)) ?? null;
