import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Handler } from '../../src/http/handler.ts';
import { schema } from '../../src/schema.ts';
import { askHandler, openRestHandler } from '../support/handler.ts';
import { type Door, openDoor } from './door.ts';

// The route table and the documents read the schema only once.

let door: Door;
let rest: Handler;
beforeAll(async () => {
  door = await openDoor();
  rest = openRestHandler(door.app, schema);
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => door.close());

/** Requests a list, an unknown route, and every document. Returns the responses as text. */
async function askAll(): Promise<string[]> {
  const paths = ['/api/v1/customers', '/api/v1/nothing', '/openapi.json'];
  const answers = paths.map((path) =>
    askHandler(
      rest,
      new Request(`https://billing.example${path}`, { headers: { 'x-api-key': door.sandboxKey } }),
    ),
  );
  return Promise.all(answers.map(async (answer) => (await answer).text()));
}

test("repeated requests don't read the schema again and return the same responses", async () => {
  const reads = vi.spyOn(schema, 'getQueryType');
  const first = await askAll();
  // Generating the documents for the first time read the schema.
  expect(reads).toHaveBeenCalled();
  reads.mockClear();
  expect(await askAll()).toEqual(first);
  expect(reads).not.toHaveBeenCalled();
});
