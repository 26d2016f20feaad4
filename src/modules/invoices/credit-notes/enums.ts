import { builder } from '../../../graphql/reading/builder.ts';

export const CreditNoteReason = builder.enumType('CreditNoteReason', {
  description: 'Reason a credit note was issued.',
  values: {
    refund: { description: 'A payment of the invoice was refunded.' },
    void: { description: 'The invoice was voided after it was sent or became due.' },
    adjustment: { description: 'A negative adjustment credited the invoice.' },
  },
});
