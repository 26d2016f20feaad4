import { builder } from '../../graphql/builder.ts';
import { CheckoutCardInput } from '../checkout/mutations.ts';
import { payRecovery, updateMethod } from './submit.ts';
import { CardRequest } from './types.ts';

const token = { required: true, description: 'The last part of the address of the page.' } as const;

const cardField = "The card, where the page shows no `publishableKey`: the platform's own rail.";

const paymentMethod = {
  rule: { pattern: /^pm_[A-Za-z0-9_]+$/, maxLength: 200 },
  description: 'What Stripe gave the page for the card it collected, `pm_…`, where the page shows a `publishableKey`.',
} as const;

const RecoveryPayInput = builder.inputType('RecoveryPayInput', {
  description: 'A payment at the recovery page.',
  fields: (t) => ({
    token: t.string(token),
    card: t.field({ type: CheckoutCardInput, description: `${cardField} It becomes that of the subscription.` }),
    paymentMethod: t.string(paymentMethod),
  }),
});

builder.mutationField('recoveryPay', (t) =>
  t.field({
    type: CardRequest,
    description:
      'Pays what keeps a subscription from running. A decline, and a card that wants authentication, is `charge_failed` with `details.declineCode` and uses up a retry of a past due subscription; `validation_error` for the card, `no_outstanding_invoice` once there is nothing to pay, `already_has_active_subscription`, `plan_unavailable`, `charge_in_progress`.',
    access: { page: 'recover' },
    args: { input: t.arg({ type: RecoveryPayInput, required: true, description: 'The payment.' }) },
    resolve: (_root, { input: { card, paymentMethod } }, context) => payRecovery(context, { card, paymentMethod }),
  }),
);

const PaymentMethodStoreInput = builder.inputType('PaymentMethodStoreInput', {
  description: 'Another card for a subscription.',
  fields: (t) => ({
    token: t.string(token),
    card: t.field({ type: CheckoutCardInput, description: cardField }),
    paymentMethod: t.string(paymentMethod),
  }),
});

builder.mutationField('paymentMethodStore', (t) =>
  t.field({
    type: CardRequest,
    description:
      'Stores a card in place of the one a subscription is charged by, and charges nothing. `charge_failed` with `details.declineCode` when it is declined or wants authentication, `validation_error` for the card, `invalid_subscription_status`, `charge_in_progress` (SUB-36).',
    access: { page: 'method' },
    args: { input: t.arg({ type: PaymentMethodStoreInput, required: true, description: 'The card.' }) },
    resolve: (_root, { input: { card, paymentMethod } }, context) => updateMethod(context, { card, paymentMethod }),
  }),
);
