import { hasRole } from '../../domain/limits/member-roles.ts';
import type { PlainPageName } from '../address.ts';
import type { Environment } from '../data/place.ts';
import type { Role } from '../data/viewer.ts';
import type { Group, PageRoute } from '../page-route.ts';

export type Entry = { readonly name: PlainPageName; readonly route: PageRoute };

/** Section of the navigation: a single page, or a group of pages. */
export type Section = Entry | { readonly group: Group; readonly pages: readonly Entry[] };

/** True if a role can open the page in an environment. */
export const isOpenTo = (
  { role, hiddenFrom = [], environment }: PageRoute,
  who: Role,
  where: Environment,
): boolean =>
  (role === undefined || hasRole(who, role)) &&
  !(hiddenFrom as readonly Role[]).includes(who) &&
  (environment === undefined || environment === where);

/** Returns the sections of the navigation, in the order of `routes.ts`. Omits pages with neither an icon nor a group. */
export function sectionsOf(
  pages: readonly (readonly [PlainPageName, PageRoute])[],
  who: Role,
  where: Environment,
): readonly Section[] {
  const found: (Entry | { readonly group: Group; readonly pages: Entry[] })[] = [];
  for (const [name, route] of pages) {
    if (!isOpenTo(route, who, where)) continue;
    const entry = { name, route };
    const { group, icon } = route;
    const known = found.find((each) => 'group' in each && each.group === group);
    if (known !== undefined && 'group' in known) known.pages.push(entry);
    else if (group !== undefined) found.push({ group, pages: [entry] });
    else if (icon !== undefined) found.push(entry);
  }
  return found;
}
