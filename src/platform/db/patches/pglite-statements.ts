import { messages, type PGlite, type QueryOptions, type Results, types } from '@electric-sql/pglite';
import { forgetPlans, openPlans } from './query-plans.ts';

type Parsers = NonNullable<QueryOptions['parsers']>;
type Column = { readonly name: string; readonly parse: Parsers[number] | undefined };

/** Prepared statement with the types of its parameters and with its result columns, as described by the server. */
type Prepared = {
  readonly name: Uint8Array;
  readonly paramTypes: readonly number[];
  readonly fields: Results['fields'];
  /** Result columns with their parsers, by the parsers that a caller passes. */
  readonly columns: Map<Parsers | undefined, readonly Column[]>;
};

const most = 500;
const codeOf = (notification: string): number => notification.charCodeAt(0);
const codes = {
  query: codeOf('Q'),
  parse: codeOf('P'),
  describe: codeOf('D'),
  bind: codeOf('B'),
  execute: codeOf('E'),
  close: codeOf('C'),
  sync: codeOf('S'),
  ofStatement: codeOf('S'),
};
const isPreparable = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i;

/** Returns a frontend message with its type code and length. */
function messageOf(code: number, ...parts: readonly Uint8Array[]): Uint8Array {
  let length = 4;
  for (const part of parts) length += part.length;
  const message = Buffer.allocUnsafe(length + 1);
  message.writeUInt8(code, 0);
  message.writeUInt32BE(length, 1);
  let at = 5;
  for (const part of parts) {
    message.set(part, at);
    at += part.length;
  }
  return message;
}

const textBytes = (text: string): Uint8Array => Buffer.from(`${text}\0`);

/** Empty name, terminated by a zero byte. */
const noName = textBytes('');
/** Number 0 in two bytes: no parameter types, or values in text format. */
const none = Buffer.alloc(2);
const noMost = Buffer.alloc(4);
const statementCode = Uint8Array.of(codes.ofStatement);
const sync = messageOf(codes.sync);
/** Executes the unnamed portal without a limit on the number of rows. */
const execute = messageOf(codes.execute, noName, noMost);

/** Returns the messages that execute a prepared statement. Parameters are sent in PostgreSQL's text format. */
function executionOf(
  { name, paramTypes }: Prepared,
  params: readonly unknown[],
  serializers: PGlite['serializers'],
): Uint8Array {
  const count = Buffer.alloc(2);
  count.writeUInt16BE(params.length);
  const parts = [noName, name, none, count];
  for (const [index, param] of params.entries()) {
    const serializer = serializers[paramTypes[index] ?? 0];
    const isNull = param === null || param === undefined;
    const text = isNull ? null : Buffer.from(serializer === undefined ? String(param) : serializer(param));
    const length = Buffer.allocUnsafe(4);
    length.writeInt32BE(text?.length ?? -1);
    parts.push(length);
    if (text !== null) parts.push(text);
  }
  return Buffer.concat([messageOf(codes.bind, ...parts, none), execute, sync]);
}

/** Converts the server's messages to rows. */
function resultOf<T>(
  fields: Prepared['fields'],
  columns: readonly Column[],
  answer: readonly messages.BackendMessage[],
  isArray: boolean,
): Results<T> {
  const rows: unknown[] = [];
  let command = '';
  for (const message of answer) {
    if (message.name === 'dataRow') {
      const texts = (message as messages.DataRowMessage).fields;
      const values: unknown[] = [];
      const row: Record<string, unknown> = {};
      for (const [index, { name, parse }] of columns.entries()) {
        const text = texts[index] ?? null;
        const value: unknown = text === null || parse === undefined ? text : parse(text);
        if (isArray) values.push(value);
        else row[name] = value;
      }
      rows.push(isArray ? values : row);
    } else if (message.name === 'commandComplete')
      command = (message as messages.CommandCompleteMessage).text;
  }
  // The number of rows is the last word, as in `INSERT 0 5`.
  const affectedRows = command.startsWith('SELECT') ? 0 : Number(command.slice(command.lastIndexOf(' ')));
  return { rows: rows as T[], fields, affectedRows };
}

/** Cache of prepared statements for an embedded database. */
class PreparedStatements {
  readonly #client: PGlite;
  readonly #arePlansOld = openPlans();
  readonly #known = new Map<string, Prepared>();
  #count = 0;

  constructor(client: PGlite) {
    this.#client = client;
  }

