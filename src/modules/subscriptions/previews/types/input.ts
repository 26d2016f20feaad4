import { builder } from '../../../../graphql/reading/builder.ts';
import { TransactionRefundInput } from '../../../payments/transactions/mutations.ts';
import {
  SubscriptionAddonActivateInput,
  SubscriptionAddonDeactivateInput,
} from '../../active-addons/mutations.ts';
import {
  SubscriptionChangePlanInput,
  SubscriptionScheduledChangeRevokeInput,
} from '../../plan-changes/mutations.ts';
import {
  SubscriptionBalanceTopUpInput,
  SubscriptionCreditsPurchaseInput,
} from '../../purchases/mutations.ts';
import { SubscriptionReactivateInput } from '../../recovery-links/mutations.ts';
import {
  SubscriptionCancelInput,
  SubscriptionCreateInput,
  SubscriptionOfferApplyInput,
  SubscriptionOfferRemoveInput,
  SubscriptionUncancelInput,
} from '../../subscriptions/mutations.ts';

const SubscriptionRenewalInput = builder.inputType('SubscriptionRenewalInput', {
  description: 'Parameters for previewing the end of a period or trial.',
  fields: (t) => ({ id: t.id({ required: true, description: 'ID of the subscription.' }) }),
});

/** Mutations that can be previewed. Each field has the input type of its mutation. */
export const SubscriptionPreviewInput = builder.inputType('SubscriptionPreviewInput', {
  description:
    "Parameters for previewing a mutation. Set exactly one field. Each field has the input type of the mutation that it's named after.",
  isOneOf: true,
  fields: (t) => ({
    create: t.field({ type: SubscriptionCreateInput, description: 'Previews `subscriptionCreate`.' }),
    cancel: t.field({ type: SubscriptionCancelInput, description: 'Previews `subscriptionCancel`.' }),
    uncancel: t.field({
      type: SubscriptionUncancelInput,
      description: 'Previews `subscriptionUncancel`.',
    }),
    changePlan: t.field({
      type: SubscriptionChangePlanInput,
      description: 'Previews `subscriptionChangePlan`.',
    }),
    scheduledChangeRevoke: t.field({
      type: SubscriptionScheduledChangeRevokeInput,
      description: 'Previews `subscriptionScheduledChangeRevoke`.',
    }),
    reactivate: t.field({
      type: SubscriptionReactivateInput,
      description: 'Previews `subscriptionReactivate`.',
    }),
    offerApply: t.field({
      type: SubscriptionOfferApplyInput,
      description: 'Previews `subscriptionOfferApply`.',
    }),
    offerRemove: t.field({
      type: SubscriptionOfferRemoveInput,
      description: 'Previews `subscriptionOfferRemove`.',
    }),
    creditsPurchase: t.field({
      type: SubscriptionCreditsPurchaseInput,
      description: 'Previews `subscriptionCreditsPurchase`.',
    }),
    balanceTopUp: t.field({
      type: SubscriptionBalanceTopUpInput,
      description: 'Previews `subscriptionBalanceTopUp`.',
    }),
    addonActivate: t.field({
      type: SubscriptionAddonActivateInput,
      description: 'Previews `subscriptionAddonActivate`.',
    }),
    addonDeactivate: t.field({
      type: SubscriptionAddonDeactivateInput,
      description: 'Previews `subscriptionAddonDeactivate`.',
    }),
    transactionRefund: t.field({
      type: TransactionRefundInput,
      description: 'Previews the effects of `transactionRefund` on the subscription.',
    }),
    renewal: t.field({
      type: SubscriptionRenewalInput,
      description:
        "Previews the next end of the billing period or trial, after all earlier deadlines have run. If the subscription doesn't renew, previews the next end of the usage window.",
    }),
  }),
});

export type PreviewInput = typeof SubscriptionPreviewInput.$inferInput;
