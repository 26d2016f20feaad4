import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonSchema } from '../../src/rest/json-schema.ts';
import { openApiOf } from '../../src/rest/openapi.ts';
import { schema } from '../../src/schema.ts';
import { routeName, routes } from '../support/queries.ts';
import { addressOf } from '../support/requests.ts';
import { Violations } from '../support/schema-violations.ts';
import { type Door, openDoor } from './door.ts';

// The REST layer must enforce the limits documented in OpenAPI. A value just outside a limit is rejected with 400.

const document = openApiOf(schema, 'https://billing.example');
const violations = new Violations(document.components['schemas'] as Record<string, JsonSchema>);

let door: Door;
beforeAll(async () => {
  door = await openDoor({ RATE_LIMIT_PER_MINUTE: '0' });
});
afterAll(() => door.close());

/** Returns the URL path with parameters that don't identify an object. */
const toNobody = (path: string): string =>
  addressOf(path, {
    path: Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, 'none'])),
  });

type Emitted = {
  readonly field: string;
  readonly limit: string;
  readonly status: number;
  readonly fields: readonly string[];
};

/** Response to a request with an input that violates one limit. */
async function emit(
  method: string,
  address: string,
  field: string,
  limit: string,
  body?: unknown,
): Promise<Emitted> {
  const { status, body: answer } = await door.ask(
    method,
    address,
    body === undefined ? {} : { body, headers: { 'idempotency-key': randomUUID() } },
  );
  const { details } = (answer as { error?: { details?: unknown } }).error ?? {};
  const fields = Array.isArray(details) ? details.map((detail: { field: string }) => detail.field) : [];
  return { field, limit, status, fields };
}

/** Returns the responses that didn't reject the value with its field's name. */
const passed = (emitted: readonly Emitted[]): Emitted[] =>
  emitted.filter(({ field, status, fields }) => status !== 400 || !fields.includes(field));

const named = routes
  .filter((route) => route.rest.status !== 410)
  .map((route) => {
    const operation = document.paths[route.path]?.[route.method.toLowerCase()];
    if (operation === undefined) throw new Error(`${routeName(route)} is not documented.`);
    return [routeName(route), route, operation] as const;
  });

describe('a value just outside a limit', () => {
  test.each(named.filter(([, , { requestBody }]) => requestBody !== undefined))(
    'is rejected in the body of %s',
    async (_name, route, operation) => {
      const { content } = operation.requestBody as {
        content: { 'application/json': { schema: JsonSchema } };
      };
      const emitted: Emitted[] = [];
      for (const { field, limit, value } of violations.of(content['application/json'].schema))
        emitted.push(await emit(route.method, toNobody(route.path), field, limit, value));
      expect(passed(emitted)).toEqual([]);
    },
  );

  const queried = named.filter(([, , { parameters }]) =>
    parameters.some((parameter) => parameter['in'] === 'query'),
  );

  test.each(queried)('is rejected in the query of %s', async (_name, route, operation) => {
    const emitted: Emitted[] = [];
    for (const parameter of operation.parameters.filter(({ in: place }) => place === 'query')) {
      const name = String(parameter['name']);
      const limits = parameter['schema'] as JsonSchema;
      const isList = limits['items'] !== undefined;
      for (const { field, limit, value } of violations.of(limits, name)) {
        // Skips wrong types of strings and empty lists, which a query string can't express.
        if (limit === 'type' && (value === 1 || isList)) continue;
        if (limit === 'minItems') continue;
        // A lone surrogate can't be encoded in UTF-8.
        if (!String(value).isWellFormed()) continue;
        const search = new URLSearchParams({ [name]: String(value) });
        emitted.push(await emit(route.method, `${toNobody(route.path)}?${search}`, field, limit));
      }
    }
    expect(passed(emitted)).toEqual([]);
  });
});
