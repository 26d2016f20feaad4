import type { FieldProblem } from '../../../domain/errors/errors.ts';
import { rateCardUpdated } from '../../../domain/events/catalog-events.ts';
import { meterOfVersion } from '../../../domain/meters/meter.ts';
import { poolOf } from '../../../domain/pricing/pools.ts';
import type { CardInput } from '../../../domain/rates/read-card.ts';
import type { Context } from '../../../request/context.ts';
import { recordEvents } from '../../../request/transaction.ts';
import { poolOf as addonPoolOf } from '../add-ons/rules.ts';
import { addonRows, changeAddon } from '../add-ons/store.ts';
import { featureRows } from '../features/store.ts';
import { planRows } from '../plans/store.ts';
import { readCardInput, requireCardFits } from '../rates/read-feature-rate.ts';
import { cardUsers, type RateCardRow, rateCardRows, referringTo } from '../rates/store.ts';
import { requireAttached, storeTerms } from './attach.ts';

const inInput = (problems: readonly FieldProblem[]): readonly FieldProblem[] => problems;

/** Creates a rate card. Throws `duplicate` if the code is taken, and `validation_error` with all problems of the rates. */
export const createRateCard = (
  ctx: Context,
  { code, name, ...card }: CardInput & { readonly code: string; readonly name: string },
): Promise<RateCardRow> => rateCardRows.create(ctx, { code, name, card: readCardInput(card, inInput) });

/** Stores the rates of a card in the features of plans that refer to it. Locks the plans. */
async function renewFeatures(tx: Context, row: RateCardRow): Promise<void> {
  const { features } = await cardUsers(tx, row.id);
  for (const { planId, featureId } of features) {
    const plan = await planRows.lock(tx, planId, 'id');
    const attached = await requireAttached(tx, plan, featureId);
    const latest = attached.feature.meters.at(-1);
    const use = {
      pool: poolOf({ type: attached.feature.type, settle: attached.row.settle }, plan),
      meter: latest === undefined ? null : meterOfVersion(latest),
    };
    requireCardFits(row.card, use, null);
    await storeTerms(tx, plan, attached, { ...attached.row, rate: referringTo(row) });
  }
}

/** Stores the rates of a card in the add-ons that refer to it. */
async function renewAddons(tx: Context, row: RateCardRow): Promise<void> {
  const { addonIds } = await cardUsers(tx, row.id);
  for (const id of addonIds) {
    const addon = await addonRows.lock(tx, id);
    const feature = await featureRows.lockId(tx, addon.featureId, 'id', 'SHARE');
    const latest = feature.meters.at(-1);
    const meter = latest === undefined ? null : meterOfVersion(latest);
    if (addon.consumptionModel === 'boolean') continue;
    requireCardFits(row.card, { pool: addonPoolOf(addon.consumptionModel), meter }, null);
    await changeAddon(tx, id, async () => ({ rate: referringTo(row) }));
  }
}

/** Rates to change. Fields that are `undefined` don't change. `null` removes a default or a limit. */
type CardChanges = { readonly [Field in keyof CardInput]?: CardInput[Field] | undefined };

/** Returns the rates of a card with the changes applied. */
const changedCard = ({ card }: RateCardRow, changes: CardChanges): CardInput => ({
  cells: changes.cells ?? card.cells,
  default: changes.default === undefined ? card.default : changes.default,
  minimum: changes.minimum === undefined ? card.minimum : changes.minimum,
  maximum: changes.maximum === undefined ? card.maximum : changes.maximum,
});

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
    async (_tx, row) => {
      const card = readCardInput(changedCard(row, changes), inInput);
      const isChanged = rateCardRows.changed(row, { card }) !== row;
      return { name, card, version: isChanged ? row.version + 1 : row.version };
    },
    async (tx, row, before) => {
      if (row.version === before.version) return;
      await renewFeatures(tx, row);
      await renewAddons(tx, row);
      await recordEvents(tx, [rateCardUpdated(row, tx.clock.now())]);
    },
  );
