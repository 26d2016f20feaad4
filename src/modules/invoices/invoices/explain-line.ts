import { countText } from '../../../documents/format.ts';
import { explanationWords } from '../../../documents/translations.ts';
import { amountText, rateText } from '../../../domain/money/amount-text.ts';
import { divideRounded, rateScale } from '../../../domain/money/money.ts';
import type { Explanation } from '../../../domain/rows/explanation.ts';
import { type Language, tagOf } from '../../../domain/text/language.ts';

// Explains the amount of a line item to the payer, based on the stored formula and inputs.

type Inputs = Explanation['inputs'];

type Shown = (value: bigint, currency: string, language: Language, inputs: Inputs) => string;

const share =
  (unit: bigint, options: Intl.NumberFormatOptions): Shown =>
  (value, _currency, language) =>
    // `Number` is precise enough, because rates are small and shown with few digits.
    new Intl.NumberFormat(tagOf(language), options).format(Number(value) / Number(unit));

/** Formats an amount in units of 1 ÷ `scale` of the currency unit, rounded to 4 decimals. */
const scaled: Shown = (value, currency, language, { scale = '1' }) =>
  rateText(divideRounded(value * rateScale, BigInt(scale)), currency, language);

const counted: Shown = (value, _currency, language) => countText(value, language);

/** Formatters for inputs that aren't amounts in the line item's currency. */
const formats: Readonly<Record<string, Shown>> = {
  basis_points: share(10_000n, { style: 'percent', maximumFractionDigits: 2 }),
  exchange_rate: share(100_000_000n, { maximumFractionDigits: 8 }),
  days: counted,
  total_days: counted,
  units: counted,
  rate: rateText,
  deficit: rateText,
  total_deficit: rateText,
  before: scaled,
  after: scaled,
  rise: scaled,
};

const usCents: Shown = (value, _currency, language) => amountText(value, 'usd', language);

/** Explains the amount of a line item in a sentence. */
export function explainLine(
  { explanation, currency }: { readonly explanation: Explanation; readonly currency: string },
  language: Language,
): string {
  const { formula, inputs } = explanation;
  const textOf = (name: string, value: bigint): string => {
    const isExchanged = name === 'price' && formula.startsWith('exchanged');
    const format = isExchanged ? usCents : (formats[name] ?? amountText);
    return format(value, currency, language, inputs);
  };
  const values = Object.entries(inputs).map(([name, value]) => [name, textOf(name, BigInt(value ?? 0))]);
  const explain = explanationWords[language][formula] as (texts: object) => string;
  return explain(Object.fromEntries(values));
}
