// Invoice lines of a usage window so far, from which limits on spend of the usage window are calculated.
import { minorPerUnit } from '../money/money.ts';
import { planPool } from '../pricing/pools.ts';
import { type Exact, plus, roundedTo, times, whole, zero } from '../rates/exact.ts';
import { boundOf } from '../rows/period-bound.ts';
import type { Meter } from './admission.ts';
import type { Subscriber, UsageMovement, Used, WindowSource } from './limit-source.ts';
import { overdraftAmount } from './overdraft.ts';
import { windowOf } from './price-and-cost.ts';
import { overageAmount } from './window.ts';

/** Prices of the invoice lines by feature ID or pool, in major units. */
type Lines = ReadonlyMap<string, Exact>;

export const inMinor = (amount: Exact, currency: string): Exact =>
  times(amount, whole(minorPerUnit(currency)));

export class WindowLines {
  readonly #source: WindowSource;
  readonly #lines = new Map<string, Lines>();

  constructor(source: WindowSource) {
    this.#source = source;
  }

  /** Returns the invoice line to which usage of a feature adds: the feature's overage, or the overdraft of its pool. */
  lineOf(subject: Used, meter: Meter): { readonly id: string; readonly amount: Exact } {
    const { feature, terms, plan, subscription } = subject;
    if (terms.pool === null) return { id: feature.id, amount: overageAmount(terms, windowOf(meter)) };
    const { pool } = terms.pool;
    const own = planPool(plan, pool);
    const { catalog, now } = this.#source;
    const amount = own === null ? zero : overdraftAmount(catalog, subscription, meter.account, own, now);
    return { id: `pool ${pool}`, amount };
  }

  #of(subject: Subscriber): Lines {
    const { subscription, plan } = subject;
    const known = this.#lines.get(subscription.id);
    if (known !== undefined) return known;
    const source = this.#source;
    const start = boundOf(subscription, subscription.windowStart).getTime();
    const lines = new Map<string, Exact>();
    for (const { featureId, windowStart } of source.countersOf(subscription.id)) {
      const feature = source.catalog.features.get(featureId);
      if (feature === undefined || windowStart.getTime() !== start) continue;
      const terms = source.termsOf(subscription, plan, feature);
      if (terms === null) continue;
      const used = { ...subject, feature, terms };
      const { id, amount } = this.lineOf(used, source.meterOf(used));
      lines.set(id, amount);
    }
    this.#lines.set(subscription.id, lines);
    return lines;
  }

  #after({ subject, after }: UsageMovement): Lines {
    const { id, amount } = this.lineOf(subject, after);
    return new Map([...this.#of(subject), [id, amount]]);
  }

  /** Returns the sum of the lines in minor units. */
  sumOf(subject: Subscriber): Exact {
    const sum = this.#of(subject)
      .values()
      .reduce((total, line) => plus(total, line), zero);
    return inMinor(sum, subject.subscription.currency);
  }

  /** Returns the invoice lines after a movement in minor units, each rounded. */
  roundedAfter(movement: UsageMovement): bigint {
    const scale = minorPerUnit(movement.subject.subscription.currency);
    return this.#after(movement)
      .values()
      .reduce((sum, line) => sum + roundedTo(line, scale), 0n);
  }

  /** Changes the lines by an accepted movement. */
  accept(movement: UsageMovement): void {
    const { id } = movement.subject.subscription;
    if (this.#lines.has(id)) this.#lines.set(id, this.#after(movement));
  }
}
