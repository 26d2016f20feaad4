import type { PrismaClient } from '../../generated/prisma/client.ts';
import { assertOutsideTransaction, type DriverClient, type Scope, scopes } from './patches/prisma-scope.ts';
import {
  type Database,
  DatabaseBusyError,
  type Query,
  type Transaction,
  type TransactionLimits,
} from './pool.ts';

const maxAttempts = 5;

/** Default maximum duration of a transaction, in milliseconds. */
export const defaultTransactionMs = 30_000;

const isRetryable = (error: unknown): boolean => {
  const codes = new Set(['P2034', '40P01', '40001']);
  for (
    let cause: unknown = error, depth = 0;
    cause instanceof Error && depth < 4;
    cause = cause.cause, depth++
  ) {
    if ('code' in cause && codes.has(String(cause.code))) return true;
    if (/\b(40P01|40001)\b|TransactionWriteConflict|deadlock detected/.test(cause.message)) return true;
  }
  return false;
};

/** True if Prisma or the pool had no connection in time, or if a Prisma transaction took too long. */
const isBusy = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && error.code === 'P2028' && /Unable to start|expired/.test(error.message)) ||
    error.message === 'timeout exceeded when trying to connect');

/** Function that runs a transaction once, without retries. */
export type Attempt = <T>(
  work: (transaction: Transaction) => Promise<T>,
  limits: Required<TransactionLimits>,
) => Promise<T>;

/** Returns a function that runs transactions and retries after deadlocks and serialization failures. */
export const transactionRunner =
  (attempt: Attempt): Database['transaction'] =>
  async (work, { maxWaitMs = 5_000, timeoutMs = defaultTransactionMs } = {}) => {
    assertOutsideTransaction();
    for (let count = 1; ; count++) {
      try {
        return await attempt(work, { maxWaitMs, timeoutMs });
      } catch (error) {
        if (isBusy(error))
          throw new DatabaseBusyError('No database connection became free in time.', { cause: error });
        if (count >= maxAttempts || !isRetryable(error)) throw error;
      }
    }
  };

/** Runs a transaction that Prisma opens. The driver must send concurrent statements one at a time. */
export const openedByPrisma =
  (prisma: PrismaClient, bind: (client: DriverClient) => Query): Attempt =>
  (work, { maxWaitMs, timeoutMs }) => {
    const scope: Scope = {};
    return scopes.run(scope, () =>
      prisma.$transaction(
        (transaction) => {
          if (scope.client === undefined) throw new Error('The transaction has no driver client.');
          const query = bind(scope.client);
          return work({ prisma: transaction, query, last: query });
        },
        { maxWait: maxWaitMs, timeout: timeoutMs },
      ),
    );
  };
