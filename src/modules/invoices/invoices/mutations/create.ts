import { usualDueDays } from '../../../../domain/invoicing/adjustment.ts';
import type { Metadata } from '../../../../domain/rows/rows.ts';
import { operation } from '../../../../engine/operation.ts';
import { mostMinor, reference } from '../../../../graphql/declare/shapes.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { findSubject } from '../../../customers/customers/store.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import { requireInvoice } from '../store.ts';
import { Invoice } from '../types/invoice.ts';

const mostLines = 100;

const InvoiceCreateLineInput = builder.inputType('InvoiceCreateLineInput', {
  description: 'Line item of a new invoice.',
  fields: (t) => ({
    description: t.string({
      required: true,
      rule: { minLength: 1, maxLength: 1_000, multiline: true },
      description: 'Description of the line item, shown to the payer. From 1 to 1,000 characters.',
    }),
    quantity: t.int({
      rule: { minimum: 1, maximum: 1_000_000 },
      description: 'Number of units. From 1 to 1,000,000. Defaults to 1.',
    }),
    unitAmount: t.field({
      type: 'SafeInt',
      required: true,
      amount: 'MINOR',
      rule: { minimum: 0, maximum: mostMinor },
      description: 'Price per unit before tax, in the smallest currency unit. From 0 to 900,000,000,000,000.',
    }),
  }),
});

const shortText = (what: string) => ({
  rule: { minLength: 1, maxLength: 100, nullable: true } as const,
  description: `${what} From 1 to 100 characters. Not set by default.`,
});

const InvoiceCreateInput = builder.inputType('InvoiceCreateInput', {
  description: 'Parameters for creating an invoice.',
  fields: (t) => ({
    customerId: t.string({
      required: true,
      rule: reference,
      description: 'ID or external ID of the customer.',
    }),
    currency: t.field({
      type: Currency,
      description:
        "Currency of the invoice. Defaults to the currency of the customer's subscription, or USD if there's no subscription.",
    }),
    lineItems: t.field({
      type: [InvoiceCreateLineInput],
      required: true,
      rule: { minItems: 1, maxItems: mostLines },
      description:
        'Line items, in the order of the invoice. From 1 to 100 line items. Their sum must be greater than 0.',
    }),
    memo: t.string({
      rule: { minLength: 1, maxLength: 1_000, multiline: true, nullable: true },
      description: 'Note to the payer, shown on the invoice. From 1 to 1,000 characters. Not set by default.',
    }),
    poNumber: t.string(shortText('Purchase order number of the payer.')),
    reference: t.string(shortText('Your own reference for the invoice.')),
    daysUntilDue: t.int({
      rule: { minimum: 0, maximum: 365 },
      description: `Number of days from the issue date to the due date. From 0 to 365. Defaults to ${usualDueDays}.`,
    }),
    metadata: t.field({ type: 'Json', description: 'Custom key-value data. Defaults to an empty object.' }),
  }),
});

/** Issues an invoice with the given line items. Locks the customer. */
export const invoiceCreate = operation({
  input: InvoiceCreateInput,
  issues: ({ lineItems }) =>
    lineItems.every(({ unitAmount }) => unitAmount === 0)
      ? [{ field: 'lineItems', message: 'must have a sum greater than 0' }]
      : [],
  find: (ctx, { customerId }) => findSubject(ctx, customerId, 'customerId'),
  command: ({ currency, lineItems, memo, poNumber, reference: own, daysUntilDue, metadata }) => ({
    kind: 'invoice.create' as const,
    currency: currency ?? null,
    lines: lineItems.map(({ description, quantity, unitAmount }) => ({
      description,
      quantity: BigInt(quantity ?? 1),
      unitAmountMinor: BigInt(unitAmount),
    })),
    memo: memo ?? null,
    poNumber: poNumber ?? null,
    reference: own ?? null,
    dueDays: daysUntilDue ?? usualDueDays,
    // The GraphQL schema accepts only JSON objects as metadata.
    metadata: (metadata ?? {}) as Metadata,
  }),
  result: (ctx, { done: { invoiceId } }) => {
    if (invoiceId === null) throw new Error('The command issued no invoice.');
    return requireInvoice(ctx, invoiceId);
  },
});

builder.mutationField('invoiceCreate', (t) =>
  t.operation(invoiceCreate, {
    type: Invoice,
    description:
      "Creates an invoice with your own line items. The invoice is taxed like the customer's other invoices. It's outstanding immediately and isn't charged automatically. Send it with `invoiceSend`, or share its `hostedUrl`.",
    rest: {
      method: 'POST',
      path: '/customers/{id}/invoices',
      names: { customerId: 'id' },
      status: 201,
      view: 'Invoice',
    },
    errors: ['customer_not_found', 'payment_failed'],
    movesMoney: true,
    access: { scope: 'write' },
  }),
);
