import { isDeepStrictEqual } from 'node:util';
import { QuittanceError } from '../../../domain/errors/errors.ts';
import { type MeteredUse, unfitRejection } from '../../../domain/meters/fit.ts';
import { type MeterDocument, type MeterVersion, meterOfVersion } from '../../../domain/meters/meter.ts';
import { type MeterInput, meterRejection, readMeter } from '../../../domain/meters/read-meter.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction, nextSeq } from '../../../request/transaction.ts';
import { loadUses } from './load-uses.ts';
import { type FeatureRow, featureRows } from './store.ts';

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

/** Locks and returns the feature with this code or ID. Throws `feature_not_found` if it doesn't exist or was deleted. */
const lockNamed = async (tx: Context, codeOrId: string): Promise<FeatureRow> =>
  (await featureRows.findLocked(tx, codeOrId)) ?? (await featureRows.lockId(tx, codeOrId, 'code', 'UPDATE'));

/** Reads the meter of a feature. Throws `validation_error` with all problems if the meter is invalid. */
function checkedMeter({ type }: FeatureRow, input: MeterInput): MeterDocument {
  if (type !== 'usage') {
    const message = `A feature of type ${type} can't have a meter.`;
    throw new QuittanceError(meterRejection('bad_meter', [{ field: 'code', message }]));
  }
  const read = readMeter(input);
  if ('problems' in read) throw new QuittanceError(meterRejection('bad_meter', read.problems));
  return read.meter;
}

/**
 * Sets the meter of a usage feature. The meter applies to each subscription from its next billing period (PRM-122). Does nothing if
 * the latest meter is equal. Throws `feature_not_found`. Throws `validation_error` if the meter is invalid, or if a plan
 * or an add-on doesn't support the meter.
 */
export const setFeatureMeter = (
  ctx: Context,
  { code, ...input }: MeterInput & { readonly code: string },
): Promise<FeatureRow> =>
  inTransaction(ctx, async (tx) => {
    const feature = await lockNamed(tx, code);
    const meter = checkedMeter(feature, input);
    const version = { ...meter, validFrom: tx.clock.now().toISOString(), seq: String(await nextSeq(tx)) };
    for (const use of await loadUses(tx, feature.id)) {
      const rejection = unfitRejection(meterOfVersion(version), use, 'aggregation');
      if (rejection !== null) throw new QuittanceError(rejection);
    }
    const latest = latestMeter(feature);
    if (latest !== null && isDeepStrictEqual(meterOfVersion(latest), meterOfVersion(version))) return feature;
    if (feature.meters.length >= mostVersions)
      throw new QuittanceError(
        meterRejection('bad_meter', [
          { field: 'code', message: `The meter of a feature can be changed up to ${mostVersions} times.` },
        ]),
      );
    return featureRows.patch(tx, feature, { meters: [...feature.meters, version] });
  });
