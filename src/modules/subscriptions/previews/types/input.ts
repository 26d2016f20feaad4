import type { Operation } from '../../../../engine/operation.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { invoiceCreate } from '../../../invoices/invoices/mutations/create.ts';
import { transactionRefund } from '../../../payments/transactions/mutations.ts';
import { addonActivate, addonDeactivate } from '../../active-addons/mutations.ts';
import { commitmentPurchase } from '../../commitments/mutations.ts';
import { planChange, scheduledChangeRevoke } from '../../plan-changes/mutations.ts';
import { balanceTopUp, creditsPurchase } from '../../purchases/mutations.ts';
import { subscriptionReactivate } from '../../recovery-links/mutations.ts';
import {
  offerApply,
  offerRemove,
  subscriptionCancel,
  subscriptionCreate,
  subscriptionUncancel,
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
    create: t.field({
      type: subscriptionCreate.input,
      description: 'Previews the `subscriptionCreate` mutation.',
    }),
    cancel: t.field({
      type: subscriptionCancel.input,
      description: 'Previews the `subscriptionCancel` mutation.',
    }),
    uncancel: t.field({
      type: subscriptionUncancel.input,
      description: 'Previews the `subscriptionUncancel` mutation.',
    }),
    changePlan: t.field({
      type: planChange.input,
      description: 'Previews the `subscriptionChangePlan` mutation.',
    }),
    scheduledChangeRevoke: t.field({
      type: scheduledChangeRevoke.input,
      description: 'Previews the `subscriptionScheduledChangeRevoke` mutation.',
    }),
    reactivate: t.field({
      type: subscriptionReactivate.input,
      description: 'Previews the `subscriptionReactivate` mutation.',
    }),
    offerApply: t.field({
      type: offerApply.input,
      description: 'Previews the `subscriptionOfferApply` mutation.',
    }),
    offerRemove: t.field({
      type: offerRemove.input,
      description: 'Previews the `subscriptionOfferRemove` mutation.',
    }),
    creditsPurchase: t.field({
      type: creditsPurchase.input,
      description: 'Previews the `subscriptionCreditsPurchase` mutation.',
    }),
    balanceTopUp: t.field({
      type: balanceTopUp.input,
      description: 'Previews the `subscriptionBalanceTopUp` mutation.',
    }),
    commitmentPurchase: t.field({
      type: commitmentPurchase.input,
      description: 'Previews the `commitmentPurchase` mutation.',
    }),
    addonActivate: t.field({
      type: addonActivate.input,
      description: 'Previews the `subscriptionAddonActivate` mutation.',
    }),
    addonDeactivate: t.field({
      type: addonDeactivate.input,
      description: 'Previews the `subscriptionAddonDeactivate` mutation.',
    }),
    transactionRefund: t.field({
      type: transactionRefund.input,
      description: 'Previews the effects of `transactionRefund` on the subscription.',
    }),
    invoiceCreate: t.field({
      type: invoiceCreate.input,
      description: 'Previews the `invoiceCreate` mutation.',
    }),
    renewal: t.field({
      type: SubscriptionRenewalInput,
      description:
        "Previews the next end of the billing period or trial, after all earlier deadlines have been processed. If the subscription doesn't renew, previews the next end of the usage window.",
    }),
  }),
});

type PreviewInput = typeof SubscriptionPreviewInput.$inferInput;

/** Operation to preview. Exactly one field is set. */
export type PreviewedCall = Omit<PreviewInput, 'renewal'>;

/** Inputs of the operations that can be previewed. */
export type PreviewedInputs = { [K in keyof PreviewedCall]-?: NonNullable<PreviewedCall[K]> };

/** Operations that can be previewed, by their field in the input. */
export const previewed: {
  readonly [K in keyof PreviewedInputs]: Pick<Operation<PreviewedInputs[K]>, 'prepare'>;
} = {
  create: subscriptionCreate,
  cancel: subscriptionCancel,
  uncancel: subscriptionUncancel,
  changePlan: planChange,
  scheduledChangeRevoke,
  reactivate: subscriptionReactivate,
  offerApply,
  offerRemove,
  creditsPurchase,
  balanceTopUp,
  commitmentPurchase,
  addonActivate,
  addonDeactivate,
  transactionRefund,
  invoiceCreate,
};
