// Checks of limits and budgets in requests.
import type { FieldProblem } from '../errors/errors.ts';
import { type GaugeTerms, gaugeKey } from './gauge.ts';
import {
  countsOperations,
  isFalling,
  isShared,
  type LimitMeasure,
  type LimitRow,
  type LimitThreshold,
  type LimitWindowKind,
} from './limit.ts';
import { hasTwice, type LimitTerms, problem, type Rule } from './limit-terms.ts';
import { operationProblems } from './operation-problems.ts';
import { isShareBase } from './shares.ts';
import { windowProblems } from './window-problems.ts';

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

/** Unit in which a measure is stated: a currency, an asset, one of them, or none. */
const units: { readonly [measure in LimitMeasure]: 'currency' | 'asset' | 'either' | 'none' } = {
  units: 'none',
  spend: 'currency',
  value: 'either',
  drawn: 'asset',
  calls: 'none',
  remaining: 'asset',
  level: 'none',
  money: 'currency',
};

const unitProblems: Rule = ({ measure, currency, asset, amounts }) => {
  if (amounts.length > 0) return [];
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

const filterProblems: Rule = ({ measure, filter }) => {
  if (hasTwice(filter.features)) return problem('filter.features', 'must not contain a feature twice');
  if ((measure === 'units' || measure === 'level') && filter.features.length !== 1)
    return problem('filter.features', `must contain exactly one feature for the measure \`${measure}\``);
  return hasTwice(filter.dimensions.map(({ property }) => property))
    ? problem('filter.dimensions', 'must not contain a property twice')
    : [];
};

const mostThresholds = 10;

/**
 * Returns the value by which thresholds are sorted, and its unit. Only values with the same unit are compared. Basis points need an
 * amount.
 */
function orderOf(
  { amount, bps, of = null }: LimitThreshold,
  limit: Pick<LimitTerms, 'amount' | 'amounts' | 'share'>,
): { readonly unit: string; readonly value: number } | null {
  if (amount !== null) return { unit: 'amount', value: amount };
  if (bps === null) return null;
  if (of !== null) return { unit: of, value: bps };
  if (limit.share !== null || limit.amounts.length > 0) return { unit: 'share', value: bps };
  return limit.amount === null ? null : { unit: 'amount', value: (bps * Number(limit.amount)) / 10_000 };
}

/** Returns the problem of a threshold that its measure doesn't allow. */
function measureProblem({ amount, of = null, rearm }: LimitThreshold, limit: LimitTerms): string | null {
  if (isFalling(limit)) return null;
  if (of !== null) return 'must not have `of` for this measure';
  if (rearm === 'refill') return 'must not have the rearm `refill` for this measure';
  return amount === 0 ? 'must be 1 or more for this measure' : null;
}

const thresholdProblems: Rule = (terms) => {
  const { thresholds } = terms;
  if (thresholds.length > mostThresholds) return problem('thresholds', 'must have at most 10 items');
  const highest = new Map<string, number>();
  for (const [index, threshold] of thresholds.entries()) {
    const field = `thresholds.${index}`;
    if ((threshold.amount === null) === (threshold.bps === null))
      return problem(field, 'must have either `amount` or `bps`');
    if (threshold.bps === null && (threshold.of ?? null) !== null)
      return problem(field, 'must have `bps` if it has `of`');
    const unfit = measureProblem(threshold, terms);
    if (unfit !== null) return problem(field, unfit);
    const order = orderOf(threshold, terms);
    if (order === null) return problem(field, 'needs an amount, because the limit has none');
    const last = highest.get(order.unit);
    if (last !== undefined && order.value <= last)
      return problem(field, 'must be greater than the threshold before it');
    highest.set(order.unit, order.value);
  }
  return [];
};

const channelProblems: Rule = ({ channels, recipients }) => {
  if (hasTwice(channels)) return problem('channels', 'must not contain a channel twice');
  if (hasTwice(recipients)) return problem('recipients', 'must not contain an address twice');
  return recipients.length > 0 && !channels.includes('merchant_email')
    ? problem('recipients', 'must be empty without the channel `merchant_email`')
    : [];
};

/** Limits on the remaining amount bound the account of a customer at any time. */
const remainingProblems: Rule = (terms) => {
  const { filter, window, each, budgetKey, notifyResolved } = terms;
  if (!isFalling(terms))
    return notifyResolved ? problem('notifyResolved', 'must not be `true` for this measure') : [];
  if (budgetKey !== null) return problem('scope.budget', "isn't used by this measure");
  if (each !== null && each !== 'customer')
    return problem('scope.each', 'must be `customer` for this measure');
  if (filter.features.length + filter.dimensions.length > 0)
    return problem('filter', "isn't used by this measure");
  return window.kind === 'lifetime' ? [] : problem('window.kind', 'must be `lifetime` for this measure');
};

/** Limits on levels bound the number of seats or quota units of a customer for each change of the number. */
const levelProblems: Rule = ({ measure, filter, window, action, each, budgetKey, thresholds }) => {
  if (measure !== 'level') return [];
  if (budgetKey !== null) return problem('scope.budget', "isn't used by this measure");
  if (each !== null && each !== 'customer')
    return problem('scope.each', 'must be `customer` for this measure');
  if (filter.dimensions.length > 0) return problem('filter.dimensions', "isn't used by this measure");
  if (window.kind !== 'lifetime') return problem('window.kind', 'must be `lifetime` for this measure');
  if (action !== 'block' && action !== 'notify')
    return problem('action', 'must be `block` or `notify` for this measure');
  const index = thresholds.findIndex(({ rearm }) => rearm !== 'recross');
  return index < 0 ? [] : problem(`thresholds.${index}`, 'must have the rearm `recross` for this measure');
};

const actionProblems: Rule = ({ action, measure, window }) => {
  if ((action === 'throttle' || action === 'approve') && isFalling({ measure }))
    return problem('action', `must not be \`${action}\` for this measure`);
  if (action !== 'throttle') return [];
  return window.kind === 'event' || window.kind === 'lifetime'
    ? problem('action', `must not be \`throttle\` for windows of the kind \`${window.kind}\``)
    : [];
};

const amountsProblems: Rule = ({ amounts, amount, share, currency, asset, measure, thresholds }) => {
  if (amounts.length === 0) return [];
  if (measure !== 'spend' && measure !== 'value' && measure !== 'money')
    return problem('amounts', "isn't used by this measure");
  if (currency !== null || asset !== null)
    return problem(currency === null ? 'asset' : 'currency', 'must not be set together with `amounts`');
  if (amount !== null || share !== null) return problem('amount', 'must not be set together with `amounts`');
  if (hasTwice(amounts.map((one) => one.currency)))
    return problem('amounts', 'must not contain a currency twice');
  const index = thresholds.findIndex((threshold) => threshold.amount !== null);
  return index < 0 ? [] : problem(`thresholds.${index}`, 'must have `bps` if the limit has `amounts`');
};

const shareProblems: Rule = ({ share, measure, asset }) => {
  if (share === null) return [];
  const { of } = share;
  if (of === 'included' && measure !== 'units' && asset === null)
    return problem('amount.of', 'can be `included` only for `units` and for limits with an asset');
  if ((of === 'last_grant' || of === 'last_refill') && asset === null)
    return problem('amount.of', `can be \`${of}\` only for limits with an asset`);
  return [];
};

/** Unusual values are found by the usage of one customer or budget in local days. */
const anomalyProblems: Rule = (terms) => {
  const { anomaly, window } = terms;
  if (anomaly === null) return [];
  if (isShared(terms)) return problem('anomaly', "isn't available for the organization or a plan");
  if (countsOperations(terms)) return problem('anomaly', "isn't available for operations");
  return window.kind === 'day' ? [] : problem('anomaly', 'must not be set unless the window is `day`');
};

/** Only a limit that replaces a template can have no effect: its node is exempt from the template. */
const effectProblems: Rule = ({ amount, amounts, share, action, thresholds, anomaly, replaces }) => {
  if (amount !== null || amounts.length > 0 || share !== null || replaces !== null) return [];
  if (action !== 'notify') return problem('amount', `is required for the action \`${action}\``);
  return thresholds.length === 0 && anomaly === null
    ? problem('amount', 'is required if `thresholds` is empty')
    : [];
};

const sharedWindows: ReadonlySet<LimitWindowKind> = new Set(['event', 'day', 'week', 'month', 'lifetime']);

/** Limits of the organization and of plans have gauges that usage adds to without reading them. */
const sharedProblems: Rule = (terms) => {
  if (!isShared(terms)) return [];
  const { measure, window, action, thresholds, channels, share } = terms;
  if (measure === 'money') return problem('measure', 'must not be `money` for the organization or a plan');
  if (countsOperations(terms))
    return problem('filter.operations', "isn't available for the organization or a plan");
  if (isFalling({ measure }) || measure === 'level')
    return problem('measure', `must not be \`${measure}\` for the organization or a plan`);
  if (!sharedWindows.has(window.kind))
    return problem(
      'window.kind',
      'must be `event`, `day`, `week`, `month`, or `lifetime` for the organization or a plan',
    );
  if (action === 'throttle' || action === 'approve')
    return problem('action', `must not be \`${action}\` for the organization or a plan`);
  if (share !== null && isShareBase(share.of))
    return problem('amount.of', 'must be the ID of a limit for the organization or a plan');
  const index = thresholds.findIndex(({ rearm }) => rearm !== 'window');
  if (index >= 0)
    return problem(`thresholds.${index}`, 'must have the rearm `window` for the organization or a plan');
  return channels.some((channel) => channel === 'customer_email' || channel === 'portal')
    ? problem('channels', 'must be `webhook` or `merchant_email` for the organization or a plan')
    : [];
};

const rules: readonly Rule[] = [
  unitProblems,
  filterProblems,
  operationProblems,
  windowProblems,
  thresholdProblems,
  channelProblems,
  remainingProblems,
  levelProblems,
  amountsProblems,
  shareProblems,
  actionProblems,
  sharedProblems,
  anomalyProblems,
  effectProblems,
];

type CountedTerms = GaugeTerms & Pick<LimitRow, 'amounts'>;

/** Returns true if a limit can replace a template: both count the same usage in the same unit and window. */
export function countsAlike(limit: CountedTerms, template: CountedTerms): boolean {
  const isEach = limit.amounts.length > 0 || template.amounts.length > 0;
  const keyOf = (terms: GaugeTerms): string =>
    gaugeKey({ ...terms, amount: null, ...(isEach ? { currency: null } : {}) });
  return keyOf(limit) === keyOf(template);
}

/** Returns the problems of a limit. Empty if the limit is valid. */
export const limitProblems = (terms: LimitTerms): FieldProblem[] => rules.flatMap((rule) => rule(terms));
