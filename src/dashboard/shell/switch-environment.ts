import { type PageName, routeOf } from '../address.ts';
import { base, type Environment } from '../data/place.ts';
import { openAddress } from '../router-address.ts';

/** Opens the same page in another environment: of an object, which exists in one only, the list it belongs to. */
export function switchEnvironment(to: Environment, name: PageName | null): void {
  const listOf = (page: PageName): PageName => (routeOf(page).parent as PageName | undefined) ?? page;
  const target = name === null ? null : routeOf(routeOf(name).path.includes('$') ? listOf(name) : name);
  const isThere = target !== null && !target.path.includes('$') && (target.environment ?? to) === to;
  openAddress(`${base}/dashboard/${to}${isThere && target.path !== '/' ? target.path : ''}`);
}
