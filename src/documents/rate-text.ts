import { type Language, unitAmountText } from '../domain/money/amount-text.ts';
import { type Decimal, decimalText } from '../domain/rates/decimal.ts';
import { leadRate } from '../domain/rates/card.ts';
import { storedRate } from '../domain/rates/held.ts';
import { describeRate, type RateClause, type RateDocument } from '../domain/rates/rate.ts';
import { rateWords } from './translations.ts';

// Sentences that describe the price of a feature's units to customers.

const numberOf = (decimal: Decimal): number => Number(decimalText(decimal));

/** Formats credits with all their decimals. */
const creditsText = (decimal: string, language: Language): string =>
  rateWords[language].credits({
    count: Number(decimal),
    amount: new Intl.NumberFormat(language, { maximumFractionDigits: 12 }).format(
      // The text contains only digits, but the formatter's type accepts only number literals.
      decimal as Intl.StringNumericLiteral,
    ),
  });

/** Describes a part of a rate. Units are whole numbers, so a range starts one unit above the previous range. */
function clauseText(clause: RateClause, amountOf: (decimal: Decimal) => string, language: Language): string {
  const words = rateWords[language];
  const amount = amountOf(clause.amount);
  if (!('above' in clause)) return words[clause.kind]({ amount });
  const { kind, above, upTo, per } = clause;
  const from = above === null ? 0 : numberOf(above) + 1;
  const to = upTo === null ? 0 : numberOf(upTo);
  const range = above === null ? (upTo === null ? 'All' : 'First') : upTo === null ? 'Last' : 'Middle';
  const values = { amount, per: Number(per), from, upTo: to };
  if (kind === 'free' && range === 'All') return words.freeAll;
  return words[`${kind}${range}` as 'priceMiddle'](values);
}

/**
 * Describes a rate as price lists do, such as "$0.20 per 1,000,000 units from 1,000,001, free up to 1,000,000".
 * `currency` is `null` if the amounts are credits.
 */
export function rateSentence(rate: RateDocument, currency: string | null, language: Language): string {
  const words = rateWords[language];
  const amountOf = (decimal: Decimal): string =>
    currency === null
      ? creditsText(decimalText(decimal), language)
      : unitAmountText(decimalText(decimal), currency, language);
  const [described] = storedRate(rate).map((list) => describeRate(leadRate(list)));
  const clauses = (described?.clauses ?? []).map((clause) => clauseText(clause, amountOf, language));
  const { model, tiers } = rate;
  const rules = [
    ...(model === 'volume' && tiers.length > 1 ? [words.volume] : []),
    ...(model === 'package' && rate.per > 1 ? [words.package] : []),
  ];
  return [clauses.join(', '), ...rules].join('; ');
}
