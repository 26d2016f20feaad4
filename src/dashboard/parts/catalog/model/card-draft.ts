import { readCard } from '../../../../domain/rates/read-card.ts';
import { conditionText, readCondition } from './derived-draft.ts';
import { type RateAnswer, type RateDraft, rateDraftOf, rateInputOf } from './rate-draft.ts';
import { rateOfPrice } from './rate-table.ts';

// Rates by dimension while they're edited.

/** Rate for usage that meets a condition, such as `model = large; region = eu, us`. */
export type CellDraft = { readonly condition: string; readonly rate: RateDraft };

/** Rates by dimension. `minimum` and `maximum` are empty if there is no limit. */
export type CardDraft = {
  /** ID of the saved rate card. `null` if the rates belong to the feature. */
  readonly rateCardId: string | null;
  readonly cells: readonly CellDraft[];
  /** Rate for all other usage. `null` if other usage is rejected. */
  readonly other: RateDraft | null;
  readonly minimum: string;
  readonly maximum: string;
};

/** Rates by dimension as returned by queries. */
export type CardAnswer = {
  readonly rateCardId?: string | null;
  readonly cells: readonly { readonly when: unknown; readonly rate: RateAnswer }[];
  readonly default: RateAnswer | null;
  readonly minimum: string | null;
  readonly maximum: string | null;
};

/** Number of decimals that the meter of a feature can have. The service checks the bounds of tiers when a feature gets the rates. */
export const mostMeterDecimals = 9;

export const newCell: CellDraft = { condition: '', rate: rateOfPrice('per_unit', 0) };

/** Rates by dimension with a single empty cell. */
export const newCard: CardDraft = {
  rateCardId: null,
  cells: [newCell],
  other: null,
  minimum: '',
  maximum: '',
};

/** Converts saved rates by dimension for editing. */
export const cardDraftOf = (card: CardAnswer): CardDraft => ({
  rateCardId: card.rateCardId ?? null,
  cells: card.cells.map(({ when, rate }) => ({ condition: conditionText(when), rate: rateDraftOf(rate) })),
  other: card.default === null ? null : rateDraftOf(card.default),
  minimum: card.minimum ?? '',
  maximum: card.maximum ?? '',
});

/** Returns the rates by dimension as input for the service. */
export const cardInputOf = ({ cells, other, minimum, maximum }: CardDraft) => ({
  cells: cells.map(({ condition, rate }) => ({
    when: readCondition(condition) ?? {},
    rate: rateInputOf(rate),
  })),
  default: other === null ? null : rateInputOf(other),
  minimum: minimum === '' ? null : minimum,
  maximum: maximum === '' ? null : maximum,
});

/** Reads a draft. Returns the rates, or all problems with their paths. */
export const readCardDraft = (draft: CardDraft): ReturnType<typeof readCard> =>
  readCard(cardInputOf(draft), mostMeterDecimals);

/** Returns true if the rates can be saved. */
export const isValidCard = (draft: CardDraft): boolean => 'card' in readCardDraft(draft);
