import type { ApprovalTerms } from '../limits/usage-approval.ts';
import { accountWith, lotContext } from '../lots/account.ts';
import { grantRaise, type Included } from '../lots/movements.ts';
import { noLots, type OpenLots } from '../lots/open-lots.ts';
import type { Movement } from '../lots/posting.ts';
import type { Catalog, PlanRow } from '../pricing/catalog.ts';
import { lastingValues } from '../pricing/lasting.ts';
import { type PlanPool, type Pool, poolsOf } from '../pricing/pools.ts';
import { rolloverEnds } from '../pricing/rollover.ts';
import type { ConsumingSubscription, ConsumptionAccountRow } from '../rows/usage-rows.ts';
import { heldIncluded } from './included.ts';

/** Rows and tools from which the account of a usage event is created. */
export type AccountDetails = {
  readonly now: Date;
  readonly newId: (prefix: string) => string;
  /** Returns the hash of a value that a meter counts. */
  readonly hash: (value: string) => string;
  /** Returns the preview hash and the deadline of the approval with an ID. */
  readonly approvalTerms: (id: string) => ApprovalTerms;
  readonly catalog: Catalog;
  /** Accounts by subscription ID. */
  readonly accounts: ReadonlyMap<string, ConsumptionAccountRow>;
  /** Open lots by subscription ID. */
  readonly lots: ReadonlyMap<string, OpenLots>;
};

/** Pools of a plan, with the ends of their rollovers and the amounts that the subscription's price includes. */
const lastingPools = lastingValues<
  PlanRow,
  {
    readonly ends: ReadonlyMap<Pool, Date | null>;
    readonly pools: readonly PlanPool[];
    readonly included: Included;
  }
>();

/**
 * Returns the account of a subscription with the amounts that were added to the plan after the window opened
 * (CAT-49). The movement has entries if amounts were added.
 */
export function usageAccount(
  { now, newId, catalog, accounts, lots }: AccountDetails,
  subscription: ConsumingSubscription,
  plan: PlanRow,
): Movement {
  const row = accounts.get(subscription.id);
  if (row === undefined) throw new Error(`The subscription ${subscription.id} has no account.`);
  const { ends, pools, included } = lastingPools(catalog, subscription, plan, now, () => ({
    ends: rolloverEnds(plan, subscription),
    pools: poolsOf(plan),
    included: heldIncluded(catalog, subscription, now),
  }));
  const context = lotContext(subscription, { now, newId }, ends);
  const { lots: open, unloaded } = lots.get(row.id) ?? noLots;
  const account = accountWith(row, open, context, unloaded);
  return grantRaise(account, pools, included);
}
