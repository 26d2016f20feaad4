import { Kind, type ValueNode } from 'graphql';
import { numberText } from '../../domain/rates/decimal.ts';
import { metadataViolation } from '../../domain/text/json.ts';

// Parsers and serializers for scalars. UnfitValue messages are appended to a field's name.

/** Error for an invalid value from a client. Other TypeErrors are bugs, and their messages aren't sent to clients. */
export class UnfitValue extends TypeError {
  override name = 'UnfitValue';
}

const dateTimePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** Range of supported times: years with four digits. Databases and documents don't support other years. */
const [earliestMs, latestMs] = [
  Date.parse('0001-01-01T00:00:00.000Z'),
  Date.parse('9999-12-31T23:59:59.999Z'),
];

/** True for times in the years 1 to 9999 (UTC). False for an invalid date. */
export const isStorable = (instant: Date): boolean =>
  instant.getTime() >= earliestMs && instant.getTime() <= latestMs;

/** Parses an ISO 8601 time with a UTC offset. The UTC year must be from 1 to 9999. */
export function parseDateTime(value: unknown): Date {
  const instant = typeof value === 'string' && dateTimePattern.test(value) ? new Date(value) : null;
  if (instant === null || Number.isNaN(instant.getTime()) || !isRealDate(String(value)))
    throw new UnfitValue('must be an ISO 8601 date and time with a time zone');
  if (!isStorable(instant)) throw new UnfitValue('must be between the years 1 and 9999 (UTC)');
  return instant;
}

const datePattern = /^\d{4}-\d{2}-\d{2}$/;

/** Parses a date in the format `YYYY-MM-DD`. The year must be from 1 to 9999. */
export function parseDate(value: unknown): string {
  if (
    typeof value !== 'string' ||
    !datePattern.test(value) ||
    value < '0001' ||
    Number.isNaN(Date.parse(value)) ||
    !isRealDate(value)
  )
    throw new UnfitValue('must be a date in the format YYYY-MM-DD');
  return value;
}

/** Returns false for dates that don't exist, such as February 30, which `Date` would shift. */
function isRealDate(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
}

/** Parses an integer in the range of safe JavaScript integers. */
export function parseSafeInt(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    throw new UnfitValue('must be a whole number between -9007199254740991 and 9007199254740991');
  return value;
}

/** Serializes an integer as a JSON number. A sum beyond 2⁵³−1 is rounded to the nearest double (GLO-14a). Throws if the value isn't an integer. */
export function serializeSafeInt(value: unknown): number {
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number))
    throw new TypeError(`${String(value)} isn't an integer.`);
  return number;
}

const decimalPattern = /^-?\d{1,40}(\.\d{1,40})?$/;

/** Parses a decimal from text or from a number, which is read in its shortest decimal form. The operation checks the bounds. */
export function parseDecimal(value: unknown): string {
  const text = typeof value === 'number' ? numberText(value) : value;
  if (typeof text !== 'string' || !decimalPattern.test(text))
    throw new UnfitValue('must be a decimal, such as "0.20"');
  return text;
}

/** Parses a decimal literal. Keeps the digits of a number as written, unless the number has an exponent. */
export const parseDecimalLiteral = (node: ValueNode): string => {
  const isNumber = node.kind === Kind.INT || node.kind === Kind.FLOAT;
  if (isNumber) return parseDecimal(decimalPattern.test(node.value) ? node.value : Number(node.value));
  return parseDecimal(node.kind === Kind.STRING ? node.value : null);
};

/** Returns the reason why PostgreSQL can't store a string: null characters or invalid Unicode. `null` if the string can be stored. */
export function storageViolation(text: string): string | null {
  if (text.includes('\u0000')) return "can't contain the null character";
  return text.isWellFormed() ? null : "can't contain an unpaired UTF-16 surrogate";
}

// Control characters and Unicode line and paragraph separators.
const controls = /[\p{Cc}\u2028\u2029]/u;
const breaks = /[\t\n\r]/g;

/**
 * Returns the violation of the character rules in a string. A single-line string can't contain control characters. A
 * multiline string can contain line breaks and tabs.
 */
