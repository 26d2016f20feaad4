import { isPlain } from '../../../domain/meters/meter.ts';
import type { MeterInput } from '../../../domain/meters/read-meter.ts';
import { type MeterSample, type SampledEvent, sampleMeter } from '../../../domain/meters/sample.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { checkedMeter, requireNamed, withSource } from '../../catalog/features/set-meter.ts';
import { loadLatestEvents } from './load-latest-events.ts';

/** Maximum number of recent events that a preview counts. */
export const mostEvents = 20;

/** Recorded event with the effect of a meter on it. `decimals` is the number of decimals of the meter. */
export type PreviewedEvent = SampledEvent & { readonly event: Row<'UsageEvent'>; readonly decimals: number };

/** Effect of a meter on the latest events of a feature, newest first. `decimals` is the number of decimals of the meter. */
export type MeterPreview = Pick<MeterSample, 'total' | 'parts'> & {
  readonly events: readonly PreviewedEvent[];
  readonly decimals: number;
};

/**
 * Returns the effect that a meter would have on the latest events of a feature or of the meter's source, without the corrected events. Fails with `feature_not_found`
 * or `validation_error`.
 */
export async function previewMeter(
  ctx: Context,
  { code, ...input }: MeterInput & { readonly code: string },
): Promise<MeterPreview> {
  const feature = await requireNamed(ctx, code);
  const document = checkedMeter(feature, await withSource(ctx, input));
  const recorded = await loadLatestEvents(ctx, document.source ?? feature.id, mostEvents);
  const { events, ...sums } = sampleMeter(isPlain(document) ? null : document, recorded);
  const { decimals } = document;
  return {
    ...sums,
    decimals,
    events: events.map((one, index) => ({ ...one, decimals, event: recorded[index] as Row<'UsageEvent'> })),
  };
}
