import type { DBAdapter, Where } from 'better-auth';
import { hashSecret } from '../platform/secrets.ts';

// Storage adapter that hashes session tokens before the authentication library stores them. An attacker with read access to the database
// can't use the sessions.

type Selection = { readonly model: string; readonly where?: Where[] | undefined };

const isToken = ({ field }: Where): boolean => field === 'token';

/** Replaces the session tokens in the value of a condition with their hashes. */
const stored = (value: Where['value']): Where['value'] =>
  Array.isArray(value) ? value.map((token) => hashSecret(String(token))) : hashSecret(String(value));

/** Replaces tokens in the conditions of a session query with their hashes. */
const selected = <T extends Selection>(selection: T): T =>
  selection.model === 'session' && selection.where !== undefined
    ? {
        ...selection,
        where: selection.where.map((part) => (isToken(part) ? { ...part, value: stored(part.value) } : part)),
      }
    : selection;

/** Replaces the hash in a row with the token from the query. A row that was found by another condition keeps the hash. */
function restored<T>({ model, where }: Selection, row: T): T {
  const token =
    model === 'session'
      ? where?.find((part) => isToken(part) && !Array.isArray(part.value))?.value
      : undefined;
  return token === undefined || typeof row !== 'object' || row === null ? row : { ...row, token };
}

const hashed = <T extends Record<string, unknown>>(model: string, values: T): T =>
  model === 'session' && typeof values['token'] === 'string'
    ? { ...values, token: hashSecret(values['token']) }
    : values;

type Base = Omit<DBAdapter, 'transaction'>;

const wrap = <T extends Base>(inner: T): T => ({
  ...inner,
  create: async <D extends Record<string, unknown>, R = D>(input: {
    model: string;
    data: Omit<D, 'id'>;
    select?: string[];
    forceAllowId?: boolean;
  }) => {
    const row = await inner.create<D, R>({ ...input, data: hashed(input.model, input.data) });
    const token: unknown = (input.data as Record<string, unknown>)['token'];
    return input.model === 'session' && token !== undefined ? { ...row, token } : row;
  },
  findOne: async <R>(input: Parameters<Base['findOne']>[0]) =>
    restored(input, await inner.findOne<R>(selected(input))),
  findMany: <R>(input: Parameters<Base['findMany']>[0]) => inner.findMany<R>(selected(input)),
  count: (input: Parameters<Base['count']>[0]) => inner.count(selected(input)),
  update: async <R>(input: Parameters<Base['update']>[0]) =>
    restored(input, await inner.update<R>({ ...selected(input), update: hashed(input.model, input.update) })),
  updateMany: (input: Parameters<Base['updateMany']>[0]) =>
    inner.updateMany({ ...selected(input), update: hashed(input.model, input.update) }),
  delete: <R>(input: Parameters<Base['delete']>[0]) => inner.delete<R>(selected(input)),
  deleteMany: (input: Parameters<Base['deleteMany']>[0]) => inner.deleteMany(selected(input)),
  consumeOne: async <R>(input: Parameters<Base['consumeOne']>[0]) =>
    restored(input, await inner.consumeOne<R>(selected(input))),
  incrementOne: async <R>(input: Parameters<Base['incrementOne']>[0]) =>
    restored(input, await inner.incrementOne<R>(selected(input))),
});

/** Wraps a storage adapter so that it stores hashes of session tokens. The authentication library itself handles only plain tokens. */
export const withHashedTokens = (inner: DBAdapter): DBAdapter => ({
  ...wrap(inner),
  transaction: (work) => inner.transaction((within) => work(wrap(within))),
});
