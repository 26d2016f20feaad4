import { Kind, type ValueNode } from 'graphql';

// What values may look like on the way in and out. Every parser throws an UnfitValue that completes "<field> …".

/** A value of a caller that a scalar does not take; a TypeError of our own making is none and stays hidden. */
export class UnfitValue extends TypeError {
  override name = 'UnfitValue';
}

const dateTimePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** The first and the last instant that dates with four digits for the year can name; databases and documents hold no others. */
const [earliestMs, latestMs] = [
  Date.parse('0001-01-01T00:00:00.000Z'),
  Date.parse('9999-12-31T23:59:59.999Z'),
];

/** Whether an instant lies in the years 1 to 9999 (UTC). False for an invalid date. */
export const isStorable = (instant: Date): boolean =>
  instant.getTime() >= earliestMs && instant.getTime() <= latestMs;

/** An ISO 8601 instant with a zone, as a Date. Its year is 1 to 9999 in UTC. */
export function parseDateTime(value: unknown): Date {
  const instant = typeof value === 'string' && dateTimePattern.test(value) ? new Date(value) : null;
  if (instant === null || Number.isNaN(instant.getTime()) || !isRealDate(String(value)))
    throw new UnfitValue('must be an ISO 8601 date and time with a zone');
  if (!isStorable(instant)) throw new UnfitValue('must lie in the years 1 to 9999 in UTC');
  return instant;
}

const datePattern = /^\d{4}-\d{2}-\d{2}$/;

/** A calendar day of the years 1 to 9999, `YYYY-MM-DD`. */
export function parseDate(value: unknown): string {
  if (
    typeof value !== 'string' ||
    !datePattern.test(value) ||
    value < '0001' ||
    Number.isNaN(Date.parse(value)) ||
    !isRealDate(value)
  )
    throw new UnfitValue('must be a calendar day, YYYY-MM-DD');
  return value;
}

/** False for days that their month does not have, which Date would silently move. */
function isRealDate(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
}

/** A whole number that JavaScript holds exactly. */
export function parseSafeInt(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    throw new UnfitValue('must be a whole number between -9007199254740991 and 9007199254740991');
  return value;
}

/** Writes a bigint or number as a JSON number. Throws for what would lose digits: an assertion, since nothing beyond it is ever stored. */
export function serializeSafeInt(value: unknown): number {
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number))
    throw new TypeError(`${String(value)} is not a safe integer.`);
  return number;
}

/** What keeps a text of a caller out of the database, which holds Unicode without the null character; null for any other. */
export function storageViolation(text: string): string | null {
  if (text.includes('\u0000')) return 'must not contain the null character';
  return text.isWellFormed() ? null : 'must not contain half of a UTF-16 surrogate pair';
}

// Control characters, and the two that Unicode has for the ends of lines and paragraphs.
const controls = /[\p{Cc}\u2028\u2029]/u;
const breaks = /[\t\n\r]/g;

/** The same for a text of one line, which holds no control characters either, or of several, which may hold line breaks and tabs. */
export function lineViolation(text: string, isMultiline = false): string | null {
  const violation = storageViolation(text);
  if (violation !== null || !controls.test(isMultiline ? text.replaceAll(breaks, '') : text))
    return violation;
  return isMultiline
    ? 'must not contain control characters besides line breaks and tabs'
    : 'must be one line without control characters';
}

/** The first violation of the texts in a JSON value, names of members included. */
function jsonViolation(value: unknown): string | null {
  if (typeof value === 'string') return storageViolation(value);
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, member] of Object.entries(value)) {
    const violation = storageViolation(name) ?? jsonViolation(member);
    if (violation !== null) return violation;
  }
  return null;
}

/** How many objects and lists may lie in each other in what a caller sends. */
export const maxJsonDepth = 64;

/** Whether lists and objects lie in each other more than `levels` deep. Looks no deeper than that. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}

/** A JSON object. */
export function parseJson(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UnfitValue('must be an object');
  if (isDeeper(value, maxJsonDepth)) throw new UnfitValue(`must nest at most ${maxJsonDepth} levels deep`);
  const violation = jsonViolation(value);
  if (violation !== null) throw new UnfitValue(violation);
  return value as Record<string, unknown>;
}

/** A map from names to whole numbers from 0 on. */
export function parseCountMap(value: unknown): Record<string, number> {
  const map = parseJson(value);
  for (const [name, count] of Object.entries(map)) {
    if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0)
      throw new UnfitValue(`must map names to whole numbers from 0 on; ${name} is none`);
  }
  return map as Record<string, number>;
}

/** A map from names to texts. */
export function parseTextMap(value: unknown): Record<string, string> {
  const map = parseJson(value);
  const [wrong] = Object.entries(map).filter(([, text]) => typeof text !== 'string');
  if (wrong !== undefined) throw new UnfitValue(`must map names to texts; ${wrong[0]} is none`);
  return map as Record<string, string>;
}

/** The value of a literal in a query document, objects and lists included. */
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

/** A parser of strings from a closed list whose members are no GraphQL names. */
export const parseOneOf =
  (values: readonly string[]) =>
  (value: unknown): string => {
    if (typeof value !== 'string' || !values.includes(value))
      throw new UnfitValue(`must be one of ${values.join(', ')}`);
    return value;
  };
