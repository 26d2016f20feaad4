import type {
  LimitCreateMutationVariables,
  LimitTermsFragment,
  LimitUpdateMutationVariables,
} from './limits.graphql';
import { unitOf } from './unit-of.ts';

/**
 * Customer or budget of a new limit. `template` stands for a limit that applies to each of several customers or budgets, and `shared` for a
 * limit of the organization or a plan.
 */
export type LimitTarget =
  | { readonly customer: string; readonly budget: string | null }
  | 'template'
  | 'shared';

/** Values of the form for a limit. Empty strings stand for no value. */
export type LimitValues = {
  readonly name: string;
  /** `customer`, or the kind of budgets of a template. */
  readonly each: string;
  /** ID of the plan of a template or a shared limit. Empty if it applies to all customers. */
  readonly plan: string;
  readonly measure: LimitTermsFragment['measure'];
  /** Currency or custom unit of the amount. */
  readonly unit: string;
  /** Code of the feature. Empty if the usage of all features counts. */
  readonly feature: string;
  readonly window: LimitTermsFragment['window']['kind'];
  readonly minutes: number | null;
  readonly amount: number | null;
  /** True if the amount is a share of another number, or differs by currency. Only the API changes it. */
  readonly isDerived: boolean;
  readonly action: LimitTermsFragment['action'];
  /** Percentages of the amount at which events are sent, separated by commas. */
  readonly percents: string;
  /** Multiple of the usual usage of a day that is reported. `null` if unusual usage isn't reported. */
  readonly factor: number | null;
  /** Usage of a day that is never unusual, in the unit of the amount. */
  readonly minimum: number | null;
};

/** Measures whose amount has a currency or a custom unit. */
export const hasUnit = ({ measure }: Pick<LimitValues, 'measure'>): boolean =>
  measure === 'spend' || hasCustomUnit({ measure });

/** Measures whose amount can be in a custom unit. */
export const hasCustomUnit = ({ measure }: Pick<LimitValues, 'measure'>): boolean =>
  measure === 'value' || measure === 'drawn' || measure === 'remaining';

/** True if the limit counts usage in a window. A limit on an available amount or a number of seats bounds it at any time. */
export const hasWindow = ({ measure }: Pick<LimitValues, 'measure'>): boolean =>
  measure !== 'remaining' && measure !== 'level';

/** True if the limit must name a feature. */
export const needsFeature = ({ measure }: Pick<LimitValues, 'measure'>): boolean =>
  measure === 'units' || measure === 'level';

const allMeasures = ['spend', 'value', 'drawn', 'remaining', 'units', 'calls', 'level'] as const;

const allWindows = [
  'usage_window',
  'billing_period',
  'day',
  'week',
  'month',
  'fixed',
  'rolling',
  'session',
  'event',
  'lifetime',
] as const;

const sharedWindows: readonly LimitValues['window'][] = ['day', 'week', 'month', 'event', 'lifetime'];

/** Returns the measures that a limit can have. */
export const measuresOf = (target: LimitTarget): readonly LimitValues['measure'][] =>
  target === 'shared' ? allMeasures.filter((measure) => hasWindow({ measure })) : allMeasures;

/** Returns the windows that a limit can have. */
export const windowsOf = (target: LimitTarget): readonly LimitValues['window'][] =>
  target === 'shared' ? sharedWindows : allWindows;

const allActions = ['block', 'approve', 'notify', 'throttle'] as const;
const plainActions = ['block', 'notify'] as const;

/** Returns the actions that a limit can have. */
export const actionsOf = (target: LimitTarget, values: LimitValues): readonly LimitValues['action'][] =>
  target === 'shared' || !hasWindow(values) ? plainActions : allActions;

/** True if the window has a length in minutes. */
export const hasLength = ({ window }: Pick<LimitValues, 'window'>): boolean =>
  window === 'rolling' || window === 'session' || window === 'fixed';

/** True if the limit can report days with unusual usage. */
export const canReportUnusual = (target: LimitTarget, values: LimitValues): boolean =>
  target !== 'shared' && hasWindow(values) && values.window === 'day';

/** Returns the unit of the amount. */
export const shownUnit = (values: LimitValues): string =>
  hasUnit(values) ? values.unit : unitOf({ measure: values.measure, currency: null, asset: null });

const bpsPerPercent = 100;
const mostPercent = 1_000;

/** Parses percentages to basis points, ascending. `null` if the text is invalid. */
export function bpsIn(text: string): number[] | null {
  const parts = text.split(/[,;\s]+/).filter((part) => part !== '');
  const bps = parts.map((part) => Number(part.replace('%', '')) * bpsPerPercent);
  const isRight = bps.every(
    (one, index) =>
      Number.isInteger(one) && one > (bps[index - 1] ?? 0) && one <= mostPercent * bpsPerPercent,
  );
  return isRight && bps.length <= 10 ? bps : null;
}

/** True if the form can show the thresholds of a limit. Other thresholds are set with the API. */
export const hasPlainThresholds = ({
  measure,
  thresholds,
}: Pick<LimitTermsFragment, 'measure' | 'thresholds'>): boolean =>
  thresholds.every(
    ({ bps, rearm }) => bps !== null && rearm === (measure === 'level' ? 'recross' : 'window'),
  );

const percentsOf = ({ thresholds }: LimitTermsFragment): string =>
  thresholds.map(({ bps }) => (bps ?? 0) / bpsPerPercent).join(', ');

