import { exponentOf, maxOf, rateToMinor } from '../../../domain/money.ts';
import { builder } from '../../../graphql/builder.ts';
import { throwIssues } from '../../../graphql/rules.ts';
import { Currency } from '../../currencies/enums.ts';
import { loadLines } from '../../invoices/load-parts.ts';
import { PayerInvoiceLine, type PayerLine } from '../../invoices/types/payer-line.ts';
import { InvoiceTax, taxOf } from '../../invoices/types/tax.ts';
import { balanceOf, creditsOf } from '../../subscriptions/load-parts.ts';
import { UpcomingCharge } from '../../subscriptions/types/upcoming-charge.ts';
import type { PortalPreview as Preview } from '../preview.ts';
import type { PortalAction } from './preview-input.ts';

export const PortalPreview = builder.objectRef<Preview>('PortalPreview').implement({
  description:
    'What something a customer is about to do leads to. Nothing of it has happened; charges are taken to settle.',
  fields: (t) => ({
    amountDue: t.expose('dueMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description:
        'What is charged immediately, tax included, minor units of `currency`; at the checkout where `requiresCheckout`.',
    }),
    currency: t.expose('currency', {
      type: Currency,
      description: 'Lower-case ISO 4217 code of the amounts.',
    }),
    currencyDecimals: t.field({
      type: 'Int',
      description: 'Decimals of the currency: 0 or 2.',
      resolve: ({ currency }) => exponentOf(currency),
    }),
    lineItems: t.field({
      type: [PayerInvoiceLine],
      description: 'What is charged immediately, line by line; empty when nothing is.',
      resolve: async ({ invoice, lines }, _args, ctx): Promise<PayerLine[]> => {
        if (invoice === null) return [];
        const { currency } = invoice;
        return lines === null ? loadLines(ctx, invoice) : lines.map((line) => ({ ...line, currency }));
      },
    }),
    tax: t.field({
      type: InvoiceTax,
      nullable: true,
      description: 'The tax in what is charged immediately; null when nothing is.',
      resolve: ({ invoice }) => (invoice === null ? null : taxOf(invoice)),
    }),
    requiresCheckout: t.exposeBoolean('requiresCheckout', {
      description: 'True where it takes effect once a checkout has been paid.',
    }),
    effectiveDate: t.expose('effectiveAt', { type: 'DateTime', description: 'When it takes effect.' }),
    accessUntil: t.expose('accessUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'When access ends because of it; null where access continues.',
    }),
    laterCharges: t.field({
      type: [UpcomingCharge],
      description:
        'What is still charged before access ends, such as usage to date; empty where access continues, and when nothing is.',
      resolve: ({ later }) => [...later],
    }),
    amountDueLater: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What `laterCharges` come to, minor units of `currency`.',
      resolve: ({ later }) => later.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
    }),
    isFinal: t.exposeBoolean('isFinal', {
      description:
        'False where usage, seats or quota beyond what is included until `accessUntil` can still add to `amountDueLater`.',
    }),
    amountWithdrawn: t.expose('withdrawnMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What is owed now and no longer will be, minor units of `currency`.',
    }),
    creditsLost: t.field({
      type: 'SafeInt',
      nullable: true,
      description:
        'Credits left now, which cannot be used once access ends; null where access continues, and on plans without credits.',
      resolve: async ({ accessUntil, subscription }, _args, ctx) =>
        accessUntil === null ? null : ((await creditsOf(ctx, subscription))?.remaining ?? null),
    }),
    balanceLost: t.field({
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description:
        'Balance left now, minor units, which cannot be used once access ends; null where access continues, and on plans without a balance.',
      resolve: async ({ accessUntil, subscription }, _args, ctx) => {
        const balance = accessUntil === null ? null : await balanceOf(ctx, subscription);
        return balance === null ? null : maxOf(0n, rateToMinor(balance.remaining, balance.currency));
      },
    }),
    lapsesAt: t.expose('lapsesAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When what is bought lapses, used or not: a balance at its next reset. Null where it does not.',
    }),
    nextCharge: t.expose('next', {
      type: UpcomingCharge,
      nullable: true,
      description: 'What is charged next afterwards; null where nothing is.',
    }),
    nextChargeWithout: t.expose('nextWithout', {
      type: UpcomingCharge,
      nullable: true,
      description:
        'What is charged next if it is not done; null where nothing is, and while a payment is owed.',
    }),
  }),
});

/** GraphQL checks this itself where it knows of such inputs; a null member counts as none. */
export function demandOne(action: PortalAction): void {
  const provided = Object.values(action).filter((member) => member !== null && member !== undefined);
  if (provided.length !== 1) throwIssues([{ field: 'action', message: 'must have exactly one member' }]);
}
