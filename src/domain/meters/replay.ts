// Total of a window from its events and adjustments in the order in which they were recorded, for corrections (PRM-127).
import { latestAfter, riseBy, type WindowState } from './measure.ts';
import { isFinal, type MeterDocument } from './meter.ts';
import { measuredAgain, totalOf, type WindowEvent } from './total.ts';

/** Recorded event, or adjustment that set the total in counted units. */
export type WindowStep = WindowEvent | { readonly total: bigint; readonly seq: bigint };

/** Returns the state of a window after events and adjustments in the order in which they were recorded. */
export function stateAfter(meter: MeterDocument | null, steps: readonly WindowStep[]): WindowState {
  let state: WindowState = { total: 0n, latestAt: null };
  const known = new Map<string, bigint>();
  for (const step of steps) {
    if ('total' in step) {
      state = { ...state, total: step.total };
      continue;
    }
    const { ts } = step;
    const measured = measuredAgain(meter, step);
    if ('code' in measured) continue;
    const count = measured.key === null ? 0n : (known.get(measured.key) ?? 0n);
    const total = state.total + riseBy(meter, state, measured, ts, count);
    if (measured.key !== null) known.set(measured.key, count + 1n);
    state = { total, latestAt: latestAfter(meter, state, measured, ts) };
  }
  return state;
}

export const isEvent = (step: WindowStep): step is WindowEvent => !('total' in step);

/**
 * Returns the total of a window from its events and adjustments, in counted units. A total that is known only at the end of the window
 * depends on `span` and not on adjustments. `opening` is the level at the start of the window.
 */
export const totalAfter = (
  meter: MeterDocument | null,
  steps: readonly WindowStep[],
  span: Parameters<typeof totalOf>[2],
  opening = 0n,
): bigint =>
  meter !== null && isFinal(meter)
    ? totalOf(meter, steps.filter(isEvent), span, opening)
    : stateAfter(meter, steps).total;
