import { inflateSync } from 'node:zlib';

// Extracts text from PDFs created by pdfkit, using the glyph mappings of their fonts.

type Stored = { readonly head: string; readonly data: string };

/** Text on a page. Coordinates are in points from the bottom left corner. */
export type PlacedText = { readonly text: string; readonly x: number; readonly y: number };

function objectsOf(bytes: Buffer): ReadonlyMap<string, Stored> {
  const file = bytes.toString('latin1');
  const objects = new Map<string, Stored>();
  for (const [, id = '', body = ''] of file.matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const [head = '', stream] = body.split(/\nstream\n/, 2);
    const raw =
      stream === undefined ? Buffer.alloc(0) : Buffer.from(stream.replace(/\nendstream$/, ''), 'latin1');
    const data = head.includes('/FlateDecode') ? inflateSync(raw) : raw;
    objects.set(id, { head, data: data.toString('latin1') });
  }
  return objects;
}

const signOf = (hex: string): string => Buffer.from(hex, 'hex').swap16().toString('utf16le');

/** Returns the mapping of glyph numbers to characters in a PDF font. */
function signsOf(table: string): ReadonlyMap<number, string> {
  const signs = new Map<number, string>();
  for (const [, first = '', list = ''] of table.matchAll(/<(\w+)> <\w+> \[([^\]]*)\]/g)) {
    for (const [index, [, hex = '']] of [...list.matchAll(/<([\w ]*)>/g)].entries())
      signs.set(Number.parseInt(first, 16) + index, signOf(hex.replaceAll(' ', '')));
  }
  return signs;
}

const reference = (head: string, name: string): string =>
  new RegExp(`/${name} (\\d+) 0 R`).exec(head)?.[1] ?? '';

/** Returns the strings on each page with their positions, in drawing order. */
export function readPdf(bytes: Buffer): PlacedText[][] {
  const objects = objectsOf(bytes);
  const at = (id: string): Stored => objects.get(id) ?? { head: '', data: '' };
  const [, kids = ''] =
    [...objects.values()]
      .map(({ head }) => /\/Kids \[([^\]]*)\]/.exec(head))
      .find((found) => found !== null) ?? [];
  return [...kids.matchAll(/(\d+) 0 R/g)].map(([, id = '']) => {
    const page = at(id);
    const resources = at(reference(page.head, 'Resources')).head;
    const fonts = new Map(
      [...resources.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(
        ([, name = '', font = '']) =>
          [name, signsOf(at(reference(at(font).head, 'ToUnicode')).data)] as const,
      ),
    );
    const blocks = at(reference(page.head, 'Contents')).data.matchAll(/BT\n([\s\S]*?)ET/g);
    return [...blocks].map(([, block = '']) => {
      const signs = fonts.get(/\/(F\d+) /.exec(block)?.[1] ?? '') ?? new Map<number, string>();
      const [, x, y] = /1 0 0 1 ([\d.-]+) ([\d.-]+) Tm/.exec(block) ?? [];
      const glyphs = [...block.matchAll(/<([0-9a-f]+)>/g)].flatMap(
        ([, hex = '']) => hex.match(/.{4}/g) ?? [],
      );
      return {
        text: glyphs.map((glyph) => signs.get(Number.parseInt(glyph, 16)) ?? '?').join(''),
        x: Number(x),
        y: Number(y),
      };
    });
  });
}

/** Returns the strings on each page without their positions. */
export const textsOf = (bytes: Buffer): string[][] =>
  readPdf(bytes).map((page) => page.map(({ text }) => text));
