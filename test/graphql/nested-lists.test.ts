import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/harness.ts';
import { type ListCase, listCases, type Row, type World } from '../support/list-cases.ts';
import { makeListRows } from '../support/list-rows.ts';
import { listVariables, readWorlds, sortedIds, usualIds } from '../support/list-worlds.ts';
import { statementsOf } from '../support/statements.ts';

// Compares filtered, searched, and sorted nested lists with the same operations in JavaScript on each parent's rows. One statement must
// read the rows for all parents.

/** Nested list: its parent, field, and table, and the column that references the parent. */
type Nested = {
  readonly parent: string;
  readonly field: string;
  readonly table: string;
  readonly by: string;
  readonly lists?: (row: Row) => boolean;
};

const isNoUsage = (row: Row): boolean => row['kind'] !== 'usage.recorded';

const nested: readonly Nested[] = [
  { parent: 'Customer', field: 'subscriptions', table: 'Subscription', by: 'customerId' },
  { parent: 'Customer', field: 'invoices', table: 'Invoice', by: 'customerId' },
  { parent: 'Customer', field: 'transactions', table: 'Transaction', by: 'customerId' },
  { parent: 'Customer', field: 'payments', table: 'Payment', by: 'customerId' },
  { parent: 'Customer', field: 'usageEvents', table: 'UsageEvent', by: 'customerId' },
  { parent: 'Customer', field: 'emails', table: 'EmailNotification', by: 'customerId' },
  { parent: 'Customer', field: 'events', table: 'Event', by: 'customerId', lists: isNoUsage },
  { parent: 'Subscription', field: 'invoices', table: 'Invoice', by: 'subscriptionId' },
  { parent: 'Subscription', field: 'transactions', table: 'Transaction', by: 'subscriptionId' },
  { parent: 'Subscription', field: 'events', table: 'Event', by: 'subscriptionId', lists: isNoUsage },
  { parent: 'Webhook', field: 'deliveries', table: 'WebhookDelivery', by: 'webhookId' },
];

let t: TestApp;
let worldOf: (list: ListCase) => World;

beforeAll(async () => {
  t = await startApp({ writesEvents: true });
  const { query } = t.app.database;
  for (const environmentId of [t.sandboxId, t.liveId]) await makeListRows(query, environmentId, 120);
  // Assigns the rows to a few parents, so that each parent has many rows.
  for (const [table, column, prefix, place = 'seq'] of [
    ['Invoice', 'customerId', 'cus_list'],
    ['Invoice', 'subscriptionId', 'sub_list'],
    ['Transaction', 'customerId', 'cus_list'],
    ['Transaction', 'subscriptionId', 'sub_list'],
    ['Payment', 'customerId', 'cus_list'],
    ['EmailNotification', 'customerId', 'cus_list'],
    ['Event', 'customerId', 'cus_list', 'position'],
    ['Event', 'subscriptionId', 'sub_list', 'position'],
  ] as const)
    await query(
      `UPDATE "${table}" SET "${column}" = '${prefix}' || (1 + ${place} % 5)::text WHERE "${column}" IS NOT NULL`,
    );
  // Distributes only canceled subscriptions, because a customer can have only one subscription that isn't canceled.
  await query(
    `UPDATE "Subscription" SET "customerId" = 'cus_list' || (1 + seq % 5)::text WHERE status = 'canceled'`,
  );
  // Rows that belong to a subscription also belong to the subscription's customer.
  for (const table of ['Invoice', 'Transaction', 'Event', 'UsageEvent'])
    await query(
      `UPDATE "${table}" t SET "customerId" = s."customerId" FROM "Subscription" s
       WHERE s."environmentId" = t."environmentId" AND s.id = t."subscriptionId"`,
    );
  worldOf = await readWorlds(t);
}, 120_000);
afterAll(() => t.close());

const caseOf = ({ table }: Nested): ListCase => {
  const found = listCases.find((list) => list.table === table);
  if (found === undefined) throw new Error(`${table} is no list.`);
  return found;
};

