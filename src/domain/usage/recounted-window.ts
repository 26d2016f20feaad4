// Totals of an ended usage window under another meter, for the impact of changes to meters (PRM-122).
import { dimensionValues } from '../meters/dimensions.ts';
import { hasDimensions, holdsLevel, isAdditive, type MeterDocument } from '../meters/meter.ts';
import { totalAfter } from '../meters/replay.ts';
import { measuredAgain, type WindowEvent } from '../meters/total.ts';
import type { EndedUsageRow, StoredCell } from '../rows/ended-usage.ts';

/** Returns the totals by dimension values. `null` if an event has values that aren't bands of a dimension. */
function cellsIn(meter: MeterDocument, events: readonly WindowEvent[]): readonly StoredCell[] | null {
  const cells: StoredCell[] = [];
  for (const event of events) {
    const measured = measuredAgain(meter, event);
    if ('code' in measured) continue;
    const read = dimensionValues(meter, event.properties);
    if (read === null || 'code' in read) return null;
    cells.push({ values: read.values, total: String(measured.units) });
  }
  return cells;
}

/**
 * Returns an ended window with the total that another meter counts in its stored events. Returns `null` if the total isn't known: the
 * events don't add up to the window's total, because the total was set or events were deleted, a plan grant covered units, or a meter holds a
 * level.
 */
export function recountedWindow(
  row: EndedUsageRow,
  meter: MeterDocument | null,
  events: readonly WindowEvent[],
): EndedUsageRow | null {
  // The stored usage doesn't contain the level at the start of the window.
  if (holdsLevel(row.meter) || holdsLevel(meter)) return null;
  const span = { start: row.windowStart, end: row.windowEnd };
  if (row.covered > 0n || totalAfter(row.meter, events, span) !== row.total) return null;
  const cells = meter !== null && hasDimensions(meter) && isAdditive(meter) ? cellsIn(meter, events) : [];
  if (cells === null) return null;
  return {
    ...row,
    meter,
    total: totalAfter(meter, events, span),
    cells: meter !== null && hasDimensions(meter) ? cells : null,
  };
}
