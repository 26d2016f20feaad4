import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { lockMarketRow } from '../../infra/locks.ts';
import type { Row } from '../../infra/rows.ts';

export type MarketRow = Row<'Market'>;

/** The refusal for a market that does not exist or was deleted; `param` is the input that named it. */
export const marketNotFound = (param: string): QuittanceError => new QuittanceError('market_not_found', 'No such market.', { param });

/** The market with this id that was not deleted. Throws `market_not_found`. */
export async function requireMarket(context: Context, id: string, param = 'id'): Promise<MarketRow> {
  const market = await context.db.market.findFirst({ where: { id, deletedAt: null } });
  if (market === null) throw marketNotFound(param);
  return market;
}

/**
 * Locks the market until the transaction ends and answers it as it then is: shared by those who price it, exclusive for those who change or
 * delete it, so that no price refers to a market that is gone. Throws `market_not_found`.
 */
export async function requireLockedMarket(context: Context, id: string, mode: 'SHARE' | 'UPDATE', param = 'id'): Promise<MarketRow> {
  await lockMarketRow(context.sql, id, mode);
  return requireMarket(context, id, param);
}
