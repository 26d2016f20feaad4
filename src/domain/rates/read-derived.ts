// Reads rates that are derived from a cost, and costs, from requests.
import type { FieldProblem } from '../errors/errors.ts';
import type { Condition } from './card.ts';
import type { DerivedRate, Modifier } from './derived.ts';

/** Input of a rate that names its source. Values may be invalid. */
export type DerivedInput = {
  readonly from?: unknown;
  readonly marginBps?: unknown;
  readonly modifiers?: unknown;
};

/** Maximum margin in basis points. */
export const mostMargin = 1_000_000;

/** Maximum number of modifiers in a derived rate. */
export const mostModifiers = 10;

/** Maximum factor of a modifier in basis points. */
export const mostFactor = 100_000;

/** Maximum number of properties in the condition of a modifier. */
export const mostProperties = 3;

const mostValues = 100;

const isMissing = (value: unknown): value is undefined | null => value === undefined || value === null;

const isWithin = (value: unknown, most: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) &&
  value.length >= 1 &&
  value.length <= mostValues &&
  value.every((one) => typeof one === 'string');

/** Returns a problem for each field that can't be combined with `from`. */
const strangers = (input: object, allowed: readonly string[]): FieldProblem[] =>
  Object.entries(input)
    .filter(([name, value]) => !allowed.includes(name) && !isMissing(value))
    .map(([name]) => ({ field: name, message: "can't be combined with `from`" }));

/** Reads a condition on properties. Adds a problem for each invalid property. */
export function readWhen(value: unknown, field: string, problems: FieldProblem[]): Condition {
  const entries = isRecord(value) ? Object.entries(value) : [];
  if (entries.length < 1 || entries.length > mostProperties)
    problems.push({ field, message: `must contain from 1 to ${mostProperties} properties` });
  const read: Record<string, readonly string[]> = {};
  for (const [name, values] of entries) {
    if (isTexts(values)) read[name] = values;
    else
      problems.push({ field: `${field}.${name}`, message: `must be a list of 1 to ${mostValues} strings` });
  }
  return read;
}

function readModifiers(value: unknown, problems: FieldProblem[]): readonly Modifier[] {
  if (isMissing(value)) return [];
  if (!Array.isArray(value) || value.length > mostModifiers) {
    problems.push({ field: 'modifiers', message: `can contain up to ${mostModifiers} modifiers` });
    return [];
  }
  return value.map((one: unknown, index): Modifier => {
    const path = `modifiers.${index}`;
    const given = isRecord(one) ? one : {};
    const factorBps = given['factorBps'];
    if (!isWithin(factorBps, mostFactor))
      problems.push({
        field: `${path}.factorBps`,
        message: `must be a whole number from 0 to ${mostFactor.toLocaleString('en-US')}`,
      });
    return {
      when: readWhen(given['when'], `${path}.when`, problems),
      factorBps: isWithin(factorBps, mostFactor) ? factorBps : 0,
    };
  });
}

/**
 * Reads a rate that is derived from the cost (PRM-112). Returns the rate, or all problems with their field paths, such as
 * `modifiers.0.factorBps`.
 */
export function readDerived(
  input: DerivedInput,
): { readonly rate: DerivedRate } | { readonly problems: readonly FieldProblem[] } {
  const problems = strangers(input, ['from', 'marginBps', 'modifiers']);
  if (input.from !== 'cost') problems.push({ field: 'from', message: 'must be cost' });
  const margin = isMissing(input.marginBps) ? 0 : input.marginBps;
  if (!isWithin(margin, mostMargin))
    problems.push({
      field: 'marginBps',
      message: `must be a whole number from 0 to ${mostMargin.toLocaleString('en-US')}`,
    });
  const modifiers = readModifiers(input.modifiers, problems);
  if (problems.length > 0 || !isWithin(margin, mostMargin)) return { problems };
  return { rate: { from: 'cost', marginBps: margin, ...(modifiers.length > 0 && { modifiers }) } };
}

/** Returns the problems of a cost that names its source, which must be `ai_models`. Empty if the cost is valid. */
export function problemsOfModelCost(input: DerivedInput): readonly FieldProblem[] {
  const problems = strangers(input, ['from']);
  return input.from === 'ai_models'
    ? problems
    : [...problems, { field: 'from', message: 'must be ai_models' }];
}
