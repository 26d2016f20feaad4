import type { Rejection } from '../../errors/errors.ts';
import { amountOf } from '../../lots/account.ts';
import { minorPerUnit, rateScale } from '../../money/money.ts';
import { assetOf, planPool, poolOfAsset, poolsOf } from '../../pricing/pools.ts';
import type { CommitmentEnd, CommitmentUse } from '../../rows/purchase-rows.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import { raisedAccount } from '../allowances/allowance.ts';
import { planOf } from '../pricing/lookup.ts';
import { commitmentBought } from '../purchases/commitments.ts';
import { buy } from '../purchases/purchase.ts';
import { largestPool } from '../purchases/purchase-credits.ts';
import type { Decision } from '../state/aggregate.ts';
import { type OnSubscription, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { fieldRejection, statusRejection } from '../state/rejections.ts';

type Input = OnSubscription & {
  /** Price before tax, in minor units of the subscription's currency. Positive. */
  readonly priceMinor: bigint;
  /** Amount that can be used, in pool units. Positive. */
  readonly amount: bigint;
  /** `null` selects the plan's first pool, or the subscription's currency if the plan has no pool. */
  readonly asset: string | null;
  /** `null` selects `usage` if the plan has a pool of the asset, and `usage_lines` otherwise. */
  readonly appliesTo: CommitmentUse | null;
  readonly validMonths: number;
  readonly atEnd: CommitmentEnd;
  readonly autoRenew: boolean;
  readonly description: string | null;
};

/** Maximum number of open commitments of a subscription. */
const maxCommitments = 50;

/** Returns the rejection of an amount that usage lines can't draw on. `null` if they can. */
function linesRejection(
  draft: Draft,
  subscription: SubscriptionRow,
  asset: string,
  amount: bigint,
): Rejection | null {
  const { currency } = subscription;
  if (poolsOf(planOf(draft, subscription)).length > 0)
    return fieldRejection('appliesTo', 'Only commitments on metered plans can pay usage lines of invoices.');
  if (asset !== currency)
    return fieldRejection(
      'asset',
      `The commitment must be in the currency of the subscription: ${currency}.`,
    );
  const minorUnit = rateScale / minorPerUnit(currency);
  return amount % minorUnit === 0n
    ? null
    : fieldRejection(
        'grant',
        `The amount must be a multiple of ${minorUnit}, the smallest amount of an invoice.`,
      );
}

/**
 * Purchases a prepaid commitment (PRM-24). Checks, in this order: the status, the asset and its use, the number of open
 * commitments, the largest supported amount, and the checks of `buy`.
 */
export const commitmentPurchase = subscriptionCommand({
  kind: 'commitment.purchase',
  decide(draft: Draft, subscription: SubscriptionRow, input: Input): Decision {
    const { priceMinor, amount, validMonths, atEnd, autoRenew, description } = input;
    const rejection = statusRejection('purchase', subscription);
    if (rejection !== null) return draft.reject(rejection);
    const plan = planOf(draft, subscription);
    const first = poolsOf(plan)[0]?.pool;
    const { currency } = subscription;
    const asset = input.asset ?? (first === undefined ? currency : assetOf(first, currency));
    const pool = poolOfAsset(asset);
    const isPooled = planPool(plan, pool) !== null && asset === assetOf(pool, currency);
    const hasPools = first !== undefined;
    const appliesTo = input.appliesTo ?? (hasPools ? 'usage' : 'usage_lines');
    if (appliesTo === 'usage' && !isPooled)
      return draft.reject(fieldRejection('asset', "The subscription's plan doesn't use this asset."));
    const lines = appliesTo === 'usage' ? null : linesRejection(draft, subscription, asset, amount);
    if (lines !== null) return draft.reject(lines);
    const { account } = raisedAccount(draft, subscription);
    const open = account.lots.filter(({ commitment }) => commitment !== null);
    if (open.length >= maxCommitments)
      return draft.reject(
        fieldRejection('subscriptionId', `A subscription can have up to ${maxCommitments} open commitments.`),
      );
    const held = open.reduce((sum, lot) => (lot.asset === asset ? sum + lot.remaining : sum), 0n);
    if (amountOf(account, pool) + held + amount > largestPool)
      return draft.reject(
        fieldRejection('grant', 'The resulting balance would be outside the allowed range.'),
      );
    return buy(
      draft,
      subscription,
      commitmentBought({
        appliesTo,
        price: Number(priceMinor),
        validMonths,
        atEnd,
        autoRenew,
        asset,
        amount: String(amount),
        description,
      }),
    );
  },
});
