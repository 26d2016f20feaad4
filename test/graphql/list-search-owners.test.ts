import { afterAll, beforeAll, expect, test } from 'vitest';
import { declaredLists } from '../../src/graphql/reading/lists.ts';
import '../../src/schema.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { listCases } from '../support/list-cases.ts';
import { makeListRows } from '../support/list-rows.ts';

// A search for text that many customers contain reads the customers of the rows instead of finding all customers first.

const rows = 1_800;
/** Text in the external IDs of two of three customers. */
const text = 'ext_';

let t: TestApp;

beforeAll(async () => {
  t = await startApp({ own: true, writesEvents: true });
  await makeListRows(t.app.database.query, t.liveId, rows);
}, 60_000);
afterAll(() => t.close());

/** Fields that always exclude some rows of their table. */
const narrower = ['events', 'emails'];

const searched = declaredLists().flatMap(({ model, search }) => {
  const field = listCases.find(({ table }) => table === model)?.field;
  return search?.owners === undefined || field === undefined || narrower.includes(field)
    ? []
    : [{ model, field, search }];
});

test.each(searched)(
  '$field finds the same number of rows as the condition on all matching customers',
  async ({ model, field, search }) => {
    const params: unknown[] = [t.liveId];
    const condition = search.condition(text)((value) => `$${params.push(value)}`);
    const [expected] = await t.app.database.query<{ count: bigint }>(
      `SELECT count(*) AS count FROM "${model}" t WHERE t."environmentId" = $1 AND ${condition}`,
      params,
    );
    const data = await t.graphql<Record<string, { totalCount: { value: number } }>>(
      `{ ${field}(first: 1, search: "${text}") { totalCount { value } } }`,
      {},
      { key: t.liveKey },
    );
    expect(expected?.count).toBeGreaterThan(500n);
    expect(data[field]?.totalCount.value).toBe(Number(expected?.count));
  },
);
