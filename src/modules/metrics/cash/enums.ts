import { builder } from '../../../graphql/reading/builder.ts';

export const BilledDimension = builder.enumType('BilledDimension', {
  description: 'Dimension for grouping billed amounts.',
  values: {
    plan: { description: 'Grouped by plan, as printed on the invoice.' },
    invoice_type: { description: 'Grouped by invoice type.' },
    line_type: { description: 'Grouped by line item type.' },
    country: { description: "Grouped by the customer's country, as printed on the invoice." },
  } as const,
});

export const TaxCoverage = builder.enumType('TaxCoverage', {
  description: "Extent of an organization's tax registration in a country.",
  values: {
    none: { description: 'The organization has no tax registration for the country.' },
    regions: { description: 'The organization is registered in some states or provinces.' },
    country: { description: 'The organization is registered in the whole country.' },
  } as const,
});

export const RecoveryOutcome = builder.enumType('RecoveryOutcome', {
  description: 'Outcome of an invoice after its first failed payment.',
  values: {
    recovered: { description: 'The invoice was paid.' },
    exhausted: { description: 'All payment retries failed.' },
    canceled: { description: 'The subscription was canceled before the invoice was paid.' },
    voided: { description: 'The invoice was voided, and the subscription continued.' },
    open: { description: 'The invoice is still being collected.' },
  } as const,
});

export const RecoveryMaker = builder.enumType('RecoveryMaker', {
  description: 'Origin of the payment attempt that recovered an invoice.',
  values: {
    retry: { description: 'The invoice was recovered by an automatic payment retry.' },
    customer: { description: 'The customer paid on a hosted page.' },
    hand: {
      description:
        'The organization charged the customer through the API or dashboard, or marked the invoice as paid.',
    },
  } as const,
});
