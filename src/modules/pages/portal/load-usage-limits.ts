import { isBlocking, type Tried } from '../../../domain/limits/admission.ts';
import type { NodeLimit } from '../../../domain/limits/entry.ts';
import { type PortalNodeLimit, portalNodeLimit } from '../../../domain/limits/portal-entry.ts';
import { signedDecimal } from '../../../domain/rates/decimal.ts';
import { compare, plus } from '../../../domain/rates/exact.ts';
import type { Context } from '../../../request/context.ts';
import { loadTried } from '../../usage/limits/load-states.ts';
import { loadPortal } from './store.ts';

/** Limit as the portal shows it. The organization's limits have figures only if they name the channel `portal`. */
export type PortalLimitShape = PortalNodeLimit & {
  /** True if a limit of the organization on the same number has a lower amount. */
  readonly isMerchantLower: boolean;
};

/** Limits of the portal's customer. */
export type UsageLimits = { readonly customerId: string; readonly limits: readonly PortalLimitShape[] };

const isOwn = ({ setBy }: NodeLimit): boolean => setBy === 'customer';

/** True if usage above a limit is rejected. */
const isBounding = (limit: NodeLimit): boolean => isBlocking(limit) && limit.amount !== null;

const mostOf = ({ amount, raise }: NodeLimit) => plus(signedDecimal(amount ?? '0'), signedDecimal(raise));

/** True if two limits bound the same number of a node, in windows of the same kind. */
const isAlike = (a: NodeLimit, b: NodeLimit): boolean =>
  a.nodeId === b.nodeId && a.measure === b.measure && a.unit === b.unit && a.window.kind === b.window.kind;

/**
 * Returns the limits that a customer sees in the portal: the customer's own limits, and the limits of the organization that reject usage or
 * name the channel `portal`.
 */
export function shownLimits(tried: readonly Tried[]): PortalLimitShape[] {
  const limits = tried.map(portalNodeLimit);
  return limits
    .filter((limit) => limit.isInPortal || isBounding(limit))
    .map((limit) => ({
      ...limit,
      isMerchantLower:
        isOwn(limit) &&
        isBounding(limit) &&
        limits.some(
          (other) =>
            !isOwn(other) &&
            isBounding(other) &&
            isAlike(limit, other) &&
            compare(mostOf(other), mostOf(limit)) < 0,
        ),
    }));
}

/** Returns the limits of the portal's customer. Empty if the customer has no subscription that gives access. */
export async function loadUsageLimits(ctx: Context): Promise<UsageLimits> {
  const { customer } = await loadPortal(ctx);
  const limits = await loadTried(ctx, { customerId: customer.id, budget: null });
  return { customerId: customer.id, limits: shownLimits(limits) };
}
