import { amountsIn } from '../../lots/account.ts';
import { grantLot } from '../../lots/movements.ts';
import { assetOf, planPool, poolOfAsset } from '../../pricing/pools.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import { lotEvent } from '../../usage/event-data.ts';
import { applyRaise, moveAccount, raisedAccount } from '../allowances/allowance.ts';
import { planOf } from '../pricing/lookup.ts';
import { largestPool } from '../purchases/purchase-credits.ts';
import type { Decision } from '../state/aggregate.ts';
import { type OnSubscription, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { fieldRejection, statusRejection } from '../state/rejections.ts';

type Input = OnSubscription & {
  readonly lotId: string;
  /** Code of a custom unit, or the lowercase code of a currency. */
  readonly asset: string;
  /** Amount in pool units. Positive. */
  readonly amount: bigint;
  /** `null` selects the priority of granted lots. */
  readonly priority: number | null;
  readonly expiresAt: Date | null;
  /** IDs of the features whose usage can draw on the lot. Empty if all usage can. */
  readonly features: readonly string[];
  readonly description: string | null;
};

/** Maximum number of open lots for certain features in an account (PRM-144). */
const maxRestricted = 50;

/**
 * Grants a lot (PRM-142). Checks, in this order: the status, the asset, the end, the number of lots for certain
 * features, and the largest supported amount.
 */
export const lotGrant = subscriptionCommand({
  kind: 'lot.grant',
  ignoresUsage: true,
  decide(draft: Draft, subscription: SubscriptionRow, input: Input): Decision {
    const { lotId, asset, amount, priority, expiresAt, features, description } = input;
    const rejection = statusRejection('adjust', subscription);
    if (rejection !== null) return draft.reject(rejection);
    const kind = poolOfAsset(asset);
    const isUsed = planPool(planOf(draft, subscription), kind) !== null;
    if (!isUsed || asset !== assetOf(kind, subscription.currency))
      return draft.reject(fieldRejection('asset', "The subscription's plan doesn't use this asset."));
    if (expiresAt !== null && expiresAt <= draft.now)
      return draft.reject(fieldRejection('expiresAt', 'A lot must expire in the future.'));
    const raised = raisedAccount(draft, subscription);
    const restricted = raised.account.lots.filter((lot) => lot.features.length > 0);
    if (features.length > 0 && restricted.length >= maxRestricted)
      return draft.reject(
        fieldRejection(
          'features',
          `A subscription can have up to ${maxRestricted} lots for certain features.`,
        ),
      );
    const lot = { id: lotId, amount, priority, expiresAt, features, description };
    const granted = grantLot(raised.account, kind, lot);
    if (amountsIn(granted.account, kind).amount > largestPool)
      return draft.reject(
        fieldRejection('amount', 'The resulting balance would be outside the allowed range.'),
      );
    applyRaise(draft, subscription);
    moveAccount(draft, subscription, granted, { sourceId: lotId, description });
    const consumer = { customer: draft.customer, subscription };
    for (const row of granted.lots)
      if (row.id === lotId) draft.emit(lotEvent('lot.granted', consumer, row, amount));
    return draft.done('done', subscription.id);
  },
});
