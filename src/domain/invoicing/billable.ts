/** Thrown if the total or a line of an invoice exceeds the largest allowed amount (GLO-14a). */
export class NotBillableError extends Error {
  constructor(description: string | null) {
    super(
      description === null
        ? 'The total of the line items exceeds the maximum invoice total. Reduce the quantities or prices.'
        : `The line item “${description}” exceeds the maximum invoice total.`,
    );
  }
}
