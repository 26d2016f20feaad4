import type { Context } from '../../context.ts';
import type { Query } from '../../infra/db.ts';

type Methods = Readonly<Record<string, (args: object) => Promise<unknown>>>;

/** The same object of asynchronous methods, each of them called once `before` is over. */
const methodsAfter = (methods: Methods, before: () => Promise<void>): Methods =>
  new Proxy(methods, {
    get: (target, name) => async (args: object) => {
      await before();
      return target[String(name)]?.(args);
    },
  });

/** The same models, each of their methods called once `before` is over. */
const modelsAfter = <T extends object>(models: T, before: () => Promise<void>): T =>
  new Proxy(models, { get: (target, name) => methodsAfter(target[name as keyof T] as Methods, before) });

/**
 * The context of a transaction whose writes are still to come. Whoever asks the database for something in it has them made before, so that it
 * finds what will be committed; mostly nobody does, and they are made together with what comes last.
 */
export function writtenBefore(tx: Context, write: () => Promise<void>): Context {
  if (tx.transaction === null) throw new Error('Writes are made in a transaction.');
  const queryAfter =
    (query: Query): Query =>
    async (...given) => {
      await write();
      return query(...given);
    };
  const { prisma, query } = tx.transaction;
  return {
    ...tx,
    db: modelsAfter(tx.db, write),
    sql: queryAfter(tx.sql),
    transaction: { ...tx.transaction, prisma: modelsAfter(prisma, write), query: queryAfter(query) },
  };
}
