import { tagOf } from '../domain/text/language.ts';
import { type Fonts, loadFonts } from './fonts.ts';
import type { DocumentLine, Entry, InvoiceDocument } from './invoice-document.ts';
import { type Column, type Face, PdfWriter, sheet } from './pdf-writer.ts';
import { readable } from './text.ts';

const body: Face = { size: 9 };
const strong: Face = { size: 9, bold: true };
const small: Face = { size: 7.5, color: '#5c5c5c' };

const left = sheet.margin;
const right = sheet.width - sheet.margin;
const bottom = sheet.height - sheet.margin - 20;
const rule = '#d8d8d8';

const halves = {
  left: { x: left, width: 235, align: 'left' },
  right: { x: right - 235, width: 235, align: 'right' },
} as const satisfies Record<string, Column>;

const columns = {
  description: { x: left, width: 235, align: 'left' },
  quantity: { x: left + 245, width: 60, align: 'right' },
  unitPrice: { x: left + 310, width: 85, align: 'right' },
  amount: { x: right - 95, width: 95, align: 'right' },
} as const satisfies Record<string, Column>;

const labels: Column = { x: right - 345, width: 240, align: 'right' };

/** Draws the issuer and the title at the top of the first page. */
function drawHead(writer: PdfWriter, { issuer, title, mark, accentColor }: InvoiceDocument): number {
  writer.bar(sheet.margin, 4, accentColor);
  const top = sheet.margin + 20;
  const [name = '', ...rest] = issuer;
  let y = writer.writeText(name, halves.left, top, { size: 12, bold: true });
  for (const line of rest) y = writer.writeText(line, halves.left, y, small);
  let titleEnd = writer.writeText(title, halves.right, top, { size: 18, bold: true, color: accentColor });
  if (mark !== null) titleEnd = writer.writeText(mark, halves.right, titleEnd, { size: 11, bold: true });
  return Math.max(y, titleEnd) + 20;
}

/** Draws the buyer next to the invoice details. */
function drawParties(writer: PdfWriter, document: InvoiceDocument, top: number): number {
  let y = writer.writeText(document.customerLabel, halves.left, top, small);
  for (const [index, line] of document.customer.entries())
    y = writer.writeText(line, halves.left, y, index === 0 ? strong : body);
  let detailsEnd = top;
  for (const { label, text } of document.details)
    detailsEnd = drawEntry(writer, { label, text }, detailsEnd, body);
  return Math.max(y, detailsEnd) + 24;
}

/** Draws a label and its text at the right margin. Both can have several lines. */
function drawEntry(writer: PdfWriter, { label, text }: Entry, top: number, face: Face): number {
  const wide: Column = { x: right - 165, width: 165, align: 'right' };
  const labelColumn: Column = { x: wide.x - 90, width: 85, align: 'left' };
  return Math.max(writer.writeText(label, labelColumn, top, small), writer.writeText(text, wide, top, face));
}

function drawColumns(
  writer: PdfWriter,
  { columns: titles, accentColor }: InvoiceDocument,
  top: number,
): number {
  const face = { ...small, bold: true } as const;
  const ends = [
    writer.writeText(titles.description, columns.description, top, face),
    writer.writeText(titles.quantity, columns.quantity, top, face),
    writer.writeText(titles.unitPrice, columns.unitPrice, top, face),
    writer.writeText(titles.amount, columns.amount, top, face),
  ];
  const y = Math.max(...ends);
  writer.bar(y + 2, 1, accentColor);
  return y + 9;
}

type Cells = { readonly [column in keyof typeof columns | 'detail']: readonly string[] };

const cellsOf = (writer: PdfWriter, line: DocumentLine): Cells => ({
  description: writer.linesOf(line.description, columns.description, body),
  detail: line.detail === null ? [] : writer.linesOf(line.detail, columns.description, small),
  quantity: writer.linesOf(line.quantity, columns.quantity, body),
  unitPrice: writer.linesOf(line.unitPrice, columns.unitPrice, body),
  amount: writer.linesOf(line.amount, columns.amount, body),
});

function heightOf(writer: PdfWriter, { description, detail, ...numbers }: Cells): number {
  const text = description.length * writer.lineOf(body) + detail.length * writer.lineOf(small);
  return Math.max(text, ...Object.values(numbers).map((lines) => lines.length * writer.lineOf(body)));
}

