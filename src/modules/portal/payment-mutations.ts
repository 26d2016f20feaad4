import { builder } from '../../graphql/builder.ts';
import { reference } from '../../graphql/shapes.ts';
import { CheckoutCardInput } from '../checkout/mutations.ts';
import { reactivateShown, reread, retryPayment, shownSubscription, storeCard } from './pay.ts';
import { buyBalance, buyCredits, switchAddonOff, switchAddonOn } from './purchase.ts';
import { PortalSubscription } from './subscription-types.ts';
import { sessionToken } from './words.ts';

const purchase =
  'Not while a payment is owed: `subscription_not_active`. `no_payment_method` unless one is stored or a card comes with it, `charge_failed` with `details.declineCode`, `charge_in_progress`, `missing_regional_price`, `subscription_not_found`.';

const optionalCard = {
  type: CheckoutCardInput,
  rule: { nullable: true },
  description: 'A card that is stored in place of the present one, then charged; the stored one when absent or null.',
} as const;

const paymentMethod = {
  rule: { pattern: /^pm_[A-Za-z0-9_]+$/, maxLength: 200, nullable: true },
  description: 'In place of `card`, what Stripe gave the page for one, `pm_…`, where the subscription shows a `publishableKey`.',
} as const;

const PortalPaymentRetryInput = builder.inputType('PortalPaymentRetryInput', {
  description: 'A try to pay what is owed.',
  fields: (t) => ({
    token: t.string(sessionToken),
    card: t.field({ ...optionalCard, description: 'Another card, which is kept once it has paid; the stored one when absent or null.' }),
    paymentMethod: t.string(paymentMethod),
  }),
});

builder.mutationField('portalPaymentRetry', (t) =>
  t.field({
    type: PortalSubscription,
    description:
      'Tries to collect what a past-due subscription owes. A decline is `charge_failed` and uses up one of the four retries; `rate_limited` after three tries on one day, `invalid_subscription_status` when nothing is owed, `no_payment_method`, `validation_error` for the card, `charge_in_progress` (BIL-42, BIL-47).',
    access: { page: 'portal' },
    args: { input: t.arg({ type: PortalPaymentRetryInput, required: true, description: 'The try.' }) },
    resolve: (_root, { input: { card, paymentMethod } }, context) => retryPayment(context, { card, paymentMethod }),
  }),
);

const PortalPaymentMethodStoreInput = builder.inputType('PortalPaymentMethodStoreInput', {
  description: 'Another card for the subscription.',
  fields: (t) => ({
    token: t.string(sessionToken),
    card: t.field({ type: CheckoutCardInput, rule: { nullable: true }, description: 'The card, unless Stripe collected it.' }),
    paymentMethod: t.string(paymentMethod),
  }),
});

builder.mutationField('portalPaymentMethodStore', (t) =>
  t.field({
    type: PortalSubscription,
    description:
      'Stores a card in place of the one the subscription is charged by, and charges nothing; what is owed is then paid by `portalPaymentRetry` (SUB-36, PAY-34). `charge_failed` when it is declined, `validation_error` for the card, `invalid_subscription_status`, `charge_in_progress`.',
    access: { page: 'portal' },
    args: { input: t.arg({ type: PortalPaymentMethodStoreInput, required: true, description: 'The card.' }) },
    resolve: async (_root, { input: { card, paymentMethod } }, context) => {
      const subscription = await shownSubscription(context);
      await storeCard(context, subscription, { card, paymentMethod });
      return reread(context, subscription.id);
    },
  }),
);

const PortalSubscriptionReactivateInput = builder.inputType('PortalSubscriptionReactivateInput', {
  description: 'A customer who comes back.',
  fields: (t) => ({ token: t.string(sessionToken) }),
});

