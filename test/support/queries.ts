import { type DocumentNode, print } from 'graphql';
import { asNames } from '../../src/graphql/declare/enum-spelling.ts';
import { putAt } from '../../src/rest/inputs.ts';
import { documentOf } from '../../src/rest/operation.ts';
import { type Route, routesOf } from '../../src/rest/routes.ts';
import { schema } from '../../src/schema.ts';
import type { Request } from './requests.ts';

/** Routes that API keys can call. Routes for members only are tested with a session. */
export const routes: readonly Route[] = routesOf(schema).filter(({ access }) => !('member' in access));

/** Returns a route's name in the contract: its method and path. */
export const routeName = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`;

/** Returns the text of the GraphQL operation that a route executes. */
export const textOf = (route: Route): string => print(documentOf(schema, route) as DocumentNode);

/** Converts text in a query string to a value of a GraphQL type. */
function fromText(type: string, text: string): unknown {
  if (type === 'SafeInt' || type === 'Int') return Number(text);
  return type === 'Boolean' ? text === 'true' : text;
}

/** Converts a REST request to variables for the route's operation. */
export function variablesFor(
  route: Route,
  { path = {}, query = {}, body = {} }: Request,
): Record<string, unknown> {
  const variables: Record<string, unknown> = {};
  if (route.field.args.some((argument) => argument.name === 'input')) variables['input'] = {};
  for (const { name, place, path: at, definition } of route.inputs) {
    const provided = place === 'path' ? path[name] : place === 'body' ? body[name] : query[name];
    if (provided === undefined) continue;
    const type = String(definition.type).replaceAll('!', '');
    const value = place === 'query' ? fromText(type, String(provided)) : provided;
    putAt(variables, at, asNames(definition.type, value));
  }
  // Limits the page size, because 1,000 rows with all REST fields would exceed the cost limit.
  if (route.shape === 'page') variables['first'] ??= 25;
  return variables;
}
