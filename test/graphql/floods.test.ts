import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Budget, limits } from '../../src/graphql/declare/limits.ts';
import { Documents } from '../../src/graphql/execute/documents.ts';
import { schema } from '../../src/schema.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// Documents that would be expensive must be rejected before they use CPU time, for every caller.

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

const times = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join(' ');

type Got = { readonly status: number; readonly text: string; readonly cpuMs: number };

async function send(body: unknown, key: string | null = null): Promise<Got> {
  const headers = { 'content-type': 'application/json', ...(key === null ? {} : { 'x-api-key': key }) };
  const sent = JSON.stringify(body);
  const before = process.cpuUsage();
  const response = await fetch(`${t.url}/graphql`, { method: 'POST', headers, body: sent });
  const text = await response.text();
  const { user, system } = process.cpuUsage(before);
  return { status: response.status, text, cpuMs: (user + system) / 1_000 };
}

/**
 * Returns the minimum CPU time of several attempts, in milliseconds. The minimum excludes other work in the process, such as compilation.
 */
async function rejectedFor(body: () => unknown, key: string | null): Promise<number> {
  const tries: Got[] = [];
  for (let time = 0; time < 5; time++) tries.push(await send(body(), key));
  for (const { status, text } of tries) {
    expect(text.length).toBeLessThan(20_000);
    expect(text).toContain('"code":"validation_error"');
    expect(text).not.toContain('"data":{');
    expect(status).toBe(Array.isArray(body()) ? 200 : 400);
  }
  return Math.min(...tries.map(({ cpuMs }) => cpuMs));
}

const nestedFragments = `{ ...F0 } ${times(60, (i) => `fragment F${i} on Query { a: plans { edges { ...G${i} } } b: plans { edges { ...G${i} } } ...F${i + 1} }`)}`;

/** Documents that would take seconds without the limits. Each call returns a different text, so the document cache isn't used. */
const attacks: Readonly<Record<string, string>> = {
  'the same field 950 times': `{ ${times(950, () => 'testClock { now }')} }`,
  'the same page 560 times': `{ ${times(560, () => 'plans { edges { node { id } } }')} }`,
  'the same field in 300 fragments': `{ ${times(300, (i) => `...F${i}`)} } ${times(300, (i) => `fragment F${i} on Query { testClock { now } }`)}`,
  'fragments that multiply each other': nestedFragments,
  'the schema 48 times': `{ ${times(48, (i) => `a${i}: __schema { types { name fields { name args { name type { name } } } } }`)} }`,
  'the schema with its types 5 times': `{ ${times(5, (i) => `s${i}: __schema { ...S }`)} } fragment S on __Schema { types { name description fields { name description args { name description type { ...T } } type { ...T } } inputFields { name type { ...T } } } } fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } } } }`,
  'the largest type 50 times': `{ ${times(50, (i) => `t${i}: __type(name: "Mutation") { fields { type { fields { name args { name } } } } }`)} }`,
  'a comment of 900 kB': `{ __typename } # ${'x'.repeat(900_000)}`,
  'a name of 900 kB': `{ ${'x'.repeat(900_000)} }`,
  'brackets 10 000 levels deep': `{ customers(first: ${'['.repeat(10_000)}`,
  'a list 1 900 levels deep': `{ customers(first: ${'['.repeat(1_900)}${']'.repeat(1_900)}) { edges { cursor } } }`,
  'selections 1 300 levels deep': `${'{ a '.repeat(1_300)}${'}'.repeat(1_300)}`,
};

let count = 0;
const fresh = (query: string) => ({ query: `${query} # ${count++}` });

