/**
 * Change of the price or the cost of recorded usage (PRM-119): the difference to the billed or deducted price at the end of a
 * usage window, a correction, or a set total.
 */
export type UsagePriceChangeRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly kind: 'window_end' | 'correction' | 'set';
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly featureId: string;
  readonly planId: string;
  /** AI model of the corrected event. `null` if there's no model. */
  readonly model: string | null;
  readonly currency: string;
  /** Signed change of the price as a decimal in major units of the currency. `null` if the price doesn't change. */
  readonly price: string | null;
  /** Signed change of the cost as a decimal in US dollars. `null` if the cost doesn't change. */
  readonly cost: string | null;
  /**
   * Exchange rate of the plan for the currency, in hundred-millionths. `null` if the currency is US dollars or the plan has
   * no exchange rate.
   */
  readonly exchangeRateE8: bigint | null;
  /** Time of the usage, whose day contains the change in reports. */
  readonly ts: Date;
  readonly windowStart: Date;
  readonly createdAt: Date;
};
