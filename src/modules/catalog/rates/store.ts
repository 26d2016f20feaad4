import { specificError } from '../../../domain/errors/errors.ts';
import type { CardDocument, RateOverride } from '../../../domain/rates/card.ts';
import { accessStatuses } from '../../../domain/subscription/state/transitions.ts';
import { searchTextOf } from '../../../domain/text/folding.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { resource } from '../../../request/resource.ts';

export type RateCardRow = Row<'RateCard'>;

/** Rate cards. Requests identify a rate card by ID or code. */
export const rateCardRows = resource('RateCard', {
  prefix: 'rcd',
  object: 'rate_card',
  notFound: (param) => specificError('not_found', 'rate_card', { param }),
  references: ['id', 'code'],
  unique: { code: () => specificError('duplicate', 'rate_card_code', { param: 'code' }) },
  defaults: { version: 1, overrides: [] },
  derive: ({ name, code }) => ({ searchText: searchTextOf(name, code) }),
});

/** Returns the rates of a card with the reference to the card and its overrides, as plan features and add-ons store them. */
export const referringTo = ({
  id,
  card,
  overrides,
}: RateCardRow): { readonly rate: CardDocument; readonly overrides: readonly RateOverride[] } => ({
  rate: { ...card, rateCardId: id },
  overrides,
});

/** Feature of a plan, or add-on, that refers to a card. */
export type CardUser = { readonly planId: string; readonly featureId: string };

/** Returns the features of plans that refer to a card, and the IDs of the add-ons that do, in order of creation. */
export async function cardUsers(
  tx: Context,
  rateCardId: string,
): Promise<{ readonly features: readonly CardUser[]; readonly addonIds: readonly string[] }> {
  const features = await tx.sql<CardUser>(
    `SELECT f."planId", f."featureId" FROM "PlanFeature" f JOIN "Plan" p ON p."environmentId" = $1 AND p.id = f."planId"
     WHERE f."environmentId" = $1 AND f.rate->>'rateCardId' = $2 AND p."deletedAt" IS NULL ORDER BY p.seq, f.seq`,
    [rateCardId],
  );
  const addons = await tx.sql<{ readonly id: string }>(
    `SELECT id FROM "Addon" WHERE "environmentId" = $1 AND rate->>'rateCardId' = $2 AND "deletedAt" IS NULL ORDER BY seq`,
    [rateCardId],
  );
  return { features, addonIds: addons.map(({ id }) => id) };
}

/** Maximum number of subscribers to count. */
const maxSubscribers = 10_000;

/** Returns the number of subscriptions that give access and whose plan or active add-on refers to a card, up to 10,000. */
export async function countSubscribers(tx: Context, rateCardId: string): Promise<number> {
  const { features, addonIds } = await cardUsers(tx, rateCardId);
  const [row] = await tx.sql<{ readonly count: number }>(
    `SELECT count(*)::int AS count FROM (SELECT FROM "Subscription" t
       WHERE t."environmentId" = $1 AND t.status::text = ANY($2) AND (t."planId" = ANY($3) OR t.id IN (
         SELECT a."subscriptionId" FROM "AddonActivation" a WHERE a."environmentId" = $1 AND a."addonId" = ANY($4) AND a.status = 'active'))
       LIMIT ${maxSubscribers}) AS concerned`,
    [accessStatuses, features.map(({ planId }) => planId), addonIds],
  );
  return row?.count ?? 0;
}

/** Throws `price_in_use` if a feature of a plan or an add-on refers to a card. */
export async function rejectUsedCard(tx: Context, { id }: RateCardRow): Promise<void> {
  const { features, addonIds } = await cardUsers(tx, id);
  if (features.length + addonIds.length > 0)
    throw specificError('price_in_use', 'rate_card', { param: 'id' });
}
