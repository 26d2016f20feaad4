import { JPG } from 'image-size/types/jpg';
import { PNG } from 'image-size/types/png';
import { WEBP } from 'image-size/types/webp';
import { validationError } from '../../domain/errors.ts';

/** The largest picture, in bytes. */
const maxBytes = 200 * 1_024;

/** The largest width and height, in pixels. */
const maxSide = 10_000;

/** The types of pictures that are taken, and what tells them by their first bytes and reads their size. */
const formats = [
  { contentType: 'image/png', reader: PNG },
  { contentType: 'image/jpeg', reader: JPG },
  { contentType: 'image/webp', reader: WEBP },
] as const;

/** A picture, its type, and its size in pixels as browsers draw it. */
export type Picture = {
  readonly contentType: (typeof formats)[number]['contentType'];
  readonly image: Uint8Array<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
};

const unacceptable = (message: string) => validationError([{ field: 'image', message }]);

/** From this orientation on a camera was held upright: what it wrote as rows are columns. */
const firstUpright = 5;

/** The type and size of a picture; null for another type, or where its head is broken. */
function headOf(image: Uint8Array): Pick<Picture, 'contentType' | 'width' | 'height'> | null {
  // The readers throw where bytes are missing or make no sense.
  try {
    const format = formats.find(({ reader }) => reader.validate(image));
    if (format === undefined) return null;
    const { width, height, orientation = 1 } = format.reader.calculate(image);
    const { contentType } = format;
    return orientation < firstUpright
      ? { contentType, width, height }
      : { contentType, width: height, height: width };
  } catch {
    return null;
  }
}

/**
 * Reads a picture in Base64. Throws `validation_error` for other text, for one that is too large, for other types than PNG, JPEG and WebP, and for one
 * whose head is broken.
 */
export function readPicture(text: string): Picture {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) throw unacceptable('must be Base64');
  // A copy of its own: nothing behind it can be read as its size.
  const image = new Uint8Array(Buffer.from(text, 'base64'));
  if (image.length > maxBytes) throw unacceptable(`must have at most ${maxBytes} bytes`);
  const head = headOf(image);
  if (head === null) throw unacceptable('must be a PNG, JPEG or WebP picture');
  const sides = [head.width, head.height];
  if (Math.min(...sides) < 1 || Math.max(...sides) > maxSide)
    throw unacceptable(`must be 1 to ${maxSide} pixels wide and high`);
  return { ...head, image };
}
