// Amounts in requests to Stripe, which differ from minor units in some currencies (INS-154).

/** Zero-decimal currencies whose amounts Stripe nevertheless expects with 2 decimals. */
const paddedCurrencies: readonly string[] = ['isk', 'ugx'];

/** Currencies with 3 decimals. A separate list keeps the table of all currencies out of the checkout's scripts. */
const steppedCurrencies: readonly string[] = ['bhd', 'jod', 'kwd', 'omr', 'tnd'];

const factorOf = (currency: string): bigint => (paddedCurrencies.includes(currency) ? 100n : 1n);

/** Returns the smallest amount that Stripe charges or refunds, in minor units. Other amounts must be its multiples (INS-153). */
export const stripeStep = (currency: string): bigint => (steppedCurrencies.includes(currency) ? 10n : 1n);

/** Returns the amount of a Stripe request for an amount in minor units. */
export const stripeAmount = (amountMinor: bigint, currency: string): number =>
  Number(amountMinor * factorOf(currency));

/** Returns an amount of a Stripe response in minor units. */
export const stripeMinor = (amount: number, currency: string): bigint => BigInt(amount) / factorOf(currency);
