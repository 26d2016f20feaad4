import { areaOf } from '../data/current-page.ts';
import { beginOf } from '../data/initial-data.ts';
import type { PageEntry } from '../page-entry.ts';
import { InvoicePageDocument } from './page.graphql';
import { InvoicePage, type InvoicePageData } from './page.tsx';

export const invoice: PageEntry = {
  area: 'invoice',
  questionOf: (token, link) => ({ query: InvoicePageDocument, variables: { token, link } }),
  view: (answer) => <InvoicePage begin={beginOf<InvoicePageData>(answer, ['unauthorized'])} />,
  lookOf: (data) => (data as InvoicePageData).hostedInvoice,
  titleOf: (data, page) => {
    const words = areaOf(page, 'invoice');
    if (data === undefined) return words.page;
    const { branding, invoice } = (data as InvoicePageData).hostedInvoice;
    return `${words.title({ number: invoice.invoiceNumber })} – ${branding.name}`;
  },
};
