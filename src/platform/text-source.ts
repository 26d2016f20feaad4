import { readFile } from 'node:fs/promises';

/** How long a source may take to answer whole. */
const timeoutMs = 30_000;

/** The longest text that is taken. */
const maxBytes = 64 * 1_048_576;

/** Reads the body of an answer up to the limit, whatever its head says of its length. */
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
 * The text at an http or https address, else in the file of that name. Throws when it cannot be read, is answered with an error, takes more
 * than 30 seconds or is longer than 64 MiB.
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
