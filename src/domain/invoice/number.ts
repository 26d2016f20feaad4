/** The number of an invoice as people see it: `INV-` and the counter with at least four digits (BIL-27). */
export const invoiceNumberText = (number: bigint): string => `INV-${number.toString().padStart(4, '0')}`;
