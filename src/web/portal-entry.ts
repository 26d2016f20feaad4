import type { App } from '../context.ts';
import type { Reply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';
import { enterPortal } from '../modules/portal/enter.ts';
import { noticePage } from './notice-page.ts';

/**
 * Leads from a link of an email to the portal, in a session of its own: 303. 410 once the link's time is over, 404 for one that was not
 * issued here or is for another address by now.
 */
export async function portalEntryPage(app: App, request: HttpRequest, token: string): Promise<Reply> {
  // Who only looks whether the address is there opens no session.
  if (request.method === 'HEAD') return { status: 200, headers: { 'Cache-Control': 'no-store' }, body: null };
  const url = await enterPortal(app, token, 'portal entry');
  if (url === 'expired') return noticePage(410, 'This link has expired', 'Ask the seller for a new one.');
  if (url === null) return noticePage(404, 'This link is not valid', 'Ask the seller for a new one.');
  return {
    status: 303,
    headers: {
      Location: url,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
    },
    body: null,
  };
}
