import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { declaredLists } from '../../src/graphql/reading/lists.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { type ListCase, listCases, type Row, type World } from '../support/list-cases.ts';
import { makeListRows } from '../support/list-rows.ts';
import { listVariables, readWorlds, sortedIds, usualIds } from '../support/list-worlds.ts';

// Compares filtered, searched, and sorted lists with the same operations in JavaScript. A second environment has rows with the same IDs, so
// that the tests detect missing isolation.

const count = 120;

let t: TestApp;
let worldOf: (list: ListCase) => World;

beforeAll(async () => {
  t = await startApp({ writesEvents: true });
  const { query } = t.app.database;
  for (const environmentId of [t.sandboxId, t.liveId]) await makeListRows(query, environmentId, count);
  worldOf = await readWorlds(t);
}, 120_000);
afterAll(() => t.close());

/** Returns the test rows in a list's table. */
const rowsOf = (table: string): readonly Row[] => {
  const list = listCases.find((each) => each.table === table);
  return list === undefined ? [] : worldOf(list).rows;
};

type Connection = {
  readonly nodes: readonly { readonly id: string }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  readonly totalCount: { readonly value: number; readonly isExact: boolean };
};

const fields =
  '{ nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount { value isExact } }';

async function ask(list: ListCase, args: Readonly<Record<string, unknown>>): Promise<Connection> {
  const { declared, passed } = listVariables('Query', list.field);
  const data = await t.graphql<Record<string, Connection>>(
    `query (${declared}) { ${list.field}${passed} ${fields} }`,
    args,
  );
  const connection = data[list.field];
  if (connection === undefined) throw new Error(`${list.field} answered nothing.`);
  return connection;
}

/** Returns all rows of a list, read page by page. Expects every page to report the number of rows. */
async function walk(list: ListCase, args: Readonly<Record<string, unknown>>): Promise<string[]> {
  const ids: string[] = [];
  const totals: Connection['totalCount'][] = [];
  let after: string | null = null;
  do {
    const page: Connection = await ask(list, { ...args, first: 100, ...(after === null ? {} : { after }) });
    ids.push(...page.nodes.map(({ id }) => id));
    totals.push(page.totalCount);
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null);
  expect(totals).toEqual(totals.map(() => ({ value: ids.length, isExact: true })));
  return ids;
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Converts a GraphQL filter to REST query parameters. */
const queryOf = (filter: Readonly<Record<string, unknown>>): [string, string][] =>
  Object.entries(filter).flatMap(([name, value]): [string, string][] => {
    if (Array.isArray(value)) return [[name, value.join(',')]];
    if (typeof value !== 'object' || value === null) return [[name, String(value)]];
    return Object.entries(value).map(([end, bound]) => [`${name}${capital(end)}`, String(bound)]);
  });

/** Returns all rows of a list, read page by page over REST. */
async function walkRest(route: string, query: readonly [string, string][]): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const more: [string, string][] = cursor === undefined ? [] : [['cursor', cursor]];
    const text = new URLSearchParams([...query, ['limit', '100'], ...more]);
    const { status, body } = await t.rest<{ data: { id: string }[]; nextCursor?: string }>(
      'GET',
      `${route}?${text}`,
    );
    expect(status).toBe(200);
    ids.push(...body.data.map(({ id }) => id));
    cursor = body.nextCursor;
  } while (cursor !== undefined);
  return ids;
}

test('tests every declared list', () => {
  expect(
    declaredLists()
      .map(({ model }) => model)
      .sort(),
  ).toEqual(listCases.map(({ table }) => table).sort());
});

