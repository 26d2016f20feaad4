import { describe, expect, test } from 'vitest';
import { isTemporary } from '../../src/graphql/errors.ts';
import { DatabaseBusyError } from '../../src/infra/db.ts';

const coded = (code: string, message = 'failed'): Error => Object.assign(new Error(message), { code });

describe('a failure after which the same request may succeed', () => {
  test.each([
    ['a queue that is full', new DatabaseBusyError('Too much waits.')],
    ['a server that goes down', coded('57P01')],
    ['a connection that is refused', coded('ECONNREFUSED')],
    ['a connection that was lost', new Error('Connection terminated unexpectedly')],
    ['a client that lost its connection before', new Error('Client has encountered a connection error and is not queryable')],
    ['a transaction of Prisma that is over', coded('P2028', 'Transaction not found.')],
    ['a report of the adapter', new Error('ConnectionClosed', { cause: { kind: 'ConnectionClosed' } })],
    ["a report of the adapter with the server's code", new Error('postgres', { cause: { kind: 'postgres', originalCode: '57P01' } })],
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
