/** Thrown for an invoice whose total or one of whose lines exceeds the largest allowed amount (GLO-14a). */
export class NotBillableError extends Error {
  constructor(description: string | null) {
    super(
      description === null
        ? 'The total of the line items exceeds the maximum invoice total.'
        : `The line item “${description}” exceeds the maximum invoice total.`,
    );
  }
}
