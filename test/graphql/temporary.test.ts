import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isTemporary } from '../../src/graphql/errors.ts';
import { DatabaseBusyError } from '../../src/platform/db/pool.ts';
import { startApp, type TestApp } from '../support/harness.ts';

const coded = (code: string, message = 'failed'): Error => Object.assign(new Error(message), { code });

describe('a failure after which the same request may succeed', () => {
  test.each([
    ['a queue that is full', new DatabaseBusyError('Too much waits.')],
    ['a server that goes down', coded('57P01')],
    ['a disk that is full', coded('53100')],
    ['a server without memory', coded('53200')],
    ['a statement that took too long', coded('57014')],
    ['a transaction that stood still for too long', coded('25P03')],
    ['a connection that is rejected', coded('ECONNREFUSED')],
    ['a connection that was lost', new Error('Connection terminated unexpectedly')],
    [
      'a client that lost its connection before',
      new Error('Client has encountered a connection error and is not queryable'),
    ],
    ['a transaction of Prisma that is over', coded('P2028', 'Transaction not found.')],
    ['a report of the adapter', new Error('ConnectionClosed', { cause: { kind: 'ConnectionClosed' } })],
    [
      "a report of the adapter with the server's code",
      new Error('postgres', { cause: { kind: 'postgres', originalCode: '57P01' } }),
    ],
    [
      'a connection of a coordinator to a node that was lost',
      new Error('outer', { cause: coded('XX000', 'failure on connection marked as essential: node-1:5432') }),
    ],
    [
      'the same in a report of the adapter',
      new Error('postgres', {
        cause: {
          kind: 'postgres',
          originalCode: 'XX000',
          originalMessage: 'failure on connection marked as essential: node-1:5432',
        },
      }),
    ],
    ['any of them under another', new Error('outer', { cause: coded('08006') })],
  ])('is %s', (_what, error) => {
    expect(isTemporary(error)).toBe(true);
  });

  test.each([
    ['a value that must be unique', coded('23505')],
    ['a mistake in the code', new TypeError('undefined is not a function')],
    ['a report about rows', new Error('postgres', { cause: { kind: 'postgres', originalCode: '22P05' } })],
    ['nothing', undefined],
  ])('is not %s', (_what, error) => {
    expect(isTemporary(error)).toBe(false);
  });
});

describe('a database whose disk is full', () => {
  let shop: TestApp;
  beforeAll(async () => {
    shop = await startApp();
  });
  afterAll(() => shop.close());

  test('is met by 503 with Retry-After at every door, until there is space again', async () => {
    const customer = { email: 'full@example.com', externalId: 'full' };
    const create =
      'mutation { customerCreate(input: { email: "full@example.com", externalId: "full" }) { externalId } }';
    await shop.app.database.query(
      `CREATE FUNCTION "diskFull"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full';
       END $$`,
    );
    // Citus makes triggers for who says so.
    const onTrigger = (statement: string) =>
      shop.app.database.query(
        `DO $block$ BEGIN SET LOCAL citus.enable_unsafe_triggers TO on; ${statement}; END $block$`,
      );
    await onTrigger(
      'CREATE TRIGGER "diskFull" BEFORE INSERT ON "Customer" FOR EACH ROW EXECUTE FUNCTION "diskFull"()',
    );
    const rejected = await shop.rest('POST', '/customers', customer);
    expect(rejected.status).toBe(503);
    expect(rejected.headers.get('retry-after')).toBe('1');
    expect(rejected.body).toMatchObject({ error: { code: 'internal_error' } });
    const { errors } = await shop.graphqlFailure(create);
    expect(errors.map(({ extensions }) => [extensions['status'], extensions['retryAfter']])).toEqual([
      [503, 1],
    ]);
    await onTrigger('DROP TRIGGER "diskFull" ON "Customer"');
    await shop.app.database.query('DROP FUNCTION "diskFull"()');
    const [row] = await shop.app.database.query<{ count: bigint }>('SELECT count(*) FROM "Customer"');
    expect(row?.count).toBe(0n);
    expect((await shop.rest('POST', '/customers', customer)).status).toBe(201);
  });
});
