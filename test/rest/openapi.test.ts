import { describe, expect, test } from 'vitest';
import { errorCodes } from '../../src/domain/errors/errors.ts';
import { openApiOf } from '../../src/rest/openapi.ts';
import { routesOf } from '../../src/rest/routes.ts';
import { schema } from '../../src/schema.ts';

const document = openApiOf(schema, 'https://billing.example');
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);
type Shape = {
  properties: Record<string, Record<string, unknown>>;
  required: string[];
  additionalProperties: boolean;
};
const schemas = document.components['schemas'] as Record<string, Shape>;
const at = (method: string, path: string) => {
  const found = document.paths[path]?.[method];
  if (found === undefined) throw new Error(`${method} ${path} is missing.`);
  return found;
};

describe('the OpenAPI document', () => {
  test('contains each route once, with a unique operation ID and a description', () => {
    expect(operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort()).toEqual(
      [
        'GET /exports/stream',
        ...routesOf(schema)
          .filter((route) => route.rest.status !== 410)
          .map((route) => `${route.method} ${route.path}`),
      ].sort(),
    );
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
    for (const { operation } of operations) {
      expect(operation.operationId).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(operation.description.length).toBeGreaterThan(20);
    }
  });

  test('omits removed routes from its paths, and names them in its description', () => {
    expect(document.info['description']).toContain(
      'Removed routes that return 410: `POST /payouts/verification`, `POST /test-clock/process-billing`.',
    );
    expect(document.paths['/payouts/verification']).toBeUndefined();
  });

  test('keeps the operation IDs that generated clients depend on', () => {
    const ids = operations.map(
      ({ method, path, operation }) => `${operation.operationId}: ${method.toUpperCase()} ${path}`,
    );
    expect(ids.sort().join('\n')).toMatchSnapshot();
  });

  test('contains the names of the TypeScript client for generators', () => {
    expect(document.paths['/subscriptions/{id}/change-plan']?.['post']).toMatchObject({
      'x-speakeasy-group': 'subscriptions',
      'x-speakeasy-name-override': 'changePlan',
      'x-fern-sdk-group-name': ['subscriptions'],
      'x-fern-sdk-method-name': 'changePlan',
    });
    const names = operations.map(({ operation }) => {
      const {
        'x-speakeasy-group': group,
        'x-speakeasy-name-override': name,
        operationId,
      } = operation as typeof operation & Record<string, unknown>;
      return operationId === 'export-stream' ? operationId : `${String(group)}.${String(name)}`;
    });
    expect(new Set(names).size).toBe(operations.length);
    expect(names).not.toContain('undefined.undefined');
  });

  test('references only existing components', () => {
    const names = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)];
    expect(names.length).toBeGreaterThan(0);
    const components = document.components as Record<string, Record<string, unknown>>;
    for (const [, kind = '', name = ''] of names)
      expect(components[kind]?.[name], `${kind}/${name}`).toBeDefined();
  });

  test('declares each path parameter as required', () => {
    for (const { path, operation } of operations) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const declared = operation.parameters.filter((parameter) => parameter['in'] === 'path');
      expect(declared.map((parameter) => parameter['name']).sort()).toEqual(named.sort());
      expect(declared.every((parameter) => parameter['required'] === true)).toBe(true);
    }
  });

  test('lists the errors of each operation by status', () => {
    const create = at('post', '/customers').responses;
    expect(Object.keys(create)).toEqual(['200', '201', '400', '401', '403', '409', '429', '500', '503']);
    expect(create['400']?.['x-codes']).toEqual(['response_too_large', 'validation_error', 'invalid_json']);
    expect(create['409']?.['x-codes']).toEqual([
      'quota_exceeded',
      'idempotency_in_progress',
      'idempotency_key_mismatch',
    ]);
    expect(at('get', '/customers/{id}').responses['404']?.['x-codes']).toEqual(['customer_not_found']);
    for (const { operation } of operations) {
      for (const [status, response] of Object.entries(operation.responses)) {
        for (const code of (response['x-codes'] ?? []) as (keyof typeof errorCodes)[])
          expect(errorCodes[code].status).toBe(Number(status));
      }
    }
  });

  test('includes Idempotency-Key only for writes that accept it, and requires it if no API key identifies the caller', () => {
    for (const { path, method, operation } of operations) {
      const offered = operation.parameters
        .map(({ $ref }) => String($ref))
        .find(($ref) => $ref.includes('IdempotencyKey'));
      const isWrite = ['post', 'put', 'patch'].includes(method);
      const expected = path === '/provision' ? 'OpenIdempotencyKey' : 'IdempotencyKey';
      expect({ path, offered }).toEqual({
        path,
        offered: isWrite ? `#/components/parameters/${expected}` : undefined,
      });
    }
    expect(document.components['parameters']).toMatchObject({
      IdempotencyKey: { name: 'Idempotency-Key', required: false },
      OpenIdempotencyKey: { name: 'Idempotency-Key', required: true, schema: { format: 'uuid' } },
    });
  });
});

