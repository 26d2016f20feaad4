/** The visible number of an invoice: `INV-` and the counter with at least four digits (BIL-27). */
export const invoiceNumberText = (number: bigint): string => `INV-${number.toString().padStart(4, '0')}`;
