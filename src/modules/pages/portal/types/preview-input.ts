import { builder } from '../../../../graphql/reading/builder.ts';
import type { PortalAction } from '../derive-action.ts';
import {
  addonActivateAction,
  addonDeactivateAction,
  balanceTopUpAction,
  creditsPurchaseAction,
} from '../mutations/extras.ts';
import { PortalPaymentRetryInput } from '../mutations/payment.ts';
import { planChangeAction, scheduledChangeRevokeAction } from '../mutations/plan-change.ts';
import { seatsSetAction } from '../mutations/seats.ts';
import { cancelAction, reactivateAction, uncancelAction } from '../mutations/subscription.ts';
import { retryCommand } from '../pay.ts';

/** Portal actions that can be previewed. Each field has the input type of the corresponding portal mutation. */
export const PortalActionInput = builder.inputType('PortalActionInput', {
  description:
    'Portal action to preview. Set exactly one field, with the input of the corresponding mutation.',
  isOneOf: true,
  fields: (t) => ({
    cancel: t.field({
      type: cancelAction.input,
      description: 'Previews the `portalSubscriptionCancel` mutation.',
    }),
    uncancel: t.field({
      type: uncancelAction.input,
      description: 'Previews the `portalSubscriptionUncancel` mutation.',
    }),
    planChange: t.field({
      type: planChangeAction.input,
      description: 'Previews the `portalPlanChange` mutation.',
    }),
    scheduledChangeRevoke: t.field({
      type: scheduledChangeRevokeAction.input,
      description: 'Previews the `portalScheduledChangeRevoke` mutation.',
    }),
    paymentRetry: t.field({
      type: PortalPaymentRetryInput,
      description: 'Previews the `portalPaymentRetry` mutation.',
    }),
    reactivate: t.field({
      type: reactivateAction.input,
      description: 'Previews the `portalSubscriptionReactivate` mutation.',
    }),
    creditsPurchase: t.field({
      type: creditsPurchaseAction.input,
      description: 'Previews the `portalCreditsPurchase` mutation.',
    }),
    balanceTopUp: t.field({
      type: balanceTopUpAction.input,
      description: 'Previews the `portalBalanceTopUp` mutation.',
    }),
    seatsSet: t.field({ type: seatsSetAction.input, description: 'Previews the `portalSeatsSet` mutation.' }),
    addonActivate: t.field({
      type: addonActivateAction.input,
      description: 'Previews the `portalAddonActivate` mutation.',
    }),
    addonDeactivate: t.field({
      type: addonDeactivateAction.input,
      description: 'Previews the `portalAddonDeactivate` mutation.',
    }),
  }),
});

/** Action to preview. Exactly one field is set. */
export type ChosenAction = typeof PortalActionInput.$inferInput;

/** Inputs of the actions that can be previewed. */
export type ActionInputs = { [K in keyof ChosenAction]-?: NonNullable<ChosenAction[K]> };

/** Actions that can be previewed, by their field in the input. */
export const actions: { readonly [K in keyof ActionInputs]: PortalAction<ActionInputs[K]> } = {
  cancel: cancelAction,
  uncancel: uncancelAction,
  planChange: planChangeAction,
  scheduledChangeRevoke: scheduledChangeRevokeAction,
  paymentRetry: { commandFor: async (_ctx, subscription) => retryCommand(subscription) },
  reactivate: reactivateAction,
  creditsPurchase: creditsPurchaseAction,
  balanceTopUp: balanceTopUpAction,
  seatsSet: seatsSetAction,
  addonActivate: addonActivateAction,
  addonDeactivate: addonDeactivateAction,
};