describe('a schema in the OpenAPI document', () => {
  test("contains exactly its view's fields, and nullable fields allow null", () => {
    const { Customer } = schemas;
    expect(Object.keys(Customer?.properties ?? {})).toEqual([
      'id',
      'externalId',
      'fullName',
      'email',
      'taxDocument',
      'documentType',
      'timezone',
      'requireBudget',
      'metadata',
      'createdAt',
      'updatedAt',
      'object',
      'livemode',
    ]);
    const optional = new Set(['requireBudget']);
    expect(new Set(Customer?.required)).toEqual(
      new Set(Object.keys(Customer?.properties ?? {})).difference(optional),
    );
    expect(Customer?.additionalProperties).toBe(false);
    expect(Customer?.properties['externalId']).toMatchObject({ type: ['string', 'null'] });
    expect(Customer?.properties['createdAt']).toMatchObject({ type: 'string', format: 'date-time' });
  });

  test('describes a list with the list envelope', () => {
    expect(schemas['CustomerList']).toMatchObject({
      properties: {
        object: { const: 'list' },
        data: { type: 'array', items: { $ref: '#/components/schemas/Customer' } },
      },
      required: ['object', 'data', 'hasMore'],
      additionalProperties: false,
    });
    const { parameters } = at('get', '/customers');
    const limit = parameters.find((parameter) => parameter['name'] === 'limit');
    expect(limit).toMatchObject({
      in: 'query',
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 25 },
    });
    expect(parameters.map((parameter) => parameter['name'])).not.toContain('first');
  });

  test('states no default page size for lists without pages', () => {
    const limit = at('get', '/features').parameters.find((parameter) => parameter['name'] === 'limit');
    expect(limit?.['schema']).not.toHaveProperty('default');
  });

  test("includes a request body's validation rules", () => {
    const body = at('post', '/customers').requestBody as {
      required: boolean;
      content: { 'application/json': { schema: Shape } };
    };
    expect(body.required).toBe(true);
    const { schema: shape } = body.content['application/json'];
    expect(shape.required).toEqual(['email']);
    expect(shape.properties['email']).toMatchObject({ type: 'string', format: 'email', maxLength: 320 });
    expect(shape.properties['address']).toMatchObject({
      allOf: [{ $ref: '#/components/schemas/AddressInput' }],
    });
    expect(schemas['AddressInput']?.properties['country']).toMatchObject({
      type: 'string',
      pattern: '^[A-Z]{2}$',
    });
    expect(at('patch', '/customers/{id}').requestBody).toMatchObject({ required: false });
  });

  test('lists one alternative for each form of an input with several forms', () => {
    const { oneOf } = schemas['OfferPhaseInput'] as unknown as { oneOf: Shape[] };
    expect(
      oneOf.map(({ properties, required }) => [
        properties['type']?.['const'],
        Object.keys(properties),
        required,
      ]),
    ).toEqual([
      ['free_trial', ['type', 'durationDays'], ['type', 'durationDays']],
      [
        'percentage',
        ['type', 'durationCycles', 'durationInterval', 'percentage'],
        ['type', 'durationCycles', 'percentage'],
      ],
      [
        'amount_off',
        ['type', 'amounts', 'durationCycles', 'durationInterval'],
        ['type', 'amounts', 'durationCycles'],
      ],
      [
        'fixed_price',
        ['type', 'durationCycles', 'durationInterval', 'prices'],
        ['type', 'durationCycles', 'prices'],
      ],
    ]);
  });
});
