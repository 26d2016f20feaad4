import type { Socket } from 'node:net';
import type pg from 'pg';
import type { QueryResult } from 'pg';
import { traced } from './answering-client.ts';
import {
  type Described,
  describedBy,
  type Gathering,
  PreparedQuery,
  Query,
  type Statement,
} from './prepared-query.ts';

type Requested = {
  readonly statement: Statement;
  readonly resolve: (result: QueryResult) => void;
  readonly reject: (error: Error) => void;
};

/** Properties of the driver's connection that this file uses. */
type Connection = {
  readonly stream: Socket;
  readonly parsedStatements: Record<string, string>;
  readonly submittedNamedStatements: Record<string, string>;
  readonly bind: (config: object) => void;
  readonly execute: (config: object) => void;
  readonly sync: () => void;
};

const nothing = (): void => undefined;

/**
 * Group of statements that have been executed on the connection before. The statements are sent together, and the server responds once. After a
 * failed statement, the server skips the remaining statements, which then fail too (PostgreSQL documentation, Extended Query).
 */
class StatementGroup extends Query {
  readonly #asked: readonly Requested[];
  readonly #known: Described;
  readonly #results: Gathering[] = [];
  #done = 0;
  #unreadable: Error | null = null;

  constructor(requested: readonly Requested[], known: Described) {
    super({ text: 'a group' });
    this.#asked = requested;
    this.#known = known;
  }

  submit(connection: Connection): null {
    const { stream, parsedStatements, submittedNamedStatements } = connection;
    const quiet = {
      parsedStatements,
      submittedNamedStatements,
      bind: (config: object) => connection.bind(config),
      execute: (config: object) => connection.execute(config),
      // Only the last statement needs a sync message.
      sync: nothing,
      close: nothing,
    };
    // Closes the connection if a write fails, because the server would keep waiting for the missing messages.
    const unwritable = (error: Error | null): void => void stream.destroy(error ?? undefined);
    stream.cork();
    try {
      for (const { statement } of this.#asked) {
        const query = new PreparedQuery(statement.name ?? '', statement, this.#known, unwritable);
        this.#results.push(query._result);
        query.prepare(quiet);
      }
      connection.sync();
    } finally {
      stream.uncork();
    }
    return null;
  }

  handleDataRow({ fields }: { readonly fields: unknown[] }): void {
    const result = this.#results[this.#done];
    try {
      result?.addRow(result.parseRow(fields));
    } catch (error) {
      this.#unreadable ??= error as Error;
    }
  }

  override handleCommandComplete(message: object): void {
    this.#results[this.#done]?.addCommandComplete(message);
    this.#done++;
  }

  override handleError(error: Error): void {
    for (const [index, { resolve, reject }] of this.#asked.entries()) {
      const result = this.#results[index];
      if (result !== undefined && index < this.#done && this.#unreadable === null) resolve(result);
      else reject(error);
    }
  }

  handleReadyForQuery(): void {
    this.handleError(this.#unreadable ?? new Error('A statement was not answered.'));
  }
}

/** Returns a function that executes statements in a transaction. Statements requested in the same turn of the event loop are sent together. */
export function groupingClient(client: pg.ClientBase): (statement: Statement) => Promise<QueryResult> {
  let waiting: Requested[] = [];
  const sendAll = (requested: readonly Requested[]): void => {
    const known = describedBy(client);
    if (requested.length > 1 && requested.every(({ statement }) => known.has(statement.name ?? ''))) {
      client.query(new StatementGroup(requested, known) as unknown as pg.Submittable);
    } else {
      for (const { statement, resolve, reject } of requested)
        client.query(statement as pg.QueryConfig, (error: Error | null, result: QueryResult) =>
          error === null ? resolve(result) : reject(error),
        );
    }
  };
  const send = (): void => {
    const requested = waiting;
    waiting = [];
    try {
      sendAll(requested);
    } catch (error) {
      // Rejects all statements of the group, because the driver doesn't report a failed write.
      for (const { reject } of requested) reject(error as Error);
    }
  };
  return (statement) => {
    const { promise, resolve, reject } = Promise.withResolvers<QueryResult>();
    waiting.push({ statement, resolve, reject });
    if (waiting.length === 1) process.nextTick(send);
    return promise.catch(traced);
  };
}
