import type { Font } from 'fontkit';
import PDFDocument from 'pdfkit';
import { type Fonts, fontRuns, type PartName, type Weight } from './fonts.ts';
import { isReversedByFont, readable, reversed, stretches, wrapped } from './text.ts';

/** Page size (A4) and margin in points. */
export const sheet = { width: 595.28, height: 841.89, margin: 50 } as const;

/** Horizontal position of text in points. Text is wrapped at `width` and aligned to a side. */
export type Column = { readonly x: number; readonly width: number; readonly align: 'left' | 'right' };

export type Face = { readonly size: number; readonly bold?: true; readonly color?: string };

/** Text that is drawn with one font and in one direction. */
type Piece = { readonly text: string; readonly part: PartName; readonly isReversed: boolean };

const lineHeight = 1.35;
const ink = '#1c1c1c';
/** Distance from the top of a line to its baseline, relative to the font size. Taken from the base font and used for all fonts. */
const ascent = 0.928;

const weightOf = ({ bold }: Face): Weight => (bold === true ? 'bold' : 'regular');

/** Draws text and shapes on pages. Distances are in points from the top left corner. */
export class PdfWriter {
  readonly #pdf: PDFKit.PDFDocument;
  readonly #fonts: Fonts;
  readonly #registered = new Set<string>();

  /** `createdAt` is written to the file's metadata. `fonts` must contain all characters to draw. */
  constructor(title: string, language: string, createdAt: Date, fonts: Fonts) {
    const info = {
      Title: title,
      CreationDate: createdAt,
      ModDate: createdAt,
      Producer: 'Quittance',
      Creator: 'Quittance',
    };
    this.#pdf = new PDFDocument({
      size: 'A4',
      margin: sheet.margin,
      bufferPages: true,
      autoFirstPage: false,
      lang: language,
      displayTitle: true,
      info,
    });
    this.#fonts = fonts;
  }

  addSheet(): void {
    this.#pdf.addPage();
  }

  /** Returns the line height in points. */
  lineOf = ({ size }: Face): number => size * lineHeight;

  /** Wraps a string to the column's width and returns the lines. */
  linesOf(text: string, { width }: Pick<Column, 'width'>, face: Face): string[] {
    this.#use(face);
    return wrapped(readable(text), width, (part) => this.#widthOf(part, face));
  }

  /** Writes lines and returns the position of the next line. */
  write(lines: readonly string[], column: Column, top: number, face: Face): number {
    let y = top;
    for (const line of lines) {
      this.#use(face);
      const x = column.align === 'left' ? column.x : column.x + column.width - this.#widthOf(line, face);
      this.#writeLine(line, x, y + ascent * face.size, face);
      y += this.lineOf(face);
    }
    return y;
  }

  /** Wraps and writes a string. Returns the position of the next line. */
  writeText(text: string, column: Column, top: number, face: Face): number {
    return this.write(this.linesOf(text, column, face), column, top, face);
  }

  link(x: number, top: number, width: number, height: number, url: string): void {
    this.#pdf.link(x, top, width, height, url);
  }

  /** Draws a bar across the width between the margins. */
  bar(top: number, height: number, color: string): void {
    this.#pdf.rect(sheet.margin, top, sheet.width - 2 * sheet.margin, height).fill(color);
  }

  /** Calls `visit` for each page with the page number, starting at 1, and the number of pages. */
  eachSheet(visit: (page: number, pages: number) => void): void {
    const { count } = this.#pdf.bufferedPageRange();
    for (let index = 0; index < count; index++) {
      this.#pdf.switchToPage(index);
      visit(index + 1, count);
    }
  }

  /** Completes the document and returns its bytes. */
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

  #writeLine(line: string, left: number, baseline: number, face: Face): void {
    let x = left;
    for (const piece of this.#piecesOf(line)) {
      this.#select(piece.part, face);
      // If no font features are passed, pdfkit lays out each word separately, which reverses the word order of right-to-left text.
      const options = piece.isReversed ? { features: [] } : {};
      this.#pdf.text(piece.text, x, baseline, { lineBreak: false, baseline: 'alphabetic', ...options });
      x += this.#pdf.widthOfString(piece.text, options);
    }
  }

  /** Splits a line into pieces, in visual order from left to right. */
  #piecesOf(line: string): Piece[] {
    return stretches(line).flatMap(({ text, rightToLeft }) => {
      const runs = fontRuns(text, this.#fonts.style);
      if (!rightToLeft) return runs.map((run) => ({ ...run, isReversed: false }));
      return runs.toReversed().map(({ text: part, ...run }) => {
        const isReversed = isReversedByFont(part);
        return { ...run, text: isReversed ? part : reversed(part), isReversed };
      });
    });
  }

  #widthOf(text: string, face: Face): number {
    return fontRuns(text, this.#fonts.style).reduce((width, run) => {
      this.#select(run.part, face);
      return width + this.#pdf.widthOfString(run.text);
    }, 0);
  }

  #use({ size, color = ink }: Face): void {
    this.#pdf.fontSize(size).fillColor(color);
  }

  #select(part: PartName, face: Face): void {
    const weight = weightOf(face);
    const name = `${part} ${weight}`;
    if (!this.#registered.has(name)) {
      // pdfkit accepts a loaded font, although its types don't allow one. Documents share the loaded fonts.
      this.#pdf.registerFont(name, this.#fonts.fontOf(part, weight) as Font & Buffer);
      this.#registered.add(name);
    }
    this.#pdf.font(name);
  }
}
