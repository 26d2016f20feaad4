/** The same words in another language: each text is a text, each function takes what the English one takes. */
export type Translation<Original> = {
  readonly [Key in keyof Original]: Original[Key] extends 'ltr' | 'rtl'
    ? 'ltr' | 'rtl'
    : Original[Key] extends string
      ? string
      : Original[Key] extends (...input: infer Input) => string
        ? (...input: Input) => string
        : Translation<Original[Key]>;
};

/** What customers' pages say in English, and how the language is called and written. */
export const words = {
  name: 'English',
  direction: 'ltr' as 'ltr' | 'rtl',

  sandbox: {
    mark: 'Sandbox',
    title: 'Test cards',
    text: 'No money moves here. Choose a card to fill it in.',
    pays: 'Pays',
    declined: 'Is declined',
    insufficient: 'Has insufficient funds',
    expired: 'Has expired',
    confirmation: 'Needs confirmation',
    later: 'Pays once, is declined later',
  },

  frame: {
    support: 'Help',
    terms: 'Terms',
    privacy: 'Privacy',
    language: 'Language',
    noScript: 'This page needs JavaScript to go on safely.',
    working: 'Working …',
    waiting: 'No answer yet. Finding out whether it went through …',
  },

  labels: {
    email: 'Email address',
    number: 'Card number',
    expiry: 'Expiry (MM/YY)',
    cvc: 'Security code',
    country: 'Country',
    chooseCountry: 'Choose a country',
    line1: 'Street and number',
    city: 'City',
    taxDocument: 'Tax number',
    phone: 'Telephone number',
    promoCode: 'Promo code',
    billing: 'Billing address and tax number',
    choose: 'Choose',
  },
  postalCodes: { postal: 'Postal code', zip: 'ZIP code', postcode: 'Postcode', pin: 'PIN code', cep: 'CEP' },
  regions: {
    either: 'State or province',
    state: 'State',
    province: 'Province',
    prefecture: 'Prefecture',
    county: 'County',
    emirate: 'Emirate',
    region: 'Region',
    department: 'Department',
  },

  /** What to do about a field. */
  problems: {
    number: 'Check the card number.',
    expiry: 'Check the expiry date.',
    cvc: 'Check the security code: 3 or 4 digits.',
    line1: 'Enter the street and number.',
    city: 'Enter the city.',
    postalCode: 'Enter the postal code.',
    state: 'Check the state or province.',
    country: 'Choose a country.',
    name: 'Enter your name.',
    password: 'Check the password: 10 characters or more.',
    taxDocument: 'Check the tax number.',
    email: 'Enter an email address.',
    phone: 'Enter a telephone number.',
    consent: 'Accept the terms to go on.',
    promoCode: 'This promo code cannot be used here.',
  },

  order: {
    title: 'Order',
    details: 'Order details',
    times: (description: string, quantity: string) => `${description} × ${quantity}`,
    discount: 'Discount',
    conditionalDiscount: 'Discount, with an eligible card',
    tax: 'Tax',
    taxAt: (name: string, rate: string) => `${name} (${rate})`,
    taxOpen: 'Choose a country',
    billedTo: (email: string) => `Billed to ${email}.`,
  },

  payment: {
    receipt: 'Invoice and receipt',
    title: 'Payment',
    card: 'Card',
    orByCard: 'or pay by card',
    amountChanged: 'The amount has changed. Check it and pay again.',
    pay: 'Pay',
    payAmount: (amount: string) => `Pay ${amount}`,
    back: (seller: string) => `Continue to ${seller}`,
    otherCard: 'Try another card',
    leaving: (seconds: number) =>
      `You are taken there in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    stayHere: 'Stay here',
    underWay: 'The payment is under way. This page shows its outcome in a moment.',
    statement: (name: string) => `Appears on your statement as ${name}.`,
  },

  checkout: {
    dueNow: 'Due now',
    includes: 'What is included',
    unlimited: (feature: string) => `${feature}: unlimited`,
    included: (feature: string, amount: string) => `${feature}: ${amount}`,
    interval: 'Billing interval',
    intervals: {
      weekly: 'Weekly',
      monthly: 'Monthly',
      quarterly: 'Quarterly',
      yearly: 'Yearly',
      one_time: 'Once',
    },
    per: {
      weekly: (price: string) => `${price} per week`,
      monthly: (price: string) => `${price} per month`,
      quarterly: (price: string) => `${price} per quarter`,
      yearly: (price: string) => `${price} per year`,
      one_time: (price: string) => `${price} once`,
    },
    saves: (amount: string) => `saves ${amount}`,
    seats: (count: string, price: string) => `${count} included, each further one ${price}`,
    summary: (price: string) => `${price}.`,
    nothingToday: 'Nothing is charged today.',
    trial: (days: number) => `${days} ${days === 1 ? 'day' : 'days'} free.`,
    trialThen: (days: number, price: string) => `${days} ${days === 1 ? 'day' : 'days'} free, then ${price}.`,
    next: (amount: string, day: string) => `Next charge: ${amount} on ${day}.`,
    nextWithUsage: (amount: string, day: string) =>
      `Next charge: ${amount} plus usage beyond what is included, on ${day}.`,
    renews: {
      weekly: (seller: string) => `It renews every week until you cancel with ${seller}.`,
      monthly: (seller: string) => `It renews every month until you cancel with ${seller}.`,
      quarterly: (seller: string) => `It renews every quarter until you cancel with ${seller}.`,
      yearly: (seller: string) => `It renews every year until you cancel with ${seller}.`,
      one_time: (_seller: string) => '',
    },
    addPromo: 'Add promo code',
    apply: 'Apply',
    applied: (code: string, saving: string) => `${code}: saves ${saving}`,
    remove: (code: string) => `Remove promo code ${code}`,
    consent: (seller: string) => `I accept the terms of ${seller}.`,
    mandates: {
      once: (seller: string) => `You allow ${seller} to charge your card this once.`,
      recurring: (seller: string) =>
        `You allow ${seller} to store your card and charge it for every billing period until you cancel.`,
      recurring_with_usage: (seller: string) =>
        `You allow ${seller} to store your card and charge it for every billing period, and for usage beyond what is included, until you cancel.`,
    },
    taxNumber: (kind: string) => `This does not look like a number of the kind ${kind}. Check it.`,
    done: (name: string) => `Thank you. ${name} is yours.`,
    trialUntil: (day: string) => `Your trial runs until ${day}.`,
    over: 'This checkout has already been completed. Nothing more is charged here.',
    canceled: 'This checkout was canceled. Ask the seller for a new link.',
    unavailable: 'The checkout cannot be shown right now. Reload the page to try again.',
  },

  bank: {
    title: 'Confirm with your bank',
    paying: (amount: string) => `Your bank wants to know that it is you who pays ${amount}.`,
    storing: 'Your bank wants to know that it is you who stores this card. Nothing is charged now.',
    confirm: 'Confirm',
    decline: 'Decline',
  },

  card: {
    save: 'Save card',
  },

  invalidLink: 'This link is not valid. Ask the seller for a new one.',

  declined: 'The payment was declined. Try again or use another card.',
  declines: {
    card_declined: 'The card was declined. Try again or use another card.',
    insufficient_funds: 'The card has insufficient funds. Use another card.',
    expired_card: 'The card has expired. Use another card.',
    incorrect_cvc: 'The security code is wrong. Check it and try again.',
    authentication_failed: 'This was not confirmed with your bank. Try again or use another card.',
    authentication_abandoned: 'This was not confirmed with your bank. Try again or use another card.',
    authentication_required: 'The card has to be confirmed with your bank. Try again or use another card.',
  },

  /** One sentence for each code of an error, so that no message meant for developers is shown. */
  codes: {
    already_has_active_subscription: 'You have a subscription already.',
    charge_in_progress: 'Another payment is still under way. Wait for it before you try again.',
    customer_not_found: 'This link is not valid. Ask the seller for a new one.',
    feature_disabled: 'This is not offered any more.',
    feature_not_found: 'This is not offered any more.',
    feature_not_in_plan: 'This is not part of the plan.',
    forbidden: 'This is not possible here. Ask the seller.',
    included_limit_reached: 'The plan takes no more of this.',
    price_not_found: 'This is not sold for this billing interval.',
    idempotency_key_mismatch:
      'An earlier try reached the seller. Look at how things stand before you try again.',
    invalid_subscription_status: 'This is not possible any more.',
    missing_regional_price: 'This is not sold in the currency of your country. Ask the seller.',
    no_outstanding_invoice: 'There is nothing left to pay.',
    offer_not_applicable:
      'The discount is not available any more. The full price is shown now; pay again to accept it.',
    payment_not_found: 'Nothing waits to be confirmed any more.',
    not_found: 'This is not offered any more.',
    plan_not_found: 'This plan is not offered any more.',
    plan_unavailable: 'This plan is not offered any more.',
    provider_unsupported: 'The card cannot be taken right now. Reload the page and enter it again.',
    rate_limited: 'There were too many tries. Wait a while, then try again.',
    unauthorized: 'This link is not valid any more. Ask the seller for a new one.',
    validation_error: 'Something was not filled in right. Check what you typed in.',
  },

  /** Reasons of an error that say more than its code. */
  reasons: {
    card_not_eligible:
      'The discount is not for this card. The full price is shown now; pay again to accept it.',
    tax_not_computed: 'The tax depends on where you are. Fill in the state or province.',
  },

  /** Why a promo code cannot be used. */
  promoReasons: {
    unknown: 'This promo code is not known.',
    inactive: 'This promo code is not valid any more.',
    expired: 'This promo code has expired.',
    max_redemptions_reached: 'This promo code is used up.',
    already_redeemed: 'You have used this promo code before.',
    plan_not_eligible: 'This promo code is for another plan.',
    interval_not_eligible: 'This promo code is for another billing interval.',
    intro_offer_active: 'A better offer applies already.',
    currency_not_configured: 'This promo code is for another currency.',
    below_minimum: 'This promo code needs a higher amount.',
  },

  unknownError: 'This did not work. Reload the page and try again, or ask the seller.',
  unknownOutcome:
    'The service cannot be reached, so it is not known yet whether this went through. What you entered is kept. Try again: nothing is charged twice.',
  cardFieldsMissing: 'The card fields cannot be loaded right now. Reload the page to try again.',
} as const;

/** What every language says. */
export type Words = Translation<typeof words>;
