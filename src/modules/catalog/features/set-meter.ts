import { isDeepStrictEqual } from 'node:util';
import { QuittanceError } from '../../../domain/errors/errors.ts';
import { type MeteredUse, unfitRejection } from '../../../domain/meters/fit.ts';
import {
  addsDimensions,
  type MeterDocument,
  type MeterVersion,
  meterOfVersion,
} from '../../../domain/meters/meter.ts';
import { type MeterInput, meterRejection, readMeter } from '../../../domain/meters/read-meter.ts';
import { type SourceFeature, sourceProblems } from '../../../domain/meters/sources.ts';
import { type LockedWindows, lockWindows, recountLocked } from '../../../engine/usage/recount.ts';
import type { Context, TransactionContext } from '../../../request/context.ts';
import { inTransaction, nextSeq } from '../../../request/transaction.ts';
import { loadUses } from './load-uses.ts';
import { countingFeatures, type FeatureRow, featureRows, findFeature, requestRecount } from './store.ts';

/** Maximum number of versions of a feature's meter. */
const mostVersions = 500;

/** Returns the latest version of a feature's meter. `null` if no meter was set. */
const latestMeter = ({ meters }: Pick<FeatureRow, 'meters'>): MeterVersion | null => meters.at(-1) ?? null;

/** Throws `validation_error` if the terms of a plan or an add-on don't support the latest meter of a feature (PRM-11). */
export function requireMeterFits(feature: Pick<FeatureRow, 'meters'>, use: MeteredUse): void {
  const latest = latestMeter(feature);
  const meter = latest === null ? null : meterOfVersion(latest);
  const rejection = unfitRejection(meter, use, 'featureId');
  if (rejection !== null) throw new QuittanceError(rejection);
}

/** Returns the feature with this code or ID. Throws `feature_not_found` if it doesn't exist or was deleted. */
export const requireNamed = async (ctx: Context, codeOrId: string): Promise<FeatureRow> =>
  (await findFeature(ctx, codeOrId)) ?? (await featureRows.require(ctx, codeOrId, 'code'));

/** Locks and returns the feature with this code or ID. Throws `feature_not_found` if it doesn't exist or was deleted. */
const lockNamed = async (tx: Context, codeOrId: string): Promise<FeatureRow> =>
  (await featureRows.findLocked(tx, codeOrId)) ?? (await featureRows.lockId(tx, codeOrId, 'code', 'UPDATE'));

/** Locks the open usage windows of the feature with this code or ID that have few events. `null` if no window has few events. */
async function lockNamedWindows(
  tx: TransactionContext,
  codeOrId: string,
  input: MeterInput,
): Promise<LockedWindows | null> {
  const feature = (await featureRows.find(tx, codeOrId)) ?? (await findFeature(tx, codeOrId));
  return feature === null ? null : lockWindows(tx, feature, checkedMeter(feature, input));
}

/** Reads the meter of a feature. Throws `validation_error` with all problems if the meter is invalid. */
export function checkedMeter({ type }: Pick<FeatureRow, 'type'>, input: MeterInput): MeterDocument {
  if (type !== 'usage') {
    const message = `A feature of type ${type} can't have a meter.`;
    throw new QuittanceError(meterRejection('bad_meter', [{ field: 'code', message }]));
  }
  const read = readMeter(input);
  if ('problems' in read) throw new QuittanceError(meterRejection('bad_meter', read.problems));
  return read.meter;
}

const sourceOf = ({ id, code, type, meters }: FeatureRow): SourceFeature => {
  const latest = meters.at(-1);
  return { id, code, type, meter: latest === undefined ? null : meterOfVersion(latest) };
};

/** Returns the input with the ID of its source. The feature that a code or ID names has the ID. Throws `validation_error` if the source doesn't exist. */
export async function withSource<I extends MeterInput>(ctx: Context, input: I): Promise<I> {
  const { source } = input;
  if (source === undefined || source === null) return input;
  const feature = (await findFeature(ctx, source)) ?? (await featureRows.find(ctx, source));
  if (feature !== null) return { ...input, source: feature.id };
  const message = `\`${source}\` doesn't exist`;
  throw new QuittanceError(meterRejection('bad_meter', [{ field: 'source', message }]));
}

