/** What the signature of a message is about. */
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

/** The signed parts of a request. */
export function messageOf({ body, headers }: Request): Message {
  const of = (name: string) => headers.find((header) => header.name.toLowerCase() === name)?.value ?? '';
  return {
    id: of('webhook-id'),
    timestamp: of('webhook-timestamp'),
    signature: of('webhook-signature'),
    body,
  };
}

/** The text that is signed. */
export const signedText = ({ id, timestamp, body }: Message): string => `${id}.${timestamp}.${body}`;

/** The bytes of a text in Base64, also in the alphabet of addresses and without padding. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const plain = atob(base64.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

/** The signature of a text by a secret `whsec_…`, in Base64; null for what is no secret. */
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
