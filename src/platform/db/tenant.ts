import { catalogModels, globalModels } from '../../domain/rows/tenancy.ts';
import { Prisma, type PrismaClient } from '../../generated/prisma/client.ts';
import { modelFields } from './datamodel.ts';
import type { Transaction } from './pool.ts';

type ModelKey = Exclude<keyof PrismaClient, `$${string}` | symbol>;
type TenantKey = Exclude<ModelKey, Uncapitalize<(typeof globalModels)[number]>>;
type ScalarRow<D> = Prisma.Result<D, object, 'findFirstOrThrow'>;
type Where<D> =
  Prisma.Args<D, 'findFirst'> extends { where?: infer W } ? Omit<NonNullable<W>, 'environmentId'> : never;
type ScopedRead<D, A> = Omit<Prisma.Args<D, 'findMany'>, 'where'> & { where?: Where<D> } & A;

/** New row without its environment. All columns are required, so that no database default is used. */
type NewRow<D> = Omit<ScalarRow<D>, 'environmentId'>;

/** Prisma operations that are available per model. The client adds the environment to each call, so an ID is sufficient to select a row. */
type TenantDelegate<D> = {
  findFirst: <A extends ScopedRead<D, unknown>>(args: A) => Promise<Prisma.Result<D, A, 'findFirst'>>;
  findMany: <A extends ScopedRead<D, unknown>>(args: A) => Promise<Prisma.Result<D, A, 'findMany'>>;
  count: (args: { where?: Where<D> }) => Promise<number>;
  create: (args: { data: NewRow<D> }) => Promise<ScalarRow<D>>;
  createMany: (args: { data: NewRow<D>[] }) => Promise<{ count: number }>;
  /** Updates the matching rows and returns the rows with their new values. */
  update: (args: { where: Where<D>; data: Partial<NewRow<D>> }) => Promise<ScalarRow<D>[]>;
  deleteMany: (args: { where: Where<D> }) => Promise<{ count: number }>;
};

/** Prisma client for a single environment. Rows of other environments can't be read or written. */
export type TenantClient = { readonly [Key in TenantKey]: TenantDelegate<PrismaClient[Key]> };

type Arguments = {
  where?: Record<string, unknown>;
  data?: Record<string, unknown> | Record<string, unknown>[];
};

const fieldsByModel = new Map(
  [...modelFields].map(([model, fields]) => [model, new Map(fields.map((field) => [field.name, field]))]),
);

const globalNames: ReadonlySet<string> = new Set(globalModels);

/**
 * Converts the value of a JSON column for Prisma. Prisma drops properties named `__proto__` when it copies objects, but
 * doesn't copy the result of `toJSON`.
 */
const jsonValue = (value: unknown): unknown =>
  value === null
    ? Prisma.DbNull
    : typeof value === 'object' && !(value instanceof Prisma.NullTypes.JsonNull)
      ? { toJSON: () => ({ $type: 'Raw', value }) }
      : value;

/** Throws if the data refers to another environment. Converts JSON null to SQL NULL. */
function checkedData(model: string, data: Record<string, unknown>): Record<string, unknown> {
  const fields = fieldsByModel.get(model);
  const checked: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(data)) {
    const field = fields?.get(name);
    if (name === 'environmentId')
      throw new Error('The environment of a row is given by the client, never by the caller.');
    if (field === undefined) throw new Error(`${model} has no column ${name}.`);
    if (field.kind === 'object')
      throw new Error(`${model}.${name} is a relation; foreign keys are written as columns.`);
    checked[name] = field.type === 'Json' ? jsonValue(value) : value;
  }
  return checked;
}

/** True if a filter contains an environment, including inside boolean operators. */
function containsEnvironment(filter: Readonly<Record<string, unknown>>): boolean {
  for (const name in filter) {
    const value = filter[name];
    if (value === undefined) continue;
    if (/^environmentId(_\w+)?$/.test(name)) return true;
    if (typeof value === 'object' && value !== null && containsEnvironment(value as typeof filter))
      return true;
  }
  return false;
}

