import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openRest, type Rest } from '../../src/rest/app.ts';
import { schema } from '../../src/schema.ts';
import { type Door, openDoor } from './door.ts';

// The route table and the documents are read from the schema at start or on first use, and never again.

let door: Door;
let rest: Rest;
beforeAll(async () => {
  door = await openDoor();
  rest = openRest(door.app, schema);
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await rest.close();
  await door.close();
});

/** Asks for a list, an unknown route and every document, and answers them as text. */
async function askAll(): Promise<string[]> {
  const list = new Request('https://billing.example/api/v1/customers', { headers: { 'x-api-key': door.sandboxKey } });
  const unknown = new Request('https://billing.example/api/v1/nothing');
  const page = '/docs/api-reference/2026-08-27/errors/duplicate.md';
  const answers = [
    await rest.fetch(list, 'id', '203.0.113.9'),
    await rest.fetch(unknown, 'id', '203.0.113.9'),
    rest.openapi(),
    rest.docs('/docs', 'id'),
    rest.docs(page, 'id'),
  ];
  return Promise.all(answers.map((answer) => answer.text()));
}

test('a second round of requests reads nothing from the schema and answers the same', async () => {
  const reads = vi.spyOn(schema, 'getQueryType');
  const first = await askAll();
  // The documents were made from it.
  expect(reads).toHaveBeenCalled();
  reads.mockClear();
  expect(await askAll()).toEqual(first);
  expect(reads).not.toHaveBeenCalled();
});
