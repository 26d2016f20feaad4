// Features that count the events of another feature (PRM-13).

import type { FieldProblem } from '../errors/errors.ts';
import { eventAggregation, type MeterDocument } from './meter.ts';

/** Maximum number of features that count the events of one feature. */
const mostOfSource = 20;

/** Feature with its latest meter. */
export type SourceFeature = {
  readonly id: string;
  readonly code: string;
  readonly type: string;
  readonly meter: MeterDocument | null;
};

/** Returns true if a meter reads the quantity that the event states, so that it must support the decimals of the quantity. */
const readsQuantity = (meter: MeterDocument | null): boolean =>
  meter === null ||
  (meter.property === undefined &&
    eventAggregation(meter) !== 'count' &&
    eventAggregation(meter) !== 'unique');

const decimalsOf = (meter: MeterDocument | null): number =>
  meter !== null && readsQuantity(meter) ? meter.decimals : 0;

/**
 * Returns the problems of a new meter of a feature with the features that it refers to. `source` is the feature whose events the meter
 * counts, and `counting` contains the features that count the events of the feature or of its source.
 */
export function sourceProblems(
  feature: Pick<SourceFeature, 'id'>,
  meter: MeterDocument,
  source: SourceFeature | null,
  counting: readonly SourceFeature[],
): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const problem = (field: string, message: string): number => problems.push({ field, message });
  const own = counting.filter((one) => one.meter?.source === feature.id);
  if (source !== null) {
    if (source.id === feature.id) problem('source', 'must be another feature');
    else if (source.type !== 'usage') problem('source', 'must be a usage feature');
    else if (source.meter?.source !== undefined)
      problem('source', `can't be \`${source.code}\`, which also has a source`);
    if (own.length > 0)
      problem('source', `can't be set because \`${own[0]?.code ?? ''}\` counts the events of the feature`);
    const others = counting.filter((one) => one.meter?.source === source.id && one.id !== feature.id);
    if (others.length >= mostOfSource)
      problem('source', `can be the source of up to ${mostOfSource} features`);
    if (readsQuantity(meter) && meter.decimals < decimalsOf(source.meter))
      problem('decimals', `must be at least ${decimalsOf(source.meter)}, as in the meter of the source`);
  }
  const narrow = own.find(
    (one) => readsQuantity(one.meter) && (one.meter?.decimals ?? 0) < decimalsOf(meter),
  );
  if (narrow !== undefined)
    problem(
      'decimals',
      `can't be greater than the decimals of \`${narrow.code}\`, which counts the events of the feature`,
    );
  return problems;
}
