/** Zero-decimal currencies whose amounts Stripe nevertheless expects with 2 decimals. */
export const paddedCurrencies: readonly string[] = ['isk', 'ugx'];
