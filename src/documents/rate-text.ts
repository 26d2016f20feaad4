import { unitAmountText } from '../domain/money/amount-text.ts';
import { leadRate } from '../domain/rates/card.ts';
import { clauseTexts } from '../domain/rates/clause-texts.ts';
import { storedRate } from '../domain/rates/held.ts';
import type { RateDocument } from '../domain/rates/rate.ts';
import { type Language, tagOf } from '../domain/text/language.ts';
import { rateWords } from './translations.ts';

// Sentences that describe the price of a feature's units to customers.

/** Formats credits with all their decimals. */
const creditsText = (decimal: string, language: Language): string =>
  rateWords[language].credits({
    count: Number(decimal),
    amount: new Intl.NumberFormat(tagOf(language), { maximumFractionDigits: 12 }).format(
      // The text contains only digits, but the formatter's type accepts only number literals.
      decimal as Intl.StringNumericLiteral,
    ),
  });

/**
 * Describes a rate as price lists do, such as "$0.20 per 1,000,000 units from 1,000,001, free up to 1,000,000".
 * `currency` is `null` if the amounts are credits.
 */
export function rateSentence(rate: RateDocument, currency: string | null, language: Language): string {
  const words = rateWords[language];
  const amount = (decimal: string): string =>
    currency === null ? creditsText(decimal, language) : unitAmountText(decimal, currency, language);
  const clauses = storedRate(rate).map((list) =>
    clauseTexts(words, leadRate(list), { amount, bound: (units) => units }),
  );
  const { model, tiers } = rate;
  const rules = [
    ...(model === 'volume' && tiers.length > 1 ? [words.volume] : []),
    ...(model === 'package' && rate.per > 1 ? [words.package] : []),
  ];
  return [clauses.join(), ...rules].join('; ');
}