/** Throws if a filter contains an environment ID. */
function checkedWhere(
  model: string,
  where: Record<string, unknown> | undefined,
  environmentId: string,
): Record<string, unknown> {
  if (where !== undefined && containsEnvironment(where))
    throw new Error(`A filter on ${model} names an environment; the client adds it.`);
  return { AND: [{ environmentId }, where ?? {}] };
}

function scopedArguments(
  model: string,
  operation: string,
  args: Arguments,
  environmentId: string,
): { method: string; args: object } {
  const where = () => checkedWhere(model, args.where, environmentId);
  const row = (data: Record<string, unknown>) => ({ environmentId, ...checkedData(model, data) });
  switch (operation) {
    case 'findFirst':
    case 'findMany':
    case 'count':
    case 'deleteMany':
      return { method: operation, args: { ...args, where: where() } };
    case 'create':
      if (args.data === undefined || Array.isArray(args.data)) throw new Error('create takes one row.');
      return { method: 'create', args: { data: row(args.data) } };
    case 'createMany':
      if (!Array.isArray(args.data)) throw new Error('createMany takes a list of rows.');
      return { method: 'createMany', args: { data: args.data.map(row) } };
    case 'update':
      if (args.data === undefined || Array.isArray(args.data))
        throw new Error('update takes one set of changes.');
      return { method: 'updateManyAndReturn', args: { where: where(), data: checkedData(model, args.data) } };
    default:
      throw new Error(`${model}.${operation} is not offered inside an environment.`);
  }
}

const readingMethods: ReadonlySet<string> = new Set(['findFirst', 'findMany', 'count']);

/**
 * Client callbacks. `onCatalogChange` runs after each change to a catalog row; `share` runs each SQL statement within
 * the environment's share of connections.
 */
export type TenantHooks = {
  readonly onCatalogChange?: () => Promise<void>;
  readonly share?: <T>(work: () => Promise<T>) => Promise<T>;
};

/**
 * Returns a Prisma client that adds the environment to each SQL statement. Throws for unsupported operations, models
 * without an environment, relations in data, and environments in filters.
 */
export function tenantClient(
  prisma: PrismaClient | Transaction['prisma'],
  environmentId: string,
  { onCatalogChange = () => Promise.resolve(), share = (work) => work() }: TenantHooks = {},
): TenantClient {
  const delegates = new Map<string, unknown>();
  const delegateOf = (key: string) => {
    const model = key.charAt(0).toUpperCase() + key.slice(1);
    if (!fieldsByModel.has(model) || globalNames.has(model))
      throw new Error(`${model} is not a table of an environment.`);
    const target = prisma[key as ModelKey] as unknown as Record<string, (args: object) => unknown>;
    return new Proxy(Object.freeze({}), {
      get:
        (_none, operation) =>
        (args: Arguments = {}) => {
          const scoped = scopedArguments(model, String(operation), args, environmentId);
          const method = target[scoped.method];
          if (method === undefined) throw new Error(`Prisma has no ${scoped.method}.`);
          // Awaits the promise inside `share`, because Prisma sends the statement only when its promise is awaited.
          const sent = share(async () => method(scoped.args));
          if (!catalogModels.has(model) || readingMethods.has(scoped.method)) return sent;
          return sent.then(async (written) => {
            await onCatalogChange();
            return written;
          });
        },
    });
  };
  // The cast is safe because the proxy implements all members of TenantClient.
  return new Proxy(Object.freeze({}), {
    get: (_none, key) => {
      if (typeof key !== 'string' || key === 'then') return undefined;
      const known = delegates.get(key);
      if (known !== undefined) return known;
      const delegate = delegateOf(key);
      delegates.set(key, delegate);
      return delegate;
    },
  }) as TenantClient;
}
