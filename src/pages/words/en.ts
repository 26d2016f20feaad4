import { lineText } from '../../domain/invoicing/line-texts/en.ts';

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
    view: 'See it from another country',
    savedCode: 'In the sandbox every code is right but 000.',
  },

  frame: {
    support: 'Help',
    terms: 'Terms',
    privacy: 'Privacy',
    language: 'Language',
    noScript: 'This page needs JavaScript to go on safely.',
    working: 'Working …',
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
    business: 'I’m buying for a business',
    companyName: 'Company name',
    postalLike: (example: string) => `Such as ${example}`,
    postalOdd: (example: string) => `Check it: most look like ${example}`,
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

  order: {
    title: 'Order',
    details: 'Order details',
    times: (description: string, quantity: string) => `${description} × ${quantity}`,
    discount: 'Discount',
    conditionalDiscount: 'Discount, with an eligible card',
    tax: 'Tax',
    taxAt: (name: string, rate: string) => `${name} (${rate})`,
    taxOpen: 'Choose a country',
    why: 'Why?',
    /** What a line of an invoice says, which is stored in English. */
    line: lineText,
    taxNames: {} as Readonly<Record<string, string>>,
    taxOf: (tax: string, base: string) => `${tax} of ${base}.`,
    reverseCharge: 'You are a business in another country of the EU, so you account for the tax yourself.',
    billedTo: (email: string) => `Billed to ${email}.`,
  },

  payment: {
    receipt: 'Invoice and receipt',
    title: 'Payment',
    card: 'Card',
    orByCard: 'or pay by card',
    pay: 'Pay',
    payAmount: (amount: string) => `Pay ${amount}`,
    back: (seller: string) => `Continue to ${seller}`,
    otherCard: 'Try another card',
    savedCard: (card: string, expiry: string) => `${card}, expires ${expiry}`,
    anotherCard: 'Another card',
    codeWhy: 'The security code shows that the card is yours.',
    codesLeft: (count: number) => `${count} more ${count === 1 ? 'try' : 'tries'} with this card.`,
    savedOver: 'The stored card cannot be used at this link any more. Enter a card.',
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

  unknownError: 'This did not work. Reload the page and try again, or ask the seller.',
  unknownOutcome:
    'The service cannot be reached, so it is not known yet whether this went through. What you entered is kept. Try again: nothing is charged twice.',
} as const;

/** What every language says. */
export type Words = Translation<typeof words>;
