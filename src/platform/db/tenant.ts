import { catalogModels, globalModels } from '../../domain/tenancy.ts';
import { Prisma, type PrismaClient } from '../../generated/prisma/client.ts';
import { modelFields } from './datamodel.ts';
import type { Transaction } from './pool.ts';

type ModelKey = Exclude<keyof PrismaClient, `$${string}` | symbol>;
type TenantKey = Exclude<ModelKey, Uncapitalize<(typeof globalModels)[number]>>;
type ScalarRow<D> = Prisma.Result<D, object, 'findFirstOrThrow'>;
type Where<D> =
  Prisma.Args<D, 'findFirst'> extends { where?: infer W } ? Omit<NonNullable<W>, 'environmentId'> : never;
type ScopedRead<D, A> = Omit<Prisma.Args<D, 'findMany'>, 'where'> & { where?: Where<D> } & A;

/** A new row without its environment; every column is given, so that no default is relied on. */
export type NewRow<D> = Omit<ScalarRow<D>, 'environmentId'>;

/** What a tenant may do with a model. The environment is added by the client; single rows are addressed by `where: { id }`. */
export type TenantDelegate<D> = {
  findFirst: <A extends ScopedRead<D, unknown>>(args: A) => Promise<Prisma.Result<D, A, 'findFirst'>>;
  findMany: <A extends ScopedRead<D, unknown>>(args: A) => Promise<Prisma.Result<D, A, 'findMany'>>;
  count: (args: { where?: Where<D> }) => Promise<number>;
  create: (args: { data: NewRow<D> }) => Promise<ScalarRow<D>>;
  createMany: (args: { data: NewRow<D>[] }) => Promise<{ count: number }>;
  /** Changes the rows that match and answers them as they are at that time. */
  update: (args: { where: Where<D>; data: Partial<NewRow<D>> }) => Promise<ScalarRow<D>[]>;
  deleteMany: (args: { where: Where<D> }) => Promise<{ count: number }>;
};

/** Prisma, seen from inside one environment: no other environment's row can be read or written through it. */
export type TenantClient = { readonly [Key in TenantKey]: TenantDelegate<PrismaClient[Key]> };

type Arguments = {
  where?: Record<string, unknown>;
  data?: Record<string, unknown> | Record<string, unknown>[];
};

const fieldsByModel = new Map(
  [...modelFields].map(([model, fields]) => [model, new Map(fields.map((field) => [field.name, field]))]),
);

/** Rejects what would reach outside the environment, and turns a null JSON into the null of the database. */
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
    checked[name] = value === null && field.type === 'Json' ? Prisma.DbNull : value;
  }
  return checked;
}

/** Rejects a filter that names an environment, at any depth of its boolean operators. */
function checkedWhere(
  model: string,
  where: Record<string, unknown> | undefined,
  environmentId: string,
): Record<string, unknown> {
  const names = JSON.stringify(where ?? {}, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  if (/"environmentId(_\w+)?":/.test(names))
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

/** A view of Prisma in which every statement carries the environment. Unknown operations, global models, relations in data and environments in filters throw. `onCatalogChange` follows each change of a row of the catalog. */
export function tenantClient(
  prisma: PrismaClient | Transaction['prisma'],
  environmentId: string,
  onCatalogChange: () => Promise<void> = () => Promise.resolve(),
): TenantClient {
  const delegates = new Map<string, unknown>();
  const delegateOf = (key: string) => {
    const model = key.charAt(0).toUpperCase() + key.slice(1);
    if (!fieldsByModel.has(model) || globalModels.some((name) => name === model))
      throw new Error(`${model} is not a table of an environment.`);
    const target = prisma[key as ModelKey] as unknown as Record<string, (args: object) => unknown>;
    return new Proxy(Object.freeze({}), {
      get:
        (_none, operation) =>
        (args: Arguments = {}) => {
          const scoped = scopedArguments(model, String(operation), args, environmentId);
          const method = target[scoped.method];
          if (method === undefined) throw new Error(`Prisma has no ${scoped.method}.`);
          if (!catalogModels.has(model) || readingMethods.has(scoped.method)) return method(scoped.args);
          return Promise.resolve(method(scoped.args)).then(async (written) => {
            await onCatalogChange();
            return written;
          });
        },
    });
  };
  // The one cast of tenancy: the proxy has the shape of TenantClient by construction.
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
