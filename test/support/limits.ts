import { rejecting, type Tried } from '../../src/domain/limits/admission.ts';
import { BookLimits, type LimitDetails } from '../../src/domain/limits/book-limits.ts';
import type { Crossing } from '../../src/domain/limits/crossings.ts';
import { type LimitRow, limitWindow, noFilter } from '../../src/domain/limits/limit.ts';
import { exactDecimal } from '../../src/domain/rates/decimal.ts';

export const limitOf = (fields: Partial<LimitRow>): LimitRow => ({
  id: 'lim_1',
  name: null,
  customerId: 'cus_1',
  budgetKey: null,
  each: null,
  planId: null,
  apiKeyId: null,
  memberId: null,
  measure: 'calls',
  currency: null,
  asset: null,
  filter: noFilter,
  window: limitWindow('lifetime'),
  amount: 100n,
  amounts: [],
  share: null,
  action: 'block',
  channels: ['webhook'],
  recipients: [],
  notifyResolved: false,
  thresholds: [],
  anomaly: null,
  replaces: null,
  setBy: 'merchant',
  validFrom: new Date(0),
  validUntil: null,
  ...fields,
});

const windowsOf = (month: number) => ({
  start: Date.UTC(2027, month, 1),
  end: Date.UTC(2027, month + 1, 1),
});

/** Limits of a customer in memory. Each movement is decided on the rows that earlier movements wrote. */
export class LimitStory {
  limits: LimitRow[];
  details: LimitDetails;
  timeZone = 'UTC';
  planId = 'pln_1';
  currency = 'usd';
  #ids = 0;

  constructor(limits: LimitRow[], details: Partial<LimitDetails> = {}) {
    this.limits = limits;
    this.details = {
      limits,
      budgets: [],
      states: new Map(),
      raises: [],
      convert: null,
      timeZones: new Map(),
      shared: null,
      ...details,
    };
  }

  /** Decides a movement of an amount at a time. Returns the limits, and the crossings. */
  move(time: string, amount: string, budget: string | null = null) {
    const now = new Date(time);
    const limits = this.limits;
    const details = { ...this.details, limits, timeZones: new Map([['cus_1', this.timeZone]]) };
    const newId = (prefix: string): string => {
      this.#ids += 1;
      return `${prefix}_${this.#ids}`;
    };
    const book = new BookLimits(details, now, newId);
    const period = windowsOf(now.getUTCMonth());
    const customer = {
      customerId: 'cus_1',
      planId: this.planId,
      currency: this.currency,
      windows: { usageWindow: period, billingPeriod: period },
    };
    const nodes = book.nodesOf(customer, budget);
    if (typeof nodes === 'string') return { problem: nodes, tried: [], rejected: [], crossings: [] };
    const delta = exactDecimal(amount);
    const tried: Tried[] = book.tryOn(customer, nodes, () => ({ delta, used: null, rounded: null }));
    const rejected = rejecting(tried);
    let crossings: Crossing[];
    if (rejected.length > 0) crossings = book.reject(tried);
    else {
      book.newBudgets.create(nodes);
      crossings = book.accept(tried, () => false);
    }
    this.details = {
      ...this.details,
      budgets: [...this.details.budgets, ...book.newBudgets.created],
      states: new Map([...this.details.states, ...book.states]),
    };
    return { problem: null, tried, rejected, crossings };
  }
}
