import type { Socket } from 'node:net';
import pg, { type QueryResult } from 'pg';
import { traced } from './answering-client.ts';

/** A statement as the driver takes it. Those with a name are prepared once per connection. */
export type Statement = {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
  readonly rowMode?: 'array';
};

type Requested = {
  readonly statement: Statement;
  readonly resolve: (result: QueryResult) => void;
  readonly reject: (error: Error) => void;
};

/** What the driver's connection does for a query, as far as it is used here. */
type Connection = {
  readonly stream: Socket;
  readonly parsedStatements: Record<string, string>;
  readonly submittedNamedStatements: Record<string, string>;
  readonly bind: (config: object) => void;
  readonly execute: (config: object) => void;
  readonly sync: () => void;
};

/** The driver's result while it is gathered. */
type Gathering = QueryResult & {
  addFields: (fields: unknown[]) => void;
  parseRow: (fields: unknown[]) => unknown;
  addRow: (row: unknown) => void;
  addCommandComplete: (message: object) => void;
};

type DriverQuery = { readonly _result: Gathering; readonly prepare: (connection: object) => void };

/** The driver's query, with what its types leave out. */
const Query = pg.Query as unknown as new (
  statement: object,
  values?: null,
  answered?: (error: Error | null) => void,
) => DriverQuery;

/** The columns statements answer with, by name, as each connection has told. */
const described = new WeakMap<pg.ClientBase, Map<string, unknown[]>>();

const knownOf = (client: pg.ClientBase): Map<string, unknown[]> =>
  described.getOrInsertComputed(client, () => new Map());

const nothing = (): void => undefined;

/**
 * Statements that were run on the connection before, sent as one: the server answers them together, and after one that fails it leaves out the
 * others, which fail with it (PostgreSQL, Message Flow: Extended Query).
 */
class StatementGroup extends Query {
  readonly #asked: readonly Requested[];
  readonly #known: ReadonlyMap<string, unknown[]>;
  readonly #results: Gathering[] = [];
  #done = 0;
  #unreadable: Error | null = null;

  constructor(requested: readonly Requested[], known: ReadonlyMap<string, unknown[]>) {
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
      // The columns are known, and one end is enough.
      describe: nothing,
      sync: nothing,
      close: nothing,
    };
    // What cannot be written leaves the server waiting for the rest.
    const unwritable = (error: Error | null): void => void stream.destroy(error ?? undefined);
    stream.cork();
    try {
      for (const { statement } of this.#asked) {
        const query = new Query(statement, null, unwritable);
        query._result.addFields(this.#known.get(statement.name ?? '') ?? []);
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

  handleCommandComplete(message: object): void {
    this.#results[this.#done]?.addCommandComplete(message);
    this.#done++;
  }

  handleError(error: Error): void {
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

/** Sends a statement automatically, and learns what it answers with. */
function sendAlone(client: pg.ClientBase, { statement, resolve, reject }: Requested): void {
  client.query(statement as pg.QueryConfig, (error: Error | null, result: QueryResult) => {
    if (error !== null) return reject(error);
    if (statement.name !== undefined) knownOf(client).set(statement.name, result.fields);
    resolve(result);
  });
}

/** Answers what runs statements of a transaction on a connection: those that are asked for in one go of the program are sent as one. */
export function groupingClient(client: pg.ClientBase): (statement: Statement) => Promise<QueryResult> {
  let waiting: Requested[] = [];
  const sendAll = (requested: readonly Requested[]): void => {
    const known = knownOf(client);
    if (requested.length > 1 && requested.every(({ statement }) => known.has(statement.name ?? ''))) {
      client.query(new StatementGroup(requested, known) as unknown as pg.Submittable);
    } else {
      for (const each of requested) sendAlone(client, each);
    }
  };
  const send = (): void => {
    const requested = waiting;
    waiting = [];
    try {
      sendAll(requested);
    } catch (error) {
      // What cannot be sent is told to those who asked; nobody else would hear of it.
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
