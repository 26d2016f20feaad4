import type { InvoiceStatus } from '../domain/words.ts';
import type { Language } from './format.ts';

/** Every fixed word of an invoice document. */
export type DocumentWords = {
  readonly invoice: string;
  readonly creditNote: string;
  readonly billTo: string;
  readonly taxId: string;
  readonly number: string;
  readonly issued: string;
  readonly due: string;
  readonly period: string;
  readonly paidOn: string;
  readonly poNumber: string;
  readonly reference: string;
  readonly description: string;
  readonly quantity: string;
  readonly unitPrice: string;
  readonly amount: string;
  readonly used: (used: string, included: string) => string;
  readonly subtotal: string;
  readonly discounts: string;
  readonly credits: string;
  readonly tax: string;
  readonly reverseCharge: string;
  readonly total: string;
  readonly amountDue: string;
  readonly marks: { readonly [status in InvoiceStatus]?: string };
  readonly sandbox: string;
  readonly page: (page: number, pages: number) => string;
};

/** The words of documents by language. */
export const documentWords: { readonly [language in Language]: DocumentWords } = {
  en: {
    invoice: 'Invoice',
    creditNote: 'Credit note',
    billTo: 'Bill to',
    taxId: 'Tax ID',
    number: 'Number',
    issued: 'Issued',
    due: 'Due',
    period: 'Period',
    paidOn: 'Paid on',
    poNumber: 'PO number',
    reference: 'Reference',
    description: 'Description',
    quantity: 'Quantity',
    unitPrice: 'Unit price',
    amount: 'Amount',
    used: (used, included) => `${used} used, ${included} included`,
    subtotal: 'Subtotal',
    discounts: 'Discounts',
    credits: 'Credits',
    tax: 'Tax',
    reverseCharge: 'Reverse charge: the recipient is liable for the tax.',
    total: 'Total',
    amountDue: 'Amount due',
    marks: { paid: 'PAID', void: 'VOID', uncollectible: 'UNCOLLECTIBLE' },
    sandbox: 'Made in the sandbox: not a demand for payment.',
    page: (page, pages) => `Page ${page} of ${pages}`,
  },
  es: {
    invoice: 'Factura',
    creditNote: 'Nota de crédito',
    billTo: 'Facturar a',
    taxId: 'Identificación fiscal',
    number: 'Número',
    issued: 'Fecha de emisión',
    due: 'Vencimiento',
    period: 'Período',
    paidOn: 'Fecha de pago',
    poNumber: 'Orden de compra',
    reference: 'Referencia',
    description: 'Descripción',
    quantity: 'Cantidad',
    unitPrice: 'Precio unitario',
    amount: 'Importe',
    used: (used, included) => `${used} usadas, ${included} incluidas`,
    subtotal: 'Subtotal',
    discounts: 'Descuentos',
    credits: 'Créditos',
    tax: 'Impuestos',
    reverseCharge: 'Inversión del sujeto pasivo: el destinatario es responsable del impuesto.',
    total: 'Total',
    amountDue: 'Importe a pagar',
    marks: { paid: 'PAGADA', void: 'ANULADA', uncollectible: 'INCOBRABLE' },
    sandbox: 'Emitida en el entorno de pruebas: no es una solicitud de pago.',
    page: (page, pages) => `Página ${page} de ${pages}`,
  },
};
