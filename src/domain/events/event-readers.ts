// Functions that read values from an event's data for its summary.
import { amountText, rateText } from '../money/amount-text.ts';
import { isCurrency } from '../money/money.ts';
import { type Language, tagOf } from '../text/language.ts';

export type Data = { readonly [field: string]: unknown };

/** Returns the string in a field. `null` if the field is empty or isn't a string. */
export const text = (data: Data, field: string): string | null => {
  const value = data[field];
  return typeof value === 'string' && value !== '' ? value : null;
};

/** Returns the object in a field. Empty if the field isn't an object. */
export const part = (data: Data, field: string): Data => {
  const value = data[field];
  return typeof value === 'object' && value !== null ? (value as Data) : {};
};

/** Returns the number in a field. 0 if the field isn't a number. */
export const count = (data: Data, field: string): number => {
  const value = data[field];
  return typeof value === 'number' ? value : 0;
};

/** Function that formats an amount in minor units or a unit price. */
type Scale = typeof amountText;

/** Functions that format the amounts, dates, and English strings in an event's data for one language. */
export type Values = {
  /** Returns an amount in the currency of the event. `null` if the amount or currency is unknown. */
  readonly amount: (data: Data, field: string, currencyField?: string) => string | null;
  readonly rate: (data: Data, field: string) => string;
  /** Returns the formatted UTC date of a time. `null` if the field has no time. */
  readonly date: (data: Data, field: string) => string | null;
  /**
   * Returns an English string, such as a payment provider's message. `null` in other languages, because such strings
   * aren't translated.
   */
  readonly englishText: (data: Data, field: string) => string | null;
  /** Converts a code such as `insufficient_funds` to English words. Returns `null` if the summary is in another language. */
  readonly englishWords: (data: Data, field: string) => string | null;
};

export function valuesIn(language: Language): Values {
  const days = new Intl.DateTimeFormat(tagOf(language), { dateStyle: 'long', timeZone: 'UTC' });
  const scaled = (data: Data, field: string, currencyField: string, scale: Scale): string | null => {
    const [value, currency] = [data[field], text(data, currencyField)];
    return Number.isSafeInteger(value) && currency !== null && isCurrency(currency)
      ? scale(BigInt(Number(value)), currency, language).replaceAll('\u00a0', ' ')
      : null;
  };
  const englishText = (data: Data, field: string): string | null =>
    language === 'en' ? text(data, field) : null;
  return {
    amount: (data, field, currencyField = 'currency') => scaled(data, field, currencyField, amountText),
    rate: (data, field) => scaled(data, field, 'currency', rateText) ?? '0',
    date: (data, field) => {
      const time = Date.parse(text(data, field) ?? '');
      return Number.isNaN(time) ? null : days.format(time);
    },
    englishText,
    englishWords: (data, field) => englishText(data, field)?.replaceAll('_', ' ') ?? null,
  };
}

/**
 * Returns a value together with a flag that is true if the value exists, such as `total` and `hasTotal`.
 * The message uses the flag to choose its wording.
 */
export const optional = <Name extends string>(name: Name, value: string | null) =>
  ({
    [name]: value ?? '',
    [`has${name.charAt(0).toUpperCase()}${name.slice(1)}`]: value !== null,
  }) as { readonly [key in Name]: string } & { readonly [key in `has${Capitalize<Name>}`]: boolean };

/** Returns a reason without its final period, so that a summary can end with the reason and its own period. */
export const optionalReason = (reason: string | null) =>
  optional('reason', reason?.replace(/\.$/, '') ?? null);
