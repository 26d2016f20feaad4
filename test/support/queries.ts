import { type DocumentNode, print } from 'graphql';
import { asNames } from '../../src/graphql/enum-spelling.ts';
import { putAt } from '../../src/rest/inputs.ts';
import { documentOf } from '../../src/rest/operation.ts';
import { type Route, routesOf } from '../../src/rest/routes.ts';
import { schema } from '../../src/schema.ts';
import type { Request } from './requests.ts';

/** Everything REST offers. */
export const routes: readonly Route[] = routesOf(schema);

/** A route as the contract names it. */
export const routeName = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`;

/** The GraphQL operation that asks for what a route shows. */
export const textOf = (route: Route): string => print(documentOf(schema, route) as DocumentNode);

/** A text of a query string as the value GraphQL takes. */
function fromText(type: string, text: string): unknown {
  if (type === 'SafeInt' || type === 'Int') return Number(text);
  return type === 'Boolean' ? text === 'true' : text;
}

/** The variables of a route's operation for a request as REST sends it. */
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
  // All that REST shows of a thousand rows costs more than one operation of GraphQL may.
  if (route.shape === 'page') variables['first'] ??= 25;
  return variables;
}
