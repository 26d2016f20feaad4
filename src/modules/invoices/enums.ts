import { builder } from '../../graphql/builder.ts';

// The closed lists of invoices, as the Prisma schema has them.

export const InvoiceStatus = builder.enumType('InvoiceStatus', {
  description:
    'Statuses of an invoice; `paid`, `void` and `uncollectible` are terminal. Overdue is a fact, not a status.',
  values: {
    draft: { description: 'Being built; never visible for longer than one deadline.' },
    outstanding: { description: 'Issued and owed.' },
    paid: { description: 'Settled by a charge, manually, or because nothing was to be paid.' },
    void: { description: 'Withdrawn; its number stays used.' },
    uncollectible: { description: 'Given up after the last attempt.' },
  },
});

export const InvoiceType = builder.enumType('InvoiceType', {
  description: 'Why an invoice was made.',
  values: {
    recurring: { description: 'The first charge of a subscription and every renewal.' },
    overage: { description: 'Arrears alone, such as usage beyond what was included.' },
    plan_change: { description: 'An immediate change of plan or interval.' },
    adjustment: { description: 'A correction made manually.' },
    credit_purchase: { description: 'A credit pack.' },
    balance_topup: { description: 'Prepaid balance.' },
    addon_activation: { description: 'An add-on from its activation to the end of the period.' },
    one_time_payment: { description: 'A payment without subscription.' },
    reactivation: { description: 'A canceled subscription started again.' },
  },
});

export const InvoiceLineType = builder.enumType('InvoiceLineType', {
  description: 'What a line charges or takes off.',
  values: {
    plan_base: { description: 'The list price of the plan.' },
    feature_overage: { description: 'Usage beyond what was included.' },
    feature_seats: { description: 'Seats beyond what is included.' },
    feature_quota: { description: 'Quota beyond what is included.' },
    discount: { description: 'Reduction of the plan base by an offer.' },
    promo_code_discount: { description: 'Reduction of the plan base by a promo code.' },
    credit: { description: 'Proration credit or customer credit.' },
    balance_overage: { description: 'Negative prepaid balance.' },
    addon_base: { description: 'The price of an add-on.' },
    one_time: { description: 'A single charge.' },
  },
});

export const InvoiceChargeType = builder.enumType('InvoiceChargeType', {
  description: 'When a line is charged.',
  values: {
    standard: { description: 'Neither of the others.' },
    advance: { description: 'Before the span it pays for.' },
    true_up: { description: 'After a span in which a count rose.' },
  },
});

export const InvoiceStatusUpdate = builder.enumType('InvoiceStatusUpdate', {
  description: 'Statuses an outstanding invoice can be given manually.',
  values: {
    paid: { description: 'Settled outside the platform.' },
    void: { description: 'No longer wanted.' },
  } as const,
});
