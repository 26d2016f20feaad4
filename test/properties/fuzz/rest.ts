import { randomUUID } from 'node:crypto';
import { getNamedType, isInputObjectType } from 'graphql';
import { formsOf } from '../../../src/graphql/declare/rules.ts';
import type { Route, RouteInput } from '../../../src/rest/routes.ts';
import { routeName, routes } from '../../support/queries.ts';
import { brokenJson } from './broken-json.ts';
import { texts } from './hostile.ts';
import { type HttpRequest, keyHeaders, oddHeaders, type World } from './request.ts';
import { type Making, objectOf, valuesOf } from './values.ts';

const named = ({ inputs }: Route, place: RouteInput['place']) =>
  inputs
    .filter((input) => input.place === place)
    .map(({ name, definition }) => ({ name, type: definition.type, extensions: definition.extensions }));

const written = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
// Limits the length of each value so that several values fit into the request line.
const encoded = (text: string): string =>
  encodeURIComponent([...text].slice(0, 1_000).join('').toWellFormed()).slice(0, 3_000);

function pathOf(route: Route, making: Making): string {
  const { random, pool, field, hostility } = making;
  return route.path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => {
    if (random.below(100) < hostility)
      return random.pick([
        encoded(random.pick(texts)),
        random.pick(['%', '%zz', '..', '.', '%2e%2e', '%00', 'a/b', ';']),
      ]);
    return encoded(pool.valueFor(random, field, name) ?? 'none');
  });
}

function queryOf(route: Route, making: Making): string {
  const { random, hostility } = making;
  const pairs = Object.entries(valuesOf(making, named(route, 'query'))).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((item) => `${encoded(name)}=${encoded(written(item))}`),
  );
  if (random.below(100) < hostility)
    pairs.push(random.pick(['limit=0', 'limit=-1', 'cursor=x', '%=%', '&&=', 'a[]=1', 'limit=1&limit=2']));
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Generates the body fields. If the input object has several forms, the fields match one of the forms. */
function bodyValues(
  { field, inputs }: Route,
  making: Making,
  members: Parameters<typeof valuesOf>[1],
): Record<string, unknown> {
  const type = field.args.map((argument) => getNamedType(argument.type)).find(isInputObjectType);
  if (type === undefined || formsOf(type) === undefined) return valuesOf(making, members);
  const paths = inputs.filter(({ place }) => place === 'path').map(({ name }) => name);
  return Object.fromEntries(Object.entries(objectOf(making, type)).filter(([name]) => !paths.includes(name)));
}

/** Generates a request for a REST operation. Half of these requests are well-formed. */
export function restRequest(world: World, route = world.random.pick(routes)): HttpRequest {
  const { random, tenant } = world;
  const making: Making = {
    random,
    pool: tenant.pool,
    field: route.field.name,
    hostility: random.pick([0, 0, 8, 25]),
  };
  const hasBody = route.method !== 'GET' && route.method !== 'DELETE';
  const members =
    route.wholeBody === null
      ? named(route, 'body')
      : [{ ...route.wholeBody.definition, name: route.wholeBody.name }];
  const values = hasBody ? bodyValues(route, making, members) : {};
  const text = hasBody
    ? (JSON.stringify(route.wholeBody === null ? values : (values[route.wholeBody.name] ?? {})) ?? '')
    : null;
  const isBroken = making.hostility > 0 && random.below(100) < 15;
  return {
    kind: 'http',
    about: routeName(route),
    method:
      random.below(200) === 0 ? random.pick(['HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE']) : route.method,
    path: `/api/v1${pathOf(route, making)}${queryOf(route, making)}`,
    headers: {
      ...keyHeaders(world),
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...(route.isIdempotent || random.below(10) === 0 ? { 'idempotency-key': randomUUID() } : {}),
      ...oddHeaders(world),
    },
    body: text === null ? null : isBroken ? brokenJson(random, text) : Buffer.from(text),
    answers: getNamedType(route.field.type).name.replace(/Connection$/, ''),
  };
}
