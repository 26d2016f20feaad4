import { builder } from '../../../graphql/reading/builder.ts';

// Invoice enums. Values match the Prisma schema.

export const InvoiceStatus = builder.enumType('InvoiceStatus', {
  description:
    'Status of an invoice. `paid`, `void`, and `uncollectible` are final. An overdue invoice has the status `outstanding`.',
  values: {
    draft: {
      description:
        'The payer of an open checkout has selected a price with a free trial, so the total is 0. The invoice keeps its number if the payer selects another price.',
    },
    outstanding: {
      description:
        "The invoice isn't paid yet. Invoices of open checkouts also have this status, but can still change.",
    },
    paid: { description: 'The invoice was paid by a charge or manually, or there was nothing to pay.' },
    void: { description: "The invoice was canceled. Its number isn't reused." },
    uncollectible: {
      description: 'Collection of the invoice stopped because the last payment attempt failed.',
    },
  },
});

export const InvoiceType = builder.enumType('InvoiceType', {
  description: 'Reason an invoice was created.',
  values: {
    recurring: { description: 'First charge of a subscription, or a renewal.' },
    overage: {
      description: 'Invoice that contains only charges in arrears, such as usage above the included amount.',
    },
    plan_change: { description: 'Immediate change of plan or billing interval.' },
    adjustment: { description: 'Manual adjustment.' },
    credit_purchase: { description: 'Purchase of a credit pack.' },
    balance_topup: { description: 'Top-up of a prepaid balance.' },
    addon_activation: { description: 'Charge for an add-on from its activation to the end of the period.' },
    one_time_payment: { description: 'One-time payment without a subscription.' },
    reactivation: { description: 'Reactivation of a canceled subscription.' },
  },
});

export const InvoiceLineType = builder.enumType('InvoiceLineType', {
  description: 'Type of a line item.',
  values: {
    plan_base: { description: 'List price of the plan.' },
    feature_overage: { description: 'Usage above the included amount.' },
    feature_seats: { description: 'Seats above the included number.' },
    feature_quota: { description: 'Quota units above the included number.' },
    discount: { description: "Discount on the plan's price from an offer." },
    promo_code_discount: { description: "Discount on the plan's price from a promo code." },
    credit: { description: 'Proration credit or customer credit.' },
    balance_overage: { description: 'Charge for a negative prepaid balance.' },
    addon_base: { description: 'Price of an add-on.' },
    one_time: { description: 'One-time charge.' },
  },
});

export const InvoiceChargeType = builder.enumType('InvoiceChargeType', {
  description: "Timing of a line item's charge, relative to the period that the line item covers.",
  values: {
    standard: { description: 'The line item is charged neither in advance nor as a true-up.' },
    advance: { description: 'The line item is charged before the period it covers.' },
    true_up: { description: 'The line item is charged after a period in which the quantity increased.' },
  },
});

export const InvoiceStatusUpdate = builder.enumType('InvoiceStatusUpdate', {
  description: 'Status that an outstanding invoice can be set to manually.',
  values: {
    paid: { description: 'The invoice was paid outside Quittance.' },
    void: { description: 'The invoice is canceled.' },
  } as const,
});

export const TransactionStage = builder.enumType('TransactionStage', {
  description: 'Stage of a payment attempt, which refines its status.',
  values: {
    scheduled: { description: 'The bank debit is scheduled and can still be canceled.' },
    requested: { description: "The payment provider hasn't responded yet." },
    awaiting_payer: { description: 'The payer must authenticate the payment.' },
    processing: { description: "The bank debit was sent, and the bank hasn't confirmed the payment yet." },
    settled: { description: 'The payment is confirmed.' },
    declined: { description: 'The payment was declined.' },
    expired: { description: "The payer didn't pay in time." },
    canceled: { description: 'The attempt was canceled.' },
    returned: { description: "The payer's bank returned the money." },
  },
});
