import type { Socket } from 'node:net';
import pg, { type QueryResult } from 'pg';
import { type Answered, describedBy, PreparedQuery, type Statement } from './prepared-query.ts';

const answering =
  (resolve: (result: QueryResult) => void, reject: (error: Error) => void): Answered =>
  (error, result) =>
    error === null || error === undefined ? resolve(result) : reject(error);

/** Adds the stack trace of the statement's caller to an error and throws it, as the driver does. */
export function traced(error: Error): never {
  Error.captureStackTrace(error);
  throw error;
}

/**
 * Client that creates its own promises. The driver's promises store closures in objects that V8 promotes to the old generation. These objects would
 * keep statements and their rows in memory until a full garbage collection.
 */
export class AnsweringClient extends pg.Client {
  #isWaiting = false;
  #silenceMs = 0;

  get #stream(): Socket {
    return (this as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream;
  }

  /** Closes the connection. The running statement fails with `reason`. */
  cut(reason: Error): void {
    this.#stream.destroy(reason);
  }

  /**
   * Closes the connection if an expected response doesn't arrive in time. The driver's own timeout needs a timer per statement and doesn't support
   * groups of statements.
   */
  limitSilence(milliseconds: number): void {
    const stream = this.#stream;
    if (this.#silenceMs === 0) {
      this.on('drain', () => {
        this.#isWaiting = false;
      });
      stream.on('timeout', () => {
        if (this.#isWaiting)
          stream.destroy(
            Object.assign(new Error('The database did not answer in time.'), { code: 'ETIMEDOUT' }),
          );
      });
    }
    this.#silenceMs = milliseconds;
    stream.setTimeout(milliseconds);
  }

  // Implements all overloads of the driver's method. Callers see the types of these overloads.
  override query(...provided: unknown[]): never {
    this.#isWaiting = true;
    const ask = super.query as (...args: unknown[]) => unknown;
    const [statement, values, callback] = provided as [
      Statement & { readonly submit?: unknown },
      unknown,
      unknown,
    ];
    if (typeof statement.submit === 'function') return ask.apply(this, provided) as never;
    if (typeof values === 'function')
      return this.#send(ask, statement, undefined, values as Answered) as never;
    const answered = typeof callback === 'function' ? (callback as Answered) : null;
    if (answered !== null) return this.#send(ask, statement, values, answered) as never;
    const { promise, resolve, reject } = Promise.withResolvers<QueryResult>();
    this.#send(ask, statement, values, answering(resolve, reject));
    return promise.catch(traced) as never;
  }

  #send(
    ask: (...args: unknown[]) => unknown,
    statement: Statement,
    values: unknown,
    answered: Answered,
  ): void {
    if (statement.name === undefined || values) ask.call(this, statement, values, answered);
    else ask.call(this, new PreparedQuery(statement.name, statement, describedBy(this), answered));
  }
}
