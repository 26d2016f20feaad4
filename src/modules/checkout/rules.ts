import type { BillingInterval } from '../../domain/enums.ts';
import type { CheckoutSettings, FieldMode } from '../../domain/page-settings.ts';

/** Whether the billing address is asked for: needed where tax or the seller wants one and none is known. */
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

/** What the payer agrees to: charges of usage come later where the plan sells more than it includes. */
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
