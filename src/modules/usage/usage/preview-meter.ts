import { isPlain } from '../../../domain/meters/meter.ts';
import type { MeterInput } from '../../../domain/meters/read-meter.ts';
import { type MeterSample, type SampledEvent, sampleMeter } from '../../../domain/meters/sample.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { checkedMeter, requireNamed } from '../../catalog/features/set-meter.ts';

/** Maximum number of recent events that a preview counts. */
export const mostEvents = 20;

/** Recorded event with the effect of a meter on it. `decimals` is the number of decimals of the meter. */
export type PreviewedEvent = SampledEvent & { readonly event: Row<'UsageEvent'>; readonly decimals: number };

/** Effect of a meter on the latest events of a feature, newest first. `decimals` is the number of decimals of the meter. */
export type MeterPreview = Pick<MeterSample, 'total' | 'parts'> & {
  readonly events: readonly PreviewedEvent[];
  readonly decimals: number;
};

/** Returns the IDs of the events that were corrected. */
async function readCorrected(
  ctx: Context,
  events: readonly Row<'UsageEvent'>[],
): Promise<ReadonlySet<string>> {
  const rows = await ctx.db.usageCorrection.findMany({
    where: { usageEventId: { in: events.map(({ id }) => id) } },
    select: { usageEventId: true },
  });
  return new Set(rows.map(({ usageEventId }) => usageEventId));
}

/**
 * Returns the effect that a meter would have on the latest events of a feature, without the corrected events. Throws `feature_not_found`,
 * and `validation_error` if the meter is invalid.
 */
export async function previewMeter(
  ctx: Context,
  { code, ...input }: MeterInput & { readonly code: string },
): Promise<MeterPreview> {
  const feature = await requireNamed(ctx, code);
  const document = checkedMeter(feature, input);
  const latest = await ctx.db.usageEvent.findMany({
    where: { featureId: feature.id },
    orderBy: [{ createdAt: 'desc' }, { seq: 'desc' }],
    take: mostEvents,
  });
  const corrected = await readCorrected(ctx, latest);
  const recorded = latest.filter(({ id }) => !corrected.has(id));
  const { events, ...sums } = sampleMeter(isPlain(document) ? null : document, recorded);
  const { decimals } = document;
  return {
    ...sums,
    decimals,
    events: events.map((one, index) => ({ ...one, decimals, event: recorded[index] as Row<'UsageEvent'> })),
  };
}