/** Returns the rows for each of the six parents with the most rows. */
function rowsByParent(one: Nested): Map<string, Row[]> {
  const { lists = () => true, by } = one;
  const rows = worldOf(caseOf(one)).rows.filter((row) => lists(row) && row[by] !== null);
  const parents = [...Map.groupBy(rows, (row) => String(row[by]))];
  return new Map(parents.toSorted(([, a], [, b]) => b.length - a.length).slice(0, 6));
}

type Page = {
  readonly nodes: readonly { readonly id: string }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly totalCount: { readonly value: number };
};

const shown = '{ nodes { id } pageInfo { hasNextPage endCursor } totalCount { value } }';

/** Returns the first page of the nested list for each parent. */
async function ask(
  { parent, field }: Nested,
  ids: readonly string[],
  args: Readonly<Record<string, unknown>>,
): Promise<Map<string, Page>> {
  const { declared, passed } = listVariables(parent, field);
  const { nodes } = await t.graphql<{ nodes: ({ id: string; page: Page } | null)[] }>(
    `query ($ids: [ID!]!, ${declared}) { nodes(ids: $ids) { id ... on ${parent} { page: ${field}${passed} ${shown} } } }`,
    { ids, ...args },
  );
  return new Map(nodes.flatMap((node) => (node === null ? [] : [[node.id, node.page]])));
}

const idsOf = (page: Page | undefined): string[] => (page?.nodes ?? []).map(({ id }) => id);

/** Compares each parent's first 100 rows with the expected rows. */
async function compare(
  one: Nested,
  args: Readonly<Record<string, unknown>>,
  expected: (rows: readonly Row[]) => string[],
): Promise<number> {
  const parents = rowsByParent(one);
  const pages = await ask(one, [...parents.keys()], { ...args, first: 100 });
  let found = 0;
  for (const [id, rows] of parents) {
    const wanted = expected(rows);
    expect(idsOf(pages.get(id)), `${id} ${JSON.stringify(args)}`).toEqual(wanted);
    expect(pages.get(id)?.totalCount.value).toBe(wanted.length);
    found += wanted.length;
  }
  return found;
}

describe.each(nested.map((one) => [`${one.parent}.${one.field}`, one] as const))(
  'the nested list %s',
  (_name, one) => {
    const list = caseOf(one);

    test("filters each parent's rows by every filter field", async () => {
      const world = worldOf(list);
      expect(rowsByParent(one).size).toBeGreaterThan(1);
      let found = 0;
      for (const [name, { values, passes }] of Object.entries(list.members))
        for (const value of values)
          found += await compare(one, { filter: { [name]: value } }, (rows) =>
            usualIds(
              list,
              rows.filter((row) => passes(row, value as never, world)),
            ),
          );
      expect(found).toBeGreaterThan(0);
    });

    const { search } = list;
    if (search !== undefined)
      test("searches each parent's rows", async () => {
        for (const text of search.texts)
          await compare(one, { search: text }, (rows) =>
            usualIds(
              list,
              rows.filter((row) => search.finds(row, text, worldOf(list))),
            ),
          );
      });

    test("sorts each parent's rows, and continues after a cursor", async () => {
      for (const [by, key] of Object.entries(list.sorts)) {
        for (const direction of ['asc', 'desc'] as const) {
          const sort = { by, direction };
          await compare(one, { sort }, (rows) => sortedIds(rows, key, direction));
          const [[id, rows] = ['', []]] = rowsByParent(one);
          const expected = sortedIds(rows, key, direction);
          const first = (await ask(one, [id], { sort, first: 2 })).get(id);
          expect(first?.pageInfo.hasNextPage).toBe(expected.length > 2);
          const after = first?.pageInfo.endCursor;
          const next = (await ask(one, [id], { sort, first: 3, after })).get(id);
          expect(idsOf(next)).toEqual(expected.slice(2, 5));
        }
      }
    });

    test('uses one statement for all parents, for every combination of arguments', async () => {
      const [[name, { values }] = ['', { values: [] as readonly unknown[] }]] = Object.entries(list.members);
      const [by = ''] = Object.keys(list.sorts);
      const args = {
        filter: { [name]: values[0] },
        sort: { by, direction: 'asc' },
        ...(list.search === undefined ? {} : { search: list.search.texts[0] }),
        first: 3,
      };
      const { declared, passed } = listVariables(one.parent, one.field);
      const operation = `query ($ids: [ID!]!, ${declared}) { nodes(ids: $ids) { ... on ${one.parent} { ${one.field}${passed} { nodes { id } } } } }`;
      const ids = [...rowsByParent(one).keys()];
      const few = await statementsOf(t, operation, { ids: ids.slice(0, 1), ...args });
      const all = await statementsOf(t, operation, { ids, ...args });
      expect(few.statements).toHaveLength(2);
      expect(all.statements).toHaveLength(2);
    });
  },
);

