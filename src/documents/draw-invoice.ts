import type { DocumentLine, Entry, InvoiceDocument } from './invoice-document.ts';
import { type Column, type Face, Pen, sheet } from './pen.ts';

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

const labels: Column = { x: right - 260, width: 155, align: 'right' };

/** The issuer and the title at the top of the first sheet. */
function drawHead(pen: Pen, { issuer, title, mark, accentColor }: InvoiceDocument): number {
  pen.bar(sheet.margin, 4, accentColor);
  const top = sheet.margin + 20;
  const [name = '', ...rest] = issuer;
  let y = pen.writeText(name, halves.left, top, { size: 12, bold: true });
  for (const line of rest) y = pen.writeText(line, halves.left, y, small);
  let titleEnd = pen.writeText(title, halves.right, top, { size: 18, bold: true, color: accentColor });
  if (mark !== null) titleEnd = pen.writeText(mark, halves.right, titleEnd, { size: 11, bold: true });
  return Math.max(y, titleEnd) + 20;
}

/** Who is billed beside the facts of the invoice. */
function drawParties(pen: Pen, document: InvoiceDocument, top: number): number {
  let y = pen.writeText(document.customerLabel, halves.left, top, small);
  for (const [index, line] of document.customer.entries()) y = pen.writeText(line, halves.left, y, index === 0 ? strong : body);
  let factsEnd = top;
  for (const { label, text } of document.facts) factsEnd = drawEntry(pen, { label, text }, factsEnd, body);
  return Math.max(y, factsEnd) + 24;
}

/** A label and its text on the right of the sheet; both may take several lines. */
function drawEntry(pen: Pen, { label, text }: Entry, top: number, face: Face): number {
  const wide: Column = { x: right - 140, width: 140, align: 'right' };
  const labelColumn: Column = { x: wide.x - 105, width: 100, align: 'left' };
  return Math.max(pen.writeText(label, labelColumn, top, small), pen.writeText(text, wide, top, face));
}

function drawColumns(pen: Pen, { columns: titles, accentColor }: InvoiceDocument, top: number): number {
  const face = { ...small, bold: true } as const;
  const ends = [
    pen.writeText(titles.description, columns.description, top, face),
    pen.writeText(titles.quantity, columns.quantity, top, face),
    pen.writeText(titles.unitPrice, columns.unitPrice, top, face),
    pen.writeText(titles.amount, columns.amount, top, face),
  ];
  const y = Math.max(...ends);
  pen.bar(y + 2, 1, accentColor);
  return y + 9;
}

type Cells = { readonly [column in keyof typeof columns | 'detail']: readonly string[] };

const cellsOf = (pen: Pen, line: DocumentLine): Cells => ({
  description: pen.linesOf(line.description, columns.description, body),
  detail: line.detail === null ? [] : pen.linesOf(line.detail, columns.description, small),
  quantity: pen.linesOf(line.quantity, columns.quantity, body),
  unitPrice: pen.linesOf(line.unitPrice, columns.unitPrice, body),
  amount: pen.linesOf(line.amount, columns.amount, body),
});

function heightOf(pen: Pen, { description, detail, ...numbers }: Cells): number {
  const text = description.length * pen.lineOf(body) + detail.length * pen.lineOf(small);
  return Math.max(text, ...Object.values(numbers).map((lines) => lines.length * pen.lineOf(body)));
}

function drawCells(pen: Pen, cells: Cells, top: number): void {
  const y = pen.write(cells.description, columns.description, top, body);
  pen.write(cells.detail, columns.description, y, small);
  for (const name of ['quantity', 'unitPrice', 'amount'] as const) pen.write(cells[name], columns[name], top, body);
}

/** The rows, on as many sheets as they need, each beginning with the titles of the columns. */
function drawLines(pen: Pen, document: InvoiceDocument, top: number): number {
  let y = drawColumns(pen, document, top);
  for (const line of document.lines) {
    const cells = cellsOf(pen, line);
    const height = heightOf(pen, cells);
    if (y + height > bottom) {
      pen.addSheet();
      y = drawColumns(pen, document, sheet.margin);
    }
    drawCells(pen, cells, y);
    y += height + 5;
    pen.bar(y, 0.5, rule);
    y += 5;
  }
  return y;
}

/** The sums, kept together on one sheet; the last one is what is left to pay. */
function drawTotals(pen: Pen, { totals }: InvoiceDocument, top: number): number {
  let y = roomFor(pen, totals.length * pen.lineOf(strong) * 1.3, top + 6);
  for (const [index, { label, text }] of totals.entries()) {
    const face = index >= totals.length - 2 ? strong : body;
    const end = pen.writeText(label, labels, y, face);
    y = Math.max(end, pen.writeText(text, columns.amount, y, face)) + 2;
  }
  return y;
}

/** Where something of this height begins: here, or at the top of another sheet when it does not fit. */
function roomFor(pen: Pen, height: number, top: number): number {
  if (top + height <= bottom) return top;
  pen.addSheet();
  return sheet.margin;
}

function drawNotes(pen: Pen, { notes }: InvoiceDocument, top: number): void {
  const column: Column = { x: left, width: right - left, align: 'left' };
  let y = top + 20;
  for (const line of notes.flatMap((note) => [...pen.linesOf(note, column, small)])) {
    y = pen.write([line], column, roomFor(pen, pen.lineOf(small), y), small);
  }
}

/** Draws an invoice document as a PDF. The same document always gives the same bytes. */
export function drawInvoice(document: InvoiceDocument): Promise<Buffer> {
  const [number] = document.facts;
  const name = `${document.title} ${number?.text ?? ''}`;
  const pen = new Pen(name, document.language, document.createdAt);
  pen.addSheet();
  const head = drawHead(pen, document);
  const parties = drawParties(pen, document, head);
  drawNotes(pen, document, drawTotals(pen, document, drawLines(pen, document, parties)));
  pen.eachSheet((page, pages) => {
    pen.writeText(name, { ...halves.left, width: 300 }, bottom + 8, small);
    pen.writeText(document.pageLabel(page, pages), halves.right, bottom + 8, small);
  });
  return pen.end();
}
