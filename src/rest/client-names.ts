import type { Route } from './routes.ts';

// Names of the operations in the generated client: a namespace from the first segment of the path, and a method from the rest of the
// root field's name.

/** Name of an operation in the client: `subscriptions.changePlan`. */
export type ClientName = { readonly namespace: string; readonly method: string };

/** Names of operations that the rule below doesn't name well, by root field. */
const exceptions: Readonly<Record<string, string>> = {
  featureAccesses: 'featureAccess.list',
  organizationProvision: 'provision.create',
};

const camel = (segment: string): string =>
  segment.replace(/-(\w)/g, (_match, letter: string) => letter.toUpperCase());

const lowerFirst = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

/** Returns the name of a route in the client. */
export function clientName({
  segments,
  field,
  shape,
}: Pick<Route, 'segments' | 'field' | 'shape'>): ClientName {
  const exception = exceptions[field.name]?.split('.');
  if (exception?.[0] !== undefined && exception[1] !== undefined)
    return { namespace: exception[0], method: exception[1] };
  const namespace = camel(segments[0] ?? '');
  const singular = namespace.replace(/s$/, '');
  if (field.name === namespace) return { namespace, method: shape === 'object' ? 'get' : 'list' };
  if (field.name === singular) return { namespace, method: 'get' };
  const prefix = [namespace, singular].find((one) => new RegExp(`^${one}[A-Z]`).test(field.name)) ?? '';
  return { namespace, method: lowerFirst(field.name.slice(prefix.length)) };
}

/** Names of the client's own members, which can't be namespaces. */
const reserved = ['request', 'graphql', 'events', 'entitlements', 'usageQueue', 'flush'];

/** Returns the routes with their names in the client. Omits removed routes. Throws if two routes have the same name. */
export function namedRoutes(routes: readonly Route[]): (ClientName & { readonly route: Route })[] {
  const named = routes
    .filter(({ rest }) => rest.status !== 410)
    .map((route) => ({ ...clientName(route), route }));
  const taken = new Set(reserved);
  for (const { namespace, method } of named) {
    const name = `${namespace}.${method}`;
    if (taken.has(name) || taken.has(namespace)) throw new Error(`The client has two members ${name}.`);
    taken.add(name);
  }
  return named;
}
