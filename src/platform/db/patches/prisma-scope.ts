import { AsyncLocalStorage } from 'node:async_hooks';
import type { SqlDriverAdapterFactory } from '@prisma/client/runtime/client';
import type { Prisma, PrismaClient } from '../../../generated/prisma/client.ts';
import { inStatementSpan } from '../../tracing/spans.ts';
import { withPlainReturning } from './plain-returning.ts';

// Prisma and the driver side by side: which transaction a call is in, and one connection for both of them.

/** A connection of either driver, as far as it is used here. */
export type DriverClient = { readonly query: (...args: never[]) => Promise<{ rows: unknown[] }> };

/** A transaction under way: its connection, and whether Prisma is about to join it. */
export type Scope = { client?: DriverClient; isJoining?: boolean };

/** The transaction of the caller. */
export const scopes = new AsyncLocalStorage<Scope>();

/** Throws when the caller is inside a transaction, where only the derived context may be used. */
export function assertOutsideTransaction(): void {
  if (scopes.getStore()?.client !== undefined)
    throw new Error('The outer database client was used inside a transaction.');
}

const nothing = { rows: [], fields: [], rowCount: 0 };

/** A connection for Prisma in a transaction that is begun, ended and given back by someone else. */
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

/** Makes each statement of a transaction of Prisma a span. */
function spanned<T extends SqlQueryable>(transaction: T): T {
  const { queryRaw, executeRaw } = transaction;
  return Object.assign(transaction, {
    queryRaw: (query: SqlQuery) =>
      inStatementSpan(query.sql, () => queryRaw.call(transaction, withPlainReturning(query))),
    executeRaw: (query: SqlQuery) => inStatementSpan(query.sql, () => executeRaw.call(transaction, query)),
  });
}

/**
 * The Prisma adapter with additions: its outer client rejects to work inside a transaction, the driver's client of a transaction of Prisma is
 * handed to its scope, and Prisma joins a transaction of its scope that was begun without it.
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
          // Both adapters keep the driver's client of the transaction in this field; their types do not say so.
          if (scope !== undefined) scope.client = (transaction as unknown as { client: DriverClient }).client;
          return spanned(transaction);
        },
      });
    },
  };
}

/** Prisma inside a transaction that was begun without it, whether it takes part yet, and how its part ends before the transaction does. */
export type Joined = {
  readonly prisma: Prisma.TransactionClient;
  readonly isOpen: () => boolean;
  readonly end: () => Promise<void>;
};

const unlimited = { maxWait: 60_000, timeout: 2_147_483_647 };

/**
 * Prisma for the open transaction of a scope. It joins when it is first asked for something: most transactions speak to the driver alone, and
 * to open one in Prisma costs more than what many of them do.
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
    // It has the shape of Prisma in a transaction by construction; nothing but methods of models is asked of it.
    prisma: new Proxy({}, { get: (_none, model) => modelOf(String(model)) }) as Prisma.TransactionClient,
    isOpen: () => opened !== null,
    end: async () => {
      over.resolve();
      await ended;
    },
  };
}
