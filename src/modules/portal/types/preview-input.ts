import { builder } from '../../../graphql/builder.ts';
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

/** What can be previewed: one member per mutation of the portal, with its input. */
export const PortalActionInput = builder.inputType('PortalActionInput', {
  description:
    'What a customer is about to do: exactly one of the members, each with the input of the mutation it is named after.',
  isOneOf: true,
  fields: (t) => ({
    cancel: t.field({
      type: PortalSubscriptionCancelInput,
      description: 'What `portalSubscriptionCancel` would do.',
    }),
    uncancel: t.field({
      type: PortalSubscriptionUncancelInput,
      description: 'What `portalSubscriptionUncancel` would do.',
    }),
    planChange: t.field({ type: PortalPlanChangeInput, description: 'What `portalPlanChange` would do.' }),
    scheduledChangeRevoke: t.field({
      type: PortalScheduledChangeRevokeInput,
      description: 'What `portalScheduledChangeRevoke` would do.',
    }),
    paymentRetry: t.field({
      type: PortalPaymentRetryInput,
      description: 'What `portalPaymentRetry` would do.',
    }),
    reactivate: t.field({
      type: PortalSubscriptionReactivateInput,
      description: 'What `portalSubscriptionReactivate` would do.',
    }),
    creditsPurchase: t.field({
      type: PortalCreditsPurchaseInput,
      description: 'What `portalCreditsPurchase` would do.',
    }),
    balanceTopUp: t.field({
      type: PortalBalanceTopUpInput,
      description: 'What `portalBalanceTopUp` would do.',
    }),
    seatsSet: t.field({
      type: PortalSeatsSetInput,
      description: 'What `portalSeatsSet` would do.',
    }),
    addonActivate: t.field({
      type: PortalAddonActivateInput,
      description: 'What `portalAddonActivate` would do.',
    }),
    addonDeactivate: t.field({
      type: PortalAddonDeactivateInput,
      description: 'What `portalAddonDeactivate` would do.',
    }),
  }),
});

/** What a customer is about to do. */
export type PortalAction = typeof PortalActionInput.$inferInput;
