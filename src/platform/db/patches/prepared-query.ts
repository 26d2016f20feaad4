import pg, { type QueryResult } from 'pg';

/** Statement in the driver's format. A statement with a name is prepared once per connection. */
export type Statement = {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
  readonly rowMode?: 'array';
  readonly types?: object;
};

/** Query result that the driver is building. */
export type Gathering = QueryResult & {
  readonly _types: object | undefined;
  _parsers: unknown;
  _prebuiltEmptyResultObject: unknown;
  addFields: (fields: unknown[]) => void;
  parseRow: (fields: unknown[]) => unknown;
  addRow: (row: unknown) => void;
  addCommandComplete: (message: object) => void;
};

export type Answered = (error: Error | null, result: QueryResult) => void;

/** The driver's `Query` class with properties that its types lack. */
export const Query = pg.Query as unknown as new (
  statement: string | { readonly text: string },
  values?: null,
  answered?: Answered,
) => {
  name?: string | undefined;
  values?: readonly unknown[] | undefined;
  types?: object | undefined;
  _result: Gathering;
  _results: Gathering;
  _accumulateRows: unknown;
  prepare(connection: object): void;
  handleError(error: Error, connection: object): void;
  handleCommandComplete(message: object, connection: object): void;
};

const Result = pg.Result as unknown as new (rowMode?: string, types?: object) => Gathering;

/** Empty results with the columns of the named statements that a connection has executed, by statement name. */
export type Described = Map<string, Gathering>;

const described = new WeakMap<pg.ClientBase, Described>();

/** Returns the result columns of the statements that a connection has executed. */
export const describedBy = (client: pg.ClientBase): Described =>
  described.getOrInsertComputed(client, () => new Map());

const nothing = (): void => undefined;
const undescribing = new WeakMap<object, object>();

/** Sets the columns of a result, and the functions that parse their values. */
function shapeLike(result: Gathering, known: Gathering): void {
  if (result._types !== known._types) return result.addFields(known.fields);
  result.fields = known.fields;
  result._parsers = known._parsers;
  result._prebuiltEmptyResultObject = known._prebuiltEmptyResultObject;
}

/** Returns the connection, but without the message that requests the result columns. */
const withoutDescribe = (connection: object): object =>
  undescribing.getOrInsertComputed(connection, () =>
    Object.assign(Object.create(connection), { describe: nothing }),
  );

/** The driver's connection with properties that its types lack. */
type Connection = {
  readonly parsedStatements: Readonly<Record<string, string>>;
  readonly close: (statement: { readonly type: 'S'; readonly name: string }) => void;
};

/** Names of the statements that a connection could have tried to prepare without success. */
const unprepared = new WeakMap<object, Set<string>>();

/**
 * Query for a named statement. Requests the result columns only the first time that the connection executes the statement. The driver's own
 * constructor copies the statement with property descriptors, which takes up to 3% of the processor time for a usage event.
 */
export class PreparedQuery extends Query {
  readonly #name: string;
  readonly #described: Described;

  constructor(
    name: string,
    { text, values, rowMode, types }: Statement,
    known: Described,
    answered: Answered,
  ) {
    super(text, null, answered);
    this.name = name;
    this.values = values;
    this.types = types;
    this._result = new Result(rowMode, types);
    this._results = this._result;
    this.#name = name;
    this.#described = known;
  }

  override prepare(connection: object): void {
    // A pooler remembers the name of a statement that the server didn't prepare, and rejects it when it's prepared again.
    if (unprepared.get(connection)?.delete(this.#name) === true)
      (connection as Connection).close({ type: 'S', name: this.#name });
    const known = this.#described.get(this.#name);
    if (known === undefined) return super.prepare(connection);
    shapeLike(this._result, known);
    this._accumulateRows = true;
    super.prepare(withoutDescribe(connection));
  }

  override handleError(error: Error, connection: object): void {
    if ((connection as Connection).parsedStatements[this.#name] === undefined)
      unprepared.getOrInsertComputed(connection, () => new Set()).add(this.#name);
    super.handleError(error, connection);
  }

  override handleCommandComplete(message: object, connection: object): void {
    if (!this.#described.has(this.#name)) {
      const empty = new Result(undefined, this._result._types);
      empty.addFields(this._result.fields);
      this.#described.set(this.#name, empty);
    }
    super.handleCommandComplete(message, connection);
  }
}
