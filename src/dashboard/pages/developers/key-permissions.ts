import { areas, type Granted, permissionsOf, scopes } from '../../../domain/limits/permissions.ts';

const everywhere = (scope: string): string => `*:${scope}`;

const inAreas = (scope: string): string[] => areas.map((area) => `${area}:${scope}`);

/** Returns the permissions of an API key by area. */
export const permissionsByArea = (of: Granted): string[] => {
  const own = permissionsOf(of);
  return scopes.flatMap((scope) =>
    inAreas(scope).filter((permission) => own.includes(everywhere(scope)) || own.includes(permission)),
  );
};

/** Returns the permissions that an API key keeps. A scope that the key keeps in all areas also applies to future areas. */
export const keptPermissions = (of: Granted, selected: readonly string[]): string[] => {
  const own = permissionsOf(of);
  return scopes.flatMap((scope) => {
    const remaining = inAreas(scope).filter((permission) => selected.includes(permission));
    return remaining.length === areas.length && own.includes(everywhere(scope))
      ? [everywhere(scope)]
      : remaining;
  });
};
