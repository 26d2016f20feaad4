// Registry of instruments (INS-4). Each instrument is one row of property values.
import type { InstrumentName } from '../../rows/enums.ts';
import { unionMembers } from '../../tax/european-union.ts';
import type { Instrument } from './instrument.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Countries whose banks take part in SEPA. */
const sepaCountries: readonly string[] = [
  ...unionMembers,
  ...['AD', 'AL', 'CH', 'GB', 'IS', 'LI', 'MC', 'MD', 'ME', 'MK', 'NO', 'RS', 'SM', 'VA'],
];

const none = { typical: 0, latest: 0 };
const immediate = { least: 0, used: 0, most: 0 };

const card = {
  initiation: 'pull',
  offSession: true,
  mandate: 'none',
  calendar: 'none',
  confirmation: none,
  submission: immediate,
  notice: null,
  returnDays: 0,
  dispute: 'contest',
  refund: { to: 'original', days: null, partial: true },
  amount: 'exact',
  retry: 'policy',
  expiry: null,
  yields: 'card',
  recheck: 'code',
  requires: [],
  shows: 'fields',
  currencies: null,
  countries: null,
  limits: {},
} as const satisfies Instrument;

/** Properties that all bank debits have in common. */
const debit = {
  ...card,
  mandate: 'scheme',
  dispute: 'return',
  recheck: 'none',
  requires: ['name', 'email'],
  retry: { max: 2, gap: 3, within: 60 },
} as const satisfies Instrument;

/** Properties that most payments started by the payer have in common. */
const push = {
  ...card,
  initiation: 'push',
  offSession: false,
  dispute: 'none',
  recheck: 'none',
} as const satisfies Instrument;

const redirected = { ...push, calendar: 'target', shows: 'redirect', currencies: ['eur'] } as const;
const quarter = { default: 15 * minute, least: 15 * minute, most: 15 * minute };

export const instruments = {
  card,
  apple_pay: card,
  google_pay: card,
  link: card,
  paypal: {
    ...card,
    mandate: 'scheme',
    refund: { to: 'original', days: 180, partial: true },
    yields: 'paypal',
    recheck: 'none',
    shows: 'redirect',
  },
  sepa_debit: {
    ...debit,
    calendar: 'target',
    confirmation: { typical: 5, latest: 14 },
    notice: { days: 2, sender: 'us' },
    returnDays: 56,
    refund: { to: 'original', days: 180, partial: true },
    yields: 'sepa_debit',
    currencies: ['eur'],
    countries: sepaCountries,
    limits: { eur: { most: 1_000_000n } },
  },
  ach_debit: {
    ...debit,
    calendar: 'us_fed',
    confirmation: { typical: 4, latest: 5 },
    returnDays: 60,
    refund: { to: 'original', days: 180, partial: true },
    retry: { max: 2, gap: 3, within: 180 },
    yields: 'ach_debit',
    currencies: ['usd'],
    countries: ['US'],
  },
  bacs_debit: {
    ...debit,
    calendar: 'uk',
    confirmation: { typical: 3, latest: 6 },
    notice: { days: 3, sender: 'processor' },
    returnDays: 'unlimited',
    yields: 'bacs_debit',
    currencies: ['gbp'],
    countries: ['GB'],
  },
  becs_debit: {
    ...debit,
    calendar: 'au',
    confirmation: { typical: 3, latest: 5 },
    returnDays: 'unlimited',
    yields: 'becs_debit',
    currencies: ['aud'],
    countries: ['AU'],
  },
  pad_debit: {
    ...debit,
    calendar: 'ca',
    confirmation: { typical: 5, latest: 7 },
    notice: { days: 3, sender: 'us' },
    returnDays: 90,
    yields: 'pad_debit',
    currencies: ['cad'],
    countries: ['CA'],
  },
  pix_automatico: {
    ...debit,
    mandate: 'terms',
    calendar: 'br',
    submission: { least: 2, used: 3, most: 10 },
    notice: { days: 2, sender: 'bank' },
    dispute: 'contest',
    refund: { to: 'original', days: 90, partial: true },
    retry: { max: 3, gap: 1, within: 7 },
    yields: 'pix_automatico',
    shows: 'qr',
    currencies: ['brl'],
    countries: ['BR'],
  },
  pix: {
    ...push,
    calendar: 'br',
    dispute: 'contest',
    refund: { to: 'original', days: 90, partial: true },
    expiry: { default: day, least: minute, most: 30 * day },
    yields: 'pix',
    shows: 'qr',
    currencies: ['brl'],
    countries: ['BR'],
  },
  ideal: {
    ...redirected,
    confirmation: { typical: 0, latest: 1 },
    refund: { to: 'original', days: 180, partial: true },
    expiry: quarter,
    yields: 'sepa_debit',
    countries: ['NL'],
  },
  bancontact: {
    ...redirected,
    confirmation: { typical: 0, latest: 1 },
    refund: { to: 'original', days: 180, partial: true },
    expiry: quarter,
    yields: 'sepa_debit',
    countries: ['BE'],
  },
  blik: {
    ...push,
    expiry: { default: 2 * minute, least: 2 * minute, most: 2 * minute },
    yields: 'blik',
    shows: 'code',
    currencies: ['pln'],
    countries: ['PL'],
  },
  boleto: {
    ...push,
    calendar: 'br',
    confirmation: { typical: 1, latest: 2 },
    refund: { to: 'bank_account', days: null, partial: true },
    expiry: { default: 3 * day, least: 0, most: 60 * day },
    yields: 'boleto',
    requires: ['name', 'address', 'tax_document'],
    shows: 'voucher',
    currencies: ['brl'],
    countries: ['BR'],
  },
  oxxo: {
    ...push,
    calendar: 'mx',
    confirmation: { typical: 1, latest: 3 },
    refund: { to: 'bank_account', days: null, partial: true },
    expiry: { default: 5 * day, least: day, most: 7 * day },
    yields: 'oxxo',
    requires: ['name', 'email'],
    shows: 'voucher',
    currencies: ['mxn'],
    countries: ['MX'],
    limits: { mxn: { least: 1_000n, most: 1_000_000n } },
  },
  bank_transfer: {
    ...push,
    confirmation: { typical: 1, latest: 3 },
    refund: { to: 'bank_account', days: null, partial: true },
    amount: 'any',
    yields: 'bank_transfer',
    shows: 'bank_details',
  },
} as const satisfies Readonly<Record<InstrumentName, Instrument>>;

const isInstrumentName = (name: string): name is InstrumentName => Object.hasOwn(instruments, name);

/** Returns the properties of an instrument. Throws if the registry doesn't contain the instrument. */
export function instrumentOf(name: string): Instrument {
  if (!isInstrumentName(name)) throw new Error(`There is no instrument ${name}.`);
  return instruments[name];
}

/** Name of the instrument of payment methods that were stored before instruments existed. */
export const defaultInstrument: InstrumentName = 'card';
