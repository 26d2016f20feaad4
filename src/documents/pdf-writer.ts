import type { Font } from 'fontkit';
import PDFDocument from 'pdfkit';
import { type Fonts, fontRuns, type PartName, type Weight } from './fonts.ts';
import { isTurnedByFont, readable, stretches, turned, wrapped } from './text.ts';

/** The sheet: A4 in points, with the same margin on all sides. */
export const sheet = { width: 595.28, height: 841.89, margin: 50 } as const;

/** Where text stands: at most `width` points wide, beginning or ending at its edge. */
export type Column = { readonly x: number; readonly width: number; readonly align: 'left' | 'right' };

/** How text looks. */
export type Face = { readonly size: number; readonly bold?: true; readonly color?: string };

/** A text that is drawn at once: in one font and one direction. */
type Piece = { readonly text: string; readonly part: PartName; readonly isTurned: boolean };

const lineHeight = 1.35;
const ink = '#1c1c1c';
/** How far the line the emails stand on lies below the top of a line, by size: that of the base font, for all fonts. */
const ascent = 0.928;

const weightOf = ({ bold }: Face): Weight => (bold === true ? 'bold' : 'regular');

/** Puts text and shapes on sheets. Distances are points from the left and the top of the sheet. */
export class PdfWriter {
  readonly #pdf: PDFKit.PDFDocument;
  readonly #fonts: Fonts;
  readonly #registered = new Set<string>();

  /** `createdAt` is when the file says it was made; nothing in it depends on when it is. `fonts` are ready for all that is written. */
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

  /** Begins another sheet. */
  addSheet(): void {
    this.#pdf.addPage();
  }

  /** How many points a line of this face is high. */
  lineOf = ({ size }: Face): number => size * lineHeight;

  /** The lines a text takes in a column. */
  linesOf(text: string, { width }: Pick<Column, 'width'>, face: Face): string[] {
    this.#use(face);
    return wrapped(readable(text), width, (part) => this.#widthOf(part, face));
  }

  /** Writes lines one below the other and answers where the next one would stand. */
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

  /** Wraps a text into the column and writes it; answers where the next line would stand. */
  writeText(text: string, column: Column, top: number, face: Face): number {
    return this.write(this.linesOf(text, column, face), column, top, face);
  }

  /** Lays a link over a rectangle of this width and height. */
  link(x: number, top: number, width: number, height: number, url: string): void {
    this.#pdf.link(x, top, width, height, url);
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

  #writeLine(line: string, left: number, baseline: number, face: Face): void {
    let x = left;
    for (const piece of this.#piecesOf(line)) {
      this.#select(piece.part, face);
      // pdfkit lays out word by word, which would leave words that run from right to left in the order of the others, unless it has features.
      const options = piece.isTurned ? { features: [] } : {};
      this.#pdf.text(piece.text, x, baseline, { lineBreak: false, baseline: 'alphabetic', ...options });
      x += this.#pdf.widthOfString(piece.text, options);
    }
  }

  /** A line in pieces, from left to right as they stand on the sheet. */
  #piecesOf(line: string): Piece[] {
    return stretches(line).flatMap(({ text, rightToLeft }) => {
      const runs = fontRuns(text, this.#fonts.style);
      if (!rightToLeft) return runs.map((run) => ({ ...run, isTurned: false }));
      return runs.toReversed().map(({ text: part, ...run }) => {
        const isTurned = isTurnedByFont(part);
        return { ...run, text: isTurned ? part : turned(part), isTurned };
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
      // pdfkit takes a font that was read before, so that documents share it; its types know files only.
      this.#pdf.registerFont(name, this.#fonts.fontOf(part, weight) as Font & Buffer);
      this.#registered.add(name);
    }
    this.#pdf.font(name);
  }
}
