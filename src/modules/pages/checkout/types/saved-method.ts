import { builder } from '../../../../graphql/reading/builder.ts';
import type { SavedCard } from '../../../payments/connections/load-saved-card.ts';

const SavedMethod = builder.objectRef<SavedCard>('SavedMethod').implement({
  description:
    "Stored card that a page offers for payment. To pay, the customer enters the card's security code.",
  fields: (t) => ({
    paymentMethodId: t.id({
      description: 'ID of the payment method (`pm_…`), as sent with the payment.',
      resolve: ({ method }) => method.id,
    }),
    brand: t.string({
      description: 'Brand of the card in lowercase, such as `visa`.',
      resolve: ({ method }) => method.brand,
    }),
    last4: t.string({
      description: 'Last four digits of the card number.',
      resolve: ({ method }) => method.last4,
    }),
    expMonth: t.field({
      type: 'Int',
      description: 'Expiration month, from 1 to 12.',
      resolve: ({ method }) => method.expMonth,
    }),
    expYear: t.field({
      type: 'Int',
      description: 'Expiration year, with 4 digits.',
      resolve: ({ method }) => method.expYear,
    }),
    publishableKey: t
      .maybe('publishableKey', 'String')
      .describe(
        "Publishable key of the organization's Stripe account if a Stripe field collects the security code. `null` if the page collects the security code.",
      ),
    codesLeft: t
      .member('codesLeft', 'Int')
      .describe(
        'Remaining attempts for the security code. After 3 wrong codes, the link no longer offers the card.',
      ),
  }),
});

const SavedMethodInput = builder.inputType('SavedMethodInput', {
  description: 'Parameters for paying with a stored card.',
  fields: (t) => ({
    paymentMethodId: t.id({ required: true, description: 'ID of the `savedMethod` that the page shows.' }),
    cvc: t.string({
      required: true,
      rule: { pattern: /^(?:[0-9]{3,4}|cvctok_[A-Za-z0-9_]{1,100})$/ },
      description:
        "Security code with 3 or 4 digits, or Stripe's token for the code (`cvctok_…`) if `savedMethod` has a `publishableKey`. Checked by the payment provider and never stored.",
    }),
  }),
});

/** Options of the `savedMethod` field, shared by all hosted pages. */
export const savedMethodField = {
  type: SavedMethod,
  nullable: true,
  description:
    "Stored card that the customer can pay with by entering the security code. Available in a sandbox and for the organization's connected accounts, if stored cards are turned on in the checkout settings. `null` if the customer has no stored card, or after 3 incorrect security codes. Also `null` if the page only stores a card in a connected account.",
} as const;

export const savedMethodInput = {
  type: SavedMethodInput,
  rule: { nullable: true },
  description:
    'Stored card that the page shows. Use instead of `card` and `paymentMethod`. An incorrect security code is treated as a decline, and `details.declineCode` is `incorrect_cvc`.',
} as const;
