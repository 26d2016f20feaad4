import { hash, timingSafeEqual } from 'node:crypto';

// Rules of OAuth 2.1 for apps without a client secret: redirect URIs, registrations, and proof keys (PKCE).

/** Hosts of redirect URIs that are allowed without TLS, because the requests never leave the machine. */
const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

const longestUri = 500;

/** Returns true if an authorization code can be sent to the URI: HTTPS, or HTTP on a loopback address. */
export function isRedirectUri(text: string): boolean {
  if (text.length > longestUri || !/^[\x21-\x7e]+$/.test(text) || /[#\\]/.test(text)) return false;
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopback.has(url.hostname));
}

/** App that members can connect. The client ID contains the registration. */
export type AppClient = { readonly name: string; readonly redirectUris: readonly string[] };

const most = { uris: 5, uriCharacters: 1_500, nameCharacters: 100 } as const;

const isText = (value: unknown): value is string => typeof value === 'string';

/** Returns a name without control, bidirectional, and zero-width characters. */
const plainName = (name: string): string =>
  name
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, most.nameCharacters);

/** Problem of a registration, with its code from RFC 7591. */
export type RegistrationProblem = {
  readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata';
  readonly description: string;
};

/** Reads the body of a registration request. Unknown properties are ignored. */
export function clientIn(body: unknown): AppClient | RegistrationProblem {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return { error: 'invalid_client_metadata', description: 'The body must be a JSON object.' };
  const { redirect_uris: uris, client_name: name } = body as Readonly<Record<string, unknown>>;
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > most.uris || !uris.every(isText))
    return {
      error: 'invalid_redirect_uri',
      description: `\`redirect_uris\` must contain from 1 to ${most.uris} URIs.`,
    };
  if (!uris.every(isRedirectUri) || uris.join('').length > most.uriCharacters)
    return {
      error: 'invalid_redirect_uri',
      description: `Redirect URIs must use HTTPS, or HTTP on a loopback address, without a fragment, and have at most ${most.uriCharacters} characters in total.`,
    };
  if (name !== undefined && !isText(name))
    return { error: 'invalid_client_metadata', description: '`client_name` must be a string.' };
  const [first = ''] = uris;
  const plain = plainName(name ?? '');
  return { name: plain === '' ? new URL(first).hostname : plain, redirectUris: [...new Set(uris)] };
}

/** Valid request for an authorization code. */
export type CodeRequest = {
  readonly clientHash: string;
  readonly clientName: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  /** Text that the app gets back together with the code. `null` if the app sent none. */
  readonly state: string | null;
};

/** Parameters of an authorization request, from the query string. */
export type CodeParameters = { readonly get: (name: string) => string | null };

const longestState = 2_000;

/**
 * Returns the problem of an authorization request whose app and redirect URI are known. `null` if the request is valid. `resource` is the URL for
 * which tokens can be requested.
 */
export function codeProblem(parameters: CodeParameters, resource: string): string | null {
  if (parameters.get('response_type') !== 'code') return '`response_type` must be `code`.';
  const method = parameters.get('code_challenge_method');
  if (method !== 'S256' || !/^[\w-]{43}$/.test(parameters.get('code_challenge') ?? ''))
    return '`code_challenge` with the `code_challenge_method` `S256` is required.';
  if ((parameters.get('state') ?? '').length > longestState)
    return `\`state\` must have at most ${longestState} characters.`;
  return isResource(parameters, resource) ? null : `\`resource\` must be ${resource}.`;
}

/** Returns true if a request names no resource or the given resource. */
export function isResource(parameters: CodeParameters, resource: string): boolean {
  const named = parameters.get('resource');
  return named === null || named.replace(/\/$/, '') === resource;
}

/** Returns true if the verifier belongs to the challenge (RFC 7636, method `S256`). */
export function provesChallenge(verifier: string, challenge: string): boolean {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false;
  const proved = Buffer.from(hash('sha256', verifier, 'base64url'));
  const expected = Buffer.from(challenge);
  return proved.length === expected.length && timingSafeEqual(proved, expected);
}