/** Throws `validation_error` if the source of a meter, or the features that count the events of the feature, don't allow the meter (PRM-13). */
async function requireSourceFits(tx: Context, feature: FeatureRow, meter: MeterDocument): Promise<void> {
  const own = await countingFeatures(tx, feature.id);
  const source =
    meter.source === undefined ? null : await featureRows.lockId(tx, meter.source, 'source', 'SHARE');
  const others = source === null ? [] : await countingFeatures(tx, source.id);
  const counting = [...own, ...others].map(sourceOf);
  const problems = sourceProblems(feature, meter, source === null ? null : sourceOf(source), counting);
  if (problems.length > 0) throw new QuittanceError(meterRejection('bad_meter', problems));
}

/** Throws `validation_error` unless the meter only adds dimensions to the latest meter, or equals it (PRM-123). */
function requireAddedDimensions(feature: FeatureRow, version: MeterVersion, isEqual: boolean): void {
  const latest = latestMeter(feature);
  const before = latest === null ? null : meterOfVersion(latest);
  if (isEqual || addsDimensions(before, meterOfVersion(version))) return;
  const message = 'can only be true if the meter adds dimensions and is equal otherwise';
  throw new QuittanceError(meterRejection('bad_meter', [{ field: 'recount', message }]));
}

/** Returns the versions of a meter with a new version. A version that is equal to the latest version replaces it. */
function withVersion(
  { meters }: FeatureRow,
  version: MeterVersion,
  isEqual: boolean,
  recounts: boolean,
): readonly MeterVersion[] {
  if (isEqual && !recounts) return meters;
  if (isEqual)
    return meters.map((one, index) => (index === meters.length - 1 ? { ...one, recounts: true } : one));
  if (meters.length >= mostVersions)
    throw new QuittanceError(
      meterRejection('bad_meter', [
        { field: 'code', message: `The meter of a feature can be changed up to ${mostVersions} times.` },
      ]),
    );
  return [...meters, recounts ? { ...version, recounts: true } : version];
}

/**
 * Sets the meter of a usage feature. The meter applies to each subscription from its next billing period (PRM-122). With `recount`, the
 * meter also applies to open usage windows, whose stored events are counted again (PRM-123). The transaction counts windows with few events,
 * and the worker counts all others. Does nothing if the latest meter is equal. Throws `feature_not_found`. Throws `validation_error` if
 * the meter is invalid, if a plan or an add-on doesn't support the meter, or if `recount` changes more than the dimensions.
 */
export const setFeatureMeter = (
  ctx: Context,
  {
    code,
    recount,
    ...given
  }: MeterInput & { readonly code: string; readonly recount?: boolean | null | undefined },
): Promise<FeatureRow> =>
  inTransaction(ctx, async (tx) => {
    const recounts = recount === true;
    const input = await withSource(tx, given);
    const locked = recounts ? await lockNamedWindows(tx, code, input) : null;
    const feature = await lockNamed(tx, code);
    const meter = checkedMeter(feature, input);
    await requireSourceFits(tx, feature, meter);
    const version = { ...meter, validFrom: tx.clock.now().toISOString(), seq: String(await nextSeq(tx)) };
    for (const use of await loadUses(tx, feature.id)) {
      const rejection = unfitRejection(meterOfVersion(version), use, 'aggregation');
      if (rejection !== null) throw new QuittanceError(rejection);
    }
    const latest = latestMeter(feature);
    const isEqual = latest !== null && isDeepStrictEqual(meterOfVersion(latest), meterOfVersion(version));
    if (recounts) requireAddedDimensions(feature, version, isEqual);
    const meters = withVersion(feature, version, isEqual, recounts);
    const stored = meters === feature.meters ? feature : await featureRows.patch(tx, feature, { meters });
    if (!recounts) return stored;
    if (locked !== null) await recountLocked(tx, stored, locked);
    await requestRecount(tx, stored.id);
    return stored;
  });
