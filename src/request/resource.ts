import { isDeepStrictEqual } from 'node:util';
import type { QuittanceError } from '../domain/errors/errors.ts';
import { type ModelField, modelFields } from '../platform/db/datamodel.ts';
import { type Filter, type LockMode, type Row, readMatching } from '../platform/db/rows.ts';
import type { TenantClient } from '../platform/db/tenant.ts';
import { isUniqueViolation } from '../platform/db/unique.ts';
import { newId } from '../platform/ids.ts';
import type { Context, TransactionContext } from './context.ts';
import { inTransaction, nextSeq } from './transaction.ts';

// Rows that API clients create, change, and delete, with the rules that all of these rows share.

/** Model of rows that belong to an environment. */
type Model = Capitalize<keyof TenantClient>;

/** Columns that only a resource writes. */
type ManagedColumn = 'environmentId' | 'id' | 'seq' | 'createdAt' | 'deletedAt';
type Column<M extends Model> = Exclude<keyof Row<M>, ManagedColumn> & string;

/** Input for a column. Numbers are converted for `bigint` columns, and metadata can be any object. */
type Given<T> = T extends bigint
  ? bigint | number
  : T extends Date
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Item[]
      : Stored.Metadata extends T
        ? object
        : T;

/**
 * Changes to a row. `undefined` keeps the current value. `null` clears a nullable column, and keeps the value of other columns. A new value of
 * `updatedAt` records a change outside the row.
 */
export type Changes<M extends Model> = {
  readonly [C in Column<M>]?: Given<Row<M>[C]> | null | undefined;
};

/**
 * Columns of a new row. Omitted columns and columns that are `null` get their default value. Nullable columns that have no default value stay
 * `null`. `Known` are the columns that have a default value or are derived.
 */
type Values<M extends Model, Known> = Changes<M> & {
  readonly [C in Column<M> as null extends Row<M>[C]
    ? never
    : C extends Known | 'updatedAt'
      ? never
      : C]: Given<Row<M>[C]>;
};

/** Declaration of a resource. */
type Declaration<M extends Model, Defaults, Derived> = {
  /** Prefix of the IDs. */
  readonly prefix: string;
  /** Name of the resource in the API, such as `credit_pack`. */
  readonly object: string;
  /** Creates the error for a row that doesn't exist or was deleted. `param` is the input that refers to the row. */
  readonly notFound: (param: string) => QuittanceError;
  /** Columns that identify a row in requests. Matches in earlier columns take precedence. Defaults to the ID. */
  readonly references?: readonly (keyof Row<M> & string)[];
  /**
   * Columns whose values are unique among rows that aren't deleted, in the order of the checks, with the error for a value that another row
   * has. The unique index `<model>_living_<column>` enforces the rule for concurrent requests.
   */
  readonly unique?: { readonly [C in Column<M>]?: (value: string) => QuittanceError };
  /** Creates the error for another unique violation, such as in a table that belongs to the resource. */
  readonly conflict?: (values: Partial<Row<M>>) => QuittanceError;
  /** Maximum number of rows in an environment, and the error if the environment already has this number of rows. */
  readonly limit?: { readonly most: number; readonly reached: (most: number) => QuittanceError };
  /** Default values of columns that aren't nullable. */
  readonly defaults?: Defaults & Partial<Row<M>>;
  /** Values of columns that a deleted row doesn't keep. */
  readonly whenDeleted?: Partial<Row<M>>;
  /** Computes the columns that depend on other columns. */
  readonly derive?: (row: Row<M>) => Derived & Partial<Row<M>>;
};

type Identified<M extends Model> = Row<M> & { readonly id: string };

/** Operations of a model's client that resources use. */
type Client<R> = {
  count: (args: { where: object }) => Promise<number>;
  create: (args: { data: object }) => Promise<R>;
  update: (args: { where: object; data: object }) => Promise<R[]>;
  deleteMany: (args: { where: object }) => Promise<{ count: number }>;
};

/** Value, or a function that returns the value in the transaction. */
type Made<T, A extends unknown[]> = T | ((tx: TransactionContext, ...args: A) => Promise<T>);

const made = async <T extends object, A extends unknown[]>(
  value: Made<T, A>,
  tx: TransactionContext,
  ...args: A
): Promise<T> => (typeof value === 'function' ? value(tx, ...args) : value);

/** Reads and writes the rows of a model. Methods with the parameter `tx` require an open transaction. */
export class Resource<M extends Model, Known = never> {
  readonly #model: M;
  readonly #declaration: Declaration<M, object, object>;
  readonly #references: readonly string[];
  readonly #fields: ReadonlyMap<string, ModelField>;
  readonly #unique: readonly (readonly [column: string, taken: (value: string) => QuittanceError])[];
  /** Filter for rows that weren't deleted. */
  readonly #living: Filter;

  constructor(model: M, declaration: Declaration<M, object, object>) {
    this.#model = model;
    this.#declaration = declaration;
    this.#references = declaration.references ?? ['id'];
    this.#fields = new Map((modelFields.get(model) ?? []).map((field) => [field.name, field]));
    this.#unique = Object.entries(declaration.unique ?? {});
    this.#living = this.#fields.has('deletedAt') ? { deletedAt: null } : {};
  }