builder.mutationField('portalSubscriptionReactivate', (t) =>
  t.field({
    type: PortalSubscription,
    description:
      'Starts a canceled subscription anew by the stored card (SUB-31). `charge_failed` and `no_payment_method` come with `details.recoveryUrl`, where another card pays; `plan_unavailable` when the plan is hidden or gone, `invalid_subscription_status`, `already_has_active_subscription`, `subscription_has_open_dispute`, `charge_in_progress`.',
    access: { page: 'portal' },
    args: { input: t.arg({ type: PortalSubscriptionReactivateInput, required: true, description: 'The session.' }) },
    resolve: (_root, _args, context) => reactivateShown(context),
  }),
);

const PortalCreditsPurchaseInput = builder.inputType('PortalCreditsPurchaseInput', {
  description: 'Which credits to buy.',
  fields: (t) => ({
    token: t.string(sessionToken),
    creditPackId: t.id({ required: true, rule: reference, description: 'One of `creditPacks`.' }),
    card: t.field(optionalCard),
    paymentMethod: t.string(paymentMethod),
  }),
});

builder.mutationField('portalCreditsPurchase', (t) =>
  t.field({
    type: PortalSubscription,
    description: `Buys a credit pack (CON-20). ${purchase} \`credit_pack_not_found\`.`,
    access: { page: 'portal' },
    args: { input: t.arg({ type: PortalCreditsPurchaseInput, required: true, description: 'The credit pack.' }) },
    resolve: (_root, { input }, context) => buyCredits(context, input),
  }),
);

const PortalBalanceTopUpInput = builder.inputType('PortalBalanceTopUpInput', {
  description: 'How much balance to buy.',
  fields: (t) => ({
    token: t.string(sessionToken),
    amount: t.field({
      type: 'SafeInt',
      required: true,
      amount: 'MINOR',
      rule: { minimum: 1 },
      description: "Minor units of the subscription's currency, above 0; tax comes on top.",
    }),
    card: t.field(optionalCard),
    paymentMethod: t.string(paymentMethod),
  }),
});

builder.mutationField('portalBalanceTopUp', (t) =>
  t.field({
    type: PortalSubscription,
    description: `Buys balance, which lapses at the next reset (CON-24, CON-25). ${purchase}`,
    access: { page: 'portal' },
    args: { input: t.arg({ type: PortalBalanceTopUpInput, required: true, description: 'The amount.' }) },
    resolve: (_root, { input }, context) => buyBalance(context, input),
  }),
);

const PortalAddonActivateInput = builder.inputType('PortalAddonActivateInput', {
  description: 'Which add-on to switch on.',
  fields: (t) => ({
    token: t.string(sessionToken),
    addonId: t.id({ required: true, rule: reference, description: 'One of `offeredAddons`.' }),
    card: t.field(optionalCard),
    paymentMethod: t.string(paymentMethod),
  }),
});

builder.mutationField('portalAddonActivate', (t) =>
  t.field({
    type: PortalSubscription,
    description: `Switches an add-on on for what is left of the billing period (SUB-70, SUB-71). ${purchase} \`addon_not_found\`, \`addon_already_active\`, \`feature_already_exists\`.`,
    access: { page: 'portal' },
    args: { input: t.arg({ type: PortalAddonActivateInput, required: true, description: 'The add-on.' }) },
    resolve: (_root, { input }, context) => switchAddonOn(context, input),
  }),
);

const PortalAddonDeactivateInput = builder.inputType('PortalAddonDeactivateInput', {
  description: 'Which add-on to switch off.',
  fields: (t) => ({
    token: t.string(sessionToken),
    addonId: t.id({ required: true, rule: reference, description: 'One of `addons`.' }),
  }),
});

builder.mutationField('portalAddonDeactivate', (t) =>
  t.field({
    type: PortalSubscription,
    description:
      'Switches an add-on off at once, without refund (SUB-73). `subscription_not_active`, `addon_not_found`, `addon_not_active`, `subscription_not_found`.',
    access: { page: 'portal' },
    args: { input: t.arg({ type: PortalAddonDeactivateInput, required: true, description: 'The add-on.' }) },
    resolve: (_root, { input }, context) => switchAddonOff(context, input),
  }),
);