/** Returns the values of the form for a limit, for a replacement of a template, or for a new limit in a currency. */
export function initialValues(
  limit: LimitTermsFragment | null,
  currency: string,
  target: LimitTarget,
): LimitValues {
  if (limit === null)
    return {
      name: '',
      each: 'customer',
      plan: '',
      measure: 'spend',
      unit: currency,
      feature: '',
      window: target === 'shared' ? 'month' : 'usage_window',
      minutes: null,
      amount: null,
      isDerived: false,
      action: 'block',
      percents: '80, 100',
      factor: null,
      minimum: null,
    };
  return {
    name: limit.name ?? '',
    each: limit.scope.each ?? 'customer',
    plan: limit.scope.in?.plan ?? '',
    measure: limit.measure,
    unit: unitOf(limit),
    feature: limit.filter.features[0] ?? '',
    window: limit.window.kind,
    minutes: limit.window.minutes,
    amount: limit.amount,
    isDerived: limit.share !== null || limit.amounts !== null,
    action: limit.action,
    percents: hasPlainThresholds(limit) ? percentsOf(limit) : '',
    factor: limit.anomaly?.factor ?? null,
    minimum: limit.anomaly?.minimum ?? null,
  };
}

/** True if the form is complete. */
export function isComplete(values: LimitValues): boolean {
  const { amount, isDerived, action, unit, feature, measure, minutes, percents, each, factor, minimum } =
    values;
  return (
    (amount !== null || isDerived || action === 'notify') &&
    (!hasUnit(values) || unit !== '') &&
    (!needsFeature({ measure }) || feature !== '') &&
    (!hasLength(values) || minutes !== null) &&
    each !== '' &&
    (factor === null || minimum !== null) &&
    bpsIn(percents) !== null
  );
}

/** Returns the thresholds at percentages of an amount. Empty without an amount, and for an amount of 0, of which all percentages are equal. */
const thresholdsIn = ({ amount, percents }: LimitValues) =>
  amount === null || amount === 0 ? [] : (bpsIn(percents) ?? []).map((bps) => ({ bps }));

const anomalyIn = ({ factor, minimum }: LimitValues) =>
  factor === null || minimum === null ? null : { factor, minimum };

type Create = LimitCreateMutationVariables['input'];

/** Terms of a limit that replaces a template. They are the template's, because the limit is only accepted with the same terms. */
export function replacementTerms(template: LimitTermsFragment): Omit<Create, 'scope'> {
  const { id, measure, currency, asset, filter, window } = template;
  const { kind, minutes, steps, anchor, timeZone, weekStart } = window;
  return {
    measure,
    ...(currency !== null && { currency }),
    ...(asset !== null && { asset }),
    filter: {
      features: filter.features,
      dimensions: filter.dimensions.map(({ property, values }) => ({ property, values })),
    },
    window: {
      kind,
      ...(minutes !== null && { minutes }),
      ...(steps !== null && { steps }),
      ...(anchor !== null && { anchor }),
      ...(timeZone !== null && { timeZone }),
      ...(weekStart !== null && { weekStart }),
    },
    replaces: id,
  };
}

/** Terms that can't be changed later. */
function fixedTerms(values: LimitValues): Omit<Create, 'scope'> {
  const { measure, unit, feature, window, minutes } = values;
  const isCustom =
    measure === 'drawn' || measure === 'remaining' || (measure === 'value' && !/^[a-z]{3}$/.test(unit));
  return {
    measure,
    ...(hasUnit(values) &&
      (isCustom ? { asset: unit } : { currency: unit as NonNullable<Create['currency']> })),
    ...(feature !== '' && measure !== 'remaining' && { filter: { features: [feature] } }),
    window: hasWindow(values)
      ? { kind: window, ...(hasLength(values) && { minutes }) }
      : { kind: 'lifetime' },
  };
}

function scopeOf({ each, plan }: LimitValues, target: LimitTarget): Create['scope'] {
  const of = plan === '' ? { organization: true } : { plan };
  if (target === 'shared') return of;
  if (target === 'template') return { each: each.trim(), in: of };
  return { customer: target.customer, ...(target.budget !== null && { budget: target.budget }) };
}

/** Returns the parameters of a new limit. `replaced` is the template that the limit replaces. */
export function createInput(
  values: LimitValues,
  target: LimitTarget,
  replaced: LimitTermsFragment | null,
): Create {
  const { name, amount, action } = values;
  return {
    scope: scopeOf(values, target),
    ...(replaced === null ? fixedTerms(values) : replacementTerms(replaced)),
    ...(name.trim() !== '' && { name: name.trim() }),
    amount,
    action,
    thresholds: thresholdsIn(values),
    ...(canReportUnusual(target, values) && { anomaly: anomalyIn(values) }),
  };
}

/** Returns the parameters for changing a limit. Thresholds that the form doesn't show remain. */
export const updateInput = (
  values: LimitValues,
  limit: LimitTermsFragment,
): LimitUpdateMutationVariables['input'] => ({
  id: limit.id,
  name: values.name.trim() === '' ? null : values.name.trim(),
  ...(!values.isDerived && { amount: values.amount }),
  action: values.action,
  ...(hasPlainThresholds(limit) && !values.isDerived && { thresholds: thresholdsIn(values) }),
  ...(limit.window.kind === 'day' && { anomaly: anomalyIn(values) }),
});
