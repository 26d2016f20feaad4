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

const ancestors = "frame-ancestors 'none'";

/** A content security policy that allows what is named and nothing else: no other source, no form, no frame around the document, no other base. */
export const contentPolicy = (allowed: Allowed = {}): string =>
  [
    "default-src 'none'",
    ...directives.flatMap(([directive, kind]) =>
      allowed[kind] === undefined ? [] : [`${directive} ${allowed[kind].join(' ')}`],
    ),
    "form-action 'none'",
    ancestors,
    "base-uri 'none'",
  ].join('; ');

/** A policy under which pages of these origins may show the document in a frame. */
export const framedBy = (policy: string, origins: readonly string[]): string =>
  origins.length === 0 ? policy : policy.replace(ancestors, `frame-ancestors ${origins.join(' ')}`);

/** Whether a policy lets other pages show the document in a frame. */
export const canBeFramed = (policy: unknown): boolean =>
  typeof policy === 'string' && policy.includes('frame-ancestors ') && !policy.includes(ancestors);

/** The policy of a document that names none of its own. */
export const strictPolicy = contentPolicy();
