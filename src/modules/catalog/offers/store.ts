import { QuittanceError } from '../../../domain/errors/errors.ts';
import { foldText } from '../../../domain/text/folding.ts';
import { containsText } from '../../../graphql/reading/search.ts';
import type { Condition } from '../../../platform/db/row-lists.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { resource } from '../../../request/resource.ts';

export type OfferRow = Row<'Offer'>;

/** Offers. Code that adds a reference to an offer takes a shared lock, which prevents the offer's deletion. */
export const offerRows = resource('Offer', {
  prefix: 'ofr',
  object: 'offer',
  notFound: (param) => new QuittanceError('offer_not_found', { param }),
  defaults: { active: true, metadata: {} },
  derive: ({ name }) => ({ searchText: foldText(name) }),
});

/** Removes an offer from prices and as the retention offer (OFR-5). */
export async function withdrawOffer({ db }: Context, { id }: OfferRow, updatedAt: Date): Promise<void> {
  await db.planPrice.update({
    where: { introductoryOfferId: id },
    data: { introductoryOfferId: null, updatedAt },
  });
  await db.retentionOffer.deleteMany({ where: { offerId: id } });
}

/** ID of the only `RetentionOffer` row in an environment. */
const current = 'current';

/** Returns the retention offer. `null` if no retention offer is set. */
export const findRetentionOffer = async (ctx: Context): Promise<OfferRow | null> => {
  const placed = await ctx.db.retentionOffer.findFirst({ where: { id: current } });
  return placed === null ? null : ctx.db.offer.findFirst({ where: { id: placed.offerId, deletedAt: null } });
};

/** Sets the retention offer, replacing the current offer. */
export async function putRetentionOffer({ sql, clock }: Context, offerId: string): Promise<void> {
  await sql(
    `INSERT INTO "RetentionOffer" AS t ("environmentId", id, "offerId", "createdAt") VALUES ($1, $2, $3, $4)
     ON CONFLICT ("environmentId", id) DO UPDATE SET "offerId" = EXCLUDED."offerId", "createdAt" = EXCLUDED."createdAt"
     WHERE t."offerId" <> EXCLUDED."offerId"`,
    [current, offerId, clock.now()],
  );
}

/** SQL condition: the offer's name contains the search text. Names aren't indexed, because an environment has few offers. */
export const isOfferWith = (table: string, text: string): Condition => containsText(table, text);

/** Subquery for the IDs of offers whose name contains the search text. */
export const offersWith =
  (text: string): Condition =>
  (bind) =>
    `SELECT o.id FROM "Offer" o WHERE o."environmentId" = $1 AND ${isOfferWith('o', text)(bind)}`;
