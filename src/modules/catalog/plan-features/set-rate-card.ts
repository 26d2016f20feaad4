import { rateCardUpdated } from '../../../domain/events/catalog-events.ts';
import { addonPool, poolOf } from '../../../domain/pricing/pools.ts';
import type { CardInput } from '../../../domain/rates/read-card.ts';
import type { RateOverrideInput } from '../../../domain/rates/read-overrides.ts';
import type { Context } from '../../../request/context.ts';
import { recordEvents } from '../../../request/transaction.ts';
import { addonRows, changeAddon } from '../add-ons/store.ts';
import { featureRows } from '../features/store.ts';
import { planRows } from '../plans/store.ts';
import {
  type CardWithOverrides,
  lockMarkets,
  ratedFeature,
  readSavedCard,
  requireCardFits,
} from '../rates/read-feature-rate.ts';
import { cardUsers, countSubscribers, type RateCardRow, rateCardRows, referringTo } from '../rates/store.ts';
import { requireAttached, storeTerms } from './attach.ts';

/** Input of a card with its overrides. */
type SavedInput = CardInput & { readonly overrides?: readonly RateOverrideInput[] | null | undefined };

/** Reads a card with its overrides, and locks their markets. Throws `market_not_found`, and `validation_error` with all problems. */
async function readCardIn(tx: Context, { overrides, ...card }: SavedInput): Promise<CardWithOverrides> {
  const read = readSavedCard(card, overrides ?? []);
  await lockMarkets(tx, read.overrides, 'overrides');
  return read;
}

/**
 * Creates a rate card. Throws `duplicate` if the code is taken, `market_not_found`, and `validation_error` with all problems of the rates.
 */
export const createRateCard = (
  ctx: Context,
  { code, name, ...card }: SavedInput & { readonly code: string; readonly name: string },
): Promise<RateCardRow> =>
  rateCardRows.create(ctx, async (tx) => ({ code, name, ...(await readCardIn(tx, card)) }));

/** Stores the rates of a card in the features of plans that refer to it. Locks the plans. */
async function renewFeatures(tx: Context, row: RateCardRow): Promise<void> {
  const { features } = await cardUsers(tx, row.id);
  for (const { planId, featureId } of features) {
    const plan = await planRows.lock(tx, planId, 'id');
    const attached = await requireAttached(tx, plan, featureId);
    const pool = poolOf({ type: attached.feature.type, settle: attached.row.settle }, plan);
    requireCardFits(row, ratedFeature(attached.feature, pool), null);
    await storeTerms(tx, plan, attached, { ...attached.row, ...referringTo(row) });
  }
}

/** Stores the rates of a card in the add-ons that refer to it. */
async function renewAddons(tx: Context, row: RateCardRow): Promise<void> {
  const { addonIds } = await cardUsers(tx, row.id);
  for (const id of addonIds) {
    const addon = await addonRows.lock(tx, id);
    const feature = await featureRows.lockId(tx, addon.featureId, 'id', 'SHARE');
    requireCardFits(row, ratedFeature(feature, addonPool(addon)), null);
    await changeAddon(tx, id, async () => referringTo(row));
  }
}

/** Rates to change. Fields that are `undefined` don't change. `null` removes a default or a limit. */
export type CardChanges = { readonly [Field in keyof SavedInput]?: SavedInput[Field] | undefined };

/** Returns the rates of a card with the changes applied. Overrides that aren't provided stay the same. */
const changedCard = ({ card, overrides }: RateCardRow, changes: CardChanges): SavedInput => ({
  cells: changes.cells ?? card.cells,
  default: changes.default === undefined ? card.default : changes.default,
  minimum: changes.minimum === undefined ? card.minimum : changes.minimum,
  maximum: changes.maximum === undefined ? card.maximum : changes.maximum,
  overrides: changes.overrides ?? overrides.map(({ rate, ...override }) => ({ ...override, ...rate })),
});

/** Returns the rates of a card with the changes applied. Throws `validation_error` with all problems. Doesn't check markets. */
export function changedRates(row: RateCardRow, changes: CardChanges): CardWithOverrides {
  const { overrides, ...card } = changedCard(row, changes);
  return readSavedCard(card, overrides ?? []);
}

/**
 * Changes the name or the rates of a rate card (PRM-6). New rates are a new version of the terms of all features that refer to
 * the card; in the current period, subscribers pay the cheaper of the cards (PRM-5). Does nothing if nothing changes. Throws
 * `not_found` if the card doesn't exist. Throws `validation_error` if the rates are invalid or don't fit a feature that
 * refers to the card.
 */
export const updateRateCard = (
  ctx: Context,
  { id, name, ...changes }: CardChanges & { readonly id: string; readonly name?: string | null | undefined },
): Promise<RateCardRow> =>
  rateCardRows.update(
    ctx,
    id,
    async (tx, row) => {
      const rates = await readCardIn(tx, changedCard(row, changes));
      const isChanged = rateCardRows.changed(row, rates) !== row;
      return { name, ...rates, version: isChanged ? row.version + 1 : row.version };
    },
    async (tx, row, before) => {
      if (row.version === before.version) return;
      await renewFeatures(tx, row);
      await renewAddons(tx, row);
      const subscribers = await countSubscribers(tx, row.id);
      await recordEvents(tx, [rateCardUpdated(row, subscribers, tx.clock.now())]);
    },
  );
