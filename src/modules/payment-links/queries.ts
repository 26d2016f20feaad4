import { builder } from '../../graphql/builder.ts';
import { loadLink } from './load.ts';
import { PaymentLink } from './types.ts';

builder.queryField('paymentLink', (t) =>
  t.field({
    type: PaymentLink,
    description:
      'The payment link a page token stands for; `unauthorized` for a token that was not issued here. With a country, the tax a payer from there would bear, and the account that would take the card.',
    access: { page: 'pay' },
    args: {
      token: t.arg.string({ required: true, description: 'The last part of the address of the page.' }),
      country: t.arg.string({
        rule: { format: 'country' },
        description: 'Where the payer is, ISO 3166-1 alpha-2 in upper case.',
      }),
      state: t.arg.string({
        rule: { maxLength: 200 },
        description: 'The state or province, where the tax depends on it.',
      }),
      taxDocument: t.arg.string({ rule: { maxLength: 100 }, description: 'The tax number of the payer.' }),
    },
    resolve: (_root, { country, state, taxDocument }, ctx) => loadLink(ctx, { country, state, taxDocument }),
  }),
);
