import { exponentOf } from '../../../domain/money.ts';
import { payerSecret } from '../../../engine/settle.ts';
import { builder } from '../../../graphql/builder.ts';
import { Currency } from '../../currencies/enums.ts';
import type { Authentication } from '../authenticate-card.ts';

const AuthenticationStatus = builder.enumType('CardAuthenticationStatus', {
  description: 'How an authentication stands.',
  values: { requires_action: { description: 'The payer has to confirm with the bank.' } } as const,
});

export const CardAuthentication = builder.objectRef<Authentication>('CardAuthentication').implement({
  description:
    'A card waits for its payer to confirm with the bank. The page lets Stripe do that where there is a `clientSecret`, then says so by the mutation of its place: `checkoutAuthenticate`, `paymentLinkAuthenticate`, `recoveryAuthenticate`, `paymentMethodAuthenticate` or `portalCardAuthenticate`.',
  fields: (t) => ({
    status: t.field({
      type: AuthenticationStatus,
      description: 'Always `requires_action`.',
      resolve: () => 'requires_action' as const,
    }),
    amount: t.expose('amountMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description:
        'What is paid once it is confirmed, tax included, minor units; 0 where a card is only stored.',
    }),
    currency: t.expose('currency', {
      type: Currency,
      description: 'Lower-case ISO 4217 code of the amount.',
    }),
    currencyDecimals: t.field({
      type: 'Int',
      description: 'Decimals of the currency: 0 or 2.',
      resolve: ({ currency }) => exponentOf(currency),
    }),
    publishableKey: t.string({
      nullable: true,
      description: "Names the account at Stripe the card lies on; null for the platform's own processor.",
      resolve: async ({ connection }) => (await connection())?.publishableKey ?? null,
    }),
    clientSecret: t.string({
      nullable: true,
      description:
        'With it the page lets Stripe authenticate the payer; null where the page only asks, and while Stripe cannot be reached.',
      resolve: ({ attemptId }, _args, ctx) => payerSecret(ctx, attemptId),
    }),
  }),
});
