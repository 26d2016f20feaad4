import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DatabaseBusyError } from '../../src/platform/db/pool.ts';
import { isTemporary } from '../../src/platform/db/temporary.ts';
import { startApp, type TestApp } from '../support/harness.ts';

const coded = (code: string, message = 'failed'): Error => Object.assign(new Error(message), { code });

describe('the classification of temporary failures', () => {
  test.each([
    ['a full queue', new DatabaseBusyError('Too much waits.')],
    ['a server shutdown', coded('57P01')],
    ['a full disk', coded('53100')],
    ['a server without memory', coded('53200')],
    ['a statement timeout', coded('57014')],
    ['an idle transaction timeout', coded('25P03')],
    ['a rejected connection', coded('ECONNREFUSED')],
    ['a lost connection', new Error('Connection terminated unexpectedly')],
    [
      'a client that lost its connection earlier',
      new Error('Client has encountered a connection error and is not queryable'),
    ],
    ['an expired Prisma transaction', coded('P2028', 'Transaction not found.')],
    ['an error of the adapter', new Error('ConnectionClosed', { cause: { kind: 'ConnectionClosed' } })],
    [
      "an error of the adapter with the server's code",
      new Error('postgres', { cause: { kind: 'postgres', originalCode: '57P01' } }),
    ],
    [
      'a lost connection between coordinator and node',
      new Error('outer', { cause: coded('XX000', 'failure on connection marked as essential: node-1:5432') }),
    ],
    [
      'a lost connection between coordinator and node in an error of the adapter',
      new Error('postgres', {
        cause: {
          kind: 'postgres',
          originalCode: 'XX000',
          originalMessage: 'failure on connection marked as essential: node-1:5432',
        },
      }),
    ],
    ['a temporary failure as the cause of another error', new Error('outer', { cause: coded('08006') })],
  ])('includes %s', (_what, error) => {
    expect(isTemporary(error)).toBe(true);
  });

  test.each([
    ['a unique constraint violation', coded('23505')],
    ['a programming error', new TypeError('undefined is not a function')],
    [
      'an adapter error about row values',
      new Error('postgres', { cause: { kind: 'postgres', originalCode: '22P05' } }),
    ],
    ['undefined', undefined],
  ])('does not include %s', (_what, error) => {
    expect(isTemporary(error)).toBe(false);
  });
});

describe('a full database disk', () => {
  let shop: TestApp;
  beforeAll(async () => {
    shop = await startApp();
  });
  afterAll(() => shop.close());

  test('causes status 503 with Retry-After over every interface until space is available', async () => {
    const customer = { email: 'full@example.com', externalId: 'full' };
    const create =
      'mutation { customerCreate(input: { email: "full@example.com", externalId: "full" }) { externalId } }';
    await shop.app.database.query(
      `CREATE FUNCTION "diskFull"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full';
       END $$`,
    );
    // Citus creates triggers on distributed tables only with this setting.
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
