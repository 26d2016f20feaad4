import type { Language } from '../../../domain/page-language.ts';
import { builder } from '../../../graphql/builder.ts';
import { localeArguments } from '../../organizations/types/page.ts';
import { InvoiceLineType } from '../enums.ts';
import { explainLine } from '../explain-line.ts';
import type { LineItem } from '../load-parts.ts';
import { loadReaderLanguage } from '../load-reader-language.ts';
import { InvoiceLineFormula } from './explanation.ts';
import { unitAmountOf } from './lines.ts';

/** What a payer is shown of a line, stored or only worked out. */
export type PayerLine = Pick<
  LineItem,
  'lineType' | 'description' | 'quantity' | 'unitAmountRate' | 'amount' | 'currency' | 'explanation'
> & {
  /** The language of the page it is shown on; absent where that is not named. */
  readonly language?: Language;
};

/** A line for pages that a payer opens: it leads nowhere, while `InvoiceLineItem` leads to the customer credit it draws on. */
export const PayerInvoiceLine = builder.objectRef<PayerLine>('PayerInvoiceLine').implement({
  description: 'A line of an invoice as its payer sees it.',
  fields: (t) => ({
    lineType: t.expose('lineType', { type: InvoiceLineType, description: 'What is charged or taken off.' }),
    description: t.exposeString('description', { description: 'What the line says.' }),
    quantity: t.expose('quantity', { type: 'SafeInt', description: 'Number of units.' }),
    unitAmount: t.float({
      description:
        'Price of one unit in minor units of the currency; fractional for rates below the smallest unit.',
      resolve: ({ unitAmountRate, currency }) => unitAmountOf(unitAmountRate, currency),
    }),
    amount: t.expose('amount', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Minor units; negative for discounts and credits.',
    }),
    formula: t.field({
      type: InvoiceLineFormula,
      description: 'The name of the formula that gives the amount.',
      resolve: ({ explanation }) => explanation.formula,
    }),
    why: t.string({
      description:
        'How the amount comes about, in a sentence: on a page for customers in its language, else in that of the seller.',
      args: localeArguments,
      resolve: async ({ language, ...line }, { link }, ctx) =>
        explainLine(line, language ?? (await loadReaderLanguage(ctx, link))),
    }),
  }),
});
