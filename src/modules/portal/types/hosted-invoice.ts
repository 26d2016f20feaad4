import { customerLanguage } from '../../../domain/page-language.ts';
import { builder } from '../../../graphql/builder.ts';
import { loadBuyer, loadPayUrl, loadSeller } from '../../invoices/load-parts.ts';
import { InvoiceBuyer, InvoiceSeller } from '../../invoices/types/parties.ts';
import { InvoiceTax, taxOf } from '../../invoices/types/tax.ts';
import { brandingField, localeField, localesField } from '../../organizations/types/page.ts';
import type { HostedInvoice as Hosted } from '../load-invoice.ts';
import { PortalInvoice } from './invoices.ts';

export const HostedInvoice = builder.objectRef<Hosted>('HostedInvoice').implement({
  description: 'What the page of an invoice shows to anyone who has its address.',
  fields: (t) => ({
    branding: t.field(brandingField),
    locale: t.field(localeField<Hosted>(({ customer }) => ({ customer: customerLanguage(customer) }))),
    locales: t.field(localesField),
    invoice: t.field({
      type: PortalInvoice,
      description: 'The invoice as its payer sees it.',
      resolve: ({ invoice }) => invoice,
    }),
    tax: t.field({
      type: InvoiceTax,
      description: 'The tax in the total: its name and rate.',
      resolve: ({ invoice }) => taxOf(invoice),
    }),
    seller: t.field({
      type: InvoiceSeller,
      description: 'Who sells, as the invoice names it.',
      resolve: ({ invoice }, _args, ctx) => loadSeller(ctx, invoice),
    }),
    buyer: t.field({
      type: InvoiceBuyer,
      description: 'Who buys, as the invoice names it.',
      resolve: ({ invoice }, _args, ctx) => loadBuyer(ctx, invoice),
    }),
    payUrl: t.string({
      nullable: true,
      description:
        'The page where it is paid; null for an invoice that no page takes payment for, and once it is settled.',
      resolve: ({ invoice }, _args, ctx) => loadPayUrl(ctx, invoice),
    }),
    livemode: t.boolean({
      description: 'False in the sandbox, where no money moves.',
      resolve: (_hosted, _args, ctx) => ctx.livemode,
    }),
  }),
});
