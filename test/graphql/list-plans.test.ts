import { execute, parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { declaredLists, type List } from '../../src/graphql/reading/lists.ts';
import type { Query } from '../../src/platform/db/pool.ts';
import type { ModelName } from '../../src/platform/db/rows.ts';
import { systemContext } from '../../src/request/context.ts';
import { schema } from '../../src/schema.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { type ListCase, listCases } from '../support/list-cases.ts';
import { makeListRows } from '../support/list-rows.ts';
import { needsOneServer, plansAreRead } from '../support/nodes.ts';

// Each list must have an index for each filter on an indexed column and for each sort order. While other scans are made expensive, no query
// plan may scan a whole table or sort more than a page per value.

let t: TestApp;

beforeAll(async () => {
  t = await startApp({ writesEvents: true });
  await makeListRows(t.app.database.query, t.sandboxId, 2_000);
  await t.app.database.script('ANALYZE');
}, 120_000);
afterAll(() => t.close());

type Variables = Readonly<Record<string, unknown>>;
type Statement = { readonly text: string; readonly params: readonly unknown[] };

/** Returns the statement that reads a list, and the last row's cursor. */
async function readingOf(
  { field }: ListCase,
  { name, search }: List<ModelName>,
  variables: Variables,
): Promise<{ statement: Statement; cursor: string | null }> {
  const statements: Statement[] = [];
  const query: Query = (text, params, rowOf) => {
    statements.push({ text, params: params ?? [] });
    return t.app.database.query(text, params, rowOf);
  };
  const contextValue = await systemContext({ ...t.app, database: { ...t.app.database, query } }, t.sandboxId);
  statements.length = 0;
  const searched = search === undefined ? ['', ''] : [', $search: String', ', search: $search'];
  const { data, errors } = await execute({
    schema,
    document: parse(
      `query($filter: ${name}Filter, $sort: ${name}Sort, $after: String${searched[0]}) {
         ${field}(filter: $filter, sort: $sort, after: $after, first: 20${searched[1]}) { pageInfo { endCursor } } }`,
    ),
    variableValues: variables,
    contextValue,
  });
  expect(errors).toBeUndefined();
  const [statement, ...others] = statements;
  expect(others).toEqual([]);
  if (statement === undefined) throw new Error(`${field} was read without a statement.`);
  const page = data?.[field] as { pageInfo: { endCursor: string | null } };
  return { statement, cursor: page.pageInfo.endCursor };
}

/** Returns a statement's query plan while some execution methods are made expensive. */
async function planOf({ text, params }: Statement, costly: readonly string[]): Promise<string[]> {
  return t.app.database.transaction(async ({ query }) => {
    for (const way of costly) await query(`SET LOCAL enable_${way} = off`);
    const rows = await query<Record<'QUERY PLAN', string>>(`EXPLAIN ${text}`, params);
    return rows.map((row) => row['QUERY PLAN']);
  });
}

/** Returns a plan's unbounded nodes: full scans, and sorts with unlimited input. */
function boundless(plan: readonly string[]): string[] {
  return plan.filter((step, index) => {
    if (/Seq Scan on "?[A-Z]/.test(step)) return true;
    if (!/^\s*(->\s+)?(Incremental )?Sort\b(?! Key)/.test(step)) return false;
    const depth = step.search(/\S/);
    const below = plan.slice(index + 1);
    const end = below.findIndex((other) => /->/.test(other) && other.search(/\S/) <= depth);
    return !below.slice(0, end < 0 ? undefined : end).some((other) => /->\s+Limit\b/.test(other));
  });
}

const detours = ['seqscan', 'sort', 'incremental_sort', 'bitmapscan'];

/** Returns the query plans for a list's first page and for a later page. */
async function plansOf(list: ListCase, declared: List<ModelName>, variables: Variables): Promise<string[][]> {
  const first = await readingOf(list, declared, variables);
  const { cursor: after } =
    first.cursor === null ? await readingOf(list, declared, { sort: variables['sort'] }) : first;
  const later = await readingOf(list, declared, { ...variables, after });
  return Promise.all([planOf(first.statement, detours), planOf(later.statement, detours)]);
}

describe.skipIf(needsOneServer(plansAreRead)).each(listCases.map((list) => [list.field, list] as const))(
  'the query plan of %s',
  (_field, list) => {
    const declared = declaredLists().find(({ model }) => model === list.table);
    if (declared === undefined) throw new Error(`${list.field} is not declared.`);

    const sorts = Object.entries(declared.sort).flatMap(([by, { index }]) =>
      ['asc', 'desc'].map((direction) => ({ by, direction, index })),
    );

    test.each(sorts)('uses $index to sort by $by $direction', async ({ by, direction, index }) => {
      for (const plan of await plansOf(list, declared, { sort: { by, direction } })) {
        expect(boundless(plan), plan.join('\n')).toEqual([]);
        expect(plan.join('\n')).toContain(index);
      }
    });

    test.each(Object.entries(list.members))(
      'avoids full table scans and full sorts to filter by %s',
      async (name, { values }) => {
        for (const { by, direction } of sorts) {
          const filter = { [name]: values[0] };
          const [first, later] = await plansOf(list, declared, { filter, sort: { by, direction } });
          for (const plan of [first, later]) expect(boundless(plan ?? []), plan?.join('\n')).toEqual([]);
        }
      },
    );

    const indexed = Object.entries(declared.filter).flatMap(([name, { index, indexFor }]) => {
      const values = (list.members[name]?.values ?? []) as readonly (readonly string[])[];
      return values.slice(0, indexFor === undefined ? 1 : undefined).flatMap((value) => {
        const found = indexFor?.(value, name) ?? index;
        return found === undefined ? [] : [{ name, value, index: found.name }];
      });
    });
    test.each(indexed)('uses $index to filter by $name $value', async ({ name, value, index }) => {
      for (const plan of await plansOf(list, declared, { filter: { [name]: value } })) {
        expect(plan.join('\n')).toContain(index);
        expect(boundless(plan), plan.join('\n')).toEqual([]);
      }
    });
  },
);

test.skipIf(needsOneServer(plansAreRead))('the index check detects a plan without an index', async () => {
  const text = `SELECT id FROM "Customer" t WHERE t."environmentId" = $1 ORDER BY t.timezone LIMIT 20`;
  const plan = await planOf({ text, params: [t.sandboxId] }, detours);
  expect(boundless(plan)).toEqual([expect.stringContaining('Sort')]);
});
