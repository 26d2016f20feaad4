import { countText } from '../../documents/format.ts';
import { amountText, type Language, rateText } from '../../domain/amount-text.ts';
import type { Explanation, FormulaName } from '../../domain/invoicing/explanation.ts';

// Why a line has its amount, in words for its payer: the formula and the numbers that are stored with it.

/** Sentences by formula; `{name}` stands for an input. */
type Sentences = { readonly [Formula in FormulaName]: string };

const sentences: { readonly [language in Language]: Sentences } = {
  en: {
    price: 'The price: {price}.',
    price_share: '{price} for {total_days} days, of which {days} are left.',
    exchanged_price: '{price} at the exchange rate of {exchange_rate}.',
    exchanged_price_share:
      '{price} at the exchange rate of {exchange_rate}, for {total_days} days of which {days} are left.',
    units: '{units} × {rate}.',
    units_for_days: '{units} × {rate} for {total_days} days, of which {days} count.',
    deficit: 'Used beyond the balance: {total_deficit} in all, of which {billed} is billed already.',
    deficit_rest: 'Used beyond the balance: {total_deficit} in all, of which {billed} is billed already.',
    unused_share: '{base} was paid for {total_days} days, of which {days} are not used.',
    percentage_off: '{basis_points} off {base}.',
    amount_off: '{amount} off {base}.',
    fixed_price: '{fixed_price} in place of {base}.',
    credit: 'Credit of {remaining}, for {open} that is due.',
  },
  es: {
    price: 'El precio: {price}.',
    price_share: '{price} por {total_days} días, de los que quedan {days}.',
    exchanged_price: '{price} al tipo de cambio de {exchange_rate}.',
    exchanged_price_share:
      '{price} al tipo de cambio de {exchange_rate}, por {total_days} días de los que quedan {days}.',
    units: '{units} × {rate}.',
    units_for_days: '{units} × {rate} por {total_days} días, de los que cuentan {days}.',
    deficit: 'Uso por encima del saldo: {total_deficit} en total, de los que ya se facturaron {billed}.',
    deficit_rest: 'Uso por encima del saldo: {total_deficit} en total, de los que ya se facturaron {billed}.',
    unused_share: 'Se pagaron {base} por {total_days} días, de los que {days} quedan sin usar.',
    percentage_off: '{basis_points} de descuento sobre {base}.',
    amount_off: '{amount} de descuento sobre {base}.',
    fixed_price: '{fixed_price} en lugar de {base}.',
    credit: 'Un crédito de {remaining}, para los {open} pendientes.',
  },
};

type Shown = (value: bigint, currency: string, language: Language) => string;

const share =
  (unit: bigint, options: Intl.NumberFormatOptions): Shown =>
  (value, _currency, language) =>
    // Rates are small; what is shown has fewer digits than a number has.
    new Intl.NumberFormat(language, options).format(Number(value) / Number(unit));

const counted: Shown = (value, _currency, language) => countText(value, language);

/** How inputs are shown that are no amounts of the currency of the line. */
const formats: Readonly<Record<string, Shown>> = {
  basis_points: share(10_000n, { style: 'percent', maximumFractionDigits: 2 }),
  exchange_rate: share(100_000_000n, { maximumFractionDigits: 8 }),
  days: counted,
  total_days: counted,
  units: counted,
  rate: rateText,
  deficit: rateText,
  total_deficit: rateText,
};

const usCents: Shown = (value, _currency, language) => amountText(value, 'usd', language);

/** How the amount of a line comes about, in words. */
export function explainLine(
  { explanation, currency }: { readonly explanation: Explanation; readonly currency: string },
  language: Language,
): string {
  const { formula, inputs } = explanation;
  return sentences[language][formula].replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const isExchanged = name === 'price' && formula.startsWith('exchanged');
    const format = isExchanged ? usCents : (formats[name] ?? amountText);
    return format(BigInt(inputs[name] ?? 0), currency, language);
  });
}