  /** Returns the row with this reference. `null` if the row doesn't exist or was deleted. */
  async find(ctx: Context, reference: string): Promise<Row<M> | null> {
    const columns = this.#references;
    const found = await this.#find(
      ctx,
      columns.map((column) => ({ [column]: reference })),
    );
    const matches = columns.map((column) => found.find((row) => this.#valueOf(row, column) === reference));
    return matches.find((row) => row !== undefined) ?? null;
  }

  /** Returns the row with this reference. Throws the error `notFound` if the row doesn't exist or was deleted. */
  async require(ctx: Context, reference: string, param = this.#references[0] ?? 'id'): Promise<Row<M>> {
    return (await this.find(ctx, reference)) ?? this.#raise(param);
  }

  /** Locks the row until the transaction ends and returns its current state. `null` if the row doesn't exist or was deleted. */
  async findLocked(tx: Context, reference: string, mode: LockMode = 'UPDATE'): Promise<Row<M> | null> {
    if (this.#references.join() === 'id') return this.#lock(tx, reference, mode);
    const found = (await this.find(tx, reference)) as Identified<M> | null;
    return found === null ? null : this.#lock(tx, found.id, mode);
  }

  /** Locks the row like `findLocked`, but throws the error `notFound` if the row doesn't exist or was deleted. */
  async lock(
    tx: Context,
    reference: string,
    param = this.#references[0] ?? 'id',
    mode: LockMode = 'UPDATE',
  ): Promise<Row<M>> {
    return (await this.findLocked(tx, reference, mode)) ?? this.#raise(param);
  }

  /** Locks the row with this ID, even if requests refer to the rows by another column. Throws the error `notFound`. */
  async lockId(tx: Context, id: string, param: string, mode: LockMode): Promise<Row<M>> {
    return (await this.#lock(tx, id, mode)) ?? this.#raise(param);
  }

  /**
   * Creates a row in a transaction, and then runs `after` in this transaction. Throws the error of a unique column if another row has the value,
   * even for concurrent requests.
   */
  async create(
    ctx: Context,
    values: Made<Values<M, Known>, []>,
    after?: (tx: TransactionContext, row: Row<M>) => Promise<void>,
  ): Promise<Row<M>> {
    let wanted: object = {};
    return this.#rejectingTaken(
      () => wanted,
      () =>
        inTransaction(ctx, async (tx) => {
          wanted = this.#newRow(await made(values, tx));
          await this.#rejectTaken(tx, wanted, null);
          // Taking a sequence number locks the environment's counter, so concurrent requests can't exceed the limit.
          const seq = await nextSeq(tx);
          await this.#rejectAboveLimit(tx);
          const now = tx.clock.now();
          const managed = { id: newId(this.#declaration.prefix), seq, ...this.#times(now) };
          const row = await this.#client(tx).create({ data: { ...wanted, ...managed, createdAt: now } });
          await after?.(tx, row);
          return row;
        }),
    );
  }

  /**
   * Locks and changes a row in a transaction, and then runs `after` in this transaction. If there are no differences, returns the row without
   * running `after`. Throws the error `notFound` and the errors of unique columns.
   */
  async update(
    ctx: Context,
    reference: string,
    changes: Made<Changes<M>, [row: Row<M>]>,
    after?: (tx: TransactionContext, row: Row<M>, before: Row<M>) => Promise<void>,
  ): Promise<Row<M>> {
    let wanted: object = {};
    return this.#rejectingTaken(
      () => wanted,
      () =>
        inTransaction(ctx, async (tx) => {
          const before = await this.lock(tx, reference);
          wanted = await made(changes, tx, before);
          const row = await this.patch(tx, before, wanted);
          if (row !== before) await after?.(tx, row, before);
          return row;
        }),
    );
  }

  /** Returns the row with changes applied, without storing the changes. Returns the same row if there are no differences. */
  changed(row: Row<M>, changes: Changes<M>): Row<M> {
    const differing = this.#differing(row, changes);
    return Object.keys(differing).length === 0 ? row : { ...row, ...differing };
  }

  /** Stores changes to a locked row and updates `updatedAt`. Returns the same row without storing it if there are no differences. */
  async patch(tx: Context, row: Row<M>, changes: Changes<M>): Promise<Row<M>> {
    const differing = this.#differing(row, changes);
    if (Object.keys(differing).length === 0) return row;
    const { id } = row as Identified<M>;
    await this.#rejectTaken(tx, differing, id);
    const data = { ...differing, updatedAt: tx.clock.now() };
    await this.#client(tx).update({ where: { id }, data });
    return { ...row, ...data };
  }

  /**
   * Locks and deletes a row in a transaction. If the model has `deletedAt`, the row is kept as a deleted row. `before` runs with the locked row
   * and can reject the deletion. Throws the error `notFound`.
   */
  async delete(
    ctx: Context,
    reference: string,
    before?: (tx: TransactionContext, row: Row<M>, now: Date) => Promise<void>,
  ): Promise<{ readonly id: string; readonly object: string }> {
    return inTransaction(ctx, async (tx) => {
      const row = await this.lock(tx, reference);
      const { id } = row as Identified<M>;
      const now = tx.clock.now();
      await before?.(tx, row, now);
      const { object, whenDeleted } = this.#declaration;
      const data = { ...whenDeleted, updatedAt: now, deletedAt: now };
      if (this.#fields.has('deletedAt')) await this.#client(tx).update({ where: { id }, data });
      else await this.#client(tx).deleteMany({ where: { id } });
      return { id, object };
    });
  }

  // The casts are safe because `M` is the name of a model in the client, and every row has an ID.
  #client({ db }: Context): Client<Identified<M>> {
    const name = `${this.#model.charAt(0).toLowerCase()}${this.#model.slice(1)}` as keyof TenantClient;
    return db[name] as unknown as Client<Identified<M>>;
  }

  #valueOf(row: object, column: string): unknown {
    return (row as Readonly<Record<string, unknown>>)[column];
  }

  #raise(param: string): never {
    throw this.#declaration.notFound(param);
  }

  /** Returns the rows that match one of the filters and weren't deleted. */
  #find({ sql }: Context, filters: readonly Filter[], lock?: LockMode): Promise<Row<M>[]> {
    return readMatching(sql, this.#model, this.#living, filters, lock);
  }

  async #lock(tx: Context, id: string, mode: LockMode): Promise<Row<M> | null> {
    return (await this.#find(tx, [{ id }], mode))[0] ?? null;
  }

  /** Returns the values of a new row without the managed columns. */
  #newRow(values: Changes<M>): object {
    const { defaults = {}, derive } = this.#declaration;
    const row: Record<string, unknown> = {};
    for (const [column, { kind, isRequired }] of this.#fields)
      if (kind !== 'object' && !isRequired && column !== 'deletedAt') row[column] = null;
    Object.assign(row, defaults);
    for (const [column, value] of Object.entries(values))
      if (value !== undefined && value !== null) row[column] = this.#stored(column, value);
    return { ...row, ...derive?.(row as Row<M>) };
  }

  /** Times of a new row other than its creation, limited to the columns that the model has. */
  #times(now: Date): object {
    return {
      ...(this.#fields.has('updatedAt') && { updatedAt: now }),
      ...(this.#fields.has('deletedAt') && { deletedAt: null }),
    };
  }

  /** Converts a number for a `bigint` column. */
  #stored(column: string, value: unknown): unknown {
    return typeof value === 'number' && this.#fields.get(column)?.type === 'BigInt' ? BigInt(value) : value;
  }

  /** Returns the columns whose values differ after the changes. */
  #differing(row: Row<M>, changes: Changes<M>): Record<string, unknown> {
    const differing: Record<string, unknown> = {};
    for (const [column, value] of Object.entries(changes)) {
      if (value === undefined || (value === null && this.#fields.get(column)?.isRequired === true)) continue;
      const stored = this.#stored(column, value);
      if (!isDeepStrictEqual(stored, this.#valueOf(row, column))) differing[column] = stored;
    }
    const { derive } = this.#declaration;
    if (derive === undefined || Object.keys(differing).length === 0) return differing;
    return { ...differing, ...derive({ ...row, ...differing }) };
  }

  /** Throws the error of a unique column if another row has the column's new value. */
  async #rejectTaken(tx: Context, values: object, ownId: string | null): Promise<void> {
    const wanted = this.#unique
      .map(([column, taken]) => ({ column, taken, value: this.#valueOf(values, column) }))
      .filter(({ value }) => value !== undefined && value !== null);
    if (wanted.length === 0) return;
    const found = await this.#find(
      tx,
      wanted.map(({ column, value }) => ({ [column]: String(value) })),
    );
    const others = found.filter((row) => this.#valueOf(row, 'id') !== ownId);
    for (const { column, taken, value } of wanted)
      if (others.some((other) => this.#valueOf(other, column) === value)) throw taken(String(value));
  }

  async #rejectAboveLimit(tx: Context): Promise<void> {
    const { limit } = this.#declaration;
    if (limit === undefined) return;
    const count = await this.#client(tx).count({ where: this.#living });
    if (count >= limit.most) throw limit.reached(limit.most);
  }

  /** Runs a write. Converts a unique violation to the error of the column whose index is violated, or to the error `conflict`. */
  async #rejectingTaken<T>(wanted: () => object, write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      const text = JSON.stringify(error);
      const violated = this.#unique.find(([column]) => text.includes(`${this.#model}_living_${column}`));
      const [column = '', taken] = violated ?? this.#unique[0] ?? [];
      const values = wanted();
      throw taken?.(String(this.#valueOf(values, column))) ?? this.#declaration.conflict?.(values) ?? error;
    }
  }
}

/** Declares the resource that consists of the rows of a model. */
export const resource = <M extends Model, Defaults = unknown, Derived = unknown>(
  model: M,
  declaration: Declaration<M, Defaults, Derived>,
): Resource<M, keyof Defaults | keyof Derived> =>
  new Resource(model, declaration as Declaration<M, object, object>);
