import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { lockPromoCodeRow } from '../../infra/locks.ts';
import type { Row } from '../../infra/rows.ts';

export type PromoCodeRow = Row<'PromoCode'>;

/** The plans a stored code is for: this area is the only writer of the column, and writes nothing else. */
export const planIdsOf = ({ planIds }: Pick<PromoCodeRow, 'planIds'>): readonly string[] => planIds as readonly string[];

/** The promo code with this id. Throws `promo_code_not_found`. */
export async function requirePromoCode(context: Context, id: string): Promise<PromoCodeRow> {
  const code = await context.db.promoCode.findFirst({ where: { id } });
  if (code === null) throw new QuittanceError('promo_code_not_found', 'No such promo code.', { param: 'id' });
  return code;
}

/** Locks the promo code until the transaction ends, so that no redemption overtakes, and answers it as it then is. Throws `promo_code_not_found`. */
export async function requireLockedPromoCode(context: Context, id: string): Promise<PromoCodeRow> {
  await lockPromoCodeRow(context.sql, id);
  return requirePromoCode(context, id);
}
