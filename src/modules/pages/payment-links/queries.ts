import { builder } from '../../../graphql/reading/builder.ts';
import { loadLink } from './load.ts';
import { PaymentLink } from './types.ts';

builder.queryField('paymentLink', (t) =>
  t.field({
    type: PaymentLink,
    description:
      'Returns the payment link for a page token. If `country` is set, returns the tax for a payer in that country and the account that would collect the card. Fails with `unauthorized` if the token is invalid.',
    access: { page: 'pay' },
    args: {
      token: t.arg.string({
        required: true,
        description: "Token from the payment link's URL (the last path segment).",
      }),
      country: t.arg.string({
        rule: { format: 'country' },
        description: 'Country of the payer, as an uppercase ISO 3166-1 alpha-2 code.',
      }),
      state: t.arg.string({
        rule: { maxLength: 200 },
        description:
          'State or province of the payer. Only needed in countries where the tax depends on the state or province.',
      }),
      taxDocument: t.arg.string({ rule: { maxLength: 100 }, description: 'Tax ID of the payer.' }),
    },
    resolve: (_root, { country, state, taxDocument }, ctx) => loadLink(ctx, { country, state, taxDocument }),
  }),
);
