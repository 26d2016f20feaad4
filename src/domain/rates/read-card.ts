// Reads rate cards from requests (PRM-6, PRM-107).
import type { FieldProblem } from '../errors/errors.ts';
import { type Card, type Condition, canTie, cardDocument, type PriceList } from './card.ts';
import type { Rate } from './rate.ts';
import { readWhen } from './read-derived.ts';
import { type RateInput, readRate } from './read-rate.ts';
import type { RateReason } from './rejections.ts';

/** Values of a card that may be invalid. */
export type CardInput = {
  readonly cells?: readonly { readonly when: unknown; readonly rate: RateInput }[] | null | undefined;
  readonly default?: RateInput | null | undefined;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
};

/** Maximum number of cells in a card. */
const mostCells = 500;

/** Maximum length of a card as JSON, in characters. */
const mostLength = 256 * 1_024;

type Problems = { readonly reason: RateReason; readonly problems: readonly FieldProblem[] };

/** Reads a rate of the card. Adds its problems with their paths. */
function readPart(input: RateInput, path: string, decimals: number, problems: FieldProblem[]): Rate | null {
  const read = readRate(input, { decimals });
  if ('rate' in read) return read.rate;
  for (const { field, message } of read.problems)
    problems.push({ field: field === '' ? path : `${path}.${field}`, message });
  return null;
}

/** Returns a problem for each cell that could tie with an earlier cell. */
function ties(conditions: readonly Condition[]): FieldProblem[] {
  return conditions.flatMap((when, index) => {
    const other = conditions.findIndex((one, before) => before < index && canTie(one, when));
    return other < 0 || other >= index
      ? []
      : [{ field: `cells.${index}.when`, message: `can match the same usage as cells.${other}` }];
  });
}

/**
 * Reads a card. Returns the card, or all problems with their field paths, such as `cells.0.rate.tiers.0.upTo`. `decimals` is
 * the number of decimals of the meter.
 */
export function readCard(
  { cells, default: other, minimum, maximum }: CardInput,
  decimals: number,
): { readonly card: Card } | Problems {
  const problems: FieldProblem[] = [];
  const given = cells ?? [];
  if (given.length > mostCells)
    problems.push({ field: 'cells', message: `can contain up to ${mostCells} cells` });
  const read = given.map(({ when, rate }, index) => ({
    when: readWhen(when, `cells.${index}.when`, problems),
    rate: readPart(rate, `cells.${index}.rate`, decimals, problems),
  }));
  const fallback =
    other === undefined || other === null ? null : readPart(other, 'default', decimals, problems);
  if (given.length === 0 && fallback === null && problems.length === 0)
    problems.push({ field: 'cells', message: 'is required unless `default` is set' });
  const bounds = readRate({ amount: '0', minimum, maximum });
  if ('problems' in bounds) problems.push(...bounds.problems);
  if (problems.length > 0 || 'problems' in bounds) return { reason: 'bad_rate', problems };
  const tied = ties(read.map(({ when }) => when));
  if (tied.length > 0) return { reason: 'ambiguous_cells', problems: tied };
  const card: Card = {
    cells: read.flatMap(({ when, rate }) => (rate === null ? [] : [{ when, rate }])),
    default: fallback,
    minimum: bounds.rate.minimum,
    maximum: bounds.rate.maximum,
  };
  return JSON.stringify(cardDocument(card)).length > mostLength
    ? { reason: 'bad_rate', problems: [{ field: 'cells', message: 'can have up to 256 KiB as JSON' }] }
    : { card };
}

/** Fields of a rate that can't be combined with rates by dimension. */
const rateFields = ['model', 'per', 'amount', 'tiers'] as const;

/** Returns true if the input contains rates by dimension. */
const hasCells = ({ cells, default: other }: CardInput): boolean =>
  (cells !== undefined && cells !== null) || (other !== undefined && other !== null);

/**
 * Reads a rate, or a card if the input contains rates by dimension. Returns the rate or card, or all problems with their field
 * paths. `decimals` is the number of decimals of the meter.
 */
export function readList(
  { cells, default: other, ...rate }: RateInput & CardInput,
  decimals: number,
): { readonly list: PriceList } | Problems {
  if (!hasCells({ cells, default: other })) {
    const read = readRate(rate, { decimals });
    return 'rate' in read ? { list: read.rate } : { reason: 'bad_rate', problems: read.problems };
  }
  const strangers = rateFields
    .filter((name) => rate[name] !== undefined && rate[name] !== null)
    .map((field) => ({ field, message: "can't be combined with `cells` and `default`" }));
  if (strangers.length > 0) return { reason: 'bad_rate', problems: strangers };
  const read = readCard({ cells, default: other, minimum: rate.minimum, maximum: rate.maximum }, decimals);
  return 'card' in read ? { list: read.card } : read;
}
