import { lineText } from '../../../../documents/line-text.ts';
import type { Language } from '../../../../domain/text/language.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { localeArguments } from '../../../organization/organizations/types/page.ts';
import { InvoiceLineType } from '../enums.ts';
import { explainLine } from '../explain-line.ts';
import type { LineItem } from '../load-parts.ts';
import { loadReaderLanguage } from '../load-reader-language.ts';
import { InvoiceLineFormula } from './explanation.ts';
import { unitAmountOf } from './lines.ts';

/** Line item in the form shown to payers, stored or calculated for a preview. */
export type PayerLine = Pick<
  LineItem,
  | 'lineType'
  | 'description'
  | 'quantity'
  | 'unitAmountRate'
  | 'exactUnitAmount'
  | 'amount'
  | 'currency'
  | 'explanation'
> & {
  /** Language of the page, if the page sets one. */
  readonly language?: Language;
};

/** Line item on hosted pages. Unlike `InvoiceLineItem`, it doesn't link to the customer credit. */
export const PayerInvoiceLine = builder.objectRef<PayerLine>('PayerInvoiceLine').implement({
  description: 'Line item of an invoice as shown to the payer.',
  fields: (t) => ({
    lineType: t.member('lineType', InvoiceLineType).describe('Type of the line item.'),
    description: t
      .member('description', 'String')
      .describe('Stored description of the line item, in English.'),
    label: t.string({
      description:
        'Description of the line item in the language of the page, with formatted dates, counts, and feature quantities.',
      args: localeArguments,
      resolve: async ({ language, ...line }, { link }, ctx) =>
        lineText(line, language ?? (await loadReaderLanguage(ctx, link))),
    }),
    quantity: t.member('quantity', 'SafeInt').describe('Number of units in the line item.'),
    unitAmount: t.float({
      description: 'Price per unit in the smallest currency unit. Can be fractional, such as half a cent.',
      resolve: unitAmountOf,
    }),
    amount: t
      .member('amount', 'MINOR')
      .describe('Amount in the smallest currency unit. Negative for discounts and credits.'),
    formula: t.field({
      type: InvoiceLineFormula,
      description: 'Name of the formula that calculates the amount.',
      resolve: ({ explanation }) => explanation.formula,
    }),
    why: t.string({
      description:
        "One-sentence explanation of the amount, in the language of the page. Outside customer pages, the organization's language is used.",
      args: localeArguments,
      resolve: async ({ language, ...line }, { link }, ctx) =>
        explainLine(line, language ?? (await loadReaderLanguage(ctx, link))),
    }),
  }),
});