describe.each([
  ['an anonymous caller', () => null],
  ['an API key', () => t.sandboxKey],
])('an expensive document sent by %s', (_who, key) => {
  test.each(Object.entries(attacks))('is rejected immediately: %s', async (_name, query) => {
    const cpuMs = await rejectedFor(() => fresh(query), key());
    // Measured: 2 to 15 ms. The limit allows for slow machines and other work in the process.
    expect(cpuMs).toBeLessThan(1_000);
  });

  test.each(Object.entries(attacks).filter(([, query]) => query.length < 100_000))(
    'is rejected immediately in a batch of 10: %s',
    async (_name, query) => {
      const cpuMs = await rejectedFor(() => Array.from({ length: 10 }, () => fresh(query)), key());
      expect(cpuMs).toBeLessThan(2_000);
    },
  );
});

describe('the cost limit', () => {
  test('applies to the total of a batch', async () => {
    const page = {
      query:
        '{ customers(first: 100) { edges { node { invoices(first: 30) { edges { node { id number: total lineItems { amount } } } } } } } }',
    };
    const alone = await send(page, t.sandboxKey);
    expect(alone.status).toBe(200);
    const both = await send([page, page], t.sandboxKey);
    const answers = JSON.parse(both.text) as {
      data?: unknown;
      errors?: { message: string; extensions: { code: string } }[];
    }[];
    expect(answers.filter(({ data }) => data !== undefined)).toHaveLength(1);
    expect(answers.flatMap(({ errors = [] }) => errors.map(({ extensions }) => extensions.code))).toEqual([
      'validation_error',
    ]);
    expect(answers.flatMap(({ errors = [] }) => errors.map(({ message }) => message))[0]).toMatch(
      /its other operations cost \d+\. Request smaller pages/,
    );
  });

  test('applies to the requested operation, even if another operation precedes it', async () => {
    const costly =
      '{ customers(first: 100) { edges { node { invoices(first: 100) { edges { node { id total lineItems { amount } } } } } } } }';
    const { status, text } = await send(
      { query: `query a { __typename } query b ${costly}`, operationName: 'b' },
      t.sandboxKey,
    );
    expect(status).toBe(400);
    expect(text).toMatch(/costs \d+\. Up to 50000/);
  });

  test('includes the default page size of a list', async () => {
    const fields = times(48, (i) => `a${i}: id`);
    expect(
      (await send({ query: `{ features { edges { node { ${fields} } } } }` }, t.sandboxKey)).status,
    ).toBe(200);
    const nested = times(20, (i) => `a${i}: __typename`);
    const below = `{ customers(first: 100) { edges { node { featureAccess { edges { node { ${nested} } } } } } } }`;
    expect((await send({ query: below }, t.sandboxKey)).text).toMatch(/costs 1\d{5}\. Up to 50000/);
    expect(
      (await send({ query: `{ features(first: 100) { edges { node { ${fields} } } } }` }, t.sandboxKey))
        .status,
    ).toBe(200);
    expect(
      (await send({ query: `{ customers { edges { node { ${fields} } } } }` }, t.sandboxKey)).status,
    ).toBe(200);
  });

  test.each([
    ['graphql-js', getIntrospectionQuery()],
    ['GraphiQL', getIntrospectionQuery({ inputValueDeprecation: true, schemaDescription: true })],
    [
      'code generators',
      getIntrospectionQuery({
        specifiedByUrl: true,
        directiveIsRepeatable: true,
        schemaDescription: true,
        inputValueDeprecation: true,
        oneOf: true,
      }),
    ],
    ['Relay and Apollo', getIntrospectionQuery({ descriptions: false })],
  ])("allows anonymous callers to run %s's introspection query", async (_tool, query) => {
    const { status, text } = await send({ query });
    expect(status).toBe(200);
    const { data } = JSON.parse(text) as { data: { __schema: { types: unknown[] } } };
    expect(data.__schema.types.length).toBe(Object.keys(schema.getTypeMap()).length);
  });
});

