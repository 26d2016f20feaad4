// Effect of a meter on recorded events, before the meter is set.
import type { DimensionValues } from '../rates/card.ts';
import { dimensionValues } from './dimensions.ts';
import type { Measured } from './measure.ts';
import { hasDimensions, isFinal, type MeterDocument } from './meter.ts';
import { stateAfter } from './replay.ts';
import { measuredAgain, type WindowEvent } from './total.ts';

/** Quantity of an event in counted units, and its dimension values. */
export type SampledEvent = {
  /** 0 if the event doesn't meet the filters or its value was already counted. `null` if the meter can't count the event. */
  readonly units: bigint | null;
  /** `null` if the meter has no dimensions or doesn't count the event. */
  readonly values: DimensionValues | null;
  /** Reason why the meter can't count the event. */
  readonly problem: string | null;
};

/** Sum of the events with the same dimension values, in counted units. */
export type SampledPart = { readonly values: DimensionValues; readonly units: bigint };

/** Effect of a meter on events. `events` is in the order of the given events. */
export type MeterSample = {
  readonly events: readonly SampledEvent[];
  /** Total of the events in counted units. `null` if the total is known only at the end of a usage window. */
  readonly total: bigint | null;
  /** Parts of the total, largest first. `null` if the meter has no dimensions. */
  readonly parts: readonly SampledPart[] | null;
};

/** Returns the increase of the number of events or values by an event. `known` contains the values of earlier events. */
function countOf({ key }: Measured, known: Set<string>): bigint {
  if (key === null) return 1n;
  const isNew = !known.has(key);
  known.add(key);
  return isNew ? 1n : 0n;
}

function sampledEvent(meter: MeterDocument | null, event: WindowEvent, known: Set<string>): SampledEvent {
  const measured = measuredAgain(meter, event);
  if ('code' in measured) return { units: null, values: null, problem: measured.message };
  if (!measured.isCounted) return { units: 0n, values: null, problem: null };
  const divided = dimensionValues(meter, event.properties);
  if (divided !== null && 'code' in divided) return { units: null, values: null, problem: divided.message };
  const counts = meter !== null && ['count', 'unique'].includes(meter.aggregation);
  const units = counts ? countOf(measured, known) : measured.units;
  return { units, values: divided?.values ?? null, problem: null };
}

function partsOf(events: readonly SampledEvent[]): readonly SampledPart[] {
  const sums = new Map<string, SampledPart>();
  for (const { values, units } of events) {
    if (values === null || units === null) continue;
    const key = JSON.stringify(Object.entries(values));
    sums.set(key, { values, units: (sums.get(key)?.units ?? 0n) + units });
  }
  return [...sums.values()].sort((a, b) => (a.units < b.units ? 1 : a.units > b.units ? -1 : 0));
}

/**
 * Returns the effect of a meter on recorded events, as if they were the only events of a usage window. Events that the meter can't
 * count don't contribute to the total.
 */
export function sampleMeter(meter: MeterDocument | null, recorded: readonly WindowEvent[]): MeterSample {
  const inOrder = recorded.toSorted((a, b) => (a.seq < b.seq ? -1 : 1));
  const known = new Set<string>();
  const sampled = new Map(inOrder.map((event) => [event, sampledEvent(meter, event, known)]));
  const events = recorded.flatMap((event) => sampled.get(event) ?? []);
  const counted = inOrder.filter((event) => sampled.get(event)?.units !== null);
  return {
    events,
    total: meter !== null && isFinal(meter) ? null : stateAfter(meter, counted).total,
    parts: meter !== null && hasDimensions(meter) ? partsOf(events) : null,
  };
}
