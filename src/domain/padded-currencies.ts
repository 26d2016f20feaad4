/** Currencies whose amounts Stripe wants with two decimals although they have none. */
export const paddedCurrencies: readonly string[] = ['isk', 'ugx'];
