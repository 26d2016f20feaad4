import { balanceAlert, creditsAlert, type PoolAlert } from '../consumption/alerts.ts';
import { creditsGranted, poolAlertEvents } from '../consumption/event-data.ts';
import { adjustBalance, adjustCredits, creditsOf } from '../consumption/pools.ts';
import type { ConsumptionAccountRow } from '../consumption/rows.ts';
import { isBlocking } from '../consumption/terms.ts';
import type { Refusal } from '../errors.ts';
import type { AdjustBalanceCommand, Decision, PoolKind } from './aggregate.ts';
import { moveAccount, raisedAccount } from './allowance.ts';
import { planOf } from './lookup.ts';
import { largestPool } from './purchase-credits.ts';
import { fieldRefusal, statusRefusal } from './refusals.ts';
import type { SubscriptionRow } from './rows.ts';
import type { Work } from './work.ts';

/** The pool of the plan, or the refusal of another one and of a plan without. */
function poolOf(work: Work, subscription: SubscriptionRow, asked: PoolKind | null): PoolKind | Refusal {
  const { consumptionModel } = planOf(work, subscription);
  if (consumptionModel === 'metered') return fieldRefusal('type', 'A metered plan has neither credits nor a balance.');
  if (asked === null || asked === consumptionModel) return consumptionModel;
  return fieldRefusal('type', `A ${consumptionModel} plan has no ${asked === 'credits' ? 'credits' : 'balance'}.`);
}

const isCountable = (account: ConsumptionAccountRow): boolean =>
  creditsOf(account) <= largestPool && account.balanceRate <= largestPool && account.balanceRate >= -largestPool;

/**
 * Corrects credits or balance by hand, without a charge (CON-21, CON-26). Refuses the status, a pool the plan does not have, what would go
 * below 0 where that is not possible, and what could not be counted; nothing has changed then. Tells of added credits, and of a pool that
 * runs low or out.
 */
export function adjustPool(work: Work, subscription: SubscriptionRow, { pool, amount, reason }: AdjustBalanceCommand): Decision {
  const refusal = statusRefusal('adjust', subscription);
  if (refusal !== null) return work.refuse(refusal);
  const kind = poolOf(work, subscription, pool);
  if (typeof kind === 'object') return work.refuse(kind);
  const raised = raisedAccount(work, subscription);
  const isBlocked = isBlocking({ plan: planOf(work, subscription), subscription });
  const moved = kind === 'credits' ? adjustCredits(raised.account, amount) : adjustBalance(raised.account, amount, isBlocked);
  if ('code' in moved) return work.refuse(moved);
  if (!isCountable(moved.account)) return work.refuse(fieldRefusal('amount', 'The result would be larger than can be counted.'));
  moveAccount(work, subscription, raised, { sourceId: null, description: null });
  const alert = amount > 0n ? null : lossAlert(kind, raised.account, moved.account);
  const account = alert === 'credits.low' ? { ...moved.account, isLowSent: true } : moved.account;
  moveAccount(work, subscription, { ...moved, account }, { sourceId: null, description: reason });
  const consumer = { customer: work.customer, subscription };
  if (kind === 'credits' && amount > 0n) work.emit(creditsGranted(consumer, amount, 'manual_adjustment'));
  if (alert !== null) for (const event of poolAlertEvents(alert, consumer, account)) work.emit(event);
  return work.done('done', subscription.id);
}

const lossAlert = (kind: PoolKind, before: ConsumptionAccountRow, after: ConsumptionAccountRow): PoolAlert | null =>
  kind === 'credits' ? creditsAlert(before, after) : balanceAlert(before, after);
