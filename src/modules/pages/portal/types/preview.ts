import { exponentOf, maxOf, rateToMinor } from '../../../../domain/money/money.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { loadLines } from '../../../invoices/invoices/load-parts.ts';
import { PayerInvoiceLine, type PayerLine } from '../../../invoices/invoices/types/payer-line.ts';
import { InvoiceTax, taxOf } from '../../../invoices/invoices/types/tax.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import { balanceOf, creditsOf } from '../../../subscriptions/subscriptions/load-parts.ts';
import { UpcomingCharge } from '../../../subscriptions/subscriptions/types/upcoming-charge.ts';
import { loadPools } from '../../../usage/lots/store.ts';
import type { PortalPreview as Preview } from '../preview.ts';
import { PortalPool } from './pools.ts';

export const PortalPreview = builder.objectRef<Preview>('PortalPreview').implement({
  description: "Preview of a portal action. The action isn't executed. Charges are assumed to succeed.",
  fields: (t) => ({
    amountDue: t
      .member('dueMinor', 'MINOR')
      .describe(
        'Amount charged immediately, including tax, in the smallest unit of `currency`. Charged at checkout if `requiresCheckout` is `true`.',
      ),
    currency: t.member('currency', Currency).describe('Lowercase ISO 4217 code of the amounts.'),
    currencyDecimals: t.field({
      type: 'Int',
      description: 'Number of decimal places in the currency: 0, 2, or 3.',
      resolve: ({ currency }) => exponentOf(currency),
    }),
    lineItems: t.field({
      type: [PayerInvoiceLine],
      description: "Line items charged immediately. Empty if there's no immediate charge.",
      resolve: async ({ invoice, lines }, _args, ctx): Promise<PayerLine[]> => {
        if (invoice === null) return [];
        const { currency } = invoice;
        return lines === null ? loadLines(ctx, invoice) : lines.map((line) => ({ ...line, currency }));
      },
    }),
    tax: t.field({
      type: InvoiceTax,
      nullable: true,
      description:
        "Details of the tax included in the immediate charge. `null` if there's no immediate charge.",
      resolve: ({ invoice }) => (invoice === null ? null : taxOf(invoice)),
    }),
    requiresCheckout: t
      .member('requiresCheckout', 'Boolean')
      .describe('Whether the action takes effect only after a checkout is paid.'),
    effectiveDate: t.member('effectiveAt', 'DateTime').describe('Time at which the action takes effect.'),
    accessUntil: t
      .maybe('accessUntil', 'DateTime')
      .describe('Time at which access ends because of the action. `null` if access continues.'),
    laterCharges: t
      .member('later', [UpcomingCharge])
      .describe(
        'Charges that follow before access ends, such as charges for usage to date. Empty if access continues or there are no further charges.',
      ),
    amountDueLater: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Sum of all `laterCharges`, in the smallest unit of `currency`.',
      resolve: ({ later }) => later.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
    }),
    isFinal: t
      .member('isFinal', 'Boolean')
      .describe(
        'Whether `amountDueLater` is final. `false` if charges for overage, seats, or quota can increase the amount until `accessUntil`.',
      ),
    amountWithdrawn: t
      .member('withdrawnMinor', 'MINOR')
      .describe('Outstanding amount that is no longer collected, in the smallest unit of `currency`.'),
    creditsLost: t.field({
      type: 'SafeInt',
      nullable: true,
      description:
        "Remaining credits that can't be used after access ends. `null` if access continues, or the plan doesn't use credits.",
      resolve: async ({ accessUntil, subscription }, _args, ctx) =>
        accessUntil === null ? null : ((await creditsOf(ctx, subscription))?.remaining ?? null),
    }),
    balanceLost: t.field({
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description:
        "Remaining balance that can't be used after access ends, in the smallest currency unit. `null` if access continues, or the plan doesn't use a balance.",
      resolve: async ({ accessUntil, subscription }, _args, ctx) => {
        const balance = accessUntil === null ? null : await balanceOf(ctx, subscription);
        return balance === null ? null : maxOf(0n, rateToMinor(balance.remaining, balance.currency));
      },
    }),
    poolsLost: t.field({
      type: [PortalPool],
      description:
        "Credits, custom units, and balance that can't be used after access ends. Empty if access continues, or if nothing remains.",
      resolve: async ({ accessUntil, subscription }, _args, ctx) =>
        accessUntil === null ? [] : (await loadPools(ctx, subscription)).filter(({ amount }) => amount > 0n),
    }),
    expiresAt: t
      .maybe('expiresAt', 'DateTime')
      .describe(
        "Time at which the unused part of the purchase expires. A top-up expires when the balance is next reset. `null` if the purchase doesn't expire.",
      ),
    nextCharge: t
      .maybe('next', UpcomingCharge)
      .describe('Next charge after the action. `null` if no charge is scheduled.'),
    nextChargeWithout: t
      .maybe('nextWithout', UpcomingCharge)
      .describe(
        'Next charge without the action. `null` if no charge is scheduled, or a payment is outstanding.',
      ),
  }),
});
