import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { makeListRows } from '../../../support/list-rows.ts';
import { statementsOf } from '../../../support/statements.ts';

let t: TestApp;

beforeAll(async () => {
  t = await startApp({ writesEvents: true });
  await makeListRows(t.app.database.query, t.sandboxId, 60);
});
afterAll(() => t.close());

test('the timelines of several customers use one SQL statement each for notes, emails, and events, for any page size', async () => {
  const operation = `query ($ids: [ID!]!, $first: Int!) { nodes(ids: $ids) { ... on Customer { timeline(first: $first) { nodes { __typename } pageInfo { hasNextPage } } } } }`;
  const ids = Array.from({ length: 20 }, (_, index) => `cus_list${index + 1}`);
  for (const [some, first] of [
    [ids.slice(0, 1), 2],
    [ids, 2],
    [ids, 50],
  ] as const) {
    const { statements } = await statementsOf(t, operation, { ids: some, first });
    // One statement each for customers, notes, emails, and events.
    expect(statements).toHaveLength(4);
  }
});