function drawCells(writer: PdfWriter, cells: Cells, top: number): void {
  const y = writer.write(cells.description, columns.description, top, body);
  writer.write(cells.detail, columns.description, y, small);
  for (const name of ['quantity', 'unitPrice', 'amount'] as const)
    writer.write(cells[name], columns[name], top, body);
}

/** Draws the line items. Repeats the column titles on each page. */
function drawLines(writer: PdfWriter, document: InvoiceDocument, top: number): number {
  let y = drawColumns(writer, document, top);
  for (const line of document.lines) {
    const cells = cellsOf(writer, line);
    const height = heightOf(writer, cells);
    if (y + height > bottom) {
      writer.addSheet();
      y = drawColumns(writer, document, sheet.margin);
    }
    drawCells(writer, cells, y);
    y += height + 5;
    writer.bar(y, 0.5, rule);
    y += 5;
  }
  return y;
}

/** Draws the totals on a single page. The last total is the amount due. */
function drawTotals(writer: PdfWriter, { totals }: InvoiceDocument, top: number): number {
  let y = roomFor(writer, totals.length * writer.lineOf(strong) * 1.3, top + 6);
  for (const [index, { label, text }] of totals.entries()) {
    const face = index >= totals.length - 2 ? strong : body;
    const end = writer.writeText(label, labels, y, face);
    y = Math.max(end, writer.writeText(text, columns.amount, y, face)) + 2;
  }
  return y;
}

/**
 * Returns the top position for a block of the given height. Adds a page if the block doesn't fit on the current page.
 */
function roomFor(writer: PdfWriter, height: number, top: number): number {
  if (top + height <= bottom) return top;
  writer.addSheet();
  return sheet.margin;
}

/** Draws the payment link below the totals. */
function drawPayLink(writer: PdfWriter, { payLink, accentColor }: InvoiceDocument, top: number): number {
  if (payLink === null) return top;
  const face = { ...strong, color: accentColor } as const;
  const column: Column = { x: right - 345, width: 345, align: 'right' };
  const y = roomFor(writer, writer.lineOf(face), top + 6);
  const end = writer.writeText(payLink.label, column, y, face);
  writer.link(column.x, y, column.width, end - y, payLink.url);
  return end;
}

function drawNotes(writer: PdfWriter, { notes }: InvoiceDocument, top: number): void {
  const column: Column = { x: left, width: right - left, align: 'left' };
  let y = top + 20;
  for (const line of notes.flatMap((note) => [...writer.linesOf(note, column, small)])) {
    y = writer.write([line], column, roomFor(writer, writer.lineOf(small), y), small);
  }
}

/** Loads the fonts for all text in a document. Names of the parties and totals are bold. */
function fontsFor({
  issuer,
  customer,
  title,
  details,
  lines,
  totals,
  notes,
  hanStyle,
}: InvoiceDocument): Promise<Fonts> {
  const regular = [
    ...[...issuer, ...customer, title, ...notes],
    ...[...details, ...totals].flatMap(({ label, text }) => [label, text]),
    ...lines.flatMap(({ detail, ...texts }) => [...Object.values(texts), detail ?? '']),
  ];
  const bold = [issuer[0] ?? '', customer[0] ?? '', ...totals.flatMap(({ label, text }) => [label, text])];
  return loadFonts({ regular: regular.map(readable), bold: bold.map(readable) }, hanStyle);
}

/** Renders an invoice or credit note as a PDF. The same content always produces the same bytes. */
export async function drawInvoice(document: InvoiceDocument): Promise<Buffer> {
  const [number] = document.details;
  const name = `${document.title} ${number?.text ?? ''}`;
  const writer = new PdfWriter(name, tagOf(document.language), document.createdAt, await fontsFor(document));
  writer.addSheet();
  const head = drawHead(writer, document);
  const parties = drawParties(writer, document, head);
  const totals = drawTotals(writer, document, drawLines(writer, document, parties));
  drawNotes(writer, document, drawPayLink(writer, document, totals));
  writer.eachSheet((page, pages) => {
    writer.writeText(name, { ...halves.left, width: 300 }, bottom + 8, small);
    writer.writeText(document.pageLabel({ page, pages }), halves.right, bottom + 8, small);
  });
  return writer.end();
}
