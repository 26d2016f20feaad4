import { builder } from '../../graphql/builder.ts';
import { createConnection } from './create.ts';
import { setRoute } from './set-route.ts';
import { ConnectedAccount, PaymentRoute } from './types.ts';
import { updateConnection } from './update.ts';

const name = { minLength: 1, maxLength: 200 } as const;
const key = { minLength: 1, maxLength: 500 } as const;
const secretKey =
  'Secret or restricted key, `sk_…` or `rk_…`, of the mode of the caller; stored encrypted and never shown.';
const publishableKey = 'Publishable key, `pk_…`, of the same mode.';
const webhookSecret = 'Signing secret of the webhook, `whsec_…`; stored encrypted and never shown.';

const ConnectedAccountCreateInput = builder.inputType('ConnectedAccountCreateInput', {
  description: 'A Stripe account to connect.',
  fields: (t) => ({
    name: t.string({ required: true, rule: name, description: 'What people call it, up to 200 characters.' }),
    secretKey: t.string({ required: true, rule: key, description: secretKey }),
    publishableKey: t.string({ required: true, rule: key, description: publishableKey }),
    webhookSecret: t.string({ rule: { ...key, nullable: true }, description: webhookSecret }),
    isDefault: t.boolean({
      rule: { default: false },
      description: 'True to use it for new checkouts. Defaults to false.',
    }),
  }),
});

builder.mutationField('connectedAccountCreate', (t) =>
  t.field({
    type: ConnectedAccount,
    description:
      "Connects a Stripe account of the organization. `validation_error` for keys of the other mode, for keys Stripe does not accept, and for a default before the organization's `issuerAddress` is known; `provider_unsupported` when Stripe cannot be reached.",
    errors: ['provider_unsupported'],
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: ConnectedAccountCreateInput, required: true, description: 'The account.' }),
    },
    resolve: (_root, { input }, ctx) => createConnection(ctx, input),
  }),
);

const ConnectedAccountUpdateInput = builder.inputType('ConnectedAccountUpdateInput', {
  description: 'Changes to a connection; what is left out stays as it is.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the connection.' }),
    name: t.string({ rule: name, description: 'What people call it, up to 200 characters.' }),
    secretKey: t.string({ rule: key, description: `${secretKey} It takes the place of the stored one.` }),
    publishableKey: t.string({ rule: key, description: publishableKey }),
    webhookSecret: t.string({ rule: key, description: webhookSecret }),
    isDefault: t.boolean({
      description: 'True to use it for new checkouts, in place of the present default.',
    }),
  }),
});

builder.mutationField('connectedAccountUpdate', (t) =>
  t.field({
    type: ConnectedAccount,
    description:
      'Changes a connection, also its keys. What is stored on it stays there. `not_found`, and the codes of `connectedAccountCreate`.',
    errors: ['not_found', 'provider_unsupported'],
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: ConnectedAccountUpdateInput, required: true, description: 'The changes.' }),
    },
    resolve: (_root, { input }, ctx) => updateConnection(ctx, input),
  }),
);

const PaymentRouteSetInput = builder.inputType('PaymentRouteSetInput', {
  description: 'Where a country goes.',
  fields: (t) => ({
    country: t.string({
      required: true,
      rule: { format: 'country' },
      description: 'Country of the billing address, upper-case ISO 3166-1 alpha-2.',
    }),
    provider: t.string({
      rule: { minLength: 1, maxLength: 200, nullable: true },
      description:
        "Id of a connection, or `platform` for the platform's own processor; null to take the route away.",
    }),
  }),
});

builder.mutationField('paymentRouteSet', (t) =>
  t.field({
    type: PaymentRoute,
    description:
      "Routes new checkouts by the country of the billing address. `not_found` for an unknown connection, `validation_error` before the organization's `issuerAddress` is known.",
    errors: ['not_found'],
    access: { scope: 'write' },
    args: { input: t.arg({ type: PaymentRouteSetInput, required: true, description: 'The route.' }) },
    resolve: (_root, { input: { country, provider } }, ctx) =>
      setRoute(ctx, { country, provider: provider ?? null }),
  }),
);