export function lineViolation(text: string, isMultiline = false): string | null {
  const violation = storageViolation(text);
  if (violation !== null || !controls.test(isMultiline ? text.replaceAll(breaks, '') : text))
    return violation;
  return isMultiline
    ? "can't contain control characters other than line breaks and tabs"
    : 'must be one line without control characters';
}

/** Returns the first violation among the strings and keys in a JSON value. */
function jsonViolation(value: unknown): string | null {
  if (typeof value === 'string') return storageViolation(value);
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, member] of Object.entries(value)) {
    const violation = storageViolation(name) ?? jsonViolation(member);
    if (violation !== null) return violation;
  }
  return null;
}

/** Maximum nesting depth of objects and lists in a JSON input. */
export const maxJsonDepth = 64;

/** True if lists and objects are nested more than `levels` deep. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const member of Object.values(value))
    if (typeof member === 'object' && isDeeper(member, levels - 1)) return true;
  return false;
}

/** Parses a JSON object without size limits. */
function parseObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UnfitValue('must be an object');
  if (isDeeper(value, maxJsonDepth))
    throw new UnfitValue(`can't be nested more than ${maxJsonDepth} levels deep`);
  const violation = jsonViolation(value);
  if (violation !== null) throw new UnfitValue(violation);
  return value as Record<string, unknown>;
}

/** Parses a JSON object within the metadata size limits. */
export function parseJson(value: unknown): Record<string, unknown> {
  const object = parseObject(value);
  const violation = metadataViolation(object);
  if (violation !== null) throw new UnfitValue(violation);
  return object;
}

/** Parses an object whose values are non-negative integers. */
export function parseCountMap(value: unknown): Record<string, number> {
  const map = parseObject(value);
  for (const [name, count] of Object.entries(map)) {
    if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0)
      throw new UnfitValue(`must map names to non-negative whole numbers. ${name} isn't valid`);
  }
  return map as Record<string, number>;
}

/** Parses an amount of a limit: a whole number, or an object with the basis points of another number and the name of that number. */
export function parseLimitAmount(value: unknown): number | { bps: number; of: string } {
  if (typeof value === 'number') {
    if (parseSafeInt(value) >= 0) return value;
    throw new UnfitValue('must be 0 or more');
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject) throw new UnfitValue('must be a whole number (not text), or an object with `bps` and `of`');
  const { bps, of, ...rest } = parseObject(value);
  const isShare =
    typeof bps === 'number' && Number.isInteger(bps) && bps >= 1 && bps <= 100_000 && typeof of === 'string';
  if (!isShare || Object.keys(rest).length > 0)
    throw new UnfitValue('must be a whole number, or an object with `bps` from 1 to 100,000 and `of`');
  return { bps, of };
}

/** Parses an object whose values are strings, within the metadata size limits. */
export function parseTextMap(value: unknown): Record<string, string> {
  const map = parseJson(value);
  const [wrong] = Object.entries(map).filter(([, text]) => typeof text !== 'string');
  if (wrong !== undefined) throw new UnfitValue(`must map names to strings. ${wrong[0]} isn't a string`);
  return map as Record<string, string>;
}

/** Returns the value of a literal in a document. The literal can be an object or a list. */
export function literalValue(
  node: ValueNode,
  variables: Record<string, unknown> | null | undefined,
): unknown {
  switch (node.kind) {
    case Kind.INT:
    case Kind.FLOAT:
      return Number(node.value);
    case Kind.STRING:
    case Kind.BOOLEAN:
    case Kind.ENUM:
      return node.value;
    case Kind.NULL:
      return null;
    case Kind.LIST:
      return node.values.map((item) => literalValue(item, variables));
    case Kind.OBJECT:
      return Object.fromEntries(
        node.fields.map((field) => [field.name.value, literalValue(field.value, variables)]),
      );
    case Kind.VARIABLE:
      return variables?.[node.name.value];
  }
}

/** Returns a parser for a fixed set of strings that aren't valid GraphQL names. */
export const parseOneOf =
  (values: readonly string[]) =>
  (value: unknown): string => {
    if (typeof value !== 'string' || !values.includes(value))
      throw new UnfitValue(`must be one of ${values.join(', ')}`);
    return value;
  };
