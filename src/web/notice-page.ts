import { contentPolicy, inlineSource } from '../http/content-policy.ts';
import type { Reply } from '../http/reply.ts';

const style =
  'body{max-width:36rem;margin:4rem auto;padding:0 1rem;font-family:system-ui,sans-serif;line-height:1.5}';

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': contentPolicy({ styles: [inlineSource(style)] }),
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex',
} as const;

/** A page that says one thing, for a link that leads nowhere. The texts are constants and contain nothing to be escaped. */
export const noticePage = (status: number, title: string, text: string): Reply => ({
  status,
  headers,
  body: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${style}</style></head>
<body>
<h1>${title}</h1>
<p>${text}</p>
</body>
</html>
`,
});
