import pg from 'pg';

type Callback = (error: Error | null, result: unknown) => void;

const answering =
  (resolve: (result: unknown) => void, reject: (error: Error) => void): Callback =>
  (error, result) =>
    error === null || error === undefined ? resolve(result) : reject(error);

/** Tells where a statement was asked for instead of where its answer was read, as the driver does. */
export function traced(error: Error): never {
  Error.captureStackTrace(error);
  throw error;
}

/**
 * A connection whose promises are made here. The driver's own ones assign a function to a member of an object: those V8 puts among its old
 * objects at once, where they hold on to the statement with all its rows until all of the memory is searched through.
 */
export class AnsweringClient extends pg.Client {
  // The overloads of the driver, of which the callers see the types.
  override query(...given: unknown[]): never {
    const ask = super.query as (...args: unknown[]) => unknown;
    const [statement, values, callback] = given as [{ readonly submit?: unknown }, unknown, unknown];
    if (typeof values === 'function' || typeof callback === 'function' || typeof statement.submit === 'function') {
      return ask.apply(this, given) as never;
    }
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    ask.call(this, statement, values, answering(resolve, reject));
    return promise.catch(traced) as never;
  }
}
