import { crc32, deflateSync } from 'node:zlib';

// Small valid images in several formats.

/** Returns a PNG chunk: length, type, data, and checksum. */
function pngChunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** Returns a black PNG image of the given size. */
export function png(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Uses one bit per pixel in grayscale.
  head[8] = 1;
  const rows = Buffer.alloc((1 + Math.ceil(width / 8)) * Math.min(height, 10_000));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', head),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Red JPEG image of 60 × 40 pixels. */
export const jpeg = Buffer.from(
  '/9j/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAoADwDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFgEBAQEAAAAAAAAAAAAAAAAAAAME/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8AkAm2AAAAAAAAAAAAAAAAAAAAAAP/2Q==',
  'base64',
);

/**
 * The same JPEG image with Exif orientation 6, as from a camera held upright. Browsers draw the image 40 pixels wide and 60 pixels high.
 */
export const uprightJpeg = Buffer.concat([
  jpeg.subarray(0, 2),
  Buffer.from('ffe100224578696600004d4d002a00000008000101120003000000010006000000000000', 'hex'),
  jpeg.subarray(2),
]);

const lossyChunk = Buffer.from(
  'VlA4IEAAAACQAwCdASo8ACgAP3G41mO0rysmoqgCkC4JZwDR+Ad7tTxXLYUAAP7guX64WyzJ//4IL8QfqDUancVqu18UsQAA',
  'base64',
);
const losslessChunk = Buffer.from('VlA4TA8AAAAvO8AJAAcQ/Y/+ByKi/wEA', 'base64');
/** WebP chunk that defines a canvas of 60 × 40 pixels. The format stores each dimension minus one. */
const extendedChunk = Buffer.from('565038580a000000000000003b0000270000', 'hex');

function webp(...chunks: readonly Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from('RIFF', 'latin1'), length, body]);
}

/** Red WebP images of 60 × 40 pixels in each variant of the format. */
export const webps = {
  lossy: webp(lossyChunk),
  lossless: webp(losslessChunk),
  extended: webp(extendedChunk, lossyChunk),
} as const;
