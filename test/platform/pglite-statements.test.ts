import type { PGlite } from '@electric-sql/pglite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { prepareStatements } from '../../src/platform/db/patches/pglite-statements.ts';
import { freshEmbedded, serverUrl } from '../support/template.ts';

describe.skipIf(serverUrl() !== undefined)('the embedded database', () => {
  let client: PGlite;
  /** Number of protocol messages sent to the database. */
  let sent = 0;
  beforeEach(async () => {
    client = await freshEmbedded();
    const send = client.execProtocolStream.bind(client);
    client.execProtocolStream = (message, options) => {
      sent += 1;
      return send(message, options);
    };
    prepareStatements(client);
    await client.exec('CREATE TABLE thing (id int PRIMARY KEY, name text, at timestamptz)');
  });
  afterEach(() => client.close());

  const names = async (): Promise<unknown[]> =>
    (await client.query('SELECT name FROM pg_prepared_statements ORDER BY prepare_time, name')).rows;

  test('parses and describes a statement once, and then sends one group of messages per execution', async () => {
    const insert = (id: number, name: string | null) =>
      client.query('INSERT INTO thing VALUES ($1, $2, $3)', [id, name, new Date(0)]);
    expect((await insert(1, 'ä\u{1F600}')).affectedRows).toBe(1);
    sent = 0;
    expect((await insert(2, null)).affectedRows).toBe(1);
    expect(sent).toBe(1);
    const read = () =>
      client.query('SELECT id, name, at FROM thing WHERE id = ANY($1) ORDER BY id', [[1, 2]]);
    const rows = [
      { id: 1, name: 'ä\u{1F600}', at: new Date(0) },
      { id: 2, name: null, at: new Date(0) },
    ];
    expect((await read()).rows).toEqual(rows);
    expect((await read()).rows).toEqual(rows);
    expect(
      (
        (await client.query('SELECT id, name FROM thing WHERE id = 7')) as { fields: { name: string }[] }
      ).fields.map(({ name }) => name),
    ).toEqual(['id', 'name']);
  });

  test('reports a failed statement, and can execute the statement again', async () => {
    const insert = (id: unknown) => client.query('INSERT INTO thing (id) VALUES ($1)', [id]);
    await insert(1);
    await expect(insert(1)).rejects.toMatchObject({
      code: '23505',
      query: 'INSERT INTO thing (id) VALUES ($1)',
    });
    await expect(insert('x')).rejects.toMatchObject({ code: '22P02' });
    expect((await insert(2)).affectedRows).toBe(1);
    await expect(client.query('SELECT nothing FROM thing')).rejects.toMatchObject({ code: '42703' });
    await expect(client.query('SELECT nothing FROM thing')).rejects.toMatchObject({ code: '42703' });
    expect((await client.query('SELECT count(*)::int AS n FROM thing')).rows).toEqual([{ n: 2 }]);
  });

  test('rejects prepared and unprepared statements after a failure in a transaction, and rolls the transaction back', async () => {
    const insert = 'INSERT INTO thing (id) VALUES ($1)';
    await client.query(insert, [1]);
    const failed = client.transaction(async (tx) => {
      await tx.query(insert, [2]);
      await expect(tx.query(insert, [2])).rejects.toMatchObject({ code: '23505' });
      await expect(tx.query(insert, [3])).rejects.toMatchObject({ code: '25P02' });
      await expect(tx.query('SELECT 5 AS never_before')).rejects.toMatchObject({ code: '25P02' });
      throw new Error('Enough.');
    });
    await expect(failed).rejects.toThrow('Enough.');
    expect((await client.query('SELECT 5 AS never_before')).rows).toEqual([{ never_before: 5 }]);
    expect((await client.query('SELECT id FROM thing')).rows).toEqual([{ id: 1 }]);
  });

  test('prepares neither DDL commands nor statements with explicit parameter types', async () => {
    await client.query('CREATE TABLE other (id int)');
    await client.query('DROP TABLE other');
    await client.query('SELECT $1', ['7'], { paramTypes: [25] });
    expect(await names()).toEqual([{ name: expect.stringMatching(/^q\d+$/) }]);
  });

  test('closes the least recently used prepared statements', async () => {
    await client.query('SELECT 0 AS first');
    await client.query('SELECT 1 AS second');
    for (let n = 0; n < 498; n++) await client.query(`SELECT ${n} AS n`);
    await client.query('SELECT 0 AS first');
    await client.query('SELECT 2 AS third');
    const { rows } = await client.query<{ statement: string }>(
      'SELECT statement FROM pg_prepared_statements',
    );
    const texts = rows.map(({ statement }) => statement);
    expect(texts).toHaveLength(500);
    expect(texts).toContain('SELECT 0 AS first');
    expect(texts).not.toContain('SELECT 1 AS second');
    expect((await client.query('SELECT 1 AS second')).rows).toEqual([{ second: 1 }]);
  });
});
