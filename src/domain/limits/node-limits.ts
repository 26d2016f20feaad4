import { applying, beginnings, dailyGauges, type LimitNode, limitsOf } from './admission.ts';
import { inCurrency } from './currencies.ts';
import { isShared, type LimitRow } from './limit.ts';
import { type FindBase, withAmount } from './shares.ts';

/** Limits that apply to a node, the times from which its gauges count, and the keys of the gauges that keep earlier days. */
type Applying = {
  readonly limits: readonly LimitRow[];
  readonly beginnings: ReadonlyMap<string, number>;
  readonly daily: ReadonlySet<string>;
};

const applyingOf = (own: readonly LimitRow[]): Applying => ({
  limits: applying(own),
  beginnings: beginnings(own),
  daily: dailyGauges(own),
});

/** Limits of the nodes in a batch. They're found once for all movements of a node, unless an amount is a share of another number. */
export class NodeLimits {
  readonly #limits: readonly LimitRow[];
  readonly #now: Date;
  readonly #found = new Map<string, Applying>();
  /** Limits of the organization and of plans. */
  readonly shared: readonly LimitRow[];

  constructor(limits: readonly LimitRow[], now: Date) {
    this.#limits = limits;
    this.#now = now;
    this.shared = limits.filter(isShared);
  }

  /** Returns the limits that apply to a node of a customer with a plan and a currency, with their current amounts. */
  of(node: LimitNode, planId: string, currency: string, baseOf: FindBase): Applying {
    const key = `${node.id} ${planId} ${currency}`;
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const own = limitsOf(this.#limits, node, planId, this.#now).map((limit) => inCurrency(limit, currency));
    if (own.some(({ share }) => share !== null))
      return applyingOf(own.map((limit) => withAmount(limit, this.#limits, baseOf)));
    const found = applyingOf(own);
    this.#found.set(key, found);
    return found;
  }
}
