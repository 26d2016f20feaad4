import { type Decimal, decimalText } from '../../../domain/rates/decimal.ts';
import { describeRate, type Rate, type RateClause } from '../../../domain/rates/rate.ts';
import type { Words } from '../../words/words.ts';

type Formats = {
  readonly amount: (decimal: string) => string;
  readonly count: (value: number) => string;
};

const numberOf = (decimal: Decimal): number => Number(decimalText(decimal));

/** Describes a part of a rate. Units are whole numbers, so a range starts one unit above the previous range. */
function clauseText(
  words: Words['plan']['rate']['clauses'],
  clause: RateClause,
  { amount, count }: Formats,
): string {
  const price = amount(decimalText(clause.amount));
  if (!('above' in clause)) return words[clause.kind]({ amount: price });
  const from = clause.above === null ? '' : count(numberOf(clause.above) + 1);
  const upTo = clause.upTo === null ? '' : count(numberOf(clause.upTo));
  const range = from === '' ? (upTo === '' ? 'All' : 'First') : upTo === '' ? 'Last' : 'Middle';
  const values = { amount: price, per: Number(clause.per), from, upTo };
  if (clause.kind === 'price') return words[`price${range}`](values);
  if (clause.kind === 'flat') return range === 'All' ? words.flatAll(values) : words[`flat${range}`](values);
  return range === 'All' ? words.freeAll : words[`free${range}`](values);
}

/** Describes a rate as price lists do, such as "$0.20 per 1,000,000 units from 1,000,001, free up to 1,000,000". */
export const rateSentence = (words: Words['plan']['rate']['clauses'], rate: Rate, formats: Formats): string =>
  describeRate(rate)
    .clauses.map((clause) => clauseText(words, clause, formats))
    .join(', ');
