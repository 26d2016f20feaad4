import { builder } from '../../../graphql/reading/builder.ts';
import { loadLinesOfCorrection } from './load-parts.ts';
import { InvoiceLineItem } from './types/lines.ts';

builder.prismaObjectField('UsageCorrection', 'invoiceLines', (t) =>
  t.computed({
    type: [InvoiceLineItem],
    description:
      'Invoice line items that charge or credit the correction, oldest first. A credit can be split over several invoices. Empty if no invoice contains the correction yet.',
    columns: ['id'],
    resolve: ({ id }, _args, ctx) => loadLinesOfCorrection(ctx, id),
  }),
);
