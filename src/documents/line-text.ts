import type { InvoiceLineType } from '../domain/rows/enums.ts';
import type { Language } from '../domain/text/language.ts';
import { dateText } from './format.ts';
import { lineWords } from './translations.ts';

// Localized descriptions of line items in PDFs and on hosted pages. Line items are stored in English, with unformatted counts and dates.

/** Type and description of a line item, as stored in the database. */
export type StoredLine = { readonly lineType: InvoiceLineType; readonly description: string };

type Words = (typeof lineWords)[Language];

type Pattern = {
  readonly lineTypes: readonly InvoiceLineType[];
  readonly stored: RegExp;
  readonly textOf: (words: Words, groups: readonly string[], day: (iso: string) => string) => string;
};

const intervalOf = (words: Words, stored: string): string =>
  words.intervals[stored.replace('-', '_') as keyof Words['intervals']];

/** Types of lines that charge for the units of a feature. */
const measured: readonly InvoiceLineType[] = ['feature_overage', 'feature_seats', 'feature_quota'];

/** Patterns of generated descriptions. Other descriptions are names or were written by the merchant. */
const patterns: readonly Pattern[] = [
  {
    lineTypes: ['plan_base'],
    stored: /^(.*) \((weekly|monthly|quarterly|yearly|one-time)\)$/s,
    textOf: (words, [name = '', interval = '']) =>
      words.plan({ name, interval: intervalOf(words, interval) }),
  },
  { lineTypes: ['plan_base'], stored: /^Minimum spend$/, textOf: (words) => words.minimumSpend },
  {
    lineTypes: measured,
    stored: /^(.*): (\d[\d.]*) beyond (\d[\d.]*) included$/s,
    textOf: (words, [name = '', count, included]) =>
      words.beyond({ name, count: Number(count), included: Number(included) }),
  },
  {
    lineTypes: measured,
    stored: /^(.*): (\d[\d.]*) \((\d[\d.]*) to (\d[\d.]*)\)$/s,
    textOf: (words, [name = '', count, from, to]) =>
      words.tier({ name, count: Number(count), from: Number(from), to: Number(to) }),
  },
  {
    lineTypes: measured,
    stored: /^(.*): (\d[\d.]*) \((\d[\d.]*) and above\)$/s,
    textOf: (words, [name = '', count, from]) =>
      words.lastTier({ name, count: Number(count), from: Number(from) }),
  },
  {
    lineTypes: measured,
    stored: /^(.*): fee for tier (\d+)$/s,
    textOf: (words, [name = '', tier]) => words.tierFee({ name, tier: Number(tier) }),
  },
  {
    lineTypes: measured,
    stored: /^(.*): (\d[\d.]*) in packages of (\d+)$/s,
    textOf: (words, [name = '', count, per]) =>
      words.packages({ name, count: Number(count), per: Number(per) }),
  },
  {
    lineTypes: measured,
    stored: /^(.*): (\d[\d.]*) at a flat price$/s,
    textOf: (words, [name = '', count]) => words.flatPrice({ name, count: Number(count) }),
  },
  {
    lineTypes: measured,
    stored: /^(.*): (minimum|maximum) price$/s,
    textOf: (words, [name = '', bound]) =>
      bound === 'minimum' ? words.minimum({ name }) : words.maximum({ name }),
  },
  {
    lineTypes: measured,
    stored: /^(.*): (\d[\d.]*) in other combinations$/s,
    textOf: (words, [name = '', count]) => words.rest({ name, count: Number(count) }),
  },
  {
    lineTypes: ['credit', 'feature_overage'],
    stored: /^(.*): correction of the usage from (\d{4}-\d\d-\d\d)$/s,
    textOf: (words, [name = '', of = ''], day) => words.correction({ name, day: day(of) }),
  },
  {
    lineTypes: ['feature_seats', 'feature_quota'],
    stored: /^(.*): (\d+) more from (\S+), for (\d+) days?$/s,
    textOf: (words, [name = '', count, from = '', days], day) =>
      words.risen({ name, count: Number(count), day: day(from), days: Number(days) }),
  },
  {
    lineTypes: ['credit'],
    stored: /^(.*): (\d+) of (\d+) days not used$/s,
    textOf: (words, [name = '', days, totalDays]) =>
      words.unused({ name, days: Number(days), totalDays: Number(totalDays) }),
  },
  {
    lineTypes: ['credit'],
    stored: /^Customer credit of (\d{4}-\d\d-\d\d)$/,
    textOf: (words, [of = ''], day) => words.customerCredit({ day: day(of) }),
  },
  {
    lineTypes: ['balance_overage'],
    stored: /^(.*): use beyond the balance$/s,
    textOf: (words, [name = '']) => words.featureOverBalance({ name }),
  },
  {
    lineTypes: ['balance_overage'],
    stored: /^Use beyond the balance$/,
    textOf: (words) => words.overBalance,
  },
  {
    lineTypes: ['one_time'],
    stored: /^(.*): (\d+) credits$/s,
    textOf: (words, [name = '', count]) => words.packCredits({ name, count: Number(count) }),
  },
  { lineTypes: ['one_time'], stored: /^Balance top-up$/, textOf: (words) => words.topUp },
];

/** Returns the description of a line item in a language. Formats counts and dates; names aren't translated. */
export function lineText({ lineType, description }: StoredLine, language: Language): string {
  const day = (iso: string): string => dateText(new Date(iso), language);
  for (const { lineTypes, stored, textOf } of patterns) {
    const found = lineTypes.includes(lineType) ? stored.exec(description) : null;
    if (found !== null) return textOf(lineWords[language], found.slice(1), day);
  }
  return description;
}
