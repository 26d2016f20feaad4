import { QuittanceError } from '../../../domain/errors/errors.ts';
import type { RateOverride } from '../../../domain/rates/card.ts';
import { rateRejection } from '../../../domain/rates/rejections.ts';
import type { Context } from '../../../request/context.ts';
import {
  lockMarkets,
  type PriceListInput,
  type PriceWithOverrides,
  type RatedFeature,
  readPrice,
  requireCardFits,
} from './read-feature-rate.ts';
import { type RateCardRow, rateCardRows, referringTo } from './store.ts';

/** Rate from an API client, or the ID or code of a saved card. */
export type RateChoice<Input extends PriceListInput = PriceListInput> = {
  readonly rate?: Input | null | undefined;
  readonly rateCardId?: string | null | undefined;
};

type Chosen<Input> =
  | { readonly kind: 'rate'; readonly input: Input }
  | { readonly kind: 'card'; readonly row: RateCardRow };

/**
 * Returns the provided rate, or the saved card. Locks the card until the transaction ends, and must run before the rows that will refer to the
 * card are locked, as in a change of the card. Throws `not_found` if the environment has no such card, and `validation_error` unless exactly one of them
 * is provided.
 */
export async function chosenRate<Input extends PriceListInput>(
  tx: Context,
  { rate = null, rateCardId = null }: RateChoice<Input>,
): Promise<Chosen<Input>> {
  if (rate !== null && rateCardId === null) return { kind: 'rate', input: rate };
  if (rate === null && rateCardId !== null)
    return { kind: 'card', row: await rateCardRows.lock(tx, rateCardId, 'rateCardId', 'SHARE') };
  throw new QuittanceError(
    rateRejection('bad_rate', [{ field: 'rate', message: 'Set either `rate` or `rateCardId`.' }]),
  );
}

/**
 * Returns the price that a feature gets from a rate or a saved card. `before` are the feature's current overrides. Throws `market_not_found`,
 * and `validation_error` if the feature can't have the price.
 */
export async function priceOf(
  tx: Context,
  chosen: Chosen<PriceListInput>,
  rated: RatedFeature,
  before: readonly RateOverride[],
): Promise<PriceWithOverrides> {
  if (chosen.kind === 'card') {
    requireCardFits(chosen.row, rated, 'rateCardId');
    return referringTo(chosen.row);
  }
  const price = readPrice(chosen.input, rated, before);
  await lockMarkets(tx, price.overrides, 'rate.overrides');
  return price;
}
