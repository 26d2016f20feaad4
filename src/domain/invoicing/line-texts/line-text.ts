import type { BillingInterval, InvoiceLineType } from '../../enums.ts';

/** What a line is read by: its description is stored in English. */
export type StoredLine = { readonly lineType: InvoiceLineType; readonly description: string };

/** What lines say in another language. Counts and days come as they are stored. */
export type LineWords = {
  readonly intervals: { readonly [interval in BillingInterval]: string };
  readonly beyond: (count: string, included: string) => string;
  readonly risen: (count: string, day: string, days: string) => string;
  readonly unused: (days: string, totalDays: string) => string;
  readonly customerCredit: (day: string) => string;
  /** Use beyond the balance; of a feature where one is named. */
  readonly overBalance: (feature: string | null) => string;
  readonly packCredits: (count: string) => string;
  readonly topUp: string;
};

type Pattern = {
  readonly lineTypes: readonly InvoiceLineType[];
  readonly stored: RegExp;
  readonly say: (words: LineWords, ...parts: string[]) => string;
};

/** The forms of descriptions that have words of their own; all others are names and texts of the merchant. */
const patterns: readonly Pattern[] = [
  {
    lineTypes: ['plan_base'],
    stored: /^(.*) \((weekly|monthly|quarterly|yearly|one-time)\)$/s,
    say: ({ intervals }, name, interval) =>
      `${name} (${intervals[interval === 'one-time' ? 'one_time' : (interval as BillingInterval)]})`,
  },
  {
    lineTypes: ['feature_overage', 'feature_seats', 'feature_quota'],
    stored: /^(.*): (\d+) beyond (\d+) included$/s,
    say: ({ beyond }, name, count = '', included = '') => `${name}: ${beyond(count, included)}`,
  },
  {
    lineTypes: ['feature_seats', 'feature_quota'],
    stored: /^(.*): (\d+) more from (\S+), for (\d+) days?$/s,
    say: ({ risen }, name, count = '', day = '', days = '') => `${name}: ${risen(count, day, days)}`,
  },
  {
    lineTypes: ['credit'],
    stored: /^(.*): (\d+) of (\d+) days not used$/s,
    say: ({ unused }, name, days = '', totalDays = '') => `${name}: ${unused(days, totalDays)}`,
  },
  {
    lineTypes: ['credit'],
    stored: /^Customer credit of (\d{4}-\d\d-\d\d)$/,
    say: ({ customerCredit }, day = '') => customerCredit(day),
  },
  {
    lineTypes: ['balance_overage'],
    stored: /^(?:(.*): use|Use) beyond the balance$/s,
    say: ({ overBalance }, feature) => overBalance(feature ?? null),
  },
  {
    lineTypes: ['one_time'],
    stored: /^(.*): (\d+) credits$/s,
    say: ({ packCredits }, name, count = '') => `${name}: ${packCredits(count)}`,
  },
  { lineTypes: ['one_time'], stored: /^Balance top-up$/, say: ({ topUp }) => topUp },
];

/** What a line says in the language of these words; names stay as they are stored. */
export function lineTextIn(words: LineWords, { lineType, description }: StoredLine): string {
  for (const { lineTypes, stored, say } of patterns) {
    const found = lineTypes.includes(lineType) ? stored.exec(description) : null;
    if (found !== null) return say(words, ...found.slice(1));
  }
  return description;
}
