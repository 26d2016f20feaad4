/** Signed parts of a webhook: ID, timestamp and body. */
export type Message = {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: string;
};

type Request = {
  readonly body: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
};

/** Returns the signed parts of a webhook request. */
export function messageOf({ body, headers }: Request): Message {
  const of = (name: string) => headers.find((header) => header.name.toLowerCase() === name)?.value ?? '';
  return {
    id: of('webhook-id'),
    timestamp: of('webhook-timestamp'),
    signature: of('webhook-signature'),
    body,
  };
}

/** Returns the text that the signature is calculated for. */
export const signedText = ({ id, timestamp, body }: Message): string => `${id}.${timestamp}.${body}`;

/** Decodes Base64, including the URL-safe alphabet without padding. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const plain = atob(base64.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

/** Returns the Base64 signature of a string with a secret `whsec_…`. `null` for an invalid secret. */
export async function signatureBy(secret: string, text: string): Promise<string | null> {
  if (!secret.startsWith('whsec_')) return null;
  const key = await crypto.subtle.importKey(
    'raw',
    bytesOf(secret.slice('whsec_'.length)),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  );
  const signature = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(signature)));
}
