import { AsyncLocalStorage } from 'node:async_hooks';
import type { SqlDriverAdapterFactory } from '@prisma/client/runtime/client';
import type { Prisma, PrismaClient } from '../../../generated/prisma/client.ts';
import { inStatementSpan } from '../../tracing/spans.ts';
import { withPlainReturning } from './plain-returning.ts';

// Lets Prisma and the driver use the same transaction on the same connection.

/** Common interface of both drivers' connections. */
export type DriverClient = { readonly query: (...args: never[]) => Promise<{ rows: unknown[] }> };

/** Open transaction. `isJoining` is true if Prisma is joining the transaction in this call. */
export type Scope = { client?: DriverClient; isJoining?: boolean };

/** Open transaction of the current asynchronous call chain. */
export const scopes = new AsyncLocalStorage<Scope>();

/** Throws if the caller is inside a transaction. Code inside a transaction must use the transaction's context. */
export function assertOutsideTransaction(): void {
  if (scopes.getStore()?.client !== undefined)
    throw new Error('The outer database client was used inside a transaction.');
}

const nothing = { rows: [], fields: [], rowCount: 0 };

/** Wraps a connection for Prisma. Other code begins and ends the transaction and releases the connection. */
const lent = (client: DriverClient) => ({
  on: () => undefined,
  removeListener: () => undefined,
  release: () => undefined,
  query: (statement: { readonly text: string }) =>
    /^(BEGIN|COMMIT|ROLLBACK)$/.test(statement.text)
      ? Promise.resolve(nothing)
      : client.query(statement as never),
});

type Adapter = Awaited<ReturnType<SqlDriverAdapterFactory['connect']>>;
type SqlQueryable = Pick<Adapter, 'queryRaw' | 'executeRaw'>;
type SqlQuery = Parameters<Adapter['queryRaw']>[0];

/** Traces each SQL statement of a Prisma transaction with a span. */
function spanned<T extends SqlQueryable>(transaction: T): T {
  const { queryRaw, executeRaw } = transaction;
  return Object.assign(transaction, {
    queryRaw: (query: SqlQuery) =>
      inStatementSpan(query.sql, () => queryRaw.call(transaction, withPlainReturning(query))),
    executeRaw: (query: SqlQuery) => inStatementSpan(query.sql, () => executeRaw.call(transaction, query)),
  });
}

/**
 * Extends the Prisma adapter. The client for use outside transactions throws if it's used inside a transaction, the
 * driver's client is stored in the scope, and Prisma can join an open transaction.
 */
export function watched(factory: SqlDriverAdapterFactory): SqlDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => {
      const adapter = await factory.connect();
      const { queryRaw, executeRaw, startTransaction } = adapter;
      return Object.assign(adapter, {
        queryRaw: (query: SqlQuery) => {
          assertOutsideTransaction();
          return inStatementSpan(query.sql, () => queryRaw.call(adapter, withPlainReturning(query)));
        },
        executeRaw: (query: SqlQuery) => {
          assertOutsideTransaction();
          return inStatementSpan(query.sql, () => executeRaw.call(adapter, query));
        },
        startTransaction: async (isolation?: Parameters<typeof startTransaction>[0]) => {
          const scope = scopes.getStore();
          if (scope?.isJoining === true && scope.client !== undefined) {
            const client = lent(scope.client);
            return spanned(
              await startTransaction.call(
                Object.create(adapter, { client: { value: { connect: async () => client } } }),
                isolation,
              ),
            );
          }
          assertOutsideTransaction();
          const transaction = await startTransaction.call(adapter, isolation);
          // The cast is safe because both adapters store the driver's client in the untyped field `client`.
          if (scope !== undefined) scope.client = (transaction as unknown as { client: DriverClient }).client;
          return spanned(transaction);
        },
      });
    },
  };
}

/** Prisma client that joins an open transaction. Prisma must leave the transaction before the transaction ends. */
export type Joined = {
  readonly prisma: Prisma.TransactionClient;
  readonly isOpen: () => boolean;
  readonly end: () => Promise<void>;
};

const unlimited = { maxWait: 60_000, timeout: 2_147_483_647 };

/**
 * Returns a Prisma client for an open transaction. The client joins on first use, because most transactions only use the driver, and joining takes
 * longer than many of these transactions.
 */
export function joining(prisma: PrismaClient, scope: Scope): Joined {
  const over = Promise.withResolvers<void>();
  let ended: Promise<unknown> | null = null;
  let opened: Promise<Prisma.TransactionClient> | null = null;
  const open = (): Promise<Prisma.TransactionClient> => {
    opened ??= new Promise((resolve, reject) => {
      scope.isJoining = true;
      ended = prisma.$transaction((transaction) => {
        scope.isJoining = false;
        resolve(transaction);
        return over.promise;
      }, unlimited);
      ended.catch((error: unknown) => {
        scope.isJoining = false;
        reject(error);
      });
    });
    return opened;
  };
  type Methods = Readonly<Record<string, (args: object) => Promise<unknown>>>;
  const modelOf = (model: string): Methods =>
    new Proxy<Methods>(
      {},
      {
        get: (_none, method) => async (args: object) => {
          const methods = (await open())[model as 'setting'] as unknown as Methods;
          return methods[String(method)]?.(args);
        },
      },
    );
  return {
    // The cast is safe because callers use only the model methods, which the proxy provides.
    prisma: new Proxy({}, { get: (_none, model) => modelOf(String(model)) }) as Prisma.TransactionClient,
    isOpen: () => opened !== null,
    end: async () => {
      over.resolve();
      await ended;
    },
  };
}
