import type { CheckoutSettings, FieldMode } from '../../../domain/pages/page-settings.ts';
import type { BillingInterval } from '../../../domain/rows/enums.ts';

/** Returns whether to request the billing address. Required if no address is known and tax or the organization's settings require it. */
export function addressModeOf(
  { addressMode }: Pick<CheckoutSettings, 'addressMode'>,
  { hasAddress, isCountryNeeded }: { readonly hasAddress: boolean; readonly isCountryNeeded: boolean },
): FieldMode {
  if (isCountryNeeded || (addressMode === 'always' && !hasAddress)) return 'required';
  return addressMode === 'never' ? 'hidden' : 'optional';
}

type Offered = {
  readonly row: { readonly enabled: boolean; readonly overageEnabled: boolean; readonly unlimited: boolean };
  readonly feature: { readonly type: string };
};

/** Returns the charges that the payer agrees to. Includes later usage charges if the plan has overage. */
export function mandateOf(
  { billingInterval }: { readonly billingInterval: BillingInterval | null },
  { consumptionModel }: { readonly consumptionModel: string | null },
  features: readonly Offered[],
): 'once' | 'recurring' | 'recurring_with_usage' {
  const sellsMore = features.some(
    ({ row, feature }) => feature.type !== 'boolean' && row.enabled && row.overageEnabled && !row.unlimited,
  );
  if (sellsMore && consumptionModel === 'metered') return 'recurring_with_usage';
  return billingInterval === 'one_time' ? 'once' : 'recurring';
}
