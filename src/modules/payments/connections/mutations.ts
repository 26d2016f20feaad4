import { moneyAccess } from '../../../graphql/declare/access.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { createConnection } from './create.ts';
import { setRoute } from './set-route.ts';
import { ConnectedAccount, PaymentRoute } from './types.ts';
import { updateConnection } from './update.ts';

const name = { minLength: 1, maxLength: 200 } as const;
const key = { minLength: 1, maxLength: 500 } as const;
const secretKey =
  'Secret or restricted key (`sk_…` or `rk_…`) for the environment: a live key in the live environment, a test key in the sandbox. Stored encrypted and never returned.';
const publishableKey =
  'Publishable key (`pk_…`) for the environment: a live key in the live environment, a test key in the sandbox.';
const webhookSecret =
  'Signing secret of the Stripe webhook (`whsec_…`). Stored encrypted and never returned.';

const ConnectedAccountCreateInput = builder.inputType('ConnectedAccountCreateInput', {
  description: 'Parameters for connecting a Stripe account.',
  fields: (t) => ({
    name: t.string({
      required: true,
      rule: name,
      description: 'Display name of the account. Up to 200 characters.',
    }),
    secretKey: t.string({ required: true, rule: key, description: secretKey }),
    publishableKey: t.string({ required: true, rule: key, description: publishableKey }),
    webhookSecret: t.string({ rule: { ...key, nullable: true }, description: webhookSecret }),
    isDefault: t.boolean({
      rule: { default: false },
      description: 'Whether to use the account for new checkouts. Defaults to `false`.',
    }),
  }),
});

builder.mutationField('connectedAccountCreate', (t) =>
  t.field({
    type: ConnectedAccount,
    description:
      'Connects a Stripe account of the organization. Fails with `validation_error` if a key belongs to the other environment or is rejected by Stripe, or if `isDefault` is `true` and the organization has no `issuerAddress`.',
    errors: [['provider_unsupported', "Stripe can't be reached"]],
    access: moneyAccess,
    args: {
      input: t.arg({ type: ConnectedAccountCreateInput, required: true }),
    },
    resolve: (_root, { input }, ctx) => createConnection(ctx, input),
  }),
);

const ConnectedAccountUpdateInput = builder.inputType('ConnectedAccountUpdateInput', {
  description: "Parameters for updating a connected account. Omitted fields don't change.",
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the connected account.' }),
    name: t.string({ rule: name, description: 'Display name of the account. Up to 200 characters.' }),
    secretKey: t.string({ rule: key, description: `${secretKey} Replaces the stored key.` }),
    publishableKey: t.string({ rule: key, description: publishableKey }),
    webhookSecret: t.string({ rule: key, description: webhookSecret }),
    isDefault: t.boolean({
      description: 'Whether to use the account for new checkouts. Replaces the current default.',
    }),
  }),
});

builder.mutationField('connectedAccountUpdate', (t) =>
  t.field({
    type: ConnectedAccount,
    description:
      'Updates a connected account, including its keys. Stored payment methods remain in the account. Validation is the same as for `connectedAccountCreate`.',
    errors: ['not_found', ['provider_unsupported', "Stripe can't be reached"]],
    access: moneyAccess,
    args: {
      input: t.arg({ type: ConnectedAccountUpdateInput, required: true }),
    },
    resolve: (_root, { input }, ctx) => updateConnection(ctx, input),
  }),
);

const PaymentRouteSetInput = builder.inputType('PaymentRouteSetInput', {
  description: 'Parameters for routing the checkouts of a country.',
  fields: (t) => ({
    country: t.string({
      required: true,
      rule: { format: 'country' },
      description: 'Country of the billing address, as an uppercase ISO 3166-1 alpha-2 code.',
    }),
    provider: t.string({
      rule: { minLength: 1, maxLength: 200, nullable: true },
      description:
        "ID of a connected account, or `platform` for the platform's payment provider. `null` removes the route.",
    }),
  }),
});

builder.mutationField('paymentRouteSet', (t) =>
  t.field({
    type: PaymentRoute,
    description:
      'Sets or removes the payment route for a country. The route determines the account that collects payments for new checkouts with a billing address in the country. Fails with `validation_error` if the organization has no `issuerAddress`.',
    errors: [['not_found', "the connected account doesn't exist"]],
    access: moneyAccess,
    args: { input: t.arg({ type: PaymentRouteSetInput, required: true }) },
    resolve: (_root, { input: { country, provider } }, ctx) =>
      setRoute(ctx, { country, provider: provider ?? null }),
  }),
);
