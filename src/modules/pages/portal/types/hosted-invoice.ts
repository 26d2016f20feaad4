import { customerLanguage } from '../../../../domain/pages/page-language.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { loadBuyer, loadPayUrl, loadSeller } from '../../../invoices/invoices/load-parts.ts';
import { InvoiceBuyer, InvoiceSeller } from '../../../invoices/invoices/types/parties.ts';
import { InvoiceTax, taxOf } from '../../../invoices/invoices/types/tax.ts';
import { brandingField, localeField, localesField } from '../../../organization/organizations/types/page.ts';
import type { HostedInvoice as Hosted } from '../load-invoice.ts';
import { PortalInvoice } from './invoices.ts';

export const HostedInvoice = builder.objectRef<Hosted>('HostedInvoice').implement({
  description: 'Invoice as shown on its hosted page.',
  fields: (t) => ({
    branding: t.field(brandingField),
    locale: t.field(localeField<Hosted>(({ customer }) => ({ customer: customerLanguage(customer) }))),
    locales: t.field(localesField),
    invoice: t.member('invoice', PortalInvoice).describe('Details of the invoice.'),
    tax: t.field({
      type: InvoiceTax,
      description: 'Details of the tax included in the invoice total.',
      resolve: ({ invoice }) => taxOf(invoice),
    }),
    seller: t.field({
      type: InvoiceSeller,
      description: 'Organization as shown on the invoice.',
      resolve: ({ invoice }, _args, ctx) => loadSeller(ctx, invoice),
    }),
    buyer: t.field({
      type: InvoiceBuyer,
      description: 'Buyer as shown on the invoice.',
      resolve: ({ invoice }, _args, ctx) => loadBuyer(ctx, invoice),
    }),
    payUrl: t.string({
      nullable: true,
      description:
        "URL of the page where the payer can pay the invoice. `null` if the invoice can't be paid on a page or isn't outstanding.",
      resolve: ({ invoice }, _args, ctx) => loadPayUrl(ctx, invoice),
    }),
    livemode: t.boolean({
      description:
        'Whether the invoice belongs to the live environment. `false` in a sandbox, which moves no money.',
      resolve: (_hosted, _args, ctx) => ctx.livemode,
    }),
  }),
});
