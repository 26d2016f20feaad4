// What the sentences about events read from an event's data.
import { amountText, type Language, rateText } from './amount-text.ts';
import { isCurrency } from './money.ts';

export type Data = { readonly [field: string]: unknown };

/** The text of a field; null where it has none. */
export const text = (data: Data, field: string): string | null => {
  const value = data[field];
  return typeof value === 'string' && value !== '' ? value : null;
};

/** A field that holds an object. */
export const part = (data: Data, field: string): Data => {
  const value = data[field];
  return typeof value === 'object' && value !== null ? (value as Data) : {};
};

/** How amounts of a field are written: minor units, or rates. */
type Scale = typeof amountText;

/** Numbers, amounts and days of an event in a language. */
export type Values = {
  /** A whole number with separators; 0 where there is none. */
  readonly count: (data: Data, field: string) => string;
  /** An amount in the currency of the event; null where either is not known. */
  readonly amount: (data: Data, field: string, currencyField?: string) => string | null;
  /** A rate in the currency of the event. */
  readonly rate: (data: Data, field: string) => string;
};

/** What reads numbers and amounts in a language. */
export function valuesIn(language: Language): Values {
  const scaled = (data: Data, field: string, currencyField: string, scale: Scale): string | null => {
    const [value, currency] = [data[field], text(data, currencyField)];
    return Number.isSafeInteger(value) && currency !== null && isCurrency(currency)
      ? scale(BigInt(Number(value)), currency, language).replaceAll('\u00a0', ' ')
      : null;
  };
  return {
    count: (data, field) => {
      const value = data[field];
      return typeof value === 'number' ? value.toLocaleString(language) : '0';
    },
    amount: (data, field, currencyField = 'currency') => scaled(data, field, currencyField, amountText),
    rate: (data, field) => scaled(data, field, 'currency', rateText) ?? '0',
  };
}

/** The year, the month from 0 on and the day of an instant in UTC; null where there is none. */
export function dayOf(data: Data, field: string): readonly [string, number, number] | null {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(text(data, field) ?? '') ?? [];
  return year === undefined ? null : [year, Number(month) - 1, Number(day)];
}

/** What follows a word where there is something to say. */
export const after = (word: string, value: string | null): string =>
  value === null ? '' : ` ${word} ${value}`;

/** A reason at the end of a sentence, without its own full stop. */
export const because = (value: string | null): string =>
  value === null ? '' : `: ${value.replace(/\.$/, '')}`;

/** A code such as `insufficient_funds` in words. */
export const words = (data: Data, field: string): string | null =>
  text(data, field)?.replaceAll('_', ' ') ?? null;

/** What there is, with spaces between. */
export const joined = (...parts: (string | null)[]): string => parts.filter((one) => one !== null).join(' ');
