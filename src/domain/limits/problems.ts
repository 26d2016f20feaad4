// Checks of limits and budgets in requests.
import type { FieldProblem } from '../errors/errors.ts';
import { type GaugeTerms, gaugeKey } from './gauge.ts';
import type { LimitMeasure, LimitRow, LimitThreshold, LimitWindow, LimitWindowKind } from './limit.ts';

const kindPattern = /^[a-z][a-z0-9_]{0,19}$/;
// Control characters aren't allowed in keys.
const keyPattern = /^[a-z][a-z0-9_]{0,19}:[^\p{Cc}]{1,180}$/u;

export const isBudgetKind = (text: string): boolean => kindPattern.test(text) && text !== 'customer';

/** Returns the problem of a budget's key. `null` if the key is valid. */
export function keyProblem(key: string): string | null {
  if (!keyPattern.test(key)) return badKey;
  return key.startsWith('customer:') ? 'must not have the kind `customer`, which is reserved' : null;
}

const badKey =
  'must be a kind and an identifier, separated by a colon, such as `team:eu`. The kind has up to 20 lowercase letters, digits, and underscores. The identifier has up to 180 characters';

/** Maximum depth of a customer's tree of budgets. */
export const mostLevels = 4;

/** Fields of a new limit that depend on each other. */
export type LimitTerms = Pick<
  LimitRow,
  'measure' | 'currency' | 'asset' | 'filter' | 'window' | 'amount' | 'thresholds' | 'action' | 'replaces'
>;

type Rule = (terms: LimitTerms) => FieldProblem[];

const problem = (field: string, message: string): FieldProblem[] => [{ field, message }];

/** Unit in which a measure is stated: a currency, an asset, one of them, or none. */
const units: { readonly [measure in LimitMeasure]: 'currency' | 'asset' | 'either' | 'none' } = {
  units: 'none',
  spend: 'currency',
  value: 'either',
  drawn: 'asset',
  calls: 'none',
};

const unitProblems: Rule = ({ measure, currency, asset }) => {
  const unit = units[measure];
  const given = [currency !== null ? 'currency' : '', asset !== null ? 'asset' : ''].filter(
    (name) => name !== '',
  );
  if (unit === 'either')
    return given.length === 1
      ? []
      : problem('currency', 'Set either `currency` or `asset` for this measure.');
  if (unit === 'none') {
    const [first] = given;
    return first === undefined ? [] : problem(first, "isn't used by this measure");
  }
  if (given.length === 1 && given[0] === unit) return [];
  return given.includes(unit)
    ? problem(unit === 'currency' ? 'asset' : 'currency', "isn't used by this measure")
    : problem(unit, 'is required for this measure');
};

const hasTwice = (names: readonly string[]): boolean => new Set(names).size < names.length;

const filterProblems: Rule = ({ measure, filter }) => {
  if (hasTwice(filter.features)) return problem('filter.features', 'must not contain a feature twice');
  if (measure === 'units' && filter.features.length !== 1)
    return problem('filter.features', 'must contain exactly one feature for the measure `units`');
  return hasTwice(filter.dimensions.map(({ property }) => property))
    ? problem('filter.dimensions', 'must not contain a property twice')
    : [];
};

const longest = 44_640;

type Parameter = Exclude<keyof LimitWindow, 'kind'>;

/** Parameters of each kind of window. */
const parameters: { readonly [kind in LimitWindowKind]: readonly Parameter[] } = {
  event: [],
  rolling: ['minutes', 'steps'],
  session: ['minutes'],
  fixed: ['minutes', 'anchor'],
  day: ['timeZone'],
  week: ['timeZone', 'weekStart'],
  month: ['timeZone'],
  usage_window: [],
  billing_period: [],
  lifetime: [],
};

const within = (value: number | null, least: number, most: number): boolean =>
  value === null || (Number.isInteger(value) && value >= least && value <= most);

const windowProblems: Rule = ({ window }) => {
  const { kind, minutes, steps, weekStart } = window;
  const allowed = parameters[kind];
  const names: Parameter[] = ['minutes', 'steps', 'anchor', 'timeZone', 'weekStart'];
  const unused = names.find((name) => window[name] !== null && !allowed.includes(name));
  if (unused !== undefined)
    return problem(`window.${unused}`, `isn't used by windows of the kind \`${kind}\``);
  const least = kind === 'fixed' ? 60 : 1;
  if (allowed.includes('minutes') && (minutes === null || !within(minutes, least, longest)))
    return problem('window.minutes', `must be from ${least} to 44,640`);
  if (!within(steps, 12, 120)) return problem('window.steps', 'must be from 12 to 120');
  return within(weekStart, 1, 7) ? [] : problem('window.weekStart', 'must be from 1 to 7');
};

const mostThresholds = 10;

/** Returns the value by which thresholds are sorted. Basis points need an amount. */
const order = ({ amount, bps }: LimitThreshold, most: bigint | null): number | null =>
  amount ?? (bps === null || most === null ? null : (bps * Number(most)) / 10_000);

const thresholdProblems: Rule = ({ thresholds, amount }) => {
  if (thresholds.length > mostThresholds) return problem('thresholds', 'must have at most 10 items');
  const values: number[] = [];
  for (const [index, threshold] of thresholds.entries()) {
    const field = `thresholds.${index}`;
    if ((threshold.amount === null) === (threshold.bps === null))
      return problem(field, 'must have either `amount` or `bps`');
    const value = order(threshold, amount);
    if (value === null) return problem(field, 'needs an amount, because the limit has none');
    const last = values.at(-1);
    if (last !== undefined && value <= last)
      return problem(field, 'must be greater than the threshold before it');
    values.push(value);
  }
  return [];
};

/** Only a limit that replaces a template can have no effect: its node is exempt from the template. */
const effectProblems: Rule = ({ amount, action, thresholds, replaces }) => {
  if (amount !== null || replaces !== null) return [];
  if (action === 'block') return problem('amount', 'is required for the action `block`');
  return thresholds.length === 0 ? problem('amount', 'is required if `thresholds` is empty') : [];
};

const rules: readonly Rule[] = [
  unitProblems,
  filterProblems,
  windowProblems,
  thresholdProblems,
  effectProblems,
];

/** Returns true if a limit can replace a template: both count the same usage in the same unit and window. */
export const countsAlike = (limit: GaugeTerms, template: GaugeTerms): boolean =>
  gaugeKey({ ...limit, amount: null }) === gaugeKey({ ...template, amount: null });

/** Returns the problems of a limit. Empty if the limit is valid. */
export const limitProblems = (terms: LimitTerms): FieldProblem[] => rules.flatMap((rule) => rule(terms));
