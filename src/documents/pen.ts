import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import PDFDocument from 'pdfkit';
import { drawnWords, readable, wrapped } from './text.ts';

/** The sheet: A4 in points, with the same margin on all sides. */
export const sheet = { width: 595.28, height: 841.89, margin: 50 } as const;

/** Where text stands: at most `width` points wide, beginning or ending at its edge. */
export type Column = { readonly x: number; readonly width: number; readonly align: 'left' | 'right' };

/** How text looks. */
export type Face = { readonly size: number; readonly bold?: true; readonly color?: string };

const lineHeight = 1.35;
const ink = '#1c1c1c';

// DejaVu Sans: Latin, Greek, Cyrillic, Hebrew and Arabic, and many symbols. Read at the first document.
let fonts: { readonly regular: Buffer; readonly bold: Buffer } | null = null;

function loadFonts(): { readonly regular: Buffer; readonly bold: Buffer } {
  const { resolve } = createRequire(import.meta.url);
  const read = (name: string): Buffer => readFileSync(resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`));
  fonts ??= { regular: read('DejaVuSans'), bold: read('DejaVuSans-Bold') };
  return fonts;
}

/** Puts text and shapes on sheets. Distances are points from the left and the top of the sheet. */
export class Pen {
  readonly #pdf: PDFKit.PDFDocument;

  /** `createdAt` is when the file says it was made; nothing in it depends on when it is. */
  constructor(title: string, language: string, createdAt: Date) {
    const info = { Title: title, CreationDate: createdAt, ModDate: createdAt, Producer: 'Quittance', Creator: 'Quittance' };
    this.#pdf = new PDFDocument({ size: 'A4', margin: sheet.margin, bufferPages: true, autoFirstPage: false, lang: language, info });
    const { regular, bold } = loadFonts();
    this.#pdf.registerFont('regular', regular).registerFont('bold', bold);
  }

  /** Begins another sheet. */
  addSheet(): void {
    this.#pdf.addPage();
  }

  /** How many points a line of this face is high. */
  lineOf = ({ size }: Face): number => size * lineHeight;

  /** The lines a text takes in a column. */
  linesOf(text: string, { width }: Pick<Column, 'width'>, face: Face): string[] {
    const pdf = this.#use(face);
    // What pdfkit knows of an embedded font is not among its types.
    const { font } = (pdf as unknown as { _font: { font: { hasGlyphForCodePoint: (code: number) => boolean } } })._font;
    const shown = readable(text, (code) => font.hasGlyphForCodePoint(code));
    return wrapped(shown, width, (part) => pdf.widthOfString(part));
  }

  /** Writes lines one below the other and answers where the next one would stand. */
  write(lines: readonly string[], column: Column, top: number, face: Face): number {
    const pdf = this.#use(face);
    let y = top;
    for (const line of lines) {
      const x = column.align === 'left' ? column.x : column.x + column.width - pdf.widthOfString(line);
      this.#writeLine(line, x, y);
      y += this.lineOf(face);
    }
    return y;
  }

  /** Wraps a text into the column and writes it; answers where the next line would stand. */
  writeText(text: string, column: Column, top: number, face: Face): number {
    return this.write(this.linesOf(text, column, face), column, top, face);
  }

  /** Draws a bar of full text width. */
  bar(top: number, height: number, color: string): void {
    this.#pdf.rect(sheet.margin, top, sheet.width - 2 * sheet.margin, height).fill(color);
  }

  /** Visits every sheet again, from 1 on, with how many there are. */
  eachSheet(visit: (page: number, pages: number) => void): void {
    const { count } = this.#pdf.bufferedPageRange();
    for (let index = 0; index < count; index++) {
      this.#pdf.switchToPage(index);
      visit(index + 1, count);
    }
  }

  /** Ends the document and answers its bytes. */
  async end(): Promise<Buffer> {
    const chunks: Buffer[] = [];
    this.#pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    const ended = new Promise<void>((resolve, reject) => {
      this.#pdf.on('end', resolve).on('error', reject);
    });
    this.#pdf.end();
    await ended;
    return Buffer.concat(chunks);
  }

  /** A line of one direction is one text. Otherwise words are placed one by one: pdfkit would put the space between two on the wrong side. */
  #writeLine(line: string, left: number, top: number): void {
    const space = this.#pdf.widthOfString(' ');
    let x = left;
    for (const text of drawnWords(line)) {
      this.#pdf.text(text, x, top, { lineBreak: false });
      x += this.#pdf.widthOfString(text) + space;
    }
  }

  #use({ size, bold, color = ink }: Face): PDFKit.PDFDocument {
    return this.#pdf
      .font(bold === true ? 'bold' : 'regular')
      .fontSize(size)
      .fillColor(color);
  }
}
