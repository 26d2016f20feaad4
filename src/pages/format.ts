import { dateText } from '../ui/format/dates.ts';
import { decimalText } from '../ui/format/money.ts';
import { countText, numberFormat, percentText } from '../ui/format/numbers.ts';
import type { CurrentPage } from './data/current-page.ts';

// Formats amounts, dates and rates in the language of the page.

/** Currency with its number of decimals. */
export type Priced = { readonly currency: string; readonly currencyDecimals: number };

/** Formats an amount in minor units, such as $12.34. */
export const moneyText = (
  { language }: Pick<CurrentPage, 'language'>,
  { currency, currencyDecimals: decimals }: Priced,
  minor: number,
): string =>
  numberFormat(language, {
    style: 'currency',
    currency: currency.toUpperCase(),
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    // The text contains only digits, but the formatter's type accepts only number literals.
  }).format(decimalText(minor, decimals) as Intl.StringNumericLiteral);

/** Formats a unit price at rate scale (10,000 = 1.00), such as $0.0025. */
export const rateText = (
  { language }: Pick<CurrentPage, 'language'>,
  { currency, currencyDecimals: decimals }: Priced,
  rate: number,
): string =>
  numberFormat(language, {
    style: 'currency',
    currency: currency.toUpperCase(),
    minimumFractionDigits: decimals,
    maximumFractionDigits: 4,
    // The text contains only digits, but the formatter's type accepts only number literals.
  }).format(decimalText(rate, 4) as Intl.StringNumericLiteral);

/** Formats a date in UTC, like billing dates. */
export const dayText = ({ language }: Pick<CurrentPage, 'language'>, instant: string): string =>
  dateText(instant, { locale: language });

type Line = { readonly lineType: string; readonly label: string; readonly quantity: number };

/** Returns the text of a line item. Appends the quantity unless the text contains it. */
export const lineText = ({ words, language }: CurrentPage, { lineType, label, quantity }: Line): string =>
  quantity > 1 && !/^feature/.test(lineType)
    ? words.order.times({ description: label, quantity: countText(quantity, language) })
    : label;

type Tax = {
  readonly name: string | null;
  readonly ratePpm: number;
  readonly treatment: string;
  readonly taxable: number;
  readonly amount: number;
};

/** Returns a tax name in the page's language. */
const taxNameIn = ({ order }: CurrentPage['words'], name: string | null): string =>
  name === null ? order.tax : ((order.taxNames as Readonly<Record<string, string>>)[name] ?? name);

/** Missing address field that the tax depends on. `null` if the tax is known. */
export type MissingPlace = 'country' | 'state' | null;

/** Returns the tax row for an order, with the tax calculation or the missing address field. Empty if there's no tax. */
export function taxRows(page: CurrentPage, priced: Priced, tax: Tax | null, missing: MissingPlace) {
  const { order } = page.words;
  if (missing !== null) return [{ label: order.tax, amount: order.taxOpen[missing] }];
  if (tax?.treatment === 'reverse_charge')
    return [
      {
        label: taxNameIn(page.words, tax.name),
        amount: moneyText(page, priced, 0),
        why: order.reverseCharge,
      },
    ];
  if (tax === null || tax.amount === 0) return [];
  const why = order.taxOf({ tax: taxText(page, tax), base: moneyText(page, priced, tax.taxable) });
  return [{ label: taxText(page, tax), amount: moneyText(page, priced, tax.amount), why }];
}

/** Returns the name and rate of a tax, such as VAT (19%). */
export const taxText = (
  { language, words }: CurrentPage,
  tax: { readonly name: string | null; readonly ratePpm: number } | null,
): string =>
  tax === null
    ? words.order.tax
    : words.order.taxAt({
        name: taxNameIn(words, tax.name),
        rate: percentText(tax.ratePpm / 1_000_000, language, { decimals: 4 }),
      });
