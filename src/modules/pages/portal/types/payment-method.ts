import { builder } from '../../../../graphql/reading/builder.ts';
import type { Row } from '../../../../platform/db/rows.ts';

const shown = ['id', 'status', 'reference', 'acceptedAt', 'endedAt'] as const;

const PortalMandate = builder
  .objectRef<Pick<Row<'Mandate'>, (typeof shown)[number]>>('PortalMandate')
  .implement({
    description: 'Permission of the customer to debit a bank account.',
    fields: (t) => ({
      mandateId: t.field({
        type: 'ID',
        description: 'ID of the mandate, as sent to `portalMandateRevoke`.',
        resolve: ({ id }) => id,
      }),
      isActive: t.boolean({
        description: 'Whether the bank account can be debited.',
        resolve: ({ status }) => status === 'active',
      }),
      reference: t
        .member('reference', 'String')
        .describe("Reference of the mandate, which the customer's bank shows."),
      acceptedAt: t
        .member('acceptedAt', 'DateTime')
        .describe('Time at which the customer accepted the mandate.'),
      endedAt: t
        .maybe('endedAt', 'DateTime')
        .describe('Time at which the mandate ended. `null` if the mandate is active.'),
    }),
  });

export const PortalPaymentMethod = builder.prismaObject('PaymentMethod', {
  variant: 'PortalPaymentMethod',
  description: 'Stored payment method of a customer.',
  fields: (t) => ({
    paymentMethodId: t.column('id', {
      description: 'ID of the payment method, as sent to `portalPaymentMethodDefaultSet`.',
    }),
    ...t.columns('instrument', 'brand', 'last4', 'expMonth', 'expYear'),
    mandate: t.fromRows('mandates', {
      type: PortalMandate,
      nullable: true,
      description: 'Latest mandate for debits from the account. `null` if the payment method is a card.',
      orderBy: 'seq',
      columns: shown,
      resolve: (mandates) => mandates.at(-1) ?? null,
    }),
    isDefault: t.fromRows('subscriptions', {
      type: 'Boolean',
      description: "Whether a subscription that isn't canceled uses the payment method.",
      orderBy: 'seq',
      columns: ['status'],
      resolve: (subscriptions) => subscriptions.some(({ status }) => status !== 'canceled'),
    }),
    createdAt: t.column('createdAt', { description: 'Time at which the payment method was stored.' }),
  }),
});
