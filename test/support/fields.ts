import type { Access } from '../../src/graphql/declare/access.ts';
import { schema } from '../../src/schema.ts';
import type { Shop } from './factories.ts';
import { requests, unrouted } from './operations/index.ts';
import type { Request } from './operations/types.ts';
import { routes, textOf, variablesFor } from './queries.ts';

export type Operation = { readonly text: string; readonly variables: Readonly<Record<string, unknown>> };

/** A root field in the schema, with a sample request for each of its interfaces. */
export type RootField = {
  readonly name: string;
  readonly kind: 'query' | 'mutation' | 'live';
  readonly access: Access;
  readonly route: (typeof routes)[number] | null;
  readonly make: (shop: Shop) => Promise<{ readonly request: Request | null; readonly operation: Operation }>;
};

/** True if the operation requires a live key. */
export const needsLiveKey = ({ access }: Pick<RootField, 'access'>): boolean =>
  'scope' in access && (access.environment === 'live' || access.settings === true);

const kinds = [
  ['query', schema.getQueryType()],
  ['mutation', schema.getMutationType()],
  ['live', schema.getSubscriptionType()],
] as const;

/** All root fields. Throws if a field has no REST route and isn't listed as an exception, or if it doesn't declare its access. */
export const rootFields: readonly RootField[] = kinds.flatMap(([kind, type]) =>
  Object.values(type?.getFields() ?? {}).map(({ name, extensions }): RootField => {
    const { access } = extensions as { access?: Access };
    const route = routes.find((candidate) => candidate.field.name === name) ?? null;
    const listed = unrouted[name];
    if (access === undefined || (route === null && listed === undefined))
      throw new Error(`${name} cannot be called by a test.`);
    const make: RootField['make'] = async (shop) => {
      if (route === null)
        return {
          request: null,
          operation: { text: listed?.text ?? '', variables: (await listed?.variables(shop)) ?? {} },
        };
      const request = await requests[`${route.method} ${route.path}`]?.(shop);
      if (request === undefined) throw new Error(`No request for ${name} is known.`);
      return { request, operation: { text: textOf(route), variables: variablesFor(route, request) } };
    };
    return { name, kind, access, route, make };
  }),
);
