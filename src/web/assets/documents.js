// What the documents of several pages share.

/** What a page asks about a confirmation by the bank. */
export const authenticationFields =
  'authentication { amount currency currencyDecimals publishableKey clientSecret }';
