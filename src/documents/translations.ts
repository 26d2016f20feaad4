import type { Language } from '../domain/amount-text.ts';
import type { InvoiceStatus } from '../domain/enums.ts';
import { lineText as english } from '../domain/invoicing/line-texts/en.ts';
import { lineText as spanish } from '../domain/invoicing/line-texts/es.ts';
import type { StoredLine } from '../domain/invoicing/line-texts/line-text.ts';
import type { TaxName } from './tax-names.ts';

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
  readonly paidWith: string;
  readonly card: (brand: string, last4: string) => string;
  readonly corrects: string;
  readonly corrected: (number: string, date: string) => string;
  readonly poNumber: string;
  readonly reference: string;
  readonly description: string;
  readonly quantity: string;
  readonly unitPrice: string;
  readonly amount: string;
  /** What a line says, which is stored in English. */
  readonly line: (line: StoredLine) => string;
  readonly beyond: (overage: string, included: string) => string;
  readonly used: (used: string) => string;
  readonly subtotal: string;
  readonly discounts: string;
  readonly credits: string;
  readonly taxes: { readonly [name in TaxName]: string };
  readonly taxOn: (tax: string, rate: string, base: string) => string;
  readonly reverseCharge: string;
  readonly total: string;
  readonly amountDue: string;
  readonly pay: string;
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
    paidWith: 'Paid with',
    card: (brand, last4) => `${brand} ending in ${last4}`,
    corrects: 'Corrects',
    corrected: (number, date) => `Invoice ${number} of ${date}`,
    poNumber: 'PO number',
    reference: 'Reference',
    description: 'Description',
    quantity: 'Quantity',
    unitPrice: 'Unit price',
    amount: 'Amount',
    line: english,
    beyond: (overage, included) => `${overage} beyond ${included} included`,
    used: (used) => `${used} used in all`,
    subtotal: 'Subtotal',
    discounts: 'Discounts',
    credits: 'Credits',
    taxes: { vat: 'VAT', gst: 'GST', sales: 'Sales tax', consumption: 'Consumption tax', other: 'Tax' },
    taxOn: (tax, rate, base) => `${tax} ${rate} on ${base}`,
    reverseCharge: 'Reverse charge: the recipient is liable for the tax.',
    total: 'Total',
    amountDue: 'Amount due',
    pay: 'Pay this invoice online',
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
    period: 'Periodo',
    paidOn: 'Fecha de pago',
    paidWith: 'Pagada con',
    card: (brand, last4) => `${brand} terminada en ${last4}`,
    corrects: 'Rectifica',
    corrected: (number, date) => `Factura ${number} del ${date}`,
    poNumber: 'Orden de compra',
    reference: 'Referencia',
    description: 'Descripción',
    quantity: 'Cantidad',
    unitPrice: 'Precio unitario',
    amount: 'Importe',
    line: spanish,
    beyond: (overage, included) => `${overage} por encima de ${included} incluidas`,
    used: (used) => `${used} usadas en total`,
    subtotal: 'Subtotal',
    discounts: 'Descuentos',
    credits: 'Créditos',
    taxes: {
      vat: 'IVA',
      gst: 'GST',
      sales: 'Impuesto sobre ventas',
      consumption: 'Impuesto al consumo',
      other: 'Impuestos',
    },
    taxOn: (tax, rate, base) => `${tax} ${rate} sobre ${base}`,
    reverseCharge: 'Inversión del sujeto pasivo: el destinatario es responsable del impuesto.',
    total: 'Total',
    amountDue: 'Importe a pagar',
    pay: 'Pagar esta factura en línea',
    marks: { paid: 'PAGADA', void: 'ANULADA', uncollectible: 'INCOBRABLE' },
    sandbox: 'Emitida en el entorno de pruebas: no es una solicitud de pago.',
    page: (page, pages) => `Página ${page} de ${pages}`,
  },
};
