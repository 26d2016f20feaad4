import { validationError } from '../domain/errors.ts';
import { modelFields } from '../platform/db/datamodel.ts';
import type { Order, Place } from '../platform/db/row-lists.ts';
import type { ModelName } from '../platform/db/rows.ts';
import { isStorable, storageViolation } from './scalars.ts';

// Cursors: the opaque places of rows in a list. They stay valid after the row is gone.

/** An order of a list that has a name, so that its cursors are rejected under another one. */
export type NamedOrder = Order & {
  readonly name: string;
  /** What cursors begin with, of an order by numbers and instants alone that its list has when none is asked for. */
  readonly prefix?: string;
};

/** The order of most lists when none is asked for. */
export const newestFirst: NamedOrder = {
  name: 'created_at',
  keys: [{ column: 'createdAt' }, { column: 'seq' }],
  direction: 'desc',
  prefix: '',
};

/** An argument that holds a cursor. */
export type CursorArgument = 'after' | 'before';

const reject = (argument: CursorArgument, message: string): never => {
  throw validationError([{ field: argument, message }]);
};

/** A text as a cursor: letters, digits, `-` and `_` only. */
export const cursorFrom = (text: string): string => Buffer.from(text).toString('base64url');

/** What `read` finds in a cursor; throws `validation_error` on the argument where that is nothing. */
export function readCursor<T>(
  cursor: string,
  argument: CursorArgument,
  read: (text: string) => T | undefined,
): T {
  const text = /^[A-Za-z0-9_-]+$/.test(cursor) ? Buffer.from(cursor, 'base64url').toString('utf8') : '';
  return read(text) ?? reject(argument, 'is not a cursor of this list');
}

const plainValue = (value: unknown): string | number | null =>
  value instanceof Date ? value.getTime() : value === null ? null : String(value);

/** The cursor of a row with these values in the columns of the order. */
export function encodePlace(order: NamedOrder, place: Place): string {
  const values = place.map(plainValue);
  return cursorFrom(
    order.prefix === undefined
      ? `${order.name} ${order.direction} ${JSON.stringify(values)}`
      : `${order.prefix}${values.join('.')}`,
  );
}

/** The cursor of a row. */
export const encodeCursor = (order: NamedOrder, row: object): string =>
  encodePlace(
    order,
    order.keys.map(({ column }) => (row as Readonly<Record<string, unknown>>)[column]),
  );

function instantFrom(value: unknown): Date | undefined {
  const instant = new Date(Number(value));
  return /^-?\d{1,16}$/.test(String(value)) && isStorable(instant) ? instant : undefined;
}

/** A value of a cursor as the column has it; undefined for what no row of the column can have. */
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

/** The values in a cursor of the order. Throws where it belongs to another order of the same list. */
function valuesOf(order: NamedOrder, text: string, argument: CursorArgument): readonly unknown[] | undefined {
  const [, prefix, values] = compact.exec(text) ?? [];
  const [, name, direction, list] = named.exec(text) ?? [];
  const isOwn =
    order.prefix === undefined
      ? name === order.name && direction === order.direction
      : prefix === order.prefix;
  if (isOwn) return order.prefix === undefined ? parsedList(list ?? '') : values?.split('.');
  return prefix === '' || name !== undefined ? reject(argument, 'is a cursor of another sort') : undefined;
}

/** Reads a cursor of the order of a list of the model. Throws `validation_error` on the argument for anything this list did not hand out in this order. */
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
