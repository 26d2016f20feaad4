import { builder } from '../../../../graphql/reading/builder.ts';
import {
  PortalAddonActivateInput,
  PortalAddonDeactivateInput,
  PortalBalanceTopUpInput,
  PortalCreditsPurchaseInput,
} from '../mutations/extras.ts';
import { PortalPaymentRetryInput } from '../mutations/payment.ts';
import { PortalPlanChangeInput, PortalScheduledChangeRevokeInput } from '../mutations/plan-change.ts';
import { PortalSeatsSetInput } from '../mutations/seats.ts';
import {
  PortalSubscriptionCancelInput,
  PortalSubscriptionReactivateInput,
  PortalSubscriptionUncancelInput,
} from '../mutations/subscription.ts';

/** Portal actions that can be previewed. Each member has the input type of its portal mutation. */
export const PortalActionInput = builder.inputType('PortalActionInput', {
  description:
    'Portal action to preview. Set exactly one field, with the input of the corresponding mutation.',
  isOneOf: true,
  fields: (t) => ({
    cancel: t.field({
      type: PortalSubscriptionCancelInput,
      description: 'Previews `portalSubscriptionCancel`.',
    }),
    uncancel: t.field({
      type: PortalSubscriptionUncancelInput,
      description: 'Previews `portalSubscriptionUncancel`.',
    }),
    planChange: t.field({ type: PortalPlanChangeInput, description: 'Previews `portalPlanChange`.' }),
    scheduledChangeRevoke: t.field({
      type: PortalScheduledChangeRevokeInput,
      description: 'Previews `portalScheduledChangeRevoke`.',
    }),
    paymentRetry: t.field({
      type: PortalPaymentRetryInput,
      description: 'Previews `portalPaymentRetry`.',
    }),
    reactivate: t.field({
      type: PortalSubscriptionReactivateInput,
      description: 'Previews `portalSubscriptionReactivate`.',
    }),
    creditsPurchase: t.field({
      type: PortalCreditsPurchaseInput,
      description: 'Previews `portalCreditsPurchase`.',
    }),
    balanceTopUp: t.field({
      type: PortalBalanceTopUpInput,
      description: 'Previews `portalBalanceTopUp`.',
    }),
    seatsSet: t.field({
      type: PortalSeatsSetInput,
      description: 'Previews `portalSeatsSet`.',
    }),
    addonActivate: t.field({
      type: PortalAddonActivateInput,
      description: 'Previews `portalAddonActivate`.',
    }),
    addonDeactivate: t.field({
      type: PortalAddonDeactivateInput,
      description: 'Previews `portalAddonDeactivate`.',
    }),
  }),
});

export type PortalAction = typeof PortalActionInput.$inferInput;
