import { type Reply, textReply } from '../http/reply.ts';
import { loadLogo } from '../modules/organization/organizations/store.ts';
import type { App } from '../request/context.ts';

/** Serves an organization's logo. Each logo has its own URL, so the response can be cached permanently. */
export async function logoPage(app: App, id: string): Promise<Reply> {
  const logo = await loadLogo(app, id);
  if (logo === null) return textReply(404, 'Logo not found.\n');
  return {
    status: 200,
    headers: {
      'Content-Type': logo.contentType,
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Cache-Control': 'public, max-age=31536000, immutable',
    },
    body: logo.image,
  };
}
