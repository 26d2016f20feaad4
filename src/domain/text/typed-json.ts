// JSON that keeps dates, large integers, maps, and sets, for values that are read again by the same program.

const tag = '$';

/** Thrown for a value that has no JSON form, such as a function. */
class UnstorableValueError extends Error {
  override name = 'UnstorableValueError';
}

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

const tagged = (type: string, value: unknown) => ({ [tag]: type, value });

/** Returns the JSON form of a value. Omits undefined members. */
function encoded(value: unknown): unknown {
  if (typeof value === 'bigint') return tagged('bigint', String(value));
  if (value === undefined) return tagged('undefined', null);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (Array.isArray(value)) return value.map(encoded);
  if (value instanceof Date) return tagged('date', value.toISOString());
  if (value instanceof Map) return tagged('map', encoded([...value]));
  if (value instanceof Set) return tagged('set', encoded([...value]));
  if (typeof value !== 'object' || !isPlain(value))
    throw new UnstorableValueError(`A value can't be stored: ${String(value)}.`);
  const members = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [[name, encoded(member)] as const],
  );
  const object = Object.fromEntries(members);
  return Object.hasOwn(value, tag) ? tagged('object', object) : object;
}

type Tagged = { readonly [tag]: string; readonly value: unknown };

const decoders: Readonly<Record<string, (value: unknown) => unknown>> = {
  bigint: (value) => BigInt(value as string),
  undefined: () => undefined,
  date: (value) => new Date(value as string),
  map: (value) => new Map(decoded(value) as [unknown, unknown][]),
  set: (value) => new Set(decoded(value) as unknown[]),
  object: members,
};

function members(value: unknown): unknown {
  return Object.fromEntries(
    Object.entries(value as object).map(([name, member]) => [name, decoded(member)] as const),
  );
}

function decoded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decoded);
  if (typeof value !== 'object' || value === null) return value;
  if (!Object.hasOwn(value, tag)) return members(value);
  const { [tag]: type, value: inner } = value as Tagged;
  const decode = decoders[type];
  if (decode === undefined) throw new Error(`The stored value has an unknown type: ${type}.`);
  return decode(inner);
}

/** Returns a value as JSON text. Throws UnstorableValueError for functions, symbols, and objects of classes. */
export const typedJson = (value: unknown): string => JSON.stringify(encoded(value));

/** Returns the value of a text that `typedJson` created. */
export const fromTypedJson = (text: string): unknown => decoded(JSON.parse(text));
