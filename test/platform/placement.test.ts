import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { globalModels } from '../../src/domain/rows/tenancy.ts';
import {
  inOrderOfKeys,
  placementOf,
  placingStatement,
  tablesInOrder,
} from '../../src/platform/db/placement.ts';
import { freshDatabase } from '../support/template.ts';

// Placement of tables in a distributed database, as far as it can be tested without a distributed database.

let opened: Awaited<ReturnType<typeof freshDatabase>>;
let tables: string[];
beforeAll(async () => {
  opened = await freshDatabase();
  tables = await tablesInOrder(opened.database.query);
});
afterAll(async () => {
  await opened.database.close();
  await opened.drop();
});

type Key = { source: string; target: string; columns: string[] };

const keys = (): Promise<Key[]> =>
  opened.database.query<Key>(
    `SELECT s.relname AS source, t.relname AS target, (SELECT array_agg(a.attname::text ORDER BY k.place)
       FROM unnest(c.conkey) WITH ORDINALITY k(number, place), pg_attribute a WHERE a.attrelid = s.oid AND a.attnum = k.number) AS columns
     FROM pg_constraint c JOIN pg_class s ON s.oid = c.conrelid JOIN pg_class t ON t.oid = c.confrelid
     WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace`,
  );

describe('the placement of tables', () => {
  it('distributes the tables that have environments, and assigns every table to a placement', () => {
    const placed = Map.groupBy(tables, placementOf);
    const globals = new Set<string>([...globalModels, '_prisma_migrations']);
    expect(placed.get('distributed')?.filter((table) => globals.has(table))).toEqual(['EnvironmentLease']);
    expect(placed.get('reference')?.toSorted()).toEqual([
      'AiModel',
      'AiModelPrice',
      'Environment',
      'Organization',
    ]);
    expect((placed.get('local')?.length ?? 0) + 4).toBe(globals.size - 1);
  });

  it('lists each table after the tables that its foreign keys reference', async () => {
    const places = new Map(tables.map((table, place) => [table, place]));
    const late = (await keys()).filter(
      ({ source, target }) => source !== target && (places.get(source) ?? -1) < (places.get(target) ?? 0),
    );
    expect(late).toEqual([]);
  });

  it('allows only foreign keys that a distributed database can check', async () => {
    const wrong = (await keys()).filter(({ source, target, columns }) => {
      const [from, to] = [placementOf(source), placementOf(target)];
      if (to === 'distributed') return from !== 'distributed' || columns[0] !== 'environmentId';
      return to === 'local' && from !== 'local';
    });
    expect(wrong).toEqual([]);
  });
});

describe('the placement of a table', () => {
  it("can't be determined for an unlisted table without an environment", () => {
    expect(() => placementOf('Nowhere')).toThrow(
      'The table Nowhere has no environment, and domain/rows/tenancy.ts does not name it.',
    );
  });

  it.each([
    ['Setting', 'Event', null],
    ['Organization', null, `SELECT create_reference_table('"Organization"')`],
    [
      'Event',
      null,
      `SELECT create_distributed_table('"Event"', 'environmentId', colocate_with => 'none', shard_count => 64)`,
    ],
    [
      'Invoice',
      'Event',
      `SELECT create_distributed_table('"Invoice"', 'environmentId', colocate_with => '"Event"')`,
    ],
  ])('is created for %s, colocated with %s, by the statement %s', (table, beside, statement) => {
    expect(placingStatement(table, beside)).toBe(statement);
  });

  it("comes after the tables that the table's foreign keys reference, and cycles are rejected", () => {
    const cycle = [
      { source: 'A', target: 'B' },
      { source: 'B', target: 'A' },
    ];
    expect(inOrderOfKeys(['C', 'B', 'A'], [{ source: 'A', target: 'B' }])).toEqual(['B', 'C', 'A']);
    expect(() => inOrderOfKeys(['A', 'B', 'C'], cycle)).toThrow('Foreign keys form a cycle: A, B.');
  });
});