describe.each(listCases.map((list) => [list.field, list] as const))('the list %s', (_field, list) => {
  const declared = declaredLists().find(({ model }) => model === list.table);

  test('has exactly the tested filters and sort orders', () => {
    expect(Object.keys(declared?.filter ?? {}).sort()).toEqual(Object.keys(list.members).sort());
    expect(Object.keys(declared?.sort ?? {}).sort()).toEqual(Object.keys(list.sorts).sort());
    expect(declared?.search === undefined).toBe(list.search === undefined);
  });

  test('lists exactly the rows in its environment', async () => {
    const ids = usualIds(list, worldOf(list).rows);
    expect(ids.length).toBeGreaterThan(count / 2);
    expect(await walk(list, {})).toEqual(ids);
  });

  test.each(Object.entries(list.members))('filters by %s', async (name, { values, passes }) => {
    const world = worldOf(list);
    for (const value of values) {
      const expected = usualIds(
        list,
        world.rows.filter((row) => passes(row, value as never, world)),
      );
      const filter = { [name]: value };
      expect(await walk(list, { filter }), JSON.stringify(filter)).toEqual(expected);
      if (list.route !== undefined)
        expect(await walkRest(list.route, queryOf({ [name]: value }))).toEqual(expected);
    }
  });

  test('filters by several fields at the same time', async () => {
    const world = worldOf(list);
    const [[one, first], [other, second]] = Object.entries(list.members) as [
      [string, ListCase['members'][string]],
      [string, ListCase['members'][string]],
    ];
    const [a, b] = [first.values[0], second.values[0]];
    const expected = world.rows.filter(
      (row) => first.passes(row, a as never, world) && second.passes(row, b as never, world),
    );
    const filter = { [one]: a, [other]: b };
    expect(await walk(list, { filter })).toEqual(usualIds(list, expected));
  });

  if (list.search !== undefined) {
    const { texts, finds } = list.search;
    test.each(texts)('finds %s', async (text) => {
      const world = worldOf(list);
      const expected = usualIds(
        list,
        world.rows.filter((row) => finds(row, text, world)),
      );
      expect(await walk(list, { search: text })).toEqual(expected);
      if (list.route !== undefined) expect(await walkRest(list.route, [['search', text]])).toEqual(expected);
    });

    test('rejects a search text that is too short for the index', async () => {
      const { errors } = await t.graphqlFailure(`{ ${list.field}(search: "a") { nodes { id } } }`);
      expect(errors[0]?.extensions).toMatchObject({
        code: 'validation_error',
        details: [{ field: 'search', message: 'must have at least 2 characters' }],
      });
    });
  }

  describe.each(Object.keys(list.sorts).flatMap((by) => [[by, 'asc'] as const, [by, 'desc'] as const]))(
    'sorted by %s %s',
    (by, direction) => {
      const sort = { by, direction };
      const expectedIds = () => {
        const key = list.sorts[by];
        if (key === undefined) throw new Error(`${list.field} is not sorted by ${by}.`);
        return sortedIds(worldOf(list).rows, key, direction);
      };

      test('returns every row once, forward and backward, and reports whether adjacent pages exist', async () => {
        const ids = expectedIds();
        const size = 37;
        let after: string | null = null;
        let start = '';
        for (let from = 0; from < ids.length; from += size) {
          const page: Connection = await ask(list, {
            sort,
            first: size,
            ...(after === null ? {} : { after }),
          });
          expect(page.nodes.map(({ id }) => id)).toEqual(ids.slice(from, from + size));
          expect(page.pageInfo).toMatchObject({
            hasPreviousPage: from > 0,
            hasNextPage: from + size < ids.length,
          });
          after = page.pageInfo.endCursor;
          start = page.pageInfo.startCursor ?? '';
        }
        // Reads the pages backward, starting before the first row of the last page.
        let before = start;
        const last = Math.floor((ids.length - 1) / size) * size;
        for (let to = last; to > 0; to -= size) {
          const page = await ask(list, { sort, last: size, before });
          expect(page.nodes.map(({ id }) => id)).toEqual(ids.slice(Math.max(0, to - size), to));
          expect(page.pageInfo).toMatchObject({ hasPreviousPage: to - size > 0, hasNextPage: true });
          before = page.pageInfo.startCursor ?? '';
        }
        expect((await ask(list, { sort, last: 5 })).nodes.map(({ id }) => id)).toEqual(ids.slice(-5));
      });

      test('returns a cursor for the start of each additional page of 50 rows', async () => {
        const ids = expectedIds();
        const { declared, passed } = listVariables('Query', list.field);
        const { [list.field]: connection } = await t.graphql<
          Record<string, { marks: { cursors: string[]; total: number; isComplete: boolean } }>
        >(
          `query (${declared}) { ${list.field}${passed} { marks(every: 50) { cursors total isComplete } } }`,
          {
            sort,
          },
        );
        expect(connection?.marks).toMatchObject({ total: ids.length, isComplete: true });
        const cursors = connection?.marks.cursors ?? [];
        expect(cursors).toHaveLength(Math.floor((ids.length - 1) / 50));
        for (const [index, after] of cursors.entries()) {
          const { nodes } = await ask(list, { sort, first: 2, after });
          expect(nodes.map(({ id }) => id)).toEqual(ids.slice((index + 1) * 50, (index + 1) * 50 + 2));
        }
      });

      if (list.route !== undefined) {
        const { route } = list;
        test('returns the same rows over REST, and uses descending order by default', async () => {
          const query: [string, string][] = [
            ['sortBy', by],
            ['sortDirection', direction],
          ];
          expect(await walkRest(route, query)).toEqual(expectedIds());
          if (direction === 'desc') {
            const { status, body } = await t.rest<{ data: { id: string }[] }>(
              'GET',
              `${route}?sortBy=${by}&limit=100`,
            );
            expect([status, body.data.map(({ id }) => id)]).toEqual([200, expectedIds().slice(0, 100)]);
          }
        });
      }
    },
  );

  test('rejects a cursor from a different sort order', async () => {
    const { pageInfo } = await ask(list, { first: 1, sort: { direction: 'asc' } });
    const { errors } = await t.graphqlFailure(
      `{ ${list.field}(first: 1, after: "${pageInfo.endCursor}") { nodes { id } } }`,
    );
    expect(errors[0]?.extensions).toMatchObject({
      code: 'validation_error',
      param: 'after',
      details: [
        {
          field: 'after',
          message: expect.stringMatching(
            /^(belongs to another sort order\. Start again without a cursor|must be a cursor that this list returned)$/,
          ),
        },
      ],
    });
  });
});