test('nested lists use one statement per level and filter', async () => {
  const { data, statements } = await statementsOf(
    t,
    `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Customer { id subscriptions(sort: { direction: asc }, first: 9) { nodes { id
       paid: invoices(filter: { statuses: [paid] }, sort: { by: total, direction: desc }) { nodes { id } }
       unpaid: invoices(filter: { statuses: [outstanding] }, sort: { by: total, direction: desc }) { nodes { id } } } } } } }`,
    { ids: ['cus_list1', 'cus_list2', 'cus_list3'] },
  );
  // Expects one statement each for customers and subscriptions, and one statement per filter for invoices.
  expect(statements).toHaveLength(4);
  const invoice = listCases.find(({ table }) => table === 'Invoice');
  if (invoice === undefined) throw new Error('There is no list of invoices.');
  type Shown = { id: string; paid: { nodes: object[] }; unpaid: { nodes: object[] } };
  const { nodes } = data as { nodes: { subscriptions: { nodes: Shown[] } }[] };
  const { rows } = worldOf(invoice);
  let compared = 0;
  for (const { id, paid, unpaid } of nodes.flatMap(({ subscriptions }) => subscriptions.nodes)) {
    for (const [page, status] of [
      [paid, 'paid'],
      [unpaid, 'outstanding'],
    ] as const) {
      const own = rows.filter((row) => row['subscriptionId'] === id && row['status'] === status);
      const ids = sortedIds(own, (row) => row['total'] as bigint, 'desc');
      expect(page.nodes).toEqual(ids.slice(0, 25).map((each) => ({ id: each })));
      compared += ids.length;
    }
  }
  expect(compared).toBeGreaterThan(0);
});

describe('a nested list', () => {
  const rejected = async (args: string): Promise<unknown> => {
    const { errors } = await t.graphqlFailure(
      `{ customers(first: 2) { nodes { subscriptions(first: 2) { nodes { invoices${args} { nodes { id } } } } } } }`,
    );
    return errors[0]?.extensions['details'];
  };

  test.each([
    [
      '(filter: { createdAt: { from: "2025-02-01T00:00:00Z", to: "2025-01-01T00:00:00Z" } })',
      'filter.createdAt.to',
      'must be after the start of the range',
    ],
    [
      '(filter: { total: { min: 5, max: 4 } })',
      'filter.total.max',
      "can't be less than the minimum of the range",
    ],
    ['(filter: { statuses: [] })', 'filter.statuses', 'must have at least 1 item'],
    ['(search: "a")', 'search', 'must have at least 2 characters'],
    ['(first: 0)', 'first', 'must be at least 1'],
  ])('rejects the arguments %s', async (args, field, message) => {
    expect(await rejected(args)).toEqual([{ field, message }]);
  });

  test('rejects a cursor from a different sort order', async () => {
    const cursor = (await ask(nested[1] as Nested, ['cus_list1'], { first: 1, sort: { by: 'total' } })).get(
      'cus_list1',
    )?.pageInfo.endCursor;
    const { errors } = await t.graphqlFailure(
      `{ customer(id: "cus_list1") { invoices(first: 1, after: "${cursor}") { nodes { id } } } }`,
    );
    expect(errors[0]?.extensions).toMatchObject({ code: 'validation_error', param: 'after' });
  });
});
