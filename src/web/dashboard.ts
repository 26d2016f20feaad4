import { randomBytes } from 'node:crypto';
import { tagOf } from '../domain/text/language.ts';
import { contentPolicy } from '../http/content-policy.ts';
import { nothingAt } from '../http/handler.ts';
import { type Reply, textReply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';
import type { Route } from '../http/router.ts';
import { hasSessionCookie } from '../identity/auth.ts';
import { entryFiles, fontLink, type WebBuild } from './built-files.ts';
import { displayOf } from './display.ts';
import { acceptsHtml } from './notice-page.ts';
import { waitingPage } from './waiting-page.ts';
import type { WebBuilds } from './web-build.ts';

const entry = 'src/dashboard/main.tsx';

const html = (status: number, text: string, headers: Reply['headers']): Reply => ({
  status,
  headers: { 'Content-Type': 'text/html; charset=utf-8', 'X-Robots-Tag': 'noindex', ...headers },
  body: text,
});

/** Returns the dashboard's content security policy. Allows its own origin, generated images, and styles with the response's nonce. */
const policyOf = (nonce: string, { workers }: WebBuild): string =>
  contentPolicy({
    scripts: ["'self'"],
    styles: ["'self'", `'nonce-${nonce}'`],
    images: ["'self'", 'data:', 'blob:'],
    fonts: ["'self'"],
    connections: ["'self'"],
    ...(workers === undefined ? {} : { workers }),
  });

/** Fixed order of the style layers, independent of the loading order. */
const layers = '@layer base, kit, page;';

/** Favicon, embedded in the HTML. */
const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><style>.r{fill:#086a5e}.s{fill:#49b4a6}@media (prefers-color-scheme:dark){.r{fill:#63d0bf}.s{fill:#fff}}</style><path class="r" d="M22 13.5V12A10 10 0 1 0 12 22h1.5v-5.5H12A4.5 4.5 0 1 1 16.5 12v1.5Z"/><path class="s" d="M15.3 15.3H22V22h-6.7Z"/></svg>',
)}`;

/** Returns the dashboard's HTML document, which is the same for all paths below `/dashboard`. */
function dashboardPage(build: WebBuild, request: HttpRequest, base: string): Reply {
  const nonce = randomBytes(16).toString('base64');
  const { language, theme, density } = displayOf(request.headers);
  const manifest = build.manifestOf(entry, tagOf(language));
  const {
    scripts: [script, ...others],
    styles,
  } = entryFiles(manifest, entry);
  const links = [
    ...fontLink(manifest, `${base}/web`),
    ...styles.map((name) => `<link rel="stylesheet" href="${base}/web/${name}">`),
    ...others.map((name) => `<link rel="modulepreload" href="${base}/web/${name}">`),
  ];
  return html(
    200,
    `<!doctype html>
<html lang="${tagOf(language)}" dir="ltr" data-theme="${theme}" data-density="${density}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta property="csp-nonce" nonce="${nonce}" content="${nonce}">
<title>Quittance</title>
<link rel="icon" href="${icon}">
<style nonce="${nonce}">${layers}</style>
${links.join('\n')}
<script type="module" src="${base}/web/${script}"></script>
</head>
<body data-base="${base}"${hasSessionCookie(request.headers) ? ' data-session' : ''}><div id="root"></div></body>
</html>
`,
    {
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': policyOf(nonce, build),
      Vary: 'Accept-Language, Cookie',
    },
  );
}

/** Returns the routes for the dashboard and its files below `/web`. Browsers that request `/` are redirected to `/dashboard`. `base` is the path of the service's public URL. */
export function dashboardRoutes(builds: WebBuilds, base: string): Route[] {
  const methods = ['GET'];
  return [
    {
      path: '/',
      methods,
      answer: (request) => {
        if (!acceptsHtml(request)) throw nothingAt(request);
        return textReply(302, '', { Location: `${base}/dashboard`, Vary: 'Accept' });
      },
    },
    {
      path: '/dashboard/*',
      methods,
      answer: async (request) => {
        const state = await builds.state();
        return state.status === 'ready'
          ? dashboardPage(state.build, request, base)
          : waitingPage(state.status, 'Dashboard');
      },
    },
    {
      path: '/web/:name',
      methods,
      answer: async (request, [name = '']) => {
        const state = await builds.state();
        const reply =
          state.status === 'ready' ? state.build.file(name, request.headers.get('accept-encoding')) : null;
        if (reply === null) throw nothingAt(request);
        return reply;
      },
    },
  ];
}
