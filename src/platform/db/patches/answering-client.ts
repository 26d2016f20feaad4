import type { Socket } from 'node:net';
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
  #isWaiting = false;
  #silenceMs = 0;

  /**
   * Gives the connection up when the server keeps silent for so long while an answer is due. The driver's own limit sets a timer for every
   * statement, and cannot tell that a group of statements was answered.
   */
  limitSilence(milliseconds: number): void {
    const { stream } = (this as unknown as { readonly connection: { readonly stream: Socket } }).connection;
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

  // The overloads of the driver, of which the callers see the types.
  override query(...provided: unknown[]): never {
    this.#isWaiting = true;
    const ask = super.query as (...args: unknown[]) => unknown;
    const [statement, values, callback] = provided as [{ readonly submit?: unknown }, unknown, unknown];
    if (
      typeof values === 'function' ||
      typeof callback === 'function' ||
      typeof statement.submit === 'function'
    ) {
      return ask.apply(this, provided) as never;
    }
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    ask.call(this, statement, values, answering(resolve, reject));
    return promise.catch(traced) as never;
  }
}
