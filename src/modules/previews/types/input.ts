import { builder } from '../../../graphql/builder.ts';
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
import { TransactionRefundInput } from '../../transactions/mutations.ts';

const SubscriptionRenewalInput = builder.inputType('SubscriptionRenewalInput', {
  description: 'A subscription whose period or trial ends automatically.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Id of the subscription.' }) }),
});

/** What can be previewed: one member per call, with the input of that call. */
export const SubscriptionPreviewInput = builder.inputType('SubscriptionPreviewInput', {
  description:
    'What to preview: exactly one of the members, each with the input of the call it is named after.',
  isOneOf: true,
  fields: (t) => ({
    create: t.field({ type: SubscriptionCreateInput, description: 'What `subscriptionCreate` would do.' }),
    cancel: t.field({ type: SubscriptionCancelInput, description: 'What `subscriptionCancel` would do.' }),
    uncancel: t.field({
      type: SubscriptionUncancelInput,
      description: 'What `subscriptionUncancel` would do.',
    }),
    changePlan: t.field({
      type: SubscriptionChangePlanInput,
      description: 'What `subscriptionChangePlan` would do.',
    }),
    scheduledChangeRevoke: t.field({
      type: SubscriptionScheduledChangeRevokeInput,
      description: 'What `subscriptionScheduledChangeRevoke` would do.',
    }),
    reactivate: t.field({
      type: SubscriptionReactivateInput,
      description: 'What `subscriptionReactivate` would do.',
    }),
    offerApply: t.field({
      type: SubscriptionOfferApplyInput,
      description: 'What `subscriptionOfferApply` would do.',
    }),
    offerRemove: t.field({
      type: SubscriptionOfferRemoveInput,
      description: 'What `subscriptionOfferRemove` would do.',
    }),
    creditsPurchase: t.field({
      type: SubscriptionCreditsPurchaseInput,
      description: 'What `subscriptionCreditsPurchase` would do.',
    }),
    balanceTopUp: t.field({
      type: SubscriptionBalanceTopUpInput,
      description: 'What `subscriptionBalanceTopUp` would do.',
    }),
    addonActivate: t.field({
      type: SubscriptionAddonActivateInput,
      description: 'What `subscriptionAddonActivate` would do.',
    }),
    addonDeactivate: t.field({
      type: SubscriptionAddonDeactivateInput,
      description: 'What `subscriptionAddonDeactivate` would do.',
    }),
    transactionRefund: t.field({
      type: TransactionRefundInput,
      description: 'What `transactionRefund` would do, as far as it changes the subscription.',
    }),
    renewal: t.field({
      type: SubscriptionRenewalInput,
      description:
        'What the next end of its period, trial or, without a renewal, window will do, after all that falls due before.',
    }),
  }),
});

/** What a caller asked to preview. */
export type PreviewInput = typeof SubscriptionPreviewInput.$inferInput;
