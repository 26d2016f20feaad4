import { builder } from '../../graphql/builder.ts';

export const BilledDimension = builder.enumType('BilledDimension', {
  description: 'What billed amounts can be grouped by.',
  values: {
    plan: { description: 'The plan, as printed on the invoice.' },
    invoice_type: { description: 'The type of the invoice.' },
    line_type: { description: 'The type of the line.' },
    country: { description: 'The country of the payer, as printed on the invoice.' },
  } as const,
});

export const TaxCoverage = builder.enumType('TaxCoverage', {
  description: 'How far an organization is registered for tax in a country.',
  values: {
    none: { description: 'Not at all.' },
    regions: { description: 'In some states or provinces.' },
    country: { description: 'In the whole country.' },
  } as const,
});

export const RecoveryOutcome = builder.enumType('RecoveryOutcome', {
  description: 'What became of an invoice whose collection failed.',
  values: {
    recovered: { description: 'It was paid.' },
    exhausted: { description: 'The last attempt failed too.' },
    canceled: { description: 'The subscription was canceled before.' },
    voided: { description: 'The invoice was voided while the subscription went on.' },
    open: { description: 'It is still being collected.' },
  } as const,
});

export const RecoveryMaker = builder.enumType('RecoveryMaker', {
  description: 'Who made the attempt that recovered an invoice.',
  values: {
    retry: { description: 'An automatic attempt.' },
    customer: { description: 'The customer, on a page.' },
    hand: { description: 'The organization, by API or dashboard, or by marking the invoice as paid.' },
  } as const,
});
