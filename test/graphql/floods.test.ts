import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Documents } from '../../src/graphql/documents.ts';
import { Budget, limits } from '../../src/graphql/limits.ts';
import { schema } from '../../src/schema.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// Documents made to be costly are rejected before they cost anything, anyone who sends them.

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

/** The least CPU of a few tries: other work of the process, such as compiling, is no part of it. */
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

/** Documents that took seconds, each different every time so that nothing is known of it. */
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
  ['nobody', () => null],
  ['a key', () => t.sandboxKey],
])('sent by %s', (_who, key) => {
  test.each(Object.entries(attacks))('%s is rejected immediately', async (_name, query) => {
    const cpuMs = await rejectedFor(() => fresh(query), key());
    // 2 to 15 ms where it was measured; the bound leaves room for slow machines and for what else the process does.
    expect(cpuMs).toBeLessThan(1_000);
  });

  test.each(Object.entries(attacks).filter(([, query]) => query.length < 100_000))(
    '%s is rejected immediately ten times over',
    async (_name, query) => {
      const cpuMs = await rejectedFor(() => Array.from({ length: 10 }, () => fresh(query)), key());
      expect(cpuMs).toBeLessThan(2_000);
    },
  );
});

describe('the limits', () => {
  test('hold for the operations of a batch together', async () => {
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
      /whose other operations cost \d+\. Ask for smaller pages/,
    );
  });

  test('hold for the operation that is asked for, whatever stands before it in the document', async () => {
    const costly =
      '{ customers(first: 100) { edges { node { invoices(first: 100) { edges { node { id total lineItems { amount } } } } } } } }';
    const { status, text } = await send(
      { query: `query a { __typename } query b ${costly}`, operationName: 'b' },
      t.sandboxKey,
    );
    expect(status).toBe(400);
    expect(text).toMatch(/costs \d+; at most 50000/);
  });

  test('count what a list answers when no size is asked for', async () => {
    const fields = times(48, (i) => `a${i}: id`);
    expect(
      (await send({ query: `{ features { edges { node { ${fields} } } } }` }, t.sandboxKey)).status,
    ).toBe(200);
    const nested = times(20, (i) => `a${i}: __typename`);
    const below = `{ customers(first: 100) { edges { node { featureAccess { edges { node { ${nested} } } } } } } }`;
    expect((await send({ query: below }, t.sandboxKey)).text).toMatch(/costs 1\d{5}; at most 50000/);
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
  ])('let anybody ask for the whole schema as %s do', async (_tool, query) => {
    const { status, text } = await send({ query });
    expect(status).toBe(200);
    const { data } = JSON.parse(text) as { data: { __schema: { types: unknown[] } } };
    expect(data.__schema.types.length).toBe(Object.keys(schema.getTypeMap()).length);
  });
});

describe('the documents that are kept', () => {
  const sizeOf = (text: string): number => Buffer.byteLength(text);

  test('take no more memory than they may, whatever is in them', () => {
    const documents = new Documents(schema);
    const texts = Array.from(
      { length: 3_000 },
      (_, index) => `{ __typename } # ${index} ${'x'.repeat(limits.characters - 100)}`,
    );
    for (const text of texts) documents.read(text, new Budget(true));
    const kept = texts.filter((text) => documents.find(text) !== undefined);
    expect(kept.length).toBeGreaterThan(100);
    expect(kept.reduce((bytes, text) => bytes + 2 * sizeOf(text), 0)).toBeLessThanOrEqual(64 * 1_024 * 1_024);
    // The one used last is among them.
    expect(documents.find(texts.at(-1) ?? '')).toBeDefined();
  });

  test('are none of those that were rejected', () => {
    const documents = new Documents(schema);
    for (const [name, query] of Object.entries(attacks)) {
      if (name.includes('schema') || name.includes('type')) continue;
      expect(() => documents.read(query, new Budget(true))).toThrow();
      expect(documents.find(query)).toBeUndefined();
    }
  });
});
