import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Aggregate,
  type ChangeSet,
  hasChanges,
  mergeChanges,
} from '../../src/domain/subscription/state/aggregate.ts';
import { Draft } from '../../src/domain/subscription/state/draft.ts';
import {
  appendedTables,
  changingTables,
  type LoadedTable,
  loadedTables,
  type TableName,
  tableNames,
  tables,
} from '../../src/domain/subscription/state/tables.ts';
import { countNumbers, numberRows } from '../../src/engine/effects/number.ts';
import { loadAggregates } from '../../src/engine/load/load.ts';
import { memorySeqs, stored } from '../../src/engine/load/reload.ts';
import { fieldNames, storedTables, writtenTables } from '../../src/engine/load/tables.ts';
import { computeTax } from '../../src/modules/organization/tax-registrations/compute-tax.ts';
import { modelFields } from '../../src/platform/db/datamodel.ts';
import type { App } from '../../src/request/context.ts';
import { inTransaction } from '../../src/request/transaction.ts';
import { World } from '../domain/subscription/world.ts';
import {
  addCustomers,
  addPlan,
  closeApp,
  fresh,
  MovableClock,
  newEnvironment,
  openApp,
} from '../support/billing-world.ts';
import { noChanges } from '../support/change-sets.ts';

let app: App;

beforeAll(async () => {
  app = await openApp(new MovableClock('2027-01-31T09:30:00.000Z'));
});
afterAll(() => closeApp(app));

const isChanging = (table: TableName): boolean => tables[table].kind === 'changing';
const hasSeq = (table: TableName): boolean => tables[table].kind !== 'part';

/** Row with the fields that numbering needs, valid for any table. */
const row = { id: 'new', seq: null, number: null, buyerId: 'pty_buyer', sellerId: 'pty_seller' };

/** Returns a change set with one new row. */
const oneRow = (table: TableName): ChangeSet => ({
  ...noChanges,
  [table]: isChanging(table) ? new Map([[row.id, { flag: 'new', row }]]) : [row],
});

const draftOf = (aggregate: Aggregate): Draft =>
  new Draft(
    aggregate,
    { dueAt: new Date('2027-01-31'), now: new Date('2027-01-31') },
    {
      newId: (prefix) => prefix,
      tax: computeTax,
    },
  );

test('a domain table is either updatable or append-only, and is written once', () => {
  expect([...changingTables, ...appendedTables].toSorted()).toEqual(tableNames.toSorted());
  expect(writtenTables.toSorted()).toEqual(tableNames.toSorted());
  expect(fieldNames).toEqual(expect.arrayContaining([...loadedTables]));
});

describe.each(tableNames)('the domain table %s', (table) => {
  const { model } = storedTables[table];

  test('has a Prisma model with a sequence number, unless its rows belong to rows in another table', () => {
    const columns = (modelFields.get(model) ?? []).map(({ name }) => name);
    expect(columns).toContain('id');
    expect(columns.includes('seq')).toBe(hasSeq(table));
  });

  test("is included in a decision's changes, and in the next aggregate if the aggregate contains the table", () => {
    const draft = draftOf(new World('2027-01-31').aggregate);
    const provided: unknown = draft[table];
    if (isChanging(table)) (provided as { add: (row: object) => void }).add(row);
    else (provided as object[]).push({ ...row, creditId: null });
    const { changes, aggregate } = draft.finish({ kind: 'park' });
    expect(hasChanges(changes)).toBe(true);
    if (isChanging(table)) expect([...(changes[table] as Map<string, object>).keys()]).toEqual([row.id]);
    else expect(changes[table]).toHaveLength(1);
    if (loadedTables.includes(table as LoadedTable)) expect(aggregate[table as LoadedTable]).toContain(row);
  });

  test('is detected in a change set, both alone and merged with an empty change set', () => {
    const set = oneRow(table);
    expect(hasChanges(noChanges)).toBe(false);
    expect(hasChanges(set)).toBe(true);
    expect(mergeChanges(noChanges, set)[table]).toEqual(set[table]);
    expect(mergeChanges(set, noChanges)[table]).toEqual(set[table]);
  });

  test('assigns the next sequence number to each new row, and reserves one number per row', () => {
    const sets = [oneRow(table), oneRow(table)];
    const numbers = { seq: 7n, invoiceNumber: 3n, creditNoteNumber: 5n, position: 0n };
    const rows = numberRows(sets, numbers, new Map(), []);
    expect(countNumbers(sets, []).seq).toBe(hasSeq(table) ? 2 : 0);
    expect(rows[table].added.map((added) => ('seq' in added ? added.seq : null))).toEqual(
      hasSeq(table) ? [7n, 8n] : [null, null],
    );
    expect(rows[table].changed).toEqual([]);
  });

  test('is written after the tables that it references', () => {
    const orders = new Map(writtenTables.map((name, order) => [storedTables[name].model as string, order]));
    const own = orders.get(model) ?? -1;
    const parents = (modelFields.get(model) ?? []).filter(
      (field) => field.kind === 'object' && field.relationFromFields?.length !== 0,
    );
    const late = parents.filter(({ type }) => type !== model && (orders.get(type) ?? -1) > own);
    expect(late.map(({ name }) => name)).toEqual([]);
  });
});

test.each(loadedTables)(
  'a stored row in the table %s gets a sequence number in memory above all database values',
  (table) => {
    const { aggregate } = new World('2027-01-31');
    const again = stored({ ...aggregate, [table]: [row] }, memorySeqs());
    expect(again[table].map(({ seq }) => seq)).toEqual([1n << 62n]);
  },
);

test('an aggregate contains all fields for every customer', async () => {
  const ctx = await newEnvironment(app);
  await addPlan(ctx, 'monthly', 'monthly', 1_900n);
  const ids = await addCustomers(ctx, 'c', 2);
  const now = new Date('2027-01-31T09:30:00.000Z');
  const aggregates = await inTransaction(await fresh(ctx), (tx) =>
    loadAggregates(
      tx,
      ids.map((customerId) => ({
        customerId,
        command: { kind: 'subscription.create', dueAt: now, now, selection: { planId: 'pln_monthly' } },
      })),
    ),
  );
  expect([...aggregates.keys()]).toEqual(ids);
  for (const aggregate of aggregates.values()) {
    expect(Object.keys(aggregate).toSorted()).toEqual(['customer', ...fieldNames].toSorted());
    for (const table of loadedTables) expect(aggregate[table]).toEqual([]);
  }
});
