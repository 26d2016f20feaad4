import { type PageName, routeOf } from '../address.ts';
import { base, type Environment } from '../data/place.ts';
import { openAddress } from '../router-address.ts';

/** Opens the same page in another environment. Objects exist in only one environment, so an object's page is replaced by its list. */
export function switchEnvironment(to: Environment, name: PageName | null): void {
  const listOf = (page: PageName): PageName => (routeOf(page).parent as PageName | undefined) ?? page;
  const target = name === null ? null : routeOf(routeOf(name).path.includes('$') ? listOf(name) : name);
  const isThere = target !== null && !target.path.includes('$') && (target.environment ?? to) === to;
  openAddress(`${base}/dashboard/${to}${isThere && target.path !== '/' ? target.path : ''}`);
}
