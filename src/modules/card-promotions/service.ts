import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { lockCardPromotionRow } from '../../infra/locks.ts';
import type { Row } from '../../infra/rows.ts';

export type CardPromotionRow = Row<'CardPromotion'>;

/** Throws `card_promotions_not_available` unless the organization may tie offers to cards (OFR-38). */
export function requireCardPromotions({ environment }: Context): void {
  if (environment.cardPromotions) return;
  throw new QuittanceError('card_promotions_not_available', 'The organization has no card promotions.');
}

/** The card promotion with this id that was not deleted. Throws `not_found`. */
export async function requireCardPromotion(context: Context, id: string): Promise<CardPromotionRow> {
  const promotion = await context.db.cardPromotion.findFirst({ where: { id, deletedAt: null } });
  if (promotion === null) throw new QuittanceError('not_found', 'No such card promotion.', { param: 'id' });
  return promotion;
}

/** Locks the card promotion until the transaction ends and answers it as it then is. Throws `not_found`. */
export async function requireLockedCardPromotion(context: Context, id: string): Promise<CardPromotionRow> {
  await lockCardPromotionRow(context.sql, id);
  return requireCardPromotion(context, id);
}
