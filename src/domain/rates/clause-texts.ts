import { type Decimal, decimalText } from './decimal.ts';
import { describeRate, type Rate, type RateClause } from './rate.ts';

type Range<Bound> = {
  readonly amount: string;
  readonly per: number;
  readonly from: Bound;
  readonly upTo: Bound;
};

/** Messages about the parts of a rate. `Bound` is the type of a number of units in a message. */
type ClauseWords<Bound> = {
  readonly [range in `${'price' | 'flat' | 'free'}${'First' | 'Middle' | 'Last'}`]: (
    values: Range<Bound>,
  ) => string;
} & {
  readonly [all in 'priceAll' | 'flatAll']: (values: Range<Bound>) => string;
} & {
  readonly [limit in 'minimum' | 'maximum']: (values: { readonly amount: string }) => string;
} & { readonly freeAll: string };

type Formats<Bound> = {
  /** Formats an amount. */
  readonly amount: (decimal: string) => string;
  /** Returns the value of a message for a number of units. */
  readonly bound: (units: number) => Bound;
};

/** A range starts one unit above the previous range, or at its end if the end isn't a whole number. */
function clauseText<Bound>(
  words: ClauseWords<Bound>,
  clause: RateClause,
  { amount: amountText, bound }: Formats<Bound>,
): string {
  const amount = amountText(decimalText(clause.amount));
  if (!('above' in clause)) return words[clause.kind]({ amount });
  const { kind, above, upTo, per } = clause;
  const unitsOf = (decimal: Decimal | null): number => (decimal === null ? 0 : Number(decimalText(decimal)));
  const end = unitsOf(above);
  const range = above === null ? (upTo === null ? 'All' : 'First') : upTo === null ? 'Last' : 'Middle';
  if (kind === 'free' && range === 'All') return words.freeAll;
  const message = words[`${kind}${range}` as Exclude<keyof ClauseWords<Bound>, 'freeAll'>];
  return message({
    amount,
    per: Number(per),
    from: bound(above !== null && !Number.isInteger(end) ? end : end + 1),
    upTo: bound(unitsOf(upTo)),
  });
}

/** Describes a rate as price lists do, such as "$0.20 per 1,000,000 units from 1,000,001, free up to 1,000,000". */
export const clauseTexts = <Bound>(words: ClauseWords<Bound>, rate: Rate, formats: Formats<Bound>): string =>
  describeRate(rate)
    .clauses.map((clause) => clauseText(words, clause, formats))
    .join(', ');
