import { JPG } from 'image-size/types/jpg';
import { PNG } from 'image-size/types/png';
import { WEBP } from 'image-size/types/webp';
import { validationError } from '../../../domain/errors/errors.ts';

/** Maximum size of an image, in bytes. */
const maxBytes = 200 * 1_024;

/** Maximum width and height of an image, in pixels. */
const maxSide = 4_096;

/** Maximum number of pixels. Browsers and mail clients use 4 bytes of memory per pixel, regardless of the file size. */
const maxPixels = 4_194_304;

/** Supported image formats, with functions that recognize their signature and read the image size. */
const formats = [
  { contentType: 'image/png', reader: PNG },
  { contentType: 'image/jpeg', reader: JPG },
  { contentType: 'image/webp', reader: WEBP },
] as const;

/** Image with its content type and its display size in pixels. */
export type Picture = {
  readonly contentType: (typeof formats)[number]['contentType'];
  readonly image: Uint8Array<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
};

const unacceptable = (message: string) => validationError([{ field: 'image', message }]);

/** First EXIF orientation value that swaps width and height. */
const firstUpright = 5;

/** Reads the type and size of an image. `null` if the type isn't supported or the header is invalid. */
function headOf(image: Uint8Array): Pick<Picture, 'contentType' | 'width' | 'height'> | null {
  // The functions that read the image size throw an error if bytes are missing or invalid.
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
 * Decodes a Base64 image. Throws `validation_error` if the Base64 or the image header is invalid, the image exceeds a limit, or the format
 * isn't PNG, JPEG, or WebP.
 */
export function readPicture(text: string): Picture {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) throw unacceptable('must be Base64');
  // Copy the bytes out of Node's shared pool, so that the reader can't read beyond the image.
  const image = new Uint8Array(Buffer.from(text, 'base64'));
  if (image.length > maxBytes) throw unacceptable(`must be at most ${maxBytes} bytes`);
  const head = headOf(image);
  if (head === null) throw unacceptable('must be a PNG, JPEG, or WebP image');
  const sides = [head.width, head.height];
  if (Math.min(...sides) < 1 || Math.max(...sides) > maxSide)
    throw unacceptable(`must be 1 to ${maxSide} pixels wide and high`);
  if (head.width * head.height > maxPixels) throw unacceptable(`must have at most ${maxPixels} pixels`);
  return { ...head, image };
}
