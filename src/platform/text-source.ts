import { readFile } from 'node:fs/promises';

/** Maximum time to receive the whole response, in milliseconds. */
const timeoutMs = 30_000;

/** Maximum size of the text that is read, in bytes. */
const maxBytes = 64 * 1_048_576;

/** Reads a response body up to the maximum size. Doesn't rely on the `Content-Length` header. */
async function bodyOf(response: Response, address: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > maxBytes) throw new Error(`${address} is longer than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Reads text from an HTTP(S) URL or a file. Throws if the text can't be read, the response has an error status or takes
 * more than 30 seconds, or the text exceeds 64 MiB.
 */
export async function readTextSource(where: string): Promise<string> {
  if (!/^https?:\/\//.test(where)) return readFile(where, 'utf8');
  const response = await fetch(where, {
    signal: AbortSignal.timeout(timeoutMs),
    headers: { accept: 'application/json' },
  });
  if (!response.ok) throw new Error(`${where} answered ${response.status}.`);
  return bodyOf(response, where);
}