describe('a page of a list', () => {
  const [list] = listCases;
  if (list === undefined) throw new Error('There are no lists.');
  const ids = () => usualIds(list, worldOf(list).rows);

  test('contains the rows between two cursors', async () => {
    const cursorAt = async (index: number) =>
      (await ask(list, { first: index + 1 })).pageInfo.endCursor ?? '';
    const [after, before] = [await cursorAt(4), await cursorAt(20)];
    const all = await ask(list, { after, before });
    expect(all.nodes.map(({ id }) => id)).toEqual(ids().slice(5, 20));
    expect(all.pageInfo).toMatchObject({ hasPreviousPage: true, hasNextPage: true });
    const last = await ask(list, { after, before, last: 3 });
    expect(last.nodes.map(({ id }) => id)).toEqual(ids().slice(17, 20));
  });

  test('cannot have both first and last', async () => {
    const { errors } = await t.graphqlFailure('{ customers(first: 2, last: 2) { nodes { id } } }');
    expect(errors[0]?.extensions).toMatchObject({
      code: 'validation_error',
      details: [{ field: 'last', message: "can't be combined with first" }],
    });
  });

  test('shows each existing row once, even while rows are added', async () => {
    const before = ids();
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page: Connection = await ask(list, {
        sort: { by: 'name', direction: 'asc' },
        first: 50,
        ...(after === null ? {} : { after }),
      });
      seen.push(...page.nodes.map(({ id }) => id));
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
      const { status } = await t.rest('POST', '/customers', { email: 'new@acme.test', fullName: 'Meyer' });
      expect(status).toBe(201);
    } while (after !== null);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((id) => id.startsWith('cus_list')).sort()).toEqual(before.sort());
  });

  test('limits the row count and the page cursors to the requested number of rows', async () => {
    const { customers } = await t.graphql<Record<string, unknown>>(
      '{ customers { totalCount(upTo: 100) { value isExact } marks(every: 10, upTo: 100) { cursors total isComplete } } }',
    );
    expect(customers).toEqual({
      totalCount: { value: 100, isExact: false },
      marks: { cursors: expect.any(Array), total: 100, isComplete: false },
    });
  });

  test("counts a nested list's rows and checks its adjacent pages for all parents together", async () => {
    const nested = `customers(first: 40, filter: { hasSubscription: true }) { nodes { id
      invoices(last: 2) { nodes { id customerId } totalCount { value isExact } pageInfo { hasPreviousPage hasNextPage } marks(every: 1, upTo: 1000) { total } } } }`;
    type Below = {
      nodes: { id: string; customerId: string }[];
      totalCount: { value: number };
      pageInfo: { hasPreviousPage: boolean; hasNextPage: boolean };
      marks: { total: number };
    };
    const { customers } = await t.graphql<{ customers: { nodes: { id: string; invoices: Below }[] } }>(
      `{ ${nested} }`,
    );
    const invoices = rowsOf('Invoice');
    expect(customers.nodes).toHaveLength(40);
    for (const { id, invoices: page } of customers.nodes) {
      const own = invoices.filter(({ customerId }) => customerId === id);
      const expected = sortedIds(own, ({ createdAt }) => (createdAt as Date).getTime(), 'desc');
      expect(page.nodes.map((node) => node.id)).toEqual(expected.slice(-2));
      expect(page).toMatchObject({
        totalCount: { value: own.length },
        marks: { total: own.length },
        pageInfo: { hasPreviousPage: own.length > 2, hasNextPage: false },
      });
    }
  });

  test('adds up the filtered rows by currency and status', async () => {
    type Totals = { currency: string; status: string; count: number; [sum: string]: string | number }[];
    const text = `{
      invoices(first: 1, filter: { types: [overage, recurring] }) { totals { currency status count total outstanding } }
      transactions(first: 1, filter: { providers: [platform] }) { totals { currency status count amount refunded } }
      payments(first: 1, filter: { kinds: [link] }) { totals { currency status count amount tax } }
      refunds(first: 1, filter: { statuses: [succeeded, failed] }) { totals { currency status count amount } }
      payouts(first: 1, filter: { amount: { min: 1000 } }) { totals { currency status count amount fee } }
      few: invoices { totals(upTo: 10) { count } } }`;
    const { invoices, transactions, payments, refunds, payouts, few } = await t.graphql<{
      invoices: { totals: Totals };
      transactions: { totals: Totals };
      payments: { totals: Totals };
      refunds: { totals: Totals };
      payouts: { totals: Totals };
      few: { totals: null };
    }>(text);
    const sumsOf = (rows: readonly Row[], sums: Record<string, (row: Row) => number>) => {
      const groups = Map.groupBy(rows, (row) => `${String(row['currency'])} ${String(row['status'])}`);
      return [...groups].map(([, own]) => ({
        currency: own[0]?.['currency'],
        status: own[0]?.['status'],
        count: own.length,
        ...Object.fromEntries(
          Object.entries(sums).map(([name, of]) => [name, own.reduce((sum, row) => sum + of(row), 0)]),
        ),
      }));
    };
    const own = rowsOf('Invoice').filter(({ type }) => type === 'overage' || type === 'recurring');
    const expected = sumsOf(own, {
      total: ({ total }) => Number(total),
      outstanding: ({ total, status, finalizedAt }) =>
        status === 'outstanding' && finalizedAt !== null ? Number(total) : 0,
    });
    expect(invoices.totals).toHaveLength(expected.length);
    expect(invoices.totals).toEqual(expect.arrayContaining(expected));
    const attempts = sumsOf(
      rowsOf('Transaction').filter(({ provider }) => provider === 'platform'),
      {
        amount: ({ amountMinor }) => Number(amountMinor),
        refunded: ({ refundedMinor }) => Number(refundedMinor),
      },
    );
    expect(transactions.totals).toHaveLength(attempts.length);
    expect(transactions.totals).toEqual(expect.arrayContaining(attempts));
    const others = [
      {
        totals: payments.totals,
        expected: sumsOf(
          rowsOf('Payment').filter(({ kind }) => kind === 'link'),
          { amount: ({ totalMinor }) => Number(totalMinor), tax: ({ taxMinor }) => Number(taxMinor) },
        ),
      },
      {
        totals: refunds.totals,
        expected: sumsOf(
          rowsOf('Refund').filter(({ status }) => status === 'succeeded' || status === 'failed'),
          { amount: ({ amountMinor }) => Number(amountMinor) },
        ),
      },
      {
        totals: payouts.totals,
        expected: sumsOf(
          rowsOf('Payout')
            .filter(({ amountMinor }) => Number(amountMinor) >= 1000)
            .map((row) => ({ ...row, currency: 'usd' })),
          { amount: ({ amountMinor }) => Number(amountMinor), fee: ({ feeMinor }) => Number(feeMinor) },
        ),
      },
    ];
    for (const { totals, expected: sums } of others) {
      expect(sums.length).toBeGreaterThan(1);
      expect(totals).toHaveLength(sums.length);
      expect(totals).toEqual(expect.arrayContaining(sums));
    }
    expect(few.totals).toBeNull();
  });

  test('rejects empty ranges and reports the field', async () => {
    const { errors } = await t.graphqlFailure(
      '{ invoices(filter: { total: { min: 5, max: 4 } }) { nodes { id } } }',
    );
    expect(errors[0]?.extensions).toMatchObject({ code: 'validation_error', param: 'filter.total.max' });
    const { status, body } = await t.rest('GET', '/invoices?totalMin=5&totalMax=4');
    expect([status, body]).toMatchObject([400, { error: { code: 'validation_error', param: 'totalMax' } }]);
  });
});
