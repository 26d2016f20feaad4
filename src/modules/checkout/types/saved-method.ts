import { builder } from '../../../graphql/builder.ts';
import type { SavedCard } from '../../payment-connections/load-saved-card.ts';

export const SavedMethod = builder.objectRef<SavedCard>('SavedMethod').implement({
  description: 'A stored card of the customer that a page offers to pay with, by its security code.',
  fields: (t) => ({
    paymentMethodId: t.id({
      description: 'Names it in the payment, `pm_…`.',
      resolve: ({ method }) => method.id,
    }),
    brand: t.string({
      description: 'Lower-case brand of the card, such as `visa`.',
      resolve: ({ method }) => method.brand,
    }),
    last4: t.string({
      description: 'The last four digits of its number.',
      resolve: ({ method }) => method.last4,
    }),
    expMonth: t.field({
      type: 'Int',
      description: 'Month it expires in, 1 to 12.',
      resolve: ({ method }) => method.expMonth,
    }),
    expYear: t.field({
      type: 'Int',
      description: 'Year it expires in, four digits.',
      resolve: ({ method }) => method.expYear,
    }),
    publishableKey: t.string({
      nullable: true,
      description:
        "Key of the organization's account at Stripe, whose field takes the security code; null where the page takes it.",
      resolve: (card) => card.publishableKey,
    }),
    codesLeft: t.field({
      type: 'Int',
      description:
        'How many security codes can still be tried: a wrong one counts, and after three the link offers the card no more.',
      resolve: (card) => card.codesLeft,
    }),
  }),
});

export const SavedMethodInput = builder.inputType('SavedMethodInput', {
  description: 'A stored card to pay with.',
  fields: (t) => ({
    paymentMethodId: t.id({ required: true, description: 'Of the `savedMethod` that is shown.' }),
    cvc: t.string({
      required: true,
      rule: { pattern: /^(?:[0-9]{3,4}|cvctok_[A-Za-z0-9_]{1,100})$/ },
      description:
        "Its security code, 3 or 4 digits; with a `publishableKey` Stripe's token for it, `cvctok_…`. The processor checks it, and it is stored nowhere.",
    }),
  }),
});

/** How `savedMethod` is described where a page has it. */
export const savedMethodField = {
  type: SavedMethod,
  nullable: true,
  description:
    'The stored card the customer can pay with by its security code, in the sandbox and at an account of the organization, where the settings of the checkout offer that; null without one, after three wrong codes, and where an account takes the card and nothing is charged now.',
} as const;

export const savedMethodInput = {
  type: SavedMethodInput,
  rule: { nullable: true },
  description:
    'The stored card that is shown, in the place of `card` and `paymentMethod`. A wrong security code is a decline with `details.declineCode` `incorrect_cvc`.',
} as const;
