import { hash } from 'node:crypto';

/** Sources that a document can load content from, in `Content-Security-Policy` syntax. */
export type Allowed = {
  readonly scripts?: readonly string[];
  readonly styles?: readonly string[];
  readonly images?: readonly string[];
  readonly fonts?: readonly string[];
  readonly connections?: readonly string[];
  readonly workers?: readonly string[];
  readonly frames?: readonly string[];
  readonly forms?: readonly string[];
};

/** Returns the source expression that allows an inline script or style with exactly this text. */
export const inlineSource = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`;

const directives = [
  ['script-src', 'scripts'],
  ['style-src', 'styles'],
  ['img-src', 'images'],
  ['font-src', 'fonts'],
  ['connect-src', 'connections'],
  ['worker-src', 'workers'],
  ['frame-src', 'frames'],
] as const;

const ancestors = "frame-ancestors 'none'";

/**
 * Returns a content security policy that allows only the given sources. By default, it forbids forms, embedding in frames, and a different
 * base URL.
 */
export const contentPolicy = (allowed: Allowed = {}): string =>
  [
    "default-src 'none'",
    ...directives.flatMap(([directive, kind]) =>
      allowed[kind] === undefined ? [] : [`${directive} ${allowed[kind].join(' ')}`],
    ),
    `form-action ${(allowed.forms ?? ["'none'"]).join(' ')}`,
    ancestors,
    "base-uri 'none'",
  ].join('; ');

/** Returns the policy with additional origins that may embed the document in a frame. */
export const framedBy = (policy: string, origins: readonly string[]): string =>
  origins.length === 0 ? policy : policy.replace(ancestors, `frame-ancestors ${origins.join(' ')}`);

/** True if the policy allows other origins to embed the document in a frame. */
export const canBeFramed = (policy: unknown): boolean =>
  typeof policy === 'string' && policy.includes('frame-ancestors ') && !policy.includes(ancestors);

/** Permissions that wallets and banks need in frames on a page with card fields. The page itself needs only passkeys. */
const paying = ['payment', 'publickey-credentials-get'] as const;

/** Browser features that no page needs. The permissions policy disables them. */
const unused = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'usb',
] as const;

/** Returns a permissions policy. Disables device features, allows passkeys for the page, and allows payments for the page and the given origins. */
export const permissionsPolicy = (payers: readonly string[] = []): string => {
  const own = ['self', ...payers.map((origin) => `"${origin}"`)].join(' ');
  return [
    ...unused.map((feature) => `${feature}=()`),
    ...paying.map((feature) =>
      payers.length === 0 && feature === 'payment' ? 'payment=()' : `${feature}=(${own})`,
    ),
    'publickey-credentials-create=(self)',
  ].join(', ');
};

/** Default content security policy for documents. */
export const strictPolicy = contentPolicy();
