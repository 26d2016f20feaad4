/** Formats the number of an invoice: `INV-` and at least 4 digits (BIL-27). */
export const invoiceNumberText = (number: bigint): string => `INV-${number.toString().padStart(4, '0')}`;
