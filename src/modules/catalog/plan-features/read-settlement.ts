import { assetOf, invoiced, poolOfAsset } from '../../../domain/pricing/pools.ts';

/** Description of the input field for a settlement. */
export const settleText =
  "Settlement of a usage feature. A change applies to subscribers from their next period, and removes the rate if it's in another asset.";

/** Settlement of a feature in a request. Without a pool, the units are invoiced. */
type SettlementInput = { readonly pool?: string | null | undefined };

/** Returns the stored settlement. `undefined` if the request doesn't change it. */
function storedSettlement(input: SettlementInput | null | undefined): string | undefined {
  if (input === null || input === undefined) return undefined;
  return input.pool == null ? invoiced : poolOfAsset(input.pool);
}

/** Returns the asset of the pool in a stored settlement. `null` if the units are invoiced. */
export const settledAsset = (settle: string): string | null =>
  settle === invoiced ? null : assetOf(settle, 'usd');

/** Replaces the settlement of a request with the stored form. */
export const withStoredSettlement = <T extends { readonly settle?: SettlementInput | null | undefined }>({
  settle,
  ...input
}: T): Omit<T, 'settle'> & { readonly settle: string | undefined } => ({
  ...input,
  settle: storedSettlement(settle),
});
