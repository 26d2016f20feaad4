// Amounts that open holds reserve in the value of a limit that is created while they are open.
import { gaugesAfter } from '../holds/gauges.ts';
import type { HoldRow } from '../holds/hold.ts';
import type { LimitNode } from '../limits/admission.ts';
import { exactDecimal, signedDecimal } from '../rates/decimal.ts';
import { type Exact, minus, zero } from '../rates/exact.ts';
import type { UsageCounterRow } from '../rows/usage-rows.ts';
import type { Subject, UsageBook } from './book.ts';
import { heldAfter } from './held-usage.ts';
import { holdSubject } from './hold-end.ts';
import { movementsOf } from './hold-reserve.ts';
import { nodesOfHold } from './movement-nodes.ts';
import { priceCounted, pricedExactly, type Quantity } from './record.ts';
import { isStoredGauge } from './usage-limits.ts';

/** Returns the quantity that a hold still reserves. `null` if it has no price. */
function restOf(book: UsageBook, hold: HoldRow, subject: Subject, counter: UsageCounterRow): Quantity | null {
  const { units, price, properties } = hold;
  const { terms } = subject;
  const measured = { value: units, quantity: null, units, key: null, isCounted: true };
  if (terms.derived !== null && price !== null)
    return { ...pricedExactly(units, exactDecimal(price), counter, null), measured, cell: null };
  const rest = priceCounted({ properties }, terms, counter, book.cells.of(subject), { measured, units });
  return 'code' in rest ? null : rest;
}

/**
 * Returns the amount that an open hold reserves in the value of the only limit of a book. 0 if the limit doesn't count the hold. `key` is the key
 * of the limit's gauge.
 */
export function heldBy(book: UsageBook, hold: HoldRow, node: LimitNode, key: string): Exact {
  const subject = holdSubject(book, hold);
  if (subject === null) return zero;
  const isOnPath = nodesOfHold(book.limits, hold, subject).some(({ id }) => id === node.id);
  if (!isOnPath) return zero;
  const meter = book.meterOf(subject);
  const own = hold.price === null ? null : minus(zero, exactDecimal(hold.price));
  const counter = { ...meter.counter, held: heldAfter(meter.counter, -hold.units, own) };
  const before = { ...meter, counter };
  const quantity = restOf(book, hold, subject, counter);
  if (quantity === null) return zero;
  const { properties, lastEventId } = hold;
  const settles = { gauges: {}, isFinal: false, isCounted: lastEventId !== null };
  const reserves = movementsOf({ properties, subject }, before, quantity).map((one) => ({ ...one, settles }));
  const movement = { subject, properties, quantity, before, after: before, reserves };
  const tried = book.limits?.tryOn([node], movement).filter(isStoredGauge) ?? [];
  return signedDecimal(gaugesAfter({}, tried)[node.id]?.[key] ?? '0');
}
