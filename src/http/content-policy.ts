import { hash } from 'node:crypto';

/** What a document may load and do besides nothing. Sources are written as the header Content-Security-Policy has them. */
export type Allowed = {
  readonly scripts?: readonly string[];
  readonly styles?: readonly string[];
  readonly images?: readonly string[];
  readonly fonts?: readonly string[];
  readonly connections?: readonly string[];
  readonly workers?: readonly string[];
  readonly frames?: readonly string[];
};

/** The source that allows one inline script or style: its exact text. */
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

/** A content security policy that allows what is named and nothing else: no other source, no form, no frame around the document, no other base. */
export const contentPolicy = (allowed: Allowed = {}): string =>
  [
    "default-src 'none'",
    ...directives.flatMap(([directive, kind]) =>
      allowed[kind] === undefined ? [] : [`${directive} ${allowed[kind].join(' ')}`],
    ),
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');

/** The policy of a document that names none of its own. */
export const strictPolicy = contentPolicy();
