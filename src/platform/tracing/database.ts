import { SpanKind } from '@opentelemetry/api';
import type { Database, Query } from '../db/pool.ts';
import { inSpan, inStatementSpan } from './spans.ts';

const traced =
  (query: Query): Query =>
  (text, params, rowOf) =>
    inStatementSpan(text, () => query(text, params, rowOf));

/** A database whose transactions and statements are spans. Those of Prisma are where its adapter is (`db/patches/prisma-scope.ts`). */
export const tracedDatabase = (database: Database): Database => ({
  ...database,
  query: traced(database.query),
  transaction: (work, limits) =>
    inSpan(
      () => ({
        name: 'transaction',
        kind: SpanKind.INTERNAL,
        attributes: { 'db.system.name': 'postgresql' },
      }),
      () =>
        database.transaction(
          (transaction) =>
            work({
              ...transaction,
              query: traced(transaction.query),
              last: traced(transaction.last),
            }),
          limits,
        ),
    ),
});