  /**
   * Executes a statement. The caller must have exclusive use of the database. `isAlone` is true outside a transaction, where
   * writes are synchronized immediately and old query plans are discarded.
   */
  async run<T>(
    query: string,
    params: readonly unknown[] = [],
    queryOptions: QueryOptions = {},
    isAlone = false,
  ): Promise<Results<T>> {
    try {
      if (isAlone && this.#arePlansOld()) await this.#send([messageOf(codes.query, textBytes(forgetPlans))]);
      const statement = this.#known.get(query) ?? (await this.#prepare(query));
      // Moves the statement to the end, because the first statement is closed first.
      this.#known.delete(query);
      this.#known.set(query, statement);
      const { parsers, rowMode } = queryOptions;
      const columns = statement.columns.get(parsers) ?? this.#columnsOf(statement, parsers);
      const execution = executionOf(statement, params, this.#client.serializers);
      const answer = await this.#client.execProtocolStream(execution, { syncToFs: isAlone });
      return resultOf<T>(statement.fields, columns, answer, rowMode === 'array');
    } catch (error) {
      throw error instanceof messages.DatabaseError
        ? Object.assign(error, { query, params, queryOptions })
        : error;
    }
  }

  #send(sent: readonly Uint8Array[]): Promise<messages.BackendMessage[]> {
    return this.#client.execProtocolStream(Buffer.concat(sent), { syncToFs: false });
  }

  /** Parses and describes a statement that is sent for the first time. */
  async #prepare(query: string): Promise<Prepared> {
    const name = textBytes(`q${++this.#count}`);
    const described = await this.#send([
      messageOf(codes.parse, name, textBytes(query), none),
      messageOf(codes.describe, statementCode, name),
      sync,
    ]);
    const found = <M extends messages.BackendMessage>(wanted: M['name']): M | undefined =>
      described.find((one) => one.name === wanted) as M | undefined;
    const prepared = {
      name,
      paramTypes: found<messages.ParameterDescriptionMessage>('parameterDescription')?.dataTypeIDs ?? [],
      fields: (found<messages.RowDescriptionMessage>('rowDescription')?.fields ?? []).map(
        ({ name: column, dataTypeID }) => ({ name: column, dataTypeID }),
      ),
      columns: new Map(),
    };
    this.#known.set(query, prepared);
    await this.#closeOldest();
    return prepared;
  }

  async #closeOldest(): Promise<void> {
    const [oldest] = this.#known;
    if (this.#known.size <= most || oldest === undefined) return;
    const [query, { name }] = oldest;
    this.#known.delete(query);
    await this.#send([messageOf(codes.close, statementCode, name), sync]);
  }

  #columnsOf({ fields, columns }: Prepared, parsers: Parsers | undefined): readonly Column[] {
    const clientParsers = this.#client.parsers;
    const made = fields.map(({ name, dataTypeID: type }) => ({
      name,
      parse: parsers?.[type] ?? clientParsers[type] ?? types.parsers[type],
    }));
    columns.set(parsers, made);
    return made;
  }
}

const prepares = (text: string, options: QueryOptions | undefined): boolean =>
  options?.paramTypes === undefined && isPreparable.test(text);

/**
 * Adds prepared statements to an embedded database. Each SQL statement is parsed and described once, and is then executed
 * with one group of messages. PGlite itself sends six messages per statement, each of which takes as long as a short
 * statement. The least recently used statements are closed.
 */
export function prepareStatements(client: PGlite): void {
  const statements = new PreparedStatements(client);
  const query = client.query.bind(client);
  const transaction = client.transaction.bind(client);
  client.query = <T>(text: string, params?: unknown[], options?: QueryOptions) =>
    client.closed || !prepares(text, options)
      ? query<T>(text, params, options)
      : client._runExclusiveTransaction(() => {
          if (client.closed) throw new Error('The database is closed');
          return client._runExclusiveQuery(() => statements.run<T>(text, params, options, true));
        });
  client.transaction = (work) =>
    transaction((open) => {
      const unprepared = open.query;
      const run = <T>(text: string, params?: unknown[], options?: QueryOptions) => {
        // During a rollback, `closed` is false, but the session has no transaction.
        if (open.closed || !client.isInTransaction()) throw new Error('Transaction is closed');
        return statements.run<T>(text, params, options);
      };
      open.query = <T>(text: string, params?: unknown[], options?: QueryOptions) =>
        prepares(text, options)
          ? client._runExclusiveQuery(() => run<T>(text, params, options))
          : unprepared<T>(text, params, options);
      return work(open);
    });
}
