import { contentPolicy } from '../http/content-policy.ts';
import type { Reply } from '../http/reply.ts';

const texts = {
  Dashboard: {
    building: 'The dashboard is being built. This page opens it automatically.',
    failed:
      'The dashboard could not be built. See the log of the service for details. The API isn’t affected.',
  },
  Documentation: {
    building: 'The documentation is being built. This page opens it automatically.',
    failed: 'The documentation could not be built. See the log of the service for details.',
  },
  Page: {
    building: 'This page is being built and opens automatically.',
    failed: 'We can’t show this page right now. It reloads automatically.',
  },
} as const;

/** Returns the page shown while a build runs or after it failed. The page reloads automatically. */
export function waitingPage(status: 'building' | 'failed', title: keyof typeof texts): Reply {
  const seconds = status === 'failed' ? 10 : 1;
  return {
    status: 503,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'X-Robots-Tag': 'noindex',
      'Retry-After': String(seconds),
      'Content-Security-Policy': contentPolicy(),
    },
    body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="${seconds}">
<title>${title}</title>
</head>
<body><main><h1>${title}</h1><p role="status">${texts[title][status]}</p></main></body>
</html>
`,
  };
}
