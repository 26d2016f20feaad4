import { SpanKind } from '@opentelemetry/api';
import type { Database, Query } from '../db/pool.ts';
import { inSpan, inStatementSpan } from './spans.ts';

const traced =
  (query: Query): Query =>
  (text, params, rowOf) =>
    inStatementSpan(text, () => query(text, params, rowOf));

/**
 * Wraps a database so that its transactions and statements create tracing spans. The Prisma adapter creates its own spans
 * (`db/patches/prisma-scope.ts`).
 */
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
