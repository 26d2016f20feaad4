import { validationError } from '../../domain/errors/errors.ts';
import { modelFields } from '../../platform/db/datamodel.ts';
import type { Order, Place } from '../../platform/db/row-lists.ts';
import type { ModelName } from '../../platform/db/rows.ts';
import { isStorable, storageViolation } from '../declare/scalars.ts';

// Opaque cursors that identify positions in a list. A cursor remains valid after its row is deleted.

/** Named sort order. A cursor is valid only for the order that created it. */
export type NamedOrder = Order & {
  readonly name: string;
  /** Prefix for cursors in the default order. Used only for orders whose keys are numbers and times. */
  readonly prefix?: string;
};

/** Default order of most lists: newest rows first. */
export const newestFirst: NamedOrder = {
  name: 'created_at',
  keys: [{ column: 'createdAt' }, { column: 'seq' }],
  direction: 'desc',
  prefix: '',
};

export type CursorArgument = 'after' | 'before';

const reject = (argument: CursorArgument, message: string): never => {
  throw validationError([{ field: argument, message }]);
};

/** Encodes a string as a cursor that contains only URL-safe characters. */
export const cursorFrom = (text: string): string => Buffer.from(text).toString('base64url');

/** Decodes a cursor with `read`. Throws `validation_error` for the argument if `read` returns undefined. */
export function readCursor<T>(
  cursor: string,
  argument: CursorArgument,
  read: (text: string) => T | undefined,
): T {
  const text = /^[A-Za-z0-9_-]+$/.test(cursor) ? Buffer.from(cursor, 'base64url').toString('utf8') : '';
  return read(text) ?? reject(argument, 'must be a cursor that this list returned');
}

const plainValue = (value: unknown): string | number | null =>
  value instanceof Date ? value.getTime() : value === null ? null : String(value);

/** Returns the cursor for a position, given the values of the columns in the sort order. */
export function encodePlace(order: NamedOrder, place: Place): string {
  const values = place.map(plainValue);
  return cursorFrom(
    order.prefix === undefined
      ? `${order.name} ${order.direction} ${JSON.stringify(values)}`
      : `${order.prefix}${values.join('.')}`,
  );
}

export const encodeCursor = (order: NamedOrder, row: object): string =>
  encodePlace(
    order,
    order.keys.map(({ column }) => (row as Readonly<Record<string, unknown>>)[column]),
  );

function instantFrom(value: unknown): Date | undefined {
  const instant = new Date(Number(value));
  return /^-?\d{1,16}$/.test(String(value)) && isStorable(instant) ? instant : undefined;
}

/** Converts a value from a cursor to the column's type. Undefined if the value isn't valid for the column. */
function valueFrom(model: ModelName, column: string, value: unknown): unknown {
  const field = modelFields.get(model)?.find(({ name }) => name === column);
  if (value === null) return field?.isRequired === false ? null : undefined;
  if (field?.type === 'DateTime') return instantFrom(value);
  if (field?.type === 'BigInt') return /^-?\d{1,18}$/.test(String(value)) ? BigInt(String(value)) : undefined;
  return typeof value === 'string' && storageViolation(value) === null ? value : undefined;
}

function parsedList(text: string): unknown[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

const compact = /^(\D*?)(-?\d{1,18}(?:\.\d{1,18})*)$/;
const named = /^([a-z_]+) (asc|desc) (\[.*\])$/s;

/** Returns the values in a cursor. Throws if the cursor was created for another order of the list. */
function valuesOf(order: NamedOrder, text: string, argument: CursorArgument): readonly unknown[] | undefined {
  const [, prefix, values] = compact.exec(text) ?? [];
  const [, name, direction, list] = named.exec(text) ?? [];
  const isOwn =
    order.prefix === undefined
      ? name === order.name && direction === order.direction
      : prefix === order.prefix;
  if (isOwn) return order.prefix === undefined ? parsedList(list ?? '') : values?.split('.');
  return prefix === '' || name !== undefined
    ? reject(argument, 'belongs to another sort order. Start again without a cursor')
    : undefined;
}

/** Decodes a cursor for an order of a model's rows. Throws `validation_error` for the argument if the cursor doesn't belong to this order. */
export const decodeCursor = (
  model: ModelName,
  order: NamedOrder,
  cursor: string,
  argument: CursorArgument,
): Place =>
  readCursor(cursor, argument, (text) => {
    const values = valuesOf(order, text, argument);
    if (values?.length !== order.keys.length) return undefined;
    const place = order.keys.map(({ column }, index) => valueFrom(model, column, values[index]));
    return place.includes(undefined) ? undefined : place;
  });
