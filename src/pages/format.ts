import type { StoredLine } from '../domain/invoicing/line-texts/line-text.ts';
import { dateText } from '../ui/format/dates.ts';
import { decimalText } from '../ui/format/money.ts';
import { countText, numberFormat, percentText } from '../ui/format/numbers.ts';
import type { CurrentPage } from './data/current-page.ts';

// Amounts, dates and rates in the language of the page.

/** A currency with its number of decimals, as the service says them. */
export type Priced = { readonly currency: string; readonly currencyDecimals: number };

/** An amount in minor units: $12.34. */
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
    // Made of digits; the type wants a literal.
  }).format(decimalText(minor, decimals) as Intl.StringNumericLiteral);

/** A price of one unit, where 10,000 is 1.00: $0.0025. */
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
    // Made of digits; the type wants a literal.
  }).format(decimalText(rate, 4) as Intl.StringNumericLiteral);

/** A day in UTC, as billing counts. */
export const dayText = ({ language }: Pick<CurrentPage, 'language'>, instant: string): string =>
  dateText(instant, { locale: language });

/** What a line of an invoice says, and of how many units. */
export function lineText(
  { words, language }: CurrentPage,
  line: StoredLine & { readonly quantity: number },
): string {
  const text = words.order.line(line);
  return line.quantity > 1 ? words.order.times(text, countText(line.quantity, language)) : text;
}

type Tax = {
  readonly name: string | null;
  readonly ratePpm: number;
  readonly treatment: string;
  readonly taxable: number;
  readonly amount: number;
};

/** A tax as it is called in the language. */
const taxNameIn = ({ order }: CurrentPage['words'], name: string | null): string =>
  name === null ? order.tax : (order.taxNames[name] ?? name);

/** The row of a tax among those of an order, with what it is taken of; none where nothing is taxed. */
export function taxRows(page: CurrentPage, priced: Priced, tax: Tax | null) {
  const { order } = page.words;
  if (tax?.treatment === 'reverse_charge')
    return [
      {
        label: taxNameIn(page.words, tax.name),
        amount: moneyText(page, priced, 0),
        why: order.reverseCharge,
      },
    ];
  if (tax === null || tax.amount === 0) return [];
  const why = order.taxOf(taxText(page, tax), moneyText(page, priced, tax.taxable));
  return [{ label: taxText(page, tax), amount: moneyText(page, priced, tax.amount), why }];
}

/** A tax by its name and rate: VAT (19%). */
export const taxText = (
  { language, words }: CurrentPage,
  tax: { readonly name: string | null; readonly ratePpm: number } | null,
): string =>
  tax === null
    ? words.order.tax
    : words.order.taxAt(
        taxNameIn(words, tax.name),
        percentText(tax.ratePpm / 1_000_000, language, { decimals: 4 }),
      );
