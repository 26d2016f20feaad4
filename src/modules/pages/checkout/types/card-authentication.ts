import { exponentOf } from '../../../../domain/money/money.ts';
import { payerSecret } from '../../../../engine/settle.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import type { Authentication } from '../authenticate-card.ts';

const AuthenticationStatus = builder.enumType('CardAuthenticationStatus', {
  description: 'Status of a card authentication.',
  values: { requires_action: { description: 'The payer must confirm the payment with the bank.' } } as const,
});

export const CardAuthentication = builder.objectRef<Authentication>('CardAuthentication').implement({
  description:
    'Pending authentication of a card. If `clientSecret` is set, the hosted page first authenticates the payer with Stripe. The page then completes the authentication with `checkoutAuthenticate`, `paymentLinkAuthenticate`, `recoveryAuthenticate`, `paymentMethodAuthenticate`, or `portalCardAuthenticate`.',
  fields: (t) => ({
    status: t.field({
      type: AuthenticationStatus,
      description: 'Always `requires_action`.',
      resolve: () => 'requires_action' as const,
    }),
    amount: t
      .member('amountMinor', 'MINOR')
      .describe('Amount to pay including tax, in the smallest currency unit. 0 if the card is only stored.'),
    currency: t
      .member('currency', Currency)
      .describe('Currency of the amount, as a lowercase ISO 4217 code.'),
    currencyDecimals: t.field({
      type: 'Int',
      description: 'Number of decimal places in the currency: 0, 2, or 3.',
      resolve: ({ currency }) => exponentOf(currency),
    }),
    publishableKey: t.string({
      nullable: true,
      description:
        "Publishable key of the Stripe account that stores the card. `null` if the platform's payment provider stores the card.",
      resolve: async ({ connection }) => (await connection())?.publishableKey ?? null,
    }),
    clientSecret: t.string({
      nullable: true,
      description:
        "Secret for authenticating the payer with Stripe. `null` if the platform's payment provider stores the card, or if Stripe can't be reached.",
      resolve: ({ attemptId }, _args, ctx) => payerSecret(ctx, attemptId),
    }),
  }),
});