describe('the document cache', () => {
  const sizeOf = (text: string): number => Buffer.byteLength(text);

  test('stays within its memory limit', () => {
    const documents = new Documents(schema);
    const texts = Array.from(
      { length: 3_000 },
      (_, index) => `{ __typename } # ${index} ${'x'.repeat(limits.characters - 100)}`,
    );
    for (const text of texts) documents.read(text, new Budget(true));
    const kept = texts.filter((text) => documents.find(text) !== undefined);
    expect(kept.length).toBeGreaterThan(100);
    expect(kept.reduce((bytes, text) => bytes + 2 * sizeOf(text), 0)).toBeLessThanOrEqual(64 * 1_024 * 1_024);
    // The most recently used document is still cached.
    expect(documents.find(texts.at(-1) ?? '')).toBeDefined();
  });

  test('does not contain rejected documents', () => {
    const documents = new Documents(schema);
    for (const [name, query] of Object.entries(attacks)) {
      if (name.includes('schema') || name.includes('type')) continue;
      expect(() => documents.read(query, new Budget(true))).toThrow();
      expect(documents.find(query)).toBeUndefined();
    }
  });
});

describe('the cost of an operation', () => {
  const anonymous = (query: string) => send({ query });
  const keyed = (query: string) => send({ query }, t.sandboxKey);

  test('limits anonymous callers to one __schema field and one __type field per request', async () => {
    const once = '__schema { queryType { name } } __type(name: "Customer") { name }';
    expect(await anonymous(`{ ${once} }`)).toMatchObject({ status: 200 });
    expect(await anonymous('{ ...S } fragment S on Query { __schema { queryType { name } } }')).toMatchObject(
      {
        status: 200,
      },
    );
    const refused = [
      `{ ${times(45, (i) => `a${i}: __schema { types { name description fields { name description } } }`)} }`,
      `{ ${times(45, (i) => `a${i}: __schema { types { name fields { name args { name } } } }`)} }`,
      '{ __schema { queryType { name } } b: __schema { queryType { name } } }',
      '{ __type(name: "Plan") { name } b: __type(name: "Customer") { name } }',
      '{ __schema { queryType { name } } ...S } fragment S on Query { b: __schema { queryType { name } } }',
      '{ ...S ...T } fragment S on Query { a: __schema { queryType { name } } } fragment T on Query { b: __schema { queryType { name } } }',
    ];
    for (const query of refused) {
      const { status, text } = await anonymous(query);
      expect({ query, status, code: text.includes('"code":"validation_error"') }).toEqual({
        query,
        status: 400,
        code: true,
      });
    }
    expect(
      await keyed('{ __schema { queryType { name } } b: __schema { queryType { name } } }'),
    ).toMatchObject({
      status: 200,
    });
  });

  test('limits anonymous callers to one __schema field per batch', async () => {
    const query = '{ __schema { queryType { name } } }';
    const { text } = await send([{ query }, { query }]);
    expect(text.match(/"code":"validation_error"/g)).toHaveLength(1);
  });

  const whole = (size: number, aliases: number) =>
    `{ ${times(aliases, (i) => `a${i}: customers(first: ${size}) { edges { node { metadata } } }`)} }`;

  test('counts large values once per alias and row', async () => {
    // A list of 100 rows costs 1 + 100 × (1 for edges + 1 for node + 100 for metadata) = 10,201. Four aliases cost 40,804; five aliases
    // cost 51,005 and exceed the limit.
    expect(await keyed(whole(100, 4))).toMatchObject({ status: 200 });
    const { status, text } = await keyed(whole(100, 5));
    expect(status).toBe(400);
    expect(text).toContain('The operation costs');
  });

  test.each([
    ['ledgerVerify', '{ ok }'],
    ['metricsVerify', '{ ok }'],
    ['testClockSimulate(input: { until: "2100-01-01T00:00:00Z" })', '{ __typename }'],
  ])('is 10,000 for %s, so a request can contain at most four of them', async (field, selection) => {
    const verify = (aliases: number) => `{ ${times(aliases, (i) => `a${i}: ${field} ${selection}`)} }`;
    expect((await keyed(verify(4))).text).not.toContain('The operation costs');
    const { status, text } = await keyed(verify(50));
    expect(status).toBe(400);
    expect(text).toContain('The operation costs 5');
  });
});
