import { QuittanceError } from '../domain/errors/errors.ts';
import { type Language, tagOf } from '../domain/text/language.ts';
import { contentPolicy, inlineSource } from '../http/content-policy.ts';
import type { Reply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';

const style =
  'body{max-width:36rem;margin:4rem auto;padding:0 1rem;font-family:system-ui,sans-serif;line-height:1.5}button{font:inherit;padding:.5rem 1rem}';

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex',
} as const;

const policies = {
  plain: contentPolicy({ styles: [inlineSource(style)] }),
  form: contentPolicy({ styles: [inlineSource(style)], forms: ["'self'"] }),
} as const;

/** Optional elements of a notice page. */
type More = {
  readonly language?: Language;
  /** Label of a button that submits a form to the page's own URL. */
  readonly button?: string;
};

/** Returns a page with one message and an optional button. The strings aren't escaped, so they must be constants. */
export const noticePage = (
  status: number,
  title: string,
  text: string,
  { language = 'en', button }: More = {},
): Reply => ({
  status,
  headers: {
    ...headers,
    'Content-Security-Policy': button === undefined ? policies.plain : policies.form,
  },
  body: `<!doctype html>
<html lang="${tagOf(language)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${style}</style></head>
<body>
<h1>${title}</h1>
<p>${text}</p>${button === undefined ? '' : `\n<form method="post"><button type="submit">${button}</button></form>`}
</body>
</html>
`,
});

/** True if a browser requests a document. */
export const acceptsHtml = ({ headers }: HttpRequest): boolean =>
  /\btext\/html\b/.test(headers.get('accept') ?? '');

/** Page for a URL that doesn't exist. `null` if the error is different or the client doesn't request a document. */
export const missingPage = (request: HttpRequest, error: unknown): Reply | null =>
  error instanceof QuittanceError && error.code === 'not_found' && acceptsHtml(request)
    ? noticePage(404, 'Page not found', 'Check that the link is complete.')
    : null;
